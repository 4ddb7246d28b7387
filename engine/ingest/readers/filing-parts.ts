import { firstOf } from '../../base/elements.ts'
import { decode } from '../../filing/characters.ts'
import { isSupportedForm } from '../../filing/form.ts'
import {
  documentBody,
  documentTags,
  parseHeader,
  type SubmissionHeader,
  type SubmittedDocument,
} from '../../filing/submission.ts'
import { Refused, type SourceFile } from './reader.ts'

/** Maximum bytes of a document: the longest real ones have 50 million. */
export const LONGEST_DOCUMENT = 64_000_000

/** All bytes of a file that is one document. */
export async function documentBytes(file: SourceFile): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  const source = await file.open()
  for await (const part of source) {
    parts.push(part as Buffer)
    length += (part as Buffer).length
    if (length > LONGEST_DOCUMENT) {
      source.destroy()
      throw tooLong()
    }
  }
  return Buffer.concat(parts)
}

const tooLong = () => new Refused(`a document of more than ${LONGEST_DOCUMENT / 1e6} MB: split it`)

/** A document of a submission, or why it is skipped. */
export type Part =
  | { readonly header: SubmissionHeader; readonly document: SubmittedDocument }
  | { readonly header: SubmissionHeader; readonly type: string; readonly refused: string }

const BEGIN = Buffer.from('<DOCUMENT>')
const END = Buffer.from('</DOCUMENT>')
const HEAD = 4096
/** Maximum length of a header. */
const LONGEST_HEADER = 4_000_000

/** The documents of a submission, streamed; pictures, data and archives are never buffered. */
export async function* submissionParts(file: SourceFile): AsyncGenerator<Part> {
  let header: SubmissionHeader | null = null
  let reading: PartialDocument | null = null
  let pending: Buffer = Buffer.alloc(0)
  const source = await file.open()
  for await (const chunk of source) {
    pending = pending.length === 0 ? (chunk as Buffer) : Buffer.concat([pending, chunk as Buffer])
    for (;;) {
      if (reading === null) {
        const at = pending.indexOf(BEGIN)
        if (at < 0) break
        header ??= parseHeader(decode(pending.subarray(0, at)))
        pending = pending.subarray(at + BEGIN.length)
        reading = { parts: [], length: 0, refused: null }
      }
      const end = pending.indexOf(END)
      // A possible beginning of the end tag waits for the rest.
      append(
        reading,
        pending.subarray(0, end >= 0 ? end : Math.max(0, pending.length - END.length)),
        end >= 0,
        header?.form ?? null,
      )
      pending = pending.subarray(end >= 0 ? end + END.length : Math.max(0, pending.length - END.length))
      if (end < 0) break
      yield partOf(header!, reading)
      reading = null
    }
    if (reading === null && header === null && pending.length > LONGEST_HEADER) break
  }
  if (reading !== null) {
    append(reading, pending, true, header?.form ?? null)
    yield partOf(header!, reading)
  }
  if (header === null) throw new Refused('a submission without documents: download the complete text file')
}

/** A document being read; refused ones are not kept. */
interface PartialDocument {
  parts: Buffer[]
  length: number
  refused: { readonly type: string; readonly reason: string } | null
}

function append(reading: PartialDocument, bytes: Buffer, isLast: boolean, filing: string | null): void {
  const wasKnown = reading.length >= HEAD
  reading.length += bytes.length
  if (reading.refused !== null) return
  reading.parts.push(bytes)
  if (!wasKnown && (reading.length >= HEAD || isLast)) {
    reading.parts = [Buffer.concat(reading.parts)]
    const type =
      documentTags(decode(firstOf(reading.parts).subarray(0, HEAD)))?.type ?? 'a document without a type'
    if (!isSupportedForm(type, filing)) reading.refused = { type, reason: `${type}: ${UNSUPPORTED}` }
  }
  if (reading.length > LONGEST_DOCUMENT) reading.refused ??= { type: 'document', reason: tooLong().message }
  if (reading.refused !== null) reading.parts = []
}

export const UNSUPPORTED = 'not a report, a prospectus, or an exhibit about debt or entities'

function partOf(header: SubmissionHeader, { parts, refused }: PartialDocument): Part {
  if (refused) return { header, type: refused.type, refused: refused.reason }
  const text = decode(Buffer.concat(parts))
  const tags = documentTags(text.slice(0, HEAD)) ?? { type: '', sequence: null, filename: null }
  return { header, document: { ...tags, text: documentBody(text) } }
}
