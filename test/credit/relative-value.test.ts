import t from 'tap'
import { bond, cashFlows, cleanPrice } from '../../engine/credit/bond.ts'
import { parseDay, settlementDay } from '../../engine/credit/calendar.ts'
import { CurveHistory } from '../../engine/credit/curve-history.ts'
import {
  carryAndRoll,
  percentilesInCells,
  ResidualHistory,
  zScore,
} from '../../engine/credit/relative-value.ts'

t.test('a z-score is in standard deviations of the ten or more residuals before', async t => {
  const history = new ResidualHistory(2)
  for (let i = 0; i < 10; i++) history.add(0, i % 2 === 0 ? 8 : 12)
  t.equal(history.mean[0], 10)
  t.ok(Math.abs(history.deviation(0) - Math.sqrt(40 / 9)) < 1e-12)
  t.strictSame(zScore(10, history, 0), { value: 0, reason: null })
  t.ok(Math.abs(zScore(20, history, 0).value! - 10 / Math.sqrt(40 / 9)) < 1e-12)
  t.strictSame(zScore(20, history, 1), { value: null, reason: 'few_observations' })
  t.strictSame(zScore(Number.NaN, history, 0), { value: null, reason: 'no_residual' })
  for (let i = 0; i < 12; i++) history.add(1, 5)
  t.strictSame(zScore(5, history, 1), { value: null, reason: 'no_variation' })
})

t.test('percentiles run from the richest to the cheapest bond of a cell, ties in their middle', async t => {
  const residual = Float64Array.of(-20, 0, 0, 10, 40, Number.NaN, 5, 5)
  const cell = Int32Array.of(0, 0, 0, 0, 0, 0, 1, -1)
  const { percentile, size } = percentilesInCells(residual, cell, 2)
  t.strictSame([...percentile.slice(0, 5)], [0, 37.5, 37.5, 75, 100])
  t.ok([5, 6, 7].every(i => Number.isNaN(percentile[i])))
  t.strictSame([...size], [5, 5, 5, 5, 5, 5, 1, 0])
})

const day = parseDay('2025-06-02')
const rising = new CurveHistory({
  day: [day, day, day, day],
  tenorYears: [1, 3, 10, 30],
  ratePct: [4, 4.2, 4.9, 4.9],
})
const ten = {
  bond: bond({ coupon: 6, maturity: parseDay('2035-06-03') }),
  ytm: 6,
  settle: settlementDay(day),
  years: 10,
}
const curve = { beta0: 200, beta1: -150, beta2: 0, tau: 4 }

t.test('a bond rolls down by the fall of both curves times its duration in a year', async t => {
  const { value } = carryAndRoll(ten, curve, rising, day)
  t.equal(Math.round(value!.carry * 1e6) / 1e6, 200)
  // Ten basis points of Treasury curve over nine years' duration of about 6.8.
  const flat = carryAndRoll(ten, { ...curve, beta1: 0 }, rising, day).value!
  t.equal(flat.spreadRollDown, 0)
  t.ok(Math.abs(flat.rollDown - 10 * 6.85) < 1.5, `${flat.rollDown}`)
  t.ok(value!.spreadRollDown > 0 && value!.rollDown > flat.rollDown)
  const later = ten.settle + 365
  const dirty = cleanPrice(ten.bond, 6, ten.settle) + cashFlows(ten.bond, ten.settle).accrued
  const gain = ((cleanPrice(ten.bond, 5.9, later) - cleanPrice(ten.bond, 6, later)) / dirty) * 1e4
  t.ok(Math.abs(flat.rollDown - gain) < 1e-6)
})

t.test('without a curve, two years or a Treasury curve there is no roll-down, with the reason', async t => {
  t.equal(carryAndRoll(ten, null, rising, day).reason, 'no_residual')
  t.equal(carryAndRoll({ ...ten, years: 1.9 }, curve, rising, day).reason, 'under_two_years')
  t.equal(carryAndRoll(ten, curve, rising, day + 30).reason, 'no_treasury_curve')
})
