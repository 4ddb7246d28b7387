import {
  boolean,
  date,
  integer,
  json,
  nullable,
  number,
  oneOf,
  percent,
  ratio,
  shaped,
  text,
} from '../column.ts'
import { dataset } from '../dataset.ts'
import { covenantTypes, testMetrics } from '../vocabulary.ts'
import { evidenceFields, issuerColumns, issuerIdentifiers } from './shared.ts'

export const covenants = dataset({
  name: 'covenants',
  doc: 'Covenants of bonds and credit agreements.',
  columns: {
    id: nullable(text("The source's own id.")),
    ...issuerColumns,
    instrument_name: nullable(text('Instrument or agreement.')),
    cusip: nullable(shaped('cusip', 'CUSIP of the instrument.')),
    covenant_type: oneOf(covenantTypes, 'Kind of covenant.'),
    covenant_name: text('Name of the covenant.'),
    test_metric: nullable(oneOf(testMetrics, 'Metric tested.')),
    threshold_value: nullable(number('Threshold.')),
    threshold_type: nullable(oneOf(['maximum', 'minimum'], 'Direction of the threshold.')),
    test_frequency: nullable(text('When it is tested: `quarterly`, `incurrence`.')),
    description: nullable(text('What it says.')),
    has_step_down: nullable(boolean('The threshold tightens on a schedule.')),
    step_down_schedule: nullable(json('Steps: `[{"date":"2026-03-31","threshold_value":4.5}]`.')),
    cure_period_days: nullable(integer('Days to cure.', { unit: 'days' })),
    put_price_pct: nullable(percent('Put price on a change of control, percent of par.')),
    extraction_confidence: nullable(ratio('Confidence of the extraction, 0 to 1.')),
    source_document_date: nullable(date('Date of the document.')),
    ...evidenceFields,
  },
  key: ['id', 'ticker', 'cik', 'company_name', 'instrument_name', 'cusip', 'covenant_name', 'test_metric'],
  needsOneOf: issuerIdentifiers,
  known: ['source_document_date'],
  filed: 'source_document_date',
  checks: [
    {
      sql: 'extraction_confidence is null or extraction_confidence between 0 and 1',
      says: 'extraction_confidence must be between 0 and 1',
    },
  ],
})
