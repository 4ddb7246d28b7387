import t from 'tap'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const levels = (text: string) =>
  covenantsIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K' })).map(row => [
    row.covenant_name,
    row.threshold_value ?? null,
  ])
const cents = (millions: number) => millions * 1e8

/** Each sentence of a report with the tests that it tells. */
const told: readonly (readonly [string, ...(readonly (string | number | null)[])[]])[] = [
  [
    'The most restrictive covenants require the maintenance of a current ratio of not less than 1.5 to 1 and tangible net worth of $12,000,000.',
    ['Minimum Current Ratio', 1.5],
    ['Minimum Tangible Net Worth', cents(12)],
  ],
  [
    'The credit agreement limits the total debt of Alfa to $90 million and limits the Company’s total debt to 60% of total capitalization.',
    ['Maximum Debt to Capitalization Ratio', 0.6],
  ],
  [
    'The indenture requires us to limit total debt to less than 60% of total assets.',
    ['Maximum Debt to Assets Ratio', 0.6],
  ],
  [
    'We are subject to a maximum total leverage ratio and a minimum fixed charge coverage ratio under the credit facility, each tested quarterly.',
    ['Maximum Total Leverage Ratio', null],
    ['Minimum Fixed Charge Coverage Ratio', null],
  ],
  [
    'The ABL facility includes a springing fixed charge coverage ratio of 1.00 to 1.00 that is tested when availability is less than 10% of the commitments.',
    ['Minimum Fixed Charge Coverage Ratio', 1],
  ],
  [
    'We are required to maintain at least $50 million of liquidity at the end of each month under the loan agreement.',
    ['Minimum Liquidity', cents(50)],
  ],
  ['The term loan requires a minimum cash balance of $5.0 million.', ['Minimum Liquidity', cents(5)]],
  [
    'Under the credit agreement, the Company must have cash and cash equivalents of at least $20 million at each quarter end.',
    ['Minimum Liquidity', cents(20)],
  ],
  [
    'The bank agreement limits annual capital expenditures to $8,000,000.',
    ['Maximum Capital Expenditures', cents(8)],
  ],
  [
    'Pursuant to the credit agreement, the total leverage ratio is not permitted to exceed 4.00 to 1.00.',
    ['Maximum Total Leverage Ratio', 4],
  ],
  ['We must not exceed a ratio of debt to EBITDA of 3.25 to 1.', ['Maximum Total Leverage Ratio', 3.25]],
  [
    'The notes require that EBITDA be at least 2.5 times interest expense.',
    ['Minimum Interest Coverage Ratio', 2.5],
  ],
  [
    'The leverage ratio covenant under the credit agreement is 3.75 to 1.00.',
    ['Maximum Total Leverage Ratio', 3.75],
  ],
  [
    'The minimum interest coverage ratio required by the facility was 3.0 to 1.0; ours was 8.2 to 1.0.',
    ['Minimum Interest Coverage Ratio', 3],
  ],
  [
    'After the acquisition, the maximum permitted net leverage ratio increased to 4.50 to 1.00 for four quarters under the credit agreement.',
    ['Maximum Net Leverage Ratio', 4.5],
  ],
  [
    'Among the covenants are requirements that the Company maintain tangible net worth of $30 million or more and a ratio of total liabilities to tangible net worth of 1.0 or less.',
    ['Minimum Tangible Net Worth', cents(30)],
    ['Maximum Debt to Net Worth Ratio', 1],
  ],
  [
    'The Company must meet a fixed charge coverage test of 1.25 to 1 under the agreement.',
    ['Minimum Fixed Charge Coverage Ratio', 1.25],
  ],
  [
    'The Company must maintain a debt-to-capital ratio of no more than .65 to 1.00 under its credit agreement.',
    ['Maximum Debt to Capitalization Ratio', 0.65],
  ],
  [
    'If more than 35% of the revolver is drawn, the first lien net leverage ratio may not exceed 5.50 to 1.00.',
    ['Maximum First Lien Leverage Ratio', 5.5],
  ],
  [
    'The facility contains a covenant to maintain liquidity of $4 billion, comprising cash and undrawn lines.',
    ['Minimum Liquidity', cents(4000)],
  ],
  [
    'The Company has a credit agreement with a covenant limiting its debt to capitalization ratio.',
    ['Maximum Debt to Capitalization Ratio', null],
  ],
  [
    'The facility has a single financial covenant, which pertains to leverage (the ratio of debt to adjusted EBITDA), and we met it by a wide margin.',
    ['Maximum Total Leverage Ratio', null],
  ],
  [
    'Financial covenants in these agreements relate to interest coverage and debt to total capitalization.',
    ['Minimum Interest Coverage Ratio', null],
    ['Maximum Debt to Capitalization Ratio', null],
  ],
  [
    'The notes require that we keep at least $2.5 million in cash at all times.',
    ['Minimum Liquidity', cents(2.5)],
  ],
  [
    'The amended credit agreement sets minimum EBITDA at $5.0 million for 2009.',
    ['Minimum EBITDA', cents(5)],
  ],
  ['The covenant requires that net debt not exceed 3.25 times EBITDA.', ['Maximum Net Leverage Ratio', 3.25]],
  [
    'We are obligated to maintain EBITDA of no less than three times interest expense under the credit facility.',
    ['Minimum Interest Coverage Ratio', 3],
  ],
  [
    'The credit agreement requires total debt to be no more than 60% of total capitalization.',
    ['Maximum Debt to Capitalization Ratio', 0.6],
  ],
  [
    'The Company covenanted to have tangible net worth of at least $20,000,000 at each year end.',
    ['Minimum Tangible Net Worth', cents(20)],
  ],
  ['Under the facility, we must have liquidity of $100 million or more.', ['Minimum Liquidity', cents(100)]],
]

t.test('reports word tests in many ways', async t => {
  for (const [text, ...rows] of told) t.strictSame(levels(text), rows, text)
})

t.test('levels that nobody who lends asks for are no tests', async t => {
  for (const text of [
    'The rating agency requires adjusted debt to EBITDA of below 3.5x for the current rating.',
    'Regulations of the commission require the utility to maintain a minimum net worth of $40 million.',
    'We target a leverage ratio of 2.5 to 3.0 times over time.',
    'At year end, we had $50 million of liquidity.',
    'If we borrow, we may hold at least $50 million of liquidity.',
    'The maximum leverage ratio reached in the year was 3.1 to 1.',
  ])
    t.strictSame(levels(text), [], text)
})

t.test('a sentence, or the one after it, tells from which day a level steps to others', async t => {
  const schedule = (text: string) =>
    covenantsIn(
      section(text, { section_type: 'debt_footnote', doc_type: '10-K', filing_date: '2025-02-01' }),
    ).flatMap(row => [
      row.threshold_value,
      ...((row.step_down_schedule ?? []) as readonly { date: string | null }[]).map(step => step.date),
    ])
  const until = 'The facility requires that our leverage ratio not exceed 4.50 to 1.00'
  t.strictSame(
    schedule(
      `${until}, stepping down to 4.00 to 1.00 after December 31, 2024 and to 3.75 to 1.00 beginning June 30, 2025.`,
    ),
    [4, null, '2025-01-01', '2025-06-30'],
  )
  t.strictSame(schedule(`${until}. The maximum ratio steps down to 4.00 to 1.00 on June 30, 2025.`), [
    4.5,
    null,
    '2025-06-30',
  ])
  t.strictSame(
    schedule(`${until}. The minimum interest coverage ratio increases to 3.00 to 1.00 on June 30, 2025.`),
    [4.5],
  )
  t.strictSame(schedule(`${until}, increasing to 5.00 to 1.00 after a material acquisition.`), [4.5])
  t.strictSame(
    schedule(
      'Our swaps require us to maintain a minimum liquidity of $1.5 billion on, or prior to, June 30, 2025 and $1.0 billion after June 30, 2025.',
    ),
    [150_000_000_000, null, '2025-06-30'],
  )
})
