import { setTimeout } from 'node:timers/promises'
import { counting, known, WINDOW_MS, type WindowCount, type WindowRequest, window } from './count-requests.ts'
import { textOf, wholeOf } from './each.ts'
import { grouped } from './grouped.ts'
import { type Lease, type Leases, leasing } from './leases.ts'
import { prepared } from './prepared.ts'
import type { Run } from './runs.ts'
import type { State, Window } from './state.ts'
import type { Store } from './store.ts'

/**
 * The share of a window's remaining requests that a process may lease; a killed process loses at most that much of a
 * minute.
 */
const LENT = 1 / 8
/**
 * How long to wait for another process to return its lease; after that it counts as hung, and as having used all of
 * it.
 */
const PATIENCE_MS = 10_000
/** Interval between checks, and before checking whether the other process is dead. */
const AGAIN_MS = 10
const DEAD_MS = 250

/**
 * Counts the requests of one tick in order, given the current windows; also returns the new windows. A request whose
 * key has no window is refused; one that must retry gets none.
 */
function countAll(
  takes: readonly WindowRequest[],
  before: ReadonlyMap<string, WindowCount>,
): { windows: (Window | null)[]; after: Map<string, WindowCount> } {
  const after = new Map(before)
  const windows = takes.map(request => {
    const { keyId, limit, now } = request
    const stands = after.get(keyId)
    if (!stands) return window(false, limit, { startedAt: now, used: 0 })
    const { allowed, shown, stored } = counting(stands, request)
    after.set(keyId, stored)
    return allowed === null ? null : window(allowed, limit, known(shown))
  })
  return { windows, after }
}

/** A share of what these requests' windows have left, for this process; the returned windows exclude it. */
function lend(takes: readonly WindowRequest[], after: Map<string, WindowCount>, holder: string): Lease[] {
  const leases: Lease[] = []
  for (const [keyId, { limit, now }] of new Map(takes.map(take => [take.keyId, take]))) {
    const stands = after.get(keyId)
    if (!stands || stands.recalled || stands.started_at <= now - WINDOW_MS) continue
    const left = Math.floor((limit - stands.used) * LENT)
    if (left <= 0) continue
    leases.push({ keyId, holder, limit, lent: left, left, ...known(stands) })
    after.set(keyId, { ...stands, used: stands.used + left, lent: left, holder })
  }
  return leases
}

/**
 * The window with this lease's unused requests returned, if it is still the same window, possibly moved to an earlier
 * start.
 */
const without = (stands: WindowCount, lease: Lease | undefined): WindowCount =>
  lease && lease.holder === stands.holder && lease.lent === stands.lent
    ? { ...stands, used: stands.used - lease.left, lent: 0 }
    : stands

/**
 * Rate windows in the store. Those of all requests of a tick are updated in one serialised transaction. Where the
 * store cheaply reports others' writes, the only process used with a key leases part of its window and counts by
 * itself; when another process is used, the lease is recalled. Counts are thus exact across processes and restarts,
 * and after a process was killed never below what it answered.
 */
export function windows(
  store: Store,
  run: Pick<Run, 'present' | 'reap'>,
): Pick<State, 'take'> & Pick<Leases, 'end'> {
  const look = prepared((v: { keys: string }) =>
    store.db
      .selectFrom('windows')
      .select(['key_id', 'started_at', 'used', 'lent', 'recalled', 'holder'])
      .where('key_id', 'in', e =>
        e.selectFrom(store.each(v.keys).as('one')).select(textOf('key_id').as('id')),
      )
      .orderBy('key_id')
      .$if(store.kind === 'postgres', rows => rows.forUpdate()),
  )
  const move = prepared((v: { moved: string }) =>
    store.db
      .updateTable('windows')
      .from(store.each(v.moved).as('one'))
      .set({
        started_at: wholeOf('started_at'),
        used: wholeOf('used'),
        lent: wholeOf('lent'),
        recalled: wholeOf('recalled'),
        holder: textOf('holder'),
      })
      .where('key_id', '=', textOf('key_id')),
  )
  const leases = leasing(store, WINDOW_MS)
  const count = grouped(async (takes: readonly WindowRequest[]) => {
    const keyIds = [...new Set(takes.map(({ keyId }) => keyId))]
    // A lease holder must have a heartbeat.
    const holder = store.changes && (await run.present())
    const { mine, hold } = leases.layDown(keyIds)
    try {
      const { counted, lent } = await store.transaction(async tx => {
        const rows = await look(tx, { keys: JSON.stringify(keyIds.map(key_id => ({ key_id }))) })
        const before = new Map(rows.map(row => [row.key_id, without(row, mine.get(row.key_id))]))
        const { windows: counted, after } = countAll(takes, before)
        const lent = holder === null ? [] : lend(takes, after, holder)
        const moved = rows.flatMap(row => {
          const now = after.get(row.key_id)!
          return isSame(row, now) ? [] : [{ ...now, key_id: row.key_id }]
        })
        if (moved.length > 0) await move(tx, { moved: JSON.stringify(moved) })
        return { counted, lent }
      })
      hold(lent)
      return counted
    } catch (error) {
      hold(mine.values())
      throw error
    }
  })
  let reaped = Number.NEGATIVE_INFINITY
  async function takeOfStore(keyId: string, limit: number, n: number, now: number): Promise<Window> {
    for (const since = performance.now(); ; await setTimeout(AGAIN_MS)) {
      const patient = performance.now() < since + PATIENCE_MS
      const counted = await count({ keyId, limit, n, now, patient })
      if (counted) return counted
      if (performance.now() < Math.max(since, reaped) + DEAD_MS) continue
      reaped = performance.now()
      await run.reap()
    }
  }
  return {
    take(keyId, limit, n, now) {
      const lease = leases.spend(keyId, limit, n, now)
      return lease ? window(true, limit, lease) : takeOfStore(keyId, limit, n, now)
    },
    end: leases.end,
  }
}

const isSame = (a: WindowCount, b: WindowCount): boolean =>
  a.started_at === b.started_at && a.used === b.used && a.lent === b.lent && a.recalled === b.recalled
