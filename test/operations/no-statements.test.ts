import t from 'tap'
import { Database } from '../../engine/database/database.ts'
import { type Engine, open } from '../../engine/engine.ts'
import { operations } from '../../engine/operations/api.ts'
import { openSample } from '../sample-engine.ts'

// A past day is derived, which takes a while on a busy machine.
t.setTimeout(300_000)

const statements: string[] = []
for (const name of ['rows', 'columns'] as const) {
  const original = Database.prototype[name] as (this: Database, ...given: unknown[]) => unknown
  Object.defineProperty(Database.prototype, name, {
    value(this: Database, ...given: unknown[]) {
      statements.push(String(given[0]))
      return original.apply(this, given)
    },
  })
}

type Input = Readonly<Record<string, unknown>>

const warm = await openSample(t)
/** Has no table in memory. */
const cold = await open(warm.lake, { hotMemory: '0' })
t.teardown(() => cold.close())

const [bond] = await warm.sql<{ cusip: string; ticker: string }>(
  `SELECT b.cusip, b.company_ticker AS ticker FROM bonds b JOIN covenants c ON c.company_id = b.company_id
   WHERE b.cusip IS NOT NULL AND b.is_active AND b.call_schedule IS NOT NULL AND c.in_force ORDER BY b.cusip LIMIT 1`,
)
const others = await warm.sql<{ ticker: string }>(
  'SELECT ticker FROM companies WHERE bond_count > 1 AND ticker IS NOT NULL ORDER BY ticker LIMIT 3',
)
const { cusip, ticker } = bond!

const inputs: Readonly<Record<string, Input>> = {
  'resolve.bond': { q: `${ticker} 2030` },
  'history.pricing': { cusip },
  'bond.risk': { cusip },
  'compare.covenants': { ticker: [ticker, others[0]!.ticker] },
  'search.returns': { ticker },
  'traverse.entities': { start: { type: 'company', id: ticker }, relationships: ['debt'] },
  'search.documents': { q: 'change of control' },
  suggest: { q: 'cov' },
  'count.facets': { data_type: 'bonds', min_coupon: 4 },
  'search.changes': { resource: 'companies', since: '2025-06-30', ticker },
  panel: { resource: 'companies', dates: [warm.manifest.as_of], ticker },
  export: { data_type: 'bonds', limit: 5 },
}

/** The answer once all that it needs is in memory, with the statements that it still runs. */
async function warmed(engine: Engine, name: string, input: Input) {
  let answer: unknown
  for (let call = 0; call < 40; call++) {
    statements.length = 0
    answer = await engine.ask(name, input)
    if (statements.length === 0 && call > 1) break
    // Meanwhile tables are loaded.
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  return { answer, left: [...statements] }
}

t.test('once its tables are in memory, an operation runs no statement', async t => {
  for (const { name, params } of operations) {
    const input = inputs[name] ?? (params['ticker'] ? { ticker } : {})
    const { left } = await warmed(warm, name, input)
    t.strictSame(left, [], name)
  }
})

t.test('answers from memory are those of statements, today and as of a past day', async t => {
  const tickers = [ticker, ...others.map(other => other.ticker)]
  const past = `${Number(warm.manifest.as_of!.slice(0, 4)) - 1}${warm.manifest.as_of!.slice(4)}`
  const companies = [
    'recovery.company',
    'market.scenario',
    'search.returns',
    'search.trade_liquidity',
    'search.liquidity',
    'search.maturities',
    'search.headroom',
    'search.instruments',
  ]
  const questions: [string, Input][] = [
    ...tickers.slice(0, 2).flatMap(one => companies.map((name): [string, Input] => [name, { ticker: one }])),
    ['search.returns', { ticker, every: 'day' }],
    ['search.returns', { sector: 'energy', rating_bucket: 'HY-B', weight: 'par' }],
    ['search.trade_liquidity', { limit: 100 }],
    ['search.trade_liquidity', { ticker: tickers, max_gap: 30, limit: 100 }],
    ['search.headroom', { max_age: 'none', ticker: tickers }],
    ['market.scenario', { cusip: [cusip, '000000000'], on_unknown: 'skip' }],
    ['market.scenario', { sector: 'ENERGY', rating_bucket: 'HY-B' }],
    ['bond.risk', { cusip, explain: true }],
    ['history.pricing', { cusip }],
    ['history.pricing', { cusip, date_from: '1999-01-01', date_to: '1999-12-31' }],
    ['search.collateral', { ticker: tickers }],
    ['search.collateral', { has_valuation: false, ticker: tickers }],
    ['search.instruments', { ticker: tickers, is_active: false }],
    ['search.bonds', { seniority: 'subordinated', min_coupon: 90 }],
    ['search.bonds', { currency: 'USX' }],
    ['compare.covenants', { ticker: tickers, explain: true }],
    ['compare.covenants', { ticker: tickers, covenant_type: 'financial' }],
  ]
  for (const as_of of [undefined, past])
    for (const [name, input] of questions) {
      const asked = { ...input, ...(as_of && { as_of }) }
      const { answer } = await warmed(warm, name, asked)
      const wanted = await cold.ask(name, asked)
      t.equal(JSON.stringify(answer), JSON.stringify(wanted), `${name} ${JSON.stringify(asked)}`)
    }
})
