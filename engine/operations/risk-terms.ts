import { callsIn } from '../credit/calls.ts'
import type { SqlValue } from '../database/parameters.ts'
import { stored } from '../database/views.ts'
import { dayNumber } from '../derive/bonds/instruments.ts'
import type { Context } from './operation.ts'
import type { FiledCalls, RiskTerms } from './risk/terms.ts'

/** The terms of bonds that a caller may see, by a condition on their rows. */
export async function riskTermsOf(
  context: Context,
  where: string,
  values: readonly SqlValue[],
): Promise<RiskTerms[]> {
  await context.tables('bonds')
  return context.database.rows<RiskTerms>(
    `SELECT id, cusip, display_name, company_ticker AS ticker, company_name, company_sector AS sector, rating_bucket,
       coalesce(currency, 'USD') AS currency, status, is_active, rate_structure, coupon_rate AS coupon,
       ${dayNumber('maturity_date')} AS maturity, ${dayNumber('last_fixed_date')} AS last_fixed,
       ${dayNumber('coalesce(accrual_date, issue_date)')} AS accrual, ${dayNumber('first_coupon_date')} AS first_coupon,
       coupon_frequency AS frequency, replace(day_count, 'ACT/365', 'ACT/365F') AS day_count, spread_bps AS margin,
       floor_bps AS floor, callable, CAST(call_schedule AS VARCHAR) AS call_schedule, "pricing.last_price" AS price,
       ${dayNumber('"pricing.last_trade_date"')} AS price_day, "pricing.price_source" AS price_source,
       "pricing.staleness_days" AS staleness_days,
       json_extract_string(_explain, '$.price.ytm_null_because') AS yield_null_because,
       json_extract_string(_explain, '$.terms.from') AS source, seniority, company_id, coverage,
       outstanding, ${dayNumber('known_from')} AS known_from
     FROM ${stored('bonds')} WHERE (${where}) ${context.coverage === 'standard' ? "AND coverage = 'standard'" : ''}
     ORDER BY id`,
    values,
  )
}

/** The call terms of instruments by the bond they are matched to; nothing where two instruments are one bond. */
export async function filedCallsOf(
  context: Context,
  bonds: readonly string[],
): Promise<ReadonlyMap<string, FiledCalls>> {
  if (bonds.length === 0) return new Map()
  await context.tables('instruments')
  const rows = await context.database.rows<
    Omit<FiledCalls, 'dates'> & { bond_id: string; call_schedule: string | null; par_call: number | null }
  >(
    `SELECT bond_id, id AS instrument_id, callable, CAST(call_schedule AS VARCHAR) AS call_schedule,
       ${dayNumber('par_call_date')} AS par_call, make_whole_bps, source, accession, CAST(known_from AS VARCHAR) AS known_from
     FROM ${stored('instruments')} WHERE is_current AND bond_id IN (SELECT unnest(?::JSON::VARCHAR[]))
     QUALIFY count(*) OVER (PARTITION BY bond_id) = 1`,
    [JSON.stringify(bonds)],
  )
  return new Map(
    rows.map(({ bond_id, call_schedule, par_call, ...row }) => {
      const said = call_schedule === null ? null : callsIn(call_schedule)
      const before = said?.filter(({ day }) => par_call === null || day < par_call) ?? []
      const dates = par_call === null ? said : [...before, { day: par_call, price: 100 }]
      return [bond_id, { ...row, dates }]
    }),
  )
}
