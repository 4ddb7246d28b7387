import {
  bps,
  type DefaultRowOf,
  date,
  derived,
  integer,
  nullable,
  oneOf,
  onRequest,
  text,
} from '../column.ts'
import { anyOf, atLeast, atMost, company } from '../filter.ts'
import { resource } from '../resource.ts'
import { ratingBuckets, spreadSources, tenors } from '../vocabulary.ts'
import { companyColumns, linkColumns } from './shared.ts'

export const spreads = resource({
  name: 'spreads',
  doc: 'Credit spread time series by company and tenor.',
  table: 'spreads',
  row: 'Spread',
  columns: {
    ...companyColumns,
    spread_date: date('Day.'),
    tenor: oneOf(tenors, 'Tenor.'),
    spread_bps: derived(bps('Spread to Treasury; at least -200.')),
    trade_count: derived(nullable(integer('Trades behind it; 0 if there are only marks.'))),
    bond_count: derived(nullable(integer('Bonds behind it.'))),
    source: oneOf(spreadSources, 'Feed.'),
    sector: onRequest(nullable(text('Sector of the company.'))),
    industry: onRequest(nullable(text('Industry of the company.'))),
    rating_bucket: derived(onRequest(nullable(oneOf(ratingBuckets, 'Rating bucket of the company.')))),
    ...linkColumns,
  },
  key: ['company_id', 'spread_date', 'tenor', 'source'],
  sort: ['-spread_date', 'ticker', 'tenor', 'source'],
  clusterBy: ['tenor', 'spread_date', 'ticker', 'source'],
  copies: {
    value: 'spread_bps',
    columns: [
      'company_id',
      'ticker',
      'spread_date',
      'tenor',
      'source',
      'sector',
      'industry',
      'rating_bucket',
      'coverage',
    ],
    byDay: {
      table: 'spreads_by_tenor',
      order: ['tenor', 'spread_date', 'ticker', 'company_id', 'source'],
      of: ['tenor', 'spread_date'],
      day: 'spread_date',
    },
    byCompany: {
      table: 'spreads_by_ticker',
      order: ['ticker', 'company_id', 'tenor', 'spread_date', 'source'],
    },
  },
  company: 'company_id',
  newest: {
    param: 'latest_only',
    doc: 'Only the latest spread of each company and tenor.',
    per: ['company_id', 'tenor'],
    by: ['-spread_date'],
  },
  filters: {
    ticker: company('company_id'),
    sector: anyOf('sector'),
    industry: anyOf('industry'),
    rating_bucket: anyOf('rating_bucket', { stage: 'picked' }),
    tenor: anyOf('tenor', { byDefault: { value: '5Y', unless: [] } }),
    source: anyOf('source', { stage: 'picked' }),
    from_date: atLeast('spread_date', { doc: 'On or after this day.' }),
    to_date: atMost('spread_date', { doc: 'On or before this day.' }),
  },
  limit: { default: 50, max: 200 },
})

export interface Spread extends DefaultRowOf<typeof spreads.columns> {}
