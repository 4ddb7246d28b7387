import fc from 'fast-check'
import t from 'tap'
import { bond, cashFlows, cleanPrice, yieldToMaturity } from '../../engine/credit/bond.ts'
import { addMonths, isEndOfMonth, parseDay } from '../../engine/credit/calendar.ts'
import { bootstrapSpot, spotRate, zSpread } from '../../engine/credit/curve.ts'
import { discountMargin } from '../../engine/credit/floating.ts'
import { couponPeriods } from '../../engine/credit/schedule.ts'
import {
  dirtyFromFlows,
  LEAST_LOG_GROWTH,
  MOST_LOG_GROWTH,
  solveYield,
} from '../../engine/credit/solve-yield.ts'
import { type Bond, type Frequency, NO_YIELD_REASONS } from '../../engine/credit/terms.ts'
import { bondAnalytics, DAY_COUNTS, NO_DAY } from '../../engine/credit/yields.ts'

// The same cases in every run.
fc.configureGlobal({ seed: 20_251_218 })

const frequencies: readonly Frequency[] = [1, 2, 3, 4, 6, 12]

const settleDay = fc.oneof(
  fc.integer({ min: parseDay('1980-01-01'), max: parseDay('2060-12-31') }),
  fc
    .constantFrom('2024-02-29', '2025-02-28', '2025-01-31', '2025-03-31', '2025-08-30', '2024-12-31')
    .map(parseDay),
)

const price = fc.oneof(
  { weight: 3, arbitrary: fc.double({ min: 1, max: 300, noNaN: true }) },
  fc.constantFrom(1, 100, 300, 0.01, 1e-9, 1e6),
)

/** Terms of every kind, and a settlement day before maturity, also on coupon dates and the last day. */
const held = fc
  .record({
    settle: settleDay,
    left: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 36_525 })),
    couponsLeft: fc.option(fc.integer({ min: 1, max: 40 }), { freq: 2 }),
    coupon: fc.oneof(fc.constant(0), fc.double({ min: 0.125, max: 30, noNaN: true })),
    frequency: fc.constantFrom(...frequencies),
    dayCount: fc.constantFrom(...DAY_COUNTS),
    accruedDays: fc.option(fc.integer({ min: -30, max: 800 })),
    firstCouponAfter: fc.option(fc.integer({ min: 1, max: 600 })),
    oddLastDays: fc.option(fc.integer({ min: 1, max: 500 }), { freq: 2 }),
    paysOnMonthEnds: fc.boolean(),
  })
  .map(of => {
    const { settle, frequency, accruedDays } = of
    const maturity = of.couponsLeft ? addMonths(settle, (of.couponsLeft * 12) / frequency) : settle + of.left
    const accrualStart = accruedDays === null ? null : settle - accruedDays
    const terms: Bond = bond({
      coupon: of.coupon,
      maturity,
      frequency,
      dayCount: of.dayCount,
      accrualStart,
      firstCoupon:
        accrualStart === null || of.firstCouponAfter === null ? null : accrualStart + of.firstCouponAfter,
      lastRegularCoupon: of.oddLastDays === null ? null : maturity - of.oddLastDays,
    })
    const anchor = terms.lastRegularCoupon ?? maturity
    return { settle, bond: { ...terms, endOfMonth: isEndOfMonth(anchor) && of.paysOnMonthEnds } }
  })

/** Equal within 1e-8 of par, or relatively for prices far above par. */
const isSamePrice = (a: number, b: number) => Math.abs(a - b) <= 1e-8 * Math.max(1, Math.abs(b) / 300)

const dirtyAtGrowth = (flows: ReturnType<typeof cashFlows>, logGrowth: number) =>
  dirtyFromFlows(flows, Math.expm1(logGrowth) * flows.frequency * 100).price

t.test('a yield reproduces its price, and a missing yield has a true reason', async () => {
  fc.assert(
    fc.property(held, price, ({ settle, bond }, clean) => {
      const { ytm, reason } = yieldToMaturity(bond, clean, settle)
      if (ytm !== null) return isSamePrice(cleanPrice(bond, ytm, settle), clean)
      if (reason === 'no_terms') return bond.accrualStart !== null && bond.accrualStart >= bond.maturity
      const flows = cashFlows(bond, settle)
      // From the 31st to the 1st, and from the 30th to the 31st, 30/360 counts no day.
      if (reason === 'no_time_left') return bond.dayCount === '30/360' && bond.maturity - settle === 1
      const dirty = clean + flows.accrued
      return (
        reason === 'no_convergence' &&
        (dirtyAtGrowth(flows, LEAST_LOG_GROWTH) < dirty || dirtyAtGrowth(flows, MOST_LOG_GROWTH) > dirty)
      )
    }),
    { numRuns: 15_000 },
  )
})

t.test('regular bonds at prices from 1 to 300 always have a yield', async () => {
  const fair = fc.oneof(fc.double({ min: 1, max: 300, noNaN: true }), fc.constantFrom(1, 300))
  fc.assert(
    fc.property(held, fair, ({ settle, bond }, clean) => {
      const regular = { ...bond, accrualStart: null, lastRegularCoupon: null, endOfMonth: false }
      const { reason } = yieldToMaturity(regular, clean, settle)
      return reason === null || (reason === 'no_time_left' && bond.maturity - settle === 1)
    }),
    { numRuns: 5_000 },
  )
})

t.test('the column solver and the single-bond solver agree for all terms', async () => {
  const day = (known: number | null) => Int32Array.of(known ?? NO_DAY)
  fc.assert(
    fc.property(held, price, ({ settle, bond: terms }, clean) => {
      const { coupon, maturity, frequency, dayCount, accrualStart, firstCoupon } = terms
      const alone = bond({ coupon, maturity, frequency, dayCount, accrualStart, firstCoupon })
      const out = bondAnalytics({
        coupon: Float64Array.of(coupon),
        price: Float64Array.of(clean),
        settle: day(settle),
        maturity: day(maturity),
        accrualStart: day(accrualStart),
        firstCoupon: day(firstCoupon),
        frequency: Uint8Array.of(frequency),
        dayCount: Uint8Array.of(DAY_COUNTS.indexOf(dayCount)),
      })
      const { ytm, reason } = yieldToMaturity(alone, clean, settle)
      const found = out.ytm[0]!
      if (NO_YIELD_REASONS[out.reason[0]!] !== reason) return false
      // A billionth of par added to accrued interest has lost its digits: only the price can agree.
      if (ytm === null) return Number.isNaN(found)
      return clean < 0.01
        ? isSamePrice(cleanPrice(alone, found, settle), clean)
        : Math.abs(found - ytm) <= 1e-9 * Math.max(1, Math.abs(ytm))
    }),
    { numRuns: 15_000 },
  )
})

t.test('the search ends with a finite yield or a reason for any cash flows', async () => {
  const any = fc.double()
  const flows = fc.array(fc.tuple(any, any), { minLength: 0, maxLength: 5 })
  fc.assert(
    fc.property(flows, any, (pairs, dirty) => {
      const { ytm, reason } = solveYield(
        { frequency: 2, periods: pairs.map(([at]) => at), amounts: pairs.map(([, amount]) => amount) },
        dirty,
      )
      return ytm === null ? reason !== null : Number.isFinite(ytm)
    }),
    { numRuns: 5_000 },
  )
})

t.test('flows discounted at spot rates and the Z-spread are worth the price', async () => {
  const spot = bootstrapSpot({ tenorYears: [0.25, 1, 5, 10, 30], ratePct: [5.4, 4.9, 4.2, 4.3, 4.6] })!
  fc.assert(
    fc.property(held, fc.double({ min: 1, max: 300, noNaN: true }), ({ settle, bond }, clean) => {
      const { bps, reason } = zSpread(bond, clean, settle, spot)
      // A price far from par with hardly any time left.
      const isHopeless = reason === 'no_convergence' && bond.maturity - settle < 100
      if (bps === null) return isHopeless || reason === yieldToMaturity(bond, clean, settle).reason
      const flows = cashFlows(bond, settle)
      const worth = flows.days.reduce((sum, day, i) => {
        const t = (day - settle) / 365
        const growth = Math.exp(spotRate(spot, t) / 200) + bps / 20_000
        return sum + flows.amounts[i]! * growth ** (-2 * t)
      }, -flows.accrued)
      return isSamePrice(worth, clean)
    }),
    { numRuns: 3_000 },
  )
})

t.test('flows discounted at the index and the discount margin are worth the price', async () => {
  const notes = fc.record({
    settle: settleDay,
    left: fc.integer({ min: 1, max: 11_000 }),
    frequency: fc.constantFrom(...frequencies),
    quotedMarginBps: fc.integer({ min: 0, max: 1_500 }),
    floorBps: fc.option(fc.integer({ min: 0, max: 300 })),
    indexPct: fc.double({ min: -0.5, max: 12, noNaN: true }),
    currentCouponPct: fc.double({ min: 0, max: 15, noNaN: true }),
    cleanPrice: fc.double({ min: 1, max: 200, noNaN: true }),
  })
  fc.assert(
    fc.property(notes, ({ settle, left, frequency, quotedMarginBps, floorBps, ...market }) => {
      const maturity = settle + left
      const { bps } = discountMargin(
        { maturity, frequency, quotedMarginBps, floorBps },
        { settle, ...market },
      )
      if (bps === null) return false
      const index = Math.max(market.indexPct, (floorBps ?? Number.NEGATIVE_INFINITY) / 100)
      const rate = index / 100 + bps / 10_000
      const endOfMonth = isEndOfMonth(maturity)
      const periods = couponPeriods(
        { maturity, frequency, accrualStart: null, firstCoupon: null, lastRegularCoupon: null, endOfMonth },
        settle,
      )
      let [discount, worth] = [1, 0]
      for (const [i, { start, end }] of periods.entries()) {
        const coupon = i === 0 ? market.currentCouponPct : index + quotedMarginBps / 100
        discount /= 1 + (rate * (end - Math.max(start, settle))) / 360
        worth += discount * ((coupon * (end - start)) / 360 + (end === maturity ? 100 : 0))
      }
      const accrued = (market.currentCouponPct * (settle - periods[0]!.start)) / 360
      return isSamePrice(worth - accrued, market.cleanPrice)
    }),
    { numRuns: 3_000 },
  )
})
