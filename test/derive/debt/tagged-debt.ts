import { parseDay } from '../../../engine/credit/calendar.ts'
import type { LoadedInstrument } from '../../../engine/derive/debt/loaded-instruments.ts'
import type { FactRow } from '../../../engine/derive/statements/filings.ts'

/** The balance date of the annual report that tags these facts. */
export const DAY = parseDay('2024-12-31')

/** A figure of debt in the annual report of 2024. */
export const fact = (
  concept: string,
  value: number,
  dimensions: string | null,
  more: Partial<FactRow> = {},
): FactRow => ({
  cik: '0000000003',
  concept: `us-gaap:${concept}`,
  unit: 'USD',
  start: null,
  end: DAY,
  value,
  decimals: null,
  accession: '0000000003-25-000001',
  form: '10-K',
  fiscalYear: 2024,
  fiscalPeriod: 'FY',
  report: DAY,
  filed: DAY + 45,
  known: DAY + 45,
  rounded: false,
  source: 'facts.csv:1',
  dimensions,
  ...more,
})

/** An instrument as the text of that report tells it. */
export const read = (name: string, more: Partial<LoadedInstrument>): LoadedInstrument =>
  ({
    company_id: 'c',
    instrument_id: null,
    name,
    instrument_type: null,
    rate_type: 'fixed',
    coupon_rate: null,
    carrying_amount: null,
    principal: null,
    commitment: null,
    drawn: null,
    undrawn: null,
    seniority: null,
    security_type: null,
    benchmark: null,
    spread_bps: null,
    floor_bps: null,
    currency: 'USD',
    maturity: null,
    maturity_date: null,
    balance_date: '2024-12-31',
    guarantors: null,
    ended_on: null,
    ended_because: null,
    evidence: 'words',
    evidence_section: 'Note 9. Debt',
    evidence_offset: 1,
    rule: 'note_text',
    source: 'report.htm:1',
    accession: '0000000003-25-000001',
    known_from: '2025-02-14',
    cusip: null,
    isin: null,
    issuer: null,
    effective_rate: null,
    callable: null,
    call_schedule: null,
    make_whole_bps: null,
    par_call_date: null,
    change_of_control_price: null,
    ...more,
  }) as LoadedInstrument

/** What the text of an annual report of 2024 says of a facility. */
export const facilityText = (more: Partial<LoadedInstrument>): LoadedInstrument =>
  read('Revolving Credit Facility due 2028', {
    instrument_type: 'revolver',
    rate_type: 'floating',
    maturity: '2028-05',
    evidence_section: null,
    evidence_offset: null,
    rule: 'facility_text',
    source: 'report.htm: section 9',
    accession: null,
    ...more,
  })
