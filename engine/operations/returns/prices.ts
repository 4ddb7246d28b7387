import { QueryError } from '../../base/errors.ts'
import { formatDay } from '../../credit/calendar.ts'
import type { Database } from '../../database/database.ts'
import { stored } from '../../database/views.ts'
import { dayNumber } from '../../derive/bonds/instruments.ts'
import { type Periods, spanOf } from './periods.ts'

/** A price that a period starts or ends with. */
export interface PricePoint {
  /** The end of a period that it stands for; its own day where each price ends a period. */
  readonly at: number
  readonly day: number
  readonly clean: number
  /** Modified duration; null without a yield. */
  readonly duration: number | null
  readonly source: string
  /** Of a bond in default: traded without accrued interest. */
  readonly isFlat: boolean
}

/** Most prices that one answer reads. */
const MOST_PRICES = 1_000_000

/** Prices of bonds by id, in the order of days: all of them, or the last of the days up to each end of a period. */
export async function pricePoints(
  database: Database,
  bonds: readonly string[],
  periods: Periods,
  maxStaleness: number,
): Promise<ReadonlyMap<string, readonly PricePoint[]>> {
  const [first, last] = spanOf(periods, maxStaleness).map(formatDay)
  const chosen = `
    SELECT bond_id, date, last_price, duration, price_source, yield_null_because FROM ${stored('pricing_history')}
    WHERE bond_id IN (SELECT unnest(?::JSON::VARCHAR[])) AND date BETWEEN CAST(? AS DATE) AND CAST(? AS DATE)
      AND is_active AND last_price > 0`
  const picked =
    periods.ends === null
      ? `SELECT *, date AS period_day FROM (${chosen})`
      : `SELECT h.*, e.period_day FROM (${chosen}) h
         JOIN (SELECT unnest(?::JSON::DATE[]) AS period_day) e ON h.date <= e.period_day AND h.date >= e.period_day - ${maxStaleness}
         QUALIFY row_number() OVER (PARTITION BY h.bond_id, e.period_day ORDER BY h.date DESC) = 1`
  const { columns, rowCount } = await database.columns(
    `SELECT bond_id, ${dayNumber('period_day')}, ${dayNumber('date')}, last_price, duration, price_source,
       yield_null_because IS NOT DISTINCT FROM 'defaulted'
     FROM (${picked}) ORDER BY bond_id, period_day LIMIT ${MOST_PRICES + 1}`,
    [
      JSON.stringify(bonds),
      first as string,
      last as string,
      ...(periods.ends === null ? [] : [JSON.stringify(periods.ends.map(formatDay))]),
    ],
  )
  if (rowCount > MOST_PRICES)
    throw new QueryError(
      'RESULT_TOO_LARGE',
      `more than ${MOST_PRICES} prices are in the range: use a shorter one, fewer bonds, or every=month`,
      { max: MOST_PRICES },
    )
  const points = new Map<string, PricePoint[]>()
  const [id, at, day, clean, duration, source, isFlat] = columns as [
    string[],
    number[],
    number[],
    number[],
    (number | null)[],
    string[],
    boolean[],
  ]
  for (const [i, bond] of id.entries()) {
    const point = {
      at: Number(at[i]),
      day: Number(day[i]),
      clean: clean[i] as number,
      duration: duration[i] ?? null,
      source: source[i] as string,
      isFlat: isFlat[i] === true,
    }
    const those = points.get(bond)
    if (those) those.push(point)
    else points.set(bond, [point])
  }
  return points
}
