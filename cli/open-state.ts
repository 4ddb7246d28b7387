import type { Accounts } from '../server/state/accounts.ts'
import { stateInLake, stateLocation } from '../server/state/location.ts'
import type { State } from '../server/state/state.ts'

/** Opens the given store, else that of a lake. */
export async function openNamedState(
  named: string | undefined,
  lake: string,
  create: boolean,
): Promise<State & Accounts> {
  const location = stateLocation(named, lake)
  if (location === stateInLake(lake)) {
    // A misspelt folder must not get a new store.
    const { openLake } = await import('../engine/lake/lake.ts')
    await openLake(lake)
  }
  const { openState } = await import('../server/state/open.ts')
  return openState(location, { create })
}
