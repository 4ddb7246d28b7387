import { elementAt, firstOf, lastOf } from '../../base/elements.ts'
import { parseDay } from '../../credit/calendar.ts'

/** The days asked for, and the ends of periods in them. */
export interface Periods {
  readonly from: string
  readonly to: string
  /** Ends of periods, the first of which only starts one; null where each price ends a period. */
  readonly ends: readonly number[] | null
}

/** Each period by its two ends. */
export const pairsOf = (ends: readonly number[]): readonly (readonly [number, number])[] =>
  ends.slice(1).map((end, i) => [elementAt(ends, i), end] as const)

/** The days whose prices are read. */
export const spanOf = ({ from, to, ends }: Periods, maxStaleness: number): readonly [number, number] =>
  ends === null ? [parseDay(from) - maxStaleness, parseDay(to)] : [firstOf(ends) - maxStaleness, lastOf(ends)]
