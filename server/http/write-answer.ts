import type { OutgoingHttpHeader, ServerResponse } from 'node:http'
import { releasePooled } from './buffers.ts'

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
  const length = status === 204 || status === 304 ? null : { 'Content-Length': String(body?.byteLength ?? 0) }
  writeHeaders(exchange, status, Object.assign({}, headers, length))
  const { response } = exchange
  if (body) response.end(body, () => releasePooled(body))
  else response.end()
}

/** Writes the status and all headers; the body follows. */
export function writeHeaders({ response, common, headers }: Responding, status: number, own: Headers): void {
  response.writeHead(status, composed([...common.defaults, headers, own, common.fixed]))
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
function composed(layers: readonly Headers[]): OutgoingHttpHeader[] {
  const all: OutgoingHttpHeader[] = []
  for (const [i, layer] of layers.entries())
    for (const name in layer)
      if (!layers.some((later, j) => j > i && name in later)) all.push(name, layer[name]!)
  return all
}

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
