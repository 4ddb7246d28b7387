import t from 'tap'
import { collateralIn } from '../../../engine/filing/facts/collateral.ts'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const note = { section_type: 'debt_footnote', doc_type: '10-K' }
const told = (text: string) =>
  covenantsIn(section(text, note))
    .map(r => [r.covenant_name, r.threshold_value ?? r.put_price_pct ?? null])
    .sort()
const names = (text: string) => told(text).map(([name]) => name)
const agreed = (text: string, section_type = 'credit_agreement') =>
  covenantsIn(section(`Intro.\n\n${text}\n`, { section_type }))
    .map(r => [r.covenant_name, r.threshold_value ?? r.put_price_pct ?? null])
    .sort()

t.test('a put on a change of control is told in several ways', async t => {
  const put = (pct: number) => [['Change of Control Put', pct]]
  t.strictSame(
    told('If we experience a change of control, we must offer to repurchase the notes at 101% of par.'),
    put(101),
  )
  t.strictSame(
    told(
      'The indenture provides that upon a change of control we are required to offer to purchase the notes at 101%.',
    ),
    put(101),
  )
  t.strictSame(
    told('Holders of the notes have a put right at 101% of face value upon a change of control.'),
    put(101),
  )
  t.strictSame(told('A change of control may lower the price of the notes, which trade at 101%.'), [])
})

t.test('a change of control that ends a facility is an event of default', async t => {
  const control = ['Change of Control Default']
  t.strictSame(
    names('A change of control would constitute an event of default under the credit facility.'),
    control,
  )
  t.strictSame(
    names('The Credit Agreement provides that a change of control is an event of default.'),
    control,
  )
  t.strictSame(
    names(
      'Under the term loan agreement, upon the occurrence of a change of control, the lenders may terminate their commitments and declare the loans due.',
    ),
    control,
  )
  t.strictSame(
    names('A change of control would not constitute an event of default under the credit facility.'),
    [],
  )
})

t.test('events of default are read out of the list of a sentence', async t => {
  t.strictSame(
    names(
      'The Revolving Credit Facility contains customary events of default, including nonpayment, cross-default to other indebtedness, judgments, change of control and insolvency.',
    ),
    ['Change of Control Default', 'Cross-Default', 'Judgment Default'],
  )
  t.strictSame(
    told(
      'The credit agreement includes cross-default and judgment default provisions for amounts over $75 million.',
    ),
    [
      ['Cross-Default', 75e8],
      ['Judgment Default', 75e8],
    ],
  )
  t.strictSame(
    names(
      'The term loan has events of default including failure to pay other debt exceeding $25 million when due.',
    ),
    ['Cross-Default'],
  )
  t.strictSame(names('Our credit facility and term loan are cross-defaulted.'), ['Cross-Default'])
  t.strictSame(
    names('A default under the Notes could cause one under the facility due to cross-default provisions.'),
    ['Cross-Default'],
  )
})

t.test('a make-whole provision or call is a make-whole', async t => {
  t.strictSame(
    names('The Senior Notes may be prepaid in whole or in part, subject to a make-whole provision.'),
    ['Make-Whole Redemption'],
  )
  t.strictSame(
    names(
      'The notes are callable at any time at a make-whole call of the Treasury rate plus 25 basis points.',
    ),
    ['Make-Whole Redemption'],
  )
})

t.test(
  'financial statements that an agreement requires are reporting, also without the word covenant',
  async t => {
    t.strictSame(
      names('The loan agreement requires us to furnish annual financial statements to the lender.'),
      ['Financial Reporting'],
    )
    t.strictSame(names('The rules of the exchange require us to furnish annual financial statements.'), [])
  },
)

t.test('events of default of an agreement are found by their acts', async t => {
  const defaults = (text: string) => agreed(`Events of Default\n\n${text}`)
  t.strictSame(
    defaults(
      'Each of the following is an event of default: (d) the Borrower or any Subsidiary shall default in the payment of any Indebtedness in excess of $10,000,000 when due; (e) the failure to pay final judgments in excess of $75 million for a period of 60 days;',
    ),
    [
      ['Cross-Default', 1e9],
      ['Judgment Default', 75e8],
    ],
  )
  t.strictSame(
    defaults('The Borrower shall default in the payment of any Indebtedness hereunder when due.'),
    [],
  )
  t.strictSame(
    agreed(
      '(a) Cross Default. The Borrower defaults under any other agreement for borrowed money in excess of $250,000 and such default results in the acceleration thereof.',
    ),
    [['Cross-Default', 25e6]],
  )
  t.strictSame(
    agreed(
      'We will not merge into any other person.\n\nEvents of Default\n\nThe following are events of default: (2) default under other indebtedness in excess of $100 million that results in its acceleration.',
      'indenture',
    ),
    [
      ['Cross-Default', 1e10],
      ['Limitation on Mergers', null],
    ],
    'a prohibition in the sentence before does not deny it',
  )
})

t.test('restrictions are told of what a document forbids', async t => {
  const payments = ['Limitation on Restricted Payments']
  t.strictSame(
    names(
      "Under the terms of the loan agreement, we may not, without the bank's consent, incur additional debt, pay dividends or dispose of assets.",
    ),
    ['Limitation on Asset Sales', 'Limitation on Indebtedness', 'Limitation on Restricted Payments'],
  )
  t.strictSame(names('The credit facility prohibits the payment of dividends.'), payments)
  t.strictSame(names('We are restricted from paying dividends under our credit facility.'), payments)
  t.strictSame(names('Covenants in the credit agreement limit dividends and share repurchases.'), payments)
  t.strictSame(names('The term loan places restrictions on additional borrowings and liens.'), [
    'Limitation on Indebtedness',
    'Limitation on Liens',
  ])
  for (const other of [
    'Debt covenants do not restrict the payment of dividends.',
    'Under the lease agreement we may not sublet.',
    'Covenants in the credit agreement do not limit dividends.',
  ])
    t.strictSame(names(other), [], other)
})

t.test('titles in the singular, and of small agreements, are read', async t => {
  t.strictSame(
    agreed(
      '5.2 Negative Covenants. Borrower covenants that it shall not:\n\n(a) Debt. Create, incur or suffer to exist any Debt;\n\n(b) Guaranties. Guarantee or otherwise become liable for obligations of others;\n\n(c) Encumbrance. Create, incur, allow, or suffer any Lien on any of its property;\n\n(d) Changes in Business. Engage in any business other than the present one;',
    ).map(([name]) => name),
    [
      'Limitation on Guarantees',
      'Limitation on Indebtedness',
      'Limitation on Liens',
      'Limitation on Line of Business',
    ],
  )
  t.strictSame(
    agreed(
      'Section 2.01 Loans. Each Lender severally agrees to make loans, which shall not exceed its Commitment.',
    ),
    [],
    'loans of the lenders are no investments',
  )
})

t.test('a test is told by what limits it, names it a covenant, or lists it after another', async t => {
  t.strictSame(
    told('We are subject to a covenant that limits our ratio of net debt to EBITDA to 3.75 to 1.00.'),
    [['Maximum Net Leverage Ratio', 3.75]],
  )
  t.strictSame(told('The facility has a debt-to-capital covenant of 65%.'), [
    ['Maximum Debt to Capitalization Ratio', 0.65],
  ])
  t.strictSame(told('The term loan requires a debt service coverage ratio of 1.25 to 1.0.'), [
    ['Minimum Debt Service Coverage Ratio', 1.25],
  ])
  t.strictSame(
    told(
      'The covenants require us to maintain minimum tangible net worth of $500 million and a debt service coverage ratio of 1.20x.',
    ),
    [
      ['Minimum Debt Service Coverage Ratio', 1.2],
      ['Minimum Tangible Net Worth', 5e10],
    ],
  )
  t.strictSame(
    told('The notes require us to maintain total unencumbered assets of at least 150% of unsecured debt.'),
    [['Minimum Asset Coverage Ratio', 1.5]],
  )
  t.strictSame(told('The facility limits us to capital expenditures of $500 million per fiscal year.'), [
    ['Maximum Capital Expenditures', 5e10],
  ])
  t.strictSame(
    told(
      'This facility has a leverage ratio covenant. The required leverage ratio, which measures debt to total capital, is a maximum of 50%.',
    ),
    [['Maximum Debt to Capitalization Ratio', 0.5]],
  )
  t.strictSame(told('We spent $500 million on capital expenditures, and the budget limited us to that.'), [])
})

t.test('collateral is told of those who hold it', async t => {
  const pledged = (text: string) => collateralIn(section(text, note)).map(r => r.type)
  t.strictSame(
    pledged('The bank has a first priority security interest in all accounts receivable and inventory.'),
    ['receivables', 'inventory'],
  )
  t.strictSame(
    pledged('As collateral for the term loan, we pledged our inventory and accounts receivable.'),
    ['receivables', 'inventory'],
  )
  t.strictSame(pledged('If we default, the bank has a security interest in our inventory.'), [])
})

t.test('a covenant is of the instrument that has it, not of one that its exceptions name', async t => {
  const of = (text: string) => covenantsIn(section(text, note)).map(r => r.instrument_name)
  t.strictSame(
    of(
      'The revolving credit facilities include covenants limiting liens to those permitted under our senior note indentures.',
    ),
    ['Revolving Credit Facilities'],
  )
  t.strictSame(
    of(
      'The Utility Revolving Credit Agreement includes covenants limiting (1) liens and (2) modifications to the Mortgage Indenture.',
    ),
    ['Utility Revolving Credit Agreement'],
  )
})

t.test('the chapter of a prospectus about other debt tells of it as a report does', async t => {
  const chapter = (title: string) =>
    covenantsIn(
      section(
        'The Term Loan Credit Agreement requires that we maintain a ratio of debt to capitalization of no greater than 65%.',
        {
          title,
          section_type: 'other',
          doc_type: '424B5',
        },
      ),
    ).map(r => [r.covenant_name, r.instrument_name])
  t.strictSame(chapter('DESCRIPTION OF OTHER INDEBTEDNESS'), [
    ['Maximum Debt to Capitalization Ratio', 'Term Loan Credit Agreement'],
  ])
  t.strictSame(chapter('Description of Certain Financing Arrangements').length, 1)
  t.strictSame(chapter('DESCRIPTION OF COMMON STOCK'), [])
})

t.test('lines of a list of debt name their collateral, unless they are repaid or only planned', async t => {
  const pledged = (text: string) => collateralIn(section(text, note)).map(r => r.type)
  t.strictSame(
    pledged('Bank line of credit, with maximum borrowings of $1,250,000, secured by accounts receivable.'),
    ['receivables'],
  )
  t.strictSame(
    pledged(
      'Bank line of credit, due May 1998, secured by accounts receivable at prime plus 1.50%................ -- 1,096,397',
    ),
    [],
  )
  t.strictSame(
    pledged(
      'If our rating falls, the credit facility becomes, subject to certain exceptions, secured by inventory.',
    ),
    [],
  )
})
