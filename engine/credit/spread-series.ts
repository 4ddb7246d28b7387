// Indices below are within bounds by construction: checks would cost in the loops.

import type { Day } from './calendar.ts'

/** Remaining years of each tenor: `from` inclusive, `to` exclusive, except for the last one. */
export const TENORS = [
  { tenor: '1Y', from: 1, to: 2 },
  { tenor: '3Y', from: 2, to: 4 },
  { tenor: '5Y', from: 4, to: 6 },
  { tenor: '7Y', from: 6, to: 8.5 },
  { tenor: '10Y', from: 8.5, to: 12 },
] as const

export const LOWEST_PRICE = 60
export const LOWEST_SPREAD_BPS = -200
export const HIGHEST_SPREAD_BPS = 3000
/** Groups smaller than this are checked by fixed ranges. */
export const SMALLEST_SIGMA_GROUP = 4
export const SIGMAS = 3
/** Lower bound: otherwise nearly identical bonds would exclude a neighbour a few basis points away. */
export const LEAST_DEVIATION_BPS = 10
/** How far a bond of a small group may be from the issuer's median of that day. */
export const FURTHEST_FROM_MEDIAN_BPS = 300

/** Why a row is in no spread; the index is its code. */
export const REJECTIONS = [
  'used',
  'not_eligible',
  'no_spread',
  'estimated',
  'price_below_60',
  'maturity_below_1_year',
  'outside_tenors',
  'beyond_3_sigma',
  'outside_range',
  'far_from_issuer_median',
] as const

export type Rejection = (typeof REJECTIONS)[number]

const codeOf = (rejection: Rejection) => REJECTIONS.indexOf(rejection)
const NOT_ELIGIBLE = codeOf('not_eligible')
const NO_SPREAD = codeOf('no_spread')
const ESTIMATED = codeOf('estimated')
const PRICE_BELOW_60 = codeOf('price_below_60')
const MATURITY_BELOW_1_YEAR = codeOf('maturity_below_1_year')
const OUTSIDE_TENORS = codeOf('outside_tenors')
const BEYOND_3_SIGMA = codeOf('beyond_3_sigma')
const OUTSIDE_RANGE = codeOf('outside_range')
const FAR_FROM_ISSUER_MEDIAN = codeOf('far_from_issuer_median')

/** One row per bond and day, sorted by ticker, then day. */
export type SpreadRows = {
  /** A code that changes where the ticker changes. */
  ticker: Int32Array
  day: Int32Array
  remainingYears: Float64Array
  /** To the interpolated curve; NaN if there is none. */
  spreadBps: Float64Array
  /** Clean, per 100 par. */
  price?: Float64Array
  isEstimated?: Uint8Array
  /** 1 for fixed-rate senior unsecured bonds; if absent, all are. */
  isEligible?: Uint8Array
  tradeCount?: Int32Array
}

/** One row per ticker, day and tenor with a spread, in input order, tenors ascending. */
export type SpreadSeries = {
  ticker: Int32Array
  day: Int32Array
  /** Index in TENORS. */
  tenor: Uint8Array
  /** Exact in tenths. */
  spreadBps: Float64Array
  bondCount: Int32Array
  tradeCount: Int32Array
  /** Input rows that are in no spread, and why: an index in REJECTIONS. */
  rejectedRow: Int32Array
  rejectedReason: Uint8Array
  /** For each input row, the output row it is part of, or -1. */
  outputOfRow: Int32Array
}

/** Step 2: index in TENORS for the remaining years, or -1. */
export function tenorOf(years: number): number {
  if (!(years >= 1 && years <= 12)) return -1
  if (years < 4) return years < 2 ? 0 : 1
  return years < 6 ? 2 : years < 8.5 ? 3 : 4
}

/** Steps 1 and 3: the code of the reason why a row is excluded, 0 if it is not. */
function qualityOf(rows: SpreadRows, i: number): number {
  if (rows.isEligible && !rows.isEligible[i]) return NOT_ELIGIBLE
  if (rows.isEstimated?.[i]) return ESTIMATED
  if (rows.price && !(rows.price[i]! >= LOWEST_PRICE)) return PRICE_BELOW_60
  if (rows.remainingYears[i]! < 1) return MATURITY_BELOW_1_YEAR
  if (tenorOf(rows.remainingYears[i]!) < 0) return OUTSIDE_TENORS
  return Number.isFinite(rows.spreadBps[i]!) ? 0 : NO_SPREAD
}

/**
 * Step 4 in groups of four or more: true if the value differs from the mean of the others by more than three of their
 * (sample) standard deviations. `mean` is that of all `n`, `squares` the sum of squared deviations from it.
 */
export function isBeyondSigmas(value: number, n: number, mean: number, squares: number): boolean {
  const others = n - 1
  const distance = value - mean
  const around = Math.max(0, squares - distance * distance - (distance * distance) / others)
  const deviation = Math.max(LEAST_DEVIATION_BPS, Math.sqrt(around / (others - 1)))
  return Math.abs(distance + distance / others) > SIGMAS * deviation
}

/** Step 4 in smaller groups: 0, or the code of the bound that a spread violates. */
function rangeOf(bps: number, issuerMedian: number): number {
  if (bps < LOWEST_SPREAD_BPS || bps > HIGHEST_SPREAD_BPS) return OUTSIDE_RANGE
  return Math.abs(bps - issuerMedian) > FURTHEST_FROM_MEDIAN_BPS ? FAR_FROM_ISSUER_MEDIAN : 0
}

/** Step 5: the median of the first `n` values, which are sorted in place. */
export function medianOf(values: Float64Array, n: number): number {
  if (n > 32) values.subarray(0, n).sort()
  else
    for (let i = 1; i < n; i++) {
      const value = values[i]!
      let at = i
      for (; at > 0 && values[at - 1]! > value; at--) values[at] = values[at - 1]!
      values[at] = value
    }
  const half = n >> 1
  return n % 2 === 1 ? values[half]! : (values[half - 1]! + values[half]!) / 2
}

/** The reported value: floored at -200 and rounded to a tenth of a basis point. */
export const reportedBps = (median: number): number =>
  Math.max(LOWEST_SPREAD_BPS, Math.round(median * 10) / 10)

/** The five steps over rows sorted by ticker and day, in one pass; each day uses only its own prices. */
// Over 80 lines: one pass over typed columns, whose counters and buffers all steps share.
export function spreadSeries(rows: SpreadRows): SpreadSeries {
  const { ticker, day, remainingYears, spreadBps } = rows
  const n = ticker.length
  const reason = new Uint8Array(n)
  const outputOfRow = new Int32Array(n).fill(-1)
  const out = {
    ticker: new Int32Array(n),
    day: new Int32Array(n),
    tenor: new Uint8Array(n),
    spreadBps: new Float64Array(n),
    bondCount: new Int32Array(n),
    tradeCount: new Int32Array(n),
  }
  let outputs = 0
  let rejected = 0
  let values = new Float64Array(64)
  const tenorOfRow = new Int8Array(n)

  for (let start = 0, end = 0; start < n; start = end) {
    for (end = start; end < n && ticker[end] === ticker[start] && day[end] === day[start]; end++);
    if (start > 0 && isBefore(rows, start))
      throw new RangeError('spread rows must be sorted by ticker and day')
    if (end - start > values.length) values = new Float64Array(2 * (end - start))

    let issuerCount = 0
    let tenorsSeen = 0
    for (let i = start; i < end; i++) {
      reason[i] = qualityOf(rows, i)
      tenorOfRow[i] = reason[i] === 0 ? tenorOf(remainingYears[i]!) : -1
      if (reason[i] !== 0) continue
      values[issuerCount++] = spreadBps[i]!
      tenorsSeen |= 1 << tenorOfRow[i]!
    }
    const issuerMedian = issuerCount > 0 ? medianOf(values, issuerCount) : 0

    for (let tenor = 0; tenor < TENORS.length; tenor++) {
      if (!(tenorsSeen & (1 << tenor))) continue
      let size = 0
      let sum = 0
      for (let i = start; i < end; i++)
        if (tenorOfRow[i] === tenor) {
          size++
          sum += spreadBps[i]!
        }
      const mean = sum / size
      let squares = 0
      if (size >= SMALLEST_SIGMA_GROUP)
        for (let i = start; i < end; i++) if (tenorOfRow[i] === tenor) squares += (spreadBps[i]! - mean) ** 2

      let used = 0
      let trades = 0
      for (let i = start; i < end; i++) {
        if (tenorOfRow[i] !== tenor) continue
        const bps = spreadBps[i]!
        if (size < SMALLEST_SIGMA_GROUP) reason[i] = rangeOf(bps, issuerMedian)
        else if (isBeyondSigmas(bps, size, mean, squares)) reason[i] = BEYOND_3_SIGMA
        if (reason[i] !== 0) continue
        values[used++] = bps
        trades += rows.tradeCount?.[i] ?? 0
        outputOfRow[i] = outputs
      }
      if (used === 0) continue
      out.ticker[outputs] = ticker[start]!
      out.day[outputs] = day[start]!
      out.tenor[outputs] = tenor
      out.spreadBps[outputs] = reportedBps(medianOf(values, used))
      out.bondCount[outputs] = used
      out.tradeCount[outputs] = trades
      outputs++
    }
    for (let i = start; i < end; i++) if (reason[i] !== 0) rejected++
  }

  const rejectedRow = new Int32Array(rejected)
  const rejectedReason = new Uint8Array(rejected)
  for (let i = 0, at = 0; i < n; i++)
    if (reason[i] !== 0) {
      rejectedRow[at] = i
      rejectedReason[at++] = reason[i]!
    }
  return {
    ticker: out.ticker.slice(0, outputs),
    day: out.day.slice(0, outputs),
    tenor: out.tenor.slice(0, outputs),
    spreadBps: out.spreadBps.slice(0, outputs),
    bondCount: out.bondCount.slice(0, outputs),
    tradeCount: out.tradeCount.slice(0, outputs),
    rejectedRow,
    rejectedReason,
    outputOfRow,
  }
}

/** Whether a row's ticker or day is below that of the row before. */
function isBefore({ ticker, day }: { ticker: Int32Array; day: Int32Array }, i: number): boolean {
  if (ticker[i]! !== ticker[i - 1]!) return ticker[i]! < ticker[i - 1]!
  return (day[i] as Day) < (day[i - 1] as Day)
}
