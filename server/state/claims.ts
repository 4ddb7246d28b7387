import type { Selectable } from 'kysely'
import { prepared } from './prepared.ts'
import { REMEMBER_MS } from './runs.ts'
import type { State, StoredResponse } from './state.ts'
import type { Db, Store } from './store.ts'
import type { Tables } from './tables.ts'

type Claims = Pick<State, 'claim' | 'keep' | 'abandon'>

/**
 * @param holder registers this process as one with running requests, and returns its name
 */
export function claims({ db }: Store, holder: () => string | Promise<string>): Claims {
  const mine = prepared((v: { key_id: string; name: string; fingerprint: string; run: string; at: number }) =>
    db
      .insertInto('claims')
      .values({ key_id: v.key_id, name: v.name, fingerprint: v.fingerprint, run: v.run, at: v.at })
      .onConflict(c => c.columns(['key_id', 'name']).doNothing())
      .returning('name'),
  )
  return {
    async claim(keyId, name, fingerprint, now) {
      const run = await holder()
      for (;;) {
        const [made] = await mine(db, { key_id: keyId, name, fingerprint, run, at: now })
        if (made) return { kind: 'mine' }
        const row = await db
          .selectFrom('claims')
          .selectAll()
          .where('key_id', '=', keyId)
          .where('name', '=', name)
          .executeTakeFirst()
        // Released between the two statements.
        if (!row) continue
        const isRunning = row.status === null
        // A running request stays claimed, whatever the clock says: it would be charged twice.
        if (isRunning ? await lives(db, row.run) : now - row.at < REMEMBER_MS) {
          if (row.fingerprint !== fingerprint) return { kind: 'other' }
          return isRunning ? { kind: 'running' } : { kind: 'kept', answer: answerOf(row) }
        }
        await db
          .deleteFrom('claims')
          .where('key_id', '=', keyId)
          .where('name', '=', name)
          .where('run', '=', row.run)
          .where('at', '=', row.at)
          .execute()
      }
    },
    keep: (keyId, idempotencyKey, answer) => keepAnswer(db, keyId, idempotencyKey, answer),
    async abandon(keyId, name) {
      await db
        .deleteFrom('claims')
        .where('key_id', '=', keyId)
        .where('name', '=', name)
        .where('status', 'is', null)
        .where('run', '=', await holder())
        .execute()
    },
  }
}

export async function keepAnswer(db: Db, keyId: string, name: string, answer: StoredResponse): Promise<void> {
  await db
    .updateTable('claims')
    .set({ status: answer.status, headers: JSON.stringify(answer.headers), body: Buffer.from(answer.body) })
    .where('key_id', '=', keyId)
    .where('name', '=', name)
    .execute()
}

const lives = async (db: Db, run: string): Promise<boolean> =>
  (await db.selectFrom('runs').select('id').where('id', '=', run).executeTakeFirst()) !== undefined

const answerOf = ({ status, headers, body }: Selectable<Tables['claims']>): StoredResponse => ({
  status: status!,
  headers: JSON.parse(headers!),
  body: new Uint8Array(body!),
})
