import type { Day } from '../../credit/calendar.ts'
import { bootstrapSpot, parYieldAt, type SpotCurve } from '../../credit/curve.ts'
import type { CurveHistory } from '../../credit/curve-history.ts'

/** Treasury spot curves by day, each bootstrapped once. */
export interface SpotDays {
  /** The spot rates of the last curve at or before the day, at most 7 days old; else null. */
  on(day: Day): SpotCurve | null
  /** Whether that curve reaches a maturity in years. */
  reaches(day: Day, years: number): boolean
}

/** Days whose spot rates are kept at once. */
const MOST_SPOT_DAYS = 1000
/** What they take in memory, about. */
export const BYTES_OF_SPOT_DAYS = MOST_SPOT_DAYS * 2000

export function spotDays(curves: CurveHistory): SpotDays {
  const spots = new Map<Day, SpotCurve | null>()
  return {
    on(day) {
      const serving = curves.servingDay(day)
      if (serving === null) return null
      const known = spots.get(serving)
      if (known !== undefined) return known
      const par = curves.at(serving)
      const spot = par && bootstrapSpot(par)
      if (spots.size >= MOST_SPOT_DAYS) spots.clear()
      spots.set(serving, spot)
      return spot
    },
    reaches(day, years) {
      const par = curves.at(day)
      return par !== null && parYieldAt(par, years) !== null
    },
  }
}
