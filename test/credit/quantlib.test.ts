import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type Certificate, compare } from '../../scripts/certificate.ts'
import { root } from '../root.ts'

const golden: Certificate = JSON.parse(readFileSync(join(root, 'test/golden/credit/quantlib.json'), 'utf8'))

t.test('the certificate covers at least 5,000 bonds of every kind', async t => {
  const { columns, rows } = golden.bonds
  const column = (name: string) => rows.map(row => row[columns.indexOf(name)]!)
  t.ok(rows.length >= 5000)
  const some = (kind: string, is: (i: number) => boolean) =>
    t.ok(rows.filter((_, i) => is(i)).length > 200, kind)
  const [first, last] = [column('firstCoupon'), column('lastRegularCoupon')]
  some('zero coupon', i => column('coupon')[i] === 0)
  some('end of month', i => column('endOfMonth')[i] === 1)
  some('odd first period', i => first[i] !== null)
  some('odd last period', i => last[i] !== null)
  some('odd first and last period', i => first[i] !== null && last[i] !== null)
  const dayCounts = column('dayCount')
  for (const dayCount of ['30/360', 'ACT/ACT', 'ACT/360', 'ACT/365F'])
    some(dayCount, i => dayCounts[i] === dayCount)
  t.ok(golden.callable.rows.length >= 500)
  t.ok(golden.floaters.rows.length >= 400)
  t.ok(golden.curves.rows.length >= 40)
})

t.test(
  'the certificate covers calls, puts and both, on every curve, with and without volatility',
  async t => {
    const { columns, rows } = golden.options
    const column = (name: string) => rows.map(row => row[columns.indexOf(name)]!)
    const count = (name: string) => column(name).map(rights => (rights as unknown[]).length)
    const [calls, puts] = [count('calls'), count('puts')]
    t.ok(rows.length >= 400)
    t.ok(calls.filter((n, i) => n > 0 && puts[i] === 0).length > 200, 'callable')
    t.ok(puts.filter((n, i) => n > 0 && calls[i] === 0).length > 30, 'puttable')
    t.ok(puts.filter((n, i) => n > 0 && calls[i]! > 0).length > 30, 'both')
    t.ok(calls.filter(n => n > 5).length > 50, 'many dates')
    t.equal(new Set(column('curve')).size, golden.shapes.zeroPct.length)
    t.equal(new Set(column('volatility')).size, 6)
    t.equal(new Set(column('dayCount')).size, 4)
    t.ok(golden.american.rows.length >= 24)
  },
)

t.test("every figure equals QuantLib's within its tolerance", async t => {
  const compared = compare(golden)
  for (const { name, tolerance, unit, failing } of compared)
    t.strictSame(failing.slice(0, 3), [], `${name} within ${tolerance} ${unit}`)
  const figures = Object.fromEntries(compared.map(c => [c.name, c.figures]))
  t.ok(figures['bonds zSpreadBps']! > 3500)
  t.ok(figures['callable yieldsToCall']! > 700)
  t.ok(figures['sinking solvedYieldPct']! >= 300)
  t.ok(figures['sinking zSpreadBps']! > 200)
})
