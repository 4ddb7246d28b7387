import { date, integer, oneOf } from '../../schema/column.ts'
import { type ArgsOf, alsoNamed, fallback, one } from '../../schema/params.ts'
import { fromAliases, toAliases } from '../../schema/resources/pricing.ts'

export const treasuryMatches = ['duration', 'cash_flows'] as const
export type TreasuryMatch = (typeof treasuryMatches)[number]

export const weightings = ['par', 'market_value', 'equal'] as const
export type Weighting = (typeof weightings)[number]

/** Parameters of returns beside their filters. */
export const returnParams = {
  date_from: alsoNamed(one(date('From this day.')), ...fromAliases),
  date_to: alsoNamed(one(date('To this day.')), ...toAliases),
  every: fallback(
    one(oneOf(['day', 'week', 'month', 'quarter'], '`day`: from each price to the next.')),
    'month' as const,
  ),
  max_staleness: fallback(
    one(integer('Oldest price used, in days before the end of a period.', { unit: 'days' }), {
      min: 0,
      max: 366,
    }),
    6,
  ),
  match: fallback(one(oneOf(['duration', 'cash_flows'], 'Match of Treasuries.')), 'duration' as const),
  weight: one(oneOf(weightings, 'One series of the bonds selected, so weighted.')),
  members: fallback(
    one(oneOf(['as_of', 'period_start'], 'Day on which `weight` selects them.')),
    'as_of' as const,
  ),
}

/** Arguments that choose the bonds and their periods. */
export interface ReturnArgs extends ArgsOf<typeof returnParams> {
  readonly cusip?: readonly string[] | undefined
  readonly sector?: readonly string[] | undefined
  readonly rating_bucket?: readonly string[] | undefined
  readonly currency?: readonly string[] | undefined
  readonly explain: boolean
}
