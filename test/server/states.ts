import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { openState } from '../../server/state/open.ts'
import type { State } from '../../server/state/state.ts'
import { memoryState } from './memory-state.ts'

/** The states to test the application with: in memory, and as in production. */
export const states: Readonly<Record<string, (t: Test) => Promise<State>>> = {
  'in memory': async () => memoryState(),
  'in SQLite': async t => {
    // Removed after the application has written everything, unlike a test's folder.
    const folder = mkdtempSync(join(tmpdir(), 'tranche-state-'))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    const state = await openState(join(folder, 'state.db'))
    t.teardown(() => state.close())
    return state
  },
}
