import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { groupsOf, type RollUpCalls } from './call-rollup.ts'
import { prepared } from './prepared.ts'
import type { State, UsageRows } from './state.ts'
import type { Store } from './store.ts'

type Calls = Pick<State, 'record' | 'usage' | 'forget'>

/** Groups of calls deleted at a time, yielding in between. */
const FORGOTTEN = 5_000

/** Unindexed batches of this process: inserting rows under many keys is the main cost of recording calls. */
const MOST_UNFILED = 10

const DAY_MS = 86_400_000

/** Calls are stored in batches, one row each, and indexed by key on demand or a few batches later. */
export function calls(store: Store, file: RollUpCalls): Calls {
  const { db } = store
  const keep = prepared((v: { calls: string }) => db.insertInto('call_batches').values({ calls: v.calls }))
  let unfiled = 0
  return {
    async record(calls) {
      if (calls.length === 0) return
      await keep(db, { calls: JSON.stringify(groupsOf(calls)) })
      if (++unfiled < MOST_UNFILED) return
      // The calls are stored; a failure here is retried with the next batch, or reported to whoever reads them.
      await store.transaction(file).then(
        () => {
          unfiled = 0
        },
        () => {},
      )
    },

    async usage(accountId, from, to) {
      await store.transaction(file)
      const days: Day[] = []
      // Day by day: SQLite runs in this process, and requests get a turn in between.
      for (const [start, end] of daysBetween(from, to)) {
        days.push(await usageOf(store, accountId, start, end))
        await setImmediate()
      }
      const keys = await db
        .selectFrom('keys')
        .select(['id', 'label'])
        .where('account_id', '=', accountId)
        .execute()
      return summed(days, new Map(keys.map(({ id, label }) => [id, label])))
    },

    async forget(before) {
      await store.transaction(file)
      for (let forgotten = 0; ; await setImmediate()) {
        const some = db.selectFrom('call_groups').select('id').where('at', '<', before).limit(FORGOTTEN)
        const gone = await db.deleteFrom('call_groups').where('id', 'in', some).returning('queries').execute()
        for (const { queries } of gone) forgotten += queries
        if (gone.length < FORGOTTEN) return forgotten
      }
    },
  }
}

/** `[from, to)` split at midnight, UTC. */
function daysBetween(from: number, to: number): [number, number][] {
  const days: [number, number][] = []
  for (let start = from; start < to; ) {
    const end = Math.min(to, (Math.floor(start / DAY_MS) + 1) * DAY_MS)
    days.push([start, end])
    start = end
  }
  return days
}

interface Sums {
  queries: number
  cost: number
  errors: number
  milliseconds: number
}

interface Day {
  readonly date: string
  readonly sums: readonly (Sums & { endpoint: string; key_id: string })[]
  readonly times: readonly { milliseconds: number; queries: number }[]
}

async function usageOf({ db, each }: Store, accountId: string, start: number, end: number): Promise<Day> {
  const made = db
    .selectFrom('keys')
    .innerJoin('call_groups as made', 'made.key_id', 'keys.id')
    .where('keys.account_id', '=', accountId)
    .where('made.at', '>=', start)
    .where('made.at', '<', end)
  const time = sql<number>`cast(cast(value as text) as double precision)`
  return {
    date: new Date(start).toISOString().slice(0, 10),
    sums: await made
      .select(['endpoint', 'key_id'])
      .select(({ fn }) => [
        fn.sum<number>('queries').as('queries'),
        fn.sum<number>('errors').as('errors'),
        fn.sum<number>('cost').as('cost'),
        fn.sum<number>('milliseconds').as('milliseconds'),
      ])
      .groupBy(['endpoint', 'key_id'])
      .execute(),
    times: await made
      .innerJoin(each(sql.ref('made.times')).as('time'), join => join.onTrue())
      .select(({ fn }) => [time.as('milliseconds'), fn.countAll<number>().as('queries')])
      .groupBy(time)
      .execute(),
  }
}

function summed(days: readonly Day[], labels: ReadonlyMap<string, string | null>): UsageRows {
  const all = days.flatMap(day => day.sums.map(sums => ({ date: day.date, ...sums })))
  const by = (name: 'date' | 'endpoint' | 'key_id') => {
    const groups = new Map<string, Sums>()
    for (const row of all) {
      const group = groups.get(row[name])
      if (!group) groups.set(row[name], { ...row })
      else for (const sum of ['queries', 'cost', 'errors', 'milliseconds'] as const) group[sum] += row[sum]
    }
    return [...groups]
  }
  const most = (a: [string, Sums], b: [string, Sums]) => b[1].queries - a[1].queries || (a[0] < b[0] ? -1 : 1)
  const times = new Map<number, number>()
  for (const { milliseconds, queries } of days.flatMap(day => day.times))
    times.set(milliseconds, (times.get(milliseconds) ?? 0) + queries)
  const ordered = [...times].sort((a, b) => a[0] - b[0])
  return {
    daily: by('date').map(([date, { queries, cost, errors }]) => ({ date, queries, cost, errors })),
    endpoints: by('endpoint')
      .sort(most)
      .map(([endpoint, { queries, cost, milliseconds }]) => ({
        endpoint,
        queries,
        cost,
        avg_ms: milliseconds / queries,
      })),
    keys: by('key_id')
      .sort(most)
      .map(([key_id, { queries }]) => ({ key_id, label: labels.get(key_id) ?? null, queries })),
    latency_ms: { p50: within(ordered, 50), p95: within(ordered, 95), p99: within(ordered, 99) },
  }
}

/** The smallest duration within which so many percent of the calls were answered (nearest rank). */
export function within(times: readonly (readonly [number, number])[], percent: number): number | null {
  const calls = times.reduce((sum, [, n]) => sum + n, 0)
  let seen = 0
  for (const [time, n] of times) {
    seen += n
    if (seen * 100 >= calls * percent) return time
  }
  return null
}
