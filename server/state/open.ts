import { existsSync } from 'node:fs'
import { invalid, QueryError } from '../../engine/base/errors.ts'
import { isPromise, type MaybePromise } from '../../engine/base/maybe-promise.ts'
import { accountAdmin } from './account-admin.ts'
import type { Accounts } from './accounts.ts'
import { auditLog } from './audit.ts'
import { callRollup } from './call-rollup.ts'
import { calls } from './calls.ts'
import { claims, keepAnswer } from './claims.ts'
import { coverage } from './coverage.ts'
import { credits } from './credits.ts'
import { keys } from './keys.ts'
import { isPostgres } from './location.ts'
import { migrate } from './migrations.ts'
import { startRun } from './runs.ts'
import { savedWork } from './saved-work.ts'
import { checkPrefix, serverSecret } from './secret.ts'
import { sessions } from './sessions.ts'
import { signIns } from './sign-in.ts'
import type { State } from './state.ts'
import type { Store } from './store.ts'
import { windows } from './windows.ts'

export interface StateOptions {
  /** The secret with which keys are hashed; default TRANCHE_SECRET, else one created in the store on first use. */
  readonly secret?: string | undefined
  /** Prefix of keys; default TRANCHE_KEY_PREFIX, else `tr`. */
  readonly keyPrefix?: string | undefined
  /** False if a missing store is an error. */
  readonly create?: boolean
  /** Unix epoch milliseconds. */
  readonly now?: () => number
}

/** Opens the database at a location, a path or `postgres://...`. */
export async function openStore(location: string, create: boolean): Promise<Store> {
  if (isPostgres(location) && URL.canParse(location)) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres(location)
  }
  if (location === '' || /^[a-z][a-z0-9+.-]+:\/\//i.test(location))
    throw invalid(
      'state',
      location,
      'state must be the path of a SQLite file, or postgres://USER@HOST/DATABASE',
    )
  if (!create && !existsSync(location))
    throw new QueryError(
      'NOT_FOUND',
      `no state store at ${location}: "tranche keys create" creates it, or choose another with --state`,
      { state: location },
    )
  const { openSqlite } = await import('./sqlite.ts')
  return openSqlite(location)
}

/** Opens a state store, creating it if necessary, and migrates it. */
export async function openState(location: string, options: StateOptions = {}): Promise<State & Accounts> {
  const { create = true, now = Date.now } = options
  const secret = options.secret ?? (process.env['TRANCHE_SECRET'] || undefined)
  const keyPrefix = options.keyPrefix ?? (process.env['TRANCHE_KEY_PREFIX'] || 'tr')
  const prefix = checkPrefix(keyPrefix)
  const store = await openStore(location, create)
  return explaining(store, async () => {
    try {
      await migrate(store)
      const hashing = await serverSecret(store, secret)
      const run = startRun(store, now)
      await run.reap()
      const counted = windows(store, run)
      const file = callRollup(store)
      let closed: Promise<void> | undefined
      const { open, ...signedIn } = sessions(store, hashing, now)
      const state: State & Accounts = {
        kind: store.kind,
        ...keys(store, hashing, prefix, now, file),
        take: counted.take,
        ...credits(store, now, run.present, keepAnswer),
        ...claims(store, run.present),
        ...calls(store, file),
        ...coverage(store),
        ...savedWork(store, now),
        ...accountAdmin(store, hashing, now),
        ...auditLog(store),
        ...signIns(store, hashing, now, open),
        ...signedIn,
        async ping() {
          store.checkFile?.()
          // A write transaction, so a store that others keep locked counts as unresponsive.
          await store.transaction(tx => tx.selectFrom('settings').select('name').executeTakeFirst())
          return true
        },
        close: () => {
          closed ??= Promise.all([run.end(), counted.end()])
            .then(() => {})
            .finally(() => store.close())
          return closed
        },
      }
      return explained(state, store)
    } catch (error) {
      await store.close()
      throw error
    }
  })
}

/** Database failures as errors that an operator can act on; a deleted or replaced database is not used. */
function explaining<T>(store: Store, work: () => MaybePromise<T>): MaybePromise<T> {
  const fail = async (error: unknown): Promise<never> => {
    throw store.explain(error) ?? error
  }
  try {
    store.checkIdentity?.()
    const made = work()
    return isPromise(made) ? made.catch(fail) : made
  } catch (error) {
    return fail(error)
  }
}

/** The same state, with methods that explain database failures; a missing one can still be closed. */
const explained = <S extends object>(state: S, store: Store): S =>
  Object.fromEntries(
    Object.entries(state).map(([name, member]) => [
      name,
      typeof member === 'function' && name !== 'close'
        ? (...args: unknown[]) =>
            explaining(store, () => (member as (...a: unknown[]) => MaybePromise<unknown>)(...args))
        : member,
    ]),
  ) as unknown as S
