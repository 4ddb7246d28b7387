import { returnParams } from '../../../../engine/operations/returns/return-params.ts'
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
import { headroom } from '../../../../engine/schema/resources/headroom.ts'
import { instruments } from '../../../../engine/schema/resources/instruments.ts'
import { liquidity } from '../../../../engine/schema/resources/liquidity.ts'
import { maturities } from '../../../../engine/schema/resources/maturities.ts'
import {
  aggregationOf,
  type PriceArgs,
  priceParams,
  pricing,
  pricingHistory,
} from '../../../../engine/schema/resources/pricing.ts'
import { ratingMigrations } from '../../../../engine/schema/resources/rating-migrations.ts'
import { ratings } from '../../../../engine/schema/resources/ratings.ts'
import { relativeValue } from '../../../../engine/schema/resources/relative-value.ts'
import { returns } from '../../../../engine/schema/resources/returns.ts'
import { spreads } from '../../../../engine/schema/resources/spreads.ts'
import { tradeLiquidity } from '../../../../engine/schema/resources/trade-liquidity.ts'
import type { Name } from '../../../v1/client.ts'

/** A resource as a screen: default columns and order. */
export interface ScreenDefinition {
  readonly resource: Resource
  /** Its list. */
  readonly operation: Name
  /** Its command. */
  readonly command: string
  /** Rows that are computed when asked for: no table to write SQL for. */
  readonly isComputed?: boolean
  /** No counts of its rows by value. */
  readonly isUncounted?: boolean
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
): ScreenDefinition => {
  const { name } = resource as unknown as Resource
  return {
    resource: resource as unknown as Resource,
    operation: `search.${name}` as Name,
    command: name.replaceAll('_', '-'),
    usual,
    sort,
  }
}

const computed = (screen: ScreenDefinition, operation: Name = screen.operation): ScreenDefinition => ({
  ...screen,
  operation,
  isComputed: true,
  isUncounted: true,
})

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

const { date_from, date_to, every, match } = returnParams

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
  {
    ...screened(
      instruments,
      'ticker',
      'ticker',
      'name',
      'instrument_type',
      'seniority',
      'security_type',
      'principal',
      'carrying_amount',
      'commitment',
      'drawn',
      'undrawn',
      'coupon_rate',
      'spread_bps',
      'maturity_year',
      'balance_date',
      'form',
    ),
    isUncounted: true,
  },
  computed(
    screened(
      headroom,
      'headroom_percent',
      'ticker',
      'company_name',
      'test_metric',
      'level',
      'ratio',
      'headroom_percent',
      'status',
      'null_because',
      'headroom_turns',
      'ebitda_headroom',
      'next_level',
      'next_level_date',
      'instrument_name',
      'period_end_date',
    ),
  ),
  computed(
    screened(
      liquidity,
      'cover_12m',
      'ticker',
      'company_name',
      'cover_12m',
      'cover_24m',
      'cash',
      'undrawn_committed',
      'free_cash_flow',
      'due_12m',
      'due_24m',
      'cash_cover_12m',
      'cover_excludes',
      'cover_null_because',
      'period_end_date',
    ),
  ),
  computed(
    screened(
      maturities,
      'ticker',
      'ticker',
      'company_name',
      'year',
      'due',
      'due_percent',
      'due_source',
      'filed_due',
      'bonds_due',
      'bond_count',
      'filed_form',
      'filed_date',
    ),
  ),
  computed(
    screened(
      relativeValue,
      '-residual',
      'ticker',
      'bond_name',
      'rating_bucket',
      'last_price',
      'ytm',
      'spread',
      'fitted_spread',
      'residual',
      'z_score',
      'percentile',
      'curve_level',
      'carry',
      'roll_down',
      'remaining_years',
      'null_because',
    ),
  ),
  computed(
    screened(
      ratingMigrations,
      '-rating_date',
      'ticker',
      'company_name',
      'sector',
      'migration',
      'notches',
      'previous_bucket',
      'rating_bucket',
      'previous_sp_rating',
      'sp_rating',
      'previous_moodys_rating',
      'moodys_rating',
      'rating_date',
    ),
    'search.migrations',
  ),
  {
    ...computed(
      screened(
        returns,
        '-period_end',
        'ticker',
        'bond_name',
        'cusip',
        'period_end',
        'total_return',
        'price_return',
        'treasury_return',
        'excess_return',
        'index_level',
        'start_date',
        'end_date',
        'null_because',
      ),
    ),
    params: { date_from, date_to, every, match },
  },
  {
    ...computed(
      screened(
        tradeLiquidity,
        '-trade_count',
        'ticker',
        'bond_name',
        'cusip',
        'trade_count',
        'trading_days',
        'zero_trading_days',
        'days_since_trade',
        'average_trade_size',
        'turnover',
        'amihud',
        'roll',
        'dispersion',
      ),
    ),
    params: { date_from, date_to },
  },
]

export const screenOf = (name: string | undefined): ScreenDefinition =>
  screens.find(s => s.resource.name === name) ?? screens[0]!
