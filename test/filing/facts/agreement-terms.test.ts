import t from 'tap'
import { addBacksIn } from '../../../engine/filing/facts/add-backs.ts'
import { agreementTerms } from '../../../engine/filing/facts/agreement.ts'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { htmlLines } from '../../../engine/filing/html-lines.ts'
import { section } from './section.ts'

const names = (rows: ReturnType<typeof covenantsIn>) => rows.map(r => r.covenant_name).sort()

t.test('a lettered list under one prohibition is read item by item, however long it is', t => {
  const filler = 'as set out at length in the schedule that the parties have initialled for identification, '
  const rows = covenantsIn(
    section(`LOAN AGREEMENT dated as of May 1, 2024.

7. Certain Undertakings. So long as any Loan is outstanding, the Borrower shall not, directly or indirectly:

(a) create, incur or permit to exist any Lien on its property, ${filler.repeat(8)}except Permitted Liens;

(b) incur Indebtedness, other than (i) the Loans and (ii) trade debt; ${filler.repeat(8)}

(c) declare or pay any dividend, or redeem any of its capital stock;

(d) merge or consolidate with any Person;

(e) change its fiscal year; or

(f) enter into any transaction with an Affiliate except on arm's length terms.

8. Notices. All notices are in writing.
`),
  )
  t.strictSame(names(rows), [
    'Limitation on Affiliate Transactions',
    'Limitation on Indebtedness',
    'Limitation on Liens',
    'Limitation on Mergers',
    'Limitation on Restricted Payments',
  ])
  const dividends = rows.find(r => r.covenant_name === 'Limitation on Restricted Payments')
  t.match(dividends, { rule: 'restriction_item', evidence: /^\(c\) declare or pay any dividend/ })
  t.end()
})

t.test('a list of what may be done, or of what was represented, forbids nothing', t => {
  const texts = [
    'The Borrower represents that it shall not be deemed to: (a) incur Indebtedness; (b) create any Lien.',
    'If the Company shall not have paid: (a) the Agent may incur debt; (b) the Agent may create a Lien.',
  ]
  for (const text of texts) t.strictSame(names(covenantsIn(section(`5.1 Other. ${text}\n`))), [], text)
  t.end()
})

t.test('a level asked of somebody else, or before something is allowed, is no test', t => {
  const texts = [
    'The Borrower shall keep its deposits with a bank having a net worth of not less than $500,000,000.',
    'The Borrower shall require that each Lessee shall maintain a tangible net worth of at least $10,000,000.',
    'The Company shall cause the Servicer to be an institution whose Net Worth shall be at least $50,000,000.',
    'The Borrower shall not make any acquisition unless the Leverage Ratio is less than 3.00 to 1.00.',
    'The Borrower shall ensure that the Leverage Ratio does not exceed 3.00 to 1.00 after giving effect to such Restricted Payment.',
    'The Borrower shall demonstrate that the Leverage Ratio would not exceed 3.00 to 1.00.',
  ]
  for (const text of texts) {
    const rows = covenantsIn(section(`6.1 Test. ${text}\n`)).filter(r => r.covenant_type === 'financial')
    t.strictSame(rows, [], text)
  }
  const own = covenantsIn(
    section(
      '6.1 Test. The Borrower shall maintain with the Banks a Tangible Net Worth of at least $10,000,000 at all times.\n',
    ),
  )
  t.match(own, [{ covenant_name: 'Minimum Tangible Net Worth', threshold_value: 1_000_000_000 }])
  t.end()
})

t.test('a table after "opposite such period" gives the schedule, whatever its periods are called', t => {
  const table = (head: string) => `
6.1 Leverage. ${head}

Fiscal Quarters Ending | Maximum Ratio
March 31, 2025 and June 30, 2025 | 5.00 to 1.00
September 30, 2025 through June 30, 2026 | 4.50 to 1.00
September 30, 2026 and each fiscal quarter thereafter | 4.00 to 1.00

6.2 Other. Nothing.
`
  const heads = [
    'The Borrower shall not permit the Leverage Ratio at the end of any fiscal quarter ending during any period set forth below to exceed the ratio set forth opposite such period:',
    'The Borrower will not permit the Leverage Ratio, as of the last day of any fiscal quarter set forth below, to be greater than the ratio opposite such fiscal quarter:',
    'The Leverage Ratio shall not, for any period of four fiscal quarters ending on a date set out below, exceed the level specified opposite such date:',
    'Permit the Leverage Ratio as of the last day of each fiscal quarter in any period listed below to be more than that indicated opposite such period below:',
  ]
  for (const head of heads) {
    const [row] = covenantsIn(section(table(head)))
    t.match(
      row,
      {
        rule: 'test_table',
        threshold_value: 5,
        has_step_down: true,
        step_down_schedule: [
          { date: '2025-03-31', threshold_value: 5 },
          { date: '2025-09-30', threshold_value: 4.5 },
          { date: '2026-09-30', threshold_value: 4 },
        ],
      },
      head,
    )
  }
  t.end()
})

t.test('what a redline strikes is not in the text, and its replacement is', t => {
  const struck = [
    '<span style="text-decoration:line-through">4.50</span>',
    '<strike>4.50</strike>',
    '<s>4.50</s>',
    '<del>4.50</del>',
    '<font style="text-decoration-line: line-through">4.50</font>',
  ]
  for (const old of struck) {
    const { blocks } = htmlLines(`<html><body><p>may not exceed ${old}<u>4.00</u> to 1.00</p></body></html>`)
    t.strictSame(
      blocks.map(({ text }) => text),
      ['may not exceed 4.00 to 1.00'],
      old,
    )
  }
  const table = htmlLines('<html><body><table><s><c><tr><td>Cash</td><td>12</td></tr></table></body></html>')
  t.strictSame(
    table.blocks.map(({ text }) => text),
    ['Cash | 12'],
    'a column mark of an old table',
  )
  t.end()
})

t.test('an agreement knows its date, what it replaces, and when it matures', t => {
  t.strictSame(
    agreementTerms(`AMENDED AND RESTATED CREDIT AGREEMENT dated as of June 3, 2024 among Alfa Corp and the Lenders.

This Agreement amends and restates in its entirety that certain Credit Agreement, dated as of May 1, 2019 (the “Prior Agreement”).

“Revolving Maturity Date” means June 3, 2029. “Term Loan Maturity Date” means, as to the Term Loans, June 3, 2031.
`),
    {
      instrument_name: 'Amended and Restated Credit Agreement dated 2024-06-03',
      agreement_date: '2024-06-03',
      effective_from: '2024-06-03',
      replaces_agreement_date: '2019-05-01',
      agreement_maturity_date: '2031-06-03',
    },
  )
  t.match(
    agreementTerms(`SECOND AMENDMENT TO CREDIT AGREEMENT dated as of February 4, 2025 (this “Amendment”).

The Borrower and the Lenders are parties to the Credit Agreement dated as of June 3, 2024.
`),
    { agreement_date: '2024-06-03', effective_from: '2025-02-04', replaces_agreement_date: null },
  )
  t.end()
})

t.test('the day on which an agreement matures, however its text says it', t => {
  const matures = (text: string, namer?: 'announcement') =>
    agreementTerms(text, namer).agreement_maturity_date
  const credit = (says: string) =>
    matures(`CREDIT AGREEMENT dated as of June 3, 2024 among Alfa Corp and the Lenders.\n\n${says}\n`)
  t.equal(
    credit(
      '“Commitment Termination Date” : the earlier of (i) May 31, 2026 and (ii) the date on which the Loans are repaid.',
    ),
    '2026-05-31',
    'a list of terms with colons; the earlier of a day and a condition',
  )
  t.equal(credit('“Maturity Date” means the fifth anniversary of the date hereof.'), '2029-06-03')
  t.equal(
    credit(
      '“Closing Date” means June 5, 2024.\n\n“Maturity Date” means the date that is three (3) years after the Closing Date.',
    ),
    '2027-06-05',
  )
  t.equal(
    credit('“Termination Date” means the date that is 364 days after the date of this Agreement.'),
    '2025-06-02',
  )
  t.equal(
    credit(
      '“Closing Date” means the date on which the conditions of Section 4 are satisfied.\n\n“Maturity Date” means the fifth anniversary of the Closing Date.',
    ),
    null,
    'a day that conditions decide is not known',
  )
  t.equal(
    matures(
      `PROMISSORY NOTE\n\nAlfa Corp promises to pay to Beta Fund LP the sum of $500,000.00 at the rate of 8% per annum from March 4, 2024 (the “Issue Date”). The Principal shall be paid on March 4, 2026 (the “Maturity Date”).\n`,
    ),
    '2026-03-04',
    'a promissory note',
  )
  const entry =
    'On June 3, 2024, Alfa Corp entered into a Credit Agreement (the “Credit Agreement”) with a syndicate of banks.'
  t.equal(matures(`${entry} The facility matures on June 3, 2029.`, 'announcement'), '2029-06-03')
  t.equal(
    matures(
      `${entry} It replaces the existing facility, which was to mature on May 1, 2025. The Stockholders Agreement expires on March 9, 2026.`,
      'announcement',
    ),
    null,
    'neither that of another facility nor of another agreement',
  )
  t.equal(
    matures(
      `${entry} The term loan matures on June 3, 2029. The revolving facility matures on June 3, 2027.`,
      'announcement',
    ),
    null,
    'of two none is that of the agreement',
  )
  t.end()
})

t.test('a test is linked to its definitions, with the add-backs named', t => {
  const [row] = covenantsIn(
    section(`CREDIT AGREEMENT dated as of May 1, 2024.

1.1 Terms.

“Consolidated EBITDA” means, for any period, Consolidated Net Income plus, without duplication and to the extent deducted in determining it, the sum of (a) Consolidated Interest Expense, (b) income tax expense, (c) depreciation and amortization and (d) restructuring charges in an aggregate amount not to exceed $5,000,000, minus (e) non-cash gains.

“Total Leverage Ratio” means the ratio of Consolidated Debt to Consolidated EBITDA.

“Unrelated Term” means nothing.

6.1 Leverage. The Borrower shall not permit the Total Leverage Ratio to exceed 4.00 to 1.00.

6.2 Right to Cure. The Borrower may exercise its cure right within ten (10) Business Days after the statements are due, but no more than two times in any four fiscal quarters and no more than five times during the term of this Agreement.
`),
  )
  t.match(row, {
    definitions: [
      { term: 'Total Leverage Ratio', text: /ratio of Consolidated Debt to Consolidated EBITDA/ },
      {
        term: 'Consolidated EBITDA',
        add_backs: [
          'Consolidated Interest Expense',
          'income tax expense',
          'depreciation and amortization',
          'restructuring charges',
        ],
      },
    ],
    cure_period_days: 10,
    equity_cure: { period_days: 10, most_in_four_quarters: 2, most_in_total: 5 },
  })
  t.end()
})

t.test('add-backs are what follows a plus, not what follows a minus', t => {
  t.strictSame(
    addBacksIn(
      'means net income, plus (i) interest expense, minus (ii) interest income, plus (iii) taxes on income (if any)',
    ),
    ['interest expense', 'taxes on income (if any)'],
  )
  t.end()
})

t.test('a restriction has its baskets: amounts, shares, and which one is general', t => {
  const [row] = covenantsIn(
    section(`CREDIT AGREEMENT dated as of May 1, 2024.

7.1 Liens. The Borrower shall not create any Lien on any of its property, except:
(a) Liens securing purchase money Indebtedness in an aggregate principal amount not to exceed $25,000,000;
(b) Liens existing on the date hereof; and
(c) other Liens securing obligations in an aggregate amount not to exceed the greater of $50,000,000 and 7.5% of Consolidated Total Assets at any time outstanding.

7.2 Other. Nothing.
`),
  )
  t.match(row, {
    covenant_name: 'Limitation on Liens',
    baskets: [
      { amount: 2_500_000_000, share: null, of: null, general: false },
      { amount: 5_000_000_000, share: 0.075, of: 'Consolidated Total Assets', general: true },
    ],
  })
  t.end()
})

t.test('a report names the instrument in the sentence or before it in the paragraph', t => {
  const rows = covenantsIn(
    section(
      'In May we entered into a five-year revolving credit facility of $500 million. It requires us to maintain a maximum leverage ratio of 3.50 to 1.00.\n',
      { section_type: 'debt_footnote', doc_type: '10-K' },
    ),
  )
  t.match(rows, [
    { instrument_name: 'Five-Year Revolving Credit Facility', document_type: '10-K', threshold_value: 3.5 },
  ])
  t.end()
})
