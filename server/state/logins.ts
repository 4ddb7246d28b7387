import { randomBytes } from 'node:crypto'
import { invalid, QueryError } from '../../engine/base/errors.ts'
import { network } from '../limits/throttle.ts'
import { type Tier, tiers } from '../limits/tiers.ts'
import type { AccountRecord, Accounts, Invitation, OpenedSession, Role, SignIn, Visitor } from './accounts.ts'
import { allowed, attempt, succeeded } from './attempts.ts'
import { checkPassword, passwords } from './password.ts'
import { checkEmail, seated, seatIn } from './seats.ts'
import { hashOf } from './secret.ts'
import type { Db, Store } from './store.ts'

type Logins = Pick<
  Accounts,
  | 'createAccount'
  | 'accounts'
  | 'changeAccount'
  | 'resetAccount'
  | 'enableAccount'
  | 'removeSeat'
  | 'signIn'
  | 'changePassword'
  | 'acceptLink'
>

/** How long a link that sets a password is in force. */
export const LINK_MS = 3 * 86_400_000

const iso = (at: number): string => new Date(at).toISOString()
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

/** @param open begins a session */
export function logins(
  store: Store,
  secret: Uint8Array,
  now: () => number,
  open: (tx: Db, email: string, from: Visitor) => Promise<OpenedSession>,
): Logins {
  const { db } = store
  const { hash, matches } = passwords(secret)
  const linkHash = (token: string) => hashOf(secret, `link ${token}`)

  const recordOf = async (from: Db, email: string): Promise<AccountRecord> => {
    const row = await rows(from).where('logins.email', '=', email).executeTakeFirst()
    if (!row) throw noAccount(email)
    return record(row, now())
  }

  /** Puts a new link in force, which is then the only way in. */
  const invite = async (tx: Db, email: string): Promise<Invitation> => {
    const token = randomBytes(32).toString('base64url')
    await tx.deleteFrom('sessions').where('email', '=', email).execute()
    await tx
      .updateTable('logins')
      .set({ password: null, link_hash: linkHash(token), link_until: now() + LINK_MS })
      .where('email', '=', email)
      .execute()
    return { ...(await recordOf(tx, email)), token }
  }

  /** Milliseconds to wait before another try. */
  const locked = async (who: string, most: number): Promise<number> =>
    store.transaction(tx => attempt(tx, who, most, now()))

  /** Lets somebody in whose password is right; what is tried in vain is counted. */
  const prove = async (
    given: { email: string; password: unknown },
    from: Visitor,
    enter: (tx: Db, email: string) => Promise<OpenedSession>,
  ): Promise<SignIn> => {
    const email = given.email.trim().toLowerCase()
    const login = await db
      .selectFrom('logins')
      .select(['email', 'password', 'disabled_at'])
      .where('email', '=', email)
      .executeTakeFirst()
    const known = login?.email ?? null
    const [who, address] = [whoIs(secret, email), `address ${network(from.address)}`]
    const wait = (await locked(address, allowed.address)) || (await locked(who, allowed.email))
    if (wait > 0) return { kind: 'locked', email: known, seconds: Math.ceil(wait / 1000) }
    const hashed = login?.disabled_at === null ? login.password : null
    if (!(await matches(hashed, given.password))) return { kind: 'wrong', email: known }
    return store.durably(async tx => {
      await succeeded(tx, who, address)
      // The password may have been changed while it was looked at, or the account disabled.
      const still = await tx
        .selectFrom('logins')
        .select('email')
        .where('email', '=', email)
        .where('password', '=', hashed)
        .where('disabled_at', 'is', null)
        .executeTakeFirst()
      return still ? { kind: 'in', ...(await enter(tx, email)) } : { kind: 'wrong', email: known }
    })
  }

  return {
    async createAccount({ email: given, role = 'user', tier, owner }) {
      const email = checkEmail(given)
      return store.durably(async tx => {
        const accountId = await seatIn(tx, owner === undefined ? email : checkEmail(owner), email, now())
        const made = await tx
          .insertInto('logins')
          .values({ email, role, created_at: now() })
          .onConflict(c => c.column('email').doNothing())
          .returning('email')
          .executeTakeFirst()
        if (!made)
          throw invalid(
            'email',
            email,
            `email ${email} has an account already: "tranche accounts reset ${email}" gives it a new link`,
          )
        const highest = tier ?? (await highestTier(tx, accountId))
        await tx
          .updateTable('accounts')
          .set({ tier: highest })
          .where('id', '=', accountId)
          .$if(tier === undefined, q => q.where('tier', 'is', null))
          .execute()
        return invite(tx, email)
      })
    },

    async accounts({ email, accountId } = {}, part) {
      let wanted = rows(db)
      if (email !== undefined) wanted = wanted.where('logins.email', '=', checkEmail(email))
      if (accountId !== undefined) wanted = wanted.where('accounts.id', '=', accountId)
      const { total } = await wanted
        .clearSelect()
        .select(e => e.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      let ordered = wanted.orderBy('accounts.email').orderBy('logins.created_at').orderBy('logins.email')
      if (part) ordered = ordered.limit(part.limit).offset(part.offset)
      return { rows: (await ordered.execute()).map(row => record(row, now())), total }
    },

    async changeAccount(given, { role, tier }) {
      const email = checkEmail(given)
      return store.durably(async tx => {
        const { accountId } = await recordOf(tx, email)
        if (role) await tx.updateTable('logins').set({ role }).where('email', '=', email).execute()
        if (tier) await tx.updateTable('accounts').set({ tier }).where('id', '=', accountId).execute()
        return recordOf(tx, email)
      })
    },

    async resetAccount(given) {
      const email = checkEmail(given)
      return store.durably(async tx => {
        await tx.deleteFrom('attempts').where('who', '=', whoIs(secret, email)).execute()
        return invite(tx, email)
      })
    },

    async enableAccount(given, enabled) {
      const email = checkEmail(given)
      return store.durably(async tx => {
        const disabled_at = enabled ? null : now()
        await tx.updateTable('logins').set({ disabled_at }).where('email', '=', email).execute()
        if (!enabled) await tx.deleteFrom('sessions').where('email', '=', email).execute()
        return recordOf(tx, email)
      })
    },

    async removeSeat(accountId, given) {
      const email = checkEmail(given)
      await store.durably(async tx => {
        const there = await tx
          .deleteFrom('members')
          .where('email', '=', email)
          .where('account_id', '=', accountId)
          .returning('email')
          .executeTakeFirst()
        if (!there) throw new QueryError('NOT_FOUND', `${email} has no seat in this account`, { email })
        await tx.deleteFrom('sessions').where('email', '=', email).execute()
        await tx.deleteFrom('logins').where('email', '=', email).execute()
        await tx
          .updateTable('keys')
          .set({ revoked_at: now() })
          .where('account_id', '=', accountId)
          .where('email', '=', email)
          .where('revoked_at', 'is', null)
          .execute()
      })
    },

    signIn: (given, from) => prove(given, from, (tx, email) => open(tx, email, from)),

    async changePassword({ email, current, password }, from) {
      const hashed = await hash(checkPassword(password, email))
      return prove({ email, password: current }, from, async tx => {
        await tx.updateTable('logins').set({ password: hashed }).where('email', '=', email).execute()
        await tx.deleteFrom('sessions').where('email', '=', email).execute()
        return open(tx, email, from)
      })
    },

    async acceptLink({ token, password }, from) {
      const email = await linked(db, linkHash(token), now())
      if (email === null) return null
      const hashed = await hash(checkPassword(password, email))
      return store.durably(async tx => {
        const used = await tx
          .updateTable('logins')
          .set({ password: hashed, link_hash: null, link_until: null })
          .where('email', '=', email)
          .where('link_hash', '=', linkHash(token))
          .where('link_until', '>', now())
          .where('disabled_at', 'is', null)
          .returning('email')
          .executeTakeFirst()
        if (!used) return null
        await tx.deleteFrom('sessions').where('email', '=', email).execute()
        await tx.deleteFrom('attempts').where('who', '=', whoIs(secret, email)).execute()
        return open(tx, email, from)
      })
    },
  }
}

/** What tries are counted under: what is typed for an email may be a password. */
const whoIs = (secret: Uint8Array, email: string): string => `email ${hashOf(secret, `email ${email}`)}`

const noAccount = (email: string) =>
  new QueryError('NOT_FOUND', `${email} has no account: "tranche accounts list" shows those there are`, {
    email,
  })

const linked = async (db: Db, link_hash: string, now: number): Promise<string | null> =>
  (
    await db
      .selectFrom('logins')
      .select('email')
      .where('link_hash', '=', link_hash)
      .where('link_until', '>', now)
      .where('disabled_at', 'is', null)
      .executeTakeFirst()
  )?.email ?? null

async function highestTier(tx: Db, accountId: string): Promise<Tier> {
  const held = (await seated(tx, accountId)).flatMap(one => one.tier ?? [])
  return held.sort((a, b) => tiers[b].rank - tiers[a].rank)[0] ?? 'pay_as_you_go'
}

const rows = (db: Db) =>
  db
    .selectFrom('logins')
    .innerJoin('members', 'members.email', 'logins.email')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select([
      'logins.email as email',
      'accounts.id as account_id',
      'accounts.email as owner',
      'logins.role as role',
      'accounts.tier as tier',
      'logins.password as password',
      'logins.link_until as link_until',
      'logins.created_at as created_at',
      'logins.signed_in_at as signed_in_at',
      'logins.disabled_at as disabled_at',
    ])

interface Row {
  email: string
  account_id: string
  owner: string
  role: Role
  tier: Tier | null
  password: string | null
  link_until: number | null
  created_at: number
  signed_in_at: number | null
  disabled_at: number | null
}

const record = (row: Row, now: number): AccountRecord => ({
  email: row.email,
  accountId: row.account_id,
  owner: row.owner,
  role: row.role,
  tier: row.tier ?? 'pay_as_you_go',
  hasPassword: row.password !== null,
  linkUntil: row.link_until !== null && row.link_until > now ? iso(row.link_until) : null,
  createdAt: iso(row.created_at),
  signedInAt: isoOrNull(row.signed_in_at),
  disabledAt: isoOrNull(row.disabled_at),
})
