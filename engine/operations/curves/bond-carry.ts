import { elementAt } from '../../base/elements.ts'
import { bond } from '../../credit/bond.ts'
import { settlementDay } from '../../credit/calendar.ts'
import type { DayCount } from '../../credit/day-count.ts'
import { type CarryAndRoll, carryAndRoll } from '../../credit/relative-value.ts'
import { curveOfGroup } from '../../credit/spread-curves.ts'
import type { Bond, Frequency } from '../../credit/terms.ts'
import type { FittedDay } from './fitted-day.ts'
import type { PricedBonds } from './priced-bonds.ts'

const known = (value: number): number | null => (Number.isNaN(value) ? null : value)

/** The terms behind the yield of a bond; a known first coupon that has passed leaves regular periods. */
function termsOf({ terms, texts }: PricedBonds, at: number, settle: number): Bond {
  const firstCoupon = known(elementAt(terms.firstCoupon, at))
  const isRegular = firstCoupon !== null && settle >= firstCoupon
  const dayCount = texts.day_count[at]
  return bond({
    coupon: elementAt(terms.coupon, at),
    maturity: elementAt(terms.maturity, at),
    accrualStart: isRegular ? null : known(elementAt(terms.accrual, at)),
    firstCoupon: isRegular ? null : firstCoupon,
    frequency: elementAt(terms.frequency, at) as Frequency,
    ...(dayCount && { dayCount: dayCount.replace('ACT/365', 'ACT/365F') as DayCount }),
  })
}

/** Carry and roll-down of a price that has a residual, along the curve it is measured against. */
export function carryOfPrice(
  { inputs, prices, fit }: FittedDay,
  i: number,
): { value: CarryAndRoll; reason: null } | { value: null; reason: string } {
  if (Number.isNaN(elementAt(fit.residual, i))) return { value: null, reason: 'no_residual' }
  // The prices of a year on would need the average life left then.
  if (inputs.bonds.texts.sinking[elementAt(prices.bond, i)]) return { value: null, reason: 'sinking' }
  const day = elementAt(prices.day, i)
  const settle = settlementDay(day)
  const yielded = {
    bond: termsOf(inputs.bonds, elementAt(prices.bond, i), settle),
    ytm: elementAt(prices.ytm, i),
    settle,
    years: elementAt(prices.years, i),
  }
  return carryAndRoll(yielded, curveOfGroup(fit.curves, elementAt(fit.bonds.group, i)), inputs.treasury, day)
}
