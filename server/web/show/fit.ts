/** A robust fit of y = a + b·x + c·ln(1 + x - least x). */
export interface Fit {
  readonly at: (x: number) => number
  /** Pairs from the least to the greatest x. */
  readonly curve: readonly (readonly [number, number])[]
}

type Triple = readonly [number, number, number]

const FEWEST = 5
const ROUNDS = 12
/** Huber's constant: residuals beyond it weigh less, so that a distressed bond does not bend the curve. */
const HUBER = 1.345
/** Of a normal distribution, the standard deviation over the median of absolute deviations. */
const MAD_SCALE = 1.4826
const STEPS = 40

/** Null with too few points, or without two different x. */
export function fitCurve(points: readonly { readonly x: number; readonly y: number }[]): Fit | null {
  const xs = points.map(({ x }) => x)
  const [least, most] = [Math.min(...xs), Math.max(...xs)]
  if (points.length < FEWEST || most - least < 1e-9) return null
  const terms = (x: number): Triple => [1, (x - least) / (most - least), Math.log1p(Math.max(0, x - least))]
  const rows = points.map(({ x, y }) => ({ terms: terms(x), y }))
  let weights = points.map(() => 1)
  let solution: Triple = [0, 0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    const solved = solve(rows, weights)
    if (solved === null) return null
    solution = solved
    const sizes = rows.map(row => Math.abs(row.y - dot(row.terms, solved)))
    const scale = (sizes.toSorted((a, b) => a - b).at(Math.floor(sizes.length / 2)) ?? 0) * MAD_SCALE
    if (scale < 1e-12) break
    weights = sizes.map(size => Math.min(1, (HUBER * scale) / Math.max(size, 1e-12)))
  }
  const at = (x: number) => dot(terms(x), solution)
  const curve = Array.from({ length: STEPS + 1 }, (_, i) => {
    const x = least + ((most - least) * i) / STEPS
    return [x, at(x)] as const
  })
  return { at, curve }
}

const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

/** Weighted least squares by Cramer's rule; the small ridge keeps nearly equal terms apart. */
function solve(
  rows: readonly { readonly terms: Triple; readonly y: number }[],
  weights: readonly number[],
): Triple | null {
  const sum = (of: (terms: Triple, y: number) => number) =>
    rows.reduce((total, { terms, y }, i) => total + (weights[i] ?? 0) * of(terms, y), 0)
  const ridge = 1e-9 * rows.length
  const cell = (i: 0 | 1 | 2, j: 0 | 1 | 2) => sum(t => t[i] * t[j]) + (i === j ? ridge : 0)
  const [m00, m01, m02, m11, m12, m22] = [
    cell(0, 0),
    cell(0, 1),
    cell(0, 2),
    cell(1, 1),
    cell(1, 2),
    cell(2, 2),
  ]
  const [v0, v1, v2] = [sum((t, y) => t[0] * y), sum((t, y) => t[1] * y), sum((t, y) => t[2] * y)]
  const det = (a: Triple, b: Triple, c: Triple) =>
    a[0] * (b[1] * c[2] - b[2] * c[1]) -
    a[1] * (b[0] * c[2] - b[2] * c[0]) +
    a[2] * (b[0] * c[1] - b[1] * c[0])
  const [a, b, c, v]: Triple[] = [
    [m00, m01, m02],
    [m01, m11, m12],
    [m02, m12, m22],
    [v0, v1, v2],
  ]
  if (!a || !b || !c || !v) return null
  const whole = det(a, b, c)
  return Math.abs(whole) < 1e-18 ? null : [det(v, b, c) / whole, det(a, v, c) / whole, det(a, b, v) / whole]
}
