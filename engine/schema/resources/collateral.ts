import {
  type DefaultRowOf,
  derived,
  nullable,
  onRequest,
  pick,
  shaped,
  text,
  withAliases,
  withValueAliases,
} from '../column.ts'
import { collateral as loaded } from '../datasets/collateral.ts'
import { anyOf, atLeast, company, has, is } from '../filter.ts'
import { resource } from '../resource.ts'
import { correctionColumns, evidenceColumns, linkColumns, standingColumns } from './shared.ts'

export const collateral = resource({
  name: 'collateral',
  doc: 'Collateral behind secured bonds and loans, pledged on the day by default.',
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
    ...pick(loaded.columns, 'description'),
    assets: derived(loaded.columns.assets),
    ...pick(
      loaded.columns,
      'priority',
      'estimated_value',
      'valuation_date',
      'valuation_source',
      'jurisdiction',
    ),
    ...standingColumns,
    instrument_name: derived(onRequest(loaded.columns.instrument_name)),
    agreement_date: onRequest(loaded.columns.agreement_date),
    agreement_maturity_date: derived(onRequest(loaded.columns.agreement_maturity_date)),
    document_type: onRequest(loaded.columns.document_type),
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
    in_force: is('in_force', {
      doc: 'Only what is pledged, or only what no longer is.',
      byDefault: { value: true, unless: ['ended_because'] },
    }),
    ended_because: anyOf('ended_because'),
    min_value: atLeast('estimated_value', { doc: 'Minimum estimated value, cents.' }),
  },
  limit: { default: 50, max: 100 },
})

export interface Collateral extends DefaultRowOf<typeof collateral.columns> {}
