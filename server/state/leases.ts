import { textOf, wholeOf } from './each.ts'
import { prepared } from './prepared.ts'
import type { Db, Store } from './store.ts'

/** How often a process checks for recalled leases and expired windows. */
const LOOK_MS = 20
const SWEEP_MS = 1000

/**
 * Requests of a key's window that the store already counts as used, so that this process may answer them without the
 * store: if it dies, they stay counted.
 */
export interface Lease {
  readonly keyId: string
  /** The run of this process, which identifies its leases. */
  readonly holder: string
  readonly limit: number
  /** Start of the window, Unix epoch milliseconds. */
  readonly startedAt: number
  /** Requests in the window. */
  readonly used: number
  /** Requests leased to this process, and how many remain. */
  readonly lent: number
  readonly left: number
}

interface OpenLease extends Lease {
  used: number
  left: number
  readonly until: number
}

/** Leases of some keys taken out of use until they are put back or replaced. */
interface LaidDown {
  readonly mine: ReadonlyMap<string, Lease>
  hold(leases: Iterable<Lease>): void
}

export interface Leases {
  /** The lease less `n` requests; null if fewer remain, or the window is over. */
  spend(keyId: string, limit: number, n: number, now: number): Lease | null
  layDown(keyIds: readonly string[]): LaidDown
  /** Returns all leases. */
  end(): Promise<void>
}

/** The leases of this process, until another one used with the same key recalls them: see `windows`. */
// Over 80 lines: small functions over the same leases.
export function leasing(store: Store, windowMs: number): Leases {
  const leased = new Map<string, OpenLease>()
  let timer: NodeJS.Timeout | undefined
  /** The store's change counter at the last check. */
  let seen: number | undefined
  let looks = 0
  let swept = 0

  const recalled = prepared((v: { keys: string }) =>
    store.db
      .selectFrom('windows')
      .select('key_id')
      .where('recalled', '=', 1)
      .where('key_id', 'in', e =>
        e.selectFrom(store.each(v.keys).as('one')).select(textOf('key_id').as('id')),
      ),
  )
  const giveBack = prepared((v: { leases: string }) =>
    store.db
      .updateTable('windows')
      .from(store.each(v.leases).as('one'))
      .set(e => ({
        used: e('used', '-', wholeOf('unused')),
        lent: e.lit(0),
      }))
      .where('key_id', '=', textOf('key_id'))
      .where('holder', '=', textOf('holder'))
      .where('lent', '=', wholeOf('lent')),
  )
  async function returnOf(db: Db, keyIds: readonly string[]): Promise<void> {
    const { mine, hold } = layDown(keyIds)
    const leases = [...mine.values()].map(({ keyId, holder, lent, left }) => ({
      key_id: keyId,
      holder,
      lent,
      unused: left,
    }))
    try {
      if (leases.length > 0) await giveBack(db, { leases: JSON.stringify(leases) })
    } catch (error) {
      hold(mine.values())
      seen = undefined
      throw error
    }
  }
  async function watch(): Promise<void> {
    const now = performance.now()
    if (now >= swept + SWEEP_MS) {
      swept = now
      for (const { keyId, until } of leased.values()) if (until <= now) leased.delete(keyId)
    }
    if (leased.size === 0) {
      clearInterval(timer)
      timer = undefined
      return
    }
    const changes = store.changes!()
    if (changes === seen) return
    seen = changes
    looks++
    const keys = [...leased.keys()].map(key_id => ({ key_id }))
    const rows = await recalled(store.db, { keys: JSON.stringify(keys) })
    await returnOf(
      store.db,
      rows.map(row => row.key_id),
    )
  }
  function layDown(keyIds: readonly string[]): LaidDown {
    const at = looks
    const mine = new Map<string, Lease>()
    for (const keyId of keyIds) {
      const lease = leased.get(keyId)
      if (lease) mine.set(keyId, lease)
      leased.delete(keyId)
    }
    const hold = (leases: Iterable<Lease>) => {
      // The window is over by then, whatever the clock says.
      const until = performance.now() + windowMs
      // A check started meanwhile did not include these.
      if (looks !== at) seen = undefined
      for (const lease of leases) leased.set(lease.keyId, { ...lease, until })
      // A failure is retried; a caller in need of the store sees it itself.
      if (leased.size > 0) timer ??= setInterval(() => void watch().catch(() => {}), LOOK_MS).unref()
    }
    return { mine, hold }
  }
  return {
    spend(keyId, limit, n, now) {
      const lease = leased.get(keyId)
      if (!lease || lease.left < n || lease.limit !== limit) return null
      if (now < lease.startedAt || now >= lease.startedAt + windowMs) return null
      lease.left -= n
      lease.used += n
      return lease
    },
    layDown,
    async end() {
      clearInterval(timer)
      await returnOf(store.db, [...leased.keys()])
    },
  }
}
