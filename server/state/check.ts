import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import { QueryError } from '../../engine/base/errors.ts'
import type { CallGroup } from './call-rollup.ts'
import { displayLocation } from './location.ts'
import { newerStore, newestSchema, schemaVersion, usableFrom } from './migrations.ts'
import { openStore } from './open.ts'
import type { Store } from './store.ts'

export interface StateFinding {
  readonly check: string
  readonly status: 'ok' | 'note' | 'problem'
  readonly says: string
}

const number = (n: number): string => n.toLocaleString('en-US')

/** Checks a state store without changing it: reachable, intact, private, and its accounts consistent. */
export async function checkState(location: string): Promise<StateFinding[]> {
  const findings: StateFinding[] = []
  const say = (check: string, status: StateFinding['status'], says: string) =>
    void findings.push({ check, status, says })
  let store: Store | undefined
  try {
    store = await openStore(location, false)
    await sql`select 1`.execute(store.db)
    say('state store', 'ok', `${store.kind} at ${displayLocation(location)}`)
    if (store.kind === 'sqlite') await checkFile(location, store, say)
    if (await checkVersion(store, say)) await checkAccounts(store, say)
  } catch (error) {
    const known = error instanceof QueryError ? error : store?.explain(error)
    if (!known) throw error
    say('state store', known.kind === 'missing' ? 'note' : 'problem', known.message)
  } finally {
    await store?.close()
  }
  return findings
}

type Say = (check: string, status: StateFinding['status'], says: string) => void

async function checkFile(path: string, { db }: Store, say: Say): Promise<void> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check`.execute(db)
  const wrong = rows.map(row => row.quick_check).filter(text => text !== 'ok')
  for (const text of wrong) say('file', 'problem', `${text}: restore it from a copy`)
  if (wrong.length === 0) say('file', 'ok', 'whole')
  const { mode } = await stat(path)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    say(
      'permissions',
      'problem',
      `others may read it (${(mode & 0o777).toString(8)}), and it holds the server secret: chmod 600 ${path}`,
    )
}

async function tablesOf({ db }: Store): Promise<(name: string) => boolean> {
  const tables = await db.introspection.getTables()
  return name => tables.some(table => table.name === name && table.schema !== 'public')
}

/** False if the tables are of a newer version, which this program may misread. An older store is left unchanged. */
async function checkVersion(store: Store, say: Say): Promise<boolean> {
  const has = await tablesOf(store)
  const version = has('settings') ? await schemaVersion(store.db) : 0
  if (version === 0) return true
  if (version > newestSchema) {
    const isUsable = (await usableFrom(store.db)) <= newestSchema
    if (isUsable) say('version', 'ok', `${version}, of a newer program beside this one, which can use it too`)
    else say('version', 'problem', newerStore(version))
    return isUsable
  }
  if (version === newestSchema) say('version', 'ok', `${version}, the newest`)
  else
    say(
      'version',
      'note',
      `${version} of ${newestSchema}: the next "tranche serve" or "tranche keys" migrates it; older programs cannot open it afterwards, so keep a copy`,
    )
  return true
}

async function checkAccounts(store: Store, say: Say): Promise<void> {
  const { db } = store
  const has = await tablesOf(store)
  if (!has('keys')) {
    say('keys', 'note', 'none yet')
    return
  }
  const keyCounts = await db
    .selectFrom('keys')
    .select(e => [e.fn.countAll<number>().as('all'), e.fn.count<number>('revoked_at').as('revoked')])
    .executeTakeFirstOrThrow()
  say(
    'keys',
    'ok',
    `${number(keyCounts.all - keyCounts.revoked)} active, ${number(keyCounts.revoked)} revoked`,
  )
  if (has('logins')) {
    const people = await db
      .selectFrom('logins')
      .select(e => [e.fn.countAll<number>().as('all'), e.fn.count<number>('disabled_at').as('shut')])
      .executeTakeFirstOrThrow()
    say('accounts', 'ok', `${number(people.all - people.shut)} may sign in, ${number(people.shut)} may not`)
  }
  const wrong = await db
    .selectFrom('credits')
    .select('key_id')
    .where(e =>
      e(
        'remaining',
        '!=',
        e
          .selectFrom('ledger')
          .select(l => l.fn.coalesce(l.fn.sum<number>('credits'), sql.lit(0)).as('sum'))
          .whereRef('ledger.key_id', '=', 'credits.key_id'),
      ),
    )
    .execute()
  if (wrong.length === 0) say('credits', 'ok', 'every balance is the sum of its ledger')
  for (const { key_id } of wrong)
    say('credits', 'problem', `the balance of key ${key_id} is not the sum of its ledger: please report it`)
  if (!has('call_groups')) return
  const calls = await db
    .selectFrom('call_groups')
    .select(e => e.fn.sum<number | null>('queries').as('n'))
    .executeTakeFirstOrThrow()
  const batches = await db.selectFrom('call_batches').select('calls').execute()
  const waiting = batches.flatMap(batch => JSON.parse(batch.calls) as CallGroup[])
  const recorded = waiting.reduce((sum, { queries }) => sum + queries, calls.n ?? 0)
  say('calls', 'ok', `${number(recorded)} recorded`)
}
