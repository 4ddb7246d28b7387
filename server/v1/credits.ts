import { QueryError } from '../../engine/base/errors.ts'
import { tiers } from '../limits/tiers.ts'
import type { Principal, State } from '../state/state.ts'

/** What came of paid work: its value, and what it cost where that is less than was set aside. */
export interface Charged<T> {
  readonly value: T
  readonly cost: number
}

/**
 * Sets the most it may cost aside, works, then spends what it did cost; failed work is not charged.
 * Accounts that are not charged only work.
 */
export async function charge<T>(
  state: State,
  { keyId, tier }: Principal,
  most: number,
  request: { readonly requestId: string; readonly endpoint: string },
  work: () => Promise<Charged<T>>,
  /** What to keep in the same step as the charge, so that a request tried again is never charged twice. */
  kept?: (value: T) => Parameters<State['settle']>[2],
): Promise<Charged<T>> {
  if (!tiers[tier].paid || most === 0) return work()
  const hold = await state.hold(keyId, most, request)
  if (hold.kind === 'short')
    throw new QueryError(
      'INSUFFICIENT_CREDITS',
      `this call costs ${hold.required} credits and the key has ${hold.remaining}: buy a package, or ask for less`,
      { required: hold.required, remaining: hold.remaining },
    )
  let outcome: Charged<T>
  try {
    outcome = await work()
  } catch (error) {
    await state.release(hold.id)
    throw error
  }
  await state.settle(hold.id, outcome.cost, kept?.(outcome.value))
  return outcome
}
