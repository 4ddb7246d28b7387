import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import t, { type Test } from 'tap'
import { openPromise } from 'yauzl'
import { checkState } from '../server/state/check.ts'
import { newestSchema } from '../server/state/migrations.ts'
import { openState } from '../server/state/open.ts'
import { resident } from './cli/resident.ts'
import { testFolder } from './folder.ts'
import { root } from './root.ts'
import { type Server, startPostgres } from './server/state/postgres.ts'

const { tranche } = await resident(t)

t.setTimeout(600_000)

/**
 * A lake of two issuers and a state store, both as the program of 21 November 2026 wrote them (commit 97711a3, before
 * people signed in): the first layout of tables, and the first version of the store.
 */
async function former(folder: string): Promise<{ lake: string; state: string }> {
  const archive = await openPromise(join(root, 'test/fixtures/before-sign-in.zip'))
  for await (const entry of archive.eachEntry()) {
    const to = join(folder, entry.fileName)
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, await buffer(await archive.openReadStreamPromise(entry)), { mode: 0o600 })
  }
  return { lake: join(folder, 'lake'), state: join(folder, 'state.db') }
}

const rowsOf = (ndjson: string): unknown[] =>
  ndjson
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))

t.test('a lake of an older version asks for a build, and answers as before after it', async t => {
  const { lake } = await former(testFolder(t))
  const bonds = ['bonds', '--lake', lake, '--fields', 'cusip,coupon_rate,pricing.ytm']
  const before = await tranche(bonds)
  t.match(before, { code: 3, err: /was built by another version of Tranche: run "tranche build"/ })
  const doctor = async () =>
    rowsOf((await tranche(['doctor', '--lake', lake])).out).filter(
      finding => (finding as { part: string }).part === 'lake',
    )
  t.match(
    (await doctor()).find(finding => (finding as { check: string }).check === 'snapshot'),
    { status: 'problem', says: /another version of Tranche: run "tranche build"/ },
  )
  t.match(await tranche(['build', '--lake', lake]), { code: 0 })
  t.strictSame(rowsOf((await tranche(bonds)).out), [
    { cusip: null, coupon_rate: null, pricing: null },
    { cusip: '000000AA7', coupon_rate: 6, pricing: { ytm: 5.999354 } },
    { cusip: '000000BB4', coupon_rate: 0, pricing: null },
  ])
  const companies = await tranche([
    'companies',
    '--lake',
    lake,
    '--fields',
    'ticker,leverage_ratio,total_debt',
  ])
  t.strictSame(rowsOf(companies.out), [
    { ticker: 'ALFA', leverage_ratio: 4, total_debt: 320_000_000 },
    { ticker: 'BETA', leverage_ratio: null, total_debt: null },
  ])
  t.strictSame(
    (await doctor()).filter(finding => (finding as { status: string }).status === 'problem'),
    [],
  )
  const snapshots = await tranche(['snapshots', '--lake', lake])
  t.equal(rowsOf(snapshots.out).length, 2, 'the former snapshot stays in the lake')
})

/** A store in PostgreSQL with what the SQLite file holds: a dump of the tables as that version made them. */
async function formerPostgres(server: Server): Promise<string> {
  const url = await server.database()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(readFileSync(join(root, 'test/fixtures/before-sign-in.sql'), 'utf8'))
  await client.end()
  return url
}

async function migrates(t: Test, location: string): Promise<void> {
  const version = async () => (await checkState(location)).find(({ check }) => check === 'version')
  t.match(await version(), { status: 'note', says: new RegExp(`1 of ${newestSchema}: .*migrates it`) })
  const state = await openState(location)
  t.teardown(() => state.close())
  const principal = await state.authenticate('tr_4711db000434b4182c29521bd146a49d')
  t.match(principal, { keyId: '79f9c153-ded0-4de0-bacf-a472ef889d8b', tier: 'pro' })
  t.equal(
    await state.authenticate('tr_704e010659126317fb2c5d5cec6b2c41'),
    null,
    'a revoked key stays revoked',
  )
  const { accountId, keyId } = principal!
  t.match(await state.balance(keyId), { remaining: 500, purchased: 500 })
  const day = Date.parse('2025-06-30T00:00:00Z')
  t.match(await state.usage(accountId, day, day + 86_400_000), {
    daily: [{ date: '2025-06-30', queries: 2, cost: 2, errors: 1 }],
    endpoints: [{ endpoint: 'search.bonds', queries: 2, cost: 2, avg_ms: 1 }],
  })
  t.match(await version(), { status: 'ok' })
  t.strictSame(
    (await checkState(location)).filter(({ status }) => status === 'problem'),
    [],
  )
}

t.test('a state store of the first version is migrated with its keys, credits and usage', async t =>
  migrates(t, (await former(testFolder(t))).state),
)

const postgres = await startPostgres()
t.teardown(() => (typeof postgres === 'string' ? undefined : postgres.stop()))

t.test(
  'a state store of the first version in PostgreSQL is migrated too',
  { skip: typeof postgres === 'string' && postgres },
  async t => {
    if (typeof postgres !== 'string') await migrates(t, await formerPostgres(postgres))
  },
)
