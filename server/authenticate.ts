import { QueryError } from '../engine/errors.ts'
import type { Principal, State } from './state/state.ts'
import type { Throttle } from './throttle.ts'

/** A key is shorter: what is longer is not looked up. */
const LONGEST_KEY = 128

/** Whose key came in X-API-Key. Missing, malformed, doubled, unknown and revoked ones are told the same. */
export async function authenticate(
  state: State,
  throttle: Throttle,
  { key, address, now }: { key: string | string[] | undefined; address: () => string; now: number },
): Promise<Principal> {
  const principal = await recognise(state, key)
  if (principal) return principal
  checkThrottle(throttle, 'without a valid key came from this address', address(), now)
  throw new QueryError('UNAUTHORIZED', 'send one valid API key in the X-API-Key header')
}

/** Counts a request that nobody pays for; throws where there were too many. */
export function checkThrottle(throttle: Throttle, what: string, who: string, now: number): void {
  const wait = throttle(who, now)
  if (wait > 0)
    throw new QueryError('RATE_LIMITED', `too many requests ${what}: wait ${wait} seconds`, {
      retry_after: wait,
    })
}

/** The principal of a key in force, else null. */
export const recognise = async (
  state: State,
  key: string | string[] | undefined,
): Promise<Principal | null> =>
  typeof key === 'string' && key.length <= LONGEST_KEY && /^\w+$/.test(key) ? state.authenticate(key) : null
