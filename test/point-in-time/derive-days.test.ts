import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { builtLake } from '../built-lake.ts'
import { addRows, makeLake } from '../make-lake.ts'
import { lastDay, richRows } from './rich-lake.ts'

// Several days are derived, which takes a while on a busy machine.
t.setTimeout(240_000)

const lake = await builtLake(t.teardown, richRows, { asOf: lastDay })
const dates = ['2024-08-30', '2024-12-31']

/** When each file of a day was written. */
async function filesOf(day: string): Promise<Record<string, number>> {
  const [key] = await readdir(join(lake.root, 'days', day))
  const folder = join(lake.root, 'days', day, key!)
  const names = (await readdir(folder)).filter(name => name.endsWith('.parquet')).sort()
  const times = names.map(async name => [name, (await stat(join(folder, name))).mtimeMs] as const)
  return Object.fromEntries(await Promise.all(times))
}

t.test('days are derived once, and questions as of them read what is stored', async t => {
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const told: number[][] = []
  const first = await engine.deriveDays({ dates, progress: (done, total) => told.push([done, total]) })
  t.strictSame(
    first,
    dates.map(as_of => ({ as_of, state: 'derived' })),
  )
  t.strictSame(told, [
    [1, 2],
    [2, 2],
  ])
  const before = await filesOf('2024-08-30')
  t.strictSame(Object.keys(before), [
    'bonds.parquet',
    'companies.parquet',
    'known_companies.parquet',
    'ratings.parquet',
  ])
  t.match(await engine.deriveDays({ dates }), [{ state: 'stored' }, { state: 'stored' }])
  const panel = (await engine.ask('panel', { resource: 'companies', dates, fields: ['leverage_ratio'] }))[
    'data'
  ] as Record<string, unknown>[]
  for (const as_of of dates) {
    const { data } = await engine.call('search.companies', { as_of, fields: ['leverage_ratio'] })
    t.strictSame(
      panel.filter(row => row['as_of'] === as_of).map(({ as_of: _, ...row }) => row),
      data,
    )
    t.ok(data.length > 0)
  }
  t.strictSame(await filesOf('2024-08-30'), before, 'nothing was derived again')
})

t.test('what becomes known later leaves earlier days as they are', async t => {
  const before = await filesOf('2024-08-30')
  const company = { ticker: 'FLKNT', company_name: 'Falkenrath Corp.' }
  await addRows(lake, {
    ratings: [
      { ...company, agency: 'sp', rating: 'CCC', effective_date: '2025-01-15', known_from: '2025-01-15' },
    ],
  })
  await build(lake, { asOf: lastDay })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  t.strictSame(await engine.deriveDays({ dates: [...dates, '2025-01-31'] }), [
    ...dates.map(as_of => ({ as_of, state: 'stored' })),
    { as_of: '2025-01-31', state: 'derived' },
  ])
  t.strictSame(await filesOf('2024-08-30'), before)
})

t.test('other tables can be named; days and tables that do not exist are refused', async t => {
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const more = { dates: ['2024-08-30'], tables: ['financials', 'covenants'] }
  t.match(await engine.deriveDays(more), [{ state: 'derived' }])
  t.match(Object.keys(await filesOf('2024-08-30')), [
    'bonds.parquet',
    'companies.parquet',
    'covenants.parquet',
    'financials.parquet',
  ])
  await t.rejects(engine.deriveDays({ dates, tables: ['bond'] }), {
    code: 'INVALID_PARAMETER',
    message: /no table bond/,
  })
  await t.rejects(engine.deriveDays({ from: '2025-05', to: '2030-01', every: 'month' }), {
    code: 'INVALID_PARAMETER',
    message: `the last month up to 2030-01 ends on 2030-01-31, after the as-of date ${lastDay}`,
  })
  await t.rejects(engine.deriveDays({}), { code: 'MISSING_PARAMETER' })
  await t.rejects(engine.deriveDays({ dates, table: ['bonds'] } as object), {
    message: /no option table; did you mean tables/,
  })
})

t.test('the day of the snapshot itself has its tables', async t => {
  const company = { ticker: 'FLKNT', company_name: 'Falkenrath Corp.' }
  const rating = { agency: 'sp', rating: 'BB', effective_date: '2025-01-15', known_from: '2025-01-15' }
  const small = await makeLake(t.teardown, {
    companies: [{ ticker: 'FLKNT', name: 'Falkenrath Corp.' }],
    ratings: [{ ...company, ...rating }],
  })
  await build(small, { asOf: '2025-01-31' })
  const engine = await open(small)
  t.teardown(() => engine.close())
  t.strictSame(await engine.deriveDays({ dates: ['2025-01-31'] }), [
    { as_of: '2025-01-31', state: 'snapshot' },
  ])
})
