import { NO_YIELD_REASONS } from '../credit/bond.ts'
import { settlementDay } from '../credit/calendar.ts'
import type { CurveHistory } from '../credit/curve-history.ts'
import { bondAnalytics, NO_DAY } from '../credit/yields.ts'
import { type Database, literal } from '../database.ts'
import { dayNumber } from './instruments.ts'

/** Codes of reasons beyond those of the maths: a floating-rate bond has no yield, a day without a curve no spread. */
const FLOATING = NO_YIELD_REASONS.length
const NO_CURVE = FLOATING + 1

/** Turns a reason's code into its word in SQL; 0 is null. */
export const reasonText = (column: string): string =>
  `[${[...NO_YIELD_REASONS, 'floating', 'no_curve'].map(r => (r === null ? 'NULL' : literal(r))).join(', ')}][${column} + 1]`

/** The position in DAY_COUNTS of a bond's day count. */
const dayCountCode = `CASE b.day_count WHEN 'ACT/ACT' THEN 1 WHEN 'ACT/360' THEN 2 WHEN 'ACT/365' THEN 3 ELSE 0 END`

/** The day a bond is yielded to: the last fixed one of a fixed-to-float bond. */
export const pricingMaturity = `CASE WHEN b.rate_structure = 'fixed_to_float' THEN coalesce(b.last_fixed_date, b.maturity_date) ELSE b.maturity_date END`

const whole = (column: string): string => `CAST(${column} AS INTEGER)`

const dayOr = (days: Float64Array): Int32Array =>
  Int32Array.from(days, day => (Number.isNaN(day) ? NO_DAY : day))

/**
 * `price_analytics`: yield, risk and spread of every daily price, by its number `n` in `numbered_prices`. Computed over
 * typed columns, nothing made a row; nothing is null without a reason.
 */
export async function deriveAnalytics(
  db: Database,
  curves: CurveHistory,
  progress: (done: number) => void = () => {},
): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TABLE numbered_prices AS
      SELECT CAST(row_number() OVER (ORDER BY bond_id, date) - 1 AS INTEGER) AS n, * FROM daily_prices;
    CREATE OR REPLACE TABLE price_analytics (n INTEGER, clean DOUBLE, accrued DOUBLE, ytm DOUBLE, duration DOUBLE,
      convexity DOUBLE, dv01 DOUBLE, spread DOUBLE, remaining_years DOUBLE, reason UTINYINT, spread_reason UTINYINT)`)
  let done = 0
  for await (const { columns, rowCount } of db.numbers(`
    SELECT p.n, ${whole(dayNumber('p.date'))}, p.price, ${whole("p.price_basis = 'dirty'")}, b.coupon_rate,
      ${whole(dayNumber(pricingMaturity))}, ${whole(dayNumber('coalesce(b.accrual_date, b.issue_date)'))},
      ${whole('coalesce(b.coupon_frequency, 2)')}, ${whole(dayCountCode)},
      ${whole("coalesce(b.rate_structure = 'floating', FALSE)")},
      ${whole("coalesce(b.status = 'defaulted' AND p.date >= b.defaulted_from, FALSE)")}
    FROM numbered_prices p JOIN bonds_base b ON b.id = p.bond_id`)) {
    await db.append('price_analytics', analyse(columns, rowCount, curves), rowCount)
    done += rowCount
    progress(done)
  }
}

/** The columns of `price_analytics`, from those of the query above. */
function analyse(
  [
    n,
    date,
    price,
    dirty,
    coupon,
    maturity,
    accrual,
    frequency,
    dayCount,
    floating,
    defaulted,
  ]: Float64Array[],
  rows: number,
  curves: CurveHistory,
): (Float64Array | Int32Array | Uint8Array)[] {
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
    coupon: coupon!,
    price: clean,
    settle,
    maturity: dayOr(maturity!),
    accrualStart: dayOr(accrual!),
    frequency: Uint8Array.from(frequency!),
    dayCount: Uint8Array.from(dayCount!),
    isDefaulted: Uint8Array.from(defaulted!),
  }
  let out = bondAnalytics(bonds)
  if (dirty!.some(d => d === 1)) {
    for (let i = 0; i < rows; i++)
      if (dirty![i] === 1 && !Number.isNaN(out.accrued[i]!)) clean[i]! -= out.accrued[i]!
    out = bondAnalytics(bonds)
  }
  const spread = new Float64Array(rows).fill(Number.NaN)
  const remaining = new Float64Array(rows)
  const spreadReason = new Uint8Array(rows)
  for (let i = 0; i < rows; i++) {
    remaining[i] = (maturity![i]! - settle[i]!) / 365.25
    if (floating![i] === 1) {
      out.reason[i] = FLOATING
      for (const column of [out.ytm, out.modDuration, out.convexity, out.dv01]) column[i] = Number.NaN
    }
    spreadReason[i] = out.reason[i]!
    if (out.reason[i] !== 0) continue
    const par = curves.interpolateAt(date![i]!, remaining[i]!)
    if (Number.isNaN(par)) spreadReason[i] = NO_CURVE
    else spread[i] = (out.ytm[i]! - par) * 100
  }
  return [
    Int32Array.from(n!),
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
