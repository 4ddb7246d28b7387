import type { Operations } from '../../engine/operations/api.ts'
import type { Operation, OutputOf } from '../../engine/operations/operation.ts'

type Dotted<T, Under extends string = ''> = T extends object
  ? {
      [K in keyof T & string]: NonNullable<T[K]> extends readonly unknown[]
        ? `${Under}${K}`
        : NonNullable<T[K]> extends object
          ? Dotted<NonNullable<T[K]>, `${Under}${K}.`>
          : `${Under}${K}`
    }[keyof T & string]
  : never

type RowIn<O> = O extends { data: (infer R)[] } | { ratings: (infer R)[] } ? R : never
type Brief = { readonly [N in keyof Operations]?: readonly Dotted<RowIn<OutputOf<Operations[N]>>>[] }

/** The columns that a conversation needs by default; others are available by name. */
const brief = {
  'search.companies': [
    'ticker',
    'name',
    'sector',
    'rating_bucket',
    'currency',
    'total_debt',
    'net_debt',
    'ebitda_ttm',
    'leverage_ratio',
    'interest_coverage',
    'debt_due_2yr',
    'nearest_maturity',
    'bond_count',
    'period_end_date',
    'figures_age_days',
    'figures_null_because',
    'rating_date',
  ],
  'search.bonds': [
    'cusip',
    'display_name',
    'company_ticker',
    'coupon_rate',
    'maturity_date',
    'seniority',
    'instrument_type',
    'rate_structure',
    'outstanding',
    'currency',
    'pricing.last_price',
    'pricing.last_trade_date',
    'pricing.staleness_days',
    'pricing.ytm',
    'pricing.spread',
    'pricing.duration',
    'pricing.price_source',
  ],
  'search.pricing': [
    'cusip',
    'bond_name',
    'company_ticker',
    'last_price',
    'last_trade_date',
    'ytm',
    'spread',
    'duration',
    'staleness_days',
    'price_source',
  ],
  'search.financials': [
    'ticker',
    'fiscal_year',
    'fiscal_quarter',
    'period_end_date',
    'currency',
    'revenue',
    'ebitda',
    'interest_expense',
    'net_income',
    'total_debt',
    'cash_and_equivalents',
    'free_cash_flow',
    'leverage_ratio',
    'filed_date',
  ],
  'search.collateral': [
    'company_ticker',
    'bond_name',
    'cusip',
    'type',
    'priority',
    'description',
    'estimated_value',
    'valuation_date',
  ],
  'search.covenants': [
    'ticker',
    'instrument_name',
    'covenant_type',
    'covenant_name',
    'test_metric',
    'threshold_value',
    'threshold_type',
    'description',
    'has_step_down',
    'source_document_date',
    'extraction_confidence',
  ],
  'search.ratings': [
    'ticker',
    'company_name',
    'agency',
    'rating',
    'rating_type',
    'outlook',
    'effective_date',
  ],
  'search.spreads': ['ticker', 'company_name', 'spread_date', 'tenor', 'spread_bps', 'bond_count'],
  'search.indices': ['series', 'index_name', 'rating_band', 'maturity_band', 'spread_date', 'spread_bps'],
  'search.documents': [
    'id',
    'ticker',
    'doc_type',
    'filing_date',
    'section_type',
    'section_title',
    'snippet',
    'relevance_score',
    'content_length',
  ],
} as const satisfies Brief

/** Those of an operation; for an export those of the list with the same rows. */
export const briefColumns = (
  { name }: Pick<Operation, 'name'>,
  args: Readonly<Record<string, unknown>>,
): readonly string[] | undefined =>
  (brief as Readonly<Record<string, readonly string[]>>)[
    name === 'export' ? `search.${args['data_type']}` : name === 'panel' ? `search.${args['resource']}` : name
  ]
