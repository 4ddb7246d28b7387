import type { CurveHistory } from '../credit/curve-history.ts'
import { stored } from '../database/views.ts'
import type { Context } from './operation.ts'
import { BYTES_OF_SPOT_DAYS, type SpotDays, spotDays } from './risk/spot-days.ts'

/** Bytes of a curve's day: some fourteen tenors and their rates. */
const BYTES_PER_DAY = 240

/** The Treasury curves of a day, with their spot rates. */
interface RiskCurves {
  readonly history: CurveHistory
  readonly spots: SpotDays
}

/** The Treasury curves known on the day, read once and reused. */
export async function riskCurves(context: Context): Promise<RiskCurves> {
  return context.cached('treasury curves', async () => {
    const { curveHistory } = await import('../derive/bonds/curve-table.ts')
    await context.tables('treasury_yields')
    const history = await curveHistory(context.database, stored('treasury_yields'))
    const bytes = history.days.length * BYTES_PER_DAY + BYTES_OF_SPOT_DAYS
    return { history, spots: spotDays(history), bytes }
  })
}
