import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Accounts, OpenedSession, Session, SessionRecord, Visitor } from './accounts.ts'
import { principal } from './keys.ts'
import { prepared } from './prepared.ts'
import { hashOf } from './secret.ts'
import type { Db, Store } from './store.ts'

type Sessions = Pick<Accounts, 'openSession' | 'session' | 'chooseKey' | 'sessions' | 'endSession'> & {
  /** Begins a session inside a transaction. */
  readonly open: (tx: Db, email: string, from: Visitor) => Promise<OpenedSession>
}

/** A session ends after this long without use, and this long after it began in any case. */
const IDLE_MS = 12 * 3_600_000
const LONGEST_MS = 7 * 86_400_000
/** Interval at which the time of last use is written. */
const SEEN_MS = 60_000
/** Sessions of one email; the oldest ones end first. */
const MOST = 20

const iso = (at: number): string => new Date(at).toISOString()

export function sessions(store: Store, secret: Uint8Array, now: () => number): Sessions {
  const { db } = store
  const tokenHash = (token: string) => hashOf(secret, `session ${token}`)
  const { byHash, keyOf } = statements(db)

  const find = async (from: Db, token: string): Promise<Session | null> => {
    if (!/^[\w-]{43}$/.test(token)) return null
    const at = now()
    const [row] = await byHash(from, { hash: tokenHash(token), now: at, idle: at - IDLE_MS })
    if (!row) return null
    const { id, email, account_id, owner, role, tier, key_id, seen_at } = row
    if (at - seen_at > SEEN_MS)
      await from.updateTable('sessions').set({ seen_at: at }).where('id', '=', id).execute()
    const [key] = await keyOf(from, { account: account_id, email, owner, chosen: key_id })
    return {
      id,
      email,
      accountId: account_id,
      owner,
      isOwner: owner === email,
      role,
      tier: tier ?? 'pay_as_you_go',
      csrf: hashOf(secret, `csrf ${token}`),
      key: key ? principal(key) : null,
    }
  }

  const open = async (tx: Db, email: string, { address, agent }: Visitor): Promise<OpenedSession> => {
    const at = now()
    await tx
      .deleteFrom('sessions')
      .where(e => e.or([e('ends_at', '<=', at), e('seen_at', '<=', at - IDLE_MS)]))
      .execute()
    const newest = tx
      .selectFrom('sessions')
      .select('id')
      .where('email', '=', email)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(MOST - 1)
    await tx.deleteFrom('sessions').where('email', '=', email).where('id', 'not in', newest).execute()
    const token = randomBytes(32).toString('base64url')
    const row = {
      id: randomUUID(),
      hash: tokenHash(token),
      email,
      agent,
      address,
      created_at: at,
      seen_at: at,
      ends_at: at + LONGEST_MS,
    }
    await tx.insertInto('sessions').values(row).execute()
    await tx.updateTable('logins').set({ signed_in_at: at }).where('email', '=', email).execute()
    return { token, session: (await find(tx, token))!, endsAt: row.ends_at }
  }

  return {
    open,
    openSession: (email, from) => store.transaction(tx => open(tx, email, from)),
    session: token => find(db, token),
    async chooseKey(sessionId, keyId) {
      await db.updateTable('sessions').set({ key_id: keyId }).where('id', '=', sessionId).execute()
    },
    sessions: email => sessionsOf(db, email, now()),
    async endSession(email, id) {
      const gone = await db
        .deleteFrom('sessions')
        .where('email', '=', email)
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      return gone !== undefined
    },
  }
}

function statements(db: Db) {
  const byHash = prepared((v: { hash: string; now: number; idle: number }) =>
    db
      .selectFrom('sessions')
      .innerJoin('logins', 'logins.email', 'sessions.email')
      .innerJoin('members', 'members.email', 'sessions.email')
      .innerJoin('accounts', 'accounts.id', 'members.account_id')
      .select([
        'sessions.id as id',
        'sessions.email as email',
        'sessions.key_id as key_id',
        'sessions.seen_at as seen_at',
        'logins.role as role',
        'accounts.id as account_id',
        'accounts.email as owner',
        'accounts.tier as tier',
      ])
      .where('sessions.hash', '=', v.hash)
      .where('sessions.ends_at', '>', v.now)
      .where('sessions.seen_at', '>', v.idle)
      .where('logins.disabled_at', 'is', null),
  )
  /**
   * The key chosen for a session among those that the person may use, else the first. An owner may use all keys of
   * the account.
   */
  const keyOf = prepared((v: { account: string; email: string; owner: string; chosen: string | null }) =>
    db
      .selectFrom('keys')
      .selectAll()
      .where('account_id', '=', v.account)
      .where('revoked_at', 'is', null)
      .where(e => e.or([e('email', '=', v.email), e(e.cast(e.val(v.owner), 'text'), '=', v.email)]))
      .orderBy(e => e.case().when('id', '=', v.chosen).then(sql.lit(0)).else(sql.lit(1)).end())
      .orderBy(e => e.case().when('email', '=', v.email).then(sql.lit(0)).else(sql.lit(1)).end())
      .orderBy('created_at')
      .orderBy('id')
      .limit(sql.lit(1)),
  )
  return { byHash, keyOf }
}

/** The active sessions of an email, most recently used first. */
async function sessionsOf(db: Db, email: string, at: number): Promise<SessionRecord[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('email', '=', email)
    .where('ends_at', '>', at)
    .where('seen_at', '>', at - IDLE_MS)
    .orderBy('seen_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(({ id, agent, address, created_at, seen_at, ends_at }) => ({
    id,
    agent,
    address,
    createdAt: iso(created_at),
    seenAt: iso(seen_at),
    endsAt: iso(Math.min(ends_at, seen_at + IDLE_MS)),
  }))
}
