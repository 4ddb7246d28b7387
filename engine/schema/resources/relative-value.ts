import {
  CURVE_LEVELS,
  carryNullReasons,
  FEWEST_IN_CELL,
  FEWEST_OBSERVATIONS,
  zNullReasons,
} from '../../credit/curve-rules.ts'
import {
  boolean,
  bps,
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
  years,
} from '../column.ts'
import { anyOf, atLeast, atMost, company } from '../filter.ts'
import { resource } from '../resource.ts'
import { ratingBuckets, seniorities } from '../vocabulary.ts'
import { companyColumns, linkColumns } from './shared.ts'

/** Why a bond has no residual. */
export const residualNullReasons = ['stale_price', 'no_spread', 'outside_maturities', 'few_bonds'] as const
/** Why a bond does not shape curves, though it may be measured against one. */
export const notFittedReasons = [
  'stale_price',
  'no_spread',
  'outside_maturities',
  'not_fixed',
  'sinking',
  'secured',
  'subordinated',
  'estimated',
  'price_below_60',
] as const

/** Rich and cheap bonds. Computed on request from `pricing_history`, `bonds`, `companies`, `ratings` and `treasury_yields`. */
export const relativeValue = resource({
  name: 'relative_value',
  doc: 'Relative value of priced bonds: residuals to the fitted spread curves of a day, carry and roll-down.',
  table: 'pricing_history',
  columns: {
    cusip: nullable(shaped('cusip', 'CUSIP.')),
    bond_name: nullable(text('Name of the bond.')),
    ...companyColumns,
    sector: nullable(text('Sector of the company.')),
    rating_bucket: nullable(oneOf(ratingBuckets, 'Rating bucket of the company on the day.')),
    maturity_date: nullable(date('Maturity.')),
    remaining_years: nullable(
      years(
        'Years left at settlement, to the last fixed day if it floats later; the average life of a sinking bond.',
      ),
    ),
    price_date: date('Day of the price.'),
    last_price: nullable(number('Clean price.', { unit: 'percent of par' })),
    ytm: nullable(percent('Yield to maturity.')),
    spread: nullable(bps('Spread to the interpolated Treasury par curve.')),
    fitted_spread: nullable(
      bps("Spread at its remaining years of the bond's curve, fitted without the bond."),
    ),
    residual: nullable(bps('Spread less fitted spread: positive is cheap, negative rich.')),
    null_because: nullable(oneOf(residualNullReasons, 'Why there is no residual.')),
    z_score: nullable(
      number("Residual less the mean of the bond's own past residuals, in their standard deviations."),
    ),
    z_null_because: nullable(
      oneOf(
        zNullReasons,
        `Why there is no z-score: under ${FEWEST_OBSERVATIONS} past residuals, or constant ones.`,
      ),
    ),
    percentile: nullable(
      number(
        `Percentile of the residual in its sector and rating bucket, 0 richest, 100 cheapest; null under ${FEWEST_IN_CELL} bonds.`,
      ),
    ),
    curve_level: nullable(oneOf(CURVE_LEVELS, 'Kind of the curve it is measured against.')),
    carry: nullable(bps('Yield less the three-month Treasury yield, a year.')),
    roll_down: nullable(bps('Price gain of a year down the Treasury and the spread curve, both unchanged.')),
    carry_null_because: nullable(oneOf(carryNullReasons, 'Why there is no carry and roll-down.')),
    not_fitted_because: onRequest(
      nullable(oneOf(notFittedReasons, 'Why the bond does not shape its curve; null if it does.')),
    ),
    observations: onRequest(integer('Its past residuals.')),
    residual_mean: onRequest(nullable(bps('Their mean.'))),
    residual_deviation: onRequest(nullable(bps('Their standard deviation.'))),
    cell_bonds: onRequest(integer('Residuals in its sector and rating bucket.')),
    curve_group: onRequest(nullable(text('The group of its curve.'))),
    curve_bonds: onRequest(nullable(integer('Bonds of that curve.'))),
    spread_roll_down: onRequest(nullable(bps('The part of `roll_down` that the spread curve gives.'))),
    duration: onRequest(nullable(number('Modified duration.', { unit: 'years' }))),
    staleness_days: onRequest(integer('Days from the price to the day of the curves.', { unit: 'days' })),
    seniority: onRequest(nullable(oneOf(seniorities, 'Ranking.'))),
    callable: onRequest(nullable(boolean('The issuer may call it; its spread is to maturity all the same.'))),
    bond_id: onRequest(text('Id of the bond.')),
    company_id: linkColumns.company_id,
    coverage: linkColumns.coverage,
  },
  key: ['bond_id'],
  sort: ['-residual', 'bond_id'],
  company: 'company_id',
  glance: [
    'bond_name',
    'ticker',
    'spread',
    'fitted_spread',
    'residual',
    'z_score',
    'percentile',
    'carry',
    'roll_down',
    'remaining_years',
    'rating_bucket',
    'curve_level',
    'cusip',
  ],
  filters: {
    ticker: company('company_id'),
    cusip: anyOf('cusip'),
    sector: anyOf('sector'),
    rating_bucket: anyOf('rating_bucket'),
    min_residual: atLeast('residual', { doc: 'Minimum residual, basis points.' }),
    max_residual: atMost('residual', { doc: 'Maximum residual, basis points.' }),
    min_z_score: atLeast('z_score', { doc: 'Minimum z-score.' }),
    max_z_score: atMost('z_score', { doc: 'Maximum z-score.' }),
    min_years: atLeast('remaining_years', { doc: 'Minimum remaining years.' }),
    max_years: atMost('remaining_years', { doc: 'Maximum remaining years.' }),
  },
  limit: { default: 50, max: 200 },
})

export interface RelativeValue extends DefaultRowOf<typeof relativeValue.columns> {}
