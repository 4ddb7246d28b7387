import t from 'tap'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { withToldFacilities } from '../../../engine/filing/facts/told-facilities.ts'
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

t.test(
  'the day of a column of rates is none of amounts, and a total behind costs is what debt is carried at',
  t => {
    t.strictSame(
      read(`Long-term debt at the balance sheet dates consisted of (in millions):

December 31, 2024 | December 31, 2023
Interest Rate at December 31, 2024 | Principal | Unamortized Debt Costs | Total | Principal | Unamortized Debt Costs | Total
2018 Notes, maturing 2027, fixed interest rate | 5.4% | $270 | $(1) | $269 | $300 | $(1) | $299
2020 Notes, maturing 2028, fixed interest rate | 4.8% | 275 | (3) | 272 | 275 | (4) | 271
Total debt | $545 | $(4) | $541 | $575 | $(5) | $570
`).map(r => [(r.principal ?? 0) / 1e8, (r.carrying_amount ?? 0) / 1e8, r.coupon_rate, r.maturity]),
      [
        [270, 269, 5.4, '2027'],
        [275, 272, 4.8, '2028'],
      ],
    )
    t.strictSame(
      read(`The carrying value consisted of the following (in millions):

December 31, 2024
Principal | Unamortized Debt Issuance Costs | Total
Senior notes | $400 | $(4) | $396
Term A loan | 228 | (1) | 227
Total | $628 | $(5) | $623
`).map(r => [r.name, (r.principal ?? 0) / 1e8, (r.carrying_amount ?? 0) / 1e8]),
      [
        ['Senior notes', 400, 396],
        ['Term A loan', 228, 227],
      ],
    )
    t.end()
  },
)

t.test(
  'rates in brackets are coupons unless they are of a day, and captions of a balance sheet repeat debt',
  t => {
    t.strictSame(
      read(`Long-term debt consisted of the following (in millions):

December 31, 2024 | December 31, 2023
Term B Loans (effective interest rate of 3.50% at December 31, 2024) | $1,200 | $—
Senior Notes due 2029 (interest rate of 5.25%) | 725 | 725
Convertible notes | 210 | 205
Total long-term debt | $2,135 | $930
Balance sheet captions
Current portion of convertible notes | $10 | $—
Long term portion of convertible notes | 200 | 205
Other debt of the Company | 1,925 | 725
Total | $2,135 | $930
`).map(r => [r.name, (r.carrying_amount ?? 0) / 1e8, r.coupon_rate]),
      [
        ['Term B Loans', 1200, undefined],
        ['5.25% Senior Notes due 2029', 725, 5.25],
        ['Convertible notes', 210, undefined],
      ],
    )
    t.end()
  },
)

t.test(
  'lines without a maturity fall due in the year of their last payment, unless it is later than a table says',
  t => {
    const text = (years: string, notes: string) => `Long-term debt is as follows (in millions):

December 31, 2024 | December 31, 2023
6.250% senior notes | $1,225 | $1,225
Revolving facility | 280 | 445
Term loan | 2,092 | 2,103
Total debt | $3,597 | $3,773

Principal maturities of debt are approximately as follows:

${years} | Thereafter | Total
6.250% senior notes | ${notes} | $1,225
Revolving facility | — | — | — | 280 | — | — | 280
Term loan | 21 | 21 | 21 | 2,029 | — | — | 2,092
Total debt | $21 | $21 | $1,246 | $2,309 | $— | $— | $3,597
`
    const calendar = '2025 | 2026 | 2027 | 2028 | 2029'
    t.strictSame(
      said(read(text(calendar, '$— | $— | $1,225 | $— | $— | $—'))).map(([, , due]) => due),
      ['2027', '2028', '2028'],
    )
    t.strictSame(
      said(read(text(calendar, '$— | $— | $— | $— | $— | $1,225'))).map(([, , due]) => due),
      [null, '2028', '2028'],
      'what is paid thereafter falls due in no year that is known',
    )
    t.strictSame(
      said(read(text(calendar, '$— | $— | $1,225 | $— | $— | $—'), { period_end: '2024-06-30' })),
      [],
      'of another day',
    )
    t.strictSame(
      said(read(text(calendar.replaceAll('20', 'Fiscal 20'), '$— | $— | $1,225 | $— | $— | $—'))).map(
        ([, , due]) => due,
      ),
      [null, null, null],
      'fiscal years are no calendar years',
    )
    t.end()
  },
)

t.test('a table of terms names facilities by their size, which no line is', t => {
  const text = `Debt outstanding was as follows (in thousands):

December 31, 2024 | December 31, 2023
Mortgages and notes payable | $60,888 | $73,154
Unamortized debt issuance costs | (764) | (1,051)
$60,124 | $72,103

The maturity dates and interest rates of the unsecured credit agreement are as follows:

Maturity Date | Interest Rate
$600,000 Revolving Credit Facility(1) | July 2028 | SOFR + 0.85%
$300,000 Term Loan(2) | January 2027 | Term SOFR + 1.00%
$50,000 Bridge Term Loan | January 2024 | Term SOFR + 1.00%
`
  const note = section(text, {
    section_type: 'debt_footnote',
    doc_type: '10-K',
    period_end: '2024-12-31',
    amounts_in: 'thousands',
  })
  t.strictSame(
    debtLinesIn(note)
      .filter(({ rule }) => rule === 'facility_text')
      .map(r => [r.name, (r.commitment ?? 0) / 1e8, r.benchmark, r.spread_bps, r.maturity]),
    [
      ['Revolving Credit Facility due July 2028', 600, 'SOFR', 85, '2028-07'],
      ['Term Loan due January 2027', 300, 'SOFR', 100, '2027-01'],
    ],
    'without one that has fallen due',
  )
  const told = [{ instrument_type: 'revolver' as const, commitment: 6e10, drawn: 0, rule: 'facility_text' }]
  t.strictSame(
    withToldFacilities(debtLinesIn(note), told).filter(({ commitment }) => commitment === 6e10),
    told,
    'a sentence says more of the same facility',
  )
  t.end()
})
