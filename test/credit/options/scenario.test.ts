import t from 'tap'
import { bond } from '../../../engine/credit/bond.ts'
import { parseDay } from '../../../engine/credit/calendar.ts'
import { Lattice } from '../../../engine/credit/options/lattice.ts'
import { effectiveRisk } from '../../../engine/credit/options/measures.ts'
import { latticeScratch, withOptions, withoutOptions } from '../../../engine/credit/options/priced-bond.ts'
import { promisedFlows } from '../../../engine/credit/options/promised.ts'
import { scenarioEffect } from '../../../engine/credit/options/scenario.ts'

const curve = { years: [0, 1, 2, 5, 10, 30], zeroPct: [4.3, 4.1, 3.8, 3.9, 4.3, 4.7] }
const terms = bond({ coupon: 6, maturity: parseDay('2040-09-01') })
const flows = promisedFlows(terms, parseDay('2025-06-15'))
const straight = withoutOptions(flows, curve)
const near = (a: number, b: number, within: number) => Math.abs(a - b) <= within

t.test('the estimate is close for small moves, and misses what options and large moves do', async t => {
  const none = { shift: 0, twist: 0, pivot: 10 }
  t.match(scenarioEffect(straight, 0.02, none, 0), { full: 0, rates: 0, spread: 0, estimate: 0 })
  const small = scenarioEffect(straight, 0.02, { shift: 0.0025, twist: 0.001, pivot: 10 }, 0.001)
  t.ok(near(small.estimate, small.full, 1e-4))
  const { duration, convexity } = effectiveRisk(straight, 0.02, 0.001)
  const large = scenarioEffect(straight, 0.02, { ...none, shift: 0.02 }, 0)
  t.ok(near(large.estimate, -duration * 0.02 + (convexity * 0.02 ** 2) / 2, 1e-4))
  t.ok(large.full < large.estimate, 'the third order is a fall')
  const both = scenarioEffect(straight, 0.02, { ...none, shift: 0.01 }, 0.02)
  t.ok(near(both.full, scenarioEffect(straight, 0.02, { ...none, shift: 0.03 }, 0).full, 1e-12))
  t.ok(both.full > both.rates + both.spread, 'convexity')

  const calls = { style: 'bermudan', dates: [{ day: parseDay('2027-09-01'), price: 100 }] } as const
  const model = { volatility: 0.008, reversion: 0.03, steps: 150 }
  const scratch = latticeScratch(new Lattice())
  const called = withOptions({ bond: terms, flows, calls, puts: null }, curve, model, scratch)!
  const fall = scenarioEffect(called, 0.01, { ...none, shift: -0.02 }, 0)
  const free = scenarioEffect(straight, 0.01, { ...none, shift: -0.02 }, 0)
  t.ok(fall.full > 0 && fall.full < free.full / 2, 'a call caps the gain')
})
