import t from 'tap'
import { collateralIn } from '../../../engine/filing/facts/collateral.ts'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

// Covenants and collateral in the words of small companies, ship owners and banks' forms.

const NOTE = { section_type: 'debt_footnote', doc_type: '10-K' }
const rows = (text: string, more = {}) => covenantsIn(section(text, { ...NOTE, ...more }))
const tests = (text: string, more = {}) =>
  rows(text, more).map(row => [row.covenant_name, row.threshold_value ?? null])
const restrictions = (text: string, more = {}) =>
  rows(text, more)
    .map(row => row.covenant_name?.replace('Limitation on ', ''))
    .sort()
const pledged = (text: string) => collateralIn(section(text, NOTE)).map(row => row.type)

t.test('covers that share their last word are a test each', t => {
  t.strictSame(
    tests(
      'The credit facility contains quarterly financial covenants, which include a minimum tangible net worth and minimum debt service and fixed charge coverage ratios.',
    ),
    [
      ['Minimum Tangible Net Worth', null],
      ['Minimum Debt Service Coverage Ratio', null],
      ['Minimum Fixed Charge Coverage Ratio', null],
    ],
  )
  t.strictSame(
    tests(
      'The credit facility requires us to maintain a minimum fixed charge ratio under certain circumstances.',
    ),
    [['Minimum Fixed Charge Coverage Ratio', null]],
  )
  t.end()
})

t.test('the value of ships over their loan is a cover of assets', t => {
  const [ratio] = rows(
    'Covenants (as defined in the loan agreement): The aggregate fair market value of the mortgaged vessels to outstanding loan ratio shall exceed 65% until March 31, 2024, 85% until June 30, 2024 and 120% thereafter.',
  )
  t.equal(ratio?.covenant_name, 'Minimum Asset Coverage Ratio')
  t.strictSame(ratio?.step_down_schedule, [
    { date: null, threshold_value: 0.65 },
    { date: '2024-04-01', threshold_value: 0.85 },
    { date: '2024-07-01', threshold_value: 1.2 },
  ])
  t.strictSame(
    tests(
      'Under the loan agreement the market value of the vessels must be at least 130% of the outstanding loan, and the borrower must maintain a security cover ratio of at least 125%.',
    ),
    [['Minimum Asset Coverage Ratio', 1.3]],
    'of one loan one is kept',
  )
  t.end()
})

t.test('amounts are written with the code of their currency and M for a million', t => {
  t.strictSame(
    tests(
      'c) Net Worth of the Borrower shall not be less than USD100M. d) Liquidity of the Borrower shall not be less than USD 12 million.',
      { section_type: 'credit_agreement', doc_type: 'EX-10.1' },
    ),
    [
      ['Minimum Net Worth', 1e10],
      ['Minimum Liquidity', 1.2e9],
    ],
  )
  t.end()
})

t.test('what follows a level that holds through a quarter begins the day after it', t => {
  const [test] = rows(
    'The loan agreement requires the Company to maintain a leverage ratio (funded debt to EBITDA) with a maximum of 2.75:1 through the quarter ending June 30, 2025, then reducing to a maximum of 2.5:1.',
  )
  t.strictSame(test?.step_down_schedule, [
    { date: null, threshold_value: 2.75 },
    { date: '2025-07-01', threshold_value: 2.5 },
  ])
  t.end()
})

t.test('a limit that was increased is what it was brought to', t => {
  t.strictSame(
    tests(
      'On March 19, 2024, the Company and its banks entered into an amendment to the Term Loan Agreement. Other changes included reducing the spread on our loans, and increasing the ratio of debt to total capitalization limit from 60% to 65%.',
    ),
    [['Maximum Debt to Capitalization Ratio', 0.65]],
  )
  t.end()
})

t.test('a clause that begins with an exception to another is a restriction', t => {
  t.strictSame(
    restrictions(
      'LOAN AGREEMENT\n\nDated as of April 1, 2024\n\nARTICLE 5\nNEGATIVE COVENANTS\n\nThe Borrower will not, without the prior written consent of the Bank:\n\n5.1 Indebtedness. Create, incur or assume any indebtedness for borrowed money.\n\n5.2 Liens and Encumbrances. Except as provided in Section 3.6, create or permit to exist any lien upon any of its property.\n\n5.3 Loans or Advances. Purchase any stock or evidence of indebtedness of, or make any loans or advances to, any other person.',
      { section_type: 'credit_agreement', doc_type: 'EX-10.1' },
    ),
    ['Indebtedness', 'Investments', 'Liens'],
  )
  t.end()
})

t.test('items numbered by their section are restrictions below what forbids any of them', t => {
  t.strictSame(
    restrictions(
      'LOAN AGREEMENT\n\nDated as of June 1, 2024\n\nDuring the term of this Agreement, Debtor agrees that, without the prior written consent of Bank, it will not do, nor will it permit any of its subsidiaries to do, any or all of the following:\n\n12.1 Create, incur or assume any indebtedness for borrowed money except the Obligations to Bank.\n\n12.2 Create or suffer to exist any lien on any of its property, except:\n\n(a) liens for taxes contested in good faith; and\n\n(b) deposits to secure leases.\n\n12.3 Merge or consolidate with or into any other corporation.',
      { section_type: 'credit_agreement', doc_type: 'EX-10.1' },
    ),
    ['Indebtedness', 'Liens', 'Mergers'],
  )
  t.end()
})

t.test('items of a list with small letters and titles of their own are restrictions', t => {
  t.strictSame(
    restrictions(
      'CREDIT AGREEMENT\n\nDated as of March 1, 2024\n\n5. NEGATIVE COVENANTS. During the term of this Agreement, the Borrower covenants and agrees with the Bank that the Borrower shall not, and shall not permit any of its Subsidiaries to:\n\na. Indebtedness. Permit any indebtedness not described in a schedule attached to this Agreement, except for trade indebtedness.\n\nb. Guaranties. Become a guarantor, a surety, or otherwise liable for the debts or other obligations of another.\n\nc. Liens. Subject any of its assets to a lien, except in favor of the Bank.\n\nd. Dividends. Declare or pay any dividend on its stock.',
      { section_type: 'credit_agreement', doc_type: 'EX-10.1' },
    ),
    ['Guarantees', 'Indebtedness', 'Liens', 'Restricted Payments'],
  )
  t.end()
})

t.test('restrictions of a report in loose words', t => {
  t.strictSame(
    restrictions(
      'In addition, the loan agreements restrict capital expenditures, other indebtedness, liens on assets, guaranties, loans and advances, and the merger, consolidation and the transfer of assets except in the ordinary course of business.',
    ),
    ['Asset Sales', 'Guarantees', 'Indebtedness', 'Investments', 'Liens', 'Mergers'],
  )
  t.strictSame(
    restrictions(
      'The bank loan agreements contain provisions under which the Company must obtain permission from its lender to pay dividends in cash on any of its capital stock.',
    ),
    ['Restricted Payments'],
  )
  t.strictSame(
    restrictions(
      'The Credit Agreement contains certain terms such as a prohibition on the payment of dividends.',
    ),
    ['Restricted Payments'],
  )
  t.end()
})

t.test('a facility gives its bank a security interest, and a credit line is secured', t => {
  t.strictSame(
    pledged(
      'The credit facility gives Alfa Bank, N.A. a first security interest in accounts receivable, inventory and other assets.',
    ),
    ['receivables', 'inventory'],
  )
  t.strictSame(
    pledged(
      'As collateral for the Amended Credit Facility, Alfa Finance has a first lien security interest in inventory.',
    ),
    ['inventory'],
  )
  t.strictSame(pledged('Advances are payable on demand. The credit line is secured by inventory.'), [
    'inventory',
  ])
  t.end()
})
