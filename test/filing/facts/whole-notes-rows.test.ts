import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { withToldFacilities } from '../../../engine/filing/facts/told-facilities.ts'
import { section } from './section.ts'

const noteOf = (text: string, more = {}) =>
  section(text, { section_type: 'debt_footnote', doc_type: '10-K', period_end: '2024-12-31', ...more })
const said = (text: string, more = {}) =>
  debtLinesIn(noteOf(text, more)).map(r => [
    r.name,
    (r.principal ?? 0) / 1e5,
    (r.carrying_amount ?? 0) / 1e5,
    r.coupon_rate,
    r.maturity,
  ])

t.test('heads of columns between the rows of a table say what those below them are', async t => {
  const table = (intro: string, heading = 'Debenture principal amount') => `${intro}

2024 | 2023
(in thousands)
Credit facility
Bankers' acceptances | — | 42,000
— | 42,000
${heading} | Interest rate | Issued date | Maturity date
$300 million | 3.125% | March 4, 2020 | March 4, 2027 | 298,410 | 297,900
$425 million | 4.350% | June 9, 2022 | June 9, 2029 | 423,075 | 422,700
$150 million | 5.050% | May 2, 2024 | May 2, 2034 | 148,600 | —
870,085 | 720,600
Long-term debt | 870,085 | 762,600
`
  t.strictSame(said(table('Long-term debt consists of the following:')), [
    ['3.125% Debenture due March 4, 2027', 0, 298410, 3.125, '2027-03-04'],
    ['4.35% Debenture due June 9, 2029', 0, 423075, 4.35, '2029-06-09'],
    ['5.05% Debenture due May 2, 2034', 0, 148600, 5.05, '2034-05-02'],
  ])
  t.strictSame(
    said(`Interest paid is as follows:

Interest rate | Issued date | Maturity date | 2024 | 2023
Interest paid on debentures
$300 million | 3.125% | March 4, 2020 | March 4, 2027 | 9,375 | 9,375
$425 million | 4.350% | June 9, 2022 | June 9, 2029 | 18,488 | 18,488
27,863 | 27,863
`),
    [],
    'interest paid is no debt',
  )
})

t.test('a column that counts years is none of amounts, nor is its day that of amounts', async t => {
  const table = (years = ['2.25', '6.40', '7.10', '5.90']) => `The following table summarizes indebtedness:

(in thousands)
December 31, 2024 | December 31, 2023
Carrying Amount | Interest Rate | Carrying Amount | Interest Rate | Weighted Average Maturity in Years at December 31, 2024
Lines of credit (1) | $45,000 | 6.10% | $90,500 | 5.80% | ${years[0]}
Unsecured senior notes | 250,000 | 3.40% | 250,000 | 3.40% | ${years[1]}
Unsecured debt | 295,000 | 340,500 | ${years[2]}
Mortgages payable - other | 310,400 | 4.15% | 305,900 | 4.05% | ${years[2]}
Total debt | $605,400 | 3.90% | $646,400 | 4.00% | ${years[3]}
`
  t.strictSame(said(table()), [
    ['Lines of credit', 0, 45000, undefined, null],
    ['Unsecured senior notes', 0, 250000, undefined, null],
    ['Mortgages payable - other', 0, 310400, undefined, null],
  ])
  t.strictSame(said(table(['310', '640', '710', '590'])), [], 'what is no number of years stays a column')
})

t.test('a row of principal, costs and carrying amount needs no total, whatever stands behind it', async t => {
  const table = (costs: string) => `Convertible notes consisted of the following as of December 31, 2024:

Fair Value (1)
(In thousands) | Principal Amount | Unamortized Debt Discount and Issuance Costs | Net Carrying Amount | Amount | Leveling
2031 Convertible Notes - 1.750% | $410,000 | $(3,900) | $406,100 | $455,300 | 2
2029 Convertible Notes - 0.500% | 725,500 | ${costs} | 717,300 | 640,800 | 2
`
  t.strictSame(said(table('(8,200)')), [
    ['2031 Convertible Notes - 1.750%', 410000, 406100, 1.75, '2031'],
    ['2029 Convertible Notes - 0.500%', 725500, 717300, 0.5, '2029'],
  ])
  t.equal(said(table('(9,200)')).length, 1, 'not where a row does not add up')
})

t.test('notes in blocks that end with the carrying amount of their name are read', async t => {
  t.strictSame(
    said(`The following table provides information regarding the debt:

December 31, 2024 | December 31, 2023
(In thousands)
Convertible notes
Notes due 2030 | $480,000 | $480,000
Less: unamortized debt issuance costs | (6,100) | (7,200)
Carrying amount of Notes due 2030 | 473,900 | 472,800
Notes due 2027 | 215,000 | 215,000
Less: unamortized debt discount | (9,400) | (13,100)
Less: unamortized debt issuance costs | (800) | (1,200)
Carrying amount of Notes due 2027 | 204,800 | 200,700
Total carrying amount of debt | 678,700 | 673,500
Less: debt, current | — | —
Debt, non-current | $678,700 | $673,500
`),
    [
      ['Convertible Notes due 2030', 480000, 473900, undefined, '2030'],
      ['Convertible Notes due 2027', 215000, 204800, undefined, '2027'],
    ],
  )
})

t.test('a stated value is a face amount, and other borrowings are listed by their own table', async t => {
  const text = (heading: string) => `Borrowed funds are summarized as follows (dollars in thousands):

December 31,
2024 | 2023
Amount | ${heading} | Amount | ${heading}
FHLB advances | $640,200 | 4.80% | $702,100 | 4.40%
Other borrowings | 61,150 | 6.15 | 60,900 | 5.95
Total borrowed funds | $701,350 | 4.92% | $763,000 | 4.52%

The other borrowings at December 31, 2024 included the following (in thousands):

Type of Debt | Stated Value | Carrying Value | Interest Rate | Maturity
Subordinated debt | $45,000 | $44,350 | 5.250%(1) | June 15, 2031
Trust preferred | 12,000 | 9,800 | 3 month SOFR plus 1.85%(2) | March 15, 2036
Trust preferred | 7,000 | 7,000 | 3 month SOFR plus 2.05%(2) | August 1, 2037
Total | $64,000 | $61,150
`
  t.strictSame(
    said(text('Weighted Average Rate')).map(([name, ...rest]) => [name, rest[0], rest[1]]),
    [
      ['FHLB advances', 0, 640200],
      ['5.25% Subordinated debt due June 15, 2031', 45000, 44350],
      ['Floating-rate Trust preferred debt due March 15, 2036', 12000, 9800],
      ['Floating-rate Trust preferred debt due August 1, 2037', 7000, 7000],
    ],
  )
})

t.test(
  'names say when debt falls due: `mature`, a year behind the notes, and what the text calls a coupon',
  async t => {
    const table = (
      rows: string,
      total: string,
    ) => `Long-term debt consisted of the following (amounts in thousands):

December 31, 2024 | December 31, 2023
${rows}
${total}
`
    t.strictSame(
      said(
        table(
          `Term loans, mature March 14, 2028, SOFR plus 3.25%, with an effective rate of 8.1% | $394,100 | $398,200
Senior Notes 2029, aggregate principal | 250,000 | 250,000
7.125% Senior notes | 180,300 | 179,900`,
          'Total debt | $824,400 | $828,100',
        ) +
          '\nWe are in compliance with the indenture of our 7.125% senior notes due 2031, or the 7.125% senior notes.',
      ).map(([name, , amount, coupon, maturity]) => [name, amount, coupon, maturity]),
      [
        ['Term loans, mature March 14, 2028, SOFR plus 3.25%', 394100, undefined, '2028-03-14'],
        ['Senior Notes 2029', 250000, undefined, '2029'],
        ['7.125% Senior notes due 2031', 180300, 7.125, '2031'],
      ],
    )
    t.match(
      said(
        `${table(
          '7.125% Senior notes | 180,300 | 179,900\nTerm loan | 20,000 | 20,000',
          'Total debt | $200,300 | $199,900',
        )}\nWe have 7.125% senior notes due 2031. In May we redeemed 7.125% senior notes due 2026.`,
      )[0],
      ['7.125% Senior notes', 0, 180300, 7.125, null],
      'none of two years',
    )
  },
)

t.test('what is owed under an agreement is not its commitment', async t => {
  const text = `Our debt consisted of the following (in thousands):

December 31, | December 31,
2024 | 2023
Senior Notes 2029, aggregate principal | $500,000 | $500,000
Revolving credit facility | 310,400 | 298,100
Total debt | $810,400 | $798,100

Revolving Credit Facility

The Credit Agreement matures on June 8, 2028. The Credit Agreement has an aggregate commitment of $1.2 billion. As of December 31, 2024, we had outstanding borrowings under the Credit Agreement of $310.4 million.
`
  const note = noteOf(text)
  const rows = withToldFacilities(debtLinesIn(note), creditFacilitiesIn(note))
  t.match(
    rows.map(r => [r.carrying_amount, r.commitment ?? null, r.maturity]),
    [
      [500e8, null, '2029'],
      [310.4e8, 1200e8, '2028-06-08'],
    ],
  )
})

t.test('a note of the foot says nothing of the facility that the note before it tells', async t => {
  const text = `Long-term debt consists of the following (in thousands):

2024 | 2023
Line of credit with a bank-due July 1, 2027, and collateralized by accounts receivable (1) | - | $2,100
Equipment financing (2) | 120,400 | 118,300
Total long-term debt | $120,400 | $120,400

(1) Line of credit agreement with a bank provides for maximum borrowings of $35.0 million and contains certain covenants.

(2) Equipment financings consist of installment obligations with various maturity dates through November 2030.
`
  t.strictSame(creditFacilitiesIn(noteOf(text)), [], 'none that falls due with the equipment financings')
})

t.test('a day above a column of rates is none of balances, and a month may be a number', async t => {
  const table = (last: string) => `The table below details the notes and bonds payable.

Maturity Dates | Balance as of | ${last}
(Dollars in thousands) | December 31, 2024 | December 31, 2023 | December 31, 2024
Unsecured Credit Facility | 7/27 | $210,000 | $222,000 | 5.49%
Senior Notes due 2029, net of discount | 4/29 | 198,300 | 198,100 | 3.95%
Mortgage notes payable | 7/25-5/40 | 92,400 | 93,800 | 4.79%
$500,700 | $513,900
`
  t.strictSame(
    said(table('Effective Interest Rate as of')).map(([name, , amount, , maturity]) => [
      name,
      amount,
      maturity,
    ]),
    [
      ['Unsecured Credit Facility due July 2027', 210000, '2027-07'],
      ['Senior Notes due 2029', 198300, '2029-04'],
      ['Mortgage notes payable due 2025 - 2040', 92400, null],
    ],
  )
})

t.test('what adds up to loans or mortgages is listed, and an average is no coupon', async t => {
  t.strictSame(
    said(`The following is a summary of mortgages payable:

Weighted Average Effective Interest Rate (1) | December 31,
2024 | 2023
(In thousands)
Variable rate (2) | 5.30% | $208,500 | $310,200
Fixed rate (3) | 4.10% | 935,100 | 937,400
Mortgages payable | 1,143,600 | 1,247,600
Unamortized deferred financing costs, net | (5,600) | (7,600)
Mortgages payable, net | $1,138,000 | $1,240,000

The following is a summary of amounts outstanding under the credit facility:

Interest Rate (1) | December 31,
2024 | 2023
(In thousands)
Tranche A-1 Term Loan | 5.32% | $125,000 | $75,000
Tranche A-2 Term Loan | 5.41% | 210,000 | —
Unsecured term loans | 335,000 | 75,000
Unamortized deferred financing costs, net | (2,100) | (1,200)
Unsecured term loans, net | $332,900 | $73,800
`).map(([name, , amount]) => [String(name).replace(/^[\d.]+% /, ''), amount]),
    [
      ['Variable rate debt', 208500],
      ['Fixed rate debt', 935100],
      ['Tranche A-1 Term Loan', 125000],
      ['Tranche A-2 Term Loan', 210000],
    ],
  )
  t.strictSame(
    said(`Debt consisted of the following (in thousands):

December 31, 2024 | December 31, 2023
5.44% weighted-average senior notes | $150,000 | $150,000
3.70% weighted-average senior notes | 610,000 | 610,000
Total debt | $760,000 | $760,000
`).map(([name, , amount, coupon]) => [name, amount, coupon]),
    [
      ['5.44% weighted-average senior notes', 150000, undefined],
      ['3.70% weighted-average senior notes', 610000, undefined],
    ],
  )
})

t.test('a total may be of payments due, and current portions are parts of the lines above', async t => {
  t.strictSame(
    said(`The debt includes the following (in thousands):

December 31, 2024 | December 31, 2023
Term A-1 Loan Facility bearing interest at SOFR plus 2.25% | $140,000 | $150,000
Senior Notes due 2029 at a fixed interest rate of 5.50% | 406,400 | 406,400
Foreign bank debt weighted average rate 6.20% | 35,100 | 36,900
Total principal payments due | 581,500 | 593,300
Less: debt issuance costs | (4,500) | (5,300)
Total debt | $577,000 | $588,000
`).map(([name, , amount, coupon]) => [String(name).split(' ').slice(-4).join(' '), amount, coupon]),
    [
      ['at SOFR plus 2.25%', 140000, undefined],
      ['Senior Notes due 2029', 406400, 5.5],
      ['weighted average rate 6.20%', 35100, undefined],
    ],
  )
  t.strictSame(
    said(`Debt consists of the following (in thousands):

December 31, 2024 | December 31, 2023
Debt:
Term Loan B | $386,000 | $391,000
Seller Notes | 24,800 | 11,500
Total debt | 410,800 | 402,500
Current portion of long-term debt:
Term Loan B | 5,050 | 5,050
Seller Notes | 8,950 | 4,050
Total current portion of long-term debt | 14,000 | 9,100
Long-term debt | $396,800 | $393,400
`).map(([name, , amount]) => [name, amount]),
    [
      ['Term Loan B', 386000],
      ['Seller Notes', 24800],
    ],
  )
})
