import t from 'tap'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const read = (text: string, more = {}) =>
  debtLinesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K', ...more }))
const said = (rows: ReturnType<typeof debtLinesIn>) =>
  rows.map(({ name, carrying_amount }) => [name, (carrying_amount ?? 0) / 1e8])

t.test('a row with one amount has it in the column in which the table adds up to both totals', t => {
  const table = (paper: number) => `Debt at December 31 consisted of the following (dollars in millions):

2024 | 2023

Unsecured debt

Variable rate: SOFR plus 0.75% - 1.25% due 2026 | $1,300
1.45% - 3.20% due through 2030 | 600 | $800
3.25% - 3.90% due through 2059 | 500 | 700
Commercial paper | ${paper}
Other notes | 100 | 50
Total debt | $2,500 | $2,000
`
  t.strictSame(said(read(table(450))), [
    ['Variable rate: SOFR plus 0.75% - 1.25% due 2026 Unsecured debt', 1300],
    ['Unsecured debt 1.45% - 3.20% due through 2030', 600],
    ['Unsecured debt 3.25% - 3.90% due through 2059', 500],
    ['Other notes', 100],
  ])
  t.notOk(
    read(table(440)).some(({ rule }) => rule === 'debt_schedule'),
    'a table that adds up in no column is no schedule of debt',
  )
  t.end()
})

t.test('one amount that may stand in either column is in neither', t => {
  const rows = read(`Debt consisted of the following (in millions):

December 31, 2024 | December 31, 2023
Alfa loan | 300
Beta loan | 300
Bank loans | 500 | 400
Other notes | 100 | 50
Total debt | $900 | $750
`)
  t.strictSame(rows, [])
  t.end()
})

t.test(
  'a name that ends in the mark of a footnote, alone in its line, is that of the amounts below it',
  t => {
    const rows = read(`The Company's debt consisted of the following (in millions, except average rate data):

December 31, 2024 | December 31, 2023
Amount | Average Rate 1 | Amount | Average Rate1
U.S. dollar notes due 2025–2093 | $1,500 | 2.1 % | $1,400 | 1.8 %
U.S. dollar debentures due 2026–2098 | 200 | 3.9 | 210 | 3.9

U.S. dollar zero coupon notes due 20302

150 | 8.4 | 140 | 8.4
Euro notes due 2026–20373 | 1,100 | 0.6 | 900 | 3.7

Fair value adjustment5

(50 ) | N/A | 30 | N/A

Total6,7

$2,900 | 1.7 % | $2,680 | 2.2 %
Less current portion | 300 | 400
Long-term debt | $2,600 | $2,280
`)
    t.strictSame(said(rows), [
      ['U.S. dollar notes due 2025-2093', 1500],
      ['U.S. dollar debentures due 2026-2098', 200],
      ['U.S. dollar zero coupon notes due 2030', 150],
      ['Euro notes due 2026-2037', 1100],
    ])
    t.end()
  },
)

t.test('short-term debt is a line beside debt of other kinds, unless others name what it is', t => {
  const table = (more: string, total: number) => `Debt at December 31 was as follows (in millions):

December 31, 2023 | December 31, 2024

Debt payable within one year
Short-term | $1,900 | $1,800
${more}Unsecured debt | 700 | 900
Asset-backed debt | 2,100 | 2,000
Total debt | $${total - 100} | $${total}
`
  t.strictSame(said(read(table('', 4700).replace('4600', '4,700').replace('4700', '4,700'))), [
    ['Short-term debt', 1800],
    ['Unsecured debt', 900],
    ['Asset-backed debt', 2000],
  ])
  t.notOk(
    said(
      read(table('Commercial paper | 100 | 200\n', 4900).replace('4800', '4,800').replace('4900', '4,900')),
    ).some(([name]) => name === 'Short-term debt'),
  )
  t.end()
})

t.test(
  'a dollar sign behind a year is that of the amount in the next column, and one coupon is one line',
  t => {
    const rows = (due: string) =>
      debtLinesIn(
        section(
          `Long-term debt (in millions):

Interest Rate % | Maturity | December 31, 2024 | December 31, 2023
Senior secured debt: | 1.875 | ${due} | 831 | $ 881
Senior unsecured debt: | 3.25 | 2026 | 748 | 747
Total long-term debt | $ 1,579 | $ 1,628

In 2020, we issued $970 million of pass-through certificates with a fixed interest rate of 1.875% due in February 2034.
`,
          { section_type: 'debt_footnote', doc_type: '10-K' },
        ),
      ).map(({ coupon_rate, maturity, carrying_amount }) => [
        coupon_rate,
        maturity,
        (carrying_amount ?? 0) / 1e8,
      ])
    t.strictSame(rows('2034 $'), [
      [1.875, '2034', 831],
      [3.25, '2026', 748],
    ])
    t.equal(rows('later $').length, 2, 'the certificates are the line with their coupon')
    t.end()
  },
)
