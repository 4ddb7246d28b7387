import { date, nullable, oneOf, text } from '../column.ts'
import { dataset } from '../dataset.ts'
import { agreementEnds } from '../vocabulary.ts'
import { evidenceFields, issuerColumns, issuerIdentifiers } from './shared.ts'

export const agreementEndings = dataset({
  name: 'agreement_endings',
  doc: 'Agreements that ended, and clauses that an amendment deleted: their covenants end with them.',
  columns: {
    ...issuerColumns,
    instrument_name: text('The agreement.', { example: 'Credit Agreement' }),
    agreement_date: date('Date of the agreement that ended.'),
    section: nullable(
      text('Number of the clause that alone ended; null for the whole agreement.', { example: '7.12' }),
    ),
    ended_on: nullable(date('Day it ended; without one, the day of the document that says so.')),
    ended_because: oneOf(agreementEnds, 'Why it ended.'),
    document_type: nullable(text('Form or exhibit of the document, `8-K`.')),
    source_document_date: nullable(date('Date of the document.')),
    ...evidenceFields,
  },
  key: [
    'ticker',
    'cik',
    'company_name',
    'instrument_name',
    'agreement_date',
    'section',
    'ended_because',
    'accession',
    'document_type',
    'evidence_offset',
  ],
  needsOneOf: issuerIdentifiers,
  known: ['source_document_date'],
  filed: 'source_document_date',
})
