import { elementAt } from '../engine/base/elements.ts'

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
  const before = bySize.at(-2)
  if (!before || before.rows === largest.rows) return upTo
  // What a statement costs however small its table, which Trino has most of, is in both sizes and falls out.
  const perMillion = (lane: 'duckdb' | 'remote') =>
    ((largest[lane] - before[lane]) / (largest.rows - before.rows)) * 1e6
  const [here, there] = [perMillion('duckdb'), perMillion('remote')]
  const rates = `a million further rows took ${written(here)} ms here and ${written(there)} ms there`
  if (there >= here) return `${upTo}, and no nearer: ${rates}`
  const at = largest.rows + ((largest.remote - largest.duckdb) / (here - there)) * 1e6
  return `${upTo}; ${rates}: at these rates they would cross at ${written(at)} rows`
}
