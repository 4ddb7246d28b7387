import t from 'tap'
import { decadesOff, priceSlips } from '../../engine/credit/price-slips.ts'

type Seen = readonly [day: number, price: number]

/** Days whose prices are slips, of one bond. */
function slips(prices: readonly Seen[], isDefaulted = false) {
  const { factor, reference } = priceSlips({
    bond: Int32Array.from(prices, () => 1),
    day: Int32Array.from(prices, ([day]) => day),
    price: Float64Array.from(prices, ([, price]) => price),
    isDefaulted: Uint8Array.from(prices, () => (isDefaulted ? 1 : 0)),
  })
  return prices.flatMap(([day, price], i) =>
    Number.isNaN(factor[i]!) ? [] : [[day, price, factor[i], reference[i]]],
  )
}

t.test('a price is a slip only if it is a power of ten from its neighbour', async t => {
  t.strictSame(
    [98.5, 0.985, 9.85, 985, 9850, 98_500, 60, 30].map(price => decadesOff(price, 98.5)),
    [0, -2, -1, 1, 2, 3, 0, 0],
  )
})

t.test('fractions of par, tenths and hundredfold prices are slips and never references', async t => {
  const found = slips([
    [1, 98.5],
    [2, 0.985],
    [3, 98.4],
    [4, 984],
    [5, 9.83],
    [6, 98.2],
  ])
  t.strictSame(
    found.map(([day, price, factor, reference]) => [day, price, factor, reference]),
    [
      [2, 0.985, 0.01, 98.5],
      [4, 984, 10, 98.4],
      [5, 9.83, 0.1, 98.4],
    ],
  )
})

t.test('a crash that is no power of ten is a valid price', async t => {
  t.strictSame(
    slips([
      [1, 95],
      [2, 31],
      [3, 14],
    ]),
    [],
  )
})

t.test('a new price level is accepted on its third day, without changing earlier verdicts', async t => {
  const days: Seen[] = [
    [1, 80],
    [2, 8],
    [3, 8.1],
    [4, 8.05],
    [5, 8.2],
  ]
  t.strictSame(
    slips(days).map(([day]) => day),
    [2, 3],
  )
})

t.test('no day is judged by a later one', async t => {
  const days: Seen[] = [
    [1, 0.99],
    [2, 98],
    [3, 980],
    [4, 97.5],
    [5, 9.7],
    [6, 97],
  ]
  const whole = slips(days)
  for (let n = 1; n <= days.length; n++)
    t.strictSame(
      slips(days.slice(0, n)),
      whole.filter(([day]) => day! <= days[n - 1]![0]),
    )
})

t.test(
  'without a reference three trades of the day serve as one, else par for impossible prices',
  async t => {
    t.strictSame(slips([[1, 0.98]]), [[1, 0.98, 0.01, 100]])
    t.strictSame(slips([[1, 12]]), [], 'a distressed bond')
    t.strictSame(slips([[1, 0.5]], true), [], 'a claim in default')
    t.strictSame(
      slips([
        [1, 97],
        [1, 9.71],
        [1, 97.2],
      ]),
      [[1, 9.71, 0.1, 97]],
    )
  },
)
