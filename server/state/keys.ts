import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { QueryError } from '../../engine/base/errors.ts'
import { addCredits, checkAmount } from './credits.ts'
import { textOf } from './each.ts'
import type { RollUpCalls } from './filing.ts'
import { grouped } from './grouped.ts'
import { knownKeys } from './known-keys.ts'
import { noKey, revoked } from './no-key.ts'
import { prepared } from './prepared.ts'
import { checkEmail, counted, seated, seatIn } from './seats.ts'
import { hashOf, isKey, newKey, shownPart } from './secret.ts'
import type { KeyRecord, Principal, State } from './state.ts'
import type { Db, Store } from './store.ts'
import type { Tables } from './tables.ts'

type Keys = Pick<
  State,
  'createKey' | 'listKeys' | 'labelKey' | 'regenerateKey' | 'revokeKey' | 'authenticate' | 'seats'
>

const iso = (instant: number): string => new Date(instant).toISOString()

/** A row as whose key it is. */
export const principal = (
  row: Omit<Selectable<Tables['keys']>, 'revoked_at' | 'last_used_at'>,
): Principal => ({
  keyId: row.id,
  accountId: row.account_id,
  email: row.email,
  tier: row.tier,
  label: row.label,
  prefix: row.prefix,
  createdAt: iso(row.created_at),
})

const record = (row: Selectable<Tables['keys']> & { remaining: number }): KeyRecord => ({
  ...principal(row),
  credits: row.remaining,
  revokedAt: row.revoked_at === null ? null : iso(row.revoked_at),
  lastUsedAt: row.last_used_at === null ? null : iso(row.last_used_at),
})

export function keys(
  store: Store,
  secret: Uint8Array,
  prefix: string,
  now: () => number,
  file: RollUpCalls,
): Keys {
  const { db } = store
  const byHashes = prepared((v: { hashes: string }) =>
    db
      .selectFrom('keys')
      .selectAll()
      .where('hash', 'in', e =>
        e.selectFrom(store.each(v.hashes).as('one')).select(textOf('hash').as('hash')),
      )
      .where('revoked_at', 'is', null),
  )
  const inForce = grouped(async (hashes: readonly string[]) => {
    const asked = [...new Set(hashes)].map(hash => ({ hash }))
    const rows = await byHashes(db, { hashes: JSON.stringify(asked) })
    const found = new Map(rows.map(row => [row.hash, principal(row)]))
    return hashes.map(hash => found.get(hash) ?? null)
  })
  const principalOf = knownKeys(store, presented => inForce(hashOf(secret, presented)))
  const records = (from: Db) =>
    from
      .selectFrom('keys')
      .innerJoin('credits', 'credits.key_id', 'keys.id')
      .selectAll('keys')
      .select('credits.remaining')
  const recordOf = (from: Db, keyId: string) => records(from).where('keys.id', '=', keyId).executeTakeFirst()

  return {
    async createKey({ email, tier, label = null, credits = 0, account, most }) {
      const owner = checkEmail(account ?? email)
      const member = checkEmail(email)
      if (credits !== 0) checkAmount(credits)
      const key = newKey(prefix)
      const id = randomUUID()
      return store.durably(async tx => {
        const account_id = await seatIn(tx, owner, member, now())
        if (most !== undefined) await checkRoom(tx, account_id, member, most)
        const row = {
          id,
          account_id,
          email: member,
          tier,
          label: label?.trim() || null,
          prefix: shownPart(key),
          hash: hashOf(secret, key),
          created_at: now(),
        }
        await tx.insertInto('keys').values(row).execute()
        await tx.insertInto('credits').values({ key_id: id, remaining: 0, purchased: 0 }).execute()
        await tx.insertInto('windows').values({ key_id: id, started_at: 0, used: 0 }).execute()
        if (credits > 0) await addCredits(tx, id, credits, 'given with the key', now())
        return { ...principal(row), key, credits }
      })
    },

    async listKeys({ accountId, revoked: dead } = {}) {
      await store.transaction(file)
      let wanted = records(db)
      if (accountId !== undefined) wanted = wanted.where('keys.account_id', '=', accountId)
      if (dead !== undefined) wanted = wanted.where('keys.revoked_at', dead ? 'is not' : 'is', null)
      return (await wanted.orderBy('keys.created_at').orderBy('keys.id').execute()).map(record)
    },

    async labelKey(keyId, label) {
      return store.durably(async tx => {
        await file(tx)
        await tx
          .updateTable('keys')
          .set({ label: label?.trim() || null })
          .where('id', '=', keyId)
          .execute()
        const row = await recordOf(tx, keyId)
        if (!row) throw noKey(keyId)
        return record(row)
      })
    },

    async regenerateKey(keyId) {
      const key = newKey(prefix)
      return store.durably(async tx => {
        const changed = await tx
          .updateTable('keys')
          .set({ hash: hashOf(secret, key), prefix: shownPart(key) })
          .where('id', '=', keyId)
          .where('revoked_at', 'is', null)
          .returning('id')
          .executeTakeFirst()
        const row = await recordOf(tx, keyId)
        if (!row) throw noKey(keyId)
        if (!changed) throw revoked(keyId)
        return { ...principal(row), key, credits: row.remaining }
      })
    },

    async revokeKey(keyId) {
      return store.durably(async tx => {
        await file(tx)
        await tx
          .updateTable('keys')
          .set({ revoked_at: now() })
          .where('id', '=', keyId)
          .where('revoked_at', 'is', null)
          .execute()
        const row = await recordOf(tx, keyId)
        if (!row) throw noKey(keyId)
        return record(row)
      })
    },

    authenticate(presented) {
      return isKey(presented) ? principalOf(presented) : null
    },

    async seats(accountId) {
      return counted(await seated(db, accountId))
    },
  }
}

/** Throws where an email has its share of an account's keys. */
async function checkRoom(tx: Db, accountId: string, email: string, most: number): Promise<void> {
  const { held } = await tx
    .selectFrom('keys')
    .select(e => e.fn.countAll<number>().as('held'))
    .where('account_id', '=', accountId)
    .where('email', '=', email)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (held >= most)
    throw new QueryError('FORBIDDEN', `you have ${most} keys, which is all you may: revoke one first`, {
      reason: 'too_many_keys',
      max: most,
    })
}
