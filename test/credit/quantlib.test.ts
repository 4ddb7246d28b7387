import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  accruedInterest,
  type Bond,
  cleanPrice,
  convexity,
  macaulayDuration,
  modifiedDuration,
  yieldToMaturity,
} from '../../engine/credit/bond.ts'
import { type SpotCurve, zSpread } from '../../engine/credit/curve.ts'
import type { DayCount } from '../../engine/credit/day-count.ts'
import type { Frequency } from '../../engine/credit/schedule.ts'
import { root } from '../root.ts'

type Cell = number | string | null
const golden: {
  spot: { days: number[]; zeroPct: number[] }
  columns: string[]
  bonds: Cell[][]
} = JSON.parse(readFileSync(join(root, 'test/golden/credit/quantlib.json'), 'utf8'))

const spot: SpotCurve = {
  years: golden.spot.days.map(days => days / 365),
  zeroPct: golden.spot.zeroPct,
}

function read(row: Cell[]) {
  const cell = (name: string) => row[golden.columns.indexOf(name)] as number
  const bond: Bond = {
    coupon: cell('coupon'),
    maturity: cell('maturity'),
    accrualStart: cell('accrualStart'),
    firstCoupon: cell('firstCoupon'),
    lastRegularCoupon: cell('lastRegularCoupon'),
    frequency: cell('frequency') as Frequency,
    dayCount: cell('dayCount') as Cell as DayCount,
    endOfMonth: cell('endOfMonth') === 1,
    isDefaulted: false,
  }
  return { bond, settle: cell('settle'), cell }
}

const bonds = golden.bonds.map(read)

/** The bonds for which an error is not below its bound, so that a failure names them. */
const failing = (bound: number, errorOf: (row: ReturnType<typeof read>) => number) =>
  bonds
    .map((row, i) => ({ i, error: errorOf(row), bond: row.bond, settle: row.settle }))
    .filter(({ error }) => !(error <= bound))
    .slice(0, 5)

const relative = (ours: number, theirs: number) => Math.abs(ours - theirs) / Math.max(1e-3, Math.abs(theirs))

t.test('the certificate covers at least 5,000 bonds of every kind', async t => {
  t.ok(bonds.length >= 5000)
  const some = (is: (bond: Bond) => boolean) => t.ok(bonds.filter(row => is(row.bond)).length > 200)
  some(bond => bond.coupon === 0)
  some(bond => bond.endOfMonth)
  some(bond => bond.firstCoupon !== null)
  some(bond => bond.lastRegularCoupon !== null)
  for (const dayCount of ['30/360', 'ACT/ACT', 'ACT/360', 'ACT/365F'])
    some(bond => bond.dayCount === dayCount)
})

t.test('clean prices are those of QuantLib to 1e-8 of par', async t => {
  t.strictSame(
    failing(1e-8, ({ bond, settle, cell }) =>
      Math.abs(cleanPrice(bond, cell('yieldPct'), settle) - cell('clean')),
    ),
    [],
  )
})

t.test('accrued interest is that of QuantLib to 1e-9 of par', async t => {
  t.strictSame(
    failing(1e-9, ({ bond, settle, cell }) => Math.abs(accruedInterest(bond, settle) - cell('accrued'))),
    [],
  )
})

t.test('yields are those of QuantLib to 1e-6 percent', async t => {
  const error = ({ bond, settle, cell }: ReturnType<typeof read>) => {
    const given = Math.round(cell('clean') * 1e6) / 1e6
    return Math.abs((yieldToMaturity(bond, given, settle).ytm ?? Number.NaN) - cell('solvedYieldPct'))
  }
  t.strictSame(failing(1e-6, error), [])
})

t.test('durations and convexity are those of QuantLib to a millionth', async t => {
  const measures = { modDuration: modifiedDuration, macaulayDuration, convexity }
  for (const [name, measure] of Object.entries(measures))
    t.strictSame(
      failing(1e-6, ({ bond, settle, cell }) =>
        relative(measure(bond, cell('yieldPct'), settle), cell(name)),
      ),
      [],
      name,
    )
})

t.test('Z-spreads are those of QuantLib to a hundredth of a basis point', async t => {
  t.ok(bonds.filter(row => row.cell('zSpreadBps') !== null).length > 4000)
  const error = ({ bond, settle, cell }: ReturnType<typeof read>) =>
    cell('zSpreadBps') === null
      ? 0
      : Math.abs((zSpread(bond, cell('clean'), settle, spot).bps ?? Number.NaN) - cell('zSpreadBps'))
  t.strictSame(failing(0.01, error), [])
})
