import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { withToldFacilities } from '../../../engine/filing/facts/told-facilities.ts'
import { section } from './section.ts'

const noteOf = (text: string, more = {}) =>
  section(text, { section_type: 'debt_footnote', doc_type: '10-K', period_end: '2024-12-31', ...more })
const read = (text: string, more = {}) => debtLinesIn(noteOf(text, more))
const said = (rows: ReturnType<typeof debtLinesIn>) =>
  rows.map(r => [r.name, (r.principal ?? 0) / 1e8, (r.carrying_amount ?? 0) / 1e8, r.coupon_rate, r.maturity])

t.test('a column net of discounts is what debt is carried at, and a rate may be the name of notes', t => {
  t.strictSame(
    said(
      read(`Debt obligations consist of the following (in millions):

2024 | 2023
Maturity | Principal Amount | Net of Premiums, Discounts and Issuance Costs | Principal Amount | Net of Premiums, Discounts and Issuance Costs
Senior Secured Credit Facilities:
Term Loan B Facility | March 2029 | $1,200 | $1,188 | $1,210 | $1,195
Senior Unsecured Notes:
9.250% | April 2028 | 700 | 694 | 705 | 697
5.000% | January 2030 | 433 | 430 | 433 | 429
Total long-term debt | $2,333 | 2,312 | $2,348 | 2,321
`),
    ),
    [
      ['Term Loan B Facility due March 2029', 1200, 1188, undefined, '2029-03'],
      ['9.25% Senior Unsecured Notes due April 2028', 700, 694, 9.25, '2028-04'],
      ['5% Senior Unsecured Notes due January 2030', 433, 430, 5, '2030-01'],
    ],
  )
  t.strictSame(
    said(
      read(`Our obligations were as follows (in millions):

December 31, 2024 | December 31, 2023
Principal | Unamortized Discount and Costs | Net Value | Principal | Unamortized Discount and Costs | Net Value
Senior secured credit facility-Revolving Loan | $298 | $— | $298 | $205 | $— | $205
8.000% senior unsecured notes due 2027 | 981 | 4 | 977 | 981 | 5 | 976
Total long-term debt | $1,279 | $4 | $1,275 | $1,186 | $5 | $1,181
`),
    ),
    [
      ['Senior secured credit facility-Revolving Loan', 298, 298, undefined, null],
      ['8.000% senior unsecured notes due 2027', 981, 977, 8, '2027'],
    ],
  )
  t.end()
})

t.test('what is current and what is long-term of two days is one balance each', t => {
  t.strictSame(
    said(
      read(`Details of the Company's debt were as follows (in millions):

December 31, 2024 | December 31, 2023
Outstanding | Average | Outstanding | Average
Current | Long-term | Interest | Current | Long-term | Interest | Maturity
Revolving credit | $— | $480 | 3.5% | $4 | $301 | 4.2% | June 2028
Term loan | 2 | 26 | 4.3% | 2 | 27 | 4.5% | April 2028
Term loan | 107 | — | 3.6% | 111 | — | 3.8% | October 2026
Asset-backed notes 2022-1 | 17 | 35 | 3.5% | 17 | 48 | 3.5% | October 2032
126 | 541 | 134 | 376
Debt issuance costs | (3) | (11) | (3) | (13)
Total debt | $123 | $530 | $131 | $363
`),
    ),
    [
      ['Revolving credit due June 2028', 0, 480, undefined, '2028-06'],
      ['Term loan due April 2028', 0, 28, undefined, '2028-04'],
      ['Term loan due October 2026', 0, 107, undefined, '2026-10'],
      ['Asset-backed notes 2022-1 due October 2032', 0, 52, undefined, '2032-10'],
    ],
    'the rates are averages, which are no coupons',
  )
  t.end()
})

t.test('columns of contractual maturities and rates stand behind amounts, and deposits are no debt', t => {
  t.strictSame(
    said(
      read(`Borrowings consisted of the following as of December 31:

Description | 2024 | 2023 | Contractual Maturities | Interest Rates
(Dollars in millions)
Long-term debt:
Revolving line of credit | $— | $— | July 2027 | (1)
Term loans | 658 | 1,484 | July 2027 | (1)
Senior notes due 2029 | 850 | 850 | December 2029 | 4.750%
Subtotal | 1,508 | 2,334
Less: Unamortized debt issuance costs | 22 | 28
Total long-term debt | $1,486 | $2,306
Deposits:
Certificates of deposit | $5,447 | $6,015 | Various | 0.20% to 3.75%
Money market deposits | 5,586 | 3,790 | Non-maturity | (2)
Total deposits | $11,033 | $9,805
`),
    ),
    [
      ['Revolving line of credit due July 2027', 0, 0, undefined, '2027-07'],
      ['Term loans due July 2027', 0, 658, undefined, '2027-07'],
      ['4.75% Senior notes due 2029', 0, 850, 4.75, '2029-12'],
    ],
  )
  t.end()
})

t.test(
  'a rate of each day behind its amount is an average, and rates in names are those of the day or coupons',
  t => {
    const rows = read(
      `The following were components of debt (in millions):

December 31, 2024 | December 31, 2023
Carrying value | Weighted average interest rate | Carrying value | Weighted average interest rate
$500 million senior notes due 2029 | $480 | 3.5% | $478 | 3.5%
$600 million senior notes due 2031 | 514 | 3.0% | 512 | 3.0%
Variable-rate Term Loan, maturing on December 5, 2027, with an interest rate of 5.55% at December 31, 2024 and 5.58% at December 31, 2023 | 370 | 5.6% | 371 | 5.6%
Euro bank loan, maturing on June 30, 2033, with an interest rate of 2.15% | 11 | 2.2% | 12 | 2.2%
Total debt | 1,375 | 4.9% | 1,373 | 4.6%
`,
    )
    t.strictSame(
      rows.map(r => [r.name, r.coupon_rate, r.maturity]),
      [
        ['Senior notes due 2029', undefined, '2029'],
        ['Senior notes due 2031', undefined, '2031'],
        ['Variable-rate Term Loan, maturing on December 5, 2027', undefined, '2027-12-05'],
        ['Euro bank loan, maturing on June 30, 2033, with an interest rate of 2.15%', 2.15, '2033-06-30'],
      ],
    )
    t.end()
  },
)

t.test('principal amounts of all debt are no line, and two tables of one coupon tell one note', t => {
  t.strictSame(
    said(
      read(`Notes and other debt are as follows (in millions):

December 31, 2024 | December 31, 2023
Principal amount | $600 | $600
Less unamortized discount | (8) | (9)
Notes and other debt | $592 | $591

The following table summarizes the debt (in millions):

December 31, 2024 | December 31, 2023
5.150% Senior Notes | $246 | $246
4.000% Senior Notes | 346 | 345
Total debt | $592 | $591

The indentures contain covenants that limit what the Company and its subsidiaries may do, among them liens on the stock of certain subsidiaries, and the Company was in compliance with all of them during the year. The notes rank equally with all other debt of the Company that is not subordinated, and they may be redeemed in whole or in part at its option.

The table below provides the key terms of the debt (in millions):

Description | Issuance Date | Aggregate Principal | Issue Price | Net Proceeds | Maturity Date
5.150% Senior Notes | March 13, 2014 | $250 | 99.474% | $246 | April 1, 2045
4.000% Senior Notes | December 6, 2017 | $350 | 99.780% | $347 | December 6, 2027
`),
    ),
    [
      ['5.150% Senior Notes due April 1, 2045', 250, 246, 5.15, '2045-04-01'],
      ['4.000% Senior Notes due December 6, 2027', 350, 346, 4, '2027-12-06'],
    ],
  )
  t.end()
})

t.test('a loan told as it was agreed is what the table of debt has of its letter', t => {
  const note = noteOf(`Long-term debt consisted of the following (in millions):

December 31, 2024 | December 31, 2023
Amended Term Loan A Facility due 2027 | $515 | $536
Amended Term Loan B Facility due 2029 | 987 | 995
Total | $1,502 | $1,531

In March 2019, the Company entered into a credit agreement, which provided for (i) a five-year $300 million Term Loan A facility and (ii) a seven-year $500 million Term Loan B facility.
`)
  const rows = withToldFacilities(debtLinesIn(note), creditFacilitiesIn(note))
  t.strictSame(
    rows.map(r => r.name),
    ['Amended Term Loan A Facility due 2027', 'Amended Term Loan B Facility due 2029'],
  )
  t.ok(creditFacilitiesIn(note).length > 0, 'the sentence alone tells one')
  t.end()
})

t.test(
  'subtotals and costs of a table of facilities are no facilities, and several columns may be drawn',
  t => {
    const rows = creditFacilitiesIn(
      noteOf(`The following table summarizes credit facilities, borrowings thereunder and availability at December 31, 2024 (in millions):

Maturity | Total Facility/Debt | Short-Term Outstanding | Current Maturities of Long-Term Outstanding | Long-Term Outstanding | Available
Committed Asset-Backed Facilities
Retail - U.S. | Sep 2027 | $1,200 | $— | $48 | $211 | $941
Retail - Canada | Dec 2027 | 385 | — | 39 | 196 | 150
1,585 | — | 87 | 407 | 1,091
Unsecured Credit Lines and Facilities
Revolving credit facility | Mar 2029 | 846 | — | 346 | 100 | 400
Unamortized issuance costs | (2) | — | — | (2) | —
844 | — | 346 | 98 | 400
`),
    )
    t.strictSame(
      rows.map(r => [r.name, (r.commitment ?? 0) / 1e8, (r.drawn ?? 0) / 1e8, r.maturity]),
      [
        ['Retail - U.S. credit facility due September 2027', 1200, 259, '2027-09'],
        ['Retail - Canada credit facility due December 2027', 385, 235, '2027-12'],
        ['Revolving credit facility due March 2029', 846, 446, '2029-03'],
      ],
    )
    t.end()
  },
)

t.test('margins behind a floor, and those that are called margins', t => {
  const rows = read(`Long-term debt consisted of the following (in millions):

December 31, 2024 | December 31, 2023
Term loans, interest at SOFR, subject to a 0.75% floor plus 4.0% (9.5% at December 31, 2024) | $552 | $555
Equipment loan, variable interest rate of SOFR plus a margin of 2.25%, due May 2028 | 100 | 110
Total debt | $652 | $665
`)
  t.strictSame(
    rows.map(r => [r.benchmark, r.spread_bps]),
    [
      ['SOFR', 400],
      ['SOFR', 225],
    ],
  )
  t.end()
})
