import { DEFAULT_MAX_AGE, DEFAULT_RATING_MAX_AGE, maxAgeOf } from '../credit/max-age.ts'
import { stored } from '../database/views.ts'
import type { Resource } from '../schema/resource.ts'
import { ageParams } from '../schema/resources/companies.ts'
import { type Liquidity, liquidity } from '../schema/resources/liquidity.ts'
import { byCompany, claimsOf } from './claims.ts'
import { type CompanyFigures, type Explained, explainedFigures, figuresOf } from './company-figures.ts'
import { type ComputedRow, namedCompanies, pageOfComputed, rowsOfDay } from './computed-rows.ts'
import { type Undrawn, undrawnOf } from './facilities.ts'
import { type KeyedRows, rowsByKey } from './keyed-rows.ts'
import { checkList } from './list.ts'
import { disclosuresOf } from './maturity-schedule.ts'
import { type Context, operation, type Page } from './operation.ts'
import { explainParam, filterParams, pageParams, timeParams, unknownParam } from './params.ts'

const resource = liquidity as unknown as Resource

export const searchLiquidity = operation({
  name: 'search.liquidity',
  method: 'GET',
  path: '/v1/liquidity',
  command: 'liquidity',
  doc: 'Cash, undrawn facilities and free cash flow against debt due, thinnest cover first.',
  tier: 'pro',
  cost: 'complex',
  answers: 'rows',
  envelope: 'data',
  columns: liquidity.columns,
  resource,
  examples: ['--max-cover 1', '--ticker FLKNT,MRVND'],
  params: {
    ...filterParams(liquidity),
    max_age: ageParams.max_age,
    ...pageParams<typeof liquidity.columns>(liquidity.limit, liquidity.sort),
    ...unknownParam,
    ...timeParams,
    ...explainParam,
  },
  check: args => checkList(resource, args),
  async run(context, args) {
    const { ids, unknown } = await namedCompanies(context, args)
    const maxAge = maxAgeOf(args.max_age, DEFAULT_MAX_AGE)
    const { explain } = args
    const rows = await rowsOfDay(context, resource, { ids, explain, variant: [maxAge] }, () =>
      liquidityRows(context, ids, maxAge, explain),
    )
    return pageOfComputed(
      rows,
      {
        resource,
        args,
        explains: 'The formulas, and each amount with its filings or instruments.',
        applied: { max_age: args.max_age },
        emptyBecause: n =>
          `cash, undrawn facilities or debt due are known of ${n} companies, and none of them passes the filters`,
      },
      unknown,
    )
  },
  out: undefined as Page<Liquidity> | undefined,
})

async function liquidityRows(
  context: Context,
  ids: readonly string[] | null,
  maxAge: number,
  explain: boolean,
): Promise<ComputedRow[]> {
  const figures = await figuresOf(context, ids, maxAge, DEFAULT_RATING_MAX_AGE)
  const disclosures = await disclosuresOf(context, ids)
  const claims = byCompany(await claimsOf(context, ids))
  const flows = new Map((await rowsByKey(context, cashFlows, ids)).map(row => [row.company_id, row]))
  const explained = explain
    ? await explainedFigures(context, [...figures.keys()], maxAge, ['cash', 'debt_due_1yr', 'debt_due_2yr'])
    : null
  return [...figures.values()].flatMap(company => {
    const { company_id, currency } = company
    const undrawn = undrawnOf(disclosures.get(company_id) ?? [], claims.get(company_id) ?? [], {
      asOf: context.asOf,
      maxAge,
      currency: currency ?? 'USD',
    })
    const flow = flowOf(company, flows.get(company_id))
    const row = rowOf(company, undrawn, flow)
    // A company of which nothing is known but its name has no liquidity to show, unless it is named.
    if (ids === null && row['cash'] === null && row['due_12m'] === null && undrawn.amount === null) return []
    return [explained ? { ...row, _explain: explainOf(undrawn, flow, explained.get(company_id) ?? {}) } : row]
  })
}

/** The newest trailing cash flow of a company. */
interface CashFlow {
  readonly company_id: string
  readonly period_end_date: string
  readonly operating_cash_flow: number | null
  readonly capex: number | null
  readonly free_cash_flow: number | null
  readonly is_annualized: boolean
  readonly currency: string | null
  readonly accession: string | null
  readonly explained: string | null
}

const cashFlows: KeyedRows<CashFlow> = {
  name: 'trailing cash flows of companies',
  tables: ['financials'],
  keyOf: row => row.company_id,
  sql: among =>
    `SELECT company_id, CAST(period_end_date AS VARCHAR) AS period_end_date, operating_cash_flow, capex, free_cash_flow, is_annualized, currency,
       accession, _explain AS explained
     FROM ${stored('financials')} WHERE company_id IS NOT NULL AND basis = 'ttm' AND is_latest AND is_newest ${among('company_id')}
     QUALIFY row_number() OVER (PARTITION BY company_id ORDER BY fiscal_year DESC, fiscal_quarter DESC, version DESC) = 1`,
}

/** The cash flow of the period whose cash is shown; null if another. */
const flowOf = (
  { period_end_date, figures_null_because, currency }: CompanyFigures,
  flow: CashFlow | undefined,
) =>
  flow &&
  figures_null_because === null &&
  flow.period_end_date === period_end_date &&
  flow.currency === currency
    ? flow
    : null

function rowOf(company: CompanyFigures, undrawn: Undrawn, flow: CashFlow | null): ComputedRow {
  const { cash, debt_due_1yr: due, debt_due_2yr: dueLater } = company
  const free = flow?.free_cash_flow ?? null
  const missing = [
    ...(cash === null ? ['cash'] : []),
    ...(undrawn.amount === null ? ['undrawn_committed'] : []),
    ...(free === null ? ['free_cash_flow'] : []),
  ]
  const hasSources = missing.length < 3
  const sources = (cash ?? 0) + (undrawn.amount ?? 0)
  const reason =
    due === 0
      ? 'nothing_due'
      : due === null
        ? (company.figures_null_because ?? 'due_unknown')
        : hasSources
          ? null
          : (company.figures_null_because ?? 'no_sources')
  const over = (amount: number, owed: number | null) => (owed && hasSources ? amount / owed : null)
  return {
    ticker: company.ticker,
    company_name: company.company_name,
    sector: company.sector,
    industry: company.industry,
    rating_bucket: company.rating_bucket,
    cash,
    undrawn_committed: undrawn.amount,
    undrawn_source: undrawn.source,
    undrawn_date: undrawn.date,
    undrawn_null_because: undrawn.null_because,
    committed: undrawn.committed,
    free_cash_flow: free,
    due_12m: due,
    due_24m: dueLater,
    cover_12m: over(sources + (free ?? 0), due),
    cover_24m: over(sources + 2 * (free ?? 0), dueLater),
    cash_cover_12m: cash !== null && due ? cash / due : null,
    cover_excludes: missing.length > 0 ? missing : null,
    cover_null_because: reason,
    currency: company.currency,
    is_annualized: flow?.is_annualized ?? null,
    period_end_date: company.period_end_date,
    figures_age_days: company.figures_age_days,
    company_id: company.company_id,
    coverage: company.coverage,
  }
}

function explainOf(undrawn: Undrawn, flow: CashFlow | null, figures: Explained): unknown {
  const lines = flow?.explained ? (JSON.parse(flow.explained) as Record<string, unknown>) : {}
  return {
    cover_12m: '(cash + undrawn_committed + free_cash_flow) / due_12m; what is not known counts as nothing',
    cover_24m:
      '(cash + undrawn_committed + 2 x free_cash_flow) / due_24m; what is not known counts as nothing',
    cash: figures['cash'] ?? null,
    due_12m: figures['debt_due_1yr'] ?? null,
    due_24m: figures['debt_due_2yr'] ?? null,
    undrawn_committed: undrawn,
    free_cash_flow: flow && {
      formula: 'operating_cash_flow - capex',
      period_end: flow.period_end_date,
      accession: flow.accession,
      operating_cash_flow: lines['operating_cash_flow'] ?? null,
      capex: lines['capex'] ?? null,
    },
  }
}
