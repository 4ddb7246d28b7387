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

t.test("every figure equals QuantLib's within its tolerance", async t => {
  const compared = compare(golden)
  for (const { name, tolerance, unit, failing } of compared)
    t.strictSame(failing.slice(0, 3), [], `${name} within ${tolerance} ${unit}`)
  const figures = Object.fromEntries(compared.map(c => [c.name, c.figures]))
  t.ok(figures['bonds zSpreadBps']! > 3500)
  t.ok(figures['callable yieldsToCall']! > 700)
})
