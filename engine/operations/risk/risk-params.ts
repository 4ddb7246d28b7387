import { firstOf } from '../../base/elements.ts'
import { invalid } from '../../base/errors.ts'
import { dayIn } from '../../credit/calendar.ts'
import { exerciseStyles } from '../../credit/options/rights.ts'
import type { Redemption } from '../../credit/terms.ts'
import { bps, integer, number, oneOf } from '../../schema/column.ts'
import { type ArgsOf, fallback, one, type Params } from '../../schema/params.ts'

/** Parameters of the lattice. */
export const modelParams = {
  volatility: fallback(one(bps('Short-rate volatility a year.'), { min: 0, max: 1000 }), 100),
  reversion: fallback(one(number('Mean reversion.', { unit: 'per year' }), { min: 0, max: 1 }), 0.03),
  steps: fallback(one(integer('Steps of the lattice.'), { min: 10, max: 500 }), 200),
  exercise: fallback(one(oneOf(exerciseStyles, 'When calls can be exercised.')), 'american' as const),
} satisfies Params

export const latticeModel = ({ volatility, reversion, steps }: ArgsOf<typeof modelParams>) => ({
  volatility: volatility / 10_000,
  reversion,
  steps,
})

/** A schedule given as `2027-06-01:102.5` items, by day; `none` is an empty one. */
export function scheduleGiven(name: string, items: readonly string[] | undefined): Redemption[] | undefined {
  if (items === undefined) return undefined
  if (items.length === 1 && firstOf(items).toLowerCase() === 'none') return []
  const dates = items.map(item => {
    const [, date, price] = /^(\d{4}-\d{2}-\d{2})(?::(\d{1,3}(?:\.\d{1,6})?))?$/.exec(item.trim()) ?? []
    const day = date === undefined ? null : dayIn(date)
    if (day === null || Number(price ?? 100) <= 0)
      throw invalid(
        name,
        item,
        `${name} must be dates with clean prices, such as 2027-06-01:102.5, or none`,
        {},
      )
    return { day, price: Number(price ?? 100) }
  })
  return dates.sort((a, b) => a.day - b.day)
}
