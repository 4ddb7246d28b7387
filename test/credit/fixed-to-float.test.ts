import t, { type Test } from 'tap'
import { accruedInterest, bond, modifiedDuration, yieldToMaturity } from '../../engine/credit/bond.ts'
import { addMonths, formatDay, parseDay } from '../../engine/credit/calendar.ts'
import { firstCouponThatAccrues } from '../../engine/credit/coupon-snap.ts'
import { looksFixedToFloat, type PublishedRisk } from '../../engine/credit/fixed-to-float.ts'

const settle = parseDay('2025-06-16')

/** Published figures, to two decimals, of a bond treated as redeemed so many months early. */
function published(
  { coupon, maturity, price }: { coupon: number; maturity: string; price: number },
  monthsEarly: number,
): PublishedRisk & { publishedYieldToWorst: number; publishedYieldToMaturity: number } {
  const day = parseDay(maturity)
  const terms = bond({ coupon, maturity: addMonths(day, -monthsEarly) })
  const { ytm } = yieldToMaturity(terms, price, settle)
  const held = yieldToMaturity(bond({ coupon, maturity: day }), price, settle).ytm!
  return {
    coupon,
    price,
    settle,
    maturity: day,
    publishedModifiedDuration: Number(modifiedDuration(terms, ytm!, settle).toFixed(2)),
    publishedYieldToWorst: Number(ytm!.toFixed(2)),
    publishedYieldToMaturity: Number(held.toFixed(2)),
  }
}

const seen = (t: Test, risk: PublishedRisk, lastFixed: string | null, name: string) => {
  const found = looksFixedToFloat(risk)
  t.equal(found === null ? null : formatDay(found), lastFixed, name)
}

t.test(
  'a published duration of a bullet one year shorter reveals debt that floats in its last year',
  async t => {
    for (const [maturity, lastFixed] of [
      ['2028-03-15', '2027-03-15'],
      ['2031-09-30', '2030-09-30'],
      ['2036-02-29', '2035-02-28'],
      ['2046-04-22', '2045-04-22'],
    ] as const)
      for (const price of [82, 99.5, 112]) {
        const risk = published({ coupon: 4.757, maturity, price }, 12)
        seen(t, { ...risk, publishedYieldToWorst: null }, lastFixed, `${maturity} at ${price}`)
      }
  },
)

t.test('a bullet is never mistaken for fixed-to-float', async t => {
  for (const maturity of ['2026-09-15', '2028-03-15', '2035-01-15', '2055-06-01', '2065-06-01'])
    for (const price of [70, 100, 125]) {
      const risk = { ...published({ coupon: 5.25, maturity, price }, 0), isFinancial: true }
      seen(t, risk, null, `${maturity} at ${price}`)
    }
})

t.test('an ordinary call before maturity is not a last fixed day', async t => {
  const bullet = published({ coupon: 8.875, maturity: '2030-07-15', price: 115.5 }, 0)
  const called = published({ coupon: 8.875, maturity: '2030-07-15', price: 115.5 }, 12)
  const risk = { ...bullet, publishedYieldToWorst: called.publishedYieldToWorst }
  seen(t, risk, null, 'of an industrial')
  seen(t, { ...risk, isFinancial: true }, null, 'of a bank')
})

t.test("a yield to worst reveals the last fixed day where the duration is still the bullet's", async t => {
  const terms = { coupon: 3.7, maturity: '2030-05-06', price: 97.6 }
  const [bullet, shorter] = [published(terms, 0), published(terms, 12)]
  const risk = {
    ...bullet,
    publishedYieldToWorst: shorter.publishedYieldToWorst,
    // The yield to maturity includes forecast floating coupons.
    publishedYieldToMaturity: bullet.publishedYieldToMaturity + 0.31,
  }
  seen(t, { ...risk, isFinancial: true }, '2029-05-06', 'of a bank')
  seen(t, risk, null, 'of an industrial, where it may be chance')
  const option = { ...risk, publishedModifiedDuration: bullet.publishedModifiedDuration * 0.88 }
  seen(t, option, '2029-05-06', 'of an industrial whose duration is no bullet’s')
})

t.test('a reset five years before maturity needs both its duration and its yield', async t => {
  const risk = published({ coupon: 5.948, maturity: '2038-01-19', price: 103.2 }, 60)
  seen(t, risk, '2033-01-19', 'both')
  seen(t, { ...risk, publishedYieldToWorst: null }, null, 'the duration alone')
})

t.test('a fixed-to-float bond is yielded to its last fixed day', async t => {
  const terms = bond({ coupon: 5, maturity: parseDay('2031-06-16') })
  const lastFixed = parseDay('2030-06-16')
  const { ytm } = yieldToMaturity({ ...terms, maturity: lastFixed, lastRegularCoupon: null }, 100, settle)
  t.equal(ytm?.toFixed(9), '5.000000000')
})

t.test('accrued interest shows whether a short first period was paid or merged into the next', async t => {
  const terms = bond({
    coupon: 6,
    maturity: parseDay('2035-12-01'),
    accrualStart: parseDay('2025-03-01'),
  })
  const day = (found: number | null) => (found === null ? null : formatDay(found))
  const later = parseDay('2025-07-01')
  // By the schedule's rule 90 days are paid alone, so 30 days have accrued; merged, 120 would have.
  t.equal(accruedInterest(terms, later), 0.5)
  t.equal(day(firstCouponThatAccrues(terms, 0.501, later)), null, 'as the rule has it')
  t.equal(day(firstCouponThatAccrues(terms, 1.998, later)), '2025-12-01', 'folded')
  t.equal(day(firstCouponThatAccrues(terms, 1.2, later)), null, 'neither')
  const short = { ...terms, accrualStart: parseDay('2025-04-15') }
  t.equal(day(firstCouponThatAccrues(short, 0.5, later)), '2025-06-01', 'a short period paid all the same')
  const old = { ...terms, accrualStart: parseDay('2020-03-01') }
  t.equal(day(firstCouponThatAccrues(old, 1.998, later)), null, 'not of an old bond')
})
