import type { Liquidity as LiquidityRow } from '../../../engine/schema/resources/liquidity.ts'
import { dayText } from './days.ts'
import { wordsOf } from './words.ts'

const dueFrom = {
  filed_schedule: 'the filed schedule, with short-term borrowings that it leaves out',
  bonds: 'bonds',
  instruments: 'the instruments of filings',
  current_debt: 'current debt on the balance sheet',
  no_debt: 'a total debt of zero',
} as const

/** `cash, undrawn committed and free cash flow`. */
const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** Why there is no cover, where figures shown beside it do not say so. */
const noCover: Partial<Record<NonNullable<LiquidityRow['cover_null_because']>, string>> = {
  no_statements: 'No statements are known, so neither cash and cash flow nor a cover.',
  due_unknown: 'No filing or bond says what falls due, so there is no cover.',
  nothing_due: 'Nothing falls due within 12 months.',
  bank: 'A cover says nothing of a bank or insurer, whose cash flows are its trade.',
}

/** What debt due is read off, of which day the amounts are, and what the cover leaves out. */
export function caveatsOf(row: LiquidityRow): string[] {
  const { due_source, cover_null_because: reason, period_end_date, undrawn_date } = row
  const left = row.cover_excludes?.map(name => wordsOf(name).toLowerCase()) ?? []
  const isStale = reason === 'stale' && period_end_date !== null
  return [
    ...(isStale ? [`The newest statements, of ${dayText(period_end_date)}, are too old to count.`] : []),
    ...(reason !== null && noCover[reason] ? [noCover[reason]] : []),
    ...(due_source ? [`Debt due is that of ${dueFrom[due_source]}.`] : []),
    ...(left.length > 0 && reason === null
      ? [`The cover leaves out ${listed(left)}: no filing tags ${left.length === 1 ? 'it' : 'them'}.`]
      : []),
    ...(undrawn_date !== null && undrawn_date !== period_end_date
      ? [`Undrawn commitments are of ${dayText(undrawn_date)}.`]
      : []),
    ...(row.is_annualized ? ['Free cash flow is scaled up to a year.'] : []),
  ]
}
