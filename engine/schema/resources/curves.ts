import { CURVE_LEVELS, FEWEST_OF_GROUP, FEWEST_OF_MARKET } from '../../credit/curve-rules.ts'
import {
  bps,
  type Column,
  type DefaultRowOf,
  date,
  integer,
  nullable,
  number,
  oneOf,
  onRequest,
  shaped,
  text,
  years,
} from '../column.ts'
import { anyOf, atLeast, company } from '../filter.ts'
import { resource } from '../resource.ts'
import { ratingBuckets } from '../vocabulary.ts'
import { linkColumns } from './shared.ts'

/** Standard tenors of a curve, in years. */
export const CURVE_TENORS = [1, 2, 3, 5, 7, 10, 20, 30] as const

const tenorColumns = Object.fromEntries(
  CURVE_TENORS.map(tenor => [
    `spread_${tenor}y`,
    nullable(
      bps(`Fitted spread at ${tenor} ${tenor === 1 ? 'year' : 'years'}; null outside the day's maturities.`),
    ),
  ]),
) as Record<`spread_${(typeof CURVE_TENORS)[number]}y`, Column<number | null>>

/** Fitted spread curves of a day. Computed on request from `pricing_history`, `bonds`, `companies` and `ratings`. */
export const curves = resource({
  name: 'curves',
  doc: 'Spread curves of a day, fitted by issuer, sector and rating, rating, and for the market.',
  table: 'pricing_history',
  columns: {
    curve_date: date('Day of the curve.'),
    level: oneOf(CURVE_LEVELS, 'Kind of group.'),
    group: text('The group: `all`, `HY-BB`, `Energy HY-BB`, or the ticker or id of an issuer.'),
    ticker: nullable(shaped('ticker', 'Ticker of the issuer.')),
    sector: nullable(text('Sector of the group.')),
    rating_bucket: nullable(
      oneOf(ratingBuckets, 'Rating bucket of the group on the day; null if it has none.'),
    ),
    ...tenorColumns,
    bond_count: integer('Bonds of the group that the fit has.'),
    shrinkage: nullable(
      number(
        `Weight of the parent's curve in the level of this one: 1 where under ${FEWEST_OF_GROUP} bonds leave it to the parent.`,
      ),
    ),
    rmse: nullable(bps('Root mean square of the residuals of its bonds.')),
    outlier_count: integer('Bonds so far from the curve that they count less than half.'),
    beta0: nullable(bps('Nelson-Siegel level.')),
    beta1: nullable(bps('Nelson-Siegel slope.')),
    beta2: nullable(bps('Nelson-Siegel hump.')),
    tau: nullable(years('Nelson-Siegel decay.')),
    min_years: nullable(years('Shortest remaining life of its bonds.')),
    max_years: nullable(years('Longest remaining life of its bonds.')),
    parent: nullable(text('The group that its curve is drawn towards.')),
    curve_of: nullable(text('The group whose curve it is: itself, or an ancestor with enough bonds.')),
    null_because: nullable(
      oneOf(['few_bonds'], `Why there is no curve: the market has fewer than ${FEWEST_OF_MARKET} bonds.`),
    ),
    company_name: onRequest(nullable(text('Name of the issuer.'))),
    scale: onRequest(nullable(bps('Robust scale of the residuals.'))),
    company_id: linkColumns.company_id,
    coverage: linkColumns.coverage,
  },
  key: ['level', 'group'],
  sort: ['-bond_count', 'level', 'group'],
  company: 'company_id',
  glance: [
    'level',
    'group',
    'bond_count',
    'spread_1y',
    'spread_3y',
    'spread_5y',
    'spread_10y',
    'spread_30y',
    'shrinkage',
    'rmse',
    'tau',
  ],
  filters: {
    level: anyOf('level'),
    ticker: company('company_id'),
    sector: anyOf('sector'),
    rating_bucket: anyOf('rating_bucket'),
    min_bonds: atLeast('bond_count', { doc: 'Minimum number of bonds.' }),
  },
  limit: { default: 100, max: 500 },
})

export interface SpreadCurve extends DefaultRowOf<typeof curves.columns> {}
