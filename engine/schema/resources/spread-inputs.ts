import { REJECTIONS } from '../../credit/spread-series.ts'
import {
  bps,
  date,
  derived,
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
import { tenors } from '../vocabulary.ts'
import { linkColumns } from './shared.ts'

export const spreadInputs = resource({
  name: 'spread_inputs',
  doc: 'Every price considered for the spread series, and the outcome.',
  table: 'spread_inputs',
  columns: {
    ticker: nullable(shaped('ticker', 'Ticker of the company.')),
    spread_date: date('Day.'),
    tenor: derived(nullable(oneOf(tenors, 'Tenor of its remaining life; null outside all of them.'))),
    bond_id: text('Id of the bond.'),
    cusip: nullable(shaped('cusip', 'CUSIP.')),
    bond_name: nullable(text('Name of the bond.')),
    last_price: derived(nullable(number('Clean price.', { unit: 'percent of par' }))),
    ytm: derived(nullable(percent('Yield to maturity.'))),
    spread_bps: derived(nullable(bps('Spread to the interpolated Treasury curve.'))),
    remaining_years: derived(
      nullable(years('Years left at settlement; the average life of a sinking bond.')),
    ),
    trade_count: derived(nullable(integer('Trades behind the price; 0 for a mark.'))),
    outcome: derived(oneOf(REJECTIONS, 'Used, or the step that excluded it.')),
    source: onRequest(nullable(text('File and position the price came from.'))),
    ...linkColumns,
  },
  key: ['bond_id', 'spread_date'],
  sort: ['-spread_date', 'ticker', 'tenor', 'bond_id'],
  clusterBy: ['company_id', 'spread_date', 'bond_id'],
  company: 'company_id',
  filters: {
    ticker: company('company_id'),
    tenor: anyOf('tenor'),
    outcome: anyOf('outcome'),
    from_date: atLeast('spread_date', { doc: 'On or after this day.' }),
    to_date: atMost('spread_date', { doc: 'On or before this day.' }),
  },
  limit: { default: 50, max: 200 },
})
