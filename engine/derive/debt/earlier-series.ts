import { isAfter } from '../../base/days.ts'
import type { InstrumentRow } from './instrument-row.ts'
import type { LoadedInstrument } from './loaded-instruments.ts'
import { cents } from './match-bonds.ts'
import { agrees } from './same-facility.ts'

/** Rules by which a report or an offer states a series of notes. */
export const OF_SERIES: ReadonlySet<string> = new Set(['note_text', 'debt_table', 'note_offered'])

/**
 * Whether a row states a series of notes that falls due after the last day of which filings tell. Its terms do not change, so that
 * they stand where newer reports have its balance in a line of several; whether it is still owed they do not say. A later table
 * that says that nothing is owed of it ends them.
 */
export const isSeries = (
  one: LoadedInstrument,
  last: string | null,
  read: readonly LoadedInstrument[],
): boolean =>
  OF_SERIES.has(one.rule ?? '') &&
  one.coupon_rate !== null &&
  isDueAfter(dueOf(one), last) &&
  !read.some(each => saysRepaid(each, one))

const dueOf = ({ maturity_date, maturity }: LoadedInstrument): string | null => maturity_date ?? maturity

const isDueAfter = (maturity: string | null, last: string | null): boolean =>
  maturity !== null && last !== null && isAfter(maturity, last)

const saysRepaid = (each: LoadedInstrument, one: LoadedInstrument): boolean =>
  each.carrying_amount === 0 &&
  each.coupon_rate !== null &&
  cents(each.coupon_rate) === cents(one.coupon_rate ?? 0) &&
  agrees(dueOf(each), dueOf(one)) &&
  (each.balance_date ?? '') >= (one.balance_date ?? '')

/** A tagged series of which no balance is known, as its filing tags no more than its terms: they are those of its bond. */
export const asTaggedTerms = (row: InstrumentRow, last: string | null): InstrumentRow =>
  row.member !== null &&
  !row.is_current &&
  !row.is_group &&
  row.ended_because === null &&
  row.coupon_rate !== null &&
  isDueAfter(row.maturity, last)
    ? { ...row, isTermsOnly: true }
    : row

/** What is owed is this near to the amount issued, with discounts and costs, if all of it is. */
const [LEAST, MOST] = [0.9, 1.02]

/** Whether the amount of an issue that an earlier report states is that of a row: all of it is still owed, or the row has no balance. */
export function isAmountOf(row: InstrumentRow, one: LoadedInstrument): boolean {
  if (one.principal === null || row.is_group || row.currency !== one.currency) return false
  const owed = row.carrying_amount
  if (owed === null) return row.isTermsOnly === true
  return owed >= LEAST * one.principal && owed <= MOST * one.principal
}
