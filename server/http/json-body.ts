import type { IncomingMessage } from 'node:http'
import { elementAt } from '../../engine/base/elements.ts'
import { QueryError } from '../../engine/base/errors.ts'
import { parseExactJson } from '../../engine/base/exact-number.ts'
import type { Input } from '../../engine/schema/params.ts'

/** Maximum nesting of a body, and members of all its objects together. */
const DEEPEST = 32
const MOST_MEMBERS = 2000

/** The JSON object of a request's body, of at most `most` bytes. */
export async function readJsonBody(request: IncomingMessage, most: number): Promise<Input> {
  checkType(request)
  return parseObject(await readBytes(request, most))
}

function checkType({ headers }: IncomingMessage): void {
  const [type, ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.map(p => p.trim()).find(p => p.startsWith('charset='))
  const plain = !charset || /^charset="?utf-8"?$/.test(charset)
  const encoding = headers['content-encoding'] ?? 'identity'
  if (type!.trim() !== 'application/json' || !plain || encoding.toLowerCase() !== 'identity')
    throw new QueryError(
      'UNSUPPORTED_MEDIA_TYPE',
      'send the body as plain JSON: Content-Type: application/json, in UTF-8, without Content-Encoding',
      { allowed: ['application/json'] },
    )
}

/** By listeners: an iterator over the request takes several times as long. */
function readBytes(request: IncomingMessage, most: number): Promise<Buffer> {
  const tooLarge = () =>
    new QueryError('PAYLOAD_TOO_LARGE', `the body is larger than ${most} bytes: split the request`, {
      max_bytes: most,
    })
  if (Number(request.headers['content-length'] ?? 0) > most) return Promise.reject(tooLarge())
  // A parser before us has read it.
  if (request.readableEnded) return Promise.resolve(Buffer.alloc(0))
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    const end = () => {
      request.off('data', take).off('end', done).off('error', fail).off('close', cut)
    }
    const fail = (error: unknown) => {
      end()
      reject(error)
    }
    const cut = () => fail(new Error('the connection was closed before the end of the body'))
    const done = () => {
      end()
      resolve(parts.length === 1 ? elementAt(parts, 0) : Buffer.concat(parts))
    }
    const take = (part: Buffer) => {
      size += part.length
      parts.push(part)
      if (size <= most) return
      request.pause()
      fail(tooLarge())
    }
    request.on('data', take).on('end', done).on('error', fail).on('close', cut)
  })
}

const invalidJson = (reason: string) =>
  new QueryError('INVALID_JSON', `the body is not a JSON object: ${reason}`)

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses strictly: UTF-8, one object, no duplicate members, bounded nesting, no rounded numbers (see
 * `parseExactJson`).
 */
export function parseObject(bytes: Uint8Array): Input {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw invalidJson('it is not UTF-8')
  }
  checkSize(text)
  let value: unknown
  try {
    value = parseExactJson(text)
  } catch (error) {
    throw invalidJson((error as SyntaxError).message.slice(0, 200).replaceAll(/\s+/g, ' '))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidJson('it must begin with { and end with }')
  checkMembers(text)
  return value as Input
}

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** The index after the closing quote of the string that begins at `open`; null if it is not closed. */
function stringEnd(text: string, open: number): number | null {
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) at++
  }
  return null
}

/**
 * Refuses what would exhaust or stall the parser: too deep, too many members. The text may be anything; an unclosed
 * string ends the scan.
 */
function checkSize(text: string): void {
  let depth = 0
  let members = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = stringEnd(text, at)
      if (end === null) return
      at = end - 1
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > DEEPEST) throw invalidJson(`it nests deeper than ${DEEPEST} levels`)
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
    else if (code === COLON && ++members > MOST_MEMBERS)
      throw invalidJson(`it has more than ${MOST_MEMBERS} members`)
  }
}

/** The text of a string of JSON, in which little is escaped. */
const nameIn = (quoted: string): string =>
  quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)

/** Refuses an object with a duplicate member. The text is valid JSON, so only member names precede a colon. */
function checkMembers(text: string): void {
  const open: (Set<string> | null)[] = []
  let [nameFrom, nameTo] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      nameFrom = at
      nameTo = stringEnd(text, at)!
      at = nameTo - 1
    } else if (code === OPEN_BRACE) open.push(new Set())
    else if (code === OPEN_BRACKET) open.push(null)
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) open.pop()
    else if (code === COLON) {
      const members = open.at(-1)!
      const name = nameIn(text.slice(nameFrom, nameTo))
      if (members.has(name)) throw invalidJson(`it names ${name.slice(0, 80)} twice`)
      members.add(name)
    }
  }
}
