import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { invalid, QueryError } from '../../engine/base/errors.ts'
import type { State, StoredResponse } from '../state/state.ts'

/** How long a repeated request waits for the first one to end. */
const PATIENCE_MS = 30_000

/** The Idempotency-Key of a request: null if it has none. */
export function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header
  throw invalid(
    'Idempotency-Key',
    String(header).slice(0, 120),
    'Idempotency-Key must be 1 to 255 visible ASCII characters',
  )
}

export const fingerprint = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex')

/** Runs a request once per idempotency key: a repeat gets the stored answer; a failed one may be retried. */
export async function runIdempotent(
  state: State,
  request: { readonly keyId: string; readonly key: string; readonly fingerprint: string },
  clock: () => number,
  run: () => Promise<StoredResponse>,
): Promise<{ readonly answer: StoredResponse; readonly replayed: boolean }> {
  const { keyId, key } = request
  const started = performance.now()
  for (let pause = 10; ; pause = Math.min(200, pause * 2)) {
    const claim = await state.claim(keyId, key, request.fingerprint, clock())
    if (claim.kind === 'kept') return { answer: claim.answer, replayed: true }
    if (claim.kind === 'other')
      throw invalid(
        'Idempotency-Key',
        key,
        'this Idempotency-Key was used for another request: send a new one with each new request',
      )
    if (claim.kind === 'mine') break
    if (performance.now() - started > PATIENCE_MS)
      throw new QueryError(
        'OVERLOADED',
        'the first request with this Idempotency-Key is still running: try again',
      )
    await sleep(pause)
  }
  try {
    const answer = await run()
    await state.keep(keyId, key, answer)
    return { answer, replayed: false }
  } catch (error) {
    await state.abandon(keyId, key)
    throw error
  }
}
