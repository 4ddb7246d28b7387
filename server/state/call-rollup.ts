import { append } from '../../engine/base/lists.ts'
import { numberOf, textOf, wholeOf } from './each.ts'
import { prepared } from './prepared.ts'
import type { Call } from './state.ts'
import type { Db, Store } from './store.ts'

const MINUTE_MS = 60_000

/** Calls of a key to an endpoint within a minute. */
export interface CallGroup {
  readonly key_id: string
  readonly endpoint: string
  /** Times of the first and last of them, Unix epoch milliseconds. */
  at: number
  last: number
  queries: number
  errors: number
  cost: number
  milliseconds: number
  /** Duration of each, in milliseconds. */
  readonly times: number[]
}

const idOf = ({ key_id, endpoint, at }: Pick<CallGroup, 'key_id' | 'endpoint' | 'at'>): string =>
  `${key_id} ${endpoint} ${Math.floor(at / MINUTE_MS)}`

/** Rounding of durations: a day then has some hundreds of distinct ones, however many calls. */
const threeDigits = (milliseconds: number): number => Number(milliseconds.toPrecision(3))

export function groupsOf(calls: readonly Call[]): CallGroup[] {
  const groups = new Map<string, CallGroup>()
  for (const { keyId, endpoint, status, cost, milliseconds, at } of calls) {
    const time = threeDigits(milliseconds)
    const errors = Number(status >= 400)
    const sums = { queries: 1, errors, cost, milliseconds: time, times: [time] }
    add(groups, { key_id: keyId, endpoint, at, last: at, ...sums })
  }
  return [...groups.values()]
}

function add(groups: Map<string, CallGroup>, one: CallGroup): void {
  const id = idOf(one)
  const group = groups.get(id)
  if (!group) {
    groups.set(id, one)
    return
  }
  group.at = Math.min(group.at, one.at)
  group.last = Math.max(group.last, one.last)
  for (const sum of ['queries', 'errors', 'cost', 'milliseconds'] as const) group[sum] += one[sum]
  append(group.times, one.times)
}

/** Indexes stored calls by key, and updates when keys were last used. */
export type RollUpCalls = (tx: Db) => Promise<void>

export function callRollup(store: Store): RollUpCalls {
  const { db } = store
  const take = prepared(() => db.deleteFrom('call_batches').returning('calls'))
  const write = prepared((v: { groups: string }) =>
    db
      .insertInto('call_groups')
      .columns(['key_id', 'endpoint', 'at', 'queries', 'errors', 'cost', 'milliseconds', 'times'])
      .expression(e =>
        e
          .selectFrom(store.each(v.groups).as('one'))
          .select([
            textOf('key_id').as('key_id'),
            textOf('endpoint').as('endpoint'),
            wholeOf('at').as('at'),
            wholeOf('queries').as('queries'),
            wholeOf('errors').as('errors'),
            wholeOf('cost').as('cost'),
            numberOf('milliseconds').as('milliseconds'),
            textOf('times').as('times'),
          ]),
      ),
  )
  const use = prepared((v: { uses: string }) =>
    db
      .updateTable('keys')
      .from(store.each(v.uses).as('one'))
      .set({ last_used_at: wholeOf('last') })
      .where('keys.id', '=', textOf('id'))
      .where(e => e.or([e('last_used_at', 'is', null), e('last_used_at', '<', wholeOf('last'))])),
  )
  return async tx => {
    const groups = new Map<string, CallGroup>()
    for (const { calls } of await take(tx, {})) for (const group of JSON.parse(calls)) add(groups, group)
    if (groups.size === 0) return
    const all = [...groups.values()]
    await write(tx, { groups: JSON.stringify(all) })
    await use(tx, { uses: JSON.stringify(lastUses(all)) })
  }
}

/** In id order, so that concurrent processes lock them in the same order. */
function lastUses(groups: readonly CallGroup[]): { id: string; last: number }[] {
  const uses = new Map<string, number>()
  for (const { key_id, last } of groups) uses.set(key_id, Math.max(last, uses.get(key_id) ?? last))
  return [...uses].map(([id, last]) => ({ id, last })).sort((a, b) => (a.id < b.id ? -1 : 1))
}
