import { dayText } from './days.ts'
import { fixed, memberOf } from './figures.ts'

/** Figures of companies that come from their statements. */
const ofStatements =
  /^(total_debt|net_debt|secured_debt|unsecured_debt|cash|ebitda_ttm|(\w+_)?leverage(_ratio)?|interest_coverage|debt_due_\dyr)$/

/** Why a company has no figure or rating of that name, by the codes of its row; null if the row does not say. */
export function whyMissing(name: string, row: object): string | null {
  if (name === 'rating_bucket') return ratingMissing(row)
  if (!ofStatements.test(name)) return null
  const reason = memberOf(row, 'figures_null_because')
  if (reason === 'no_statements') return 'no statements'
  if (reason !== 'stale') return null
  const day = memberOf(row, 'period_end_date')
  if (typeof day === 'string') return `the newest statements, of ${dayText(day)}, are too old`
  const days = memberOf(row, 'figures_age_days')
  return typeof days === 'number'
    ? `the newest statements, ${fixed(days, 0)} days old, are too old`
    : 'the newest statements are too old'
}

function ratingMissing(row: object): string | null {
  switch (memberOf(row, 'rating_null_because')) {
    case 'not_rated':
      return 'not rated'
    case 'far_apart':
      return 'ratings over five years apart'
    case 'stale': {
      const days = memberOf(row, 'rating_age_days')
      return typeof days === 'number' ? `no rating action for ${fixed(days, 0)} days` : 'ratings too old'
    }
    default:
      return null
  }
}
