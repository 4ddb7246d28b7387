/** A day and a value; null if the day has none. */
export type Point = readonly [day: string, value: number | null]

/** Lines with at least one value, so that the legend only has lines that are drawn. */
export const withValues = <L extends { readonly points: readonly Point[] }>(lines: readonly L[]): L[] =>
  lines.filter(({ points }) => points.some(([, value]) => value !== null))

/** The days on which some line has a value, in order. */
export const daysOf = (lines: readonly { readonly points: readonly Point[] }[]): string[] =>
  [
    ...new Set(
      lines.flatMap(({ points }) => points.flatMap(([day, value]) => (value === null ? [] : [day]))),
    ),
  ].sort()

/** Up to this many days are shown as separate points: no line, no band. */
export const FEW_DAYS = 2

const DAY_MS = 86_400_000

/** Points with a null between those more than so many days apart: nothing is known in between. */
export function withGaps<P extends Point | readonly [string, number | null, number | null]>(
  points: readonly P[],
  days: number,
): P[] {
  return points.flatMap((point, i) => {
    const before = points[i - 1]
    if (!before || Date.parse(point[0]) - Date.parse(before[0]) <= days * DAY_MS) return [point]
    const between = new Date(Date.parse(before[0]) + DAY_MS).toISOString().slice(0, 10)
    return [[between, ...point.slice(1).map(() => null)] as unknown as P, point]
  })
}

/** Whether some line has more than a few consecutive days, and so a trend and a band. */
export const hasTrend = (lines: readonly { readonly points: readonly Point[] }[]): boolean =>
  lines.some(({ points }) => {
    let run = 0
    return points.some(([, value]) => {
      run = value === null ? 0 : run + 1
      return run > FEW_DAYS
    })
  })

/** The decimals with which no two axis ticks read the same. */
export function tickDecimals(values: readonly number[]): number {
  if (values.length === 0) return 0
  const [least, most] = [Math.min(...values), Math.max(...values)]
  // An axis over a single value extends by half of it on both sides.
  const span = most - least || Math.abs(most) || 1
  const MOST_TICKS = 10
  return Math.max(0, Math.min(8, Math.ceil(-Math.log10(span / MOST_TICKS))))
}
