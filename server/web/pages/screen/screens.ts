import { statementConditions, statementParams } from '../../../../engine/operations/statement-period.ts'
import type { Columns } from '../../../../engine/schema/column.ts'
import type { Condition } from '../../../../engine/schema/filter.ts'
import type { Params } from '../../../../engine/schema/params.ts'
import type { Resource } from '../../../../engine/schema/resource.ts'
import { bonds } from '../../../../engine/schema/resources/bonds.ts'
import { collateral } from '../../../../engine/schema/resources/collateral.ts'
import { companies } from '../../../../engine/schema/resources/companies.ts'
import { covenants } from '../../../../engine/schema/resources/covenants.ts'
import { financials } from '../../../../engine/schema/resources/financials.ts'
import {
  aggregationOf,
  type PriceArgs,
  priceParams,
  pricing,
  pricingHistory,
} from '../../../../engine/schema/resources/pricing.ts'
import { ratings } from '../../../../engine/schema/resources/ratings.ts'
import { spreads } from '../../../../engine/schema/resources/spreads.ts'

/** A resource as a screen: default columns and order. */
export interface ScreenDefinition {
  readonly resource: Resource
  readonly usual: readonly string[]
  readonly sort: string
  /** Its list's parameters beside the column filters. */
  readonly params?: Params
  /** The rows selected by such parameters, if SQL can express that. */
  readonly conditions?: (values: Values) => readonly Condition[]
  /** Another list used for such parameters. */
  readonly instead?: (values: Values) => ScreenDefinition | undefined
}

/** Parameters as in a URL. */
export type Values = Readonly<Record<string, string>>

const screened = <C extends Columns>(
  resource: { columns: C },
  sort: (keyof C & string) | `-${keyof C & string}`,
  ...usual: (keyof C & string)[]
): ScreenDefinition => ({ resource: resource as unknown as Resource, usual, sort })

const priceHistory = screened(
  pricingHistory,
  '-date',
  'date',
  'company_ticker',
  'bond_name',
  'cusip',
  'last_price',
  'ytm',
  'spread',
  'duration',
  'dv01',
  'vwap',
  'volume',
  'trade_count',
  'price_source',
)

export const screens: readonly ScreenDefinition[] = [
  screened(
    companies,
    '-total_debt',
    'ticker',
    'name',
    'sector',
    'rating_bucket',
    'total_debt',
    'ebitda_ttm',
    'leverage_ratio',
    'is_annualized',
    'period_end_date',
    'figures_age_days',
    'net_leverage_ratio',
    'interest_coverage',
    'secured_leverage',
    'net_debt',
    'debt_due_1yr',
    'debt_due_2yr',
    'nearest_maturity',
    'sp_rating',
    'moodys_rating',
    'bond_count',
  ),
  screened(
    bonds,
    '-pricing.ytm',
    'company_ticker',
    'display_name',
    'cusip',
    'coupon_rate',
    'maturity_date',
    'seniority',
    'pricing.last_price',
    'pricing.staleness_days',
    'pricing.ytm',
    'pricing.spread',
    'pricing.ytw',
    'pricing.duration',
    'outstanding',
    'company_sector',
    'issuer_type',
    'pricing.last_trade_date',
    'pricing.price_source',
  ),
  {
    ...screened(
      pricing,
      '-spread',
      'company_ticker',
      'bond_name',
      'cusip',
      'last_price',
      'ytm',
      'spread',
      'z_spread',
      'ytw',
      'duration',
      'dv01',
      'last_trade_date',
      'staleness_days',
      'price_source',
    ),
    params: priceParams,
    instead: asked => (aggregationOf(asked as PriceArgs) === 'latest' ? undefined : priceHistory),
  },
  screened(
    spreads,
    '-spread_date',
    'ticker',
    'company_name',
    'spread_date',
    'tenor',
    'spread_bps',
    'bond_count',
    'trade_count',
    'source',
  ),
  {
    ...screened(
      financials,
      '-period_end_date',
      'ticker',
      'company_name',
      'fiscal_year',
      'fiscal_quarter',
      'period_end_date',
      'revenue',
      'ebitda',
      'interest_expense',
      'net_income',
      'total_debt',
      'cash_and_equivalents',
      'free_cash_flow',
      'leverage_ratio',
      'is_annualized',
      'filed_date',
      'currency',
    ),
    params: statementParams,
    conditions: ({ fiscal_year, fiscal_quarter, ...asked }) =>
      statementConditions({
        ...asked,
        fiscal_year: fiscal_year?.split(','),
        fiscal_quarter: fiscal_quarter?.split(','),
      }),
  },
  screened(
    ratings,
    '-effective_date',
    'ticker',
    'company_name',
    'agency',
    'rating',
    'outlook',
    'rating_type',
    'rating_bucket',
    'effective_date',
    'sector',
    'source_section_type',
  ),
  screened(
    covenants,
    'ticker',
    'ticker',
    'covenant_name',
    'covenant_type',
    'test_metric',
    'threshold_value',
    'threshold_type',
    'test_frequency',
    'instrument_name',
    'description',
    'extraction_confidence',
    'source_document_date',
  ),
  screened(
    collateral,
    '-estimated_value',
    'company_ticker',
    'company_name',
    'bond_name',
    'type',
    'priority',
    'description',
    'estimated_value',
    'cusip',
  ),
]

export const screenOf = (name: string | undefined): ScreenDefinition =>
  screens.find(s => s.resource.name === name) ?? screens[0]!
