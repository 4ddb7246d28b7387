import type { CurveInputs, DayCurves } from './day-curves.ts'
import type { Prices } from './priced-bonds.ts'
import type { RatingDays } from './rating-days.ts'

/** The fitted curves of a day and what they are of. */
export interface FittedDay {
  readonly day: string
  readonly inputs: CurveInputs
  /** The latest price of every bond, of any age. */
  readonly prices: Prices
  readonly ratings: RatingDays
  readonly fit: DayCurves
  readonly bytes: number
}

/** A row of an answer by column. */
export type Row = Readonly<Record<string, unknown>>
