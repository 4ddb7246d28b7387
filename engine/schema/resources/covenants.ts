import { type DefaultRowOf, derived, nullable, number, onRequest, pick, text } from '../column.ts'
import { covenants as loaded } from '../datasets/covenants.ts'
import { anyOf, atLeast, atMost, company, is } from '../filter.ts'
import { resource } from '../resource.ts'
import { companyColumns, correctionColumns, evidenceColumns, linkColumns, standingColumns } from './shared.ts'

export const covenants = resource({
  name: 'covenants',
  doc: 'Covenants of bonds and credit agreements, those in force by default.',
  table: 'covenants',
  row: 'Covenant',
  columns: {
    id: text('Id of the record.'),
    ...companyColumns,
    instrument_name: derived(loaded.columns.instrument_name),
    ...pick(loaded.columns, 'cusip', 'covenant_type', 'covenant_name', 'test_metric'),
    threshold_value: derived(
      nullable(
        number('Threshold in force on the as-of day, the schedule applied: times of a ratio, or an amount.', {
          unit: 'times or cents',
        }),
      ),
    ),
    ...pick(
      loaded.columns,
      'threshold_type',
      'test_frequency',
      'description',
      'has_step_down',
      'step_down_schedule',
      'cure_period_days',
      'put_price_pct',
      'extraction_confidence',
      'source_document_date',
      'agreement_date',
      'effective_from',
    ),
    ...standingColumns,
    definitions: onRequest(loaded.columns.definitions),
    baskets: onRequest(loaded.columns.baskets),
    equity_cure: onRequest(loaded.columns.equity_cure),
    agreement_maturity_date: derived(onRequest(loaded.columns.agreement_maturity_date)),
    replaces_agreement_date: onRequest(loaded.columns.replaces_agreement_date),
    document_type: onRequest(loaded.columns.document_type),
    ...evidenceColumns,
    source: onRequest(nullable(text('File and position it came from.'))),
    ...correctionColumns,
    ...linkColumns,
  },
  key: ['id'],
  sort: ['ticker', 'covenant_type', 'covenant_name', 'id'],
  company: 'company_id',
  history: {},
  filters: {
    ticker: company('company_id'),
    cusip: anyOf('cusip'),
    covenant_type: anyOf('covenant_type'),
    covenant_name: anyOf('covenant_name'),
    test_metric: anyOf('test_metric'),
    min_threshold: atLeast('threshold_value', { doc: 'Minimum threshold, in times or cents.' }),
    max_threshold: atMost('threshold_value', { doc: 'Maximum threshold, in times or cents.' }),
    has_step_down: is('has_step_down'),
    in_force: is('in_force', {
      doc: 'Only those in force, or only those that have ended.',
      byDefault: { value: true, unless: ['ended_because'] },
    }),
    ended_because: anyOf('ended_because'),
    min_confidence: atLeast('extraction_confidence', {
      doc: 'Minimum confidence of the extraction, 0 to 1.',
    }),
  },
  limit: { default: 50, max: 100 },
})

export interface Covenant extends DefaultRowOf<typeof covenants.columns> {}
