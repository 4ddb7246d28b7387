import t from 'tap'
import { ALL, axesOf, type Chosen, linesOf, NONE } from '../../server/web/show/axes.ts'
import {
  issuerColumns,
  letterOf,
  rankOf,
  staleRating,
  withIssuers,
} from '../../server/web/show/issuer-axes.ts'

const columns = [
  { name: 'day', kind: 'date' },
  { name: 'ticker', kind: 'text' },
  { name: 'spread', kind: 'integer' },
  { name: 'price', kind: 'number' },
]
const row = (day: string, ticker: string, spread: number | null, price: number) => ({
  day,
  ticker,
  spread,
  price,
})
const rows = [
  row('2026-01-02', 'ALFA', 120, 99),
  row('2026-01-02', 'BRAV', 300, 95),
  row('2026-01-01', 'ALFA', 118, 99.5),
  row('2026-01-01', 'BRAV', null, 96),
]
const nothing: Chosen = { x: null, y: null, by: null }

t.test('several rows of a day are a line for each issuer, in the order of days', async t => {
  const axes = axesOf(columns, rows, nothing)!
  t.match(axes, { form: 'lines', x: 'day', ys: ['spread'], by: 'ticker' })
  t.strictSame(linesOf(axes, rows, 12), {
    lines: [
      {
        name: 'ALFA',
        points: [
          ['2026-01-01', 118],
          ['2026-01-02', 120],
        ],
      },
      {
        name: 'BRAV',
        points: [
          ['2026-01-01', null],
          ['2026-01-02', 300],
        ],
      },
    ],
    left: 0,
  })
  t.match(linesOf(axes, rows, 1), { lines: [{ name: 'ALFA' }], left: 1 })
})

t.test('one row a day is a line for each figure', async t => {
  const alfa = rows.filter(({ ticker }) => ticker === 'ALFA')
  const axes = axesOf(columns, alfa, nothing)!
  t.match(axes, { form: 'lines', ys: ['spread', 'price'], by: null })
  t.strictSame(
    linesOf(axes, alfa, 12).lines.map(({ name }) => name),
    ['spread', 'price'],
  )
})

t.test('the reader chooses the axes, and what the result lacks is ignored', async t => {
  t.match(axesOf(columns, rows, { ...nothing, x: 'price' }), { form: 'points', x: 'price', ys: ['spread'] })
  t.match(axesOf(columns, rows, { ...nothing, x: 'ticker' }), { form: 'bars', ys: ['spread', 'price'] })
  t.match(axesOf(columns, rows, { x: 'ticker', y: 'price', by: 'ticker' }), { ys: ['price'], by: null })
  t.match(axesOf(columns, rows, { x: null, y: 'price', by: NONE }), { x: 'day', ys: ['price'], by: null })
  t.match(axesOf(columns, rows, { x: 'gone', y: ALL, by: 'gone' }), {
    x: 'day',
    ys: ['spread'],
    by: 'ticker',
  })
})

t.test('a result without a figure over something is not drawn', async t => {
  t.equal(axesOf([], [], nothing), null)
  t.equal(axesOf(columns.slice(0, 2), rows, nothing), null)
  t.equal(axesOf([{ name: 'spread', kind: 'integer' }], rows, nothing), null)
})

t.test('the rating of an issuer is the middle of three letters, the lower of two', async t => {
  const letters = { sp_rating: 'BB+', moodys_rating: 'Ba3', fitch_rating: 'BB' }
  t.equal(letterOf(rankOf(letters)!), 'BB')
  t.equal(letterOf(rankOf({ ...letters, fitch_rating: null })!), 'BB-')
  t.equal(rankOf({ sp_rating: 'NR', moodys_rating: null, fitch_rating: null }), null)
  t.strictSame([1, 10, 22, 23, 0, 10.5].map(letterOf), ['AAA', 'BBB-', 'D', '', '', ''])
  t.match(staleRating({ rating_age_days: 3_688 }), '10 years old')
  t.equal(staleRating({ rating_age_days: 100 }), null)
})

t.test('bonds are drawn over figures of their issuers', async t => {
  const [bond, orphan] = withIssuers(
    [{ company_ticker: 'ALFA' }, { company_ticker: null }],
    [{ ticker: 'ALFA', leverage_ratio: 3, sp_rating: 'B' }],
    'company_ticker',
  )
  t.match(bond, { 'issuer.leverage_ratio': 3, 'issuer.rating': 15 })
  t.strictSame(orphan, { company_ticker: null })
  t.ok('issuer.interest_coverage' in issuerColumns)
})
