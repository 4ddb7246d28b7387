import t, { type Test } from 'tap'
import {
  accruedInterest,
  bond,
  cashFlows,
  cleanPrice,
  convexity,
  dv01,
  macaulayDuration,
  yieldToCall,
  yieldToMaturity,
  yieldToWorst,
} from '../../engine/credit/bond.ts'
import { formatDay, parseDay } from '../../engine/credit/calendar.ts'
import { couponThatAccrues, snapToEighth } from '../../engine/credit/coupon-snap.ts'
import { days30360 } from '../../engine/credit/day-count.ts'
import { dirtyFromFlows } from '../../engine/credit/solve-yield.ts'

const near = (t: Test, found: number | null, expected: number, tolerance: number, name?: string) =>
  t.ok(found !== null && Math.abs(found - expected) <= tolerance, name ?? `${found} is ${expected}`)

t.test("bonds from QuantLib's own tests have its prices and yields", async t => {
  // QuantLib test-suite/bonds.cpp, testCached bond1 and bond2: 2.5% 2004-10-31 to 2006-10-31, 3.5% to 2009-11-15.
  const settle = parseDay('2004-11-23')
  const first = bond({ coupon: 2.5, maturity: parseDay('2006-10-31'), dayCount: 'ACT/ACT' })
  near(t, cleanPrice(first, 2.925, settle), 99.204505, 1e-6)
  near(t, yieldToMaturity(first, 99.203125, settle).ytm, 2.9257, 1e-4)
  const second = bond({ coupon: 3.5, maturity: parseDay('2009-11-15'), dayCount: 'ACT/ACT' })
  near(t, cleanPrice(second, 3.569, settle), 99.687192, 1e-6)
  near(t, yieldToMaturity(second, 99.6875, settle).ytm, 3.5689, 1e-4)
})

t.test('a bond settled on the 31st has the published risk and accrued interest', async t => {
  // QuantLib test-suite/bonds.cpp, testThirty360BondWithSettlementOn31st: CUSIP 3130A0X70, market data.
  const settle = parseDay('2017-07-31')
  const agency = bond({
    coupon: 1.5,
    maturity: parseDay('2018-08-13'),
    accrualStart: parseDay('2014-02-13'),
  })
  near(t, yieldToMaturity(agency, 100, settle).ytm, 1.5, 0.01)
  near(t, macaulayDuration(agency, 1.5, settle), 1.022, 0.001)
  near(t, convexity(agency, 1.5, settle) / 100, 0.015, 0.001)
  near(t, accruedInterest(agency, settle), 0.7, 1e-6)
})

t.test('the last day of February counts as the 30th only for bonds that pay on month ends', async t => {
  const days = (from: string, to: string, endOfMonth: boolean) =>
    days30360(parseDay(from), parseDay(to), endOfMonth)
  t.equal(days('2025-02-28', '2025-08-31', true), 180)
  t.equal(days('2025-02-28', '2025-08-28', false), 180)
  t.equal(days('2024-02-29', '2025-02-28', true), 360)
  t.equal(days('2025-01-31', '2025-03-31', false), 60)
  t.equal(days('2025-01-15', '2025-03-31', false), 76)
})

t.test('a first period under 75 days is merged into a long first coupon', async t => {
  const settle = parseDay('2025-12-18')
  const terms = { coupon: 4.875, maturity: parseDay('2035-11-15') }
  const folded = cashFlows(bond({ ...terms, accrualStart: parseDay('2025-11-03') }), settle)
  t.equal(formatDay(folded.days[0]!), '2026-05-15')
  near(t, folded.accrued, (4.875 * 45) / 360, 1e-12)
  near(t, folded.amounts[0]!, (4.875 * 192) / 360, 1e-12)
  const paid = cashFlows(bond({ ...terms, accrualStart: parseDay('2025-08-15') }), parseDay('2025-09-15'))
  t.equal(formatDay(paid.days[0]!), '2025-11-15')
  near(t, paid.amounts[0]!, (4.875 * 90) / 360, 1e-12)
})

t.test('a stated first coupon date takes precedence over the rule', async t => {
  const terms = bond({
    coupon: 6,
    maturity: parseDay('2035-11-15'),
    accrualStart: parseDay('2025-11-03'),
    firstCoupon: parseDay('2025-11-15'),
  })
  const flows = cashFlows(terms, parseDay('2025-11-10'))
  near(t, flows.amounts[0]!, (6 * 12) / 360, 1e-12)
  t.equal(flows.days.length, 21)
})

t.test('a single payment left is discounted with simple interest', async t => {
  const last = bond({ coupon: 5, maturity: parseDay('2026-03-18') })
  near(t, dirtyFromFlows(cashFlows(last, parseDay('2025-12-18')), 4).price, 102.5 / (1 + 0.04 / 4), 1e-12)
})

t.test('DV01 is the price change in cents for one basis point', async t => {
  const settle = parseDay('2025-12-18')
  const ten = bond({ coupon: 5, maturity: parseDay('2035-12-18') })
  const fall = (cleanPrice(ten, 4.995, settle) - cleanPrice(ten, 5.005, settle)) * 100
  near(t, dv01(ten, 5, settle), fall, 1e-6)
})

t.test('yield to worst of a premium bond is to its call', async t => {
  const settle = parseDay('2025-12-18')
  const callable = bond({ coupon: 7, maturity: parseDay('2032-12-15') })
  const calls = [
    { day: parseDay('2025-06-15'), price: 105 },
    { day: parseDay('2027-12-15'), price: 103.5 },
    { day: parseDay('2029-12-15'), price: 100 },
  ]
  const worst = yieldToWorst(callable, 106, settle, calls)
  const toEach = calls.slice(1).map(call => yieldToCall(callable, 106, settle, call).ytm!)
  t.equal(worst.ytw, Math.min(...toEach))
  t.equal(yieldToWorst(callable, 90, settle, calls).ytw, yieldToMaturity(callable, 90, settle).ytm)
})

t.test('a call between coupon dates pays the interest accrued to it', async t => {
  const settle = parseDay('2025-12-15')
  const par = bond({ coupon: 6, maturity: parseDay('2030-12-15') })
  const flows = cashFlows(par, settle, { day: parseDay('2026-09-15'), price: 100 })
  t.strictSame(flows.days.map(formatDay), ['2026-06-15', '2026-09-15'])
  near(t, flows.amounts[1]!, 101.5, 1e-12)
})

t.test('a coupon rounded to two decimals is read as an eighth if half-up rounding gives it', async t => {
  t.equal(snapToEighth(3.88), 3.875)
  t.equal(snapToEighth(4.13), 4.125)
  t.equal(snapToEighth(4.12), 4.12)
  t.equal(snapToEighth(4.5), 4.5)
  t.equal(snapToEighth(4.7), 4.7)
})

t.test('accrued interest reveals a step-up', async t => {
  const settle = parseDay('2025-12-18')
  const stepped = bond({
    coupon: 8.5,
    maturity: parseDay('2031-03-01'),
    accrualStart: parseDay('2001-09-01'),
  })
  t.equal(couponThatAccrues(stepped, 2.6714, settle), 9)
  t.equal(couponThatAccrues(stepped, 2.53, settle), 8.5)
  t.equal(couponThatAccrues({ ...stepped, accrualStart: parseDay('2025-07-01') }, 2.6714, settle), 8.5)
})
