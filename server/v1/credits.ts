import { QueryError } from '../../engine/base/errors.ts'
import { tiers } from '../limits/tiers.ts'
import type { Principal, State } from '../state/state.ts'

/** The result of paid work: its value, and its cost if that is less than reserved. */
export interface Charged<T> {
  readonly value: T
  readonly cost: number
}

/**
 * Reserves the maximum cost, works, then charges the actual cost; failed work is free. Unmetered accounts just work.
 */
export function charge<T>(
  state: State,
  { keyId, tier }: Principal,
  most: number,
  request: { readonly requestId: string; readonly endpoint: string },
  work: () => Promise<Charged<T>>,
  /** What to store in the same transaction as the charge, so that a retried request is never charged again. */
  stored?: (value: T) => Parameters<State['settle']>[2],
): Promise<Charged<T>> {
  return tiers[tier].paid && most > 0 ? metered(state, keyId, most, request, work, stored) : work()
}

async function metered<T>(
  state: State,
  keyId: string,
  most: number,
  request: { readonly requestId: string; readonly endpoint: string },
  work: () => Promise<Charged<T>>,
  stored?: (value: T) => Parameters<State['settle']>[2],
): Promise<Charged<T>> {
  const hold = await state.hold(keyId, most, request)
  if (hold.kind === 'short')
    throw new QueryError(
      'INSUFFICIENT_CREDITS',
      `this call costs ${hold.required} credits and the key has ${hold.remaining}: buy a package, or request less`,
      { required: hold.required, remaining: hold.remaining },
    )
  let outcome: Charged<T>
  try {
    outcome = await work()
  } catch (error) {
    await state.release(hold.id)
    throw error
  }
  await state.settle(hold.id, outcome.cost, stored?.(outcome.value))
  return outcome
}
