import t from 'tap'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const read = (text: string, more = {}) =>
  debtLinesIn(
    section(text, { section_type: 'debt_footnote', doc_type: '10-K', period_end: '2024-12-31', ...more }),
  )
const said = (rows: ReturnType<typeof debtLinesIn>) =>
  rows.map(r => [r.name, (r.carrying_amount ?? 0) / 1e8, r.maturity])

t.test('a table of kinds is not listed beside the table that lists what they are', t => {
  const kinds = `Debt, net of issuance costs, is as follows (in millions):

December 31, 2024 | December 31, 2023
Revolving debt | $20 | $15
Term loans | 425 | 425
Mortgage loans | 51 | 52
496 | 492
Unamortized debt issuance costs | (16) | (11)
Debt, net | $480 | $481
`
  const loans = `Detailed information about our gross debt at December 31, 2024 and 2023 is as follows (in millions):

Lender | Interest Rate | Maturity Date | Number of Encumbered Properties | December 31, 2024 | December 31, 2023
Senior Credit Facility
$400 Million Revolver | 7.15% Variable | June 21, 2028 | n/a | $20 | $15
Term Loan A | 7.10% Variable | June 21, 2029 | n/a | 200 | 200
Total Senior Credit Facility | 220 | 215
Term Loan B | 7.04% Variable | February 14, 2027 | n/a | 225 | 225
First Bank mortgage loan | 4.44% Fixed | July 1, 2027 | 3 | 43 | 44
Second Bank mortgage loan | 4.30% Fixed | December 19, 2026 | 1 | 8 | 8
Total Mortgage Loans | 4 | 51 | 52
4 | 496 | 492
`
  t.strictSame(
    said(read(`${kinds}\n${loans}`)).map(([, amount, due]) => [amount, due]),
    [
      [20, '2028-06-21'],
      [200, '2029-06-21'],
      [43, '2027-07-01'],
      [8, '2026-12-19'],
      [225, '2027-02-14'],
    ],
    'with totals that have a count of properties and totals that have none',
  )
  t.strictSame(
    said(read(kinds)).map(([name]) => name),
    ['Revolving debt', 'Term loans', 'Mortgage loans'],
    'alone it is what is known',
  )
  t.end()
})

t.test('par values stand before two years, principal may be a total, and days may be shortened', t => {
  t.strictSame(
    read(`Senior debt consists of the following as of December 31 (in millions):

Par Value | 2024 | 2023
2.80% Senior Notes, due 2027 | $400 | $398 | $398
4.05% Senior Notes, due 2029 | 1,250 | 1,246 | 1,245
Total senior debt | $1,650 | $1,644 | $1,643
`).map(r => [(r.principal ?? 0) / 1e8, (r.carrying_amount ?? 0) / 1e8]),
    [
      [400, 398],
      [1250, 1246],
    ],
  )
  t.strictSame(
    said(
      read(`Long-term debt consists of the following at December 31:

(in millions) | 2024 | 2023
Variable-rate term loans1 | $937 | $761
Fixed-rate term loans2 | 100 | 210
Long-term principal | 1,037 | 971
Debt issuance costs | (2) | (2)
Total long-term debt | $1,035 | $969
`),
    ),
    [
      ['Variable-rate term loans', 937, null],
      ['Fixed-rate term loans', 100, null],
    ],
  )
  t.strictSame(
    said(
      read(
        `Long-term debt consisted of the following:

June 30, 2025 | June 30, 2024 | Dec. 31, 2024
(Dollars in millions)
U.S. term loans | $850 | $860 | $855
Secured revolver | 110 | 90 | 70
4\u215b% Senior Notes | 600 | 600 | 600
Total debt - principal | $1,560 | $1,550 | $1,525
`,
        { period_end: '2025-06-30', doc_type: '10-Q' },
      ),
    ),
    [
      ['U.S. term loans', 850, null],
      ['Secured revolver', 110, null],
      ['4.125% Senior Notes', 600, null],
    ],
  )
  t.end()
})

t.test('a month may have a comma before its year', t => {
  t.strictSame(
    said(
      read(`Debt was as follows (in millions):

Maturity Date | December 31, 2024 | December 31, 2023
Secured revolver | June, 2028 | $250 | $240
Unsecured notes | March, 2031 | 117 | 117
Total debt | $367 | $357
`),
    ),
    [
      ['Secured revolver due June 2028', 250, '2028-06'],
      ['Unsecured notes due March 2031', 117, '2031-03'],
    ],
  )
  t.end()
})
