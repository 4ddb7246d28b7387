import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { readCurrent } from '../../engine/lake/snapshot.ts'
import { build } from '../../engine/snapshot/build.ts'
import { builtLake } from '../built-lake.ts'
import { tranche } from '../cli/run-cli.ts'
import { addRows, twoIssuers } from '../make-lake.ts'
import { serving, stateOf, until } from './serving.ts'
import { ask } from './start.ts'

t.setTimeout(600_000)

/** The day of the lake's first snapshot, stored with it. */
const BUILT = '2025-06-02'

t.test('a server has past days ready, and those that a new snapshot adds', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const args = ['--lake', lake.root, '--days-from', '2025-03', '--days-every', 'month']
  const server = await serving(t, [...args, '--days-tables', 'companies,bonds'])
  const told = async (days: string) => {
    const snapshot = await readCurrent(lake)
    return until(() => server.err().includes(`past days of snapshot ${snapshot}: ${days}`))
  }
  t.ok(await told('3 of 3 days were derived'))
  const storedDays = async () => (await readdir(join(lake.root, 'days'))).filter(name => /^\d/.test(name))
  t.strictSame(await storedDays(), ['2025-03-31', '2025-04-30', '2025-05-31', BUILT])
  const filesOf = async (day: string) => {
    const [made] = await readdir(join(lake.root, 'days', day))
    const folder = join(lake.root, 'days', day, made!)
    const names = (await readdir(folder)).filter(name => name.endsWith('.parquet')).sort()
    return Promise.all(names.map(async name => [name, (await stat(join(folder, name))).mtimeMs] as const))
  }
  const before = await filesOf('2025-04-30')
  t.strictSame(
    before.map(([name]) => name),
    ['bonds.parquet', 'companies.parquet', 'known_companies.parquet'],
    'the tables that were named, and no other',
  )

  const state = await stateOf(t, lake.root)
  const { key } = await state.createKey({ email: 'a@example.com', tier: 'business' })
  const path = '/v1/companies?as_of=2025-04-30&fields=ticker'
  t.match(await ask(server.url, path, { key }), { status: 200, body: { meta: { as_of: '2025-04-30' } } })

  await addRows(lake, { companies: [{ ticker: 'AAAA', name: 'AAAA Corp', known_from: '2025-07-10' }] })
  await build(lake, { asOf: '2025-07-31' })
  t.ok(await told('1 of 5 days were derived; the others were ready'))
  t.strictSame(await filesOf('2025-04-30'), before, 'what the new rows leave as it was is not derived again')
  t.match(await server.stop(), { code: 0 })
})

t.test('it stops a derivation of days that it is told to leave', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const args = ['--lake', lake.root, '--days-from', '2023-01', '--days-every', 'day', '--days-tables', 'all']
  const server = await serving(t, args)
  await until(() =>
    readdir(join(lake.root, 'days')).then(
      names => names.some(name => /^\d/.test(name) && name !== BUILT),
      () => false,
    ),
  )
  t.match(await server.stop(), { code: 0 })
  t.notMatch(server.err(), /past days/, 'an end is no failure')
})

t.test('days that cannot be kept, or are not days, are refused', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const refused = async (...args: string[]) => (await tranche(['serve', '--lake', lake.root, ...args])).err
  t.match(await refused('--days-from', '2025-13'), /--days-from must be a valid day, YYYY-MM-DD, or a month/)
  t.match(await refused('--days-every', 'week'), /give --days-from, the first of the past days/)
  t.match(
    await refused('--days-from', '2025-01', '--days-tables', 'loans'),
    /--days-tables must be one of all, companies/,
  )

  const late = await serving(t, ['--lake', lake.root, '--days-from', '2031-01'])
  await until(() => /past days cannot be derived ahead .*from is after to \(2025-/.test(late.err()))
  t.match(await late.stop(), { code: 0 }, 'and the server goes on')
})

t.test('a lake that cannot keep days is served without them', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  await rm(join(lake.root, 'days'), { recursive: true, force: true })
  await writeFile(join(lake.root, 'days'), 'no folder')
  const server = await serving(t, ['--lake', lake.root, '--days-from', '2025-01'])
  await until(() => /the lake is not writable, so none would be kept/.test(server.err()))
  t.match(await ask(server.url, '/readyz', {}), { status: 200 })
  t.match(await server.stop(), { code: 0 })
})
