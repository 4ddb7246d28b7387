import {
  boolean,
  type DefaultRowOf,
  date,
  integer,
  nullable,
  number,
  oneOf,
  onRequest,
  percent,
  shaped,
  text,
} from '../column.ts'
import { anyOf, company } from '../filter.ts'
import { resource } from '../resource.ts'
import { priceSources, ratingBuckets, seniorities } from '../vocabulary.ts'
import { companyColumns, linkColumns } from './shared.ts'

/** Why a period has no total return. */
export const returnNullReasons = [
  'no_start_price',
  'no_end_price',
  'gap',
  'floating',
  'no_terms',
  'unusable_sinking_schedule',
  'redemption_price_unknown',
  'defaulted_at_maturity',
  'low_coverage',
] as const

/** Why a period has no return of matched Treasuries. */
export const treasuryNullReasons = [
  'no_return',
  'not_usd',
  'no_duration',
  'no_curve',
  'outside_curve',
] as const

const par = { unit: 'percent of par' }

/** Total returns. Computed on request from `pricing_history`, `bonds` and `treasury_yields`. */
export const returns = resource({
  name: 'returns',
  doc: 'Total returns of bonds, or of a weighted list of them, by period, and in excess of matched Treasuries.',
  table: 'pricing_history',
  columns: {
    cusip: nullable(shaped('cusip', 'CUSIP.')),
    bond_name: nullable(text('Name of the bond; null for a list.')),
    ticker: companyColumns.ticker,
    period_end: date('End of the period.'),
    start_date: nullable(date('Day of the price at its start.')),
    end_date: nullable(date('Day of the price, or of the redemption, at its end.')),
    total_return: nullable(percent('Change of clean price and accrued interest, with coupons.')),
    price_return: nullable(percent('Change of the clean price.')),
    treasury_return: nullable(percent('Return of the matched Treasuries over the same days.')),
    excess_return: nullable(percent('Total return less that of the Treasuries.')),
    index_level: nullable(
      number('Total returns compounded from 100; null after a period without one.', { unit: 'index' }),
    ),
    null_because: nullable(oneOf(returnNullReasons, 'Why there is no total return.')),
    treasury_null_because: onRequest(
      nullable(oneOf(treasuryNullReasons, 'Why there is no Treasury return.')),
    ),
    ending: nullable(
      oneOf(
        ['matured', 'called', 'defaulted'],
        'Redeemed at par or at a call price in the period, or in default at its end.',
      ),
    ),
    bonds: nullable(integer('Bonds with a return, of a list.')),
    weight_covered: nullable(percent('Share of the weights that they have.')),
    turnover: nullable(percent('Weights bought to rebalance at the start: half of all changes.')),
    start_price: onRequest(nullable(number('Clean price at the start.', par))),
    end_price: onRequest(nullable(number('Clean price, or redemption price, at the end.', par))),
    coupons: onRequest(nullable(number('Coupons received.', par))),
    repaid: onRequest(
      nullable(number('Principal repaid by a sinking schedule, of 100 outstanding at the start.', par)),
    ),
    start_accrued: onRequest(nullable(number('Accrued interest at the start.', par))),
    end_accrued: onRequest(nullable(number('Accrued interest at the end.', par))),
    start_source: onRequest(nullable(oneOf(priceSources, 'Kind of price at the start.'))),
    end_source: onRequest(nullable(oneOf(priceSources, 'Kind of price at the end.'))),
    start_staleness: onRequest(nullable(integer('Days from that price to the period.', { unit: 'days' }))),
    end_staleness: onRequest(nullable(integer('Days from that price to its end.', { unit: 'days' }))),
    is_unchanged: onRequest(nullable(boolean('Both prices are the same marks, to the last digit.'))),
    weight_matched: onRequest(nullable(percent('Share of the weights with an excess return.'))),
    period_start: onRequest(date('Start of the period.')),
    company_name: onRequest(companyColumns.company_name),
    sector: onRequest(nullable(text('Sector of the company.'))),
    rating_bucket: onRequest(nullable(oneOf(ratingBuckets, 'Rating bucket of the company.'))),
    seniority: onRequest(nullable(oneOf(seniorities, 'Ranking.'))),
    currency: onRequest(nullable(shaped('currency', 'Currency.'))),
    bond_id: onRequest(text('Id of the bond; `list` for a list.')),
    company_id: linkColumns.company_id,
    coverage: linkColumns.coverage,
  },
  key: ['bond_id', 'period_end'],
  sort: ['bond_id', 'period_end'],
  company: 'company_id',
  glance: [
    'bond_name',
    'period_end',
    'total_return',
    'treasury_return',
    'excess_return',
    'price_return',
    'index_level',
    'null_because',
    'start_date',
    'end_date',
    'ending',
    'bonds',
    'turnover',
    'cusip',
  ],
  filters: {
    ticker: company('company_id'),
    cusip: anyOf('cusip'),
    sector: anyOf('sector'),
    rating_bucket: anyOf('rating_bucket'),
    currency: anyOf('currency'),
  },
  limit: { default: 100, max: 1000 },
})

export interface ReturnRow extends DefaultRowOf<typeof returns.columns> {}
