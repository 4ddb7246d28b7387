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

t.test('a judgment default is found where its amount stands last, and among trigger events', async t => {
  const facts = (text: string) => agreed(text).map(r => [r.covenant_name, r.threshold_value])
  t.strictSame(
    facts(
      'SECTION 10.01. Events of Default. If any of the following events shall occur:\n\n(s) one or more judgments or decrees shall be entered against any Credit Party involving in the aggregate a liability (not covered by insurance) and such judgments and decrees shall not be vacated, discharged or stayed for forty-five (45) days, and the aggregate amount of all such judgments equals or exceeds $5,000,000;',
    ),
    [['Judgment Default', 5e8]],
  )
  t.strictSame(
    facts(
      '4.1. Trigger Events. The following are trigger events under this Note: (n) any money judgment, writ or similar process is entered or filed against Borrower for more than $500,000.00, and shall remain unvacated or unstayed for ninety (90) calendar days;',
    ),
    [['Judgment Default', 5e7]],
  )
})

t.test('a report names judgments among the events of default, with an amount or without', async t => {
  const facts = (text: string) =>
    told(text)
      .map(r => [r.covenant_name, r.instrument_name, r.threshold_value])
      .sort()
  const facility = 'Senior Credit Facility'
  t.strictSame(
    facts(
      'Our senior credit facility provides for customary events of default, including (i) payment defaults, (ii) cross-defaults to certain other indebtedness in excess of specified amounts and (iii) judgment defaults in excess of specified amounts.',
    ),
    [
      ['Cross-Default', facility, null],
      ['Judgment Default', facility, null],
    ],
  )
  t.strictSame(
    facts(
      'The senior credit facility may be accelerated following certain events of default, including payment defaults, unstayed judgments involving a liability in excess of $200 million, change of control and damage to the collateral.',
    ),
    [
      ['Change of Control Default', facility, null],
      ['Judgment Default', facility, 2e10],
    ],
  )
  t.strictSame(
    facts(
      'The senior credit facility has events of default, including the failure of a loan document to be in effect, in the reasonable judgment of the lenders.',
    ),
    [],
    'what lenders judge is no judgment',
  )
  t.strictSame(facts('We recorded certain judgments in other expense of the credit facility.'), [])
  t.strictSame(
    facts(
      'The Receivables Securitization Program termination events permit the lenders to terminate it upon certain specified events, including certain defaults on indebtedness under the credit facility, certain judgments and a change of control.',
    ).map(([name, instrument]) => [name, instrument]),
    [
      ['Change of Control Default', 'Receivables Securitization Program'],
      ['Cross-Default', 'Receivables Securitization Program'],
      ['Judgment Default', 'Receivables Securitization Program'],
    ],
  )
})

t.test('a change of control is an event of default in any order of its words', async t => {
  const facts = (text: string) => kinds(agreed(`9.1 Events of Default. Each of these is one:\n\n${text}`))
  const control = ['Change of Control Default']
  t.strictSame(
    facts('(a) nonpayment; or\n\n(l) After the Effective Date a Change of Control shall occur; or'),
    control,
  )
  t.strictSame(facts('(a) nonpayment; or\n\n(i) there shall have occurred a Change of Control; or'), control)
  t.strictSame(
    facts(
      '(a) nonpayment; or (l) (i) any Person or two or more Persons acting in concert shall have acquired beneficial ownership (within the meaning of Rule 13d-3) of 20% or more of the outstanding shares of the voting stock of the Borrower;',
    ),
    control,
    'described and not named',
  )
  t.strictSame(
    kinds(
      agreed(
        '1.1 Defined Terms. "Change of Control" means any Person acquires beneficial ownership of 30% or more of the outstanding voting stock of the Borrower.',
      ),
    ),
    [],
    'its definition is no event of default',
  )
})

t.test('a default on other debt is found by its acceleration, in agreements and in reports', async t => {
  t.strictSame(
    agreed(
      '9.1 Events of Default. Each of these is one:\n\n(g) (i) Obligations in an aggregate amount in excess of $75,000,000 of the Borrower for the payment of any Indebtedness (A) shall become or shall be declared to be due and payable prior to the expressed maturity thereof, or (B) shall not be paid when due; or\n',
    ).map(r => [r.covenant_name, r.threshold_value]),
    [['Cross-Default', 75e8]],
  )
  t.strictSame(
    told(
      'Our revolving credit agreement includes events of default related to payment defaults and accelerations of outstanding debt of material subsidiaries.',
    ).map(r => [r.covenant_name, r.instrument_name]),
    [['Cross-Default', 'Revolving Credit Agreement']],
  )
  t.strictSame(
    kinds(
      told('In the event of a default at a subsidiary, there could be a cross-default to our recourse debt.'),
    ),
    ['Cross-Default'],
  )
  t.strictSame(
    kinds(
      told('None of the defaults results in or is at risk of triggering a cross-default under our debt.'),
    ),
    [],
  )
  t.strictSame(
    kinds(
      told('The facility has events of default, such as nonpayment, that permit acceleration of the debt.'),
    ),
    [],
  )
})

t.test('an applicable premium is a make-whole where the Treasury rate computes it', async t => {
  const call =
    'The Company may redeem the 2031 Senior Notes at any time at a price equal to 100% of the principal amount plus an applicable premium and accrued interest.'
  t.strictSame(
    kinds(
      told(
        `${call} The applicable premium is the excess of the present value of all payments, computed with the Treasury Rate plus 50 basis points, over the principal amount.`,
      ),
    ),
    ['Make-Whole Redemption'],
  )
  t.strictSame(kinds(told(`${call} The notes rank equally.`)), [])
})

t.test('a right to be redeemed at principal upon a defined event that a change of control is', async t => {
  const redemption =
    'Following the occurrence of a Relevant Event, each Noteholder will have the right to require the Issuer to redeem all or some of its Notes on the redemption date at their principal amount.'
  const put = (text: string) =>
    covenantsIn(section(`${text}\n`, { section_type: 'indenture', doc_type: 'EX-4.1' })).map(r => [
      r.covenant_name,
      r.put_price_pct,
    ])
  t.strictSame(
    put(
      `a "Relevant Event" occurs when: (i) there is a Delisting; or (ii) there is a Change of Control. ${redemption}`,
    ),
    [['Change of Control Put', 100]],
  )
  t.strictSame(put(`a "Relevant Event" occurs when there is a Delisting. ${redemption}`), [])
})

t.test('financial statements that the items after a title ask for are reporting', async t => {
  t.strictSame(
    agreed(
      'COVENANTS\n\nSECTION 8.01. Covenants of the Credit Parties. At all times:\n\n(c) Financial Reporting. The Credit Parties shall furnish to the Administrative Agent:\n\n(i) Borrower Financial Information. Not later than thirty (30) days after each period, an income statement of the Credit Parties.\n\n(f) Financial Statements. The Credit Parties will not list their assets as assets on the financial statements of any Affiliate.\n',
    ).map(r => [r.covenant_name, r.evidence_section]),
    [['Financial Reporting', 'Covenants of the Credit Parties (c) Financial Reporting']],
    'and not what must not be done with statements',
  )
  t.strictSame(
    kinds(
      covenantsIn(
        section(
          "ARTICLE VII\n\nHOLDERS' LISTS AND REPORTS BY TRUSTEE AND THE COMPANY\n\nSection 7.03 Reports by Trustee. The Trustee shall transmit to Holders such reports as Section 313 requires.\n\nSection 7.04 Reports by the Company. The Company shall file with the Trustee such information, documents and reports as are filed with the Commission under Section 13 or 15(d) of the Exchange Act.\n",
          { section_type: 'indenture', doc_type: 'EX-4.6' },
        ),
      ),
    ),
    ['Financial Reporting'],
  )
})
