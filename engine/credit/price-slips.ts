// Indices below are within bounds by construction: checks would cost in the loops.

import type { Day } from './calendar.ts'

/** Bond prices, one row per observation, sorted by bond, day and time of day. */
export type PriceRows = {
  /** A code that changes where the bond changes. */
  bond: Int32Array
  day: Int32Array
  /** Percent of par, above 0. */
  price: Float64Array
  /** 1 if the bond is known to be in default, so a price near zero is no slip. */
  isDefaulted: Uint8Array
}

/** The reference price of each slip, by row: NaN and NO_REFERENCE for rows that are not slips. */
export type Slips = { factor: Float64Array; reference: Float64Array; referenceDay: Int32Array }

export const NO_REFERENCE = -2_147_483_648

/**
 * A price is a slip if it is a power of ten of its reference to within this share of a decade (about a quarter either
 * way).
 */
const SHARE_OF_DECADE = 0.1
/** A doubted price level is accepted once it has been seen on this many days. */
const DAYS_BELIEVED = 3
/** An earlier price is a reference for at most this many days. */
const OLDEST_NEIGHBOUR_DAYS = 366
/** A first price below these bounds is read as a fraction of par, above them as ten times a price. */
const [LEAST_FIRST, MOST_FIRST] = [1.6, 400]

/** The power of ten, from -3 to 3, by which a price is off its reference; 0 if it is not off by one. */
export function decadesOff(price: number, neighbour: number): number {
  const decades = Math.log10(price / neighbour)
  const power = Math.round(decades)
  return Math.abs(power) <= 3 && Math.abs(decades - power) <= SHARE_OF_DECADE ? power : 0
}

/**
 * Finds prices 10, 100 or 1,000 times too high or low: cents for dollars, fractions of par for percent. A price is
 * compared with the bond's last good one, else with the median of three or more prices of its own day, else with par;
 * never with a later day.
 */
export function priceSlips(rows: PriceRows): Slips {
  const { bond, day, price } = rows
  const n = bond.length
  const found: Slips = {
    factor: new Float64Array(n).fill(Number.NaN),
    reference: new Float64Array(n).fill(Number.NaN),
    referenceDay: new Int32Array(n).fill(NO_REFERENCE),
  }
  let good: { price: number; day: Day } | null = null
  let doubted: { price: number; day: Day }[] = []
  for (let start = 0, end = 0; start < n; start = end) {
    for (end = start; end < n && bond[end] === bond[start] && day[end] === day[start]; end++);
    if (start > 0 && bond[start] !== bond[start - 1]) {
      good = null
      doubted = []
    }
    const today = day[start]!
    const prices = price.subarray(start, end)
    const neighbour = neighbourOf(good, prices, today, rows.isDefaulted[start] === 1)
    const fine: number[] = []
    for (let i = start; i < end; i++) {
      const power = neighbour === null ? 0 : powerAgainst(price[i]!, neighbour)
      const isBelieved = power !== 0 && daysAlike(doubted, price[i]!, today) >= DAYS_BELIEVED - 1
      if (power === 0 || isBelieved) {
        fine.push(price[i]!)
        continue
      }
      found.factor[i] = 10 ** power
      found.reference[i] = neighbour!.price
      found.referenceDay[i] = neighbour!.day ?? NO_REFERENCE
      doubted.push({ price: price[i]!, day: today })
    }
    if (fine.length === 0) continue
    good = { price: medianOf(fine), day: today }
    doubted = []
  }
  return found
}

type Neighbour = { price: number; day: Day | null }

function neighbourOf(
  good: { price: number; day: Day } | null,
  prices: Float64Array,
  today: Day,
  isDefaulted: boolean,
): Neighbour | null {
  if (good !== null && today - good.day <= OLDEST_NEIGHBOUR_DAYS) return good
  if (prices.length >= 3) return { price: medianOf([...prices]), day: today }
  return isDefaulted ? null : { price: 100, day: null }
}

/** Compared with par, only impossible prices are slips: distressed bonds do trade at a tenth of par. */
function powerAgainst(price: number, neighbour: Neighbour): number {
  if (neighbour.day !== null) return decadesOff(price, neighbour.price)
  return price <= LEAST_FIRST ? -2 : price >= MOST_FIRST ? 1 : 0
}

const daysAlike = (doubted: readonly { price: number; day: Day }[], price: number, today: Day): number =>
  new Set(
    doubted
      .filter(d => d.day < today && Math.abs(Math.log10(d.price / price)) <= SHARE_OF_DECADE)
      .map(d => d.day),
  ).size

function medianOf(values: number[]): number {
  values.sort((a, b) => a - b)
  const half = values.length >> 1
  return values.length % 2 === 1 ? values[half]! : (values[half - 1]! + values[half]!) / 2
}
