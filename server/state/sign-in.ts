import { network } from '../limits/throttle.ts'
import type { Accounts, OpenedSession, SignIn, Visitor } from './accounts.ts'
import { attempt, attemptLimits, succeeded } from './attempts.ts'
import { recordChanges } from './audit.ts'
import { checkPassword, passwords } from './password.ts'
import { hashOf } from './secret.ts'
import type { Db, Store } from './store.ts'

/** The id under which attempts are counted. It is a hash, because a password may be typed in place of an email. */
export const attemptsOf = (secret: Uint8Array, email: string): string =>
  `email ${hashOf(secret, `email ${email}`)}`

export const linkHash = (secret: Uint8Array, token: string): string => hashOf(secret, `link ${token}`)

/** @param open begins a session */
export function signIns(
  store: Store,
  secret: Uint8Array,
  now: () => number,
  open: (tx: Db, email: string, from: Visitor) => Promise<OpenedSession>,
): Pick<Accounts, 'signIn' | 'changePassword' | 'acceptLink'> {
  const { db } = store
  const { hash, matches } = passwords(secret)
  const changed = recordChanges(now)

  /** Milliseconds to wait before another attempt. */
  const locked = async (who: string, most: number): Promise<number> =>
    store.transaction(tx => attempt(tx, who, most, now()))

  /** Runs `enter` if the password is correct. Failed attempts are counted. */
  const prove = async (
    given: { email: string; password: unknown },
    from: Visitor,
    enter: (tx: Db, email: string) => Promise<OpenedSession>,
  ): Promise<SignIn> => {
    const email = given.email.trim().toLowerCase()
    const login = await passwordOf(db, email)
    const known = login ? email : null
    const [who, address] = [attemptsOf(secret, email), `address ${network(from.address)}`]
    const wait = (await locked(address, attemptLimits.address)) || (await locked(who, attemptLimits.email))
    if (wait > 0) return { kind: 'locked', email: known, seconds: Math.ceil(wait / 1000) }
    const hashed = login?.disabled_at === null ? login.password : null
    if (!(await matches(hashed, given.password))) return { kind: 'wrong', email: known }
    return store.durably(async tx => {
      await succeeded(tx, who, address)
      // Meanwhile the password may have been changed, or the account disabled.
      const current = await passwordOf(tx, email)
      const isUnchanged = current?.disabled_at === null && current.password === hashed
      return isUnchanged ? { kind: 'in', ...(await enter(tx, email)) } : { kind: 'wrong', email: known }
    })
  }

  return {
    signIn: (given, from) => prove(given, from, (tx, email) => open(tx, email, from)),

    async changePassword({ email, current, password }, from) {
      const hashed = await hash(checkPassword(password, email))
      return prove({ email, password: current }, from, async tx => {
        await tx.updateTable('logins').set({ password: hashed }).where('email', '=', email).execute()
        await tx.deleteFrom('sessions').where('email', '=', email).execute()
        await changed(tx, { who: email, address: from.address }, 'password set', email)
        return open(tx, email, from)
      })
    },

    async acceptLink({ token, password }, from) {
      const link = linkHash(secret, token)
      const invited = await linkInForce(db, link, now()).select('email').executeTakeFirst()
      if (!invited) return null
      const { email } = invited
      const hashed = await hash(checkPassword(password, email))
      return store.durably(async tx => {
        const used = await tx
          .updateTable('logins')
          .set({ password: hashed, link_hash: null, link_until: null })
          .where('email', '=', email)
          .where('link_hash', '=', link)
          .where('link_until', '>', now())
          .where('disabled_at', 'is', null)
          .returning('email')
          .executeTakeFirst()
        if (!used) return null
        await tx.deleteFrom('sessions').where('email', '=', email).execute()
        await tx.deleteFrom('attempts').where('who', '=', attemptsOf(secret, email)).execute()
        await changed(tx, { who: email, address: from.address }, 'password set', email, { by: 'link' })
        return open(tx, email, from)
      })
    },
  }
}

const passwordOf = (db: Db, email: string) =>
  db.selectFrom('logins').select(['password', 'disabled_at']).where('email', '=', email).executeTakeFirst()

const linkInForce = (db: Db, link_hash: string, now: number) =>
  db
    .selectFrom('logins')
    .where('link_hash', '=', link_hash)
    .where('link_until', '>', now)
    .where('disabled_at', 'is', null)
