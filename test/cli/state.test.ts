import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openState, openStore } from '../../server/state/open.ts'
import { testFolder } from '../folder.ts'
import { startPostgres } from '../server/state/postgres.ts'
import { tranche } from './run-cli.ts'

const run = (location: string, ...args: string[]) =>
  tranche(['state', ...args, '--format', 'json', '--state', location])

t.test('a store is backed up while it is used, and restored when it is not', async t => {
  const folder = testFolder(t)
  const [location, backup] = [join(folder, 'state.db'), join(folder, 'backup.db')]
  const used = await openState(location)
  const first = await used.createKey({ email: 'ana@fund.example', tier: 'pay_as_you_go', credits: 50 })
  t.match(await run(location, 'backup', backup), { code: 0, out: /"bytes":/ })
  t.equal(statSync(backup).mode & 0o777, 0o600, 'it holds the secret of keys')
  const later = await used.createKey({ email: 'bo@fund.example', tier: 'pro' })
  const bytes = readFileSync(backup)
  t.match(await run(location, 'backup', backup), { code: 2, err: /exists: choose another file/ })
  t.match(await run(location, 'restore', backup), { code: 5, err: /in use: stop the servers/ })
  await used.close()

  t.match(await run(location, 'restore', backup), { code: 0, err: /the store before it is .*\.before-2/ })
  const restored = await openState(location)
  t.match(await restored.authenticate(first.key), { email: 'ana@fund.example' })
  t.match(await restored.balance(first.keyId), { remaining: 50 })
  t.equal(await restored.authenticate(later.key), null)
  await restored.close()
  const kept = readdirSync(folder).find(name => /\.before-\w+$/.test(name)) ?? ''
  t.match(
    await tranche(['keys', 'list', '--state', join(folder, kept)]),
    { code: 0, out: /bo@fund\.example/ },
    'what was there is kept',
  )
  t.ok(readFileSync(backup).equals(bytes), 'the backup is only read')
  t.strictSame(
    readdirSync(folder).filter(name => /tmp/.test(name)),
    [],
  )
})

t.test('what is no backup is not restored, and the store stays', async t => {
  const folder = testFolder(t)
  const location = join(folder, 'state.db')
  const state = await openState(location)
  const { key } = await state.createKey({ email: 'ana@fund.example', tier: 'pro' })
  await state.close()
  const file = join(folder, 'file')
  t.match(await run(location, 'restore', file), { code: 3, err: /there is no file/ })
  writeFileSync(file, 'not a database')
  t.match(await run(location, 'restore', file), { code: 4, err: /is not a SQLite database/ })
  const other = await openStore(join(folder, 'other.db'), true)
  await other.close()
  t.match(await run(location, 'restore', join(folder, 'other.db')), {
    code: 4,
    err: /is not a state store of Tranche/,
  })
  t.match(await run(join(folder, 'none.db'), 'backup', join(folder, 'b.db')), {
    code: 3,
    err: /no state store at/,
  })
  t.match(await run(location, 'backup', join(folder, 'no', 'b.db')), { code: 2, err: /there is no folder/ })
  t.match(await run('postgres://ana:secret@db/tranche', 'backup', 'b.dump'), {
    code: 2,
    err: /pg_dump --schema tranche --format custom --file b\.dump/,
  })
  t.match(await tranche(['state']), { code: 2, err: /give a file: state backup FILE/ })
  const same = await openState(location)
  t.match(await same.authenticate(key), { email: 'ana@fund.example' })
  await same.close()
  // One that is damaged is what a backup is for.
  const backup = join(folder, 'b.db')
  t.match(await run(location, 'backup', backup), { code: 0 })
  writeFileSync(location, 'damaged')
  t.match(await run(location, 'restore', backup), { code: 0 })
  const back = await openState(location)
  t.match(await back.authenticate(key), { email: 'ana@fund.example' })
  await back.close()
})

const hasDump = spawnSync('pg_restore', ['--version']).status === 0
const server = hasDump ? await startPostgres() : 'pg_dump and pg_restore are not installed here'
if (typeof server !== 'string') t.teardown(() => server.stop())

t.test(
  'a PostgreSQL is backed up and restored by its own programs',
  { skip: typeof server === 'string' && server },
  async t => {
    if (typeof server === 'string') return
    const dump = join(testFolder(t), 'tranche.dump')
    const [from, to] = [await server.database(), await server.database()]
    const state = await openState(from)
    const { key } = await state.createKey({ email: 'ana@fund.example', tier: 'pay_as_you_go', credits: 50 })
    // As docs/server.md has them.
    execFileSync('pg_dump', ['--schema', 'tranche', '--format', 'custom', '--file', dump, from])
    await state.close()
    execFileSync('pg_restore', ['--clean', '--if-exists', '--dbname', to, dump])
    const restored = await openState(to)
    t.match(await restored.authenticate(key), { email: 'ana@fund.example' })
    await restored.close()
  },
)
