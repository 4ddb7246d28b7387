import type { Db } from './store.ts'

/** Tries that fail before an email or an address has to wait, and for how long. */
export const allowed = { email: 5, address: 30 } as const
export const LOCKED_MS = 15 * 60_000

/**
 * Counts a try before it is made, so that many at once are no way around; milliseconds to wait where there were too many,
 * else 0. What is refused is not counted: the wait ends by itself.
 */
export async function attempt(tx: Db, who: string, most: number, now: number): Promise<number> {
  await tx.deleteFrom('attempts').where('until', '<=', now).execute()
  // A clock that jumps back locks nobody out for longer.
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

/** Takes a try back that was right. */
export async function succeeded(tx: Db, email: string, address: string): Promise<void> {
  await tx.deleteFrom('attempts').where('who', '=', email).execute()
  await tx
    .updateTable('attempts')
    .set(e => ({ tries: e('tries', '-', 1) }))
    .where('who', '=', address)
    .where('tries', '>', 0)
    .execute()
}
