// Column loops keep non-null assertions: an index below the row count is checked once, by the loop.
import { dv01FromDuration } from './bond.ts'
import { type Day, dayOfPacked, daysInMonth, packedCivil } from './calendar.ts'
import { type DayCount, packedDays30360, yearsIcma } from './day-count.ts'
import { isFrequency, isMerged } from './schedule.ts'
import {
  dirtyFromFlows,
  LEAST_LOG_GROWTH,
  MAX_STEPS,
  MOST_LOG_GROWTH,
  type PeriodFlows,
  solveYield,
} from './solve-yield.ts'
import { type Frequency, NO_YIELD_REASONS, type NoYieldReason } from './terms.ts'

/** An unknown day in an Int32Array. */
export const NO_DAY = -2_147_483_648

/** The index is the code in a `dayCount` column. */
export const DAY_COUNTS: readonly DayCount[] = ['30/360', 'ACT/ACT', 'ACT/360', 'ACT/365F']

/** One row per price. Optional columns have the defaults of `bond()`. */
export type BondColumns = {
  /** Percent a year; NaN if unknown. */
  coupon: Float64Array
  /** Clean, per 100 par; NaN if there is none. */
  price: Float64Array
  settle: Int32Array
  /** For a fixed-to-float bond its last fixed day; NO_DAY if unknown. */
  maturity: Int32Array
  /** NO_DAY if unknown. */
  accrualStart?: Int32Array
  /** Only where the schedule's rule would choose another first coupon date, else NO_DAY. */
  firstCoupon?: Int32Array
  /** Coupons a year; 0 is read as 2, for zero coupon bonds. */
  frequency?: Uint8Array
  /** Index in DAY_COUNTS. */
  dayCount?: Uint8Array
  /** 1 if the issuer no longer pays. */
  isDefaulted?: Uint8Array
}

/** NaN throughout a row that has a reason. */
export type BondAnalytics = {
  /** Percent, street convention. */
  ytm: Float64Array
  /** Years. */
  modDuration: Float64Array
  /** Years squared. */
  convexity: Float64Array
  /** Cents per 100 par per basis point. */
  dv01: Float64Array
  /** Per 100 par. */
  accrued: Float64Array
  /** Index in NO_YIELD_REASONS; 0 if there is a yield. */
  reason: Uint8Array
}

const codeOf = (reason: NoYieldReason) => NO_YIELD_REASONS.indexOf(reason)
const [NO_PRICE, NO_TERMS, MATURED] = [codeOf('no_price'), codeOf('no_terms'), codeOf('matured')]
const [DEFAULTED, NO_TIME_LEFT] = [codeOf('defaulted'), codeOf('no_time_left')]
const NO_CONVERGENCE = codeOf('no_convergence')
const HAS_YIELD = 0

/** The date the given number of months before a packed date, packed as yyyymmdd. */
function monthsBefore(packed: number, months: number, endOfMonth: boolean): number {
  const total = ((packed / 10_000) | 0) * 12 + (((packed / 100) | 0) % 100) - 1 - months
  const year = Math.floor(total / 12)
  const month = total - year * 12 + 1
  const day = packed % 100
  if (day <= 28 && !endOfMonth) return year * 10_000 + month * 100 + day
  const last = daysInMonth(year, month)
  return year * 10_000 + month * 100 + (endOfMonth || day > last ? last : day)
}

/** Periods between maturity and the newest coupon date at or before a date; all dates packed. */
function periodsBack(maturity: number, date: number, step: number, endOfMonth: boolean): number {
  const months =
    (((maturity / 10_000) | 0) - ((date / 10_000) | 0)) * 12 +
    (((maturity / 100) | 0) % 100) -
    (((date / 100) | 0) % 100)
  const k = Math.ceil(months / step)
  return k * step === months && monthsBefore(maturity, months, endOfMonth) > date ? k + 1 : k
}

/**
 * The number of coupons of a bond whose interest starts to accrue on a date; a short first period is merged into the
 * next.
 */
function countByRule(end: number, start: number, step: number, endOfMonth: boolean): number {
  const back = periodsBack(end, start, step, endOfMonth)
  const days = packedDays30360(start, monthsBefore(end, (back - 1) * step, endOfMonth), endOfMonth)
  return back > 1 && isMerged(days, 12 / step) ? back - 1 : back
}

/** The number of coupons from the given first one, or from the regular date after it. */
function countFrom(end: number, firstCoupon: number, step: number, endOfMonth: boolean): number {
  const back = periodsBack(end, firstCoupon, step, endOfMonth)
  return Math.max(1, monthsBefore(end, back * step, endOfMonth) === firstCoupon ? back + 1 : back)
}

/**
 * Yields and risk of many prices at once, with hardly any allocation per row. For equal coupons (30/360, ACT/ACT) the
 * annuity formula replaces the schedule. Agrees with the functions of `bond.ts`.
 */
export function bondAnalytics(columns: BondColumns): BondAnalytics {
  const rows = columns.coupon.length
  const out: BondAnalytics = {
    ytm: new Float64Array(rows).fill(Number.NaN),
    modDuration: new Float64Array(rows).fill(Number.NaN),
    convexity: new Float64Array(rows).fill(Number.NaN),
    dv01: new Float64Array(rows).fill(Number.NaN),
    accrued: new Float64Array(rows).fill(Number.NaN),
    reason: new Uint8Array(rows),
  }
  for (let i = 0; i < rows; i++) {
    const reason = termsReason(columns, i)
    if (reason === HAS_YIELD) analyse(columns, i, out)
    else out.reason[i] = reason
  }
  return out
}

/** Why a row has no yield, from its terms, status and price alone. */
function termsReason(columns: BondColumns, i: number): number {
  const settle = columns.settle[i]!
  const maturity = columns.maturity[i]!
  const accrualStart = columns.accrualStart?.[i] ?? NO_DAY
  if (
    !Number.isFinite(columns.coupon[i]!) ||
    !isFrequency(columns.frequency?.[i] || 2) ||
    maturity === NO_DAY ||
    settle === NO_DAY ||
    (accrualStart !== NO_DAY && accrualStart >= maturity)
  )
    return NO_TERMS
  if (columns.isDefaulted?.[i]) return DEFAULTED
  if (settle >= maturity) return MATURED
  const clean = columns.price[i]!
  return clean > 0 && clean !== Number.POSITIVE_INFINITY ? HAS_YIELD : NO_PRICE
}

/** The number of remaining coupons; negative if the first of them has an odd period. `end` and `now` are packed. */
function couponsLeft(
  end: number,
  now: number,
  step: number,
  endOfMonth: boolean,
  settle: Day,
  accrualStart: Day,
  firstCoupon: Day,
): number {
  const left = periodsBack(end, now, step, endOfMonth)
  if (accrualStart === NO_DAY || (firstCoupon === NO_DAY && settle - accrualStart >= step * 63)) return left
  const start = packedCivil(accrualStart)
  const count =
    firstCoupon === NO_DAY
      ? countByRule(end, start, step, endOfMonth)
      : countFrom(end, packedCivil(firstCoupon), step, endOfMonth)
  if (count > left) return left
  return monthsBefore(end, count * step, endOfMonth) === start ? count : -count
}

/** Simple interest in the last coupon period; `w` is the remaining part of it. */
function analyseLastPeriod(
  i: number,
  out: BondAnalytics,
  dirty: number,
  accrued: number,
  first: number,
  w: number,
  frequency: number,
): void {
  const growth = (first + 100) / dirty
  if (growth === Number.POSITIVE_INFINITY) {
    out.reason[i] = NO_CONVERGENCE
    return
  }
  const duration = w / frequency / growth
  out.ytm[i] = ((growth - 1) / w) * frequency * 100
  out.modDuration[i] = duration
  out.convexity[i] = 2 * duration * duration
  out.dv01[i] = dv01FromDuration(duration, dirty)
  out.accrued[i] = accrued
}

// Over 80 lines: fractions stay in local variables. V8 allocates for each one passed to another function, which made
// a row a seventh slower.
function analyse(columns: BondColumns, i: number, out: BondAnalytics): void {
  const coupon = columns.coupon[i]!
  const clean = columns.price[i]!
  const settle = columns.settle[i]!
  const maturity = columns.maturity[i]!
  const accrualStart = columns.accrualStart?.[i] ?? NO_DAY
  const frequency = columns.frequency?.[i] || 2
  const dayCount = DAY_COUNTS[columns.dayCount?.[i] ?? 0]!
  const step = 12 / frequency
  const end = packedCivil(maturity)
  const now = packedCivil(settle)
  const endMonth = ((end / 100) | 0) % 100
  const endOfMonth =
    !(endMonth === 2 && dayCount === '30/360') && end % 100 === daysInMonth((end / 10_000) | 0, endMonth)

  const firstCoupon = columns.firstCoupon?.[i] ?? NO_DAY
  const coupons = couponsLeft(end, now, step, endOfMonth, settle, accrualStart, firstCoupon)
  const isOdd = coupons < 0
  const left = isOdd ? -coupons : coupons
  const rest = left - 1
  const start = isOdd ? packedCivil(accrualStart) : monthsBefore(end, left * step, endOfMonth)
  if (dayCount === 'ACT/360' || dayCount === 'ACT/365F') {
    const basis = dayCount === 'ACT/360' ? 360 : 365
    pay(end, left, step, endOfMonth, dayOfPacked(start), settle, coupon, basis)
    analyseFlows(i, clean, out)
    return
  }

  // Years of interest that the first coupon pays, and how many of them are over.
  const next = monthsBefore(end, rest * step, endOfMonth)
  let years = 1 / frequency
  let elapsed = 0
  if (dayCount === '30/360') {
    if (isOdd) years = packedDays30360(start, next, endOfMonth) / 360
    elapsed = packedDays30360(start, now, endOfMonth) / 360
    if (!isOdd) elapsed = Math.min(elapsed, years)
  } else if (isOdd || settle < accrualStart) {
    const grid = { anchor: maturity, months: step, endOfMonth }
    years = yearsIcma(accrualStart, dayOfPacked(next), grid)
    elapsed = yearsIcma(accrualStart, settle, grid)
  } else {
    const began = dayOfPacked(start)
    elapsed = ((settle - began) / (dayOfPacked(next) - began)) * years
  }
  const regular = coupon / frequency
  const first = isOdd ? coupon * years : regular
  const w = frequency * (years - elapsed)
  const accrued = elapsed > 0 ? coupon * elapsed : 0
  const dirty = clean + accrued
  if (w + rest <= 0) {
    out.reason[i] = NO_TIME_LEFT
    return
  }
  if (rest === 0 && w <= 1) {
    analyseLastPeriod(i, out, dirty, accrued, first, w, frequency)
    return
  }

  // The log growth per period at which the flows are worth the price, by Newton's method.
  const target = Math.log(dirty)
  let low = LEAST_LOG_GROWTH
  let high = MOST_LOG_GROWTH
  let u = Math.log1p(Math.max(-0.5, (2 * (regular + (100 - clean) / (w + rest))) / (100 + clean)))
  let isSolved = false
  for (let steps = 0; steps < MAX_STEPS && !isSolved; steps++) {
    const fall = Math.expm1(-u)
    // After a fall by almost everything, one plus the fall would keep no digits.
    const v = fall > -0.99 ? fall + 1 : Math.exp(-u)
    const fallToLast = Math.expm1(-u * rest)
    const toLast = fallToLast > -0.99 ? fallToLast + 1 : Math.exp(-u * rest)
    const annuity = u === 0 ? rest : (v * fallToLast) / fall
    let weighted = ((rest * left) / 2) * (1 - (u * (2 * rest + 1)) / 3)
    if (u > 1e-4 || u < -1e-4) weighted = (v * (1 - left * toLast + rest * toLast * v)) / (fall * fall)
    const atFirst = first + regular * annuity + 100 * toLast
    const miss = Math.log(atFirst) - u * w - target
    if (miss > 0) low = u
    else high = u
    const newton = u + miss / (w + (regular * weighted + 100 * rest * toLast) / atFirst)
    const moved = Math.abs(newton - u)
    isSolved = moved <= 1e-9 * (1 + Math.abs(u))
    u = isSolved || (newton >= low && newton <= high) ? newton : (low + high) / 2
  }
  if (!isSolved) {
    out.reason[i] = NO_CONVERGENCE
    return
  }

  const v = Math.exp(-u)
  let value = first
  let discount = 1
  let moment = 0
  let square = 0
  for (let k = 1; k <= rest; k++) {
    discount *= v
    const share = regular * discount
    value += share
    moment += share * k
    square += share * k * k
  }
  value += 100 * discount
  moment += 100 * discount * rest
  square += 100 * discount * rest * rest
  const duration = ((w + moment / value) * v) / frequency
  out.ytm[i] = Math.expm1(u) * frequency * 100
  out.modDuration[i] = duration
  out.convexity[i] =
    ((w * (w + 1) + ((2 * w + 1) * moment + square) / value) * v * v) / (frequency * frequency)
  out.dv01[i] = dv01FromDuration(duration, dirty)
  out.accrued[i] = accrued
}

/**
 * The flows of the current row, if coupons vary with the days of their periods; the arrays are reused for every row.
 */
const flows: PeriodFlows & { accrued: number } = { frequency: 2, periods: [], amounts: [], accrued: 0 }

/** Fills `flows`; `end` is packed, `start` is the day on which the current period began to accrue. */
function pay(
  end: number,
  left: number,
  step: number,
  endOfMonth: boolean,
  start: Day,
  settle: Day,
  coupon: number,
  basis: 360 | 365,
): void {
  const { periods, amounts } = flows
  const frequency = 12 / step
  flows.frequency = frequency as Frequency
  flows.accrued = Math.max(0, (coupon * (settle - start)) / basis)
  periods.length = left
  amounts.length = left
  let before = start
  for (let k = 0; k < left; k++) {
    const day = dayOfPacked(monthsBefore(end, (left - 1 - k) * step, endOfMonth))
    periods[k] = (frequency * (day - settle)) / basis
    amounts[k] = (coupon * (day - before)) / basis
    before = day
  }
  amounts[left - 1]! += 100
}

function analyseFlows(i: number, clean: number, out: BondAnalytics): void {
  const { ytm, reason } = solveYield(flows, clean + flows.accrued)
  if (reason !== null) {
    out.reason[i] = codeOf(reason)
    return
  }
  const { price, modDuration, convexity } = dirtyFromFlows(flows, ytm)
  out.ytm[i] = ytm
  out.modDuration[i] = modDuration
  out.convexity[i] = convexity
  out.dv01[i] = dv01FromDuration(modDuration, price)
  out.accrued[i] = flows.accrued
}
