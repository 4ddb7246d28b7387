import { addMonths, type Day, formatDay, toDay } from '../../engine/credit/calendar.ts'
import type { Instrument } from './instrument.ts'
import type { Issuer } from './issuers.ts'

/** One in so many investment-grade issuers has notes with a put. */
const PUT_EVERY = 6
/** Sinking payments are all ahead of the sample, so that amounts outstanding are those issued. */
const FIRST_PAYMENT = toDay(2026, 1, 1)
const FIRST_PUT = toDay(2027, 1, 1)
const PERCENT_A_YEAR = 10

/**
 * The instruments of an issuer: some notes have a put, the first mortgage bonds of utilities a sinking fund. Nothing is drawn at random, so that the rest of
 * the sample stays as it is.
 */
export function withRedemptions(issuer: Issuer, instruments: readonly Instrument[]): Instrument[] {
  const isAlive = ({ coupon, retired, row }: Instrument) => (coupon ?? 0) > 0 && retired === null && row.cusip
  const puttable =
    issuer.shape === 'investment_grade' && issuer.n % PUT_EVERY === 1
      ? instruments.find(
          each =>
            isAlive(each) &&
            each.pricing === 'liquid' &&
            each.row.rate_structure === 'fixed' &&
            anniversaries(each, FIRST_PUT).length > 1,
        )
      : undefined
  const sinking =
    issuer.shape === 'utility'
      ? instruments.find(
          each =>
            isAlive(each) &&
            each.row.instrument_type === 'first_mortgage_bonds' &&
            anniversaries(each, FIRST_PAYMENT).length > 1,
        )
      : undefined
  return instruments.map(each => {
    if (each === puttable) return withTerms(each, { callable: false, put_schedule: putsOf(each) })
    return each === sinking ? withTerms(each, { sinking_schedule: paymentsOf(each) }) : each
  })
}

const withTerms = (each: Instrument, terms: Instrument['row']): Instrument => ({
  ...each,
  row: { ...each.row, ...terms },
})

/** The days of the maturity in earlier years, from a day on: coupon days. */
function anniversaries({ matures }: Instrument, from: Day): Day[] {
  const days: Day[] = []
  for (let day = addMonths(matures, -12); day >= from; day = addMonths(matures, -12 * (days.length + 1)))
    days.unshift(day)
  return days
}

const putsOf = (each: Instrument) =>
  anniversaries(each, FIRST_PUT)
    .slice(0, 1)
    .map(day => ({ date: formatDay(day), price: 100 }))

/** A tenth of the issue a year before maturity, for nine years at most. */
const paymentsOf = (each: Instrument) =>
  anniversaries(each, FIRST_PAYMENT)
    .slice(1 - 100 / PERCENT_A_YEAR)
    .map(day => ({ date: formatDay(day), percent: PERCENT_A_YEAR }))
