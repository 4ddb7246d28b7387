import { bond } from '../credit/bond.ts'
import { settlementDay } from '../credit/calendar.ts'
import { bootstrapSpot, type SpotCurve, zSpread } from '../credit/curve.ts'
import type { CurveHistory } from '../credit/curve-history.ts'
import type { DayCount } from '../credit/day-count.ts'
import type { Frequency } from '../credit/schedule.ts'
import type { Database } from '../database.ts'
import { pricingMaturity } from './analytics.ts'
import { dayNumber } from './instruments.ts'

interface Priced {
  readonly bond_id: string
  readonly date: number
  readonly clean: number
  readonly coupon: number
  readonly maturity: number
  readonly accrual: number | null
  readonly frequency: number | null
  readonly day_count: DayCount | null
}

/**
 * `z_spreads(bond_id, z_spread)`: the spread over the Treasury spot curve of each bond's latest price, where it has a
 * yield. A search for each bond, so the latest price only and not the whole history.
 */
export async function deriveZSpreads(db: Database, curves: CurveHistory): Promise<void> {
  const rows = await db.rows<Priced>(`
    SELECT p.bond_id, ${dayNumber('p.date')} AS date, a.clean, b.coupon_rate AS coupon,
      ${dayNumber(pricingMaturity)} AS maturity,
      ${dayNumber('coalesce(b.accrual_date, b.issue_date)')} AS accrual, b.coupon_frequency AS frequency,
      replace(b.day_count, 'ACT/365', 'ACT/365F') AS day_count
    FROM numbered_prices p JOIN price_analytics a USING (n) JOIN bonds_base b ON b.id = p.bond_id
    WHERE a.spread IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY p.bond_id ORDER BY p.date DESC) = 1 ORDER BY p.bond_id`)
  const spots = new Map<number, SpotCurve | null>()
  const spotOn = (day: number): SpotCurve | null => {
    if (!spots.has(day)) {
      const par = curves.at(day)
      spots.set(day, par && bootstrapSpot(par))
    }
    return spots.get(day)!
  }
  const spreads = rows.map(row => {
    const spot = spotOn(row.date)
    if (!spot) return null
    const terms = bond({
      coupon: row.coupon,
      maturity: row.maturity,
      accrualStart: row.accrual,
      ...(row.frequency && { frequency: row.frequency as Frequency }),
      ...(row.day_count && { dayCount: row.day_count }),
    })
    const { bps } = zSpread(terms, row.clean, settlementDay(row.date), spot)
    return bps === null ? null : Math.round(bps * 100) / 100
  })
  await db.run('CREATE OR REPLACE TABLE z_spreads (bond_id VARCHAR, z_spread DOUBLE)')
  await db.append('z_spreads', [rows.map(r => r.bond_id), spreads], rows.length)
}
