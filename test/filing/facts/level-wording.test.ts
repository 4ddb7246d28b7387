import t from 'tap'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import type { Step } from '../../../engine/filing/facts/step-schedule.ts'
import { section } from './section.ts'

const ofReport = (text: string) =>
  covenantsIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K' }))
const levels = (rows: ReturnType<typeof covenantsIn>) =>
  rows
    .filter(row => row.covenant_type === 'financial')
    .map(row => [row.covenant_name, row.threshold_value ?? null])
const steps = (text: string) =>
  ofReport(text).map(row =>
    ((row.step_down_schedule ?? []) as readonly Step[]).map(step => [step.date, step.threshold_value]),
  )

/** Clauses of agreements with the tests that they impose. */
const imposed: readonly (readonly [string, ...(readonly [string, number])[]])[] = [
  [
    `ARTICLE VII NEGATIVE COVENANTS

The Borrower shall not, directly or indirectly:

SECTION 7.11. First Lien Net Leverage Ratio. Solely for the benefit of the Revolving Lenders, permit the First Lien Net Leverage Ratio as of the last day of any Test Period (commencing with the Test Period ending September 30, 2025) to be greater than 4.75 to 1.00; provided that this Section shall apply only if Revolving Loans outstanding exceed 35% of the Revolving Commitments.`,
    ['Maximum First Lien Leverage Ratio', 4.75],
  ],
  [
    `7.1 Financial Condition Covenants.

(a) Senior Secured Leverage Ratio. Permit the Senior Secured Leverage Ratio as at the last day of any fiscal quarter to exceed 4.25 to 1.00; provided that this Section shall not apply during the Covenant Waiver Period.

(b) Minimum Liquidity. During the Covenant Waiver Period, permit Liquidity as of the last day of any calendar month to be less than $100,000,000.`,
    ['Maximum Secured Leverage Ratio', 4.25],
    ['Minimum Liquidity', 1e10],
  ],
  [
    `8.11 Financial Covenants.

(a) Total Leverage. Permit the ratio of Total Liabilities to Total Asset Value, as of the end of any fiscal quarter, to be greater than sixty percent (60%).

(b) Secured Leverage. Permit the ratio of Secured Debt to Total Asset Value, as of the end of any fiscal quarter, to be greater than forty percent (40%).

(c) Unencumbered Leverage. Permit Unsecured Debt to exceed fifty-five percent (55%) of the Unencumbered Asset Value as of the end of any fiscal quarter.

(d) Asset Coverage. Permit the ratio of total assets to Indebtedness to be less than 1.50 to 1.00.`,
    ['Maximum Debt to Assets Ratio', 0.6],
    ['Maximum Secured Leverage Ratio', 0.4],
    ['Maximum Unsecured Leverage Ratio', 0.55],
    ['Minimum Asset Coverage Ratio', 1.5],
  ],
  [
    'The Borrower will not permit the Interest Coverage Ratio as of the last day of any Fiscal Quarter to be less than (i) during the Covenant Relief Period, 2.00 to 1.00 and (ii) thereafter, 3.00 to 1.00.',
    ['Minimum Interest Coverage Ratio', 2],
  ],
]
for (const [text, ...tests] of imposed)
  t.test(
    `${text.slice(0, 60).replace(/\s+/g, ' ')}… imposes ${tests.map(([name]) => name).join(', ')}`,
    async t => {
      t.strictSame(levels(covenantsIn(section(text))), tests)
    },
  )

/** Sentences of reports with the tests that they tell. */
const told: readonly (readonly [string, ...(readonly [string, number | null])[]])[] = [
  [
    'The facilities contain covenants that require us to maintain a minimum fixed charge coverage ratio (defined as the ratio of (1) earnings before interest, taxes, depreciation and rent to (2) the sum of gross cash interest expense (including the interest portion of leases) and rent, for successive trailing periods ending at each quarter-end) of 1.20:1.',
    ['Minimum Fixed Charge Coverage Ratio', 1.2],
  ],
  [
    'The First Lien Credit Agreement requires us to comply with this covenant: the First Lien Ratio must be less than or equal to a ratio of 3.0 to 1.0 in each quarter.',
    ['Maximum First Lien Leverage Ratio', 3],
  ],
  [
    'If availability under the facility is less than the greater of fifteen percent of the aggregate revolving commitments and $9 million, the ratio of EBITDA to fixed charges shall not be less than one and one-tenth to one.',
    ['Minimum Fixed Charge Coverage Ratio', 1.1],
  ],
  [
    'Under the credit agreement, debt (excluding transition bonds) to total consolidated capitalization may not exceed 65%.',
    ['Maximum Debt to Capitalization Ratio', 0.65],
  ],
  [
    'Under the credit facility the ratio of the Company’s consolidated debt to the Company’s consolidated debt and consolidated shareholders’ equity cannot exceed 0.7 to 1.0.',
    ['Maximum Debt to Capitalization Ratio', 0.7],
  ],
]
for (const [text, ...tests] of told)
  t.test(`${text.slice(0, 70)}… tells ${tests.map(([name]) => name).join(', ')}`, async t => {
    t.strictSame(levels(ofReport(text)), tests)
  })

t.test('an amendment that changes a level for some quarters tells its steps', async t => {
  t.strictSame(
    steps(
      'The Amendment increases the maximum Leverage Ratio permitted under the Credit Agreement from 4.50 to 1.00 to 5.50 to 1.00 for the fiscal quarters ending on or about June 30, 2025 and September 30, 2025 and to 5.75 to 1.00 for the fiscal quarter ending December 30, 2025, after which it returns to 4.50 to 1.00.',
    ),
    [
      [
        ['2025-06-30', 5.5],
        ['2025-12-30', 5.75],
        ['2025-12-31', 4.5],
      ],
    ],
  )
  t.strictSame(
    steps(
      'The amendment to the Credit Facility amended the interest coverage ratio from not less than 3.50 to 1.00 to not less than 2.25 to 1.00 for the quarter ended March 31, 2025, 2.00 to 1.00 for the quarters ending June 30, 2025 and September 30, 2025 and 2.50 to 1.00 for the quarter ending December 31, 2025, reverting to 3.50 to 1.00 thereafter.',
    ),
    [
      [
        ['2025-03-31', 2.25],
        ['2025-06-30', 2],
        ['2025-12-31', 2.5],
        ['2026-01-01', 3.5],
      ],
    ],
  )
})

t.test('the level reached after a schedule is no step of it', async t => {
  t.strictSame(
    steps(`The Leverage Ratio under the Credit Agreement may not exceed the following levels:

Period | Maximum Leverage Ratio
December 31, 2024 | 4.50 to 1.00
March 31, 2025 and thereafter | 4.00 to 1.00

The Leverage Ratio was 2.26 to 1.00 at December 31, 2024.`),
    [
      [
        ['2024-12-31', 4.5],
        ['2025-03-31', 4],
      ],
    ],
  )
})

t.test('the level of each quarter outranks the sentence with the level of later', async t => {
  const rows = ofReport(
    'The 2024 Revolver requires us to maintain a Net Leverage Ratio of not more than 5.50 to 1.0. In December 2024 the lenders amended the 2024 Revolver to maintain the maximum Net Leverage Ratio at 6.75 to 1.0 through the quarter ending March 31, 2025, with a step-down to 6.25 to 1.0 for the quarter ending June 30, 2025 and 5.50 to 1.0 thereafter.',
  )
  t.strictSame(levels(rows), [['Maximum Net Leverage Ratio', 6.75]])
})

t.test(
  'the facility of a subsidiary is named by it, that of an investee tells nothing of the company',
  async t => {
    const named = (text: string) => ofReport(text).map(row => [row.instrument_name, row.threshold_value])
    t.strictSame(
      named(
        'Under our $1.7 billion revolving credit facility, the ratio of our debt to total capital may not exceed 65%. Under Alfa Electric’s $300 million revolving credit facility, the ratio of its debt to total capital may not exceed 60%.',
      ),
      [
        ['Revolving Credit Facility', 0.65],
        ["Alfa Electric's Revolving Credit Facility", 0.6],
      ],
    )
    t.strictSame(
      named(
        'Beta’s revolving credit facility contains a financial covenant requiring Beta to maintain a ratio of consolidated debt to consolidated EBITDA of less than or equal to 5.00 to 1.00. We own a 54% interest in Beta, which we account for under the equity method.',
      ),
      [],
    )
  },
)

t.test('agreements of several companies are named by none of them', async t => {
  t.strictSame(
    ofReport(
      'Alfa’s, Beta’s and Gamma’s credit agreements require the debt-to-capital ratio of each company not to exceed 65%.',
    ).map(row => [row.instrument_name, row.threshold_value]),
    [['Credit Agreements', 0.65]],
  )
})

t.test('a test that compliance is required with has its steps', async t => {
  t.strictSame(
    steps(
      'The revolving credit facility requires compliance with a total net leverage ratio of 5.00x, stepping down to 4.75x on December 31, 2025 and 4.50x on December 31, 2026.',
    ),
    [
      [
        [null, 5],
        ['2025-12-31', 4.75],
        ['2026-12-31', 4.5],
      ],
    ],
  )
})

t.test('the facility of the company itself is named without the company', async t => {
  t.strictSame(
    ofReport(
      'Alfa Corp’s revolving credit facility requires a ratio of debt to EBITDA of not more than 4.00 to 1.00.',
    ).map(row => row.instrument_name),
    ['Revolving Credit Facility'],
  )
})

t.test('an agreement whose loans were repaid when it was terminated has no tests', async t => {
  t.strictSame(
    ofReport(
      'Under the 2022 Credit Agreement the Company was required to maintain a minimum liquidity of $250.0 million. On May 30, 2024, all amounts outstanding under the 2022 Credit Agreement were repaid and the agreement was terminated.',
    ),
    [],
  )
})
