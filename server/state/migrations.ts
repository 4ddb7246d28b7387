import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import { type Db, type Store, stateDamaged } from './store.ts'
import type { Tables } from './tables.ts'

type Migration = (tx: Db, words: Store['words']) => Promise<void>

/** In order; a released one is never changed. */
const migrations: readonly Migration[] = [first, accounts, leases, callGroups, savedItems, auditEntries]

/**
 * The oldest version whose programs can use a store of the newest one, while servers are upgraded one after the other. A
 * migration that only adds tables, or columns with a default, leaves it; any other sets it to its own number.
 */
const USABLE_FROM = 5

// Over 80 lines: the tables of the first version, one after the other.
async function first({ schema }: Db, words: Store['words']): Promise<void> {
  const table = (name: string) => schema.createTable(name)
  const serial = sql.raw(words.serial)
  const bytes = sql.raw(words.bytes)
  type Adding = (table: CreateTableBuilder<string, string>) => CreateTableBuilder<string, string>
  const texts =
    (...names: string[]): Adding =>
    made =>
      names.reduce((t, name) => t.addColumn(name, 'text', c => c.notNull()), made)
  const numbers =
    (...names: string[]): Adding =>
    made =>
      names.reduce((t, name) => t.addColumn(name, 'bigint', c => c.notNull()), made)
  const id = (name: string) => table(name).addColumn('id', 'text', c => c.primaryKey())
  const ofKey = (name: string) =>
    table(name).addColumn('key_id', 'text', c => c.primaryKey().references('keys.id'))

  await id('accounts')
    .addColumn('email', 'text', c => c.notNull().unique())
    .$call(numbers('created_at', 'seated_at'))
    .execute()
  await table('members')
    .addColumn('email', 'text', c => c.primaryKey())
    .$call(texts('account_id'))
    .$call(numbers('created_at'))
    .execute()
  await id('keys')
    .addColumn('account_id', 'text', c => c.notNull().references('accounts.id'))
    .$call(texts('email', 'tier'))
    .addColumn('label', 'text')
    .addColumn('prefix', 'text', c => c.notNull())
    .addColumn('hash', 'text', c => c.notNull().unique())
    .$call(numbers('created_at'))
    .addColumn('revoked_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .execute()
  await schema.createIndex('keys_account').on('keys').column('account_id').execute()
  await ofKey('windows').$call(numbers('started_at', 'used')).execute()
  await ofKey('credits')
    .addColumn('remaining', 'bigint', c => c.notNull().check(sql`remaining >= 0`))
    .$call(numbers('purchased'))
    .execute()
  await table('ledger')
    .addColumn('id', serial)
    .addColumn('key_id', 'text', c => c.notNull().references('keys.id'))
    .$call(numbers('at'))
    .$call(texts('kind'))
    .$call(numbers('credits'))
    .addColumn('endpoint', 'text')
    .addColumn('request_id', 'text')
    .addColumn('reason', 'text')
    .addColumn('held_by', 'text')
    .execute()
  await schema.createIndex('ledger_key').on('ledger').column('key_id').execute()
  await schema
    .createIndex('ledger_held')
    .on('ledger')
    .column('held_by')
    .where(sql.ref('held_by'), 'is not', null)
    .execute()
  await id('runs')
    .$call(texts('host'))
    .$call(numbers('pid'))
    .addColumn('started', 'text')
    .$call(numbers('seen_at'))
    .execute()
  await table('claims')
    .$call(texts('key_id', 'name', 'fingerprint', 'run'))
    .$call(numbers('at'))
    .addColumn('status', 'bigint')
    .addColumn('headers', 'text')
    .addColumn('body', bytes)
    .addPrimaryKeyConstraint('claims_key', ['key_id', 'name'])
    .execute()
  await schema.createIndex('claims_at').on('claims').column('at').execute()
  await table('calls')
    .addColumn('id', serial)
    .$call(texts('key_id', 'endpoint'))
    .$call(numbers('status', 'cost'))
    .addColumn('milliseconds', 'double precision', c => c.notNull())
    .$call(numbers('at'))
    .execute()
  await schema.createIndex('calls_key').on('calls').columns(['key_id', 'at']).execute()
  await schema.createIndex('calls_at').on('calls').column('at').execute()
  await id('coverage_requests')
    .$call(texts('account_id', 'ticker', 'company_name'))
    .addColumn('cik', 'text')
    .addColumn('note', 'text')
    .$call(numbers('requested_at'))
    .addUniqueConstraint('coverage_once', ['account_id', 'ticker'])
    .execute()
}

/** People who sign in. */
async function accounts({ schema }: Db): Promise<void> {
  await schema.alterTable('accounts').addColumn('tier', 'text').execute()
  await schema
    .createTable('logins')
    .addColumn('email', 'text', c => c.primaryKey())
    .addColumn('role', 'text', c => c.notNull())
    .addColumn('password', 'text')
    .addColumn('link_hash', 'text', c => c.unique())
    .addColumn('link_until', 'bigint')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('signed_in_at', 'bigint')
    .addColumn('disabled_at', 'bigint')
    .execute()
  await schema
    .createTable('sessions')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('hash', 'text', c => c.notNull().unique())
    .addColumn('email', 'text', c => c.notNull().references('logins.email').onDelete('cascade'))
    .addColumn('key_id', 'text')
    .addColumn('agent', 'text')
    .addColumn('address', 'text')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('seen_at', 'bigint', c => c.notNull())
    .addColumn('ends_at', 'bigint', c => c.notNull())
    .execute()
  await schema.createIndex('sessions_email').on('sessions').column('email').execute()
  await schema
    .createTable('attempts')
    .addColumn('who', 'text', c => c.primaryKey())
    .addColumn('tries', 'bigint', c => c.notNull())
    .addColumn('until', 'bigint', c => c.notNull())
    .execute()
}

/** Requests leased to processes, which count them by themselves. */
async function leases({ schema }: Db): Promise<void> {
  for (const name of ['lent', 'recalled'])
    await schema
      .alterTable('windows')
      .addColumn(name, 'bigint', c => c.notNull().defaultTo(0))
      .execute()
  await schema.alterTable('windows').addColumn('holder', 'text').execute()
}

/** Calls in groups: one row and two index entries per call took longer than most answers. */
async function callGroups(tx: Db, { serial, jsonArray }: Store['words']): Promise<void> {
  const { schema } = tx
  const sums = ['at', 'queries', 'errors', 'cost'] as const
  await schema
    .createTable('call_batches')
    .addColumn('id', sql.raw(serial))
    .addColumn('calls', 'text', c => c.notNull())
    .execute()
  await schema
    .createTable('call_groups')
    .addColumn('id', sql.raw(serial))
    .addColumn('key_id', 'text', c => c.notNull())
    .addColumn('endpoint', 'text', c => c.notNull())
    .$call(made => sums.reduce((t, name) => t.addColumn(name, 'bigint', c => c.notNull()), made))
    .addColumn('milliseconds', 'double precision', c => c.notNull())
    .addColumn('times', 'text', c => c.notNull())
    .execute()
  await schema.createIndex('call_groups_key').on('call_groups').columns(['key_id', 'at']).execute()
  await schema.createIndex('call_groups_at').on('call_groups').column('at').execute()
  await (tx as unknown as Kysely<{ calls: FormerCalls } & Tables>)
    .insertInto('call_groups')
    .columns(['key_id', 'endpoint', 'at', 'queries', 'errors', 'cost', 'milliseconds', 'times'])
    .expression(e =>
      e
        .selectFrom('calls')
        .select(({ fn }) => [
          'key_id',
          'endpoint',
          fn.min<number>('at').as('at'),
          fn.countAll<number>().as('queries'),
          sql<number>`count(case when status >= 400 then 1 end)`.as('errors'),
          fn.sum<number>('cost').as('cost'),
          fn.sum<number>('milliseconds').as('milliseconds'),
          sql<string>`cast(${sql.raw(jsonArray)}(milliseconds) as text)`.as('times'),
        ])
        .groupBy(['key_id', 'endpoint', sql`at / 60000`]),
    )
    .execute()
  await schema.dropTable('calls').execute()
}

/** Saved screens, column presets, watchlists and notes. */
async function savedItems({ schema }: Db): Promise<void> {
  await schema
    .createTable('saved_items')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('account_id', 'text', c => c.notNull().references('accounts.id'))
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('body', 'text', c => c.notNull())
    .addColumn('changed_by', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('changed_at', 'bigint', c => c.notNull())
    .addUniqueConstraint('saved_once', ['account_id', 'kind', 'name'])
    .execute()
  await schema
    .createTable('watchlist_looks')
    .addColumn('watchlist_id', 'text', c => c.notNull().references('saved_items.id').onDelete('cascade'))
    .addColumn('email', 'text', c => c.notNull())
    .addColumn('day', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('watchlist_looks_key', ['watchlist_id', 'email'])
    .execute()
}

/** Who changed accounts, keys and credits. */
async function auditEntries({ schema }: Db, { serial }: Store['words']): Promise<void> {
  const texts = ['who', 'action', 'subject', 'details'] as const
  await schema
    .createTable('audit_entries')
    .addColumn('id', sql.raw(serial))
    .addColumn('at', 'bigint', c => c.notNull())
    .$call(made => texts.reduce((t, name) => t.addColumn(name, 'text', c => c.notNull()), made))
    .addColumn('address', 'text')
    .addColumn('request_id', 'text')
    .execute()
  await schema.createIndex('audit_entries_subject').on('audit_entries').column('subject').execute()
}

interface FormerCalls {
  readonly key_id: string
  readonly endpoint: string
  readonly status: number
  readonly cost: number
  readonly milliseconds: number
  readonly at: number
}

/** Migrates the tables to the newest version; if several processes start at once, one of them does it. */
export async function migrate(store: Store): Promise<void> {
  await store.durably(async tx => {
    await store.prepareTables(tx)
    await tx.schema
      .createTable('settings')
      .ifNotExists()
      .addColumn('name', 'text', c => c.primaryKey())
      .addColumn('value', 'text', c => c.notNull())
      .execute()
    const done = await schemaVersion(tx)
    if (done > migrations.length) {
      // Upgraded by a newer program beside this one.
      if ((await usableFrom(tx)) <= migrations.length) return
      throw stateDamaged(newerStore(done))
    }
    if (done === migrations.length) return
    for (const migration of migrations.slice(done)) await migration(tx, store.words)
    await set(tx, 'schema', migrations.length)
    await set(tx, 'schema_usable_from', USABLE_FROM)
  })
}

const set = (tx: Db, name: string, number: number) =>
  tx
    .insertInto('settings')
    .values({ name, value: String(number) })
    .onConflict(c => c.column('name').doUpdateSet({ value: String(number) }))
    .execute()

/** The version of the tables that this program creates and reads. */
export const newestSchema = migrations.length

export const newerStore = (version: number): string =>
  `state store: its tables have version ${version}, this program reads up to ${newestSchema}: upgrade Tranche, or choose another store with --state`

/** Migrations applied to the tables. */
export const schemaVersion = async (db: Db): Promise<number> => (await setting(db, 'schema')) ?? 0

/** The oldest version whose programs can use the tables: their own, unless they say so. */
export const usableFrom = async (db: Db): Promise<number> =>
  (await setting(db, 'schema_usable_from')) ?? schemaVersion(db)

async function setting(db: Db, name: string): Promise<number | null> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row ? Number(row.value) : null
}
