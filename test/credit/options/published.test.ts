import t from 'tap'
import { accruedInterest, bond } from '../../../engine/credit/bond.ts'
import { parseDay } from '../../../engine/credit/calendar.ts'
import { Lattice } from '../../../engine/credit/options/lattice.ts'
import { effectiveRisk, spreadOfPrice } from '../../../engine/credit/options/measures.ts'
import { latticeScratch, withOptions, withoutOptions } from '../../../engine/credit/options/priced-bond.ts'
import { promisedFlows } from '../../../engine/credit/options/promised.ts'

// Cases of QuantLib's test-suite/callablebonds.cpp (commit 2a13d455), copyright its authors, under the QuantLib licence.

const scratch = latticeScratch(new Lattice())
const flat = (pct: number) => ({ years: [0, 50], zeroPct: [pct, pct] })

t.test('the stored price of a bond that is called at 110 every other year', async t => {
  const settle = parseDay('2004-06-08')
  // Modified following in the TARGET calendar; amounts are 5% by 30/360 between adjusted dates.
  const dates = [
    ...['2004-08-24', '2005-02-24', '2005-08-24', '2006-02-24', '2006-08-24', '2007-02-26', '2007-08-24'],
    ...['2008-02-25', '2008-08-25', '2009-02-24', '2009-08-24', '2010-02-24', '2010-08-24', '2011-02-24'],
    ...['2011-08-24', '2012-02-24', '2012-08-24', '2013-02-25', '2013-08-26', '2014-02-24'],
  ].map(parseDay)
  const interestDays = [
    180, 180, 180, 180, 180, 182, 178, 181, 180, 179, 180, 180, 180, 180, 180, 180, 180, 181, 181, 178,
  ]
  const flows = {
    settle,
    days: dates,
    amounts: interestDays.map((days, i) => (5 * days) / 360 + (i === dates.length - 1 ? 100 : 0)),
    balances: dates.map(() => 100),
    accrued: (5 * 104) / 360,
  }
  const called = ['2006-02-24', '2008-02-25', '2010-02-24', '2012-02-24'].map(day => ({
    day: parseDay(day),
    price: 110,
  }))
  const terms = bond({ coupon: 5, maturity: parseDay('2014-02-24') })
  const priced = withOptions(
    { bond: terms, flows, calls: { style: 'bermudan', dates: called }, puts: null },
    flat(3.2),
    { reversion: 0.1, volatility: 0.01, steps: 240 },
    scratch,
  )!
  t.ok(Math.abs(priced.dirty(0) - priced.accrued - 110.60975477) < 1e-8)
})

t.test('effective duration is a share of the dirty price', async t => {
  const settle = parseDay('2023-11-30')
  const terms = bond({
    coupon: 4.875,
    maturity: parseDay('2029-06-01'),
    accrualStart: parseDay('2021-05-20'),
    firstCoupon: parseDay('2021-12-01'),
  })
  const calls = [
    { day: parseDay('2024-06-01'), price: 102.438 },
    { day: parseDay('2025-06-01'), price: 101.219 },
    { day: parseDay('2026-06-01'), price: 100 },
  ]
  const priced = withOptions(
    {
      bond: terms,
      flows: promisedFlows(terms, settle),
      calls: { style: 'bermudan', dates: calls },
      puts: null,
    },
    flat(5),
    { reversion: 0.03, volatility: 0.012, steps: 240 },
    scratch,
  )!
  const dirty = 70.926 + priced.accrued
  const oas = spreadOfPrice(priced, dirty)!
  const [up, down] = [priced.dirty(oas, () => 0.001), priced.dirty(oas, () => -0.001)]
  const { duration, convexity } = effectiveRisk(priced, oas, 0.001)
  t.ok(Math.abs(duration - (down - up) / (0.002 * dirty)) < 1e-6)
  t.ok(Math.abs(convexity - (down + up - 2 * dirty) / (1e-6 * dirty)) < 1e-3)
  t.ok(Math.abs(duration - (down - up) / (0.002 * 70.926)) > 0.01)
})

t.test('nearly without volatility, a bond called for certain is worth the bond to that day', async t => {
  const settle = parseDay('2021-05-18')
  const terms = bond({ coupon: 5, maturity: parseDay('2026-02-14') })
  const flows = promisedFlows(terms, settle)
  const curve = flat(2)
  for (let later = 0; later <= 14; later++) {
    const day = parseDay('2022-02-14') + later
    const priced = withOptions(
      { bond: terms, flows, calls: { style: 'european', dates: [{ day, price: 100 }] }, puts: null },
      curve,
      { reversion: 0.03, volatility: 1e-6, steps: 200 },
      scratch,
    )!
    const kept = flows.days.filter(at => at <= day).length
    const paid = {
      ...flows,
      days: [...flows.days.slice(0, kept), day],
      amounts: [...flows.amounts.slice(0, kept), 100 + accruedInterest(terms, day)],
    }
    t.ok(
      Math.abs(priced.dirty(0) - withoutOptions(paid, curve).dirty(0)) < 1e-6,
      `${later} days after the coupon`,
    )
  }
})
