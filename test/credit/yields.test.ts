import t from 'tap'
import {
  accruedInterest,
  bond,
  convexity,
  dv01,
  modifiedDuration,
  yieldToMaturity,
} from '../../engine/credit/bond.ts'
import { addMonths, parseDay } from '../../engine/credit/calendar.ts'
import type { Frequency } from '../../engine/credit/terms.ts'
import { NO_YIELD_REASONS } from '../../engine/credit/terms.ts'
import { type BondColumns, bondAnalytics, DAY_COUNTS, NO_DAY } from '../../engine/credit/yields.ts'

/** A repeatable source of numbers in [0, 1). */
function randomly(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function generate(rows: number, seed: number): Required<BondColumns> {
  const next = randomly(seed)
  const upTo = (n: number) => Math.floor(next() * n)
  const columns = {
    coupon: new Float64Array(rows),
    price: new Float64Array(rows),
    settle: new Int32Array(rows),
    maturity: new Int32Array(rows),
    accrualStart: new Int32Array(rows),
    firstCoupon: new Int32Array(rows),
    frequency: new Uint8Array(rows),
    dayCount: new Uint8Array(rows),
    isDefaulted: new Uint8Array(rows),
  }
  for (let i = 0; i < rows; i++) {
    columns.coupon[i] = next() < 0.1 ? 0 : upTo(120) / 8
    columns.price[i] = next() < 0.5 ? 60 + next() * 80 : 1 + next() * 299
    columns.settle[i] = 10_000 + upTo(15_000)
    columns.maturity[i] = columns.settle[i]! + 1 + upTo(next() < 0.3 ? 900 : 36_525)
    columns.accrualStart[i] = next() < 0.5 ? NO_DAY : columns.settle[i]! - upTo(500) + 10
    columns.firstCoupon[i] = next() < 0.8 ? NO_DAY : columns.accrualStart[i]! + upTo(400)
    columns.frequency[i] = [1, 2, 2, 2, 3, 4, 6, 12][upTo(8)]!
    columns.dayCount[i] = next() < 0.5 ? upTo(DAY_COUNTS.length) : 0
    columns.isDefaulted[i] = next() < 0.01 ? 1 : 0
  }
  return columns
}

t.test(
  'the column solver and the single-bond functions agree on yield, risk and accrued interest',
  async t => {
    const columns = generate(6_000, 7)
    const out = bondAnalytics(columns)
    const differing: unknown[] = []
    for (let i = 0; i < columns.coupon.length; i++) {
      const accrualStart = columns.accrualStart[i]!
      const settle = columns.settle[i]!
      const alone = bond({
        coupon: columns.coupon[i]!,
        maturity: columns.maturity[i]!,
        frequency: columns.frequency[i] as Frequency,
        dayCount: DAY_COUNTS[columns.dayCount[i]!]!,
        accrualStart: accrualStart === NO_DAY ? null : accrualStart,
        firstCoupon: columns.firstCoupon[i] === NO_DAY ? null : columns.firstCoupon[i]!,
        isDefaulted: columns.isDefaulted[i] === 1,
      })
      const { ytm, reason } = yieldToMaturity(alone, columns.price[i]!, settle)
      const expected =
        ytm === null
          ? [Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN]
          : [
              ytm,
              modifiedDuration(alone, ytm, settle),
              convexity(alone, ytm, settle),
              dv01(alone, ytm, settle),
              accruedInterest(alone, settle),
            ]
      const found = [out.ytm[i]!, out.modDuration[i]!, out.convexity[i]!, out.dv01[i]!, out.accrued[i]!]
      const agrees = found.every(
        (value, j) =>
          Object.is(value, expected[j]) ||
          Math.abs(value - expected[j]!) <= 1e-9 * Math.max(1, Math.abs(value)),
      )
      if (!agrees || NO_YIELD_REASONS[out.reason[i]!] !== reason)
        differing.push({ alone, settle, expected, found })
    }
    t.strictSame(differing.slice(0, 3), [])
  },
)

t.test('every price from 1 to 300 and maturity from a day to 100 years has a yield', async t => {
  const settle = parseDay('2025-12-18')
  const missing: unknown[] = []
  for (const coupon of [0, 0.125, 5, 14])
    for (const days of [1, 2, 30, 181, 183, 200, 366, 3652, 10_957, 36_524])
      for (const price of [1, 5, 20, 60, 100, 150, 300]) {
        const { ytm, reason } = yieldToMaturity(bond({ coupon, maturity: settle + days }), price, settle)
        if (ytm === null) missing.push({ coupon, days, price, reason })
      }
  t.strictSame(missing, [])
})

t.test('a bond without a yield has a reason', async t => {
  const settle = parseDay('2025-12-18')
  const five = bond({ coupon: 5, maturity: parseDay('2030-06-15') })
  t.equal(yieldToMaturity(five, 0, settle).reason, 'no_price')
  t.equal(yieldToMaturity(five, Number.NaN, settle).reason, 'no_price')
  t.equal(yieldToMaturity({ ...five, coupon: Number.NaN }, 99, settle).reason, 'no_terms')
  t.equal(yieldToMaturity(five, 99, five.maturity).reason, 'matured')
  t.equal(yieldToMaturity({ ...five, isDefaulted: true }, 30, settle).reason, 'defaulted')
  t.equal(yieldToMaturity({ ...five, frequency: 5 as Frequency }, 99, settle).reason, 'no_terms')
  const thirtyFirst = bond({ coupon: 5, maturity: parseDay('2026-01-31') })
  t.equal(yieldToMaturity(thirtyFirst, 99, parseDay('2026-01-30')).reason, 'no_time_left')
})

for (const [code, dayCount] of DAY_COUNTS.entries())
  t.test(`many ${dayCount} yields are computed at once, without an object each`, async t => {
    const rows = 100_000
    const columns = generate(rows, 11)
    columns.frequency.fill(2)
    columns.dayCount.fill(code)
    columns.firstCoupon.fill(NO_DAY)
    for (let i = 0; i < rows; i++)
      columns.maturity[i] = addMonths(columns.settle[i]! + (i % 180), 12 + (i % 348))
    columns.price = columns.price.map(price => 70 + price / 6)
    bondAnalytics(columns)
    // Processor time of this process, independent of other load.
    const before = process.cpuUsage()
    bondAnalytics(columns)
    const { user, system } = process.cpuUsage(before)
    const perSecond = Math.round((rows / (user + system)) * 1e6)
    t.comment(`${perSecond} yields a second`)
    // A tenth of what a slow core does: only a path of another kind is slower.
    t.ok(perSecond > (code < 2 ? 30_000 : 10_000))
  })
