import t from 'tap'
import { crossing } from '../../bench/crossing.ts'
import { fitPower } from '../../bench/fit.ts'

t.test('a power of the rows is found again, with its error', async t => {
  const exact = fitPower([10, 100, 1000].map(x => [x, 3 * x ** 0.8]))
  t.ok(Math.abs(exact.exponent - 0.8) < 1e-9 && exact.error < 1e-9)
  t.ok(Math.abs(exact.at(10_000) - 3 * 10_000 ** 0.8) < 1e-6)
  const noisy = fitPower([
    [10, 10],
    [100, 130],
    [1000, 900],
    [10_000, 11_000],
  ])
  t.ok(Math.abs(noisy.exponent - 1) < 2 * noisy.error && noisy.error > 0.01)
})

t.test('where two lanes cross is said as far as the sizes tell', async t => {
  const of = (...times: readonly (readonly [rows: number, duckdb: number, remote: number])[]) =>
    crossing(times.map(([rows, duckdb, remote]) => ({ question: 'q', rows, duckdb, remote })))
  t.equal(of([1e6, 10, 100], [1e7, 100, 90]), 'they cross between 1,000,000 and 10,000,000 rows')
  t.equal(of([1e6, 10, 9]), 'the remote lane is faster from 1,000,000 rows on, the smallest size')
  t.equal(of([1e6, 10, 100]), 'not crossed up to 1,000,000 rows')
  t.equal(
    of([1e6, 10, 1000], [1e7, 100, 1045]),
    'not crossed up to 10,000,000 rows; a million further rows took 10 ms here and 5 ms there: at these rates they would cross at 199,000,000 rows',
  )
  t.equal(
    of([1e6, 10, 1000], [1e7, 100, 1090]),
    'not crossed up to 10,000,000 rows, and no nearer: a million further rows took 10 ms here and 10 ms there',
    'only the fixed cost of a statement weighs less',
  )
})
