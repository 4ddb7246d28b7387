import t from 'tap'
import { type Engine, type ListName, open } from '../engine/main.ts'
import { build } from '../engine/snapshot/build.ts'
import { builtLake } from './built-lake.ts'
import { addRows, twoIssuers } from './make-lake.ts'

const lake = await builtLake(t.teardown, twoIssuers)
const engine = await open(lake)
t.teardown(() => engine.close())

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const row of rows) list.push(row)
  return list
}

const questions: readonly (readonly [ListName, object])[] = [
  ['search.companies', { sort: '-total_debt' }],
  ['search.companies', { fields: ['name', 'debt_due_1yr'], include_metadata: true }],
  ['search.bonds', { sort: '-pricing.ytm', is_active: false }],
  ['search.bonds', { explain: true }],
  ['search.ratings', {}],
  ['search.pricing', { aggregation: 'daily', explain: true }],
  ['search.spreads', { latest_only: true }],
  ['search.financials', { fields: ['revenue', '_explain'] }],
  ['search.migrations', { since: '2024-06-02' }],
  ['search.headroom', { ebitda_shock: -10 }],
  ['search.maturities', {}],
  ['search.liquidity', {}],
  ['market.curves', {}],
  ['search.relative_value', { explain: true }],
  ['search.returns', { cusip: ['998XSRA10'] }],
  ['search.trade_liquidity', {}],
  ['aggregate.spreads', { group_by: ['tenor'], metrics: ['median', 'count'] }],
  ['export', { data_type: 'bonds' }],
]

t.test('rows yields the same as call without a limit, for lists of every kind', async t => {
  for (const [name, input] of questions) {
    const { data, ratings } = await engine.ask(name, { ...input, limit: 10_000 })
    t.strictSame(await all(engine.rows(name, input)), data ?? ratings, `${name} ${JSON.stringify(input)}`)
  }
})

t.test('rows has no page unless limit is given', async t => {
  const ids = (await all(engine.rows('search.bonds', { fields: ['id'], sort: 'id', currency: 'USD' }))).map(
    ({ id }) => id,
  )
  t.ok(ids.length > 2)
  const page = await all(engine.rows('search.bonds', { fields: ['id'], sort: 'id', limit: 2, offset: 1 }))
  t.strictSame(
    page.map(({ id }) => id),
    ids.slice(1, 3),
  )
})

t.test('rows reads one snapshot, even if another is published meanwhile', async t => {
  const before = await all(engine.rows('search.ratings'))
  const seen: typeof before = []
  for await (const row of engine.rows('search.ratings')) {
    if (seen.length === 0) {
      const action = { agency: 'fitch', rating: 'B-', rating_type: 'issuer', effective_date: '2025-05-30' }
      await addRows(lake, { ratings: [{ ticker: 'ALFA', ...action }] })
      await build(lake)
      await engine.refresh()
    }
    seen.push(row)
  }
  t.strictSame(seen, before)
  t.equal((await all(engine.rows('search.ratings'))).length, before.length + 1)
})

t.test('leaving a loop early releases its snapshot', async t => {
  for await (const row of engine.rows('search.bonds')) {
    t.ok(row.id)
    break
  }
  const left = new AbortController()
  left.abort(new Error('no longer wanted'))
  await t.rejects(all(engine.rows('search.bonds', {}, { signal: left.signal })), /no longer wanted/)
  t.ok((await engine.call('search.bonds')).data.length > 0)
})

t.test('an operation that returns an object has no rows', async t => {
  const name = 'get.company' as 'search.companies'
  await t.rejects(all(engine.rows(name, { ticker: 'ALFA' })), {
    code: 'INVALID_PARAMETER',
    message: /use call/,
  })
  await t.rejects(engine.table(name, { ticker: 'ALFA' }), { code: 'INVALID_PARAMETER' })
})

t.test('table has all rows in exact types, with units and the snapshot as metadata', async t => {
  const table = await engine.table('search.bonds', {
    fields: ['id', 'outstanding', 'pricing.ytm'],
    sort: 'id',
  })
  const rows = await all(
    engine.rows('search.bonds', { fields: ['id', 'outstanding', 'pricing.ytm'], sort: 'id' }),
  )
  t.equal(table.numRows, rows.length)
  t.strictSame(
    table.schema.fields.map(({ name, type }) => [name, String(type)]),
    [
      ['id', 'Utf8'],
      ['outstanding', 'Int64'],
      ['pricing.ytm', 'Float64'],
    ],
  )
  t.equal(table.schema.fields[1]?.metadata.get('unit'), 'cents')
  t.equal(table.schema.metadata.get('snapshot'), engine.snapshot)
  t.equal(table.schema.metadata.get('as_of'), '2025-06-02')
  t.strictSame(
    [...(table.getChild('id') ?? [])],
    rows.map(({ id }) => id),
  )
  t.strictSame(
    [...(table.getChild('outstanding') ?? [])],
    rows.map(({ outstanding }) => (outstanding === null ? null : BigInt(outstanding))),
  )
})

t.test('await using closes the engine', async t => {
  let kept: Engine
  {
    await using own = await open(lake)
    kept = own
    t.ok((await own.call('search.companies')).data.length > 0)
  }
  await t.rejects(kept.call('search.companies'), /the engine is closed/)
})

t.test('every call refuses an unknown option by name', async t => {
  const misspelt = { timout: 5 } as object
  const refusal = { code: 'INVALID_PARAMETER', message: 'there is no option timout; did you mean timeout?' }
  await t.rejects(engine.call('search.bonds', {}, misspelt), refusal)
  await t.rejects(engine.ask('search.bonds', {}, misspelt), refusal)
  await t.rejects(all(engine.rows('search.bonds', {}, misspelt)), refusal)
  await t.rejects(engine.table('search.bonds', {}, misspelt), refusal)
  await t.rejects(engine.sql('SELECT 1', [], misspelt), refusal)
  await t.rejects(open(engine.lake, misspelt), refusal)
  for (const plumbing of ['parsed', 'refreshed', 'nonempty', 'bounded', 'warnings', 'deadline'])
    await t.rejects(engine.call('search.bonds', {}, { [plumbing]: true }), {
      code: 'INVALID_PARAMETER',
      message: `there is no option ${plumbing}: the options are as_of, asOf, coverage, timeout, signal`,
      details: { allowed: ['as_of', 'asOf', 'coverage', 'timeout', 'signal'] },
    })
})
