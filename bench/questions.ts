import type { Random } from '../cli/sample/random.ts'
import { addDays } from '../engine/base/days.ts'
import type { Engine } from '../engine/engine.ts'
import type { Operations } from '../engine/operations/api.ts'

export type Input = Readonly<Record<string, unknown>>

/** Values that queries use. */
interface Sample {
  /** The as-of day and one a quarter before. */
  readonly days: readonly string[]
  readonly tickers: readonly string[]
  readonly bonds: readonly {
    readonly cusip: string
    readonly ticker: string
    readonly company: string
    readonly coupon: number
    readonly maturity: string
  }[]
}

const WORDS = (
  'covenant leverage guarantee collateral maturity indenture default revolver notes secured lien borrower facility liquidity ' +
  'redemption interest rating subsidiary dividend cash refinance coupon principal trustee merger capital debt amendment'
).split(' ')

type Ask = (sample: Sample, random: Random) => Input

const ofCompany: Ask = ({ tickers }, random) => ({ ticker: random.pick(tickers) })
const ofBond: Ask = ({ bonds }, random) => ({ cusip: random.pick(bonds).cusip })

/** A question of every operation, with other arguments in each call. */
export const questions: Readonly<Record<keyof Operations, Ask>> = {
  'search.companies': ({ tickers }, random) => ({ ticker: random.shuffled(tickers).slice(0, 5) }),
  'get.company': ofCompany,
  'search.bonds': ({ tickers }, random) => ({ ticker: random.pick(tickers), sort: 'maturity_date' }),
  'resolve.bond': ({ bonds }, random) => {
    const { company, ticker, coupon, maturity } = random.pick(bonds)
    return {
      q: random.pick([
        `${ticker} ${coupon} ${maturity.slice(5, 7)}/${maturity.slice(2, 4)}`,
        `${company} ${coupon.toFixed(3)}% ${maturity.slice(5, 7)}/${maturity.slice(8)}/${maturity.slice(0, 4)} SR UNSEC`,
        `${company.toLowerCase()} ${maturity.slice(0, 4)}`,
      ]),
    }
  },
  'search.pricing': ofCompany,
  'history.pricing': ofBond,
  'bond.risk': ofBond,
  'search.financials': ofCompany,
  'search.restatements': (_, random) => ({ min_change: random.whole(1, 20) }),
  'search.collateral': ofCompany,
  'search.instruments': ofCompany,
  'search.corrections': (_, random) => ({ limit: random.whole(5, 50) }),
  'search.reconciliations': ofCompany,
  'search.covenants': ofCompany,
  'compare.covenants': ({ tickers }, random) => ({ ticker: random.shuffled(tickers).slice(0, 3) }),
  'search.headroom': (_, random) => ({ max_headroom: random.whole(10, 60) }),
  'search.maturities': (_, random) => ({ min_due_percent: random.whole(10, 60) }),
  'search.liquidity': (_, random) => ({ max_cover: random.whole(5, 40) / 10 }),
  'recovery.company': ofCompany,
  'search.ratings': ofCompany,
  'search.migrations': (_, random) => ({ limit: random.whole(5, 50) }),
  'search.spreads': ofCompany,
  'aggregate.spreads': (_, random) => ({ group_by: ['month'], limit: random.whole(5, 50) }),
  'search.indices': (_, random) => ({ latest_only: true, limit: random.whole(5, 50) }),
  'market.curves': ofCompany,
  'search.relative_value': (_, random) => ({ min_residual: random.whole(5, 50) }),
  'market.scenario': ({ tickers }, random) => ({
    ticker: random.pick(tickers),
    shift: random.whole(-100, 100),
  }),
  'search.returns': ({ tickers }, random) => ({ ticker: random.pick(tickers), every: 'month' }),
  'search.trade_liquidity': ofCompany,
  'traverse.entities': ({ tickers }, random) => ({
    start: { type: 'company', id: random.pick(tickers) },
    relationships: [random.pick(['subsidiaries', 'guarantees', 'debt'])],
    depth: 3,
  }),
  // Hardly a question is asked twice: answers to the same one are cached.
  'search.documents': (_, random) => ({
    q: random
      .shuffled(WORDS)
      .slice(0, 3)
      .join(random.next() < 0.3 ? ' OR ' : ' '),
    mode: 'keyword',
    limit: 50,
  }),
  suggest: (_, random) => ({ q: random.pick(WORDS).slice(0, 4) }),
  'changes.company': ofCompany,
  'search.changes': ({ tickers }, random) => ({
    resource: 'companies',
    since: '2025-01-31',
    ticker: random.shuffled(tickers).slice(0, 5),
  }),
  panel: ({ tickers, days }, random) => ({
    resource: 'companies',
    dates: days,
    ticker: random.pick(tickers),
  }),
  'count.facets': (_, random) => ({ data_type: 'bonds', min_coupon: random.whole(0, 300) / 100 }),
  export: (_, random) => ({ data_type: 'bonds', min_coupon: random.whole(0, 300) / 100, limit: 50 }),
}

export async function sampleOf(engine: Engine): Promise<Sample> {
  const last = engine.manifest.as_of ?? ''
  const since = addDays(last, -91)
  const companies = await engine.sql<{ ticker: string }>(
    // Those of a quarter before, because a panel is asked of that day too.
    `SELECT ticker FROM companies JOIN (SELECT DISTINCT company_id FROM bonds WHERE known_from <= DATE '${since}' AND is_active) USING (company_id)
     WHERE bond_count > 0 AND ticker IS NOT NULL ORDER BY ticker`,
  )
  const bonds = await engine.sql<Sample['bonds'][number]>(
    `SELECT cusip, company_ticker AS ticker, company_name AS company, coupon_rate AS coupon, CAST(maturity_date AS VARCHAR) AS maturity
     FROM bonds WHERE cusip IS NOT NULL AND company_ticker IS NOT NULL AND coupon_rate IS NOT NULL AND maturity_date IS NOT NULL
     ORDER BY cusip`,
  )
  return { days: [since, last], tickers: companies.map(row => row.ticker), bonds }
}
