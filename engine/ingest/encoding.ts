import { Buffer, isAscii, isUtf8 } from 'node:buffer'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { elementAt } from '../base/elements.ts'
import { western } from '../filing/characters.ts'
import type { Scratch } from './archive.ts'
import { Refused, type SourceFile } from './readers/reader.ts'

/** A file of text that is UTF-8 whatever it was, and how it was read; `encoding` is null where nothing was changed. */
export interface DecodedFile {
  readonly file: SourceFile
  readonly encoding: () => string | null
}

const UTF_16 = { le: 'utf-16le', be: 'utf-16be' } as const

function utf16Of([first, second, third, fourth]: Uint8Array): (typeof UTF_16)[keyof typeof UTF_16] | null {
  if (first === 0xfe && second === 0xff) return UTF_16.be
  // Two more zeros are UTF-32.
  return first === 0xff && second === 0xfe && !(third === 0 && fourth === 0) ? UTF_16.le : null
}

/** Whether text begins as a document that says its own encoding, or is none. */
const isOtherwiseEncoded = ({ head, headBytes }: SourceFile): boolean =>
  /^\uFEFF?\s*[<{[]/.test(head.slice(0, 1000)) ||
  head.startsWith('PAR1') ||
  headBytes.subarray(0, 4096).includes(0)

/**
 * A delimited file as UTF-8. Spreadsheets also write UTF-16, with a byte order mark, and Windows-1252. What is not valid
 * UTF-8 is read as Windows-1252 only if each of its further bytes makes sense as such: a letter in a word, or a sign
 * beside one. All else is refused, because a name in the wrong letters cannot be told from a right one later.
 */
export function decodedFile(file: SourceFile, scratch: Scratch): DecodedFile {
  const utf16 = utf16Of(file.headBytes)
  if (utf16) {
    const decoder = () => new Utf16(utf16, file.name)
    const head = new TextDecoder(utf16).decode(file.headBytes.subarray(0, file.headBytes.length & ~1))
    return { file: through(file, decoder, head, scratch), encoding: () => 'UTF-16' }
  }
  if (isOtherwiseEncoded(file)) return { file, encoding: () => null }
  let isWestern = false
  const onWestern = () => {
    isWestern = true
  }
  const decoder = () => new Utf8OrWestern(onWestern)
  const head = isUtf8(withoutCutTail(file.headBytes)) ? file.head : western(file.headBytes)
  const decoded = through(file, decoder, head, scratch)
  const path = async () => {
    const plain = await file.path()
    if (await isUtf8File(file)) return plain
    // DuckDB rejects the rows that are not UTF-8, and takes the others.
    return decoded.path().catch(error => {
      if (!(error instanceof Refused)) throw error
      return plain
    })
  }
  return { file: { ...decoded, path }, encoding: () => (isWestern ? 'Windows-1252' : null) }
}

/** A file whose content a new decoder reads each time. */
function through(file: SourceFile, decoder: () => Decoder, head: string, scratch: Scratch): SourceFile {
  const open = () => decodedStream(file, decoder())
  const bytes = async () => {
    const each = decoder()
    return Buffer.concat([each.write(await file.bytes()), each.end()])
  }
  let path: Promise<string> | undefined
  const spilled = async () => {
    const target = scratch()
    await pipeline(await open(), createWriteStream(target))
    return target
  }
  const { beside } = file
  return {
    ...file,
    head,
    open,
    bytes,
    text: async () => (await bytes()).toString('utf8'),
    path: () => {
      path ??= spilled()
      return path
    },
    ...(beside && { beside: async (name: string) => decodedFile(await beside(name), scratch).file }),
  }
}

interface Decoder {
  write(chunk: Buffer): Uint8Array
  end(): Uint8Array
}

async function decodedStream(file: SourceFile, decoder: Decoder): Promise<Readable> {
  const source = await file.open()
  async function* parts(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      const part = decoder.write(chunk as Buffer)
      if (part.length > 0) yield part
    }
    const rest = decoder.end()
    if (rest.length > 0) yield rest
  }
  return Readable.from(parts(), { objectMode: false })
}

async function isUtf8File(file: SourceFile): Promise<boolean> {
  let rest: Uint8Array = Buffer.alloc(0)
  for await (const chunk of await file.open()) {
    const bytes = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer])
    const whole = withoutCutTail(bytes)
    if (!isUtf8(whole)) return false
    rest = bytes.subarray(whole.length)
  }
  return rest.length === 0
}

/** Bytes without the beginning of a character at their end, which the next bytes continue. */
function withoutCutTail(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = elementAt(bytes, bytes.length - back)
    if (byte < 0x80) return bytes
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}

class Utf16 implements Decoder {
  private readonly decoder: InstanceType<typeof TextDecoder>
  private readonly source: string

  constructor(encoding: string, source: string) {
    this.decoder = new TextDecoder(encoding, { fatal: true })
    this.source = source
  }

  write(chunk: Buffer): Uint8Array {
    return this.decoded(() => this.decoder.decode(chunk, { stream: true }))
  }

  end(): Uint8Array {
    return this.decoded(() => this.decoder.decode())
  }

  private decoded(decode: () => string): Uint8Array {
    try {
      return Buffer.from(decode())
    } catch {
      throw new Refused(
        `${this.source} is cut off, or is not UTF-16 text as its first bytes say: save it as UTF-8`,
      )
    }
  }
}

/** Passes UTF-8 on, and turns Windows-1252 into it; fails on what is neither for certain. */
class Utf8OrWestern implements Decoder {
  private readonly onWestern: () => void
  private readonly words = new WesternWords()
  private state: 'ascii' | 'utf8' | 'western' = 'ascii'
  private rest: Uint8Array = Buffer.alloc(0)
  /** Line of the next byte. */
  private line = 1

  constructor(onWestern: () => void) {
    this.onWestern = onWestern
  }

  write(chunk: Buffer): Uint8Array {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk])
    this.rest = Buffer.alloc(0)
    if (isAscii(bytes)) return this.same(bytes)
    const whole = this.state === 'western' ? bytes : withoutCutTail(bytes)
    const isStillUtf8 = this.state !== 'western' && isUtf8(whole)
    // A byte of Windows-1252 is judged by its neighbours: the last one waits for the next.
    return this.decode(bytes, isStillUtf8 ? whole.length : bytes.length - 1)
  }

  end(): Uint8Array {
    const bytes = Buffer.from(this.rest)
    this.rest = Buffer.alloc(0)
    const decoded = bytes.length > 0 ? this.decode(bytes, bytes.length) : bytes
    if (this.state === 'western' && !this.words.areClear) throw this.unclear(bytes, 0)
    return decoded
  }

  private decode(bytes: Buffer, length: number): Uint8Array {
    const now = bytes.subarray(0, length)
    this.rest = bytes.subarray(length)
    if (this.state !== 'western' && isUtf8(now)) {
      if (!isAscii(now)) this.state = 'utf8'
      return this.same(now)
    }
    const wrong = this.state === 'utf8' ? firstNotUtf8(now) : this.words.add(bytes, length)
    if (wrong >= 0) throw this.unclear(now, wrong)
    if (this.state !== 'western') this.onWestern()
    this.state = 'western'
    this.line += linesIn(now, now.length)
    return Buffer.from(western(now))
  }

  private same(bytes: Buffer): Buffer {
    this.words.pass(bytes)
    this.line += linesIn(bytes, bytes.length)
    return bytes
  }

  private unclear(bytes: Buffer, at: number): Refused {
    const around = bytes
      .subarray(Math.max(0, at - 12), at + 12)
      .toString('latin1')
      .split(/[\r\n]/)
    const shown = around.find(part => /[\x80-\xff]/.test(part))?.replace(/[\x80-\xff]/g, '\uFFFD')
    return new Refused(
      `line ${this.line + linesIn(bytes, at)} is neither UTF-8 nor clearly Windows-1252${shown ? ` (${JSON.stringify(shown)})` : ''}: save the file as UTF-8, in Excel as "CSV UTF-8"`,
    )
  }
}

/** Line ends before a place. */
function linesIn(bytes: Buffer, before: number): number {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0 && at < before; at = bytes.indexOf(10, at + 1)) count++
  return count
}

/** The place of the first byte that is not UTF-8. */
function firstNotUtf8(bytes: Uint8Array): number {
  let at = 0
  for (let step = 1 << 16; step >= 1; step >>= 1)
    while (at + step <= bytes.length && isUtf8(withoutCutTail(bytes.subarray(0, at + step)))) at += step
  return Math.min(at, bytes.length - 1)
}

/** Letters of French, German, Italian, Spanish, Portuguese, Dutch and the Nordic languages, by their bytes. */
const LETTERS = new Set([
  ...Array.from({ length: 0x40 }, (_, i) => 0xc0 + i).filter(
    // × ÷, and letters that other code pages have much more often in their place: Ð Ý Þ ð ý þ ÿ.
    byte => ![0xd7, 0xf7, 0xd0, 0xdd, 0xde, 0xf0, 0xfd, 0xfe, 0xff].includes(byte),
  ),
  // Œ œ
  0x8c,
  0x9c,
])

/** Signs that stand beside words: € „ … ‘ ’ “ ” • – — ™, a blank, ¡ ¢ £ ¥ § © ª « ® ° ± ² ³ ´ µ · º » ¼ ½ ¾ ¿. */
const SIGNS = new Set([
  0x80, 0x84, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0xa0, 0xa1, 0xa2, 0xa3, 0xa5, 0xa7, 0xa9,
  0xaa, 0xab, 0xae, 0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0xb5, 0xb7, 0xba, 0xbb, 0xbc, 0xbd, 0xbe, 0xbf,
])
const APOSTROPHE = 0x92
const BLANK = 0xa0

const isAsciiLetter = (byte: number) => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)
const isLetter = (byte: number) => isAsciiLetter(byte) || LETTERS.has(byte)
const isSmall = (byte: number) => (byte >= 0x61 && byte <= 0x7a) || byte >= 0xdf || byte === 0x9c

/** Whether bytes above ASCII make sense in Windows-1252, across chunks of text. */
class WesternWords {
  private before = 0x20
  private beforeThat = 0x20
  /** A letter in a word was seen: signs alone are too little to go by. */
  areClear = false

  /** The place of the first byte that makes no sense, -1 if all do. The byte after `length` is looked at, not judged. */
  add(bytes: Uint8Array, length: number): number {
    for (let i = 0; i < length; i++) {
      const byte = elementAt(bytes, i)
      if (byte >= 0x80 && !this.fits(byte, bytes[i + 1] ?? 0x20)) return i
      this.beforeThat = this.before
      this.before = byte
    }
    return -1
  }

  /** The last bytes of text that need not be judged. */
  pass(bytes: Uint8Array): void {
    this.beforeThat = bytes[bytes.length - 2] ?? this.before
    this.before = bytes[bytes.length - 1] ?? this.before
  }

  private fits(byte: number, next: number): boolean {
    const { before, beforeThat } = this
    if (LETTERS.has(byte)) {
      // Three such letters in a row are Greek, Cyrillic or of Asia.
      if (LETTERS.has(before) && LETTERS.has(beforeThat)) return false
      // A character of UTF-8: the file has both.
      if (next === 0x80 || (byte >= 0xc2 && byte <= 0xdf && next > 0x80 && next < 0xc0)) return false
      // In a word of small letters a capital is another code page's small letter.
      if (!isSmall(byte) && isLetter(before) && (isSmall(before) || isSmall(next))) return false
      if (isAsciiLetter(before) || isAsciiLetter(next)) this.areClear = true
      return true
    }
    if (!SIGNS.has(byte)) return false
    if (byte === APOSTROPHE || byte === BLANK) return true
    return !(isLetter(before) && isLetter(next))
  }
}
