import t from 'tap'
import { REJECTIONS, reportedBps, spreadSeries, TENORS, tenorOf } from '../../engine/credit/spread-series.ts'

type Row = { ticker?: number; day?: number; years: number; bps: number; price?: number; estimated?: boolean }

function seriesOf(rows: Row[]) {
  const out = spreadSeries({
    ticker: Int32Array.from(rows, row => row.ticker ?? 1),
    day: Int32Array.from(rows, row => row.day ?? 20_000),
    remainingYears: Float64Array.from(rows, row => row.years),
    spreadBps: Float64Array.from(rows, row => row.bps),
    price: Float64Array.from(rows, row => row.price ?? 100),
    isEstimated: Uint8Array.from(rows, row => (row.estimated ? 1 : 0)),
  })
  return {
    spreads: Array.from(out.spreadBps, (bps, i) => [TENORS[out.tenor[i]!]!.tenor, bps, out.bondCount[i]]),
    rejected: Array.from(out.rejectedRow, (row, i) => [row, REJECTIONS[out.rejectedReason[i]!]]),
    out,
  }
}

t.test('bonds belong to tenors by remaining years, longer ones to none', async t => {
  const years = [0.99, 1, 1.99, 2, 3.99, 4, 5.99, 6, 8.49, 8.5, 12, 12.01, Number.NaN]
  t.strictSame(years.map(tenorOf), [-1, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, -1, -1])
})

t.test('a spread is the median of its bonds, and each excluded bond has a reason', async t => {
  const { spreads, rejected } = seriesOf([
    { years: 4.5, bps: 120 },
    { years: 5.5, bps: 130.26 },
    { years: 5, bps: 90, price: 59.9 },
    { years: 5, bps: 95, estimated: true },
    { years: 0.9, bps: 60 },
    { years: 20, bps: 200 },
    { years: 5, bps: Number.NaN },
  ])
  t.strictSame(spreads, [['5Y', 125.1, 2]])
  t.strictSame(rejected, [
    [2, 'price_below_60'],
    [3, 'estimated'],
    [4, 'maturity_below_1_year'],
    [5, 'outside_tenors'],
    [6, 'no_spread'],
  ])
})

t.test('in a group of four, outliers are excluded', async t => {
  const group = [100, 104, 108, 139].map(bps => ({ years: 5, bps }))
  t.strictSame(seriesOf(group).rejected, [[3, 'beyond_3_sigma']])
  t.strictSame(seriesOf(group).spreads, [['5Y', 104, 3]])
  const near = [100, 104, 108, 133].map(bps => ({ years: 5, bps }))
  t.strictSame(seriesOf(near).rejected, [])
})

t.test("a lone bond is checked against fixed bounds and the issuer's median that day", async t => {
  const { spreads, rejected } = seriesOf([
    { years: 1.5, bps: 80 },
    { years: 3, bps: 100 },
    { years: 5, bps: 110 },
    { years: 7, bps: 450 },
    { years: 10, bps: 3200 },
  ])
  t.strictSame(
    spreads.map(spread => spread[0]),
    ['1Y', '3Y', '5Y'],
  )
  t.strictSame(rejected, [
    [3, 'far_from_issuer_median'],
    [4, 'outside_range'],
  ])
})

t.test('days and tickers do not mix, and unsorted rows are refused', async t => {
  const rows = [
    { ticker: 1, day: 1, years: 5, bps: 100 },
    { ticker: 1, day: 2, years: 5, bps: 200 },
    { ticker: 2, day: 1, years: 5, bps: 300 },
  ]
  t.strictSame([...seriesOf(rows).out.spreadBps], [100, 200, 300])
  t.strictSame([...seriesOf(rows).out.outputOfRow], [0, 1, 2])
  t.throws(() => seriesOf([rows[1]!, rows[0]!]), RangeError)
  t.throws(() => seriesOf([rows[2]!, rows[0]!]), RangeError)
})

t.test('spreads are rounded to tenths and at least -200', async t => {
  t.equal(reportedBps(123.449), 123.4)
  t.equal(reportedBps(-260), -200)
})

const market = (n: number) => ({
  ticker: Int32Array.from({ length: n }, (_, i) => Math.floor(i / 10_000)),
  day: Int32Array.from({ length: n }, (_, i) => Math.floor((i % 10_000) / 20)),
  remainingYears: Float64Array.from({ length: n }, (_, i) => 0.5 + ((i * 7919) % 1300) / 100),
  spreadBps: Float64Array.from({ length: n }, (_, i) => 80 + ((i * 104_729) % 900) / 10),
})

t.test('ten times the rows take about ten times as long', async t => {
  /** The best of three, in milliseconds, so that other load on the machine does not matter. */
  const fastest = (n: number) => {
    const rows = market(n)
    return Math.min(
      ...[1, 2, 3].map(() => {
        const start = performance.now()
        spreadSeries(rows)
        return performance.now() - start
      }),
    )
  }
  const [few, many] = [fastest(100_000), fastest(1_000_000)]
  t.comment(`${few.toFixed(1)} ms for 100,000 rows, ${many.toFixed(1)} ms for a million`)
  t.ok(many < 60 * few, `${(many / few).toFixed(1)} times as long`)
})
