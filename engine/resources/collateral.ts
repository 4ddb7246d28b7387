import { cents, date, list, nullable, oneOf, onRequest, type RowOf, shaped, text } from '../column.ts'
import { anyOf, atLeast, company, has } from '../filter.ts'
import { resource } from '../resource.ts'
import { assetTypes, liens } from '../vocabulary.ts'
import { linkColumns } from './shared.ts'

export const collateral = resource({
  name: 'collateral',
  doc: 'Collateral behind secured bonds and loans.',
  table: 'collateral',
  columns: {
    id: text('Id of the record.'),
    bond_id: nullable(text('Id of the bond or loan.')),
    bond_name: nullable(text('Name of the bond or loan.')),
    cusip: nullable(shaped('cusip', 'CUSIP.')),
    company_ticker: nullable(shaped('ticker', 'Ticker of the company.')),
    company_name: nullable(text('Name of the company.')),
    type: oneOf(assetTypes, 'Kind of asset.'),
    description: nullable(text('What it is.')),
    assets: nullable(list('Single assets.')),
    priority: nullable(oneOf(liens, 'Lien.')),
    estimated_value: nullable(cents('Estimated value.')),
    valuation_date: nullable(date('Day of the valuation.')),
    valuation_source: nullable(text('Who valued it.')),
    jurisdiction: nullable(text('Where it is.')),
    source: onRequest(nullable(text('File and position it came from.'))),
    ...linkColumns,
  },
  key: ['id'],
  sort: ['company_ticker', 'id'],
  company: 'company_id',
  filters: {
    ticker: company('company_id'),
    cusip: anyOf('cusip'),
    collateral_type: anyOf('type'),
    priority: anyOf('priority'),
    has_valuation: has('estimated_value', { doc: 'Has a valuation, or has none.' }),
    min_value: atLeast('estimated_value', { doc: 'Least estimated value, cents.' }),
  },
  limit: { default: 50, max: 100 },
})

export type Collateral = RowOf<typeof collateral.columns>
