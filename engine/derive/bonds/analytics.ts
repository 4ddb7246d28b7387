// Indices below are within bounds by construction: checks would cost in the loops.

import { bond, cashFlows, dv01FromDuration, yieldToMaturity } from '../../credit/bond.ts'
import { settlementDay } from '../../credit/calendar.ts'
import type { CurveHistory } from '../../credit/curve-history.ts'
import { isPricedForDefault } from '../../credit/distress.ts'
import { dirtyFromFlows } from '../../credit/solve-yield.ts'
import type { Frequency } from '../../credit/terms.ts'
import { NO_YIELD_REASONS } from '../../credit/terms.ts'
import {
  type BondAnalytics,
  type BondColumns,
  bondAnalytics,
  DAY_COUNTS,
  NO_DAY,
} from '../../credit/yields.ts'
import { type Database, literal } from '../../database/database.ts'
import { dayNumber } from './instruments.ts'
import { applySinking, type Schedules, sinkingSchedules, UNUSABLE_SCHEDULE } from './sinking-prices.ts'

/**
 * Reasons beyond those of the maths, with codes following theirs: floating-rate bonds, those priced for default and
 * those whose sinking schedule does not fit have no yield; days without a curve, and maturities outside it, have no spread.
 */
const MORE_REASONS = [
  'floating',
  'no_curve',
  'outside_curve',
  'priced_for_default',
  UNUSABLE_SCHEDULE,
] as const
const codeOf = (reason: (typeof MORE_REASONS)[number]) =>
  NO_YIELD_REASONS.length + MORE_REASONS.indexOf(reason)
const FLOATING = codeOf('floating')
const NO_CURVE = codeOf('no_curve')
const OUTSIDE_CURVE = codeOf('outside_curve')
const PRICED_FOR_DEFAULT = codeOf('priced_for_default')
const UNUSABLE = codeOf(UNUSABLE_SCHEDULE)

/** Turns a reason's code into its word in SQL; 0 is null. */
export const reasonText = (column: string): string =>
  `[${[...NO_YIELD_REASONS, ...MORE_REASONS].map(r => (r === null ? 'NULL' : literal(r))).join(', ')}][${column} + 1]`

/** The day to which a bond is yielded: the last fixed one of a fixed-to-float bond. */
export const pricingMaturity = `CASE WHEN b.rate_structure = 'fixed_to_float' THEN coalesce(b.last_fixed_date, b.maturity_date) ELSE b.maturity_date END`

/** Days as whole numbers, NO_DAY for NaN. */
function dayOr(days: Float64Array): Int32Array {
  const whole = new Int32Array(days.length)
  for (let i = 0; i < days.length; i++) whole[i] = Number.isNaN(days[i]!) ? NO_DAY : days[i]!
  return whole
}

/** Days and numbers of the bonds by `no`, NaN if unknown. */
type TermColumns = Record<(typeof TERMS)[number], Float64Array>
const TERMS = [
  'coupon',
  'maturity',
  'accrual',
  'firstCoupon',
  'frequency',
  'dayCount',
  'floats',
  'floatsLater',
  'finalMaturity',
  'defaultedFrom',
] as const

async function termsByNumber(db: Database): Promise<TermColumns> {
  const day = (column: string) => `CAST(${dayNumber(column)} AS DOUBLE)`
  const { columns } = await db.columns(`
    SELECT b.coupon_rate, ${day(pricingMaturity)}, ${day('coalesce(b.accrual_date, b.issue_date)')}, ${day('b.first_coupon_date')},
      CAST(coalesce(b.coupon_frequency, 2) AS DOUBLE),
      CASE b.day_count WHEN 'ACT/ACT' THEN 1.0 WHEN 'ACT/360' THEN 2.0 WHEN 'ACT/365' THEN 3.0 ELSE 0.0 END,
      CAST(coalesce(b.rate_structure = 'floating', FALSE) AS DOUBLE), CAST(coalesce(b.rate_structure = 'fixed_to_float', FALSE) AS DOUBLE),
      ${day('b.maturity_date')}, CASE WHEN b.status = 'defaulted' THEN ${day('b.defaulted_from')} END
    FROM bonds_base b ORDER BY b.no`)
  return Object.fromEntries(
    TERMS.map((name, j) => [name, Float64Array.from(columns[j] as (number | null)[], v => v ?? Number.NaN)]),
  ) as TermColumns
}

/**
 * `price_analytics`: yield, risk and spread of every daily price, one row each in the order of `numbered_prices`.
 * Computed over typed columns without row objects; every null has a reason.
 */
export async function deriveAnalytics(
  db: Database,
  curves: CurveHistory,
  progress: (done: number) => void = () => {},
): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TABLE price_analytics (n BIGINT, clean DOUBLE, accrued DOUBLE, ytm DOUBLE, duration DOUBLE,
      convexity DOUBLE, dv01 DOUBLE, spread DOUBLE, remaining_years DOUBLE, reason UTINYINT, spread_reason UTINYINT)`)
  const terms = await termsByNumber(db)
  const schedules = await sinkingSchedules(db)
  let done = 0
  for await (const { columns, rowCount } of db.numbers(`
    SELECT n, bond, CAST(${dayNumber('date')} AS INTEGER), price, CAST(price_basis = 'dirty' AS INTEGER) FROM numbered_prices`)) {
    await db.append('price_analytics', analyse(columns, rowCount, { terms, schedules, curves }), rowCount)
    done += rowCount
    progress(done)
  }
}

/** The columns of `price_analytics`, from those of the query above. */
function analyse(
  [n, bondNo, date, price, dirty]: Float64Array[],
  rows: number,
  { terms, schedules, curves }: { terms: TermColumns; schedules: Schedules; curves: CurveHistory },
): (Float64Array | Int32Array | Uint8Array)[] {
  const of = (name: keyof TermColumns) => {
    const [column, values] = [terms[name], new Float64Array(rows)]
    for (let i = 0; i < rows; i++) values[i] = column[bondNo![i]!]!
    return values
  }
  const [maturity, firstCoupon, floats, floatsLater, finalMaturity, defaultedFrom] = [
    of('maturity'),
    of('firstCoupon'),
    of('floats'),
    of('floatsLater'),
    of('finalMaturity'),
    of('defaultedFrom'),
  ]
  const settle = new Int32Array(rows)
  const settlements = new Map<number, number>()
  for (let i = 0; i < rows; i++) {
    let day = settlements.get(date![i]!)
    if (day === undefined) {
      day = settlementDay(date![i]!)
      settlements.set(date![i]!, day)
    }
    settle[i] = day
  }
  const clean = Float64Array.from(price!)
  const bonds = {
    coupon: of('coupon'),
    price: clean,
    settle,
    maturity: dayOr(maturity),
    accrualStart: startOf(dayOr(of('accrual')), firstCoupon, settle),
    frequency: Uint8Array.from(of('frequency')),
    dayCount: Uint8Array.from(of('dayCount')),
    isDefaulted: Uint8Array.from(defaultedFrom, (from, i) => (date![i]! >= from ? 1 : 0)),
  }
  let out = analysed(bonds, firstCoupon)
  if (dirty!.some(d => d === 1)) {
    for (let i = 0; i < rows; i++)
      if (dirty![i] === 1 && !Number.isNaN(out.accrued[i]!)) clean[i]! -= out.accrued[i]!
    out = analysed(bonds, firstCoupon)
  }
  const spread = new Float64Array(rows).fill(Number.NaN)
  const remaining = new Float64Array(rows)
  const spreadReason = new Uint8Array(rows)
  for (let i = 0; i < rows; i++) remaining[i] = (maturity[i]! - settle[i]!) / 365.25
  applySinking({ out, remaining }, { bonds, firstCoupon, floats, bond: bondNo! }, schedules, UNUSABLE)
  for (let i = 0; i < rows; i++) {
    const floatsNow = floatsLater[i] === 1 && settle[i]! >= maturity[i]! && settle[i]! < finalMaturity[i]!
    const isFloating = floats[i] === 1 || floatsNow
    if (isFloating || isPricedForDefault(clean[i]!, out.ytm[i]!)) {
      out.reason[i] = isFloating ? FLOATING : PRICED_FOR_DEFAULT
      for (const column of [out.ytm, out.modDuration, out.convexity, out.dv01]) column[i] = Number.NaN
    }
    spreadReason[i] = out.reason[i]!
    if (out.reason[i] !== 0) continue
    const par = curves.interpolateAt(date![i]!, remaining[i]!)
    if (Number.isNaN(par)) spreadReason[i] = curves.servingDay(date![i]!) === null ? NO_CURVE : OUTSIDE_CURVE
    else spread[i] = (out.ytm[i]! - par) * 100
  }
  return [
    n!,
    clean,
    out.accrued,
    out.ytm,
    out.modDuration,
    out.convexity,
    out.dv01,
    spread,
    remaining,
    out.reason,
    spreadReason,
  ]
}

/** After a known first coupon, interest accrues as if every period were regular. */
const startOf = (accrual: Int32Array, firstCoupon: Float64Array, settle: Int32Array): Int32Array =>
  accrual.map((day, i) => (settle[i]! >= firstCoupon[i]! ? NO_DAY : day))

/** As `bondAnalytics`, for first coupon dates that the schedule's rule would not choose. */
function analysed(
  bonds: Required<Omit<BondColumns, 'firstCoupon'>>,
  firstCoupon: Float64Array,
): BondAnalytics {
  const out = bondAnalytics(bonds)
  for (let i = 0; i < firstCoupon.length; i++) {
    const [start, settle] = [bonds.accrualStart[i]!, bonds.settle[i]!]
    if (!(settle < firstCoupon[i]!) || start === NO_DAY || out.reason[i] !== 0) continue
    const terms = bond({
      coupon: bonds.coupon[i]!,
      maturity: bonds.maturity[i]!,
      frequency: (bonds.frequency[i] || 2) as Frequency,
      dayCount: DAY_COUNTS[bonds.dayCount[i]!]!,
      accrualStart: start,
      firstCoupon: firstCoupon[i]!,
    })
    const { ytm } = yieldToMaturity(terms, bonds.price[i]!, settle)
    if (ytm === null) continue
    const flows = cashFlows(terms, settle)
    const { price, modDuration, convexity } = dirtyFromFlows(flows, ytm)
    out.ytm[i] = ytm
    out.modDuration[i] = modDuration
    out.convexity[i] = convexity
    out.dv01[i] = dv01FromDuration(modDuration, price)
    out.accrued[i] = flows.accrued
  }
  return out
}
