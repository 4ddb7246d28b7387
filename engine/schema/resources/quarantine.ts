import { date, nullable, number, oneOf, shaped, text } from '../column.ts'
import { resource } from '../resource.ts'
import { linkColumns } from './shared.ts'

export const quarantine = resource({
  name: 'quarantine',
  doc: 'Figures that were loaded and are not used, with the reason.',
  table: 'quarantine',
  columns: {
    dataset: oneOf(['facts', 'financials'], 'Dataset that holds the figure.'),
    ticker: nullable(shaped('ticker', 'Ticker of the company.')),
    item: text('The figure: a concept as tagged, or an item of a loaded statement.'),
    period_start: nullable(date('First day of a flow; null for a balance.')),
    period_end: date('Last day of a flow, day of a balance.'),
    value: number('Value in the source.', { unit: 'as `unit` says' }),
    unit: text('Unit of the figure.'),
    reason: text('Why it is not used.'),
    accession: nullable(text('Accession number of the filing.')),
    source: nullable(text('Where the figure came from.')),
    ...linkColumns,
  },
  // One source position may state a fact twice, where a file was corrected and read again.
  key: [
    'dataset',
    'source',
    'item',
    'unit',
    'period_start',
    'period_end',
    'accession',
    'value',
    'company_id',
  ],
  sort: ['ticker', 'item', '-period_end'],
  company: 'company_id',
  filters: {},
  limit: { default: 50, max: 100 },
})
