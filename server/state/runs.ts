import { randomUUID } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Selectable } from 'kysely'
import { isDead, startOf } from '../../engine/base/process-identity.ts'
import { refund } from './credits.ts'
import type { Db, Store } from './store.ts'
import type { Tables } from './tables.ts'

/** How often a process that holds something says that it lives. */
const BEAT_MS = 15_000
/** A process that has not said so for this long is taken for dead, where the system cannot be asked. */
const LEASE_MS = 60_000
/** How long an idempotency key is remembered. */
export const REMEMBER_MS = 86_400_000

export interface Run {
  /** The name of this process in what it holds; from the first call on, it says that it lives. */
  readonly present: () => string | Promise<string>
  /** Gives back what dead processes hold. */
  readonly reap: () => Promise<void>
  /** Gives back what this process still holds. */
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
    // What fails now is tried at the next beat; whoever needs the store meets the failure themselves.
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

/** The machine, and where processes are numbered apart (containers), which part of it. */
const here = `${hostname()} ${numbering()}`

function numbering(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** What a run said last, and when this process first saw it, on the clock that only goes forward. */
interface Heard {
  readonly seenAt: number
  readonly since: number
}

/**
 * Whether a run has ended. Of a process of this machine the system knows. One elsewhere is taken for dead when it has
 * said nothing for a while, measured here: clocks of machines differ, and jump.
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

/** Forgets runs that are dead, and gives back what they held. */
const bury = (store: Store, heard: Map<string, Heard>, at: number): Promise<void> =>
  store.transaction(async tx => {
    const runs = await tx.selectFrom('runs').selectAll().execute()
    const dead = runs.filter(run => isGone(run, heard))
    const ids = dead.map(run => run.id)
    if (ids.length > 0) {
      await tx.deleteFrom('runs').where('id', 'in', ids).execute()
      for (const id of ids) heard.delete(id)
      // Nobody knows what the dead have used of what they were lent: all of it counts as used.
      await tx.updateTable('windows').set({ lent: 0 }).where('holder', 'in', ids).execute()
    }
    await giveBack(tx, at)
  })

/** Gives back what is held by no run that lives, and forgets idempotency keys that are over. */
async function giveBack(tx: Db, at: number): Promise<void> {
  const orphans = await tx
    .updateTable('ledger')
    .set({ held_by: null })
    .where('held_by', 'is not', null)
    .where('held_by', 'not in', tx.selectFrom('runs').select('id'))
    .returning(['key_id', 'credits', 'endpoint', 'request_id'])
    .execute()
  for (const held of orphans) await refund(tx, held, -held.credits, 'the server stopped during the call', at)
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
