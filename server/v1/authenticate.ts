import { QueryError } from '../../engine/base/errors.ts'
import { isPromise, type MaybePromise } from '../../engine/base/maybe-promise.ts'
import type { Throttle } from '../limits/throttle.ts'
import type { Principal, State } from '../state/state.ts'

/** Longer keys are not looked up. */
const LONGEST_KEY = 128

interface Presented {
  readonly key: string | string[] | undefined
  readonly address: () => string
  readonly now: number
}

/** The owner of the key in X-API-Key. Missing, malformed, duplicate, unknown and revoked keys get the same error. */
export function authenticate(
  state: State,
  throttle: Throttle,
  presented: Presented,
): MaybePromise<Principal> {
  const known = recognise(state, presented.key)
  const orRefused = (principal: Principal | null) => principal ?? refuse(throttle, presented)
  return isPromise(known) ? known.then(orRefused) : orRefused(known)
}

function refuse(throttle: Throttle, { address, now }: Presented): never {
  checkThrottle(throttle, 'without a valid key came from this address', address(), now)
  throw new QueryError('UNAUTHORIZED', 'send one valid API key in the X-API-Key header')
}

/** Counts a request without a valid key; throws if there were too many. */
export function checkThrottle(throttle: Throttle, what: string, who: string, now: number): void {
  const wait = throttle(who, now)
  if (wait > 0)
    throw new QueryError('RATE_LIMITED', `too many requests ${what}: wait ${wait} seconds`, {
      retry_after: wait,
    })
}

/** The principal of an active key, else null. */
export const recognise = (
  state: State,
  key: string | string[] | undefined,
): MaybePromise<Principal | null> => (mayBeKey(key) ? state.authenticate(key) : null)

const mayBeKey = (key: string | string[] | undefined): key is string =>
  typeof key === 'string' && key.length <= LONGEST_KEY && /^\w+$/.test(key)
