/** The header of a submission. */
export interface SubmissionHeader {
  readonly accession: string | null
  readonly form: string | null
  /** `YYYY-MM-DD`, as are the others. */
  readonly filed: string | null
  readonly period: string | null
  readonly cik: string | null
  readonly company: string | null
}

/** One document of a submission. */
export interface SubmittedDocument {
  /** Form or exhibit, `10-K`, `EX-21.1`. */
  readonly type: string
  readonly sequence: string | null
  readonly filename: string | null
  readonly text: string
}

// White space before a field is matched within its line: across lines, every blank line would restart the match.
const HEADER_FIELDS = {
  accession: /^[^\S\r\n]*ACCESSION NUMBER:\s*(\S+)/im,
  form: /^[^\S\r\n]*CONFORMED SUBMISSION TYPE:\s*(\S+)/im,
  filed: /^[^\S\r\n]*FILED AS OF DATE:\s*(\d{8})/im,
  period: /^[^\S\r\n]*CONFORMED PERIOD OF REPORT:\s*(\d{8})/im,
} as const

export function parseHeader(text: string): SubmissionHeader {
  const field = (pattern: RegExp) => pattern.exec(text)?.[1] ?? null
  // Of several parties the filer's block comes first by name; the subject of a tender is not the filer.
  const filer = /^[^\S\r\n]*(FILER|ISSUER|SUBJECT COMPANY):\s*$/im.exec(text)
  const party = filer ? text.slice(filer.index) : text
  const cik = /CENTRAL INDEX KEY:\s*(\d{1,10})/i.exec(party)?.[1]
  const company = /COMPANY CONFORMED NAME:\s*(\S.*)/i.exec(party)?.[1]?.trimEnd()
  return {
    accession: field(HEADER_FIELDS.accession),
    form: field(HEADER_FIELDS.form),
    filed: isoDay(field(HEADER_FIELDS.filed)),
    period: isoDay(field(HEADER_FIELDS.period)),
    cik: cik === undefined ? null : cik.padStart(10, '0'),
    company: company ?? null,
  }
}

const isoDay = (digits: string | null): string | null =>
  digits === null ? null : `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`

const TAGS = {
  type: /^[^\S\r\n]*<TYPE>([^\r\n<]*)/im,
  sequence: /^[^\S\r\n]*<SEQUENCE>([^\r\n<]*)/im,
  filename: /^[^\S\r\n]*<FILENAME>([^\r\n<]*)/im,
} as const

/** The opening tags of a submission's document. */
export function documentTags(head: string): Omit<SubmittedDocument, 'text'> | null {
  const tag = (pattern: RegExp) => pattern.exec(head)?.[1]?.trim() || null
  const type = tag(TAGS.type)
  return type === null ? null : { type, sequence: tag(TAGS.sequence), filename: tag(TAGS.filename) }
}

/** The document without the tags around it. */
export function documentBody(text: string): string {
  const begin = /<TEXT>\r?\n?/i.exec(text)
  const from = begin ? begin.index + begin[0].length : 0
  const end = text.toUpperCase().lastIndexOf('</TEXT>')
  const body = end > from ? text.slice(from, end) : text.slice(from).replace(/<\/DOCUMENT>\s*$/i, '')
  return body.replace(/^\s*<(XBRL|PDF)>\s*/i, '').replace(/(?<!\s)\s*<\/(XBRL|PDF)>\s*$/i, '')
}
