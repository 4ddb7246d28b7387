import { cents, date, list, nullable, oneOf, pick, ratio, text } from '../column.ts'
import { dataset } from '../dataset.ts'
import { assetTypes, liens } from '../vocabulary.ts'
import { covenants } from './covenants.ts'
import {
  evidenceFields,
  instrumentColumns,
  instrumentIdentifiers,
  issuerColumns,
  issuerIdentifiers,
} from './shared.ts'

export const collateral = dataset({
  name: 'collateral',
  doc: 'Collateral behind secured instruments.',
  columns: {
    id: nullable(text("The source's own id.")),
    ...instrumentColumns,
    ...issuerColumns,
    type: oneOf(assetTypes, 'Kind of asset.'),
    description: nullable(text('What it is.')),
    assets: nullable(list('Single assets.')),
    priority: nullable(oneOf(liens, 'Lien.')),
    estimated_value: nullable(cents('Estimated value.')),
    valuation_date: nullable(date('Day of the valuation.')),
    valuation_source: nullable(text('Who valued it.')),
    jurisdiction: nullable(text('Where it is.')),
    instrument_name: nullable(text('Instrument or agreement that it secures.')),
    ...pick(
      covenants.columns,
      'agreement_date',
      'agreement_maturity_date',
      'ended_on',
      'ended_because',
      'document_type',
    ),
    extraction_confidence: nullable(ratio('Confidence of the extraction, 0 to 1.')),
    source_document_date: nullable(date('Date of the document.')),
    ...evidenceFields,
  },
  key: [
    'id',
    'cusip',
    'isin',
    'bond_id',
    'ticker',
    'cik',
    'company_name',
    'instrument_name',
    'type',
    'priority',
    'description',
  ],
  needsOneOf: [...instrumentIdentifiers, ...issuerIdentifiers],
  known: ['source_document_date', 'valuation_date'],
  filed: 'source_document_date',
})
