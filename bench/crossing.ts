import { elementAt } from '../engine/base/elements.ts'
import { fitPower } from './fit.ts'

/** A question in two lanes: medians in milliseconds over tables of so many rows. */
export interface LaneTimes {
  readonly question: string
  readonly rows: number
  readonly duckdb: number
  readonly remote: number
}

export const written = (n: number): string => Math.round(n).toLocaleString('en-US')

/** Where the lanes cross, as far as the measured sizes say. */
export function crossing(measured: readonly LaneTimes[]): string {
  const bySize = measured.toSorted((a, b) => a.rows - b.rows)
  const largest = bySize.at(-1)!
  const over = bySize.findIndex(({ duckdb, remote }) => remote < duckdb)
  const rowsAt = (i: number) => written(elementAt(bySize, i).rows)
  if (over === 0) return `the remote lane is faster from ${rowsAt(0)} rows on, the smallest size`
  if (over > 0) return `they cross between ${rowsAt(over - 1)} and ${rowsAt(over)} rows`
  const upTo = `not crossed up to ${written(largest.rows)} rows`
  if (bySize.length < 3) return upTo
  const ratio = fitPower(bySize.map(({ rows, duckdb, remote }) => [rows, remote / duckdb]))
  const growth = `the remote lane's time as a multiple of DuckDB's grows as rows to the ${ratio.exponent.toFixed(2)} (± ${ratio.error.toFixed(2)})`
  if (ratio.exponent + 2 * ratio.error >= 0) return `${upTo}; ${growth}, which names no crossing`
  return `${upTo}; ${growth}: were it to go on, they would cross at ${written(largest.rows * ratio.at(largest.rows) ** (-1 / ratio.exponent))} rows`
}
