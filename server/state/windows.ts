import { textOf, wholeOf } from './each.ts'
import { grouped } from './grouped.ts'
import { prepared } from './prepared.ts'
import type { State, Window } from './state.ts'
import type { Db, Store } from './store.ts'

const WINDOW_MS = 60_000

export interface Take {
  readonly keyId: string
  readonly limit: number
  readonly n: number
  readonly now: number
}

/** Requests of a key since its window began, in Unix epoch milliseconds. */
export interface Counted {
  readonly started_at: number
  readonly used: number
}

/**
 * A window lasts 60 seconds from its first request. A clock that jumps back never frees a window: requests stay counted,
 * and the window begins anew at the earlier time, so that it ends at most 60 seconds later. A request that is refused
 * begins none.
 */
export function counting(before: Counted, { n, limit, now }: Omit<Take, 'keyId'>) {
  const isOver = before.started_at <= now - WINDOW_MS
  const current = isOver
    ? { started_at: now, used: 0 }
    : { started_at: Math.min(before.started_at, now), used: before.used }
  const allowed = current.used + n <= limit
  const shown = allowed ? { ...current, used: current.used + n } : current
  return { allowed, shown, kept: isOver && !allowed ? before : shown }
}

/**
 * Counts requests of one turn, one after the other, by windows as they stand; also what is to be kept of them. A request
 * whose key has no window is refused.
 */
export function countAll<T extends Take>(
  takes: readonly T[],
  before: ReadonlyMap<string, Counted>,
): { windows: Window[]; moved: Moved[] } {
  const known = new Map(before)
  const counted = takes.map(asked => {
    const { keyId, limit, now } = asked
    const stands = known.get(keyId)
    if (!stands) return window(false, limit, { started_at: now, used: 0 })
    const { allowed, shown, kept } = counting(stands, asked)
    known.set(keyId, kept)
    return window(allowed, limit, shown)
  })
  const moved: Moved[] = []
  for (const [key_id, { started_at, used }] of known) {
    const stood = before.get(key_id)!
    if (stood.started_at !== started_at || stood.used !== used) moved.push({ key_id, started_at, used })
  }
  return { windows: counted, moved }
}

interface Moved extends Counted {
  readonly key_id: string
}

/** Writes what is to be kept of windows. */
export function moving(store: Store): (tx: Db, moved: readonly Moved[]) => Promise<void> {
  const move = prepared((v: { moved: string }) =>
    store.db
      .updateTable('windows')
      .from(store.each(v.moved).as('one'))
      .set({ started_at: wholeOf('started_at'), used: wholeOf('used') })
      .where('key_id', '=', textOf('key_id')),
  )
  return async (tx, moved) => {
    if (moved.length > 0) await move(tx, { moved: JSON.stringify(moved) })
  }
}

/**
 * Windows are kept in the store, and those of all requests of a turn are moved in one transaction, which nothing else
 * writes into: they are exact over processes and restarts.
 */
export function windows(store: Store): Pick<State, 'take'> {
  const look = prepared((v: { keys: string }) =>
    store.db
      .selectFrom('windows')
      .select(['key_id', 'started_at', 'used'])
      .where('key_id', 'in', e =>
        e.selectFrom(store.each(v.keys).as('one')).select(textOf('key_id').as('id')),
      )
      .orderBy('key_id')
      .$if(store.kind === 'postgres', rows => rows.forUpdate()),
  )
  const move = moving(store)
  const take = grouped((takes: readonly Take[]) =>
    store.transaction(async tx => {
      const keys = [...new Set(takes.map(({ keyId }) => keyId))].map(key_id => ({ key_id }))
      const rows = await look(tx, { keys: JSON.stringify(keys) })
      const counted = countAll(takes, new Map(rows.map(row => [row.key_id, row])))
      await move(tx, counted.moved)
      return counted.windows
    }),
  )
  return { take: (keyId, limit, n, now) => take({ keyId, limit, n, now }) }
}

const window = (allowed: boolean, limit: number, { started_at, used }: Counted): Window => ({
  allowed,
  limit,
  remaining: Math.max(0, limit - used),
  resetsAt: started_at + WINDOW_MS,
})
