import { join } from 'node:path'
import type { Test } from 'tap'
import { openState } from '../../server/state/open.ts'
import type { State } from '../../server/state/state.ts'
import { memoryState } from './memory-state.ts'

/** What the application stands on: in memory, and as it is run. */
export const states: Readonly<Record<string, (t: Test) => Promise<State>>> = {
  'in memory': async () => memoryState(),
  'in SQLite': async t => {
    const state = await openState(join(t.testdir(), 'state.db'))
    t.teardown(() => state.close())
    return state
  },
}
