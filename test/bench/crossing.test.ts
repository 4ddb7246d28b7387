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
  t.equal(of([1e6, 10, 100], [1e7, 100, 190]), 'not crossed up to 10,000,000 rows')
  t.match(
    of([1e6, 10, 100], [1e7, 100, 500], [1e8, 1000, 2500]),
    /^not crossed up to 100,000,000 rows; .* to the -0\.30 \(± 0\.00\): were it to go on, they would cross at 2,0\d\d,\d{3},\d{3} rows$/,
  )
  t.match(
    of([1e6, 10, 100], [1e7, 100, 1000], [1e8, 1000, 11_000]),
    /^not crossed up to 100,000,000 rows; .*, which names no crossing$/,
  )
})
