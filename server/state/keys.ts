import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { invalid, QueryError } from '../../engine/errors.ts'
import { type Tier, tiers } from '../tiers.ts'
import { addCredits, checkAmount } from './credits.ts'
import { noKey, revoked } from './no-key.ts'
import { prepared } from './prepared.ts'
import { hashOf, isKey, newKey, sameHash, shownPart } from './secret.ts'
import type { KeyRecord, Principal, State } from './state.ts'
import type { Db, Store } from './store.ts'
import type { Tables } from './tables.ts'

type Keys = Pick<State, 'createKey' | 'listKeys' | 'regenerateKey' | 'revokeKey' | 'authenticate' | 'seats'>

const iso = (instant: number): string => new Date(instant).toISOString()

const principal = (row: Selectable<Tables['keys']>): Principal => ({
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

export function keys(store: Store, secret: Uint8Array, prefix: string, now: () => number): Keys {
  const { db } = store
  const byHash = prepared((v: { hash: string }) =>
    db.selectFrom('keys').selectAll().where('hash', '=', v.hash).where('revoked_at', 'is', null),
  )
  const records = (from: Db) =>
    from
      .selectFrom('keys')
      .innerJoin('credits', 'credits.key_id', 'keys.id')
      .selectAll('keys')
      .select('credits.remaining')
  const recordOf = (from: Db, keyId: string) => records(from).where('keys.id', '=', keyId).executeTakeFirst()

  return {
    async createKey({ email, tier, label = null, credits = 0, account }) {
      const owner = checkEmail(account ?? email)
      const member = checkEmail(email)
      if (credits !== 0) checkAmount(credits)
      const key = newKey(prefix)
      const id = randomUUID()
      return store.durably(async tx => {
        const account_id = await (owner === member
          ? accountOf(tx, member, now())
          : accountOwnedBy(tx, owner, member, now()))
        await takeSeat(tx, account_id, member, now())
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
        return { ...principal({ ...row, revoked_at: null, last_used_at: null }), key, credits }
      })
    },

    async listKeys({ accountId, revoked: dead } = {}) {
      let wanted = records(db)
      if (accountId !== undefined) wanted = wanted.where('keys.account_id', '=', accountId)
      if (dead !== undefined) wanted = wanted.where('keys.revoked_at', dead ? 'is not' : 'is', null)
      return (await wanted.orderBy('keys.created_at').orderBy('keys.id').execute()).map(record)
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

    async authenticate(presented) {
      if (!isKey(presented)) return null
      const hash = hashOf(secret, presented)
      const [row] = await byHash(db, { hash })
      return row && sameHash(row.hash, hash) ? principal(row) : null
    },

    async seats(accountId) {
      return seatsOf(await inForce(db, accountId))
    },
  }
}

function checkEmail(email: string): string {
  const said = email.trim().toLowerCase()
  if (/^[^\s@]+@[^\s@]+$/.test(said) && said.length <= 254) return said
  throw invalid('email', email.slice(0, 120), 'email must be an address, NAME@DOMAIN')
}

/** The account that an email belongs to, made where it belongs to none. */
async function accountOf(tx: Db, email: string, at: number): Promise<string> {
  const id = randomUUID()
  if (!(await join(tx, email, id, at))) return accountWith(tx, email)
  await tx.insertInto('accounts').values({ id, email, created_at: at, seated_at: at }).execute()
  return id
}

/** The account of `owner`, which `member` joins unless it is in it already. */
async function accountOwnedBy(tx: Db, owner: string, member: string, at: number): Promise<string> {
  const account = await tx.selectFrom('accounts').select('id').where('email', '=', owner).executeTakeFirst()
  if (!account)
    throw new QueryError(
      'NOT_FOUND',
      `${owner} owns no account: create a key of the owner first ("tranche keys create --email ${owner} ...")`,
      { account: owner },
    )
  if (!(await join(tx, member, account.id, at)) && (await accountWith(tx, member)) !== account.id)
    throw invalid('email', member, `email ${member} belongs to another account: use one that does not`)
  return account.id
}

/** True where the email belonged to no account. */
async function join(tx: Db, email: string, account_id: string, created_at: number): Promise<boolean> {
  const joined = await tx
    .insertInto('members')
    .values({ email, account_id, created_at })
    .onConflict(c => c.column('email').doNothing())
    .returning('email')
    .executeTakeFirst()
  return joined !== undefined
}

const accountWith = async (tx: Db, email: string): Promise<string> =>
  (await tx.selectFrom('members').select('account_id').where('email', '=', email).executeTakeFirstOrThrow())
    .account_id

/** Throws where an email has no seat in an account and none is free; the owner always has one. */
async function takeSeat(tx: Db, accountId: string, email: string, seated_at: number): Promise<void> {
  // The update locks the account: of two who want the last seat at once the second waits, and then sees the first.
  const account = await tx
    .updateTable('accounts')
    .set({ seated_at })
    .where('id', '=', accountId)
    .returning('email')
    .executeTakeFirstOrThrow()
  const held = await inForce(tx, accountId)
  if (email === account.email || held.some(key => key.email === email)) return
  const { used, total } = seatsOf(held)
  if (used < total) return
  const most = tiers.business.seats
  throw invalid(
    'account',
    account.email,
    total < most
      ? `account ${account.email} has one seat: create a business key of its owner first, for ${most} seats`
      : `account ${account.email} has no free seat, all ${total} are taken: revoke the keys of one of its members first`,
    { seats: total },
  )
}

interface Seated {
  email: string
  tier: Tier
}

const inForce = (db: Db, accountId: string): Promise<Seated[]> =>
  db
    .selectFrom('keys')
    .select(['email', 'tier'])
    .distinct()
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .execute()

/** Every email with a key in force has a seat; there are as many as the highest tier among the keys brings. */
const seatsOf = (keys: readonly Seated[]): { used: number; total: number } => ({
  used: new Set(keys.map(key => key.email)).size,
  total: Math.max(1, ...keys.map(key => tiers[key.tier].seats)),
})
