import { date, nullable, ratio, text } from '../column.ts'
import { dataset } from '../dataset.ts'
import { evidenceFields, instrumentColumns, instrumentIdentifiers } from './shared.ts'

export const guarantees = dataset({
  name: 'guarantees',
  doc: 'Which entity guarantees which instrument, or the debt of which issuer.',
  columns: {
    guarantor_id: text('Id of the guaranteeing entity.'),
    ...instrumentColumns,
    instrument_name: nullable(text('Instrument as the document names it: `4.125% Senior Notes due 2027`.')),
    issuer_id: nullable(text('Id of the entity whose debt it guarantees.')),
    guarantee_type: nullable(text('Kind of guarantee, `full`.')),
    document_date: nullable(date('Date of its document.')),
    ...evidenceFields,
    extraction_confidence: nullable(ratio('Confidence of the extraction, 0 to 1.')),
  },
  key: ['guarantor_id', 'cusip', 'isin', 'bond_id', 'instrument_name', 'issuer_id'],
  needsOneOf: [...instrumentIdentifiers, 'instrument_name', 'issuer_id'],
  known: ['document_date'],
  reference: true,
})
