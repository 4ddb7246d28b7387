import { createReadStream, createWriteStream } from 'node:fs'
import { open as openFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createGunzip } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { Refused, type SourceFile } from './readers/reader.ts'

const HEAD = 64 * 1024

/** Maximum expansion of compressed data: text expands 5 to 50 times, a bomb a thousand and more. */
export interface Limits {
  /** Maximum bytes of one file or member. */
  readonly bytes: number
  /** Times its compressed size, above 64 MB. */
  readonly ratio: number
  /** Maximum bytes of all members of an archive together. */
  readonly total: number
  readonly members: number
}

export const limits: Limits = { bytes: 256e9, ratio: 400, total: 1e12, members: 200_000 }

/** Node's maximum string length. */
const LONGEST_TEXT = 500_000_000
const LONGEST_BYTES = 2_000_000_000

/** Generates file names in a run's scratch folder. */
export type Scratch = () => string

export const scratchIn = (folder: string): Scratch => {
  let n = 0
  return () => join(folder, `part-${++n}`)
}

interface Content {
  readonly name: string
  open(): Promise<Readable>
  /** Its path, if it is a plain file on disk. */
  readonly plain?: string
}

/** A source file whose content can be opened repeatedly. */
async function sourceOf(content: Content, scratch: Scratch): Promise<SourceFile> {
  const headBytes = await firstBytes(content)
  let path: Promise<string> | undefined
  const spilled = async () => {
    const target = scratch()
    await pipeline(await content.open(), createWriteStream(target))
    return target
  }
  const bytes = async (most = LONGEST_BYTES) => {
    const parts: Buffer[] = []
    let length = 0
    for await (const part of await content.open()) {
      parts.push(part as Buffer)
      length += (part as Buffer).length
      if (length > most)
        throw new Refused(`is larger than ${most / 1e6} MB, the limit for this kind: split the file`)
    }
    return Buffer.concat(parts)
  }
  return {
    name: content.name,
    head: headBytes.toString('utf8'),
    headBytes,
    open: content.open,
    bytes: () => bytes(),
    text: async () => (await bytes(LONGEST_TEXT)).toString('utf8'),
    path: () => {
      path ??= content.plain ? Promise.resolve(content.plain) : spilled()
      return path
    },
  }
}

async function firstBytes(content: Content): Promise<Buffer> {
  const stream = await content.open()
  const parts: Buffer[] = []
  let length = 0
  for await (const part of stream) {
    parts.push(part as Buffer)
    length += (part as Buffer).length
    if (length >= HEAD) break
  }
  stream.destroy()
  return Buffer.concat(parts).subarray(0, HEAD)
}

const startsWith = (bytes: Uint8Array, ...magic: number[]) => magic.every((byte, i) => bytes[i] === byte)
const isGzip = (bytes: Uint8Array) => startsWith(bytes, 0x1f, 0x8b)
export const isZip = (bytes: Uint8Array): boolean =>
  startsWith(bytes, 0x50, 0x4b, 3, 4) || startsWith(bytes, 0x50, 0x4b, 5, 6)

/** Gunzips while reading, within the limits. */
function gunzipped(content: Content, compressed: number, within: Limits): Content {
  return {
    name: content.name,
    open: async () => {
      const source = await content.open()
      const bounded = bound(content.name, compressed, within)
      pipeline(source, createGunzip(), bounded).catch(() => {})
      return bounded
    },
  }
}

/** Passes bytes on up to the limit; a checksum, if there is one, must match at the end. */
function bound(name: string, compressed: number, within: Limits, checksum?: number): Transform {
  let length = 0
  let sum = 0
  const most = Math.min(within.bytes, Math.max(64e6, compressed * within.ratio))
  return new Transform({
    transform(chunk: Buffer, _, done) {
      length += chunk.length
      if (checksum !== undefined) sum = crc32(chunk, sum)
      if (length > most)
        done(
          new Refused(
            `${name} expands to more than ${Math.round(most / 1e6)} MB from ${compressed} bytes: unpack it yourself if you trust it`,
          ),
        )
      else done(null, chunk)
    },
    flush(done) {
      done(
        checksum === undefined || checksum === sum
          ? null
          : new Refused(`${name} is damaged: its CRC does not match`),
      )
    },
    destroy(error, done) {
      done(error && sourceFailure(error))
    },
  })
}

/** The bytes of a file on disk. Read errors are refusals of that file. */
export function sourceStream(path: string): Readable {
  const stream = createReadStream(path)
  const close = stream._destroy.bind(stream)
  stream._destroy = (error, done) => close(error && sourceFailure(error), done)
  return stream
}

/** A file on disk, gunzipped where it is gzip. */
export async function fileSource(
  name: string,
  path: string,
  scratch: Scratch,
  within = limits,
): Promise<SourceFile> {
  const plain: Content = { name, plain: path, open: async () => sourceStream(path) }
  const [head, { size }] = await Promise.all([headOf(path), stat(path)]).catch(error => {
    throw sourceFailure(error)
  })
  const content = isGzip(head) ? gunzipped(plain, size, within) : plain
  const source = await sourceOf(content, scratch)
  // What was given under another name was a stream, and is in a folder of ours.
  if (name !== path) return source
  const beside = (other: string) => {
    const place = join(dirname(path), other)
    return fileSource(place, place, scratch, within)
  }
  return { ...source, beside }
}

async function headOf(path: string): Promise<Buffer> {
  const handle = await openFile(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

export interface Archive {
  /** Names of its members, in archive order. */
  readonly members: readonly string[]
  open(member: string): Promise<SourceFile>
  /** `archive.zip!member`. */
  nameOf(member: string): string
  close(): void
}

/** A zip; member names are labels and never become paths. Throws `Refused` for a damaged archive. */
export async function openZip(
  name: string,
  path: string,
  scratch: Scratch,
  within = limits,
): Promise<Archive> {
  const nameOf = (member: string) => `${name}!${member}`
  const zip = await openPromise(path, {
    lazyEntries: true,
    autoClose: false,
    validateEntrySizes: true,
  }).catch(refuseZip)
  try {
    const entries = await entriesOf(zip, within)
    return {
      members: [...entries.keys()],
      nameOf,
      open: member => memberSource(zip, entries.get(member)!, nameOf(member), scratch, within),
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function entriesOf(zip: ZipFile, within: Limits): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  let total = 0
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.on('entry', (entry: Entry) => {
      const { fileName } = entry
      if (!fileName.endsWith('/') && !isHidden(fileName)) {
        if (entries.has(fileName)) reject(new Refused(`the archive has two members ${fileName}`))
        entries.set(fileName, entry)
        total += entry.uncompressedSize
      }
      if (entries.size > within.members)
        reject(new Refused(`the archive has more than ${within.members} members`))
      else if (total > within.total)
        reject(new Refused(`the archive expands to more than ${Math.round(within.total / 1e9)} GB`))
      else zip.readEntry()
    })
    zip.readEntry()
  }).catch(refuseZip)
  return entries
}

/** Files that systems add to archives: `__MACOSX/`, `.DS_Store`. */
const isHidden = (name: string) => /(^|\/)(\.|__MACOSX\/)/.test(name)

async function memberSource(
  zip: ZipFile,
  entry: Entry,
  name: string,
  scratch: Scratch,
  within: Limits,
): Promise<SourceFile> {
  if (entry.generalPurposeBitFlag & 1) throw new Refused(`${name} is encrypted: unpack it first`)
  await checkLocalHeader(zip, entry, name)
  const content: Content = {
    name,
    open: async () => {
      const bounded = bound(name, entry.compressedSize, within, entry.crc32)
      const source = await zip.openReadStreamPromise(entry).catch(refuseZip)
      pipeline(source, bounded).catch(() => {})
      return bounded
    },
  }
  if (!isGzip(await firstBytes(content))) return sourceOf(content, scratch)
  return sourceOf(gunzipped(content, entry.uncompressedSize, within), scratch)
}

/** A zip describes each member twice, before its data and in the directory at the end: both must agree. */
async function checkLocalHeader(zip: ZipFile, entry: Entry, name: string): Promise<void> {
  const local = await zip.readLocalFileHeaderPromise(entry, { minimal: false }).catch(refuseZip)
  // With this flag sizes and checksum follow the data, and the header has zeros.
  const follows = (local.generalPurposeBitFlag & 8) !== 0
  const stated = [local.crc32, local.compressedSize, local.uncompressedSize]
  const listed = [entry.crc32, entry.compressedSize, entry.uncompressedSize]
  const isZip64 = stated.includes(0xffffffff)
  if (
    Buffer.compare(local.fileName, entry.fileNameRaw) !== 0 ||
    local.compressionMethod !== entry.compressionMethod ||
    (!follows && !isZip64 && stated.some((value, i) => value !== listed[i]))
  )
    throw new Refused(`${name} is damaged: its header and the directory of the archive differ`)
}

function refuseZip(error: unknown): never {
  if (error instanceof Error && !('code' in error) && !(error instanceof Refused))
    throw new Refused(`is not a valid zip archive: ${error.message}`)
  throw error instanceof Error ? sourceFailure(error) : error
}

/** Failures of this process, not of the file that it reads. */
const ofProcess = ['EMFILE', 'ENFILE', 'ENOMEM', 'ABORT_ERR']

const causes: Readonly<Record<string, string>> = {
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  EIO: 'the disk failed to read it',
  EISDIR: 'is a folder',
  ENOENT: 'no longer exists, or its name is not UTF-8',
  ENXIO: 'is a socket or a device without a reader',
}

/** An error on the way from a file to its reader, as that file's refusal. */
export function sourceFailure(error: Error): Error {
  const { code = '' } = error as NodeJS.ErrnoException
  if (ofProcess.includes(code)) return error
  return (
    asRefusal(error) ??
    new Refused(code in causes ? `cannot be read: ${causes[code]}` : `is damaged: ${error.message}`)
  )
}

/** Known errors of damaged content as a refusal; undefined for any other error. */
export function asRefusal(error: unknown): Refused | undefined {
  if (error instanceof Refused) return error
  if (!(error instanceof Error)) return undefined
  const { code = '' } = error as NodeJS.ErrnoException
  if (code.startsWith('Z_'))
    return new Refused(`the compressed data is damaged or truncated: ${error.message}`)
  if (code.startsWith('CSV_')) return new Refused(`is not well-formed CSV: ${error.message}`)
  // DuckDB's reader of lines, on line ends of two kinds or delimiters within a line.
  if (/CSV Parser state machine reached an invalid state/.test(error.message))
    return new Refused('is damaged: its lines cannot be told apart')
  if (error instanceof SyntaxError) return new Refused(`is not well-formed: ${error.message}`)
  return undefined
}
