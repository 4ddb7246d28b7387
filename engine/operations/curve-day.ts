import { invalid } from '../base/errors.ts'
import { parseDay } from '../credit/calendar.ts'
import { FEWEST_OF_MARKET } from '../credit/curve-rules.ts'
import type { ResidualHistory } from '../credit/relative-value.ts'
import { stored } from '../database/views.ts'
import { curveHistory } from '../derive/bonds/curve-table.ts'
import { dayCurves, unlikeTerms } from './curves/day-curves.ts'
import type { FittedDay } from './curves/fitted-day.ts'
import { latestPrices, newestCurveDay, pricedBonds, weeklyPrices } from './curves/priced-bonds.ts'
import { RatingDays } from './curves/rating-days.ts'
import { HISTORY_WEEKS, residualHistory } from './curves/residual-history.ts'
import type { Context } from './operation.ts'

/**
 * The curves of a day, by default the newest on which a market curve can be fitted; null if there is none. Only rows
 * known on the as-of day are read. Kept with the tables of the as-of day.
 */
export async function curveDay(
  context: Context,
  asked: string | undefined,
  maxStaleness: number,
): Promise<FittedDay | null> {
  if (asked !== undefined && asked > context.asOf)
    throw invalid('date', asked, `date is after the as-of date ${context.asOf}`, { max: context.asOf })
  await context.tables('bonds', 'pricing_history', 'ratings', 'treasury_yields')
  const newest = async () => ({
    day: await newestCurveDay(context, maxStaleness, FEWEST_OF_MARKET),
    bytes: 50,
  })
  const day = asked ?? (await context.cached(`curve day ${context.coverage} ${maxStaleness}`, newest)).day
  if (day === null) return null
  return context.cached(`curves ${context.coverage} ${day} ${maxStaleness}`, async () => {
    const bonds = await pricedBonds(context)
    const treasury = await curveHistory(context.database, stored('treasury_yields'))
    const ratings = await RatingDays.read(context)
    const prices = await latestPrices(context, day)
    const inputs = { bonds, unlike: unlikeTerms(bonds), treasury }
    const number = parseDay(day)
    const fit = dayCurves(inputs, prices, ratings.on(number, bonds.companyIds), { day: number, maxStaleness })
    return { day, inputs, prices, ratings, fit, bytes: bonds.bytes + ratings.bytes + prices.size * 150 }
  })
}

/** The residuals of the bonds in the weeks before the day of the curves; kept as the curves are. */
export async function historyOf(
  context: Context,
  { day, inputs, ratings }: FittedDay,
): Promise<ResidualHistory> {
  const kept = await context.cached(`residual history ${context.coverage} ${day}`, async () => {
    const prices = await weeklyPrices(context, day, HISTORY_WEEKS)
    const history = await residualHistory(inputs, prices, ratings, parseDay(day))
    return { history, bytes: inputs.bonds.size * 20 }
  })
  return kept.history
}
