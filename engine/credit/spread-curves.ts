// Indices below are within bounds by construction: checks would cost in the loops.

import { CURVE_LEVELS, type CurveLevel, FEWEST_OF_GROUP, FEWEST_OF_MARKET } from './curve-rules.ts'
import {
  type CurveFit,
  CurveFitter,
  type NelsonSiegel,
  type Prior,
  slopeLoading,
  spreadAt,
} from './nelson-siegel.ts'
import { medianOf } from './spread-series.ts'

/** Fewest bonds of a group that searches a tau of its own. */
export const FEWEST_FOR_TAU = 10

/**
 * How many bonds the parent's curve weighs in a group's fit: its level, its slope and its hump. Issuers differ from each
 * other far more than the bonds of one issuer do, so a tenth of a bond is best for them (scripts/curve-errors).
 */
const PARENT_WEIGHTS: Readonly<Record<CurveLevel, Prior['weight']>> = {
  market: [0, 0.001, 0.001],
  rating: [1, 1, 1],
  sector_rating: [1, 1, 1],
  issuer: [0.1, 0.1, 0.1],
}

/** Where the search for the market's tau starts. */
const START_TAU = 3

/**
 * Groups as a tree: group 0 is the market, parents come before their children. `level` is an index in CURVE_LEVELS.
 */
export type CurveTree = { parent: Int32Array; level: Uint8Array }

/** Bonds by column; `group` is the smallest group of a bond. Only those with `isFitted` shape curves. */
export type CurveBonds = {
  years: Float64Array
  bps: Float64Array
  group: Int32Array
  isFitted: Uint8Array
}

/** Curves of all groups by column. A group with too few bonds has its parent's curve. */
export type SpreadCurves = {
  beta0: Float64Array
  beta1: Float64Array
  beta2: Float64Array
  tau: Float64Array
  /** Bonds that the group has for its fit. */
  bondCount: Int32Array
  /** The group whose curve it is: itself, or the nearest ancestor with enough bonds; -1 if none has. */
  curveOf: Int32Array
  /** Weight of the parent in the level of the curve: 1 where the curve is the parent's, 0 for the market. */
  shrinkage: Float64Array
  /** Root mean square of the residuals of its bonds, basis points; NaN without bonds or a curve. */
  rmse: Float64Array
  /** Robust scale of the residuals, basis points: the median absolute one times 1.4826, at least 5. */
  scale: Float64Array
  /** Bonds whose residual is so large that they count less than half. */
  outlierCount: Int32Array
  /**
   * By bond: its leverage on the curve it is measured against; 0 for bonds that shape no curve. A residual over one
   * less the leverage is that to the curve fitted without the bond, to the second order.
   */
  leverage: Float64Array
  /** Least and greatest remaining years of its bonds. */
  minYears: Float64Array
  maxYears: Float64Array
}

/**
 * Fits the curves of all groups, parents first: a group's fit is drawn towards its parent's curve by
 * `PARENT_WEIGHTS`. One pass over columns; no row objects.
 */
export function spreadCurves(
  bonds: CurveBonds,
  { parent, level }: CurveTree,
  fewestOfGroup = FEWEST_OF_GROUP,
): SpreadCurves {
  const groups = parent.length
  const curves = emptyCurves(groups, bonds.years.length)
  const { start, member } = membersOf(bonds, parent)
  const years = new Float64Array(member.length)
  const bps = new Float64Array(member.length)
  const fitter = new CurveFitter()
  for (let g = 0; g < groups; g++) {
    const size = start[g + 1]! - start[g]!
    curves.bondCount[g] = size
    gather(bonds, member, start[g]!, size, years, bps)
    const kind = CURVE_LEVELS[level[g]!]!
    const above = parent[g]!
    const fewest = kind === 'market' ? FEWEST_OF_MARKET : fewestOfGroup
    if (size < fewest || (above >= 0 && curves.curveOf[above]! < 0)) {
      inherit(curves, g, above)
    } else {
      const curve = above < 0 ? flat(bps, size) : curveAt(curves, above)
      const prior = { curve, weight: PARENT_WEIGHTS[kind], ownTau: size >= FEWEST_FOR_TAU }
      const fit = fitter.fit({ years, bps, size }, prior)
      keep(curves, g, fit, prior)
      // Children come later, so that a bond keeps the leverage of the smallest group with a curve.
      for (let i = 0; i < size; i++) curves.leverage[member[start[g]! + i]!] = fit.leverage[i]!
    }
    measure(curves, g, years, bps, size)
  }
  return curves
}

/** The curve of a group; null where neither it nor an ancestor has enough bonds. */
export const curveOfGroup = (curves: SpreadCurves, group: number): NelsonSiegel | null =>
  curves.curveOf[group]! < 0 ? null : curveAt(curves, group)

/**
 * The residual of every bond in basis points to the smallest curve it is in; NaN without one. That of a bond that shapes
 * the curve is to the curve without it: else a bond of an issuer of two would hide half of what it is off.
 */
export function residuals(curves: SpreadCurves, { years, bps, group }: CurveBonds): Float64Array {
  const residual = new Float64Array(years.length)
  const { beta0, beta1, beta2, tau, curveOf, leverage } = curves
  for (let i = 0; i < years.length; i++) {
    const g = group[i]!
    const slope = slopeLoading(years[i]!, tau[g]!)
    const hump = slope - Math.exp(-years[i]! / tau[g]!)
    const fitted = beta0[g]! + beta1[g]! * slope + beta2[g]! * hump
    residual[i] = curveOf[g]! < 0 ? Number.NaN : (bps[i]! - fitted) / (1 - leverage[i]!)
  }
  return residual
}

const curveAt = ({ beta0, beta1, beta2, tau }: SpreadCurves, g: number): NelsonSiegel => ({
  beta0: beta0[g]!,
  beta1: beta1[g]!,
  beta2: beta2[g]!,
  tau: tau[g]!,
})

function emptyCurves(groups: number, bonds: number): SpreadCurves {
  const numbers = () => new Float64Array(groups).fill(Number.NaN)
  return {
    beta0: numbers(),
    beta1: numbers(),
    beta2: numbers(),
    tau: numbers(),
    bondCount: new Int32Array(groups),
    curveOf: new Int32Array(groups).fill(-1),
    shrinkage: numbers(),
    rmse: numbers(),
    scale: numbers(),
    outlierCount: new Int32Array(groups),
    leverage: new Float64Array(bonds),
    minYears: numbers(),
    maxYears: numbers(),
  }
}

/** The fitted bonds of every group and its descendants: those of group g are `member[start[g]]` to `member[start[g + 1]]`. */
function membersOf({ group, isFitted }: CurveBonds, parent: Int32Array) {
  const start = new Int32Array(parent.length + 1)
  for (let i = 0; i < group.length; i++)
    if (isFitted[i]) for (let g = group[i]!; g >= 0; g = parent[g]!) start[g + 1]!++
  for (let g = 0; g < parent.length; g++) start[g + 1]! += start[g]!
  const member = new Int32Array(start[parent.length]!)
  const next = start.slice()
  for (let i = 0; i < group.length; i++)
    if (isFitted[i]) for (let g = group[i]!; g >= 0; g = parent[g]!) member[next[g]!++] = i
  return { start, member }
}

/** Copies the maturities and spreads of a group's bonds into the buffers. */
function gather(
  bonds: CurveBonds,
  member: Int32Array,
  from: number,
  size: number,
  years: Float64Array,
  bps: Float64Array,
): void {
  for (let i = 0; i < size; i++) {
    const bond = member[from + i]!
    years[i] = bonds.years[bond]!
    bps[i] = bonds.bps[bond]!
  }
}

/** The market's start: a flat curve at the median. */
const flat = (bps: Float64Array, size: number): NelsonSiegel => ({
  beta0: medianOf(bps.slice(0, size), size),
  beta1: 0,
  beta2: 0,
  tau: START_TAU,
})

function inherit(curves: SpreadCurves, g: number, above: number): void {
  if (above < 0 || curves.curveOf[above]! < 0) return
  for (const column of [curves.beta0, curves.beta1, curves.beta2, curves.tau, curves.scale])
    column[g] = column[above]!
  curves.curveOf[g] = curves.curveOf[above]!
  curves.shrinkage[g] = 1
}

function keep(curves: SpreadCurves, g: number, { curve, weights, scale }: CurveFit, { weight }: Prior): void {
  curves.beta0[g] = curve.beta0
  curves.beta1[g] = curve.beta1
  curves.beta2[g] = curve.beta2
  curves.tau[g] = curve.tau
  curves.curveOf[g] = g
  curves.scale[g] = scale
  let total = 0
  let outliers = 0
  for (const w of weights) {
    total += w
    if (w < 0.5) outliers++
  }
  curves.shrinkage[g] = weight[0] / (total + weight[0])
  curves.outlierCount[g] = outliers
}

/** The range of maturities of a group's bonds, and their distance from its curve. */
function measure(
  curves: SpreadCurves,
  g: number,
  years: Float64Array,
  bps: Float64Array,
  size: number,
): void {
  if (size === 0) return
  const curve = curveOfGroup(curves, g)
  let [least, most, squares] = [Number.POSITIVE_INFINITY, 0, 0]
  for (let i = 0; i < size; i++) {
    const t = years[i]!
    if (t < least) least = t
    if (t > most) most = t
    if (curve) squares += (bps[i]! - spreadAt(curve, t)) ** 2
  }
  curves.minYears[g] = least
  curves.maxYears[g] = most
  if (curve) curves.rmse[g] = Math.sqrt(squares / size)
}
