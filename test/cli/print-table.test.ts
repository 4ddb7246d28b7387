import t from 'tap'
import { printObject } from '../../cli/print-object.ts'
import { displayWidth, plainText, printTable } from '../../cli/print-table.ts'
import {
  boolean,
  bps,
  cents,
  date,
  integer,
  list,
  number,
  percent,
  ratio,
  text,
} from '../../engine/schema/column.ts'

const columns = [
  { name: 'ticker', column: text('') },
  { name: 'total_debt', column: cents('') },
  { name: 'leverage_ratio', column: ratio('') },
  { name: 'fiscal_year', column: integer('') },
  { name: 'nearest_maturity', column: date('') },
]

t.test('a table has units in its header, amounts in millions and a dash for null', async t => {
  const rows = [
    ['RIG', 710_000_000_000, 5.8, 2024, '2027-02-01'],
    ['CHTR', 9_400_000_000_000, null, 2025, null],
  ]
  t.equal(
    printTable(columns, rows, null).text,
    `ticker  total_debt  leverage_ratio  fiscal_year  nearest_maturity
                mm           ratio
──────  ──────────  ──────────────  ───────────  ────────────────
RIG          7,100             5.8         2024  2027-02-01
CHTR        94,000               -         2025  -
`,
  )
  const amounts = (...values: readonly (number | null)[]) =>
    printTable(
      [{ name: 'x', column: cents('') }],
      values.map(value => [value]),
      null,
    )
      .text.split('\n')
      .slice(3, -1)
      .map(line => line.trim())
  t.strictSame(amounts(43_250_000_000, 152_000_000, null), ['432.5', '1.5', '-'])
  t.strictSame(amounts(323_000_000, -5_000_000), ['3.23', '-0.05'])
  t.strictSame(amounts(1_250_000), ['0.0125'])
})

t.test('a stale price is marked, with a legend', async t => {
  const priced = [
    { name: 'name', column: text('') },
    { name: 'pricing.last_price', column: number('') },
    { name: 'pricing.is_stale', column: boolean('') },
  ]
  const { text: printed, footnotes } = printTable(
    priced,
    [
      ['Alfa 6% 2030', 98.25, true],
      ['Beta 0% 2027', 91, false],
      ['Gama 5% 2029', null, null],
    ],
    null,
  )
  t.strictSame(printed.split('\n').slice(2, 5), [
    'Alfa 6% 2030              98.25*  true',
    'Beta 0% 2027              91.00   false',
    'Gama 5% 2029                  -   -',
  ])
  t.strictSame(footnotes, ['* a price more than 30 days old'])
  t.strictSame(printTable(priced, [['Beta 0% 2027', 91, false]], null).footnotes, [])
})

t.test('a column of yields has uniform decimals', async t => {
  const { text: printed } = printTable(
    [{ name: 'ytm', column: percent('') }],
    [[5.25], [6], [null], [7.123456]],
    null,
  )
  t.strictSame(printed.split('\n').slice(3), [' 5.2500', ' 6.0000', '      -', ' 7.1235', ''])
  const mixed = printTable([{ name: 'x', column: ratio('') }], [[152_250_000_000], [4.9279]], null).text
  t.strictSame(mixed.split('\n').slice(3), ['152,250,000,000', '         4.9279', ''])
  const tiny = printTable([{ name: 'x', column: bps('') }], [[0.00001], [0]], null).text
  t.match(tiny, /1\.000e-5/, 'a small number is not shown as none')
})

t.test('a narrow terminal shortens texts, then omits columns and names them', async t => {
  const wide = [
    { name: 'name', column: text('') },
    { name: 'doc', column: text('') },
    { name: 'spread', column: bps('') },
  ]
  const rows = [['Transocean Inc. 8.000% senior notes due 2027', 'x'.repeat(300), 412]]
  const fits = printTable(wide, rows, 60)
  t.strictSame(fits.hidden, [])
  t.ok(fits.text.split('\n').every(line => displayWidth(line) <= 60))
  t.match(fits.text, /…/)
  const less = printTable(wide, rows, 30)
  t.strictSame(less.hidden, ['spread'])
  t.strictSame(printTable(wide, rows, 5).hidden, ['doc', 'spread'], 'the first column stays')
})

t.test('the name of a row is not cut for one more column', async t => {
  const named = [
    { name: 'display_name', column: text('') },
    { name: 'pricing.last_price', column: number('') },
    { name: 'pricing.staleness_days', column: integer('') },
  ]
  const { text: printed, hidden } = printTable(named, [['DRVNG 6.125 06/15/31', 87.8, 3]], 50)
  t.match(printed, 'DRVNG 6.125 06/15/31')
  t.strictSame(hidden, ['pricing.staleness_days'])
})

t.test('text cannot move the cursor, and wide characters count twice', async t => {
  t.equal(plainText('a\u001b[31m\nb\u202e'), 'a [31m b ')
  t.equal(plainText(['plant', 'land']), 'plant, land')
  t.equal(displayWidth('中国'), 4)
  t.equal(displayWidth('e\u0301'), 1)
  t.equal(printTable([{ name: 'assets', column: list('') }], [], null).text, 'assets\n──────\n')
})

t.test('an object is printed as its values and a table per list', async t => {
  const answer = {
    query: 'rig 8 2027',
    exact_match: false,
    matches: [{ confidence: 0.9, bond: { cusip: '893830AF6', pricing: null } }],
    suggestions: [],
  }
  t.equal(
    printObject(answer, null),
    `query        rig 8 2027
exact_match  false
suggestions  none

matches
confidence  bond.cusip  bond.pricing
──────────  ──────────  ────────────
       0.9  893830AF6   -
`,
  )
})

t.test('metric changes are a table with one row per metric', async t => {
  const changes = {
    ticker: 'RIG',
    metric_changes: { cash: { previous: 1, current: 2.5 }, net_debt: { previous: 3, current: null } },
  }
  t.equal(
    printObject(changes, null),
    `ticker  RIG

metric_changes
          previous  current
────────  ────────  ───────
cash             1      2.5
net_debt         3        -
`,
  )
})
