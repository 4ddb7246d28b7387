/** Days on which a bond traded, ascending: last price of the day in percent of par, and par traded in dollars. */
export interface TradedDays {
  readonly day: readonly number[]
  readonly price: readonly number[]
  /** NaN where no trade has a size. */
  readonly volume: readonly number[]
}

/** Fewest observations behind a measure. */
export const FEWEST_RETURNS = 5

export const liquidityNullReasons = ['few_observations', 'no_sizes', 'positive_autocovariance'] as const
export type LiquidityNullReason = (typeof liquidityNullReasons)[number]

export interface Measure {
  readonly value: number | null
  readonly reason: LiquidityNullReason | null
  /** Observations behind it. */
  readonly count: number
}

/** Relative price changes from one traded day to the next, in percent; NaN where they are more than `maxGap` days apart. */
export const priceChanges = ({ day, price }: TradedDays, maxGap: number): number[] =>
  price.map((now, i) => {
    const [from, to, before] = [day[i - 1] ?? Number.NaN, day[i] ?? Number.NaN, price[i - 1] ?? Number.NaN]
    return to - from <= maxGap ? 100 * (now / before - 1) : Number.NaN
  })

/** Amihud (2002): the mean of absolute return over dollar volume of traded days, in percent per million dollars. */
export function amihud(days: TradedDays, changes: readonly number[]): Measure {
  let [sum, count, unsized] = [0, 0, 0]
  for (const [i, change] of changes.entries()) {
    if (Number.isNaN(change)) continue
    const dollars = ((days.volume[i] ?? Number.NaN) * (days.price[i] ?? Number.NaN)) / 100
    if (!(dollars > 0)) {
      unsized++
      continue
    }
    sum += Math.abs(change) / (dollars / 1e6)
    count++
  }
  if (count >= FEWEST_RETURNS) return { value: sum / count, reason: null, count }
  return { value: null, reason: count + unsized >= FEWEST_RETURNS ? 'no_sizes' : 'few_observations', count }
}

/** The first-order autocovariance of price changes, over pairs of consecutive ones, in percent squared. */
export function autocovariance(changes: readonly number[]): Measure {
  const pairs: [number, number][] = []
  for (const [i, now] of changes.entries()) {
    const before = changes[i - 1] ?? Number.NaN
    if (!Number.isNaN(before) && !Number.isNaN(now)) pairs.push([before, now])
  }
  const count = pairs.length
  if (count < FEWEST_RETURNS) return { value: null, reason: 'few_observations', count }
  const mean = (at: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[at], 0) / count
  const [before, now] = [mean(0), mean(1)]
  const sum = pairs.reduce((total, [x, y]) => total + (x - before) * (y - now), 0)
  return { value: sum / (count - 1), reason: null, count }
}

/** Roll (1984): the effective spread 2 sqrt(-covariance), in percent of price; none for a positive covariance. */
export function roll({ value, reason, count }: Measure): Measure {
  if (value === null) return { value, reason, count }
  if (value > 0) return { value: null, reason: 'positive_autocovariance', count }
  return { value: 2 * Math.sqrt(-value), reason: null, count }
}
