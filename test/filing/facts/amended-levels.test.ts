import t from 'tap'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const tests = (text: string, more: Parameters<typeof section>[1] = {}) =>
  covenantsIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K', ...more }))
    .filter(row => /^M(?:ax|in)imum /.test(row.covenant_name ?? ''))
    .map(row => [row.covenant_name, row.threshold_value])

t.test(
  'an amendment adds, sets and revises tests item by item, beside those it waives or removes',
  async t => {
    t.strictSame(
      tests(
        'The amendment to the Credit Agreement (i) removes the minimum interest coverage ratio; (ii) adds a maximum annual capital expenditures covenant of $10.5 million for fiscal 2020; and (iii) adds a new minimum debt service coverage ratio covenant of not less than 1.75:1.00.',
      ),
      [
        ['Maximum Capital Expenditures', 1_050_000_000],
        ['Minimum Debt Service Coverage Ratio', 1.75],
      ],
    )
    t.strictSame(
      tests(
        'The Seventh Amendment to the Credit Agreement (A) waives the minimum EBITDA threshold for the quarter, and (B) amends the maximum Total Leverage Ratio threshold.',
      ),
      [['Maximum Total Leverage Ratio', null]],
    )
  },
)

t.test('a former level, and what only ends a requirement, are no tests', async t => {
  t.strictSame(
    tests(
      'The prior leverage ratio covenant required us to maintain a leverage ratio of debt to EBITDA of not greater than 3.50 to 1.00 under the credit facility.',
    ),
    [],
  )
  t.strictSame(
    tests(
      'The amendment adds a requirement to maintain a minimum liquidity of at least $30.0 million until the Leverage Ratio for four quarters is less than 2.50 to 1.00.',
    ),
    [['Minimum Liquidity', 3_000_000_000]],
  )
  t.strictSame(
    tests(
      'During the relief period under the Credit Agreement, we will not be subject to a maximum leverage ratio covenant but will instead be required to maintain liquidity of at least $250 million.',
    ),
    [['Minimum Liquidity', 25_000_000_000]],
  )
})

t.test('a ratio in force below an amount of availability is a test without a level', async t => {
  t.strictSame(
    tests(
      'The Credit Agreement includes a financial covenant in the form of a minimum fixed charge coverage ratio that is applicable only if availability falls below $3.0 million.',
    ),
    [['Minimum Fixed Charge Coverage Ratio', null]],
  )
})

t.test('quantities that financial covenants relate to are each a test', async t => {
  t.strictSame(
    tests(
      'The Credit Facility has financial covenants at quarter-end relating to leverage, tangible net worth, and asset coverage.',
    ).map(([name]) => name),
    ['Maximum Total Leverage Ratio', 'Minimum Tangible Net Worth', 'Minimum Asset Coverage Ratio'],
  )
})

t.test('steps that are not told are not read', async t => {
  const [row] = covenantsIn(
    section(
      'The Credit Agreement requires that the Company not exceed a maximum Net Leverage Ratio, tested as of the end of each fiscal quarter, beginning at 9.25 to 1.00 for the fiscal quarter ending June 30, 2023 and stepping down each quarter to a ratio of 4.75 to 1.00 for the quarters ending March 31, 2026 and thereafter.',
      { section_type: 'debt_footnote', doc_type: '10-K' },
    ),
  )
  t.equal(row?.threshold_value, 9.25)
  t.equal(row?.step_down_schedule, null)
})

t.test(
  'spending is held by the amount before it, and a covenant may prohibit a ratio from exceeding',
  async t => {
    t.strictSame(
      tests(
        'The Credit Agreement requires that the Company will not exceed $15.0 million in unfinanced capital expenditures in any four-quarter period.',
      ),
      [['Maximum Capital Expenditures', 1_500_000_000]],
    )
    t.strictSame(
      tests(
        'The facility contains a leverage covenant that prohibits the leverage ratio (as defined) from exceeding 2.00 to 1.00.',
      ),
      [['Maximum Total Leverage Ratio', 2]],
    )
  },
)

t.test('debt may be incurred only where a ratio is met', async t => {
  t.strictSame(
    tests(
      'The indenture restricts the ability of the partnership and its subsidiaries to incur debt unless they comply with a leverage ratio not to exceed 60% after giving effect to the debt. The indenture also restricts the ability of the partnership to incur secured debt unless it complies with a secured debt leverage ratio not to exceed 40%.',
    ),
    [
      ['Maximum Leverage Ratio', 0.6],
      ['Maximum Secured Leverage Ratio', 0.4],
    ],
  )
})

t.test(
  'a press release with a table of covenants is a report, an agreement filed with it is not',
  async t => {
    const table =
      'Bond covenants\n\n| Requirement | Current\nTotal Debt to Total Assets | ≤ 60% | 26.8%\nInterest Coverage Ratio | > 1.5x | 5.3x'
    t.strictSame(tests(table, { section_type: 'indenture', doc_type: 'EX-99.1', title: 'Bond Covenants' }), [
      ['Maximum Debt to Assets Ratio', 0.6],
      ['Minimum Interest Coverage Ratio', 1.5],
    ])
    t.strictSame(
      tests('Section 7.1. Leverage Ratio. Permit the Leverage Ratio to exceed 3.50 to 1.00.', {
        section_type: 'credit_agreement',
        doc_type: 'EX-99.2',
        title: 'Amendment to Credit Agreement',
      }).map(([, level]) => level),
      [3.5],
    )
  },
)
