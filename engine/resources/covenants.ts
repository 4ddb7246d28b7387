import {
  boolean,
  date,
  integer,
  json,
  nullable,
  number,
  oneOf,
  onRequest,
  percent,
  type RowOf,
  ratio,
  shaped,
  text,
} from '../column.ts'
import { anyOf, atLeast, atMost, company, is } from '../filter.ts'
import { resource } from '../resource.ts'
import { covenantTypes, testMetrics } from '../vocabulary.ts'
import { companyColumns, linkColumns } from './shared.ts'

export const covenants = resource({
  name: 'covenants',
  doc: 'Covenants of bonds and credit agreements.',
  table: 'covenants',
  columns: {
    id: text('Id of the record.'),
    ...companyColumns,
    instrument_name: nullable(text('Instrument or agreement.')),
    cusip: nullable(shaped('cusip', 'CUSIP of the instrument.')),
    covenant_type: oneOf(covenantTypes, 'Kind of covenant.'),
    covenant_name: text('Name of the covenant.'),
    test_metric: nullable(oneOf(testMetrics, 'Metric tested.')),
    threshold_value: nullable(number('Threshold.')),
    threshold_type: nullable(oneOf(['maximum', 'minimum'], 'Direction of the threshold.')),
    test_frequency: nullable(text('When it is tested.')),
    description: nullable(text('What it says.')),
    has_step_down: nullable(boolean('The threshold tightens on a schedule.')),
    step_down_schedule: nullable(json('Steps of the threshold.')),
    cure_period_days: nullable(integer('Days to cure.', { unit: 'days' })),
    put_price_pct: nullable(percent('Put price on a change of control, percent of par.')),
    extraction_confidence: nullable(ratio('Confidence of the extraction, 0 to 1.')),
    source_document_date: nullable(date('Date of the document.')),
    source: onRequest(nullable(text('File and position it came from.'))),
    ...linkColumns,
  },
  key: ['id'],
  sort: ['ticker', 'covenant_type', 'covenant_name', 'id'],
  company: 'company_id',
  filters: {
    ticker: company('company_id'),
    covenant_type: anyOf('covenant_type'),
    test_metric: anyOf('test_metric'),
    min_threshold: atLeast('threshold_value', { doc: 'Least threshold.' }),
    max_threshold: atMost('threshold_value', { doc: 'Most threshold.' }),
    has_step_down: is('has_step_down'),
  },
  limit: { default: 50, max: 100 },
})

export type Covenant = RowOf<typeof covenants.columns>
