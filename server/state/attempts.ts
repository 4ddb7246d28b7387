import type { Db } from './store.ts'

/** Failed attempts before an email or an address is locked out, and for how long. */
export const attemptLimits = { email: 5, address: 30 } as const
export const LOCKED_MS = 15 * 60_000

/**
 * Counts an attempt before it runs, so that concurrent ones are no way around; returns milliseconds to wait if there
 * were too many, else 0. Refused attempts are not counted, so the lock-out expires.
 */
export async function attempt(tx: Db, who: string, most: number, now: number): Promise<number> {
  await tx.deleteFrom('attempts').where('until', '<=', now).execute()
  // If the clock jumps back, nobody is locked out for longer.
  await tx
    .updateTable('attempts')
    .set({ until: now + LOCKED_MS })
    .where('until', '>', now + LOCKED_MS)
    .execute()
  await tx
    .insertInto('attempts')
    .values({ who, tries: 0, until: now + LOCKED_MS })
    .onConflict(c => c.column('who').doNothing())
    .execute()
  const counted = await tx
    .updateTable('attempts')
    .set(e => ({ tries: e('tries', '+', 1), until: now + LOCKED_MS }))
    .where('who', '=', who)
    .where('tries', '<', most)
    .returning('tries')
    .executeTakeFirst()
  if (counted) return 0
  const row = await tx.selectFrom('attempts').select('until').where('who', '=', who).executeTakeFirstOrThrow()
  return row.until - now
}

/** Removes a successful attempt from the count. */
export async function succeeded(tx: Db, email: string, address: string): Promise<void> {
  await tx.deleteFrom('attempts').where('who', '=', email).execute()
  await tx
    .updateTable('attempts')
    .set(e => ({ tries: e('tries', '-', 1) }))
    .where('who', '=', address)
    .where('tries', '>', 0)
    .execute()
}
