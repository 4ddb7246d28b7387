import { memoize } from '../../base/memoize.ts'
import { CurveHistory, OLDEST_CURVE_DAYS } from '../../credit/curve-history.ts'
import type { Database } from '../../database/database.ts'
import { tieBreak } from '../../database/tie-break.ts'
import { dayNumber } from './instruments.ts'

/** Every day's par curve: the Treasury's rate if it published one, else FRED's. */
export async function curveHistory(db: Database, from = 'in_treasury_yields'): Promise<CurveHistory> {
  const { columns } = await db.columns(`
    SELECT CAST(${dayNumber('date')} AS INTEGER), tenor_months / 12.0, rate FROM ${from} y
    QUALIFY row_number() OVER (PARTITION BY date, tenor_months
      ORDER BY publisher = 'treasury' DESC, known_from DESC NULLS LAST, ingested_at DESC, source, ${tieBreak('y')}) = 1
    ORDER BY 1, 2`)
  const [day, tenorYears, ratePct] = columns as [number[], number[], number[]]
  return new CurveHistory({ day, tenorYears, ratePct })
}

/** The curves that prices need: those of their days, and the last before the first of them. */
const neededCurves = `(SELECT * FROM in_treasury_yields WHERE date >= (
  SELECT least((SELECT min(price_date) FROM in_prices), (SELECT min(trade_date) FROM in_trades)) - ${OLDEST_CURVE_DAYS}))`

/** The curves known on the day that a database derives, for the days that have prices; read once for all steps. */
export const curvesOfDay = memoize((db: Database) => curveHistory(db, neededCurves))
