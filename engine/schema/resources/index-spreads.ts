import {
  bps,
  type DefaultRowOf,
  date,
  derived,
  nullable,
  onRequest,
  percent,
  pick,
  text,
  withAliases,
} from '../column.ts'
import { indices } from '../datasets/indices.ts'
import { anyOf, atLeast, atMost } from '../filter.ts'
import { resource } from '../resource.ts'

export const indexSpreads = resource({
  name: 'index_spreads',
  doc: 'Option-adjusted spreads of bond indices by day, as published.',
  table: 'index_spreads',
  row: 'IndexSpread',
  visible: 'all',
  columns: {
    ...pick(indices.columns, 'series', 'index_name'),
    rating_band: withAliases(indices.columns.rating_band, 'rating'),
    maturity_band: indices.columns.maturity_band,
    spread_date: date('Day.'),
    option_adjusted_spread: percent('Option-adjusted spread to the Treasury curve, as published.'),
    spread_bps: derived(bps('The same in basis points.')),
    source: onRequest(nullable(text('File and position it came from.'))),
    known_from: onRequest(nullable(date('Day the market could first know the row.'))),
  },
  key: ['series', 'spread_date'],
  sort: ['-spread_date', 'series'],
  clusterBy: ['series', 'spread_date'],
  newest: {
    param: 'latest_only',
    doc: 'Only the latest spread of each series.',
    per: ['series'],
    by: ['-spread_date'],
  },
  filters: {
    series: anyOf('series'),
    rating_band: anyOf('rating_band'),
    maturity_band: anyOf('maturity_band'),
    from_date: atLeast('spread_date', { doc: 'On or after this day.' }),
    to_date: atMost('spread_date', { doc: 'On or before this day.' }),
  },
  limit: { default: 50, max: 200 },
})

export interface IndexSpread extends DefaultRowOf<typeof indexSpreads.columns> {}
