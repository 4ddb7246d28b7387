import { randomUUID } from 'node:crypto'
import { invalid, QueryError } from '../../engine/base/errors.ts'
import { largest } from '../../engine/base/lists.ts'
import { type Tier, tiers } from '../limits/tiers.ts'
import type { Db } from './store.ts'

/** A normalised email; throws if it is not one. */
export function checkEmail(email: string): string {
  const normalised = email.trim().toLowerCase()
  if (/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(normalised) && normalised.length <= 254) return normalised
  throw invalid('email', email.slice(0, 120), 'email must be an address, NAME@DOMAIN')
}

/** The account of `member`, created if necessary; or that of `owner`, in which it takes a seat. */
export async function seatIn(tx: Db, owner: string, member: string, at: number): Promise<string> {
  const accountId =
    owner === member ? await accountOf(tx, member, at) : await accountOwnedBy(tx, owner, member, at)
  await takeSeat(tx, accountId, member, at)
  return accountId
}

async function accountOf(tx: Db, email: string, at: number): Promise<string> {
  const id = randomUUID()
  if (!(await join(tx, email, id, at))) return accountWith(tx, email)
  await tx.insertInto('accounts').values({ id, email, created_at: at, seated_at: at }).execute()
  return id
}

/** The account of `owner`, which `member` joins unless already in it. */
async function accountOwnedBy(tx: Db, owner: string, member: string, at: number): Promise<string> {
  const account = await tx.selectFrom('accounts').select('id').where('email', '=', owner).executeTakeFirst()
  if (!account)
    throw new QueryError(
      'NOT_FOUND',
      `${owner} owns no account: create a key of the owner first ("tranche keys create --email ${owner} ...")`,
      { account: owner },
    )
  if (!(await join(tx, member, account.id, at)) && (await accountWith(tx, member)) !== account.id)
    throw invalid('email', member, `email ${member} belongs to another account: use another`)
  return account.id
}

/** Whether the email belonged to no account. */
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

/** Throws if an email has no seat in an account and none is free; the owner always has one. */
async function takeSeat(tx: Db, accountId: string, email: string, seated_at: number): Promise<void> {
  // The update locks the account: of two requests for the last seat the second waits, and then sees the first.
  const account = await tx
    .updateTable('accounts')
    .set({ seated_at })
    .where('id', '=', accountId)
    .returning('email')
    .executeTakeFirstOrThrow()
  const holders = await seatHolders(tx, accountId)
  if (email === account.email || holders.some(one => one.email === email)) return
  const { used, total } = countSeats(holders)
  if (used < total) return
  const most = tiers.business.seats
  throw invalid(
    'account',
    account.email,
    total < most
      ? `account ${account.email} has one seat: a business key of its owner, or the business tier, makes it ${most}`
      : `account ${account.email} has no free seat, all ${total} are taken: remove one first`,
    { seats: total },
  )
}

interface Seated {
  readonly email: string
  readonly tier: Tier | null
}

/** Seat holders: every email with an active key, and everybody who may sign in. */
export const seatHolders = (db: Db, accountId: string): Promise<Seated[]> =>
  db
    .selectFrom('logins')
    .innerJoin('members', 'members.email', 'logins.email')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select(['logins.email as email', 'accounts.tier as tier'])
    .where('members.account_id', '=', accountId)
    .union(
      db
        .selectFrom('keys')
        .select(['keys.email as email', 'keys.tier as tier'])
        .where('keys.account_id', '=', accountId)
        .where('keys.revoked_at', 'is', null),
    )
    .execute()

/** The number of seats is that of the highest tier of the account or its keys. */
export const countSeats = (holders: readonly Seated[]): { used: number; total: number } => ({
  used: new Set(holders.map(one => one.email)).size,
  total: largest(
    holders.map(one => (one.tier ? tiers[one.tier].seats : 1)),
    1,
  ),
})
