import t from 'tap'
import { plotRows, plotting } from '../../cli/plot.ts'
import { date, number, text } from '../../engine/schema/column.ts'

const name = { name: 'name', column: text('') }
const day = { name: 'date', column: date('') }
const ytm = { name: 'ytm', column: number('', { unit: 'percent' }) }
const duration = { name: 'duration', column: number('', { unit: 'years' }) }
const lines = (plot: { text: string }) => plot.text.trimEnd().split('\n')

t.test('one column is bars from zero, with its values, in 80 columns', async t => {
  const rows = [
    ['ACME 5 30', 8],
    ['BETA 4 31', -4],
    ['GAMA 3 32', null],
  ]
  const bar = plotRows([name, ytm], rows, 38)
  t.strictSame(lines(bar), [
    'ytm (percent)',
    'ACME 5 30   8          █████████████████',
    'BETA 4 31  -4  ▒▒▒▒▒▒▒▒',
    'GAMA 3 32   -',
  ])
  const wide = plotRows([name, ytm], [['x'.repeat(60), 1]], null)
  t.ok(lines(wide).every(line => line.length <= 80))
})

t.test('over days it is a line, oldest first, with its ends', async t => {
  const rows = [
    ['2025-03-01', 7],
    ['2025-02-01', 6],
    ['2025-01-01', 5],
  ]
  const plot = lines(plotRows([day, ytm], rows, 40))
  t.equal(plot[0], 'ytm (percent)')
  t.match(plot[1], /^7 │ +•$/)
  t.match(plot[16], /^5 │•$/)
  t.match(plot.at(-1), /^ +2025-01-01 +2025-03-01$/)
  t.ok(plot.every(line => line.length <= 40))
})

t.test('two columns are a scatter, which counts points that fall together', async t => {
  const rows = [
    ['a', 1, 5],
    ['b', 1, 5],
    ['c', 9, 8],
    ['d', null, 8],
  ]
  const plot = lines(plotRows([name, duration, ytm], rows, 40))
  t.equal(plot[0], 'ytm (percent) by duration (years), 3 of 4 rows')
  t.match(plot[1], /^8 │ +•$/)
  t.match(plot[16], /^5 │2$/)
})

t.test('columns are plotted as named, and only numbers can be', async t => {
  const rows = [
    ['a', 1, 5],
    ['b', 2, 6],
    ['c', 9, 8],
  ]
  const columns = [name, duration, ytm]
  t.match(plotting(['ytm', 'duration'])(columns, rows, 40).text, /^duration \(years\) by ytm \(percent\)/)
  t.match(plotting(['ytm'])(columns, rows, 40).text, /^ytm \(percent\)\na {2}5 {2}/)
  t.throws(() => plotting(['name'])(columns, rows, 40), { message: /plot must name columns of numbers/ })
  t.equal(plotting(['ytm'])(columns, [], 40).text, '')
})

t.test(
  'numbers without an end, days beyond the calendar and ends that are far apart are plotted as far as they go',
  async t => {
    const rows = [
      ['a', '2025-01-01', Number.NaN, 1],
      ['b', '5881580-07-10', 1e308, Number.POSITIVE_INFINITY],
      ['c', '2025-03-01', -1e308, 2 ** 53 + 2],
      ['d', '2025-03-01', 1e308, 2 ** 53 + 2],
      ['e', null, Number.NEGATIVE_INFINITY, 2 ** 53 + 2],
    ]
    const columns = [name, day, ytm, duration]
    const some = (...indices: number[]) =>
      lines(
        plotRows(
          indices.map(i => columns[i]!),
          rows.map(row => indices.map(i => row[i])),
          60,
        ),
      )
    t.match(some(0, 2)[0], 'ytm (percent)')
    t.equal(some(0, 2).length, 6)
    t.equal(some(1, 2).length, 19)
    t.equal(some(0, 2, 3).length, 19)
    t.equal(some(0, 3, 2).length, 19)
  },
)

t.test('300,000 rows are plotted', async t => {
  const rows = Array.from({ length: 300_000 }, (_, i) => [`bond ${i}`, i % 90, i % 13])
  t.equal(lines(plotRows([name, ytm], rows, 60)).length, 300_001)
  t.match(lines(plotRows([name, ytm, duration], rows, 60))[0], '300000 of 300000 rows')
})
