import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { accruedInterest, bond, cashFlows } from '../../engine/credit/bond.ts'
import type { SpotCurve } from '../../engine/credit/curve.ts'
import type { DayCount } from '../../engine/credit/day-count.ts'
import {
  couponsPaid,
  matchedFlowsReturn,
  redeemed,
  totalReturn,
  zeroOfDuration,
  zeroReturn,
} from '../../engine/credit/returns.ts'
import type { Frequency } from '../../engine/credit/terms.ts'
import { root } from '../root.ts'

interface Golden {
  readonly curves: readonly SpotCurve[]
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (number | string | null)[])[]
}

/** Written by scripts/certify-returns.py with QuantLib's schedules, coupons and accrued interest. */
const golden: Golden = JSON.parse(readFileSync(join(root, 'test/golden/credit/returns.json'), 'utf8'))
const SAME = 1e-9

const cases = golden.rows.map(row => {
  const cell = (name: string) => row[golden.columns.indexOf(name)] ?? null
  const number = (name: string) => cell(name) as number
  const day = (name: string) => cell(name) as number | null
  const curveAt = (name: string) => golden.curves[number(name)] as SpotCurve
  return {
    bond: bond({
      coupon: number('coupon'),
      maturity: number('maturity'),
      accrualStart: day('accrualStart'),
      firstCoupon: day('firstCoupon'),
      lastRegularCoupon: day('lastRegularCoupon'),
      frequency: number('frequency') as Frequency,
      dayCount: cell('dayCount') as DayCount,
      endOfMonth: number('endOfMonth') === 1,
    }),
    ending: cell('ending'),
    settle: number('settle'),
    endSettle: number('endSettle'),
    curves: [curveAt('startCurve'), curveAt('endCurve')] as const,
    number,
  }
})

const largest = (miss: (each: (typeof cases)[number]) => number): number => Math.max(...cases.map(miss))
const off = (found: number, wanted: number): number =>
  Math.abs(found - wanted) / Math.max(1, Math.abs(wanted))

t.test('the certificate has coupons, maturities, calls and odd first and last periods', async t => {
  const count = (is: (each: (typeof cases)[number]) => boolean) => cases.filter(is).length
  t.ok(count(({ ending }) => ending === 'matured') > 100, 'matured')
  t.ok(count(({ ending }) => ending === 'called') > 100, 'called')
  t.ok(count(({ ending }) => ending === 'coupon') > 100, 'settled on a coupon day')
  t.ok(count(each => each.number('coupons') > 0) > 500, 'with a coupon')
  t.ok(count(each => each.bond.firstCoupon !== null && each.number('coupons') > 0) > 100, 'odd first period')
  t.ok(count(each => each.bond.lastRegularCoupon !== null) > 100, 'odd last period')
})

t.test("total returns are QuantLib's to a billionth", async t => {
  const worst = largest(({ bond, settle, endSettle, number }) => {
    const start = { settle, clean: number('startClean'), accrued: accruedInterest(bond, settle) }
    const end = redeemed(bond, endSettle, number('endClean'))
    const coupons = couponsPaid(bond, settle, endSettle)
    return Math.max(
      off(start.accrued, number('startAccrued')),
      off(end.accrued, number('endAccrued')),
      off(coupons, number('coupons')),
      off(totalReturn(start, end, { coupons, repaid: 0 }), number('total')),
    )
  })
  t.ok(worst < SAME, `largest difference ${worst}`)
})

t.test('returns of matched Treasuries are those of plain arithmetic to a billionth', async t => {
  const worst = largest(({ bond, settle, endSettle, curves: [before, after], number }) => {
    const years = zeroOfDuration(before, number('duration'))
    const flows = matchedFlowsReturn(
      cashFlows(bond, settle),
      { settle, curve: before },
      { settle: endSettle, curve: after },
    )
    return Math.max(
      off(years, number('zeroYears')),
      off(zeroReturn(before, after, years, (endSettle - settle) / 365), number('zero')),
      off(flows, number('flows')),
    )
  })
  t.ok(worst < SAME, `largest difference ${worst}`)
})
