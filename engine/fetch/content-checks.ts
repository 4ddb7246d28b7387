import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openZip } from '../ingest/archive.ts'
import { Refused } from '../ingest/readers/reader.ts'

/** Why a download is not what was asked for, in words that follow its name; null if it is. */
export type ContentCheck = (path: string) => Promise<string | null>

const EDGE = 64 * 1024
/** Whole files up to this size are parsed. */
const LONGEST_JSON = 400_000_000

interface Edges {
  readonly head: string
  readonly tail: string
}

async function edgesOf(path: string): Promise<Edges> {
  const { size } = await stat(path)
  const file = await open(path, 'r')
  try {
    const read = async (from: number) => {
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(Math.min(EDGE, size)),
        0,
        Math.min(EDGE, size),
        from,
      )
      return buffer.toString('latin1', 0, bytesRead)
    }
    const head = (await read(0)).replace(/^(?:\xef\xbb\xbf)?\s*/, '')
    return { head, tail: (await read(Math.max(0, size - EDGE))).trimEnd() }
  } finally {
    await file.close()
  }
}

/** A page for people in place of data: an error, a notice, a login. */
function asPage(head: string): string | null {
  const begin = head.slice(0, 500).toLowerCase()
  const isPage =
    begin.startsWith('<!doctype html') ||
    begin.startsWith('<html') ||
    (begin.startsWith('<?xml') && begin.includes('<html'))
  if (!isPage) return null
  const title = /<title>([^<]{1,200})/i.exec(head)?.[1]?.trim()
  return `is a web page${title ? ` ("${title}")` : ''}, not the file`
}

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isListOf = <T>(value: unknown, is: (item: unknown) => item is T): value is readonly T[] =>
  Array.isArray(value) && value.every(is)

/** JSON whose object has these members, in the form in which it will be read. */
export const isJson =
  (members: readonly string[], hasForm: (content: JsonObject) => boolean = () => true): ContentCheck =>
  async path => {
    const { head } = await edgesOf(path)
    if (head === '') return 'is empty'
    const page = asPage(head)
    if (page !== null) return page
    const { size } = await stat(path)
    if (size > LONGEST_JSON) return `has ${Math.round(size / 1e6)} MB, far more than expected`
    try {
      const content: unknown = JSON.parse(await readFile(path, 'utf8'))
      if (!isObject(content)) return 'is not an object'
      const lacking = members.find(member => content[member] === undefined)
      if (lacking !== undefined) return `has no member "${lacking}"`
      return hasForm(content) ? null : 'does not have the form in which it was published before'
    } catch {
      return 'is not whole JSON'
    }
  }

/** CSV whose first column is one of these; its last line has as many cells as its header. */
export const isCsv =
  (...firstColumns: readonly string[]): ContentCheck =>
  async path => {
    const { head, tail } = await edgesOf(path)
    if (head === '') return 'is empty'
    const page = asPage(head)
    if (page !== null) return page
    const first = head
      .slice(0, 1000)
      .split(/[,\r\n]/, 1)[0]!
      .replace(/^"|"$/g, '')
    if (!firstColumns.some(name => name.toLowerCase() === first.toLowerCase()))
      return `begins with "${first.slice(0, 40)}", not with ${firstColumns.join(' or ')}`
    const cells = (line: string) => line.split(',').length
    const header = head.split(/\r?\n/, 1)[0]!
    const last = tail.slice(tail.lastIndexOf('\n') + 1)
    // Quoted cells of records may hold commas; those of headers do not.
    return last.includes('"') || cells(last) >= cells(header) ? null : 'ends within a line'
  }

/** XML with this root element, begun and ended. */
export const isXml =
  (root: string): ContentCheck =>
  async path => {
    const { head, tail } = await edgesOf(path)
    if (head === '') return 'is empty'
    const page = asPage(head)
    if (page !== null) return page
    if (!head.includes(`<${root}`) && !head.includes(`:${root}`)) return `is not XML of ${root}`
    const end = tail.slice(tail.lastIndexOf('</') + 2)
    return end.endsWith('>') && end.slice(0, -1).trim().split(':').at(-1) === root ? null : 'is cut off'
  }

/** The full text of a filing as EDGAR keeps it. */
export const isSubmission: ContentCheck = async path => {
  const { head, tail } = await edgesOf(path)
  if (head === '') return 'is empty'
  const page = asPage(head)
  if (page !== null) return page
  if (!/^(?:<SEC-DOCUMENT>|<IMS-DOCUMENT>|-----BEGIN PRIVACY-ENHANCED MESSAGE-----)/.test(head))
    return 'is not the full text of a filing'
  return /(?:<\/(?:SEC|IMS)-DOCUMENT>|-----END PRIVACY-ENHANCED MESSAGE-----)$/.test(tail)
    ? null
    : 'is cut off'
}

const checkZip = async (path: string, member?: string): Promise<string | null> => {
  const { head } = await edgesOf(path)
  if (head === '') return 'is empty'
  const page = asPage(head)
  if (page !== null) return page
  if (!head.startsWith('PK')) return 'is not a zip archive'
  try {
    const archive = await openZip(path, path, () => join(path, 'never'))
    archive.close()
    if (archive.members.length === 0) return 'is an archive without members'
    const has = member === undefined || archive.members.some(name => name.split('/').at(-1) === member)
    return has ? null : `is an archive without ${member}`
  } catch (error) {
    if (error instanceof Refused) return error.message
    throw error
  }
}

/** A zip archive with a directory and members. */
export const isZip: ContentCheck = path => checkZip(path)

/** A zip archive with this member, in whatever folder. */
export const isZipWith =
  (member: string): ContentCheck =>
  path =>
    checkZip(path, member)
