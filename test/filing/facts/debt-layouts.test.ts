import t from 'tap'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const lines = (text: string) =>
  debtLinesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K' }))
const read = (text: string) =>
  lines(text).map(r => [r.name, r.maturity, (r.carrying_amount ?? 0) / 1e8, (r.principal ?? 0) / 1e8])

t.test(
  'of two days with three and two figures each, balance and face amount are those of the report',
  async t => {
    const table = `Debt consists of the following (in millions):

As of December 31, 2024 | As of December 31, 2023
Maturity Date | Principal Balance | Fair Value | Carrying Value | Principal Balance | Carrying Value
2020 Senior Notes | Feb. 15, 2027 | $1,500 | $1,443 | $1,491 | $1,500 | $1,488
2018 Term Loan | Apr. 11, 2026 | 2,268 | 2,270 | 2,262 | 2,292 | 2,282
Total debt | $3,768 | $3,713 | $3,753 | $3,792 | $3,770
`
    t.strictSame(read(table), [
      ['2020 Senior Notes due February 15, 2027', '2027-02-15', 1491, 1500],
      ['2018 Term Loan due April 11, 2026', '2026-04-11', 2262, 2268],
    ])
    t.strictSame(
      read(
        table.replace('| Principal Balance | Carrying Value\n2020', '| Principal Balance | Balance\n2020'),
      ),
      [],
      'heads that do not name every column say nothing',
    )
  },
)

t.test('years that are heads of their columns go before one behind the name of a column', async t => {
  const table = `Notes payable consisted of the following (in millions):

Carrying Amount at December 31, | Interest Rate at December 31, | Maturity Date at
2024 | 2023 | 2024 | 2023 | December 31, 2024
Senior unsecured notes | $7,262 | $6,803 | 1.90% - 6.88% | 1.90% - 6.88% | 2025 - 2049
Mortgage loans | 100 | 50 | 4.00% - 5.00% | 4.00% - 5.00% | 2026 - 2030
$7,362 | $6,853
`
  t.strictSame(
    lines(table).map(r => (r.carrying_amount ?? 0) / 1e8),
    [7262, 100],
  )
})

t.test('coupons with a fraction in one character, repayment dates and short days are read', async t => {
  t.strictSame(
    lines(`Long-term debt consists of the following (in millions):

December 31, 2024 | December 31, 2023
5\u215d% Senior Secured Notes due 2027 | $1,757 | $1,900
2.370% Series 2021-1 Class A-2-I Notes, anticipated repayment date 2029 | 430 | 434
Convertible senior notes, 2.25%, matures on April 15, 2026 | 156 | 507
Total debt | $2,343 | $2,841
`).map(r => [r.name, r.coupon_rate, r.maturity, (r.carrying_amount ?? 0) / 1e8]),
    [
      ['5.625% Senior Secured Notes due 2027', 5.625, '2027', 1757],
      ['2.370% Series 2021-1 Class A-2-I Notes, anticipated repayment date 2029', 2.37, '2029', 430],
      ['2.25% Convertible senior notes due April 15, 2026', 2.25, '2026-04-15', 156],
    ],
  )
})

t.test('a table of what is drawn and undrawn in millions of dollars states debt', async t => {
  t.strictSame(
    read(`At December 31, 2024, the net debt and available liquidity was as follows:

Facility | Currency | Maximum amount drawable | Final maturity date | Facility type | Amount drawn | Undrawn amount
Local currency m | $\u2019m | $\u2019m
2.125% Senior Secured Notes | EUR | 439 | 15-Aug-26 | Bullet | 485 | \u2013
5.250% Senior Notes | USD | 1,000 | 15-Aug-27 | Bullet | 1,000 | \u2013
Global Asset Based Loan Facility | USD | 403 | 30-Mar-27 | Revolving | 54 | 349
Total borrowings / undrawn facilities | 1,539 | 349
`),
    [
      ['2.125% Senior Secured Notes EUR due August 15, 2026', '2026-08-15', 485, 0],
      ['5.250% Senior Notes USD due August 15, 2027', '2027-08-15', 1000, 0],
      ['Global Asset Based Loan Facility USD due March 30, 2027', '2027-03-30', 54, 0],
    ],
  )
})

t.test(
  'what is due within a year is a part of borrowings, and bonds have the rates of a column without signs',
  async t => {
    t.strictSame(
      read(`Borrowings at December 31 comprised:

2024 | 2023
Repayment date | Year end interest rates % | $ million | $ million
US$600 million bonds due 2025 | 2025 | 2.125 | 600 | 600
\u20ac500 million bonds due 2025 | 2025 | 1.75 | 546 | 525
Borrowings due within one year | 1,146 | 1,125
\u00a3750 million bonds due 2026 | 2026 | 1.50 | 949 | 912
US$750 million bonds due 2033 | 2033 | 5.50 | 744 | \u2014
Borrowings due after one year | 1,693 | 912
Total borrowings | 2,839 | 2,037
`).map(([, ...terms]) => terms),
      [
        ['2025', 600, 0],
        ['2025', 546, 0],
        ['2026', 949, 0],
        ['2033', 744, 0],
      ],
    )
  },
)

const companies = `Information concerning long-term debt is as follows (in millions):

December 31, 2024 | December 31, 2023
Principal | Unamortized Discounts, net | Principal | Unamortized Discounts, net
North Debt
3.85% Senior Notes due August 2027 | $250 | $4 | $250 | $6
3.68% Senior Notes due May 2028 | 88 | 2 | 88 | 2
338 | 6 | 338 | 8
Less current maturities | 25 | 1 | 30 | 1
313 | 5 | 308 | 7
Holding Debt
Delayed-Draw Term Loan, due May 2026 | 1,000 | 3 | 1,000 | 10
1,000 | 3 | 1,000 | 10
Total Consolidated Debt | $1,338 | $9 | $1,338 | $18
`

t.test(
  'a single line with a subtotal of its own is debt, and what is left without current parts is none',
  async t => {
    t.strictSame(
      lines(companies).map(r => [r.maturity, (r.carrying_amount ?? 0) / 1e8]),
      [
        ['2027-08', 250],
        ['2028-05', 88],
        ['2026-05', 1000],
      ],
    )
  },
)

t.test('a heading says that the lines up to its total are secured or unsecured', async t => {
  const secured = lines(`The Company's consolidated debt is summarized below (in millions):

December 31, 2024 | December 31, 2023
Unsecured
Term financings | $1,628 | $582
Commercial paper | 100 | 50
Total unsecured debt financing | 1,728 | 632
Secured
Export credit financing | 204 | 11
Term loans | 100 | 113
Total secured debt financing | 304 | 124
Other financing | 10 | 5
Total debt financing | $2,042 | $761
`)
  t.strictSame(
    secured.map(r => [(r.carrying_amount ?? 0) / 1e8, r.security_type ?? r.seniority ?? null]),
    [
      [1628, 'unsecured'],
      [100, 'unsecured'],
      [204, 'senior_secured'],
      [100, 'senior_secured'],
      [10, null],
    ],
  )
})
