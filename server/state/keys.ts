import { randomUUID } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import { QueryError } from '../../engine/base/errors.ts'
import { recordChanges } from './audit.ts'
import type { RollUpCalls } from './call-rollup.ts'
import { addCredits, checkAmount } from './credits.ts'
import { textOf } from './each.ts'
import { grouped } from './grouped.ts'
import { knownKeys } from './known-keys.ts'
import { noKey, revoked } from './no-key.ts'
import { prepared } from './prepared.ts'
import { checkEmail, countSeats, seatHolders, seatIn } from './seats.ts'
import { hashOf, isKey, newKey, visiblePart } from './secret.ts'
import type { KeyRecord, Principal, State } from './state.ts'
import type { Db, Store } from './store.ts'
import type { Tables } from './tables.ts'

type Keys = Pick<
  State,
  'createKey' | 'listKeys' | 'labelKey' | 'regenerateKey' | 'revokeKey' | 'authenticate' | 'seats'
>

const iso = (instant: number): string => new Date(instant).toISOString()

/** The owner of a key row. */
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

// Over 80 lines: the methods of keys, each a transaction, over the same statements.
export function keys(
  store: Store,
  secret: Uint8Array,
  prefix: string,
  now: () => number,
  file: RollUpCalls,
): Keys {
  const { db } = store
  const changed = recordChanges(now)
  const byHash = keysInForce(store)
  const hidden = (key: string) => ({ prefix: visiblePart(key), hash: hashOf(secret, key) })
  const principalOf = knownKeys(store, presented => byHash(hashOf(secret, presented)))
  return {
    async createKey({ email, tier, label = null, credits = 0, account, most, by }) {
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
          label: labelOf(label),
          ...hidden(key),
          created_at: now(),
        }
        await insertKey(tx, row)
        if (credits > 0) await addCredits(tx, id, credits, 'given with the key', now())
        await changed(tx, by, 'key created', id, {
          email: member,
          owner,
          tier,
          label: row.label,
          prefix: row.prefix,
          credits,
        })
        return { ...principal(row), key, credits }
      })
    },

    async listKeys(filter = {}) {
      await store.transaction(file)
      return (await matching(db, filter).execute()).map(record)
    },

    async labelKey(keyId, label, by) {
      return store.durably(async tx => {
        await file(tx)
        await tx
          .updateTable('keys')
          .set({ label: labelOf(label) })
          .where('id', '=', keyId)
          .execute()
        const row = await rowOf(tx, keyId)
        await changed(tx, by, 'key labelled', keyId, { label: row.label })
        return record(row)
      })
    },

    async regenerateKey(keyId, by) {
      const key = newKey(prefix)
      return store.durably(async tx => {
        const row = await replaceHash(tx, keyId, hidden(key))
        await changed(tx, by, 'key regenerated', keyId, { prefix: row.prefix })
        return { ...principal(row), key, credits: row.remaining }
      })
    },

    async revokeKey(keyId, by) {
      return store.durably(async tx => {
        await file(tx)
        const revoking = await tx
          .updateTable('keys')
          .set({ revoked_at: now() })
          .where('id', '=', keyId)
          .where('revoked_at', 'is', null)
          .returning('id')
          .executeTakeFirst()
        if (revoking) await changed(tx, by, 'key revoked', keyId)
        return record(await rowOf(tx, keyId))
      })
    },

    authenticate: presented => (isKey(presented) ? principalOf(presented) : null),

    seats: async accountId => countSeats(await seatHolders(db, accountId)),
  }
}

const labelOf = (label: string | null | undefined): string | null => label?.trim() || null

/** Finds the owners of active keys by hash: those of one tick of the event loop in one statement. */
function keysInForce(store: Store) {
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
  return grouped(async (hashes: readonly string[]) => {
    const wanted = [...new Set(hashes)].map(hash => ({ hash }))
    const rows = await byHashes(db, { hashes: JSON.stringify(wanted) })
    const found = new Map(rows.map(row => [row.hash, principal(row)]))
    return hashes.map(hash => found.get(hash) ?? null)
  })
}

const records = (db: Db) =>
  db
    .selectFrom('keys')
    .innerJoin('credits', 'credits.key_id', 'keys.id')
    .selectAll('keys')
    .select('credits.remaining')

function matching(db: Db, { accountId, revoked }: { accountId?: string; revoked?: boolean }) {
  let wanted = records(db)
  if (accountId !== undefined) wanted = wanted.where('keys.account_id', '=', accountId)
  if (revoked !== undefined) wanted = wanted.where('keys.revoked_at', revoked ? 'is not' : 'is', null)
  return wanted.orderBy('keys.created_at').orderBy('keys.id')
}

async function rowOf(db: Db, keyId: string) {
  const row = await records(db).where('keys.id', '=', keyId).executeTakeFirst()
  if (!row) throw noKey(keyId)
  return row
}

async function insertKey(tx: Db, row: Insertable<Tables['keys']>): Promise<void> {
  await tx.insertInto('keys').values(row).execute()
  await tx.insertInto('credits').values({ key_id: row.id, remaining: 0, purchased: 0 }).execute()
  await tx.insertInto('windows').values({ key_id: row.id, started_at: 0, used: 0 }).execute()
}

/** Gives a key another secret; throws if there is no such key, or it is revoked. */
async function replaceHash(tx: Db, keyId: string, secret: { prefix: string; hash: string }) {
  const changed = await tx
    .updateTable('keys')
    .set(secret)
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  const row = await rowOf(tx, keyId)
  if (!changed) throw revoked(keyId)
  return row
}

/** Throws if an email already has its maximum of an account's keys. */
async function checkRoom(tx: Db, accountId: string, email: string, most: number): Promise<void> {
  const { held } = await tx
    .selectFrom('keys')
    .select(e => e.fn.countAll<number>().as('held'))
    .where('account_id', '=', accountId)
    .where('email', '=', email)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (held >= most)
    throw new QueryError('FORBIDDEN', `you have ${most} active keys, the maximum: revoke one first`, {
      reason: 'too_many_keys',
      max: most,
    })
}
