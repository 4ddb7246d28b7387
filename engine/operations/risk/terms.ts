import type { DayCount } from '../../credit/day-count.ts'
import type { Redemption } from '../../credit/terms.ts'

/** Terms and latest price of a bond, as the lake knows them on the day. Days are counted from 1970-01-01. */
export interface RiskTerms {
  readonly id: string
  readonly cusip: string | null
  readonly display_name: string
  readonly ticker: string | null
  readonly company_name: string | null
  readonly sector: string | null
  readonly rating_bucket: string | null
  readonly currency: string
  readonly status: string
  readonly is_active: boolean
  readonly rate_structure: 'fixed' | 'floating' | 'fixed_to_float' | 'zero' | null
  readonly coupon: number | null
  readonly maturity: number | null
  readonly last_fixed: number | null
  readonly accrual: number | null
  /** The day of issue, else that from which it accrues. */
  readonly issued: number | null
  readonly first_coupon: number | null
  readonly frequency: number | null
  readonly day_count: DayCount | null
  readonly margin: number | null
  readonly floor: number | null
  readonly callable: boolean | null
  readonly call_schedule: string | null
  /** Its call schedule is that of the company's instrument: its own source states none. */
  readonly calls_are_filed: boolean
  readonly make_whole_bps: number | null
  readonly put_schedule: string | null
  readonly sinking_schedule: string | null
  readonly price: number | null
  readonly price_day: number | null
  readonly price_source: string | null
  readonly staleness_days: number | null
  /** Why the latest price has no yield. */
  readonly yield_null_because: string | null
  readonly source: string | null
  readonly seniority: string | null
  readonly company_id: string | null
  readonly coverage: string | null
  /** In cents. */
  readonly outstanding: number | null
  /** The day from which it was known to be retired. */
  readonly retired_from: number | null
}

/** The call schedule that a bond's own source states. */
export const ownSchedule = ({ call_schedule, calls_are_filed }: RiskTerms): string | null =>
  calls_are_filed ? null : call_schedule

/** Call terms that an instrument of a company's filings, or a loaded one, states of a bond. */
export interface FiledCalls {
  readonly callable: boolean | null
  readonly dates: readonly Redemption[] | null
  readonly make_whole_bps: number | null
  readonly instrument_id: string
  readonly source: string | null
  readonly accession: string | null
  readonly known_from: string | null
}
