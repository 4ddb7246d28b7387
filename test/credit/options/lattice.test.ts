import t, { type Test } from 'tap'
import { bond } from '../../../engine/credit/bond.ts'
import { addMonths, parseDay } from '../../../engine/credit/calendar.ts'
import { discountFactor, zSpread } from '../../../engine/credit/curve.ts'
import { Lattice } from '../../../engine/credit/options/lattice.ts'
import {
  effectiveRisk,
  KEY_TENORS,
  keyRateDurations,
  movedUpTo,
  spreadDuration,
  spreadOfPrice,
} from '../../../engine/credit/options/measures.ts'
import {
  latticeScratch,
  type OptionTerms,
  withOptions,
  withoutOptions,
} from '../../../engine/credit/options/priced-bond.ts'
import { floatingFlows, promisedFlows } from '../../../engine/credit/options/promised.ts'
import type { ExerciseRight } from '../../../engine/credit/options/rights.ts'

const curve = { years: [0, 1, 2, 5, 10, 30], zeroPct: [4.3, 4.1, 3.8, 3.9, 4.3, 4.7] }
const settle = parseDay('2025-06-15')
const terms = bond({ coupon: 7.25, maturity: parseDay('2034-09-01') })
const model = { volatility: 0.01, reversion: 0.03, steps: 120 }
const scratch = latticeScratch(new Lattice())
const flows = promisedFlows(terms, settle)
const straight = withoutOptions(flows, curve)

const yearly = (from: string, prices: readonly number[]) =>
  prices.map((price, i) => ({ day: addMonths(parseDay(from), 12 * i), price }))
const calls: ExerciseRight = { style: 'bermudan', dates: yearly('2027-09-01', [103, 102, 101, 100]) }
const puts: ExerciseRight = { style: 'bermudan', dates: yearly('2028-09-01', [100]) }

const laidOut = (rights: Partial<OptionTerms>, how = model) =>
  withOptions({ bond: terms, flows, calls: null, puts: null, ...rights }, curve, how, scratch)!

const near = (test: Test, a: number, b: number, within: number, says: string) =>
  test.ok(Math.abs(a - b) <= within, `${says}: ${a} and ${b}`)

t.test('the lattice prices every discount bond of the curve', async t => {
  const lattice = new Lattice()
  const days = [30, 200, 365, 1100, 3650]
  const levels = lattice.layOut(days, 80, model)
  const discount = Float64Array.from({ length: lattice.steps + 1 }, (_, i) =>
    discountFactor(curve, lattice.years[i]!),
  )
  for (const [n, level] of levels.entries()) {
    const size = lattice.steps + 1
    const payment = new Float64Array(size)
    payment[level] = 1
    const value = lattice.value(discount, {
      payment,
      ceiling: new Float64Array(size).fill(Number.POSITIVE_INFINITY),
      floor: new Float64Array(size).fill(Number.NEGATIVE_INFINITY),
    })
    near(t, value, discountFactor(curve, days[n]! / 365), 1e-14, `${days[n]} days`)
  }
})

t.test('a callable bond is worth the bond without its call less the option, a puttable one more', async t => {
  const full = straight.dirty(0.02)
  const callable = laidOut({ calls }).dirty(0.02)
  const puttable = laidOut({ puts }).dirty(0.06)
  t.ok(callable < full - 1)
  t.ok(puttable > straight.dirty(0.06) + 1)
  const never = laidOut({ calls: { style: 'bermudan', dates: yearly('2027-09-01', [1000]) } })
  near(t, never.dirty(0.02), full, 1e-11, 'a call that never pays costs nothing')
  const american = laidOut({ calls: { ...calls, style: 'american' } }).dirty(0.02)
  const european = laidOut({ calls: { ...calls, style: 'european' } }).dirty(0.02)
  t.ok(american < callable && callable < european, 'more days to call are worth more')
})

t.test('without volatility a callable bond is worth the cheapest of its redemptions', async t => {
  const still = { ...model, volatility: 0 }
  const priced = laidOut({ calls }, still)
  for (const spread of [0, 0.02, 0.05]) {
    const redeemed = [...calls.dates, { day: terms.maturity, price: 100 }].map(({ day, price }) => {
      const paid = flows.days.map((at, i) =>
        at > day ? 0 : flows.amounts[i]! - (at === terms.maturity ? 100 : 0),
      )
      const last = flows.days.indexOf(day)
      paid[last]! += price
      return withoutOptions({ ...flows, amounts: paid }, curve).dirty(spread)
    })
    // The curve is not far from flat: deciding at each date gives the least of the values today.
    near(t, priced.dirty(spread), Math.min(...redeemed), 0.05, `at ${spread}`)
  }
  const once = laidOut({ calls: { style: 'european', dates: calls.dates } }, still)
  const [first] = calls.dates
  const paid = flows.days.map((at, i) =>
    at < first!.day ? flows.amounts[i]! : at === first!.day ? flows.amounts[i]! + 103 : 0,
  )
  near(
    t,
    once.dirty(0),
    withoutOptions({ ...flows, amounts: paid }, curve).dirty(0),
    1e-10,
    'called for certain',
  )
})

t.test('the spread of a price gives the price, and without options it is the Z-spread', async t => {
  for (const rights of [{ calls }, { puts }, { calls, puts }]) {
    const priced = laidOut(rights)
    for (const spread of [-0.01, 0.004, 0.03, 0.2]) {
      const found = spreadOfPrice(priced, priced.dirty(spread))
      near(t, found!, spread, 1e-9, 'spread')
      near(t, priced.dirty(found!), priced.dirty(spread), 1e-7, 'price')
    }
  }
  const { bps } = zSpread(terms, 96.5, settle, curve)
  near(t, spreadOfPrice(straight, 96.5 + straight.accrued)! * 10_000, bps!, 1e-6, 'Z-spread')
  t.equal(spreadOfPrice(straight, 0), null)
})

t.test('key-rate bumps sum to a parallel shift, and key-rate durations to the effective one', async t => {
  const all = movedUpTo(KEY_TENORS, KEY_TENORS.length)
  for (const years of [0, 0.1, 0.25, 0.7, 4, 12, 29, 45]) {
    const bumps = KEY_TENORS.map(
      (_, key) => movedUpTo(KEY_TENORS, key + 1)(years) - movedUpTo(KEY_TENORS, key)(years),
    )
    near(
      t,
      bumps.reduce((sum, bump) => sum + bump, 0),
      all(years),
      1e-15,
      `${years} years`,
    )
    t.ok(bumps.every(bump => bump >= 0))
  }
  for (const priced of [
    straight,
    laidOut({ calls: { ...calls, style: 'american' } }),
    laidOut({ calls, puts }),
  ]) {
    const { duration } = effectiveRisk(priced, 0.02, 0.001)
    const keys = keyRateDurations(priced, 0.02, 0.001)
    near(
      t,
      keys.reduce((sum, key) => sum + key, 0),
      duration,
      1e-10,
      'sum',
    )
    t.strictSame(
      keys.slice(-2).map(key => Math.abs(key) < 1e-9),
      [true, true],
      'nothing beyond its life',
    )
  }
})

t.test('effective duration and convexity are those of the cash flows where there is no option', async t => {
  const { duration, convexity } = effectiveRisk(straight, 0.01, 0.0001)
  const wanted = (power: number) => {
    let sum = 0
    for (const [i, day] of flows.days.entries()) {
      const years = (day - settle) / 365
      const growth = discountFactor(curve, years) ** (-0.5 / years) + 0.005
      const weight = power === 1 ? years / growth : (years * (years + 0.5)) / growth ** 2
      sum += flows.amounts[i]! * growth ** (-2 * years) * weight
    }
    return sum / straight.dirty(0.01)
  }
  near(t, duration, wanted(1), 1e-6, 'duration')
  near(t, convexity, wanted(2), 1e-3, 'convexity')
  near(t, spreadDuration(straight, 0.01, 0.0001), duration, 1e-12, 'spread duration of fixed coupons')
})

t.test('a callable bond that is about to be called has a short duration and negative convexity', async t => {
  const priced = laidOut({ calls: { ...calls, style: 'american' } })
  const at = effectiveRisk(priced, 0.02, 0.0025)
  const free = effectiveRisk(straight, 0.02, 0.0025)
  t.ok(at.duration < free.duration)
  t.ok(at.convexity < 0 && free.convexity > 0)
})

t.test('a sinking fund shortens a bond, and its call price is on what is outstanding', async t => {
  const sinks = yearly('2030-09-01', [0, 0, 0, 0]).map(({ day }) => ({ day, amount: 20 }))
  const sinking = promisedFlows(terms, settle, sinks)
  t.equal(sinking.balances.at(-1), 20)
  near(
    t,
    sinking.amounts.reduce((sum, amount) => sum + amount, 0),
    100 + coupons(sinking.balances),
    1e-9,
    'paid in all',
  )
  const free = withoutOptions(sinking, curve)
  t.ok(effectiveRisk(free, 0.02, 0.001).duration < effectiveRisk(straight, 0.02, 0.001).duration)
  const dates = [{ day: parseDay('2032-09-01'), price: 100 }]
  const called = withOptions(
    { bond: terms, flows: sinking, calls: { style: 'bermudan', dates }, puts: null },
    curve,
    { ...model, volatility: 0 },
    scratch,
  )!
  const cut = sinking.amounts.map((amount, i) => {
    const day = sinking.days[i]!
    return day > dates[0]!.day ? 0 : amount + (day === dates[0]!.day ? sinking.balances[i + 1]! : 0)
  })
  near(
    t,
    called.dirty(0),
    withoutOptions({ ...sinking, amounts: cut }, curve).dirty(0),
    1e-10,
    'called for certain',
  )
  t.throws(() => promisedFlows(terms, settle, [{ day: parseDay('2030-09-02'), amount: 20 }]), RangeError)
})

const coupons = (balances: readonly number[]) =>
  balances.reduce((sum, balance) => sum + (balance * 7.25) / 200, 0)

t.test('a floating-rate note moves with its spread and hardly with rates', async t => {
  const note = {
    maturity: parseDay('2030-06-15'),
    frequency: 4 as const,
    quotedMarginBps: 150,
    floorBps: null,
  }
  const index = { settle, curve, currentCouponPct: null }
  const priced = withoutOptions(move => floatingFlows(note, index, false, move), curve)
  const spread = spreadOfPrice(priced, 99)!
  t.ok(spreadDuration(priced, spread, 0.001) > 4)
  const { duration } = effectiveRisk(priced, spread, 0.001)
  // The running coupon is set: rates move the price as long as it runs.
  t.ok(duration > 0.15 && duration < 0.26)
  const keys = keyRateDurations(priced, spread, 0.001)
  near(
    t,
    keys.reduce((sum, key) => sum + key, 0),
    duration,
    1e-10,
    'sum',
  )
})

t.test('bonds laid out one after the other do not disturb each other', async t => {
  const first = laidOut({ calls }).dirty(0.02)
  laidOut({ puts }, { volatility: 0.02, reversion: 0, steps: 400 }).dirty(0.02)
  t.equal(laidOut({ calls }).dirty(0.02), first)
})
