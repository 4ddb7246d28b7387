import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { numberOf, textOf, wholeOf } from './each.ts'
import { prepared } from './prepared.ts'
import type { State, UsageRows } from './state.ts'
import type { Db, Store } from './store.ts'

type Calls = Pick<State, 'record' | 'usage' | 'forget'>

/** Calls that are forgotten at a time: others get their turn in between. */
const FORGOTTEN = 5_000

const DAY_MS = 86_400_000

export function calls(store: Store): Calls {
  const { db } = store
  const write = prepared((v: { calls: string }) =>
    db
      .insertInto('calls')
      .columns(['key_id', 'endpoint', 'status', 'cost', 'milliseconds', 'at'])
      .expression(e =>
        e
          .selectFrom(store.each(v.calls).as('one'))
          .select([
            textOf('key_id').as('key_id'),
            textOf('endpoint').as('endpoint'),
            wholeOf('status').as('status'),
            wholeOf('cost').as('cost'),
            numberOf('milliseconds').as('milliseconds'),
            wholeOf('at').as('at'),
          ]),
      ),
  )
  const use = prepared((v: { uses: string }) =>
    db
      .updateTable('keys')
      .from(store.each(v.uses).as('one'))
      .set({ last_used_at: wholeOf('at') })
      .where('keys.id', '=', textOf('id'))
      .where(e => e.or([e('last_used_at', 'is', null), e('last_used_at', '<', wholeOf('at'))])),
  )
  return {
    async record(calls) {
      if (calls.length === 0) return
      const rows = calls.map(({ keyId, milliseconds, ...call }) => ({
        key_id: keyId,
        ...call,
        milliseconds: threeDigits(milliseconds),
      }))
      await store.transaction(async tx => {
        await write(tx, { calls: JSON.stringify(rows) })
        await use(tx, { uses: JSON.stringify(lastUses(rows)) })
      })
    },

    async usage(accountId, from, to) {
      const days: Day[] = []
      // Day by day: SQLite answers in this process, and requests get their turn in between.
      for (const [start, end] of daysBetween(from, to)) {
        days.push(await usageOf(db, accountId, start, end))
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
      for (let forgotten = 0; ; await setImmediate()) {
        const some = db.selectFrom('calls').select('id').where('at', '<', before).limit(FORGOTTEN)
        const gone = await db.deleteFrom('calls').where('id', 'in', some).returning('id').execute()
        forgotten += gone.length
        if (gone.length < FORGOTTEN) return forgotten
      }
    },
  }
}

/** What times are kept to: a day then has some hundreds of different ones, however many calls. */
const threeDigits = (milliseconds: number): number => Number(milliseconds.toPrecision(3))

/** In the order of their ids, in which everybody takes them. */
function lastUses(rows: readonly { key_id: string; at: number }[]): { id: string; at: number }[] {
  const last = new Map<string, number>()
  for (const { key_id, at } of rows) last.set(key_id, Math.max(at, last.get(key_id) ?? at))
  return [...last].map(([id, at]) => ({ id, at })).sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** `[from, to)` cut at midnight, UTC. */
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

async function usageOf(db: Db, accountId: string, start: number, end: number): Promise<Day> {
  const made = db
    .selectFrom('keys')
    .innerJoin('calls', 'calls.key_id', 'keys.id')
    .where('keys.account_id', '=', accountId)
    .where('calls.at', '>=', start)
    .where('calls.at', '<', end)
    .select(e => e.fn.countAll<number>().as('queries'))
  return {
    date: new Date(start).toISOString().slice(0, 10),
    sums: await made
      .select(['endpoint', 'key_id'])
      .select(e => [
        e.fn.sum<number>('cost').as('cost'),
        e.fn.sum<number>('milliseconds').as('milliseconds'),
        sql<number>`count(case when status >= 400 then 1 end)`.as('errors'),
      ])
      .groupBy(['endpoint', 'key_id'])
      .execute(),
    times: await made.select('milliseconds').groupBy('milliseconds').execute(),
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

/** The least time within which so many percent of the calls were answered (nearest rank). */
export function within(times: readonly (readonly [number, number])[], percent: number): number | null {
  const calls = times.reduce((sum, [, n]) => sum + n, 0)
  let seen = 0
  for (const [time, n] of times) {
    seen += n
    if (seen * 100 >= calls * percent) return time
  }
  return null
}
