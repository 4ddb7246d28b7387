// Indices below are within bounds by construction: checks would cost in the loops.

import { medianOf } from './spread-series.ts'

/**
 * A Nelson-Siegel curve of spreads: `beta0` is the level, `beta0 + beta1` the limit at maturity zero, `beta2` the hump,
 * all in basis points; `tau`, in years, is where slope and hump decay.
 */
export type NelsonSiegel = { beta0: number; beta1: number; beta2: number; tau: number }

/** Bounds of tau in years, and the grid on which its search starts: about evenly spaced in logarithms. */
export const TAUS = [0.75, 1, 1.5, 2, 3, 4, 6, 8, 12] as const
/** Steps of the golden-section search between the neighbours of the best grid point. */
const SECTION_STEPS = 12
const SECTION = (Math.sqrt(5) - 1) / 2

/** Huber's constant: 95% efficiency on normal residuals. Beyond so many scales a residual counts linearly. */
export const HUBER = 1.345
/** Lower bound of the scale of residuals: else nearly identical bonds would shut out one a few basis points away. */
export const LEAST_SCALE_BPS = 5
/** A median absolute deviation times this estimates a standard deviation. */
const MAD_TO_SIGMA = 1.4826
const MAX_REWEIGHTINGS = 30
const CONVERGED_BPS = 1e-4
/** Searches for tau, each under the weights of the one before, until it moves by less than this share. */
const MAX_SEARCHES = 4
const TAU_CONVERGED = 0.01

/** The loading of the slope at a maturity: (1 - e^-x) / x with x = years / tau; 1 at maturity zero. */
export function slopeLoading(years: number, tau: number): number {
  const x = years / tau
  return x < 1e-8 ? 1 : -Math.expm1(-x) / x
}

/** The curve's spread in basis points at a maturity in years. */
export function spreadAt({ beta0, beta1, beta2, tau }: NelsonSiegel, years: number): number {
  const slope = slopeLoading(years, tau)
  return beta0 + beta1 * slope + beta2 * (slope - Math.exp(-years / tau))
}

/** A curve towards which a fit is drawn. */
export type Prior = {
  curve: NelsonSiegel
  /** How many bonds the prior's level, slope and hump weigh. */
  weight: readonly [number, number, number]
  /** Whether the fit searches a tau of its own; else it keeps the prior's. */
  ownTau: boolean
}

/** Bonds of one curve. Only the first `size` elements count. */
export type CurvePoints = { years: Float64Array; bps: Float64Array; size: number }

/**
 * The fitted curve; Huber weights of its bonds, 1 for those within `HUBER` scales, and that scale in basis points; and
 * the leverage of its bonds: by how much of a basis point the curve moves at a bond's maturity when its spread moves by one.
 */
export type CurveFit = {
  curve: NelsonSiegel
  weights: Float64Array
  leverage: Float64Array
  scale: number
}

/**
 * Fits curves by iteratively reweighted least squares: for a tau the betas minimise the Huber loss of the residuals plus
 * the squared distance from the prior's betas, each counted as many bonds as the prior weighs. Tau minimises that sum
 * on a grid and then between the neighbours of its best point. Buffers are reused from fit to fit.
 */
export class CurveFitter {
  #slope = new Float64Array(0)
  #hump = new Float64Array(0)
  #residual = new Float64Array(0)
  #scratch = new Float64Array(0)
  #weights = new Float64Array(0)
  #leverage = new Float64Array(0)
  /** The solved betas. */
  readonly #beta = new Float64Array(3)
  /** The upper triangle of the normal equations, by row. */
  readonly #matrix = new Float64Array(6)
  /** The prior's betas for the tau in hand. */
  readonly #mean = new Float64Array(3)

  /** The arrays of the answer are overwritten by the next fit. */
  fit({ years, bps, size }: CurvePoints, prior: Prior): CurveFit {
    this.#reserve(size)
    let tau = prior.curve.tau
    this.#load(years, size, tau)
    this.#setMean(prior, tau)
    this.#startAtMedian(years, bps, size, prior.curve)
    let scale = this.#reweighted(bps, size, prior)
    for (let round = 0; prior.ownTau && round < MAX_SEARCHES; round++) {
      const before = tau
      tau = this.#bestTau(years, bps, size, prior)
      this.#load(years, size, tau)
      this.#setMean(prior, tau)
      this.#solve(bps, size, prior)
      scale = this.#reweighted(bps, size, prior)
      if (Math.abs(tau - before) < TAU_CONVERGED * tau) break
    }
    const [beta0, beta1, beta2] = this.#beta as unknown as [number, number, number]
    this.#setLeverage(size, prior)
    return {
      curve: { beta0, beta1, beta2, tau },
      weights: this.#weights.subarray(0, size),
      leverage: this.#leverage.subarray(0, size),
      scale,
    }
  }

  /** The diagonal of the hat matrix: weight x loadings' (loadings' weights loadings + prior)^-1 loadings. */
  #setLeverage(size: number, { weight }: Prior): void {
    const a = this.#normalMatrix(size, weight)
    const [c0, c1, c2] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)]
    solve3(a, 1, 0, 0, c0)
    solve3(a, 0, 1, 0, c1)
    solve3(a, 0, 0, 1, c2)
    for (let i = 0; i < size; i++) {
      const slope = this.#slope[i]!
      const hump = this.#hump[i]!
      this.#leverage[i] =
        this.#weights[i]! *
        (c0[0]! +
          slope * (2 * c0[1]! + slope * c1[1]! + 2 * hump * c1[2]!) +
          hump * (2 * c0[2]! + hump * c2[2]!))
    }
  }

  #reserve(size: number): void {
    if (size <= this.#weights.length) return
    const room = 2 * size
    this.#slope = new Float64Array(room)
    this.#hump = new Float64Array(room)
    this.#residual = new Float64Array(room)
    this.#scratch = new Float64Array(room)
    this.#weights = new Float64Array(room)
    this.#leverage = new Float64Array(room)
  }

  /** Loadings of every bond under a tau. */
  #load(years: Float64Array, size: number, tau: number): void {
    for (let i = 0; i < size; i++) {
      const decay = Math.exp(-years[i]! / tau)
      const slope = slopeLoading(years[i]!, tau)
      this.#slope[i] = slope
      this.#hump[i] = slope - decay
    }
  }

  /** The prior's betas under a tau: its own, or those nearest to its curve at the maturities of `PROJECTED`. */
  #setMean({ curve }: Prior, tau: number): void {
    const { beta0, beta1, beta2 } = tau === curve.tau ? curve : projected(curve, tau)
    this.#mean[0] = beta0
    this.#mean[1] = beta1
    this.#mean[2] = beta2
  }

  /** The prior shifted by the median distance of the bonds: a start that half the bonds may be wrong about. */
  #startAtMedian(years: Float64Array, bps: Float64Array, size: number, curve: NelsonSiegel): void {
    for (let i = 0; i < size; i++) this.#scratch[i] = bps[i]! - spreadAt(curve, years[i]!)
    const shift = medianOf(this.#scratch, size)
    for (let j = 0; j < 3; j++) this.#beta[j] = this.#mean[j]! + (j === 0 ? shift : 0)
  }

  /** Weights and betas in turn until the betas stand still; the last scale. */
  #reweighted(bps: Float64Array, size: number, prior: Prior): number {
    let scale = LEAST_SCALE_BPS
    for (let step = 0; step < MAX_REWEIGHTINGS; step++) {
      const [b0, b1, b2] = [this.#beta[0]!, this.#beta[1]!, this.#beta[2]!]
      for (let i = 0; i < size; i++) {
        const residual = bps[i]! - b0 - b1 * this.#slope[i]! - b2 * this.#hump[i]!
        this.#residual[i] = residual
        this.#scratch[i] = Math.abs(residual)
      }
      scale = Math.max(LEAST_SCALE_BPS, MAD_TO_SIGMA * medianOf(this.#scratch, size))
      const most = HUBER * scale
      for (let i = 0; i < size; i++) {
        const distance = Math.abs(this.#residual[i]!)
        this.#weights[i] = distance <= most ? 1 : most / distance
      }
      this.#solve(bps, size, prior)
      const moved =
        Math.abs(this.#beta[0]! - b0) + Math.abs(this.#beta[1]! - b1) + Math.abs(this.#beta[2]! - b2)
      if (moved < CONVERGED_BPS) break
    }
    return scale
  }

  /** Betas by weighted least squares with the prior, under the current weights and loadings. */
  #solve(bps: Float64Array, size: number, { weight }: Prior): void {
    let c0 = weight[0] * this.#mean[0]!
    let c1 = weight[1] * this.#mean[1]!
    let c2 = weight[2] * this.#mean[2]!
    for (let i = 0; i < size; i++) {
      const wy = this.#weights[i]! * bps[i]!
      c0 += wy
      c1 += wy * this.#slope[i]!
      c2 += wy * this.#hump[i]!
    }
    solve3(this.#normalMatrix(size, weight), c0, c1, c2, this.#beta)
  }

  /** The weighted products of the loadings plus the prior's weights. */
  #normalMatrix(size: number, weight: Prior['weight']): Float64Array {
    let [a00, a01, a02, a11, a12, a22] = [weight[0], 0, 0, weight[1], 0, weight[2]]
    for (let i = 0; i < size; i++) {
      const w = this.#weights[i]!
      const slope = this.#slope[i]!
      const hump = this.#hump[i]!
      a00 += w
      a01 += w * slope
      a02 += w * hump
      a11 += w * slope * slope
      a12 += w * slope * hump
      a22 += w * hump * hump
    }
    this.#matrix.set([a00, a01, a02, a11, a12, a22])
    return this.#matrix
  }

  /** The sum that the betas minimise, under the current weights and loadings, after solving for the betas. */
  #lossAt(years: Float64Array, bps: Float64Array, size: number, prior: Prior, tau: number): number {
    this.#load(years, size, tau)
    this.#setMean(prior, tau)
    this.#solve(bps, size, prior)
    let loss = 0
    for (let j = 0; j < 3; j++) loss += prior.weight[j]! * (this.#beta[j]! - this.#mean[j]!) ** 2
    const [b0, b1, b2] = [this.#beta[0]!, this.#beta[1]!, this.#beta[2]!]
    for (let i = 0; i < size; i++) {
      const residual = bps[i]! - b0 - b1 * this.#slope[i]! - b2 * this.#hump[i]!
      loss += this.#weights[i]! * residual * residual
    }
    return loss
  }

  /** The tau with the least loss under the current weights. */
  #bestTau(years: Float64Array, bps: Float64Array, size: number, prior: Prior): number {
    const loss = (tau: number) => this.#lossAt(years, bps, size, prior, tau)
    let best = 0
    let least = Number.POSITIVE_INFINITY
    for (let k = 0; k < TAUS.length; k++) {
      const at = loss(TAUS[k]!)
      if (at < least) [best, least] = [k, at]
    }
    let low: number = TAUS[Math.max(0, best - 1)]!
    let high: number = TAUS[Math.min(TAUS.length - 1, best + 1)]!
    let [left, right] = [high - SECTION * (high - low), low + SECTION * (high - low)]
    let [atLeft, atRight] = [loss(left), loss(right)]
    for (let step = 0; step < SECTION_STEPS; step++)
      if (atLeft <= atRight) {
        high = right
        right = left
        atRight = atLeft
        left = high - SECTION * (high - low)
        atLeft = loss(left)
      } else {
        low = left
        left = right
        atLeft = atRight
        right = low + SECTION * (high - low)
        atRight = loss(right)
      }
    return (low + high) / 2
  }
}

/** Maturities at which a curve is compared with one of another tau. */
const PROJECTED = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30] as const

/** The betas under another tau that come nearest to a curve, by least squares over `PROJECTED`. */
function projected(curve: NelsonSiegel, tau: number): NelsonSiegel {
  const beta = new Float64Array(3)
  let [a01, a02, a11, a12, a22, c0, c1, c2] = [0, 0, 0, 0, 0, 0, 0, 0]
  for (const years of PROJECTED) {
    const slope = slopeLoading(years, tau)
    const hump = slope - Math.exp(-years / tau)
    const y = spreadAt(curve, years)
    a01 += slope
    a02 += hump
    a11 += slope * slope
    a12 += slope * hump
    a22 += hump * hump
    c0 += y
    c1 += y * slope
    c2 += y * hump
  }
  solve3(Float64Array.of(PROJECTED.length, a01, a02, a11, a12, a22), c0, c1, c2, beta)
  return { beta0: beta[0]!, beta1: beta[1]!, beta2: beta[2]!, tau }
}

/**
 * Solves a symmetric positive definite system of three, given by its upper triangle, by Cholesky into `out`; a singular
 * direction stays zero.
 */
function solve3(a: Float64Array, c0: number, c1: number, c2: number, out: Float64Array): void {
  const l00 = Math.sqrt(a[0]!)
  const l10 = a[1]! / l00
  const l20 = a[2]! / l00
  const d11 = a[3]! - l10 * l10
  const l11 = d11 > SINGULAR * a[3]! ? Math.sqrt(d11) : Number.POSITIVE_INFINITY
  const l21 = (a[4]! - l20 * l10) / l11
  const d22 = a[5]! - l20 * l20 - l21 * l21
  const l22 = d22 > SINGULAR * a[5]! ? Math.sqrt(d22) : Number.POSITIVE_INFINITY
  const y0 = c0 / l00
  const y1 = (c1 - l10 * y0) / l11
  const y2 = (c2 - l20 * y0 - l21 * y1) / l22
  const x2 = y2 / l22
  const x1 = (y1 - l21 * x2) / l11
  out[2] = x2
  out[1] = x1
  out[0] = (y0 - l10 * x1 - l20 * x2) / l00
}

/** A direction with less than this share of its variance left is singular. */
const SINGULAR = 1e-12
