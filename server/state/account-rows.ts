import { QueryError } from '../../engine/base/errors.ts'
import { type Tier, tiers } from '../limits/tiers.ts'
import type { AccountRecord, Role } from './accounts.ts'
import { seatHolders } from './seats.ts'
import type { Db } from './store.ts'

interface AccountRow {
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

/** Everybody who can sign in, with their account. */
export const accountRows = (db: Db) =>
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

const iso = (at: number): string => new Date(at).toISOString()
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

export const accountRecord = (row: AccountRow, now: number): AccountRecord => ({
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

/** @throws NOT_FOUND where nobody signs in with this email */
export async function accountOf(db: Db, email: string, now: number): Promise<AccountRecord> {
  const row = await accountRows(db).where('logins.email', '=', email).executeTakeFirst()
  if (row) return accountRecord(row, now)
  throw new QueryError('NOT_FOUND', `${email} has no account: "tranche accounts list" lists them`, {
    email,
  })
}

/** The highest tier of an account's keys. */
export async function highestTier(db: Db, accountId: string): Promise<Tier> {
  const heldTiers = (await seatHolders(db, accountId)).flatMap(one => one.tier ?? [])
  return heldTiers.sort((a, b) => tiers[b].rank - tiers[a].rank)[0] ?? 'pay_as_you_go'
}
