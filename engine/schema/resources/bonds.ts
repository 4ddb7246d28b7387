import {
  boolean,
  type Column,
  type DefaultRowOf,
  date,
  derived,
  integer,
  json,
  list,
  nullable,
  number,
  oneOf,
  onRequest,
  percent,
  pick,
  shaped,
  text,
} from '../column.ts'
import { bonds as loaded } from '../datasets/bonds.ts'
import { anyOf, atLeast, atMost, company, custom, has, is } from '../filter.ts'
import { resource } from '../resource.ts'
import { assetTypes, groupMethods, priceSources, ratingBuckets } from '../vocabulary.ts'
import { linkColumns } from './shared.ts'

/** A price older than this is stale. */
export const STALE_DAYS = 30

/** Figures of a price, shared by the bond's `pricing` object and the pricing records. */
export const priceFigures = {
  last_price: derived(nullable(number('Clean price.', { unit: 'percent of par' }))),
  last_trade_date: derived(nullable(date('Day of the price.'))),
  ytm: derived(
    nullable(
      percent(
        'Yield to maturity, semiannual street convention; null with a reason if there is none, or none reliable.',
      ),
    ),
  ),
  spread: derived(
    nullable(integer('Spread to the interpolated Treasury par curve.', { unit: 'basis points' })),
  ),
  staleness_days: derived(nullable(integer('Days since the price.', { unit: 'days' }))),
  duration: derived(nullable(number('Modified duration.', { unit: 'years' }))),
  convexity: derived(nullable(number('Convexity.', { unit: 'years squared' }))),
  dv01: derived(nullable(number('Price change for one basis point.', { unit: 'cents per 100 par' }))),
  z_spread: derived(
    nullable(
      number('Spread over the Treasury spot curve; of the latest price only.', { unit: 'basis points' }),
    ),
  ),
  ytw: derived(
    nullable(
      percent(
        'Lowest yield over maturity and calls ahead, of the latest price only: the yield to maturity of a noncallable bond, null if call terms are unknown.',
      ),
    ),
  ),
  ytw_date: derived(nullable(date('Day of the redemption that gives the lowest yield.'))),
  ytc: derived(
    nullable(percent('Yield to the next call, of the latest price only; withheld above 50 percent.')),
  ),
  discount_margin: derived(
    nullable(
      number(
        'Margin over the index at which a floating-rate note is worth its price; of the latest price only.',
        {
          unit: 'basis points',
        },
      ),
    ),
  ),
  price_source: derived(nullable(oneOf(priceSources, 'Kind of price: a trade, a mark, an estimate.'))),
  is_stale: derived(nullable(boolean(`The price is more than ${STALE_DAYS} days old on the as-of date.`))),
} satisfies Record<string, Column>

const under = <P extends string, C extends Record<string, Column>>(prefix: P, columns: C) =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [`${prefix}.${name}`, column])) as {
    [K in keyof C & string as `${P}.${K}`]: C[K]
  }

export const bonds = resource({
  name: 'bonds',
  doc: 'Bonds and loans with their terms, issuer, collateral and latest price.',
  table: 'bonds',
  row: 'Bond',
  columns: {
    id: text('Id of the instrument: its CUSIP, else its ISIN, else the id its source gives it.'),
    display_name: text(
      "The desk's name: ticker or issuer, coupon, maturity; `FRN`, `PERP` and `A`, `B` where needed.",
      { example: 'AAPL 3.25 08/08/29' },
    ),
    name: nullable(text('Name, as its source writes it.')),
    cusip: nullable(shaped('cusip', 'CUSIP.')),
    isin: nullable(shaped('isin', 'ISIN.')),
    company_ticker: nullable(
      shaped('ticker', 'Ticker of the company: that of the filing group, if the issuer belongs to one.'),
    ),
    ticker: nullable(shaped('ticker', 'The same as company_ticker.')),
    company_name: nullable(text('Name of the company: that of the filing group.')),
    company_sector: nullable(text('Sector of the company.')),
    ...pick(
      loaded.columns,
      'coupon_rate',
      'maturity_date',
      'seniority',
      'security_type',
      'instrument_type',
      'issuer_type',
      'rate_type',
      'rate_structure',
    ),
    rank: derived(nullable(integer('Order of claim within the company, 1 is first.'))),
    ...pick(
      loaded.columns,
      'outstanding',
      'principal',
      'commitment',
      'currency',
      'benchmark',
      'spread_bps',
      'floor_bps',
      'issue_date',
    ),
    is_active: derived(boolean('Neither matured nor retired on the as-of date.')),
    callable: loaded.columns.callable,
    guarantor_count: derived(nullable(integer('Guarantors; null if no source covers guarantees.'))),
    issuer_id: nullable(text('Id of the issuing entity.')),
    'issuer.name': derived(nullable(text('Name of the issuing entity.'))),
    'issuer.entity_type': derived(nullable(text('Type of the issuing entity.'))),
    'collateral.type': derived(nullable(oneOf(assetTypes, 'Kind of the first collateral.'))),
    'collateral.description': derived(nullable(text('Collateral.'))),
    'collateral.assets': derived(nullable(list('Kinds of all collateral.'))),
    ...under('pricing', priceFigures),
    rating_bucket: derived(onRequest(nullable(oneOf(ratingBuckets, 'Rating bucket of the company.')))),
    industry: onRequest(nullable(text('Industry of the company.'))),
    last_fixed_date: derived(onRequest(loaded.columns.last_fixed_date)),
    first_coupon_date: derived(
      onRequest(nullable(date('First coupon date, if published accrued interest shows an unusual one.'))),
    ),
    other_ids: onRequest(
      nullable(list('Ids of the bond in lists without identifiers, joined by issuer, coupon and maturity.')),
    ),
    day_count: onRequest(loaded.columns.day_count),
    coupon_frequency: onRequest(loaded.columns.coupon_frequency),
    accrual_date: onRequest(loaded.columns.accrual_date),
    call_schedule: onRequest(loaded.columns.call_schedule),
    put_schedule: onRequest(loaded.columns.put_schedule),
    sinking_schedule: onRequest(loaded.columns.sinking_schedule),
    make_whole_bps: onRequest(loaded.columns.make_whole_bps),
    make_whole_until: onRequest(loaded.columns.make_whole_until),
    change_of_control_price: onRequest(loaded.columns.change_of_control_price),
    status: derived(
      onRequest(
        nullable(
          oneOf(
            ['active', 'retired', 'defaulted', 'matured'],
            'As its newest source states it; `matured` if that is active and the bond has fallen due.',
          ),
        ),
      ),
    ),
    retired_from: derived(
      onRequest(
        nullable(
          date(
            'Day from which a source was known to report it retired; null if it is not, or on no known day.',
          ),
        ),
      ),
    ),
    restricted: onRequest(loaded.columns.restricted),
    issuer_lei: onRequest(loaded.columns.issuer_lei),
    issued_by_company: onRequest(
      boolean('The company itself is the issuer; false if a company of its group is.'),
    ),
    group_by: onRequest(nullable(oneOf(groupMethods, 'Evidence that the issuer belongs to the company.'))),
    ...linkColumns,
    _explain: onRequest(nullable(json('Inputs and conventions behind price, yield and spread.'))),
  },
  key: ['id'],
  sort: ['company_ticker', 'maturity_date', 'id'],
  glance: [
    'display_name',
    'pricing.last_price',
    'pricing.staleness_days',
    'pricing.ytm',
    'pricing.spread',
    'company_ticker',
    'coupon_rate',
    'maturity_date',
    'seniority',
    'outstanding',
    'pricing.is_stale',
    'cusip',
  ],
  company: 'company_id',
  clocks: ['pricing.staleness_days', 'pricing.duration', 'pricing.convexity', 'pricing.dv01'],
  history: { without: ['pricing'] },
  filters: {
    ticker: company('company_id'),
    group: custom(
      'issued_by_company',
      oneOf(
        ['parent', 'issuer'],
        "Bonds of the companies' whole groups (`parent`), or of themselves (`issuer`).",
      ),
      ([value]) => (value === 'issuer' ? [{ column: 'issued_by_company', op: 'in', values: [true] }] : []),
    ),
    sector: anyOf('company_sector'),
    industry: anyOf('industry'),
    cusip: anyOf('cusip'),
    seniority: anyOf('seniority'),
    security_type: anyOf('security_type'),
    instrument_type: anyOf('instrument_type'),
    issuer_type: anyOf('issuer_type'),
    rate_type: anyOf('rate_type'),
    rating_bucket: anyOf('rating_bucket'),
    min_coupon: atLeast('coupon_rate', { doc: 'Minimum coupon, percent.' }),
    max_coupon: atMost('coupon_rate', { doc: 'Maximum coupon, percent.' }),
    min_ytm: atLeast('pricing.ytm', { doc: 'Minimum yield to maturity, percent.' }),
    max_ytm: atMost('pricing.ytm', { doc: 'Maximum yield to maturity, percent.' }),
    min_spread: atLeast('pricing.spread', { doc: 'Minimum spread to Treasury, basis points.' }),
    max_spread: atMost('pricing.spread', { doc: 'Maximum spread to Treasury, basis points.' }),
    has_pricing: has('pricing.last_price', { doc: 'Whether it has a price.' }),
    max_staleness: atMost('pricing.staleness_days', { doc: 'Maximum days since the price.' }),
    maturity_after: atLeast('maturity_date', { doc: 'Matures on or after this day.' }),
    maturity_before: atMost('maturity_date', { doc: 'Matures on or before this day.' }),
    issued_after: atLeast('issue_date', { doc: 'Issued on or after this day.' }),
    issued_before: atMost('issue_date', { doc: 'Issued on or before this day.' }),
    min_outstanding: atLeast('outstanding', { doc: 'Minimum amount outstanding, cents.' }),
    max_outstanding: atMost('outstanding', { doc: 'Maximum amount outstanding, cents.' }),
    has_guarantors: custom(
      'guarantor_count',
      boolean('Whether it has guarantors; unknown matches neither.'),
      ([yes]) => [
        yes
          ? { column: 'guarantor_count', op: 'ge', value: 1 }
          : { column: 'guarantor_count', op: 'le', value: 0 },
      ],
    ),
    has_cusip: has('cusip', { doc: 'Whether it has a CUSIP.' }),
    is_active: is('is_active', { byDefault: { value: true, unless: ['cusip'] } }),
    currency: anyOf('currency', { byDefault: { value: 'USD', unless: ['cusip', 'has_currency'] } }),
    has_currency: has('currency', { doc: 'Whether its currency is known.' }),
  },
  limit: { default: 50, max: 100 },
})

/** Figures of the latest price of a bond. */
export interface BondPricing extends DefaultRowOf<typeof priceFigures> {}

export interface Bond extends DefaultRowOf<typeof bonds.columns> {
  pricing: BondPricing | null
}
