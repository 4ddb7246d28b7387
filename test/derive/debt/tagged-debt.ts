import { parseDay } from '../../../engine/credit/calendar.ts'
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
