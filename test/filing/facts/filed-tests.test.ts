import t from 'tap'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const HEAD = 'CREDIT AGREEMENT dated as of June 4, 2021\n\n'
const told = (text: string, about: object = {}) =>
  covenantsIn(section(HEAD + text, about)).map(row => [row.covenant_name, row.threshold_value ?? null])
const steps = (text: string, about: object = {}) =>
  covenantsIn(section(HEAD + text, about)).map(row =>
    ((row.step_down_schedule ?? []) as { date: string | null; threshold_value: number }[]).map(step => [
      step.date,
      step.threshold_value,
    ]),
  )

t.test('levels by periods that a sentence numbers', async t => {
  const clause =
    'Section 7.1 Leverage Ratio. The Company will not permit the Leverage Ratio as of the last day of any fiscal quarter to be greater than (i) during the period from the Effective Date to and including March 30, 2022, 4.4 to 1.0, (ii) during the period from and including March 31, 2022 to and including June 29, 2022, 4.1 to 1.0, or (iii) at any time thereafter, 3.8 to 1.0.'
  t.strictSame(told(clause, { filing_date: '2022-04-30' }), [['Maximum Total Leverage Ratio', 4.1]])
  t.strictSame(steps(clause), [
    [
      [null, 4.4],
      ['2022-03-31', 4.1],
      ['2022-06-30', 3.8],
    ],
  ])
})

t.test('a table by periods ends before a quantity that is held the other way', async t => {
  t.strictSame(
    steps(
      'Section 8.1 Financial Covenants. Maintain at all times:\n\n(a) a Leverage Ratio for any four fiscal quarters ending during a period set forth below not in excess of the ratio set forth opposite such period:\n\n<TABLE>\nPeriod                Ratio\n<S>                   <C>\nClosing Date through March 31, 2023   6.2 to 1.0\n\nApril 1, 2023 through March 31, 2024   5.7 to 1.0\n\nThereafter   5.2 to 1.0\n</TABLE>\n\n(b) an Interest Coverage Ratio for any four fiscal quarters (commencing with such period ending on September 30, 2021) of not less than 2.2 to 1.0.',
    ),
    [
      [
        [null, 6.2],
        ['2023-04-01', 5.7],
        ['2024-04-01', 5.2],
      ],
      [],
    ],
  )
})

t.test('periods that go on under their level keep their own days', async t => {
  t.strictSame(
    steps(
      'Section 7.1 Minimum Consolidated EBITDA to Consolidated Interest Expense Ratio. Permit, as of the end of any month during each of the periods set forth below, the Consolidated EBITDA to Consolidated Interest Expense Ratio to be less than the amount set forth below opposite such period:\n\nDuring the period beginning on April 1, 2021   2.6 to 1\nand ending on June 30, 2021\nDuring the period beginning on July 1, 2021\nand ending on September 30, 2021   3.6 to 1\nDuring the period beginning on October 1,   3.1 to 1\n2021 and thereafter\n\n',
    ),
    [
      [
        ['2021-04-01', 2.6],
        ['2021-07-01', 3.6],
        ['2021-10-01', 3.1],
      ],
    ],
  )
})

t.test('indebtedness over EBITDA, and senior debt beside all debt', async t => {
  t.strictSame(
    told(
      'Section 7.1 Financial Covenants. The Borrower shall not permit the Consolidated Indebtedness to Consolidated EBITDA Ratio to be greater than 4.6 to 1.\n\nSection 7.2 Senior Leverage. The Borrower shall not permit the Senior Consolidated Indebtedness to Consolidated EBITDA Ratio to be greater than 3.3 to 1.\n\n',
    ),
    [
      ['Maximum Total Leverage Ratio', 4.6],
      ['Maximum Leverage Ratio', 3.3],
    ],
  )
  t.strictSame(
    told(
      'Section 7.2 Leverage. The Borrower shall not permit the Senior Secured Leverage Ratio to be greater than 3.3 to 1.\n\n',
    ),
    [['Maximum Secured Leverage Ratio', 3.3]],
    'secured debt is called so',
  )
})

t.test('earnings over a sum of interest and of principal that falls due', async t => {
  const cover = (sum: string) =>
    told(
      `8.3. RATIO OF EARNINGS\n\nThe Company shall not permit the ratio of (a) Adjusted EBITDA of the Company for the four fiscal quarters most recently ended TO (b) the sum of (i) Interest Expense of the Company for such four fiscal quarters ${sum} to be less than 1.6 to 1.0 at any time.\n\n`,
    )
  t.strictSame(cover('PLUS (ii) Current Maturities of the Company for the next four fiscal quarters'), [
    ['Minimum Debt Service Coverage Ratio', 1.6],
  ])
  t.strictSame(
    cover('PLUS (ii) Rental Expense of the Company'),
    [],
    'a sum of other charges is not told apart',
  )
})

t.test('what shall at no time be, and a share of capital', async t => {
  t.strictSame(
    told(
      '5.3 Leverage Ratio. At no time shall its Consolidated Total Indebtedness be more than fifty-five percent (55%) of its Consolidated Total Capitalization.\n\n5.4 Interest Coverage Ratio. At no time shall the ratio of its Consolidated EBIT for the four (4) most recently completed Fiscal Quarters to its Consolidated Interest Expense for the same Fiscal Quarters be less than 2.6 to 1.0.\n\n',
    ),
    [
      ['Maximum Debt to Capitalization Ratio', 0.55],
      ['Minimum Interest Coverage Ratio', 2.6],
    ],
  )
  t.strictSame(
    told(
      '5.3 Dividends. If at any time its Consolidated Total Indebtedness shall be more than fifty-five percent (55%) of its Consolidated Total Capitalization, the Borrower shall not pay dividends.\n\n',
    ).filter(([name]) => name !== 'Limitation on Restricted Payments'),
    [],
    'a condition is no test',
  )
})

t.test('items that are sentences of their own, under what the clause forbids', async t => {
  const items = (introduction: string) =>
    told(
      `SECTION 7.2.4. FINANCIAL CONDITION. ${introduction}\n\n(a) Its Tangible Net Worth to be less than $14,000,000.\n\n(b) Its Total Liabilities to Tangible Net Worth Ratio to be greater than 1.2 to 1.0.\n\n(c) Its Interest Coverage Ratio to be less than 3.2 to 1.0 as of the last day of any Fiscal Quarter.\n\n`,
    )
  t.strictSame(items('The Borrower shall not cause or permit at any time:'), [
    ['Minimum Tangible Net Worth', 1_400_000_000],
    ['Maximum Debt to Net Worth Ratio', 1.2],
    ['Minimum Interest Coverage Ratio', 3.2],
  ])
  t.strictSame(
    items('The Borrower shall notify the Lender of any event that causes:'),
    [],
    'an event to report',
  )
})

t.test('a named cover of cash flow, an amount with its cents in words, a level that is defined', async t => {
  t.strictSame(
    told(
      '5.9. Cash Flow Coverage. The Company shall at all times maintain consolidated Cash Flow Coverage of not less than 1.9 to 1.00.\n\nSection 9.2 Net Worth. Borrower will at all times maintain Consolidated Tangible Net Worth in an amount not less than Ninety-Two Million and No/100 Dollars ($92,000,000.00).\n\n',
    ),
    [
      ['Minimum Cash Flow Coverage Ratio', 1.9],
      ['Minimum Tangible Net Worth', 9_200_000_000],
    ],
  )
  t.strictSame(
    told(
      '6.3 Financial Tests. Have and maintain at all times a Tangible Net Worth of Parent (on a consolidated basis) at least equal to the Tangible Net Worth Requirement.\n\n',
    ),
    [['Minimum Tangible Net Worth', null]],
  )
})

t.test('sections numbered without a stop', async t => {
  const clause = (number: string) =>
    told(
      `\nBorrower shall not, without the prior written consent of the Bank:\n\n9${number}Type of Business. Enter into any business which is substantially different.\n\n10${number}Tangible Net Worth. At any time during the terms of the Loans, permit Tangible Net Worth to be less than $17,000,000.\n\n`,
    ).filter(([name]) => name === 'Minimum Tangible Net Worth')
  t.strictSame(clause('   '), [['Minimum Tangible Net Worth', 1_700_000_000]])
})
