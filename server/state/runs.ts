import { randomUUID } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Selectable } from 'kysely'
import { isDead, startOf } from '../../engine/base/process-identity.ts'
import { refund } from './credits.ts'
import type { Db, Store } from './store.ts'
import type { Tables } from './tables.ts'

/** Heartbeat interval of a process that holds something. */
const BEAT_MS = 15_000
/** Without a heartbeat for this long a process counts as dead, if the system cannot be asked. */
const LEASE_MS = 60_000
/** Lifetime of an idempotency key. */
export const REMEMBER_MS = 86_400_000

export interface Run {
  /** The name under which this process holds leases and credits; starts its heartbeat. */
  readonly present: () => string | Promise<string>
  /** Releases what dead processes hold. */
  readonly reap: () => Promise<void>
  /** Releases what this process still holds. */
  readonly end: () => Promise<void>
}

export function startRun(store: Store, now: () => number): Run {
  const id = randomUUID()
  let timer: NodeJS.Timeout | undefined
  let last = Number.NEGATIVE_INFINITY
  let beating: Promise<void> | undefined

  const beat = async () => {
    const seen_at = now()
    await store.db
      .insertInto('runs')
      .values({ id, host: here, pid: process.pid, started: startOf(process.pid), seen_at })
      .onConflict(c => c.column('id').doUpdateSet({ seen_at }))
      .execute()
    last = performance.now()
  }
  const heard = new Map<string, Heard>()
  const reap = () => bury(store, heard, now())
  const tick = () => {
    // A failure is retried at the next heartbeat; a caller in need of the store sees it itself.
    void beat()
      .then(reap)
      .catch(() => {})
  }
  return {
    present() {
      if (performance.now() - last < LEASE_MS / 2) return id
      timer ??= setInterval(tick, BEAT_MS).unref()
      beating ??= beat().finally(() => {
        beating = undefined
      })
      return beating.then(() => id)
    },
    reap,
    async end() {
      clearInterval(timer)
      if (last === Number.NEGATIVE_INFINITY) return
      await store.transaction(async tx => {
        await tx.deleteFrom('runs').where('id', '=', id).execute()
        await giveBack(tx, now())
      })
    },
  }
}

/** The machine, and in containers its process namespace. */
const here = `${hostname()} ${numbering()}`

function numbering(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** The last heartbeat of a run, and when this process first saw it, on the monotonic clock. */
interface Heard {
  readonly seenAt: number
  readonly since: number
}

/**
 * Whether a run has ended. For this machine the system knows; elsewhere a run counts as dead without a heartbeat for
 * a while, measured here, because clocks differ and jump.
 */
function isGone(run: Selectable<Tables['runs']>, heard: Map<string, Heard>): boolean {
  const isHere = run.host === here
  if (isHere && isDead({ ...run, host: hostname() })) return true
  if (isHere && run.started !== null) return false
  const now = performance.now()
  const before = heard.get(run.id)
  if (before?.seenAt === run.seen_at) return now > before.since + LEASE_MS
  heard.set(run.id, { seenAt: run.seen_at, since: now })
  return false
}

/** Deletes dead runs, and releases what they held. */
const bury = (store: Store, heard: Map<string, Heard>, at: number): Promise<void> =>
  store.transaction(async tx => {
    const runs = await tx.selectFrom('runs').selectAll().execute()
    const dead = runs.filter(run => isGone(run, heard))
    const ids = dead.map(run => run.id)
    if (ids.length > 0) {
      await tx.deleteFrom('runs').where('id', 'in', ids).execute()
      for (const id of ids) heard.delete(id)
      // How much of its lease a dead process used is unknown: all of it counts as used.
      await tx.updateTable('windows').set({ lent: 0 }).where('holder', 'in', ids).execute()
    }
    await giveBack(tx, at)
  })

/** Releases what no live run holds, and deletes expired idempotency keys. */
async function giveBack(tx: Db, at: number): Promise<void> {
  const orphans = await tx
    .updateTable('ledger')
    .set({ held_by: null })
    .where('held_by', 'is not', null)
    .where('held_by', 'not in', tx.selectFrom('runs').select('id'))
    .returning(['key_id', 'credits', 'endpoint', 'request_id'])
    .execute()
  for (const hold of orphans) await refund(tx, hold, -hold.credits, 'the server stopped during the call', at)
  await tx
    .deleteFrom('claims')
    .where(e =>
      e.or([
        e.and([e('status', 'is not', null), e('at', '<=', at - REMEMBER_MS)]),
        e.and([e('status', 'is', null), e('run', 'not in', tx.selectFrom('runs').select('id'))]),
      ]),
    )
    .execute()
}
