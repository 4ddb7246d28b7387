import type { IncomingMessage } from 'node:http'
import { QueryError } from '../engine/errors.ts'
import type { Input } from '../engine/params.ts'

/** How deeply a body may nest. */
const DEEPEST = 32

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

async function readBytes(request: IncomingMessage, most: number): Promise<Buffer> {
  const tooLarge = () =>
    new QueryError('PAYLOAD_TOO_LARGE', `the body is larger than ${most} bytes: send less at a time`, {
      max_bytes: most,
    })
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge()
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    size += (part as Buffer).length
    if (size > most) throw tooLarge()
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts)
}

const invalidJson = (reason: string) =>
  new QueryError('INVALID_JSON', `the body is not a JSON object: ${reason}`)

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads strictly: UTF-8, one object, no member twice, no nesting without end. */
export function parseObject(bytes: Uint8Array): Input {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw invalidJson('it is not UTF-8')
  }
  checkMembers(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalidJson((error as SyntaxError).message.slice(0, 200).replaceAll(/\s+/g, ' '))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidJson('it must begin with { and end with }')
  return value as Input
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\]:]/gs

/** Refuses depth and repeated members; whether the rest is JSON is left to the parser. */
function checkMembers(text: string): void {
  const open: (Set<string> | null)[] = []
  let last = ''
  for (const [part] of text.matchAll(token)) {
    if (part === '{' || part === '[') {
      if (open.push(part === '{' ? new Set() : null) > DEEPEST)
        throw invalidJson(`it nests deeper than ${DEEPEST} levels`)
    } else if (part === '}' || part === ']') open.pop()
    else if (part === ':') {
      const members = open[open.length - 1]
      const name = nameOf(last)
      if (members?.has(name)) throw invalidJson(`it names ${name.slice(0, 80)} twice`)
      members?.add(name)
    }
    last = part
  }
}

function nameOf(quoted: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted
  }
}
