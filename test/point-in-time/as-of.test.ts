import t, { type Test } from 'tap'
import { QueryError } from '../../engine/base/errors.ts'
import { Database } from '../../engine/database/database.ts'
import { Derivation } from '../../engine/derive/derive.ts'
import { steps } from '../../engine/derive/steps.ts'
import { type Engine, open } from '../../engine/engine.ts'
import { batchFiles } from '../../engine/lake/imports.ts'
import type { Lake } from '../../engine/lake/lake.ts'
import { verifiedInputs } from '../../engine/lake/verify.ts'
import { builtLake } from '../built-lake.ts'
import { firstOf, oneOf } from '../by-night.ts'
import type { Rows } from '../make-lake.ts'
import { answerOf, rowsOf, views } from './compare-lakes.ts'
import { lastDay, richRows } from './rich-lake.ts'

async function opened(t: Test, rows: Rows): Promise<{ lake: Lake; engine: Engine }> {
  const lake = await builtLake(t.teardown, rows, { asOf: lastDay })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  return { lake, engine }
}

const dated: Rows = Object.fromEntries(
  Object.entries(richRows).map(([name, rows]) => [name, rows.filter(row => row['known_from'] !== null)]),
)
const { lake, engine } = await opened(t, dated)

const refusal = async (asked: Promise<unknown>) => {
  const error = await asked.then(
    () => null,
    (error: unknown) => error,
  )
  if (error instanceof QueryError) return { code: error.code, details: error.details }
  throw error ?? new Error('it was answered')
}

t.test('a step reads only its declared inputs, and makes the same alone as with all others', async t => {
  const inputs = await verifiedInputs(lake, await batchFiles(lake))
  const files = async (dataset: string) => inputs.get(dataset) ?? []
  const options = { asOf: '2024-12-27', undated: false, assumeSeniority: null }
  const made = async (db: Database, table: string) => {
    const [row] = await db.rows<{ md5: string }>(
      `SELECT md5(string_agg(text, '' ORDER BY text)) AS md5 FROM (SELECT CAST(to_json(x) AS VARCHAR) AS text FROM ${table} x)`,
    )
    return row!.md5
  }
  const whole = await Database.create()
  const all = new Derivation(whole, files, options)
  for (const step of steps) await all.make(...step.makes)
  for (const step of oneOf(3, steps)) {
    const alone = await Database.create()
    await new Derivation(alone, files, options).make(...step.makes)
    for (const table of step.makes) t.equal(await made(alone, table), await made(whole, table), table)
    alone.close()
  }
  whole.close()
})

t.test('concurrent queries for tables of a day share the work', async t => {
  const inputs = await verifiedInputs(lake, await batchFiles(lake))
  const begun: string[] = []
  const db = await Database.create()
  t.teardown(() => db.close())
  const derivation = new Derivation(db, async dataset => inputs.get(dataset) ?? [], {
    asOf: '2024-12-27',
    undated: false,
    assumeSeniority: null,
    progress: label => begun.push(label),
  })
  await Promise.all([derivation.make('ratings'), derivation.make('covenants'), derivation.make('ratings')])
  t.strictSame(begun, ['bonds', 'issuers', 'ratings'], 'nothing of prices or statements')
  await derivation.make('companies')
  t.strictSame(begun, ['bonds', 'issuers', 'ratings', 'statements', 'companies'])
})

t.test('answers about a past day are not changed by later events', async t => {
  // Nothing in this lake is cancelled or corrected later.
  const { engine } = await opened(t, {
    companies: dated['companies']!,
    bonds: dated['bonds']!,
    treasury_yields: dated['treasury_yields']!,
    trades: dated['trades']!.filter(trade => trade['action'] === undefined),
  })
  const series = (day: string, asOf: string) =>
    engine.sql(
      `SELECT spread_date, tenor, spread_bps, bond_count FROM spreads WHERE ticker = 'ALFA' AND spread_date <= $day::DATE
       UNION ALL SELECT date, bond_id, last_price, spread FROM pricing_history
         WHERE bond_id IN ('B001', 'B002', 'B003', 'B004', 'B005') AND date <= $day::DATE
       UNION ALL SELECT spread_date, bond_id || ' ' || outcome, spread_bps, trade_count FROM spread_inputs
         WHERE ticker = 'ALFA' AND spread_date <= $day::DATE ORDER BY ALL`,
      { day },
      { asOf },
    )
  for (const day of firstOf(1, ['2024-09-06', '2024-04-19', '2025-02-14'])) {
    const then = await series(day, day)
    t.ok(then.length > 100)
    t.ok(
      then.some(row => String(row['tenor']).endsWith('beyond_3_sigma')),
      'an outlier was left out',
    )
    t.strictSame(await series(day, lastDay), then)
  }
})

t.test("the snapshot's own day as as_of equals the snapshot if every row is dated", async t => {
  for (const name of ['search.bonds', 'search.companies', 'search.financials', 'search.spreads']) {
    const [named, plain] = [
      await answerOf(engine, { name, input: { explain: true, as_of: lastDay } }),
      await answerOf(engine, { name, input: { explain: true } }),
    ]
    t.equal(named, plain, name)
  }
})

t.test('explain adds `_explain` and the lane, and changes nothing else', async t => {
  const day = '2024-12-27'
  for (const name of [
    'search.bonds',
    'search.companies',
    'search.financials',
    'search.spreads',
    'search.pricing',
    'search.ratings',
  ])
    for (const input of [{}, { limit: 3, offset: 2 }, { fields: 'ticker' }]) {
      const asked = name === 'search.pricing' && 'fields' in input ? { fields: 'company_ticker' } : input
      const plain = await engine.ask(name, { ...asked, as_of: day })
      const explained = await engine.ask(name, { ...asked, as_of: day, explain: true })
      const rows = (answer: Record<string, unknown>) =>
        ((answer['data'] ?? answer['ratings']) as Record<string, unknown>[]).map(
          ({ _explain, ...row }) => row,
        )
      t.strictSame(rows(explained), rows(plain), `${name} ${JSON.stringify(asked)}`)
      const { lane, ...meta } = explained['meta'] as Record<string, unknown>
      t.match(lane, { lane: /^(memory|duckdb)$/, why: String })
      t.strictSame(meta, plain['meta'])
    }
})

t.test('SQL as of a day sees the documented views and no intermediate tables', async t => {
  for (const view of views) t.type(await rowsOf(engine, view, '2024-12-27'), 'string', view)
  for (const asOf of [undefined, '2024-12-27'])
    t.match(
      await refusal(engine.sql('SELECT * FROM bonds_base', [], asOf === undefined ? {} : { asOf })),
      { code: 'INVALID_SQL' },
      asOf ?? 'the snapshot',
    )
  t.match(
    await engine.call('search.bonds', { as_of: '2024-12-27', cusip: '037833AK6' }),
    { meta: { total: 0 } },
    'operations still answer',
  )
})

t.test('a day without an answer is refused in every interface', async t => {
  const ways = (day: string) => [
    () => engine.call('search.bonds', { as_of: day }),
    () => engine.call('resolve.bond', { q: 'ALFA', as_of: day }),
    () => engine.call('compare.covenants', { ticker: 'ALFA,GAMA', as_of: day }),
    () => engine.call('changes.company', { ticker: 'ALFA', as_of: day }),
    () => engine.call('aggregate.spreads', { as_of: day }),
    () => engine.call('export', { data_type: 'bonds', as_of: day }),
    () => engine.sql('SELECT 1', [], { asOf: day }),
  ]
  for (const ask of ways('2025-07-01'))
    t.match(await refusal(ask()), {
      code: 'INVALID_PARAMETER',
      details: { parameter: 'as_of', max: lastDay },
    })
  for (const ask of ways('2001-01-01'))
    t.match(await refusal(ask()), { code: 'NO_SNAPSHOT', details: { earliest: '2022-05-16' } })
  for (const ask of ways('2025-02-30'))
    t.match(await refusal(ask()), { code: 'INVALID_PARAMETER', details: { parameter: 'as_of' } })
})
