import type { StatedCovenant } from '../../engine/derive/covenants/stated-covenant.ts'

let ids = 0
/** A covenant as a document of a day states it, with an id of its own. */
export const stated = (day: string, more: Partial<StatedCovenant> = {}): StatedCovenant => ({
  id: `c${++ids}`,
  company_id: 'ALFA',
  instrument_name: null,
  covenant_name: 'Maximum Total Leverage Ratio',
  test_metric: 'leverage_ratio',
  threshold_value: null,
  steps: [],
  rule: 'test_sentence',
  document_type: '10-K',
  day,
  evidence_section: null,
  agreement_date: null,
  agreement_maturity_date: null,
  replaces_agreement_date: null,
  ended_on: null,
  ended_because: null,
  ...more,
})
