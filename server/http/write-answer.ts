import type { OutgoingHttpHeader, ServerResponse } from 'node:http'
import { memberOf } from '../../engine/base/elements.ts'
import { memoize } from '../../engine/base/memoize.ts'
import { isPooled, releasePooled } from './buffers.ts'

/** A connection whose reader takes nothing for this long is closed. */
const STALLED_MS = 60_000

export type Headers = Readonly<Record<string, string>>

/** Headers of every answer of an application. */
export interface CommonHeaders {
  /** Overridden by those of the exchange and the answer. */
  readonly defaults: readonly Headers[]
  /** Override all others. */
  readonly fixed: Headers
}

/** What is needed to write an answer. */
export interface Responding {
  readonly response: ServerResponse
  readonly common: CommonHeaders
  /** Headers of this exchange, whichever handler answers: its id, and the rate limit of its key. */
  readonly headers: Record<string, string>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body?: Uint8Array
}

/** Writes an answer in one piece. A HEAD request gets everything but the body. */
export function writeAnswer(exchange: Responding, { status, headers, body }: Answer): void {
  const length = status === 204 || status === 304 ? null : (body?.byteLength ?? 0)
  const { response } = exchange
  response.writeHead(status, headersOf(exchange, headers, length))
  if (body && isPooled(body)) response.end(body, () => releasePooled(body))
  else response.end(body)
}

/** Writes the status and all headers; the body follows. */
export function writeHeaders(exchange: Responding, status: number, own: Headers): void {
  exchange.response.writeHead(status, headersOf(exchange, own, null))
}

/**
 * Writes an answer in pieces, as fast as the reader takes them. Resolves when all are written, or the reader has
 * left.
 */
export async function streamAnswer(
  exchange: Responding,
  headers: Headers,
  pieces: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const { response } = exchange
  const drained = whenDrained(response, signal)
  for await (const piece of pieces) {
    if (signal.aborted) return
    if (!response.headersSent) writeHeaders(exchange, 200, headers)
    if (!response.write(piece)) await drained()
  }
  // No rows as NDJSON are no pieces.
  if (!signal.aborted && !response.headersSent) writeHeaders(exchange, 200, headers)
}

/**
 * Headers as alternating names and values: Node writes these ten times as fast as an object merged with headers set
 * before. If several layers have a name, the last one wins.
 */
function headersOf(
  { common, headers }: Responding,
  own: Headers,
  length: number | null,
): OutgoingHttpHeader[] {
  const { before, after } = flatOf(common)
  const { fixed } = common
  const all: OutgoingHttpHeader[] = []
  for (const [name, value] of before) if (!(name in headers) && !(name in own)) all.push(name, value)
  for (const name in headers) if (!(name in own) && !(name in fixed)) all.push(name, memberOf(headers, name))
  for (const name in own) if (!(name in fixed)) all.push(name, memberOf(own, name))
  if (length !== null) all.push('Content-Length', String(length))
  for (const [name, value] of after) all.push(name, value)
  return all
}

type Named = readonly (readonly [name: string, value: string])[]

/** What of the headers of every answer comes before its own, and after. */
const flatOf = memoize(({ defaults, fixed }: CommonHeaders): { before: Named; after: Named } => {
  const merged = Object.entries(Object.assign({}, ...defaults) as Headers)
  return { before: merged.filter(([name]) => !(name in fixed)), after: Object.entries(fixed) }
})

/** Waits until the reader has taken what was written, or has left; closes the connection of one that stalls. */
function whenDrained(response: ServerResponse, signal: AbortSignal): () => Promise<void> {
  let goOn = () => {}
  // One listener for all waits: compression forwards `on` to its own stream, but not `off`.
  response.on('drain', () => goOn())
  signal.addEventListener('abort', () => goOn(), { once: true })
  return async () => {
    const stalled = setTimeout(() => response.destroy(), STALLED_MS)
    await new Promise<void>(resolve => {
      goOn = resolve
      if (signal.aborted) resolve()
    })
    clearTimeout(stalled)
  }
}
