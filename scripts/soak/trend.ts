/** Pairs grow with the square of the samples: for a long run, this many are compared. */
const MOST_COMPARED = 600

/** A measurement of one process: seconds since the start, and a value. */
export interface Sample {
  readonly at: number
  readonly value: number
}

/**
 * Growth per second: the median slope over all pairs of samples (Theil-Sen). A single jump, as when a new snapshot
 * replaces the old one, moves it little; steady growth moves every pair.
 */
export function slope(samples: readonly Sample[]): number {
  const every = Math.ceil(samples.length / MOST_COMPARED)
  const compared = samples.filter((_, i) => i % every === 0)
  const slopes: number[] = []
  for (const [i, a] of compared.entries())
    for (const b of compared.slice(i + 1)) if (b.at > a.at) slopes.push((b.value - a.value) / (b.at - a.at))
  return median(slopes)
}

/** The median; 0 if empty. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return 0
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The given quantile; 0 if empty. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export interface Trend {
  readonly samples: number
  readonly first: number
  readonly last: number
  readonly most: number
  /** The slope times the observed time. */
  readonly growth: number
}

export function trendOf(samples: readonly Sample[]): Trend {
  const values = samples.map(({ value }) => value)
  const watched = samples.length > 1 ? samples.at(-1)!.at - samples[0]!.at : 0
  return {
    samples: samples.length,
    first: values[0] ?? 0,
    last: values.at(-1) ?? 0,
    most: values.reduce((most, value) => Math.max(most, value), 0),
    growth: slope(samples) * watched,
  }
}

/** Growth within this is noise: a share of the median, and a minimum. */
export interface Tolerance {
  readonly share: number
  readonly least: number
}

export const isFlat = (samples: readonly Sample[], { share, least }: Tolerance): boolean =>
  trendOf(samples).growth <= Math.max(least, share * median(samples.map(({ value }) => value)))
