import { randomBytes } from 'node:crypto'
import { invalid, QueryError } from '../../engine/base/errors.ts'
import type { Tier } from '../limits/tiers.ts'
import { accountOf, accountRecord, accountRows, highestTier } from './account-rows.ts'
import type { Accounts, Invitation, Role } from './accounts.ts'
import { recordChanges } from './audit.ts'
import { checkEmail, seatIn } from './seats.ts'
import { attemptsOf, linkHash } from './sign-in.ts'
import type { Db, Store } from './store.ts'

type AccountAdmin = Pick<
  Accounts,
  'createAccount' | 'accounts' | 'changeAccount' | 'resetAccount' | 'enableAccount' | 'removeSeat'
>

/** Lifetime of a link that sets a password. */
const LINK_MS = 3 * 86_400_000

/** What an administrator or an owner can do to the accounts of others. */
export function accountAdmin(store: Store, secret: Uint8Array, now: () => number): AccountAdmin {
  const { db } = store
  const changed = recordChanges(now)
  return {
    async createAccount({ email: given, role = 'user', tier, owner, by }) {
      const email = checkEmail(given)
      return store.durably(async tx => {
        const accountId = await seatIn(tx, owner === undefined ? email : checkEmail(owner), email, now())
        await insertLogin(tx, email, role, now())
        await setTier(tx, accountId, tier)
        await changed(tx, by, 'account created', email, { role, tier, owner })
        return invite(tx, secret, email, now())
      })
    },

    async accounts({ email, accountId } = {}, part) {
      let wanted = accountRows(db)
      if (email !== undefined) wanted = wanted.where('logins.email', '=', checkEmail(email))
      if (accountId !== undefined) wanted = wanted.where('accounts.id', '=', accountId)
      const { total } = await wanted
        .clearSelect()
        .select(e => e.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      let ordered = wanted.orderBy('accounts.email').orderBy('logins.created_at').orderBy('logins.email')
      if (part) ordered = ordered.limit(part.limit).offset(part.offset)
      return { rows: (await ordered.execute()).map(row => accountRecord(row, now())), total }
    },

    async changeAccount(given, { role, tier }, by) {
      const email = checkEmail(given)
      return store.durably(async tx => {
        const { accountId } = await accountOf(tx, email, now())
        if (role) await tx.updateTable('logins').set({ role }).where('email', '=', email).execute()
        if (tier) await tx.updateTable('accounts').set({ tier }).where('id', '=', accountId).execute()
        await changed(tx, by, 'account changed', email, { role, tier })
        return accountOf(tx, email, now())
      })
    },

    async resetAccount(given, by) {
      const email = checkEmail(given)
      return store.durably(async tx => {
        await tx.deleteFrom('attempts').where('who', '=', attemptsOf(secret, email)).execute()
        const made = await invite(tx, secret, email, now())
        await changed(tx, by, 'account reset', email)
        return made
      })
    },

    async enableAccount(given, enabled, by) {
      const email = checkEmail(given)
      return store.durably(async tx => {
        const disabled_at = enabled ? null : now()
        await tx.updateTable('logins').set({ disabled_at }).where('email', '=', email).execute()
        if (!enabled) await tx.deleteFrom('sessions').where('email', '=', email).execute()
        const account = await accountOf(tx, email, now())
        await changed(tx, by, enabled ? 'account enabled' : 'account disabled', email)
        return account
      })
    },

    async removeSeat(accountId, given, by) {
      const email = checkEmail(given)
      await store.durably(async tx => {
        await deleteSeat(tx, accountId, email, now())
        await changed(tx, by, 'seat removed', email)
      })
    },
  }
}

async function insertLogin(tx: Db, email: string, role: Role, now: number): Promise<void> {
  const made = await tx
    .insertInto('logins')
    .values({ email, role, created_at: now })
    .onConflict(c => c.column('email').doNothing())
    .returning('email')
    .executeTakeFirst()
  if (!made)
    throw invalid(
      'email',
      email,
      `email ${email} has an account already: "tranche accounts reset ${email}" gives it a new link`,
    )
}

/** Sets the tier of an account; by default the highest of its keys, unless it has one already. */
async function setTier(tx: Db, accountId: string, tier: Tier | undefined): Promise<void> {
  const chosen = tier ?? (await highestTier(tx, accountId))
  await tx
    .updateTable('accounts')
    .set({ tier: chosen })
    .where('id', '=', accountId)
    .$if(tier === undefined, q => q.where('tier', 'is', null))
    .execute()
}

/** Creates a new link, which is then the only way to sign in. */
async function invite(tx: Db, secret: Uint8Array, email: string, now: number): Promise<Invitation> {
  const token = randomBytes(32).toString('base64url')
  await tx.deleteFrom('sessions').where('email', '=', email).execute()
  await tx
    .updateTable('logins')
    .set({ password: null, link_hash: linkHash(secret, token), link_until: now + LINK_MS })
    .where('email', '=', email)
    .execute()
  return { ...(await accountOf(tx, email, now)), token }
}

async function deleteSeat(tx: Db, accountId: string, email: string, now: number): Promise<void> {
  const removed = await tx
    .deleteFrom('members')
    .where('email', '=', email)
    .where('account_id', '=', accountId)
    .returning('email')
    .executeTakeFirst()
  if (!removed) throw new QueryError('NOT_FOUND', `${email} has no seat in this account`, { email })
  await tx.deleteFrom('sessions').where('email', '=', email).execute()
  await tx.deleteFrom('watchlist_looks').where('email', '=', email).execute()
  await tx.deleteFrom('logins').where('email', '=', email).execute()
  await tx
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('email', '=', email)
    .where('revoked_at', 'is', null)
    .execute()
}
