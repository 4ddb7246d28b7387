import type { Response } from 'express'
import { exactJson } from '../../engine/base/exact-number.ts'
import type { StoredResponse } from '../state/state.ts'
import { joinPooled, releasePooled } from './buffers.ts'

/** How long a reader may take nothing before it is let go. */
const STALLED_MS = 60_000

const JSON_TYPE = 'application/json; charset=utf-8'

/** JSON, whole numbers beyond 2^53 and long decimals with all their digits. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return exactJson(value)
  }
}

/** An answer whose bytes are made once: they are sent, and kept where the caller may repeat the request. */
export function jsonResponse(
  status: number,
  body: Readonly<Record<string, unknown>>,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): StoredResponse {
  const meta = { ...(body['meta'] as object | undefined), request_id: requestId }
  return {
    status,
    headers: { 'Content-Type': JSON_TYPE, ...headers },
    body: Buffer.from(jsonText({ ...body, meta })),
  }
}

/** Pieces of JSON that was left open in its `meta`, with the id of the request as its last word. */
export const completeJson = (
  open: readonly Buffer[],
  requestId: string,
  headers: Readonly<Record<string, string>>,
): StoredResponse => ({
  status: 200,
  headers: { 'Content-Type': JSON_TYPE, ...headers },
  body: joinPooled([...open, Buffer.from(`,"request_id":${JSON.stringify(requestId)}}}`)]),
})

/** Sends bytes in one piece. A HEAD request gets everything but them. */
export function send(
  response: Response,
  { status, headers, body }: { status: number; headers: Readonly<Record<string, string>>; body?: Uint8Array },
): void {
  const length = status === 204 || status === 304 ? null : { 'Content-Length': String(body?.byteLength ?? 0) }
  response.writeHead(status, Object.assign({}, headers, length))
  if (body) response.end(body, () => releasePooled(body))
  else response.end()
}

/** Writes pieces as fast as the reader takes them. Returns when they are written, or when the reader has left. */
export async function streamBody(
  response: Response,
  headers: Readonly<Record<string, string>>,
  pieces: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const taken = takenFrom(response, signal)
  for await (const piece of pieces) {
    if (signal.aborted) return
    if (!response.headersSent) response.writeHead(200, headers)
    if (!response.write(piece)) await taken()
  }
}

/** Waits until the reader has taken what was written, or has left; of one that does neither it lets go. */
function takenFrom(response: Response, signal: AbortSignal): () => Promise<void> {
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
