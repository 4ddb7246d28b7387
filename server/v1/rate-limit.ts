import { QueryError } from '../../engine/base/errors.ts'
import type { MaybePromise } from '../../engine/base/maybe-promise.ts'
import { tiers } from '../limits/tiers.ts'
import type { Principal, State, Window } from '../state/state.ts'

/** Counts requests against the key's minute. */
export const countRequests = (
  state: State,
  { keyId, tier }: Principal,
  weight: number,
  now: number,
): MaybePromise<Window> => state.take(keyId, tiers[tier].limit, weight, now)

export function addLimitHeaders(
  headers: Record<string, string>,
  { limit, remaining, resetsAt }: Window,
): void {
  headers['X-RateLimit-Limit'] = String(limit)
  headers['X-RateLimit-Remaining'] = String(remaining)
  headers['X-RateLimit-Reset'] = String(Math.ceil(resetsAt / 1000))
}

export function checkLimit({ allowed, limit, resetsAt }: Window, weight: number, now: number): void {
  if (allowed) return
  const wait = Math.max(1, Math.ceil((resetsAt - now) / 1000))
  const subject = weight > 1 ? `these ${weight} operations exceed` : 'this request exceeds'
  throw new QueryError(
    'RATE_LIMITED',
    `${subject} the key's limit of ${limit} requests a minute: wait ${wait} seconds`,
    {
      retry_after: wait,
    },
  )
}
