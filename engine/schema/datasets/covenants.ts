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
import { covenantEnds, covenantTypes, testMetrics } from '../vocabulary.ts'
import { evidenceFields, issuerColumns, issuerIdentifiers } from './shared.ts'

export const covenants = dataset({
  name: 'covenants',
  doc: 'Covenants of bonds and credit agreements.',
  columns: {
    id: nullable(text("The source's own id.")),
    ...issuerColumns,
    instrument_name: nullable(text('Instrument or agreement.')),
    cusip: nullable(shaped('cusip', 'CUSIP of the instrument.')),
    agreement_date: nullable(date('Date of the agreement or indenture that contains it.')),
    agreement_maturity_date: nullable(date('Last day on which a facility of the agreement matures.')),
    replaces_agreement_date: nullable(
      date('Date of the earlier agreement that this one amends and restates or replaces.'),
    ),
    effective_from: nullable(
      date('Day it took effect, as the agreement or amendment that states it is dated.'),
    ),
    ended_on: nullable(date('Day it ended.')),
    ended_because: nullable(oneOf(covenantEnds, 'Why it ended.')),
    covenant_type: oneOf(covenantTypes, 'Kind of covenant.'),
    covenant_name: text('Name of the covenant.'),
    test_metric: nullable(oneOf(testMetrics, 'Metric tested.')),
    threshold_value: nullable(number('Threshold: times of a ratio, or an amount in cents.')),
    threshold_type: nullable(oneOf(['maximum', 'minimum'], 'Direction of the threshold.')),
    test_frequency: nullable(text('When it is tested: `quarterly`, `incurrence`.')),
    description: nullable(text('What it says.')),
    has_step_down: nullable(boolean('The threshold tightens on a schedule.')),
    step_down_schedule: nullable(json('Steps: `[{"date":"2026-03-31","threshold_value":4.5}]`.')),
    cure_period_days: nullable(integer('Days to cure.', { unit: 'days' })),
    equity_cure: nullable(
      json(
        'How equity cures a breach: `{"period_days":10,"most_in_four_quarters":2,"most_in_total":5}`; null members are not stated.',
      ),
    ),
    definitions: nullable(
      json(
        'Terms of the test as the document defines them: `[{"term":"Consolidated EBITDA","text":"…","offset":1200,"add_backs":["interest expense"]}]`.',
      ),
    ),
    baskets: nullable(
      json(
        'Amounts that a restriction permits: `[{"amount":5000000000,"share":0.15,"of":"Consolidated Total Assets","general":true,"text":"…"}]`, amounts in cents.',
      ),
    ),
    put_price_pct: nullable(percent('Put price on a change of control, percent of par.')),
    extraction_confidence: nullable(ratio('Confidence of the extraction, 0 to 1.')),
    document_type: nullable(text('Form or exhibit of the document, `10-K`, `EX-10.1`.')),
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
