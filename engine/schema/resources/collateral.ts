import {
  type DefaultRowOf,
  nullable,
  onRequest,
  pick,
  shaped,
  text,
  withAliases,
  withValueAliases,
} from '../column.ts'
import { collateral as loaded } from '../datasets/collateral.ts'
import { anyOf, atLeast, company, has } from '../filter.ts'
import { resource } from '../resource.ts'
import { correctionColumns, evidenceColumns, linkColumns } from './shared.ts'

export const collateral = resource({
  name: 'collateral',
  doc: 'Collateral behind secured bonds and loans.',
  table: 'collateral',
  row: 'Collateral',
  columns: {
    id: text('Id of the record.'),
    bond_id: withAliases(nullable(text('Id of the bond or loan.')), 'debt_instrument_id'),
    bond_name: nullable(text('Name of the bond or loan.')),
    cusip: withAliases(nullable(shaped('cusip', 'CUSIP.')), 'bond_cusip'),
    company_ticker: nullable(shaped('ticker', 'Ticker of the company.')),
    company_name: nullable(text('Name of the company.')),
    type: withAliases(
      withValueAliases(loaded.columns.type, { intellectual_property: 'ip', unsecured: 'unsecured' }),
      'collateral_type',
    ),
    ...pick(
      loaded.columns,
      'description',
      'assets',
      'priority',
      'estimated_value',
      'valuation_date',
      'valuation_source',
      'jurisdiction',
    ),
    instrument_name: onRequest(loaded.columns.instrument_name),
    extraction_confidence: onRequest(loaded.columns.extraction_confidence),
    source_document_date: onRequest(loaded.columns.source_document_date),
    ...evidenceColumns,
    source: onRequest(nullable(text('File and position it came from.'))),
    ...correctionColumns,
    ...linkColumns,
  },
  key: ['id'],
  sort: ['company_ticker', 'id'],
  company: 'company_id',
  history: {},
  filters: {
    ticker: company('company_id'),
    cusip: anyOf('cusip'),
    bond_id: anyOf('bond_id'),
    collateral_type: anyOf('type', { doc: 'Kind of asset; `unsecured` matches none.' }),
    priority: anyOf('priority'),
    has_valuation: has('estimated_value', { doc: 'Whether it has a valuation.' }),
    min_value: atLeast('estimated_value', { doc: 'Minimum estimated value, cents.' }),
  },
  limit: { default: 50, max: 100 },
})

export interface Collateral extends DefaultRowOf<typeof collateral.columns> {}
