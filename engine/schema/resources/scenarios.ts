import {
  type DefaultRowOf,
  date,
  derived,
  nullable,
  number,
  oneOf,
  onRequest,
  percent,
  shaped,
  text,
  years,
} from '../column.ts'
import { anyOf, company } from '../filter.ts'
import { resource } from '../resource.ts'
import { priceSources, ratingBuckets, seniorities } from '../vocabulary.ts'
import { linkColumns } from './shared.ts'

const basisPoints = { unit: 'basis points' }

/** Bonds revalued in a scenario. Computed on request from `bonds`, `instruments` and `treasury_yields`. */
export const scenarios = resource({
  name: 'scenarios',
  doc: 'Bonds valued after a move of the Treasury curve and shocks of spreads, in full and by duration.',
  table: 'bonds',
  columns: {
    id: text('Id of the bond.'),
    cusip: nullable(shaped('cusip', 'CUSIP.')),
    name: text("The desk's name."),
    ticker: nullable(shaped('ticker', 'Ticker of the company.')),
    sector: nullable(text('Sector of the company.')),
    rating_bucket: nullable(oneOf(ratingBuckets, 'Rating bucket of the company.')),
    weight: derived(nullable(percent('Weight in the sums; null without figures.'))),
    price: nullable(number('Latest clean price.', { unit: 'percent of par' })),
    price_after: derived(nullable(number('Clean price after the scenario.', { unit: 'percent of par' }))),
    change_percent: derived(nullable(percent('Change of the dirty price, valued in full.'))),
    estimate_percent: derived(nullable(percent('The same by duration and convexity.'))),
    rates_percent: derived(nullable(percent('Change by the curve alone.'))),
    spread_percent: derived(nullable(percent('Change by the spread alone.'))),
    spread_shock: derived(nullable(number('Shock of its spread.', basisPoints))),
    spread: derived(nullable(number('OAS, or Z-spread where call terms are not known.', basisPoints))),
    effective_duration: derived(nullable(years('Effective duration.'))),
    options: nullable(oneOf(['bond', 'instrument', 'given', 'none', 'unknown'], 'Source of its call terms.')),
    null_because: nullable(text('Why there are no figures.')),
    price_date: nullable(date('Day of the price and of the curve.')),
    price_source: onRequest(nullable(oneOf(priceSources, 'Kind of price.'))),
    seniority: onRequest(nullable(oneOf(seniorities, 'Ranking.'))),
    company_id: linkColumns.company_id,
    coverage: linkColumns.coverage,
  },
  key: ['id'],
  sort: ['change_percent', 'id'],
  company: 'company_id',
  glance: [
    'name',
    'weight',
    'price',
    'price_after',
    'change_percent',
    'estimate_percent',
    'rates_percent',
    'spread_percent',
    'effective_duration',
    'options',
    'null_because',
  ],
  filters: {
    ticker: company('company_id'),
    cusip: anyOf('cusip'),
    sector: anyOf('sector'),
    rating_bucket: anyOf('rating_bucket'),
  },
  limit: { default: 100, max: 1000 },
})

export interface ScenarioRow extends DefaultRowOf<typeof scenarios.columns> {}
