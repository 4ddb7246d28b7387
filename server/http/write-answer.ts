import type { OutgoingHttpHeader, ServerResponse } from 'node:http'
import { releasePooled } from './buffers.ts'

/** How long a reader may take nothing before its connection is closed. */
const STALLED_MS = 60_000

export type Headers = Readonly<Record<string, string>>

/** Headers that every answer of an application has. */
export interface CommonHeaders {
  /** Overridden by what an exchange or an answer says. */
  readonly defaults: readonly Headers[]
  /** Said last, in every answer. */
  readonly fixed: Headers
}

/** What writing an answer needs of its exchange. */
export interface Responding {
  readonly response: ServerResponse
  readonly common: CommonHeaders
  /** Headers of this exchange, whoever answers it: its id, and the rate limit of its key. */
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
 * Writes an answer in pieces, as fast as the reader takes them. Returns when they are written, or when the reader has
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
}

/**
 * Headers as names and values in turn, which Node writes ten times as fast as an object beside headers that were set
 * before. Of a name that several layers have the last stands.
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
  // One listener for all waits: compression hands listeners over to its own stream, and takes none of them back.
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
