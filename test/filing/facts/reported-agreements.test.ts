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
