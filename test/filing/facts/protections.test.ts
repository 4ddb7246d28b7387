import t from 'tap'
import { collateralIn } from '../../../engine/filing/facts/collateral.ts'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const told = (text: string) => covenantsIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K' }))
const kinds = (rows: ReturnType<typeof covenantsIn>) => rows.map(r => r.covenant_name)
const agreed = (text: string) => covenantsIn(section(`${text}\n`))

t.test('a judgment is an event of default however its amount is said', async t => {
  const judgment = (text: string) =>
    agreed(`ARTICLE VIII\n\nEVENTS OF DEFAULT\n\n${text}`).map(r => [r.covenant_name, r.threshold_value])
  t.strictSame(
    judgment(
      '(g) There is entered against Borrower or any Guarantor (i) a final judgment or order for the payment of money in an aggregate amount exceeding $1,000,000, or (ii) one or more non-monetary final judgments that have a Material Adverse Effect and, in either case, (A) enforcement proceedings are commenced by any creditor upon such judgment or order, or (B) there is a period of ten days during which a stay of enforcement of such judgment is not in effect.',
    ),
    [['Judgment Default', 1e8]],
  )
  t.strictSame(
    judgment(
      '(k) the rendering against any Loan Party of any final (i) judgment(s) for the payment of money in excess of $5,000,000 in the aggregate which remain unsatisfied, undischarged or unstayed for 30 days.',
    ),
    [['Judgment Default', 5e8]],
  )
  t.strictSame(
    judgment(
      '(h) There is entered against the Borrower one or more final judgments or orders for the payment of money in an aggregate amount exceeding the Threshold Amount and enforcement proceedings are commenced by any creditor upon such judgment.',
    ),
    [['Judgment Default', null]],
    'over a defined term, without its amount',
  )
  t.strictSame(
    judgment(
      'Section 9.4 Indemnity. The Borrower shall pay losses but those that a final judgment finds to exceed the amount caused by the gross negligence of the Agent, unless paid.',
    ),
    [],
    'a judgment about an indemnity is no default',
  )
  t.strictSame(
    judgment(
      '(d) enforcement: a distress, execution or seizure before judgment is levied against the assets of the Issuer in an amount above $50,000,000 and is not discharged or stayed within 45 days.',
    ),
    [],
    'nor is a seizure before judgment',
  )
})

t.test('a change of control that moves a conversion price is no default', async t => {
  const text = (body: string) =>
    kinds(agreed(`(x) Change of Control: if a Change of Control occurs, ${body}\n\n`))
  t.strictSame(text('then the Conversion Price is adjusted for the Change of Control Period.'), [])
})

t.test('statements are owed to lenders whose obligor stands in the lead-in of the article', async t => {
  const article = (title: string) =>
    kinds(
      agreed(
        `ARTICLE V\n\nUNDERTAKINGS\n\nThe Borrower agrees that so long as any Commitment remains it will:\n\n5.1 ${title}. Deliver to each of the Lenders: (a) within 100 days after the end of each fiscal year, the consolidated balance sheet of the Borrower.\n`,
      ),
    )
  t.strictSame(article('Financial and Business Information'), ['Financial Reporting'])
  t.strictSame(article('Financial Statements'), ['Financial Reporting'])
  t.strictSame(
    kinds(
      agreed(
        'ARTICLE IV\n\nCONDITIONS\n\n4.1 Financial Statements. Deliver to each of the Lenders the balance sheet of the Borrower.\n',
      ),
    ),
    [],
    'a condition to lend is no covenant',
  )
})

t.test('a report names financial reporting among the covenants of an instrument', async t => {
  t.strictSame(
    kinds(
      told(
        'The revolving facility contains covenants, including limits on liens and financial reporting requirements.',
      ),
    ),
    ['Limitation on Liens', 'Financial Reporting'],
  )
  t.strictSame(
    told(
      'Our credit agreements contain covenants. These covenants include requirements to pay taxes and provide financial and other reports to our lenders.',
    ).map(r => [r.covenant_name, r.instrument_name]),
    [['Financial Reporting', 'Credit Agreements']],
  )
  t.strictSame(
    told(
      'We remediated our financial reporting requirements in 2024 and are in compliance with our covenants.',
    ),
    [],
  )
})

t.test('each footnote of a debt table tells of the notes that it marks', async t => {
  const greater =
    'at a price equal to the greater of (i) 100% of the principal amount or (ii) the sum of the present values of the remaining scheduled payments.'
  const rows = told(
    `May 1, 2023(4) | $500 | 2.25% | 498\nNovember 1, 2045(5) | 1,000 | 3.88% | 986\nNovember 1, 2046(5) | 500 | 3.38% | 492\n\n(4) The bonds are redeemable at our option ${greater}\n\n(5) The bonds are redeemable at our option ${greater}\n`,
  )
  t.strictSame(
    rows.map(r => [r.covenant_name, r.instrument_name]),
    [
      ['Make-Whole Redemption', 'Bonds due 2023'],
      ['Make-Whole Redemption', 'Bonds due 2045 and 2046'],
    ],
  )
})

t.test('property that serves as collateral for a loan is collateral', async t => {
  const pledged = (text: string) =>
    collateralIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K' })).map(r => r.type)
  t.strictSame(
    pledged(
      'We assumed loans as part of the purchase of a distribution center, which serves as collateral for the loans.',
    ),
    ['real_estate'],
  )
  t.strictSame(pledged('A building may serve as collateral for future debt.'), [])
  t.strictSame(pledged('The loan is secured by solar energy systems.'), ['energy_assets'])
})
