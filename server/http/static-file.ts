import { etagOf, matches } from './etag.ts'
import type { Exchange } from './exchange.ts'
import { writeAnswer } from './write-answer.ts'

/** A file served unchanged. */
export interface File {
  readonly type: string
  readonly body: Buffer
}

/** A file that contains the address of its application; cached for the prefix last requested. */
export function prefixedFile(make: (prefix: string) => File): (prefix: string) => File {
  let last: { readonly prefix: string; readonly file: File } | null = null
  return prefix => {
    if (last?.prefix !== prefix) last = { prefix, file: make(prefix) }
    return last.file
  }
}

const headers = ({ type }: File, policy: string, cache: string): Record<string, string> => ({
  'Content-Type': type,
  'Cache-Control': cache,
  'Content-Security-Policy': policy,
})

/** Sends a file under a lasting name, or 304 if the client has it. */
export function sendTagged(exchange: Exchange, file: File, policy: string): void {
  const tag = etagOf(file.body.toString())
  const all = { ...headers(file, policy, 'public, max-age=0, must-revalidate'), ETag: tag }
  const known = exchange.request.headers['if-none-match']
  if (known !== undefined && matches(known, tag)) writeAnswer(exchange, { status: 304, headers: all })
  else writeAnswer(exchange, { status: 200, headers: all, body: file.body })
}

/** Sends a file whose name changes with its content. */
export const sendImmutable = (exchange: Exchange, file: File, policy: string): void =>
  writeAnswer(exchange, {
    status: 200,
    headers: headers(file, policy, 'public, max-age=31536000, immutable'),
    body: file.body,
  })
