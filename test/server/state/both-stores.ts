import { join } from 'node:path'
import t, { type Test as Tap } from 'tap'
import type { Accounts } from '../../../server/state/accounts.ts'
import { openState, openStore, type StateOptions } from '../../../server/state/open.ts'
import type { State } from '../../../server/state/state.ts'
import type { Db } from '../../../server/state/store.ts'
import { testFolder } from '../../folder.ts'
import { startPostgres } from './postgres.ts'

export interface Place {
  readonly location: string
  /** Opens the store as another process would. */
  readonly open: (options?: StateOptions) => Promise<State & Accounts>
  /** The tables themselves. */
  readonly tables: () => Promise<Db>
}

type Test = (t: Tap, place: Place) => Promise<void>

/** Runs a test on an empty SQLite store, and on an empty PostgreSQL store if there is a server. */
export const onBoth: (name: string, test: Test) => Promise<void> = await prepare()

async function prepare() {
  const server = await startPostgres()
  if (typeof server === 'string') t.test('the state store on PostgreSQL', { skip: server }, async () => {})
  else t.teardown(() => server.stop())
  const places: Record<string, (t: Tap) => Promise<string>> = {
    SQLite: async t => join(testFolder(t), 'state.db'),
    ...(typeof server !== 'string' && { PostgreSQL: () => server.database() }),
  }
  return async (name: string, test: Test) => {
    for (const [kind, location] of Object.entries(places))
      await t.test(`${name}, on ${kind}`, async t => test(t, placeAt(t, await location(t))))
  }
}

function placeAt(t: Tap, location: string): Place {
  return {
    location,
    async open(options) {
      const state = await openState(location, options)
      t.teardown(() => state.close())
      return state
    },
    async tables() {
      const store = await openStore(location, false)
      t.teardown(() => store.close())
      return store.db
    },
  }
}
