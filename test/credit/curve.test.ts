import t from 'tap'
import { bond, yieldToMaturity } from '../../engine/credit/bond.ts'
import { parseDay } from '../../engine/credit/calendar.ts'
import {
  bootstrapSpot,
  discountFactor,
  interpolate,
  spreadToCurveBps,
  zSpread,
} from '../../engine/credit/curve.ts'
import { CurveHistory } from '../../engine/credit/curve-history.ts'
import { discountMargin } from '../../engine/credit/floating.ts'

const curve = {
  tenorYears: [1 / 12, 0.25, 0.5, 1, 2, 3, 5, 7, 10, 20, 30],
  ratePct: [4.37, 4.41, 4.31, 4.09, 3.9, 3.86, 3.97, 4.18, 4.43, 4.96, 4.96],
}

t.test('par yields are linear between tenors and flat beyond them, with a flag', async t => {
  t.strictSame(interpolate(curve, 4), { ratePct: (3.86 + 3.97) / 2, isExtrapolated: false })
  t.strictSame(interpolate(curve, 40), { ratePct: 4.96, isExtrapolated: true })
  t.strictSame(interpolate(curve, 0.01), { ratePct: 4.37, isExtrapolated: true })
  t.equal(interpolate({ tenorYears: [], ratePct: [] }, 5), null)
  t.equal(Math.round(spreadToCurveBps(5.43, curve, 10)!), 100)
})

t.test('a par bond discounted at the bootstrapped spot rates is worth par', async t => {
  const spot = bootstrapSpot(curve)!
  for (const years of [0.5, 1, 2, 3.5, 5, 10, 30]) {
    const coupon = interpolate(curve, years)!.ratePct / 2
    let price = 100 * discountFactor(spot, years)
    for (let half = 1; half <= years * 2; half++) price += coupon * discountFactor(spot, half / 2)
    t.ok(Math.abs(price - 100) < 1e-10, `${years} years`)
  }
})

t.test('a missing tenor is interpolated from its neighbours, for par and spot rates', async t => {
  // A curve as published before the 20-year returned, without 3 and 7 years, and without bills.
  const sparse = { tenorYears: [1, 2, 5, 10, 30], ratePct: [4.09, 3.9, 3.97, 4.43, 4.96] }
  t.strictSame(interpolate(sparse, 3), { ratePct: 3.9 + (3.97 - 3.9) / 3, isExtrapolated: false })
  t.strictSame(interpolate(sparse, 20), { ratePct: (4.43 + 4.96) / 2, isExtrapolated: false })
  t.strictSame(interpolate(sparse, 0.25), { ratePct: 4.09, isExtrapolated: true })
  const spot = bootstrapSpot(sparse)!
  const coupon = interpolate(sparse, 7)!.ratePct / 2
  let price = 100 * discountFactor(spot, 7)
  for (let half = 1; half <= 14; half++) price += coupon * discountFactor(spot, half / 2)
  t.ok(Math.abs(price - 100) < 1e-10)
})

t.test('par yields without positive discount factors have no spot curve', async t => {
  t.equal(bootstrapSpot({ tenorYears: [], ratePct: [] }), null)
  t.equal(bootstrapSpot({ tenorYears: [1, 30], ratePct: [1, 90] }), null)
})

t.test('over a flat curve the Z-spread is the difference of yields', async t => {
  const settle = parseDay('2025-12-15')
  const flat = { years: [0.5, 30], zeroPct: [2 * Math.log(1.02) * 100, 2 * Math.log(1.02) * 100] }
  const terms = bond({ coupon: 5, maturity: parseDay('2035-12-15') })
  const { ytm } = yieldToMaturity(terms, 96, settle)
  t.ok(Math.abs(zSpread(terms, 96, settle, flat).bps! - (ytm! - 4) * 100) < 1)
  t.strictSame(zSpread(terms, 0, settle, flat), { bps: null, reason: 'no_price' })
})

const day = parseDay('2025-07-11')
const history = new CurveHistory({
  day: [day - 1, day - 1, day, day, day],
  tenorYears: [1, 10, 1, 5, 10],
  ratePct: [4, 4.5, 4.1, 4.2, 4.6],
})

t.test('a day without a curve uses the last one, at most 7 days old', async t => {
  t.equal(history.at(day + 7)?.day, day)
  t.equal(history.servingDay(day + 7), day)
  t.equal(history.servingDay(day + 8), null)
  t.equal(history.at(day + 8), null)
  t.equal(history.at(day - 2), null)
  t.ok(Number.isNaN(history.interpolateAt(day + 8, 5)))
  t.equal(history.interpolateAt(day, 5), 4.2)
})

t.test('a curve says which tenors its day had', async t => {
  t.strictSame(history.tenorsAt(day - 1), [1, 10])
  t.strictSame(history.tenorsAt(day + 3), [1, 5, 10])
  t.strictSame(history.pointAt(day, 12), { ratePct: 4.6, isExtrapolated: true })
  t.equal(history.pointAt(day, 30), null)
})

t.test('lookups agree with the curve of their day in any order', async t => {
  const days = Array.from({ length: 500 }, (_, i) => day + i * 2)
  const many = new CurveHistory({
    day: days.flatMap(at => [at, at]),
    tenorYears: days.flatMap(() => [1, 10]),
    ratePct: days.flatMap((_, i) => [i, i + 1]),
  })
  const wrong = []
  for (let i = 0; i < 5000; i++) {
    const at = day + ((i * 7919) % 1001) - 2
    const expected = at < day || at > days.at(-1)! + 7 ? Number.NaN : Math.min(499, (at - day) >> 1)
    if (!Object.is(many.interpolateAt(at, 1), expected)) wrong.push(at)
  }
  t.strictSame(wrong, [])
})

t.test('curve rows out of order are refused', async t => {
  t.throws(() => new CurveHistory({ day: [day, day - 1], tenorYears: [1, 1], ratePct: [4, 4] }), RangeError)
})

t.test('a floater at par on its coupon date is worth its quoted margin', async t => {
  const note = {
    maturity: parseDay('2030-12-15'),
    frequency: 4 as const,
    quotedMarginBps: 120,
    floorBps: null,
  }
  const market = { settle: parseDay('2025-12-15'), cleanPrice: 100, indexPct: 4.3 }
  t.ok(Math.abs(discountMargin(note, market).bps! - 120) < 1e-6)
  t.ok(discountMargin(note, { ...market, cleanPrice: 99 }).bps! > 140)
  t.ok(Math.abs(discountMargin({ ...note, floorBps: 500 }, market).bps! - 120) < 1e-6)
  t.equal(discountMargin(note, { ...market, settle: note.maturity }).reason, 'matured')
})
