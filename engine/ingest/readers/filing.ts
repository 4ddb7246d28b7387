import { createHash } from 'node:crypto'
import { firstOf } from '../../base/elements.ts'
import { formatDay, parseDay } from '../../credit/calendar.ts'
import { attachedList } from '../../filing/attached-list.ts'
import type { Lines } from '../../filing/block.ts'
import { decode } from '../../filing/characters.ts'
import { type Cover, coverOf } from '../../filing/cover.ts'
import { collateralIn } from '../../filing/facts/collateral.ts'
import { covenantsIn } from '../../filing/facts/covenants.ts'
import { creditFacilitiesIn } from '../../filing/facts/credit-facilities.ts'
import { endingsIn } from '../../filing/facts/endings.ts'
import {
  entityRows,
  type GuaranteeRow,
  guarantorRows,
  type Lister,
  listedGuarantees,
} from '../../filing/facts/entities.ts'
import { MOST_EVIDENCE } from '../../filing/facts/evidence.ts'
import type { FiledSection } from '../../filing/facts/filed-section.ts'
import { guarantorsIn, securitiesNamed } from '../../filing/facts/guarantors.ts'
import type { NotesOf } from '../../filing/facts/note-series.ts'
import { isOneOffer, notesOf } from '../../filing/facts/note-terms.ts'
import { unitOfStatements } from '../../filing/facts/statement-unit.ts'
import { formNamed, isExhibit, isSubsidiaryList, isSupportedForm } from '../../filing/form.ts'
import { htmlLines } from '../../filing/html-lines.ts'
import { plainLines } from '../../filing/plain-lines.ts'
import { readParts } from '../../filing/read-parts.ts'
import { isAnnualForm } from '../../filing/report-form.ts'
import { type Section, sectionsOf } from '../../filing/sections.ts'
import { documentBody, documentTags, type SubmissionHeader } from '../../filing/submission.ts'
import { subsidiariesIn } from '../../filing/subsidiaries.ts'
import { issuerName, namesAgree } from '../../names/issuer-name.ts'
import { instrumentsIn } from './debt-note.ts'
import { indexEntry } from './filing-index.ts'
import { filingName } from './filing-name.ts'
import { documentBytes, submissionParts, UNSUPPORTED } from './filing-parts.ts'
import { knownByRule } from './inline-facts.ts'
import { takeInlineFigures } from './inline-xbrl.ts'
import { type Output, type Reader, type ReadOptions, Refused, type Sink, type SourceFile } from './reader.ts'

const SUBMISSION =
  /^\ufeff?\s*(<SEC-DOCUMENT>|<SEC-HEADER>|<IMS-DOCUMENT>|-----BEGIN PRIVACY-ENHANCED MESSAGE-----)/
const DOCUMENT = /^\ufeff?\s*<DOCUMENT>\s*<TYPE>/i
const HTML =
  /^\ufeff?\s*(<\?xml[^>]*>\s*)?(<!--[^-]*(?:-(?!->)[^-]*)*-->\s*)*<(!doctype html|(html|head|body|div|table|center|font|pre|title|p|meta)[\s>])/i
const PLAIN =
  /securities\s+and\s+exchange\s+commission|\bform\s+(10-?k|10-?q|8-?k)\b|\bexhibit\s+(4|10|21|22|99)(\.\d+)?\b|press release|first quarter|second quarter|third quarter|fourth quarter|annual report/i

/** Prose rather than a table: its first lines have no common separators. */
function isProse(head: string): boolean {
  if (head.includes('\0') || /^\s*(?:[[{"%]|<(?!page>))/i.test(head)) return false
  const strange = head.match(/[\x01-\x08\x0e-\x1f]/g)?.length ?? 0
  if (strange > 0.01 * head.length) return false
  const [first = '', second = ''] = head.split('\n').filter(line => line.trim() !== '')
  const separators = [',', '\t', ';', '|'].map(mark =>
    [first, second].map(line => line.split(mark).length - 1),
  )
  return !separators.some(([a, b]) => a! >= 2 && a === b) && PLAIN.test(head)
}

export const filing: Reader = {
  kind: 'filing',
  decodes: true,
  doc: 'Filings and exhibits: HTML with the figures of inline XBRL, text, full submission text files.',
  recognises: ({ head }) => SUBMISSION.test(head) || DOCUMENT.test(head) || HTML.test(head) || isProse(head),

  async read(file, sink, options) {
    const beside = await besides(file, options)
    if (SUBMISSION.test(file.head)) return readSubmission(file, beside, sink)
    const bytes = await documentBytes(file)
    const text = decode(bytes)
    if (text.trim() === '') throw new Refused('an empty document')
    const tags = DOCUMENT.test(text.slice(0, 4096)) ? documentTags(text.slice(0, 4096)) : null
    const document = { type: tags?.type ?? null, text: tags ? documentBody(text) : text }
    await readDocument(document, beside, 'document', sink)
  },
}

/** What is known of a filing apart from its text. */
export interface Beside {
  readonly accession: string | null
  readonly cik: string | null
  readonly ticker: string | null
  readonly company: string | null
  /** Form of the filing, of which the document may be an exhibit. */
  readonly form: string | null
  readonly type: string | null
  readonly likely: string | null
  readonly filed: string | null
  /** A day in the file's name that may be the filing date. */
  readonly dated: string | null
  readonly period: string | null
}

/** The accession number from the file's name, or from the index beside it. */
export const namedAccession = async (name: string): Promise<string | null> =>
  (await indexEntry(name))?.accession ?? filingName(name).accession

async function besides(file: SourceFile, { date }: ReadOptions): Promise<Beside> {
  const named = filingName(file.name)
  const index = await indexEntry(file.name)
  return {
    accession: index?.accession ?? named.accession,
    cik: index?.cik ?? named.cik,
    ticker: index?.ticker ?? named.ticker,
    company: index?.company ?? named.company,
    form: index?.form ?? null,
    // An index may give the form of the filing for each of its documents.
    type: index?.exhibit ?? exhibitNamed(named.type) ?? index?.form ?? named.type,
    likely: named.likely,
    filed: index?.filed ?? date ?? null,
    dated: named.date,
    period: index?.period ?? null,
  }
}

async function readSubmission(file: SourceFile, beside: Beside, sink: Sink): Promise<void> {
  let main: Cover | null = null
  for await (const part of submissionParts(file)) {
    if ('refused' in part) {
      sink.note(`skipped: ${part.refused}`)
      continue
    }
    const { header, document } = part
    const at = `${document.type}${document.sequence ? ` (document ${document.sequence})` : ''}`
    main = (await readDocument(document, withHeader(beside, header, main), at, sink)) ?? main
    await sink.drain()
  }
}

const exhibitNamed = (type: string | null): string | null => (type !== null && isExhibit(type) ? type : null)

const withHeader = (beside: Beside, header: SubmissionHeader, main: Cover | null): Beside => ({
  accession: header.accession ?? beside.accession,
  cik: header.cik ?? beside.cik,
  ticker: main?.ticker ?? beside.ticker,
  company: main?.company ?? header.company ?? beside.company,
  form: header.form ?? beside.form,
  type: null,
  likely: null,
  filed: header.filed ?? beside.filed,
  dated: beside.dated,
  period: header.period ?? beside.period,
})

interface Document {
  readonly type: string | null
  readonly text: string
}

/** Everything a document says, or that it was refused; returns its cover where it is the filing itself. */
export async function readDocument(
  document: Document,
  beside: Beside,
  at: string,
  sink: Sink,
): Promise<Cover | null> {
  const read = parsed(document)
  if ('refused' in read) {
    await sink.refuse(at, document.text.slice(0, 2000), read.refused)
    return null
  }
  const { lines, cover } = read
  const about = aboutOf(document, beside, cover)
  if (typeof about === 'string') {
    if (at === 'document') throw new Refused(about)
    await sink.refuse(at, document.text.slice(0, 2000), about)
    return null
  }
  if (about.knownByRule) sink.note(assumedKnown)
  else if (about.filed === null) sink.note(undated)
  const sections = sectionsOf(lines, about.type)
  if (sections.length === 0) {
    await sink.refuse(at, document.text.slice(0, 2000), 'the document has no text')
    return null
  }
  const ids = new Set<string>()
  const unit = unitOfStatements(sections.map(({ text: each }) => each))
  const debtNotes = sections.filter(({ type, within }) => type === 'debt_footnote' && within === null)
  const hasDebtNote = debtNotes.length > 0
  const hasToldFacilities = debtNotes.some(
    section => creditFacilitiesIn({ ...filedSection(section, about), amounts_in: unit }).length > 0,
  )
  const notes = isOneOffer(about.type)
    ? notesOf(sections.filter(isReadOnce).map(section => filedSection(section, about)))
    : undefined
  for (const [i, section] of sections.entries()) {
    await sink.take(`${at}, section ${i + 1}`, [
      documentRow(section, about, ids),
      ...readParts(section, sections).flatMap(part =>
        extracted(part, { ...about, unit, hasDebtNote, hasToldFacilities }, notes),
      ),
    ])
    await sink.drain()
  }
  await takeInlineFigures(document.text, about, at, sink)
  if (/^EX-22/i.test(about.type)) await takeEntities(lines, about, at, sink)
  else if (isSubsidiaryList(about.type, about.form)) await takeEntities(lines, listed(about), at, sink)
  else {
    await takeGuarantors(sections, about, at, sink)
    const list = isAnnualForm(about.form) ? attachedList(lines) : null
    const attached = list && { ...lines, blocks: lines.blocks.slice(list.from, list.to) }
    if (attached) await takeEntities(attached, listed(about), `${at}, list of subsidiaries`, sink)
  }
  return isExhibit(about.type) ? null : cover
}

/**
 * Tags that only HTML has. `<TABLE>` alone is not one: texts filed before HTML put it, with `<CAPTION>`, `<S>` and `<C>`,
 * around columns laid out with blanks.
 */
const MARKUP = /<(html|body|div|p|br|pre|font|t[dr])[\s>/]/i

/** A document that breaks the parser is refused alone; the rest continues. */
function parsed({ text }: Document): { lines: Lines; cover: Cover } | { refused: string } {
  try {
    const lines = MARKUP.test(text.slice(0, 200_000)) ? htmlLines(text) : plainLines(text)
    return { lines, cover: coverOf(lines) }
  } catch (error) {
    return { refused: `its text cannot be read: ${(error as Error).message}` }
  }
}

/** What applies to every row of a document. */
interface About {
  readonly accession: string | null
  readonly cik: string | null
  readonly ticker: string | null
  readonly company_name: string | null
  /** Form or exhibit of the document itself. */
  readonly type: string
  /** Form of the filing if known, else the exhibit. */
  readonly form: string
  readonly filed: string | null
  readonly period: string | null
  readonly known: string | null
  readonly knownByRule: boolean
  readonly hash: string
}

const assumedKnown =
  'no filing date: sections count as known 90 days after the period of an annual report, 45 days after a quarter, 6 days after a reported event, 4 days after the date of a prospectus supplement'

const undated =
  "no filing date and no period: sections are left out under as_of; list the files in an INDEX.csv (file, cik, form, filing_date), ingest the filer's submissions JSON, or give --date"

function aboutOf(document: Document, beside: Beside, cover: Cover): About | string {
  const written = document.type ?? beside.type ?? cover.form ?? beside.likely
  if (written === null)
    return 'not a filing: it names no form or exhibit (10-K, 10-Q, 8-K, EX-4, EX-10, EX-21, EX-22, 424B)'
  const type = (formNamed(written) ?? written).toUpperCase()
  if (!isSupportedForm(type, beside.form)) return `${type}: ${UNSUPPORTED}`
  const company_name = registrant(cover, beside)
  const cik = beside.cik ?? cover.cik
  const { accession } = beside
  const ticker = beside.ticker ?? cover.ticker
  if (company_name === null && cik === null && accession === null && ticker === null)
    return 'does not identify its filer: name the file by its accession number, or list it in an INDEX.csv beside it (file, cik, form, filing_date)'
  const form = isExhibit(type) ? (beside.form ?? type).toUpperCase() : type
  const period = isExhibit(type) ? beside.period : (cover.period ?? beside.period)
  const { dated } = beside
  const filed = beside.filed ?? (dated !== null && (period === null || dated >= period) ? dated : null)
  const known = filed === null ? byRule({ period, dated: cover.dated }, form) : null
  return {
    accession,
    cik,
    ticker,
    company_name,
    type,
    form,
    filed,
    period,
    known,
    knownByRule: known !== null,
    hash: createHash('sha256').update(document.text).digest('hex'),
  }
}

/** Tagged facts identify the filer; else the submission's header, which outranks a page that may be misread. */
function registrant(cover: Cover, { company, cik }: Beside): string | null {
  if (cover.isTagged || company === null || cover.company === null) return cover.company ?? company
  const agrees = namesAgree(issuerName(cover.company), issuerName(company))
  return cik === null || agrees ? cover.company : company
}

/** A current report is due four business days after the event, a prospectus supplement two after its first use. */
function byRule({ period, dated }: Pick<Cover, 'period' | 'dated'>, form: string): string | null {
  if (/^(?:424B|FWP)/i.test(form)) return dated === null ? null : formatDay(parseDay(dated) + 4)
  if (period === null) return null
  if (/^8-?K/i.test(form)) return formatDay(parseDay(period) + 6)
  return isAnnualForm(form) || /^10-?Q/i.test(form) ? knownByRule(period, form) : null
}

/** Dated by the filing day if known; else by the rule, which affects `known_from` only. */
const dated = ({ known }: About) => (known === null ? {} : { known_from: known })

const companyOf = ({ ticker, cik, company_name }: About) => ({ ticker, cik, company_name })

function documentRow(section: Section, about: About, ids: Set<string>): Output {
  const { accession, form, type, filed, period } = about
  return {
    dataset: 'documents',
    values: {
      id: sectionId(section, about, ids),
      ...companyOf(about),
      doc_type: form,
      accession,
      filing_date: filed,
      period_end_date: period,
      section_type: section.type,
      section_title: section.title,
      content: section.text,
      page_count: section.pages,
      source_url: urlOf(about),
      exhibit: section.exhibit ?? (isExhibit(type) ? type : null),
      item: section.item,
      within: section.within,
      first_page: section.page,
      text_offset: section.offset,
      source_offset: section.source_offset,
      source_length: section.source_length,
      ...dated(about),
    },
  }
}

/**
 * The same for every copy of a filing: a company has one annual or quarterly report per period, whether or not a copy
 * has its accession number.
 */
function sectionId({ type, item, title }: Section, about: About, ids: Set<string>): string {
  const who = about.cik ?? about.company_name ?? about.ticker ?? ''
  const isPeriodic = /^10-?[KQ]/i.test(about.type) && about.period !== null
  const which = isPeriodic
    ? `${who} ${about.type} ${about.period}`
    : `${about.accession ?? who} ${about.type} ${about.hash}`
  for (let n = 1; ; n++) {
    const hex = createHash('sha256').update([which, type, item, title, n].join('\n')).digest('hex')
    const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
    if (ids.has(id)) continue
    ids.add(id)
    return id
  }
}

const urlOf = ({ cik, accession }: About): string | null =>
  cik === null || accession === null
    ? null
    : `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${accession.replaceAll('-', '')}/`

/** A part of a section that is already present is not read twice. */
const isReadOnce = ({ within, type }: Section): boolean => within === null || type === 'mda_liquidity'

const filedSection = (section: Section, about: About): FiledSection => ({
  text: section.text,
  title: section.title,
  section_type: section.type,
  offset: section.offset,
  doc_type: section.exhibit ?? about.type,
  accession: about.accession,
  filing_date: about.filed,
  period_end: about.period,
  company_name: about.company_name,
  cik: about.cik,
})

/** Covenants, collateral, ended agreements and instruments in a section. */
function extracted(
  section: Section,
  about: About & {
    readonly unit: string | null
    readonly hasDebtNote: boolean
    readonly hasToldFacilities: boolean
  },
  notes: NotesOf | undefined,
): Output[] {
  if (!isReadOnce(section)) return []
  const filed = {
    ...filedSection(section, about),
    amounts_in: about.unit,
    has_debt_note: about.hasDebtNote,
    has_told_facilities: about.hasToldFacilities,
  }
  const ticker = about.ticker
  return [
    ...covenantsIn(filed).map(row => ({ dataset: 'covenants', values: { ticker, ...row, ...dated(about) } })),
    ...collateralIn(filed).map(row => ({
      dataset: 'collateral',
      values: { ticker, ...row, ...dated(about) },
    })),
    ...instrumentsIn(filed, { ticker, known: about.filed ?? about.known }, notes),
    ...endingsIn(filed).map(row => ({
      dataset: 'agreement_endings',
      values: { ticker, ...row, ...dated(about) },
    })),
  ]
}

/** A list of subsidiaries is an Exhibit 21, whatever its own number and wherever it stands. */
const listed = (about: About): About => ({
  ...about,
  type: /^EX-21/i.test(about.type) ? about.type : 'EX-21',
})

const listerOf = (about: About): Lister => ({
  ...companyOf(about),
  document_type: about.type,
  accession: about.accession,
  document_date: about.filed,
})

const guaranteeOutput = (row: GuaranteeRow, about: About): Output => ({
  dataset: 'guarantees',
  values: { ...row, ...dated(about) },
})

/** Guarantors named in a report, agreement or prospectus. */
async function takeGuarantors(
  sections: readonly Section[],
  about: About,
  at: string,
  sink: Sink,
): Promise<void> {
  const read = sections.filter(isReadOnce).map(section => filedSection(section, about))
  const { entities, guarantees } = guarantorRows(listerOf(about), guarantorsIn(read))
  for (const { at: offset, ...row } of entities)
    await sink.take(`${at}, guarantor at character ${offset}`, [
      { dataset: 'entities', values: { ...row, ...dated(about) } },
      ...guarantees.filter(g => g.guarantor_id === row.id).map(g => guaranteeOutput(g, about)),
    ])
}

async function takeEntities(lines: Lines, about: About, at: string, sink: Sink): Promise<void> {
  const listed = subsidiariesIn(lines)
  if (listed.length === 0) {
    sink.note(`${at}: no company names found in the list`)
    return
  }
  const lister = listerOf(about)
  const text = lines.blocks.map(block => block.text).join(' ')
  const isGuarantors = /^EX-22/i.test(about.type)
  const guarantee = isGuarantors ? { type: /full(y)? and unconditional/i.test(text) ? 'full' : null } : null
  const rows = entityRows(lister, listed, guarantee)
  const before = lines.blocks.filter(block => block.at < firstOf(listed).at)
  const securities = securitiesNamed(before.map(block => block.text).join('\n'))
  const guarantees = isGuarantors
    ? listedGuarantees(lister, rows, securities, text.slice(0, MOST_EVIDENCE))
    : []
  for (const [i, { at: offset, ...row }] of rows.entries())
    await sink.take(i === 0 && offset === 0 ? `${at}, filer` : `${at}, character ${offset}`, [
      {
        dataset: 'entities',
        values: { ...row, is_vie: row.entity_type === 'vie' ? true : null, ...dated(about) },
      },
      ...guarantees.filter(g => g.guarantor_id === row.id).map(g => guaranteeOutput(g, about)),
    ])
}
