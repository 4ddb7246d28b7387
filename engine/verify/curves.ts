import { firstOf } from '../base/elements.ts'
import type { Day } from '../credit/calendar.ts'
import { bootstrapSpot, type ParCurve, type SpotCurve } from '../credit/curve.ts'
import type { Workbench } from './recomputation.ts'
import { dayOf, records } from './workbench.ts'

/**
 * Whether a curve covers a maturity: up to one and a half times beyond its ends, or any distance below a year and
 * above twenty; between points at most five times, or two years, apart.
 */
export function reaches(tenors: readonly number[], years: number): boolean {
  const below = tenors.filter(tenor => tenor <= years).at(-1)
  const above = tenors.find(tenor => tenor >= years)
  if (tenors.length < 2) return false
  if (below === undefined) return firstOf(tenors) <= 1 || firstOf(tenors) / years <= 1.5
  if (above === undefined) return tenors.at(-1)! >= 20 || years / tenors.at(-1)! <= 1.5
  return below === above || above / below <= 5 || above - below <= 2
}

export type Curves = (day: Day) => { par: ParCurve; spot: () => SpotCurve | null } | null

/** The curve of the day, or of one of the seven days before. */
export async function curvesOf({ db }: Workbench): Promise<Curves> {
  const days = new Map<Day, Map<number, { rate: number; fred: boolean; said: string }>>()
  for await (const row of records<{ day: Day; years: number; rate: number; fred: boolean; said: string }>(
    db,
    `SELECT ${dayOf('date')} AS day, tenor_months / 12.0 AS years, rate, publisher <> 'treasury' AS fred,
       concat(coalesce(CAST(known_from AS VARCHAR), ''), ' ', ingested_at) AS said FROM raw_treasury_yields ORDER BY source DESC`,
  )) {
    const tenors = days.get(row.day) ?? new Map()
    days.set(row.day, tenors)
    const before = tenors.get(row.years)
    if (!before || (before.fred && !row.fred) || (before.fred === row.fred && row.said >= before.said))
      tenors.set(row.years, row)
  }
  const made = new Map<Day, { par: ParCurve; spot: () => SpotCurve | null }>()
  return day => {
    for (let on = day; on >= day - 7; on--) {
      const tenors = days.get(on)
      // One point is not a curve.
      if (!tenors || tenors.size < 2) continue
      let curve = made.get(on)
      if (!curve) {
        const tenorYears = [...tenors.keys()].sort((a, b) => a - b)
        const par = { tenorYears, ratePct: tenorYears.map(years => tenors.get(years)!.rate) }
        let spot: SpotCurve | null | undefined
        curve = {
          par,
          spot: () => {
            spot ??= bootstrapSpot(par)
            return spot
          },
        }
        made.set(on, curve)
      }
      return curve
    }
    return null
  }
}
