import t from 'tap'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const HEAD = 'CREDIT AGREEMENT dated as of May 6, 2019\n\n'
const rows = (text: string) => covenantsIn(section(text))
const names = (text: string) =>
  rows(text)
    .map(row => row.covenant_name)
    .sort()
const told = (text: string) => rows(text).map(row => [row.covenant_name, row.threshold_value ?? null])

const GAP = `\n\n${' '.repeat(40)}`
const article = (number: string, title: string) => `${GAP}ARTICLE ${number}${GAP}${title}\n\n`
const events = (items: string) =>
  told(
    `${HEAD}ARTICLE VIII\n\nEVENTS OF DEFAULT\n\nSection 8.01. Events of Default. Each of the following is an Event of Default:\n\n(a) the Borrower fails to pay principal when due;\n\n${items}`,
  )

t.test(
  'the title of an article may stand in the middle of a line of its own, far from its number',
  async t => {
    t.strictSame(
      names(
        `${HEAD}${article('VI', 'INFORMATION COVENANTS')}Section 6.1 Quarterly Financial Statements. Within fifty days after each Fiscal Quarter, unaudited balance sheets of the Borrower.${article('VII', 'NEGATIVE COVENANTS')}Section 7.1 Business. Materially alter the nature of its business.`,
      ),
      ['Financial Reporting', 'Limitation on Line of Business'],
    )
    t.strictSame(
      names(
        `${HEAD}${article('VI', 'REPRESENTATIONS AND WARRANTIES')}Section 6.1 Quarterly Financial Statements. The Borrower has delivered to each Lender balance sheets of the Borrower.`,
      ),
      [],
    )
  },
)

t.test('an article without sections is a clause, which ends the one before it', async t => {
  const text = (title: string) =>
    told(
      `${HEAD}Section 6.4 Transactions with Affiliates. The Borrower will not enter into any transaction with any of its Affiliates.\n\nARTICLE 7. ${title}\n\nUpon the occurrence of any of these:\n\n(a) the Borrower shall fail to pay any principal when due; or\n\n(b) the Borrower shall default in any payment of principal of any Indebtedness in an aggregate principal amount of $85,000,000 or more and any such Indebtedness shall become due and payable before its stated date;`,
    )
  t.strictSame(text('EVENTS OF DEFAULT'), [
    ['Limitation on Affiliate Transactions', null],
    ['Cross-Default', 8_500_000_000],
  ])
  t.strictSame(text('THE AGENT'), [['Limitation on Affiliate Transactions', null]])
})

t.test('titles with U.S., with No, and over two lines are titles', async t => {
  t.strictSame(
    names(
      `${HEAD}Section 7.1 Indebtedness of the U.S. Borrower and Subsidiaries. None of the U.S. Borrower and the Canadian Borrower will, and will not permit any of its Subsidiaries to, create or incur any Indebtedness except the Obligations.\n\nSection 7.2 No Prepayment of Subordinated Debt. The Borrower will not make any prepayment of principal of any Subordinated Debt.\n\nSection 7.3 Restrictions on Subsidiary Distributions;\n\nNo New Negative Pledge\n\nOther than under the Loan Documents, the Borrower shall not enter into any agreement that restricts the ability of any Subsidiary to pay dividends.\n\nSection 7.4 No Default. The Borrower will not be in default.`,
    ),
    [
      'Limitation on Indebtedness',
      'Limitation on Prepayments of Indebtedness',
      'Limitation on Restrictive Agreements',
    ],
  )
})

t.test('the head of a table is no title, so that the list around it keeps its lead-in', async t => {
  t.strictSame(
    told(
      `${HEAD}Section 7.13 Financial Covenants. The U.S. Borrower will not permit:\n\n(a) the Leverage Ratio as of the last day of any Fiscal Quarter to be greater than the ratio set forth opposite such period:\n\nLeverage\n\nPeriod | Ratio\nDecember 31, 2025 | 3.75 to 1.00\nMarch 31, 2026 and thereafter | 3.25 to 1.00\n\n(b) the Fixed Charge Coverage Ratio as of the last day of any Fiscal Quarter to be less than 1.15 to 1.00.\n\n(c) the Interest Coverage Ratio as of the last day of any Fiscal Quarter to be less 2.75 to 1.00.`,
    ),
    [
      ['Maximum Total Leverage Ratio', 3.75],
      ['Minimum Fixed Charge Coverage Ratio', 1.15],
      ['Minimum Interest Coverage Ratio', 2.75],
    ],
  )
})

t.test('clauses that begin with their verb wind up, guarantee and lease back', async t => {
  const negative = `${HEAD}ARTICLE VI\n\nNEGATIVE COVENANTS\n\nNone of the Borrowers will:\n\n`
  t.strictSame(
    names(
      `${negative}6.1 Mergers, Etc. Wind up, dissolve, merge or consolidate with any Person.\n\n6.2 Guaranties, Etc. Except for guarantees of one Borrower by another, assume, guarantee or become liable for obligations of any Person.\n\n6.3 Leasebacks. Enter into any agreement to sell any Property and thereafter lease such Property.\n\n6.4 Material Alteration. Materially alter the nature of its business.\n\n6.5 Fixed Assets. Make any additional investment in equipment.`,
    ),
    [
      'Limitation on Guarantees',
      'Limitation on Line of Business',
      'Limitation on Mergers',
      'Limitation on Sale and Leaseback Transactions',
    ],
  )
})

t.test('items sell part of the assets, form subsidiaries or invest, and pay either of two', async t => {
  const items = (list: string) =>
    names(
      `${HEAD}8.2 Negative Covenants. Neither the Company nor any Subsidiary shall, without consent of the Agent, do any of the following:\n\n${list}`,
    )
  t.strictSame(
    items(
      '(a) sell, lease or otherwise dispose of (i) all or substantially all of its assets or (ii) any of its material assets outside of the ordinary course;\n\n(b) form any Subsidiaries or make any Investments except Permitted Investments;\n\n(c) either: (i) declare or pay any dividends, or (ii) redeem any Equity Securities of the Company.',
    ),
    ['Limitation on Asset Sales', 'Limitation on Investments', 'Limitation on Restricted Payments'],
  )
  t.strictSame(items('(a) sell or otherwise dispose of all or substantially all of its assets.'), [])
})

t.test(
  'purchasers may require the repurchase of their notes on a change of control at no percentage',
  async t => {
    const put = (event: string) =>
      names(
        `NOTE PURCHASE AGREEMENT dated as of May 6, 2019\n\n5.7 Put Right. If an Event of Default occurs or upon ${event} or liquidation of the Company, each Purchaser may elect, at its option, to require the Company to repurchase in cash the Notes held by such Purchaser at a price equal to twice their balance.`,
      )
    t.strictSame(put('a Change of Control'), ['Change of Control Put'])
    t.strictSame(put('a Change of Name'), [])
  },
)

t.test('events of default name who defaults, performance, and a change in voting control', async t => {
  t.strictSame(
    events(
      '(b) default shall be made by any Borrower (as principal, guarantor or other surety) in the payment or performance of any bond, note or other Indebtedness in excess of $350,000 in the aggregate;',
    ),
    [['Cross-Default', 35_000_000]],
  )
  t.strictSame(
    events(
      '(b) a final judgment or decree shall be entered against any Borrower for damages or Indebtedness due in an amount in excess of $350,000 and shall not be stayed within 60 days.',
    ),
    [['Judgment Default', 35_000_000]],
  )
  t.strictSame(events('(b) The occurrence of a change in Voting Control.'), [
    ['Change of Control Default', null],
  ])
})

t.test('a list of defaults may begin within a clause that is called otherwise', async t => {
  const list = (lead: string) =>
    told(
      `${HEAD}8.2 Notices. Notices are sent by mail.\n\n9. DEFAULT.\n\n${lead}\n\n(a) any Loan Party shall fail to pay any Note when due;\n\n(b) any Loan Party shall default under any agreement under which any Indebtedness in an aggregate principal amount of $450,000 or more is created in a manner entitling its holder to accelerate its maturity;`,
    )
  t.strictSame(list('The following are Events of Default:'), [['Cross-Default', 45_000_000]])
  t.strictSame(list('The parties agree:'), [])
})

t.test('an item of affirmative covenants asks for financial statements', async t => {
  const item = (words: string) =>
    names(
      `${HEAD}8.1 Affirmative Covenants. The Company covenants, while any Note is outstanding:\n\n(a) the Agent may inspect the Collateral;\n\n25\n\n(b) not later than 150 days after each fiscal year, the Company will ${words};`,
    )
  t.strictSame(item('deliver audited and certified consolidated balance sheets'), ['Financial Reporting'])
  t.strictSame(item('keep audited and certified consolidated balance sheets'), [])
})

t.test('a ratio is of the quantities of a named company, and over what serves its debt', async t => {
  const test = (words: string) => told(`${HEAD}Section 7.1 Tests. The Borrowers shall not permit ${words}`)
  t.strictSame(
    test(
      'the ratio of consolidated Current Assets of Bravo Devices, Inc. and its consolidated Subsidiaries to consolidated Current Liabilities of Bravo Devices, Inc. as of the last day of any calendar quarter to be less than 1.35 to 1.00.',
    ),
    [['Minimum Current Ratio', 1.35]],
  )
  t.strictSame(
    test(
      'the ratio of (a) EBITDA minus cash taxes divided by (b) the current portion of Funded Debt plus interest expense (net of interest income) (i) for the quarters ending before June 30, 2026, to be less than 1.20 to 1.00.',
    ),
    [['Minimum Debt Service Coverage Ratio', 1.2]],
  )
  t.strictSame(
    test(
      'the outstanding amount of Consolidated Net Debt, as of the last day of any fiscal quarter, beginning with the quarter of the Closing Date, to exceed 55% of Total Capitalization.',
    ),
    [['Maximum Debt to Capitalization Ratio', 0.55]],
  )
})

t.test('a clause on agreements that limit what a subsidiary can do is one on agreements alone', async t => {
  const clause = (words: string) =>
    names(
      `${HEAD}Section 8.10 Restrictions on Indebtedness, Liens or Restricted Payments. No Group Member shall ${words}`,
    )
  t.strictSame(
    clause(
      'suffer to exist any Contractual Obligation limiting the ability of (a) any Subsidiary to make Restricted Payments or repay Indebtedness to any Group Member or (b) any Group Member to incur any Lien upon its property.',
    ),
    ['Limitation on Restrictive Agreements'],
  )
  t.strictSame(clause('incur any Lien, or make any Restricted Payment.'), [
    'Limitation on Liens',
    'Limitation on Restricted Payments',
  ])
})

t.test('what may not fail to be kept is a test', async t => {
  const test = (words: string) =>
    told(`${HEAD}ARTICLE VI\n\nNEGATIVE COVENANTS\n\nIt shall not:\n\nSection 6.1. Minimum EBITDA. ${words}`)
  t.strictSame(
    test(
      'Fail, as of the last day of each Fiscal Quarter, to have EBITDA for the four quarters ending on such day of not less than $12,500,000.',
    ),
    [['Minimum EBITDA', 1_250_000_000]],
  )
  t.strictSame(test('Fail, as a matter of policy, to report EBITDA of not less than $12,500,000.'), [])
})

t.test(
  'a table by fiscal years gives the level of the first, where that is the year of the document',
  async t => {
    const spending = (years: readonly number[], unit = '') =>
      rows(
        `${HEAD}Section 5.6 Capital Expenditures. The Borrower shall not make or incur Capital Expenditures during each of the Fiscal Years set forth below in excess of the amount set forth below for such Fiscal Year${unit}:\n\nFiscal Year | Maximum Capital Expenditures\n${years.map((year, i) => `${year} | $${35 + 5 * i},000,000`).join('\n')}\n`,
      ).map(row => [row.covenant_name, row.threshold_value, row.step_down_schedule])
    t.strictSame(spending([2025, 2026, 2027]), [['Maximum Capital Expenditures', 3_500_000_000, null]])
    t.strictSame(spending([2022, 2023, 2024]), [['Maximum Capital Expenditures', null, null]])
    t.strictSame(spending([2025, 2026], ' (in thousands)'), [['Maximum Capital Expenditures', null, null]])
  },
)

t.test('property that may not go to subsidiaries is not sold', async t => {
  const sentence = (to: string) =>
    names(`${HEAD}Section 8.17 Transfers. The Borrower shall not transfer ${to} any Principal Property.`)
  t.strictSame(sentence('to any of its Subsidiaries'), [])
  t.strictSame(sentence('or lease to others'), ['Limitation on Asset Sales'])
})
