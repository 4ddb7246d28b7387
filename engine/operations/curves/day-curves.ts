// Indices below are within bounds by construction: checks would cost in the loops.

import type { CurveHistory } from '../../credit/curve-history.ts'
import { CURVE_LEVELS, LONGEST_YEARS, SHORTEST_YEARS } from '../../credit/curve-rules.ts'
import {
  type CurveBonds,
  type CurveTree,
  residuals,
  type SpreadCurves,
  spreadCurves,
} from '../../credit/spread-curves.ts'
import { LOWEST_PRICE } from '../../credit/spread-series.ts'
import type { notFittedReasons } from '../../schema/resources/relative-value.ts'
import { ratingBuckets } from '../../schema/vocabulary.ts'
import type { PricedBonds, Prices } from './priced-bonds.ts'
import { UNRATED } from './rating-days.ts'

type NotFitted = (typeof notFittedReasons)[number]

/** Why a bond shapes no curve, by code; 0 for a bond that does. */
export const NOT_FITTED: readonly (NotFitted | null)[] = [
  null,
  'stale_price',
  'no_spread',
  'outside_maturities',
  'not_fixed',
  'sinking',
  'secured',
  'subordinated',
  'estimated',
  'price_below_60',
]
const code = (reason: NotFitted) => NOT_FITTED.indexOf(reason)
const STALE_PRICE = code('stale_price')
const NO_SPREAD = code('no_spread')
const OUTSIDE_MATURITIES = code('outside_maturities')
const ESTIMATED = code('estimated')
const PRICE_BELOW_60 = code('price_below_60')

/** The codes of bonds that cannot be measured against a curve either. */
export const LAST_WITHOUT_RESIDUAL = OUTSIDE_MATURITIES

/** Why a bond's terms keep it out of curves, by bond: only senior unsecured fixed-rate bullets are alike. */
export function unlikeTerms({ size, texts }: PricedBonds): Uint8Array {
  const codes = new Uint8Array(size)
  for (let i = 0; i < size; i++) {
    const [structure, seniority] = [texts.rate_structure[i], texts.seniority[i]]
    if (structure !== 'fixed' && structure !== 'zero') codes[i] = code('not_fixed')
    else if (texts.sinking[i]) codes[i] = code('sinking')
    else if (seniority === 'senior_secured') codes[i] = code('secured')
    else if (seniority === 'subordinated') codes[i] = code('subordinated')
  }
  return codes
}

/** The curves of a day with the prices behind them; arrays are by position in `prices`, as are those of `bonds`. */
export interface DayCurves {
  readonly tree: CurveTree
  /** The code of a group's issuer (company), cell (sector x buckets + bucket) or bucket; 0 for the market. */
  readonly key: Int32Array
  readonly curves: SpreadCurves
  readonly bonds: CurveBonds
  /** A code in NOT_FITTED. */
  readonly notFitted: Uint8Array
  /** The bond's cell of sector and rating; -1 without a sector. */
  readonly cell: Int32Array
  readonly buckets: Uint8Array
  /** To the curve without the bond; NaN where there is none. */
  readonly residual: Float64Array
}

/** Cells of a sector: one a rating bucket, and one of bonds without. */
export const CELLS_OF_SECTOR = ratingBuckets.length + 1

/** What all days of an answer share. */
export interface CurveInputs {
  readonly bonds: PricedBonds
  readonly unlike: Uint8Array
  readonly treasury: CurveHistory
}

/** Fits the curves of a day from prices on it or within `maxStaleness` days before it. */
export function dayCurves(
  { bonds, unlike, treasury }: CurveInputs,
  prices: Prices,
  buckets: Uint8Array,
  { day, maxStaleness }: { day: number; maxStaleness: number },
): DayCurves {
  const { size } = prices
  const bps = new Float64Array(size)
  const isFitted = new Uint8Array(size)
  const notFitted = new Uint8Array(size)
  for (let i = 0; i < size; i++) {
    const par = treasury.interpolateAt(prices.day[i]!, prices.years[i]!)
    bps[i] = (prices.ytm[i]! - par) * 100
    notFitted[i] = reasonOf(prices, unlike, bps, i, day - maxStaleness)
    isFitted[i] = notFitted[i] === 0 ? 1 : 0
  }
  const { tree, key, group, cell } = treeOf(bonds, prices, buckets, notFitted)
  const curveBonds = { years: prices.years, bps, group, isFitted }
  const curves = spreadCurves(curveBonds, tree)
  const residual = residuals(curves, curveBonds)
  for (let i = 0; i < size; i++)
    if (notFitted[i] !== 0 && notFitted[i]! <= LAST_WITHOUT_RESIDUAL) residual[i] = Number.NaN
  return { tree, key, curves, bonds: curveBonds, notFitted, cell, buckets, residual }
}

function reasonOf(prices: Prices, unlike: Uint8Array, bps: Float64Array, i: number, oldest: number): number {
  const years = prices.years[i]!
  if (prices.day[i]! < oldest) return STALE_PRICE
  if (Number.isNaN(bps[i]!)) return NO_SPREAD
  if (!(years >= SHORTEST_YEARS && years <= LONGEST_YEARS)) return OUTSIDE_MATURITIES
  if (unlike[prices.bond[i]!]! !== 0) return unlike[prices.bond[i]!]!
  if (prices.isEstimated[i] === 1) return ESTIMATED
  return prices.price[i]! >= LOWEST_PRICE ? 0 : PRICE_BELOW_60
}

const [MARKET, RATING, SECTOR_RATING, ISSUER] = CURVE_LEVELS.keys() as unknown as [
  number,
  number,
  number,
  number,
]

/** The tree of groups that measured bonds are in, and the smallest group and the cell of every price. */
function treeOf(bonds: PricedBonds, prices: Prices, buckets: Uint8Array, notFitted: Uint8Array) {
  const { size } = prices
  const ratings = new Int32Array(CELLS_OF_SECTOR).fill(-1)
  const cells = new Int32Array(bonds.sectors.length * CELLS_OF_SECTOR).fill(-1)
  const issuers = new Int32Array(bonds.companyIds.length).fill(-1)
  const cell = new Int32Array(size).fill(-1)
  const bucketOf = (company: number) => (company < 0 ? UNRATED : buckets[company]!)
  const cellOf = (sector: number, bucket: number) => (sector < 0 ? -1 : sector * CELLS_OF_SECTOR + bucket)
  for (let i = 0; i < size; i++) {
    const bond = prices.bond[i]!
    const company = bonds.company[bond]!
    const bucket = bucketOf(company)
    const sector = company < 0 ? bonds.sectorOfBond[bond]! : bonds.sectorOfCompany[company]!
    cell[i] = cellOf(sector, bucket)
    if (notFitted[i] !== 0 && notFitted[i]! <= LAST_WITHOUT_RESIDUAL) continue
    ratings[bucket] = 0
    if (cell[i]! >= 0) cells[cell[i]!] = 0
    if (company >= 0) issuers[company] = 0
  }
  const parent: number[] = [-1]
  const level: number[] = [MARKET]
  const key: number[] = [0]
  const number = (seen: Int32Array, kind: number, parentOf: (code: number) => number) => {
    for (let code = 0; code < seen.length; code++) {
      if (seen[code]! < 0) continue
      seen[code] = parent.length
      parent.push(parentOf(code))
      level.push(kind)
      key.push(code)
    }
  }
  number(ratings, RATING, () => 0)
  number(cells, SECTOR_RATING, code => ratings[code % CELLS_OF_SECTOR]!)
  number(issuers, ISSUER, company => {
    const own = cellOf(bonds.sectorOfCompany[company]!, bucketOf(company))
    return own < 0 ? ratings[bucketOf(company)]! : cells[own]!
  })
  const group = new Int32Array(size)
  for (let i = 0; i < size; i++) {
    const company = bonds.company[prices.bond[i]!]!
    const smallest =
      company >= 0 ? issuers[company]! : cell[i]! >= 0 ? cells[cell[i]!]! : ratings[bucketOf(company)]!
    // A price that is not measured may be of a group that no measured one is in.
    group[i] = Math.max(0, smallest)
  }
  return {
    tree: { parent: Int32Array.from(parent), level: Uint8Array.from(level) },
    key: Int32Array.from(key),
    group,
    cell,
  }
}
