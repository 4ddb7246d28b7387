import t from 'tap'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const note = (text: string) =>
  section(text, { section_type: 'debt_footnote', doc_type: '10-K', title: 'Debt' })
const tests = (text: string) =>
  covenantsIn(note(text))
    .filter(row => row.covenant_type === 'financial' || row.covenant_type === 'incurrence')
    .map(row => [row.instrument_name, row.covenant_name, row.threshold_value])
const restrictions = (text: string) =>
  covenantsIn(note(text))
    .filter(row => row.covenant_type === 'negative')
    .map(row => row.covenant_name)
const agreed = (text: string) =>
  covenantsIn(section(text)).map(row => [row.covenant_name, row.threshold_value ?? null])

t.test('a level before the next ratio of a sentence is no ratio of one to the other', async t => {
  t.strictSame(
    tests(
      'The Company is required to maintain under the Credit Agreement a Debt to Cash Flow Ratio of no more than 3.50 to 1.00 and a Fixed Charge Coverage Ratio of at least 1.50 to 1.00. The Debt to Cash Flow Ratio may be increased to 4.00 to 1.00 after an acquisition.',
    ),
    [
      ['Credit Agreement', 'Maximum Debt to Cash Flow Ratio', 3.5],
      ['Credit Agreement', 'Minimum Fixed Charge Coverage Ratio', 1.5],
    ],
  )
})

t.test('covenants after a lead-in that ends with will begin with not', async t => {
  const text = `CREDIT AGREEMENT dated as of March 1, 2024

SECTION 7. COVENANTS

The Borrower agrees that, until all obligations are paid in full, it will:

7.5 Net Worth. Not permit Consolidated Net Worth to be less than $2,000,000,000 as of the last day of any fiscal quarter.

7.6 Debt to Capital. Not permit the Debt to Capital Ratio to exceed 35% as of the last day of any fiscal quarter.

7.7 Mergers, Consolidations and Sales. Not, and not permit any Subsidiary to, (a) be a party to any merger or consolidation, or (b) sell, transfer or lease any substantial part of its assets.

7.9 Restricted Payments. Not declare or pay any dividend on its common shares if a Default exists.`
  t.strictSame(agreed(text), [
    ['Minimum Net Worth', 2000000000_00],
    ['Maximum Debt to Capitalization Ratio', 0.35],
    ['Limitation on Asset Sales', null],
    ['Limitation on Mergers', null],
    ['Limitation on Restricted Payments', null],
  ])
})

t.test(
  'priority debt is held to a share of net worth, and a title that names a ratio limits no debt',
  async t => {
    const text = `NOTE PURCHASE AGREEMENT dated as of May 31, 2024

Section 10.6. Maximum Consolidated Debt to Consolidated EBITDA. The Company will not permit the ratio of Consolidated Debt to Consolidated EBITDA to be greater than 3.50 to 1.00 at any time.

Section 10.8. Priority Debt. The Company will not, at any time, permit Priority Debt to exceed 20% of Consolidated Net Worth.`
    t.strictSame(agreed(text), [
      ['Maximum Total Leverage Ratio', 3.5],
      ['Maximum Priority Debt Ratio', 0.2],
    ])
  },
)

t.test('minimum net sales are read from the table that follows, in its unit', async t => {
  const [row] = covenantsIn(
    note(`The Note Purchase Agreement requires cash. In addition, the Company is required to achieve minimum trailing twelve-month consolidated net sales, tested quarterly, as follows:

Trailing Twelve-Months Ending | Requirement (in millions)
December 31, 2024 | $90.0
March 31, 2025 | $82.5
June 30, 2025 | $85.0`),
  ).filter(each => each.covenant_name === 'Minimum Revenue')
  t.strictSame(row?.threshold_value, 82_500_000_00)
  t.strictSame(row?.step_down_schedule, [
    { date: '2024-12-31', threshold_value: 90_000_000_00 },
    { date: '2025-03-31', threshold_value: 82_500_000_00 },
    { date: '2025-06-30', threshold_value: 85_000_000_00 },
  ])
  t.strictSame(tests('Our loan agreement requires revenue growth. Net sales were $90.0 million.'), [])
})

t.test('a debt service ratio, a named company and a level of today are read', async t => {
  t.strictSame(
    tests(
      'The 2024 Alfa Revolving Credit Facility requires Alfa Teams LLC to comply with a debt service ratio of 1.5:1.0 over four quarters.',
    ),
    [['2024 Alfa Revolving Credit Facility', 'Minimum Debt Service Coverage Ratio', 1.5]],
  )
  t.strictSame(
    tests(
      'Pursuant to Amendment No. 2 to the Credit Agreement, the maximum permitted leverage ratio is (i) 7.00 for the fiscal quarter ended July 1, 2024 and (ii) 8.25 for the fourth quarter.',
    ).map(([, ...rest]) => rest),
    [['Maximum Total Leverage Ratio', 7]],
  )
})

t.test('a joint venture and a regulator ask nothing of the company for its lenders', async t => {
  t.strictSame(
    tests(
      'Alfa Lodges, a joint venture that is 51% owned, must keep net worth of $5.0 million under its agreement with the developer.',
    ),
    [],
  )
  t.strictSame(
    restrictions(
      'SBA regulations limit the amount of dividends that the fund may pay to the Company under the debentures.',
    ),
    [],
  )
})

t.test('a mortgage indenture lets bonds be issued only on earnings of twice their interest', async t => {
  t.strictSame(
    tests(
      'Alfa may not issue any additional First Mortgage Bonds unless it has net earnings for any period of 12 consecutive months that were at least twice the annual interest requirements on all bonds outstanding.',
    ).map(([, ...rest]) => rest),
    [['Minimum Interest Coverage Ratio', 2]],
  )
})

t.test('during a period a borrower is restricted from what a list names', async t => {
  t.strictSame(
    restrictions(
      'The Credit Agreement was amended. During that period the borrower is restricted from paying any dividends (unless liquidity is greater than $300.0 million), making investments in excess of $50.0 million and incurring any additional indebtedness.',
    ),
    ['Limitation on Indebtedness', 'Limitation on Restricted Payments', 'Limitation on Investments'],
  )
  t.strictSame(
    restrictions(
      'The Credit Agreement ended. Under the law of the state the company is restricted from paying dividends.',
    ),
    [],
  )
})

t.test('a test that springs when availability falls says so', async t => {
  const [row] = covenantsIn(
    note(
      'Under the Loan Agreement, the Company must maintain a fixed charge coverage ratio of not less than 1.0 to 1.0 whenever availability falls below the greater of $7.0 million and 10% of the borrowing base.',
    ),
  )
  t.strictSame([row?.threshold_value, row?.test_frequency], [1, 'springing'])
})

t.test('a table of levels says above its rows whose they are, and in which unit', async t => {
  const rows = tests(`Our debt has these covenants:

Credit Facility and Private Placement Notes (as defined in the agreements): | Covenant Level | Actual as of December 31, 2024
Total debt to total asset value | less than 60% | 33%
Fixed charge coverage ratio | greater than 1.5x | 3.4x
Unsecured debt ratio | greater than 1.67x | 2.91x
Senior Notes due 2029 (as defined in the Indentures):
Total debt to total asset value | less than 60% | 40%
Unencumbered asset pool value to unsecured debt | greater than 150% | 258%`)
  const [facility, notes] = ['Credit Facility and Private Placement Notes', 'Senior Notes due 2029']
  t.strictSame(rows, [
    [facility, 'Maximum Debt to Assets Ratio', 0.6],
    [facility, 'Minimum Fixed Charge Coverage Ratio', 1.5],
    [facility, 'Minimum Asset Coverage Ratio', 1.67],
    [notes, 'Maximum Debt to Assets Ratio', 0.6],
    [notes, 'Minimum Asset Coverage Ratio', 1.5],
  ])
  const amounts = (unit: string) =>
    tests(`The Credit Facility has these covenants:

Financial Covenant${unit} | Covenant Requirement | Actual
Minimum Tangible Net Worth | > $2,606 | $3,904`).map(([, name, level]) => [name, level])
  t.strictSame(amounts(' (dollars in millions):'), [['Minimum Tangible Net Worth', 2_606_000_000_00]])
  t.strictSame(amounts(''), [])
})
