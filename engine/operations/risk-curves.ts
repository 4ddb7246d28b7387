import type { CurveHistory } from '../credit/curve-history.ts'
import { stored } from '../database/views.ts'
import type { Context } from './operation.ts'

/** Bytes of a curve's day: some fourteen tenors and their rates. */
const BYTES_PER_DAY = 240

/** The Treasury curves known on the day, read once and reused. */
export async function riskCurves(context: Context): Promise<CurveHistory> {
  const { history } = await context.cached('treasury curves', async () => {
    const { curveHistory } = await import('../derive/bonds/curve-table.ts')
    await context.tables('treasury_yields')
    const history = await curveHistory(context.database, stored('treasury_yields'))
    return { history, bytes: history.days.length * BYTES_PER_DAY }
  })
  return history
}
