/** A quantity that grows as a power of another: `at(x) = factor * x ** exponent`. */
export interface PowerFit {
  readonly exponent: number
  /** Standard error of the exponent; NaN from two points, which any power fits. */
  readonly error: number
  readonly at: (x: number) => number
}

/** Least squares in logarithms: growth counts by ratio, so that the smallest point weighs as much as the largest. */
export function fitPower(points: readonly (readonly [x: number, y: number])[]): PowerFit {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const)
  const meanOf = (of: readonly number[]) => of.reduce((sum, value) => sum + value, 0) / of.length
  const [x0, y0] = [meanOf(logs.map(([x]) => x)), meanOf(logs.map(([, y]) => y))]
  const spread = logs.reduce((sum, [x]) => sum + (x - x0) ** 2, 0)
  const exponent = logs.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0) / spread
  const residuals = logs.reduce((sum, [x, y]) => sum + (y - y0 - exponent * (x - x0)) ** 2, 0)
  return {
    exponent,
    error: points.length > 2 ? Math.sqrt(residuals / (points.length - 2) / spread) : Number.NaN,
    at: x => Math.exp(y0 + exponent * (Math.log(x) - x0)),
  }
}
