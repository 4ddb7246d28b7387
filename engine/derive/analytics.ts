import { NO_YIELD_REASONS } from '../credit/bond.ts'
import { settlementDay } from '../credit/calendar.ts'
import type { CurveHistory } from '../credit/curve-history.ts'
import { bondAnalytics, DAY_COUNTS, NO_DAY } from '../credit/yields.ts'
import type { Database } from '../database.ts'
import { dayNumber } from './instruments.ts'

const dayCountCode = (name: string | null): number => {
  return Math.max(0, DAY_COUNTS.indexOf((name === 'ACT/365' ? 'ACT/365F' : (name ?? '30/360')) as never))
}

/** Why a bond has no yield, beyond what the maths itself says. */
const FLOATING = 'floating'
const NO_CURVE = 'no_curve'

interface Row {
  readonly n: readonly number[]
  readonly date: readonly number[]
  readonly price: readonly number[]
  readonly dirty: readonly (boolean | null)[]
  readonly coupon: readonly (number | null)[]
  readonly maturity: readonly (number | null)[]
  readonly accrual: readonly (number | null)[]
  readonly frequency: readonly (number | null)[]
  readonly dayCount: readonly (string | null)[]
  readonly structure: readonly (string | null)[]
  readonly defaulted: readonly (boolean | null)[]
}

/**
 * `price_analytics`: yield, risk and spread of every daily price, by its number `n` in `numbered_prices`.
 * Computed in chunks over typed columns; nothing is null without a reason.
 */
export async function deriveAnalytics(
  db: Database,
  curves: CurveHistory,
  progress: (done: number) => void = () => {},
): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TABLE numbered_prices AS
      SELECT row_number() OVER (ORDER BY bond_id, date) - 1 AS n, * FROM daily_prices;
    CREATE OR REPLACE TABLE price_analytics (n BIGINT, clean DOUBLE, accrued DOUBLE, ytm DOUBLE, duration DOUBLE, convexity DOUBLE,
      dv01 DOUBLE, spread DOUBLE, remaining_years DOUBLE, reason VARCHAR, spread_reason VARCHAR)`)
  const stream = db.stream(`
    SELECT p.n, ${dayNumber('p.date')} AS date, p.price, p.price_basis = 'dirty' AS dirty, b.coupon_rate,
      ${dayNumber("CASE WHEN b.rate_structure = 'fixed_to_float' THEN coalesce(b.last_fixed_date, b.maturity_date) ELSE b.maturity_date END")} AS maturity,
      ${dayNumber('coalesce(b.accrual_date, b.issue_date)')} AS accrual, b.coupon_frequency, b.day_count,
      b.rate_structure, coalesce(b.status = 'defaulted' AND p.date >= b.defaulted_from, FALSE) AS defaulted
    FROM numbered_prices p JOIN bonds_base b ON b.id = p.bond_id ORDER BY p.n`)
  let buffer: unknown[][] = []
  let rows = 0
  let done = 0
  const flush = async () => {
    if (rows === 0) return
    await appendAnalytics(db, named(buffer), rows, curves)
    done += rows
    progress(done)
    buffer = []
    rows = 0
  }
  for await (const chunk of stream) {
    if (buffer.length === 0) buffer = chunk.columns.map(() => [])
    for (const [j, column] of chunk.columns.entries()) for (const value of column) buffer[j]!.push(value)
    rows += chunk.rowCount
    if (rows >= 65_536) await flush()
  }
  await flush()
}

const named = (columns: unknown[][]): Row => {
  const [n, date, price, dirty, coupon, maturity, accrual, frequency, dayCount, structure, defaulted] =
    columns
  return {
    n,
    date,
    price,
    dirty,
    coupon,
    maturity,
    accrual,
    frequency,
    dayCount,
    structure,
    defaulted,
  } as never
}

async function appendAnalytics(db: Database, row: Row, rows: number, curves: CurveHistory): Promise<void> {
  const settle = new Int32Array(rows)
  const columns = {
    coupon: Float64Array.from(row.coupon, c => c ?? Number.NaN),
    price: Float64Array.from(row.price),
    settle,
    maturity: Int32Array.from(row.maturity, m => m ?? NO_DAY),
    accrualStart: Int32Array.from(row.accrual, a => a ?? NO_DAY),
    frequency: Uint8Array.from(row.frequency, f => f ?? 2),
    dayCount: Uint8Array.from(row.dayCount, dayCountCode),
    isDefaulted: Uint8Array.from(row.defaulted, d => (d ? 1 : 0)),
  }
  // Consecutive rows are one bond's days, and a day's settlement is asked for once.
  const settlements = new Map<number, number>()
  for (let i = 0; i < rows; i++) {
    const date = row.date[i]!
    let day = settlements.get(date)
    if (day === undefined) {
      day = settlementDay(date)
      settlements.set(date, day)
    }
    settle[i] = day
  }
  let out = bondAnalytics(columns)
  if (row.dirty.some(Boolean)) {
    for (let i = 0; i < rows; i++)
      if (row.dirty[i] && !Number.isNaN(out.accrued[i]!)) columns.price[i]! -= out.accrued[i]!
    out = bondAnalytics(columns)
  }
  const value = (v: number): number | null => (Number.isNaN(v) ? null : v)
  const result: unknown[][] = Array.from({ length: 11 }, () => new Array(rows))
  for (let i = 0; i < rows; i++) {
    const floating = row.structure[i] === FLOATING
    const reason = floating ? FLOATING : NO_YIELD_REASONS[out.reason[i]!]!
    const ytm = floating ? null : value(out.ytm[i]!)
    const remaining = row.maturity[i] === null ? null : (row.maturity[i]! - settle[i]!) / 365.25
    const par = remaining === null ? null : value(curves.interpolateAt(row.date[i]!, remaining))
    const values = [
      BigInt(row.n[i]!),
      columns.price[i]!,
      value(out.accrued[i]!),
      ytm,
      floating ? null : value(out.modDuration[i]!),
      floating ? null : value(out.convexity[i]!),
      floating ? null : value(out.dv01[i]!),
      ytm === null || par === null ? null : (ytm - par) * 100,
      remaining,
      reason,
      reason ?? (par === null ? NO_CURVE : null),
    ]
    for (const [j, v] of values.entries()) result[j]![i] = v
  }
  await db.append('price_analytics', result, rows)
}
