import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { section } from './section.ts'

const AGREED = 'Item 1.01 Entry into a Material Definitive Agreement'
const read = (text: string, title = AGREED) =>
  creditFacilitiesIn(section(text, { doc_type: '8-K', title, period_end: '2024-02-22' }))
const said = (text: string, title?: string) =>
  read(text, title).map(f => [f.instrument_type, f.commitment! / 1e8, f.maturity])

const ENTERED =
  'On February 21, 2024, Alfa Corp entered into an unsecured revolving credit agreement (the “Credit Agreement”) with the lenders party thereto.'

t.test('a sentence tells what the agreement that the one before names provides', t => {
  t.strictSame(
    said(
      `${ENTERED} The Credit Agreement provides for an unsecured revolving credit facility in an aggregate principal amount of up to $500 million. The Credit Agreement has a three-year term expiring on February 21, 2027.`,
    ),
    [['revolver', 500, '2027-02-21']],
  )
  t.strictSame(
    said(
      `${ENTERED} The Credit Agreement provides for a term loan facility under which the Company has outstanding term loans in an aggregate principal amount of $200,000,000 (the “Term Loan Facility”), and a revolving credit facility under which the Company may borrow up to $1,200,000,000 (the “Revolving Credit Facility”). The Term Loan Facility and the Revolving Credit Facility will mature on February 21, 2029.`,
    ),
    [
      ['term_loan', 200, '2029-02-21'],
      ['revolver', 1200, '2029-02-21'],
    ],
  )
  t.end()
})

t.test('an agreement that none entered into, or that was before, provides nothing', t => {
  const provides = 'a $500 million revolving credit facility that matures on February 21, 2027.'
  for (const text of [
    `The Credit Agreement provides for ${provides}`,
    `The parties will have entered into a Credit Agreement at closing. The Credit Agreement provides for ${provides}`,
    `${ENTERED} The Existing Credit Agreement provides for ${provides}`,
    `${ENTERED} Beta LLC has ${provides}`,
  ])
    t.strictSame(said(text), [], text)
  t.end()
})

t.test('an item that tells of a termination tells of no facility in force', t => {
  const text =
    'The Company terminated the Credit Agreement, dated as of May 27, 2021, entered into among the Company, Delta Bank, N.A., as administrative agent, and the lenders party thereto from time to time, which provided for a $10.0 billion senior unsecured revolving credit facility that was scheduled to mature on May 27, 2026.'
  t.strictSame(said(text, 'Item 1.02 Termination of a Material Definitive Agreement'), [])
  t.end()
})

t.test('an adjustment of the index is no margin', t => {
  const terms = (rate: string) =>
    read(
      `On February 21, 2024, Alfa Corp entered into a $500 million revolving credit facility maturing on February 21, 2027. Borrowings bear interest at the term secured overnight financing rate (“SOFR”), plus an adjustment of 0.10% (the “SOFR Adjustment”), ${rate}.`,
    )[0]
  t.match(terms('plus an applicable margin of between 0.875% and 1.50%'), { spread_bps: undefined })
  t.match(terms('plus 1.25%'), { benchmark: 'SOFR', spread_bps: 125 })
  t.end()
})

const AMENDED =
  'On May 5, 2023, Alfa Corp entered into Amendment No. 1 (the “Amendment”) to its credit agreement dated as of July 1, 2021 (the “Existing Credit Agreement”) with the lenders party thereto.'

t.test('an amendment states anew what it changes, and leaves what it extends', t => {
  const provided =
    'The Existing Credit Agreement provided the Company with senior unsecured revolving commitments in an aggregate principal amount of up to $750 million, with a letter of credit sub-facility of $40 million (the “Revolving Loan Facility”). Under the Existing Credit Agreement, the Revolving Loan Facility matured on July 1, 2026.'
  t.strictSame(
    said(
      `${AMENDED} ${provided} The Amendment amended the Existing Credit Agreement to (1) provide the Company with a new senior unsecured term loan facility in the aggregate principal amount of $200 million (the “Term Loan Facility”), (2) extend the maturity date of the Revolving Loan Facility to May 5, 2027 and provide that the Term Loan Facility matures on May 5, 2027.`,
    ),
    [
      ['revolver', 750, '2027-05-05'],
      ['term_loan', 200, '2027-05-05'],
    ],
  )
  t.strictSame(
    said(
      `${AMENDED} The Amendment amends the Existing Credit Agreement by, among other things, (i) increasing the aggregate commitment amount of the revolving credit facility to the Company (the “Revolving Credit Facility”) to $40 million, (ii) extending the maturity date of the term loan previously provided to October 1, 2025, (iii) extending the maturity date of the Revolving Credit Facility to December 29, 2027.`,
    ),
    [['revolver', 40, '2027-12-29']],
  )
  const loan =
    'The Existing Credit Agreement provided for an unsecured term loan facility in a principal amount of $300 million and matures on September 15, 2025 (the “Term Loan”).'
  t.strictSame(said(`${AMENDED} ${loan} The Amendment modifies the financial covenants.`), [
    ['term_loan', 300, '2025-09-15'],
  ])
  for (const text of [
    `${AMENDED} ${provided} The Amendment modifies the financial covenants.`,
    `${AMENDED} ${provided} The Amendment gives the Company the right to extend the maturity date of the Revolving Loan Facility to May 5, 2027.`,
    `${AMENDED} ${loan} The Amendment increases the loans by $50 million.`,
    `${AMENDED} ${loan} The Existing Credit Agreement was terminated.`,
    `${ENTERED} ${loan}`,
  ])
    t.strictSame(said(text), [], text)
  t.end()
})

t.test('a facility may have a borrowing limit', t => {
  t.strictSame(
    said(
      'On February 21, 2024, Alfa Corp entered into a Second Amended and Restated Credit Agreement (the “Second Amended Credit Facility”) with the lenders. The Second Amended Credit Facility maintains the borrowing limit of $120 million, which includes a $25 million sublimit for standby letters of credit. The Company may increase the borrowing limit under the Second Amended Credit Facility by up to $50 million. The Second Amended Credit Facility terminates and all amounts outstanding thereunder are due and payable on July 25, 2028, subject to the extensions discussed in the prior sentence.',
    ),
    [['revolver', 120, '2028-07-25']],
  )
  t.end()
})

t.test('an index that was changed is that of no facility', t => {
  t.match(
    read(
      'On February 21, 2024, Alfa Corp entered into a $500 million revolving credit facility maturing on February 21, 2027. The agreement bears interest, changing the benchmark interest rate from LIBOR to another index.',
    ),
    [{ benchmark: undefined }],
  )
  t.end()
})
