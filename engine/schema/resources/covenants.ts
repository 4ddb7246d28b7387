import { type DefaultRowOf, nullable, onRequest, pick, text } from '../column.ts'
import { covenants as loaded } from '../datasets/covenants.ts'
import { anyOf, atLeast, atMost, company, is } from '../filter.ts'
import { resource } from '../resource.ts'
import { companyColumns, evidenceColumns, linkColumns } from './shared.ts'

export const covenants = resource({
  name: 'covenants',
  doc: 'Covenants of bonds and credit agreements.',
  table: 'covenants',
  row: 'Covenant',
  columns: {
    id: text('Id of the record.'),
    ...companyColumns,
    ...pick(
      loaded.columns,
      'instrument_name',
      'cusip',
      'covenant_type',
      'covenant_name',
      'test_metric',
      'threshold_value',
      'threshold_type',
      'test_frequency',
      'description',
      'has_step_down',
      'step_down_schedule',
      'cure_period_days',
      'put_price_pct',
      'extraction_confidence',
      'source_document_date',
    ),
    ...evidenceColumns,
    source: onRequest(nullable(text('File and position it came from.'))),
    ...linkColumns,
  },
  key: ['id'],
  sort: ['ticker', 'covenant_type', 'covenant_name', 'id'],
  company: 'company_id',
  filters: {
    ticker: company('company_id'),
    cusip: anyOf('cusip'),
    covenant_type: anyOf('covenant_type'),
    covenant_name: anyOf('covenant_name'),
    test_metric: anyOf('test_metric'),
    min_threshold: atLeast('threshold_value', { doc: 'Minimum threshold.' }),
    max_threshold: atMost('threshold_value', { doc: 'Maximum threshold.' }),
    has_step_down: is('has_step_down'),
    min_confidence: atLeast('extraction_confidence', {
      doc: 'Minimum confidence of the extraction, 0 to 1.',
    }),
  },
  limit: { default: 50, max: 100 },
})

export interface Covenant extends DefaultRowOf<typeof covenants.columns> {}
