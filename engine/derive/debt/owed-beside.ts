import { formatDay } from '../../credit/calendar.ts'
import { isShared } from './debt-axes.ts'
import { type DebtRow, linesHolding } from './held-notes.ts'
import { tenorOf } from './member-name.ts'
import type { TaggedInstrument } from './tagged-instruments.ts'

/** A row of a filing's own table, with its names in the taxonomies. */
interface TaggedRow extends DebtRow {
  readonly member: string | null
}

/** Whether a row of a filing's own table that is in no sum is debt beside its lines: notes that one holds, or debt of a text. */
export function isOwedBeside(
  instrument: TaggedInstrument | undefined,
  row: TaggedRow,
  rows: readonly TaggedRow[],
): boolean {
  if (instrument === undefined || row.is_current || row.is_group) return false
  return isInLine(instrument, row, rows) || isInNoSum(instrument, row, rows)
}

/** Days before the balance date of an issue of which a report still tells. */
const SINCE = 750

/**
 * Notes of which the filing tags terms as of the balance date and no balance, beside a line of several that holds them: a
 * filing repeats no terms of notes that are gone. Notes named by their tenor are tagged as of the day of their issue.
 */
function isInLine(instrument: TaggedInstrument, row: TaggedRow, rows: readonly TaggedRow[]): boolean {
  const { facts, named, day, standing, isHeld } = instrument
  if (standing !== 'counted' && !isHeld) return false
  // A balance of zero says that they are repaid.
  if (row.carrying_amount !== null || !facts.has('principal')) return false
  const since = tenorOf(named.words) === null ? day : day - SINCE
  const isOfDay = (['principal', 'coupon'] as const).some(role => (facts.get(role)?.end ?? 0) >= since)
  if (!isOfDay || row.maturity === null || row.maturity <= formatDay(day).slice(0, row.maturity.length))
    return false
  if (row.coupon_rate === null && row.rate_type !== 'floating') return false
  if (/loan|revolver|paper/.test(row.instrument_type ?? '')) return false
  return (
    linesHolding(
      rows.filter(each => each.is_group),
      row,
    ).length > 0
  )
}

/** Debt stated in a text and in a table differs by discounts, a line of several by rounding. */
const NEAR = 0.05
const NEAR_LINE = 0.01

/**
 * Debt that a text states at the balance date and that is in no sum, as it is in a line of several or in other liabilities:
 * one of which no row has the balance.
 */
function isInNoSum(instrument: TaggedInstrument, row: TaggedRow, rows: readonly TaggedRow[]): boolean {
  const balance = row.carrying_amount
  if (row.is_counted || !balance) return false
  if (instrument.standing !== 'counted' || (row.member ?? '').split(' ').every(isVagueMember)) return false
  const current = rows.filter(other => other.is_current && !isOther(other, row))
  return !current.some(other => isNear(other, balance)) && !isSumOfTwoOrThree(current, balance)
}

/** Rounding of a sum that a text states. */
const ROUNDED = 0.002

/** Whether an amount is that of two or three rows together: a text tells loans of one agreement as one. */
function isSumOfTwoOrThree(rows: readonly TaggedRow[], balance: number): boolean {
  const amounts = rows.flatMap(({ carrying_amount }) => (carrying_amount ? [carrying_amount] : []))
  const isIt = (sum: number) => Math.abs(sum - balance) <= ROUNDED * balance
  return amounts.some((a, i) =>
    amounts.some((b, j) => j > i && (isIt(a + b) || amounts.some((c, k) => k > j && isIt(a + b + c)))),
  )
}

/** A kind of the shared taxonomy that may be a total of others. */
const isVagueMember = (member: string): boolean =>
  isShared(member) && !/CommercialPaper|TermLoan|LoansPayable/.test(member)

const isNear = (row: TaggedRow, balance: number): boolean =>
  [row.carrying_amount, row.principal, row.drawn].some(
    amount => amount !== null && Math.abs(amount - balance) <= (row.is_group ? NEAR_LINE : NEAR) * balance,
  )

/** Whether two rows say that they are different debt. */
const isOther = (a: TaggedRow, b: TaggedRow): boolean =>
  (a.coupon_rate !== null && b.coupon_rate !== null && a.coupon_rate !== b.coupon_rate) ||
  (a.maturity !== null && b.maturity !== null && a.maturity.slice(0, 4) !== b.maturity.slice(0, 4)) ||
  (a.instrument_type !== null && b.instrument_type !== null && isLoan(a) !== isLoan(b))

const isLoan = ({ instrument_type }: TaggedRow): boolean => /loan|revolver|paper/.test(instrument_type ?? '')
