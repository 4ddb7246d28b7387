import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { section } from './section.ts'

const note = (text: string) =>
  creditFacilitiesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K' }))
const said = (rows: ReturnType<typeof creditFacilitiesIn>) =>
  rows.map(r => [r.name, (r.commitment ?? 0) / 1e8, r.maturity])

t.test(
  'facilities of a list fall due on the days of a later sentence, by the names that the list gives them',
  async t => {
    const text =
      'On July 3, 2024, Alfa Corp entered into a credit agreement (the \u201cCredit Agreement\u201d). The Credit Agreement provides for senior secured credit facilities consisting of (a) a $2,750,000,000 multicurrency revolving credit facility (the \u201cRevolving Facility\u201d), (b) a $500,000,000 term loan A facility (the \u201cTerm Loan A\u201d) and (c) a \u20ac350,000,000 euro term loan facility (the \u201cEuro Term Loan\u201d).\n\nThe Revolving Facility and the Term Loan A mature on July 3, 2029, and the Euro Term Loan matures on July 3, 2031.'
    const item = {
      section_type: 'credit_agreement',
      doc_type: '8-K',
      title: 'Item 1.01',
      period_end: '2024-07-03',
    }
    const rows = creditFacilitiesIn(section(text, item))
    t.strictSame(said(rows), [
      ['Revolving Facility due 2029', 2750, '2029-07-03'],
      ['Term Loan A due 2029', 500, '2029-07-03'],
      ['Euro Term Loan due 2031', 350, '2031-07-03'],
    ])
  },
)

t.test('an agreement of another kind that is told next says nothing of a loan', async t => {
  const loan =
    'In August 2022, we entered into a five-year $350.0 million senior unsecured delayed draw term loan facility with a syndicate of lenders. The term loan facility is scheduled to mature in August 2027.'
  const revolver =
    'In April 2022, we amended and restated our existing credit agreement and extended the maturity to April 2027. The credit agreement provides for a five-year $500.0 million senior unsecured revolving credit facility.'
  t.strictSame(said(note(`${loan}\n\n${revolver}`)), [
    ['Senior Unsecured Delayed Draw Term Loan Facility due 2027', 350, '2027-08'],
    ['Senior Unsecured Revolving Credit Facility due 2027', 500, '2027-04'],
  ])
})

t.test(
  'the reference is known where the margin depends on a rating, and none where items of a list are about other debt',
  async t => {
    const facility =
      'In April 2024, Alfa entered into a $2.0 billion unsecured revolving credit facility that matures in April 2029.'
    const [row] = note(
      `${facility} Borrowings bear interest at SOFR plus applicable margins ranging from 0.90% to 1.50%.`,
    )
    t.strictSame([row?.benchmark, row?.spread_bps ?? null], ['SOFR', null])
    const [each] = note(
      `${facility} Borrowings bear interest at (a) Term SOFR plus 0.10% or (b) a base rate, in each case, plus an applicable margin.`,
    )
    t.equal(each?.spread_bps ?? null, null, 'what is added to a reference is no margin before the margin')
  },
)

t.test(
  'a facility has the rank that a sentence about it alone says, and an option does not extend it',
  async t => {
    const [row] = note(
      'In February 2023, Alfa amended its senior unsecured $2.0 billion revolving credit facility. The facility is scheduled to expire in March 2027 with two additional six-month options to extend the maturity date, at its discretion, to March 2028.',
    )
    t.strictSame([row?.security_type, row?.maturity], ['unsecured', '2027-03'])
  },
)

t.test('notes named behind a facility do not say when it falls due', async t => {
  t.strictSame(
    note(
      'Alfa entered into a $500.0 million revolving credit facility. It matures on the fifth anniversary of the closing.\n\n4.750% Senior Notes due December 2027\n\nOn June 8, 2021, we issued $900.0 million of senior notes, which mature on June 15, 2031.',
    ),
    [],
  )
})

t.test('facilities of companies of a group are told apart by their borrowers', async t => {
  t.strictSame(
    said(
      note(
        'The Hold Revolving Credit Facility has capacity of $300.0 million and matures October 31, 2026. North has a $400.0 million North Revolving Credit Facility that matures on April 1, 2029. The South Revolving Credit Facility is a $200.0 million revolving credit facility and matures September 23, 2027.',
      ),
    ),
    [
      ['Hold Revolving Credit Facility due 2026', 300, '2026-10-31'],
      ['North Revolving Credit Facility due 2029', 400, '2029-04-01'],
      ['South Revolving Credit Facility due 2027', 200, '2027-09-23'],
    ],
  )
})

t.test(
  'the only revolver of a note falls due when its row in the table says, and what is available is left',
  async t => {
    const table = `Long-term debt consists of (in millions):

December 31, 2024 | December 31, 2023
ABL senior secured revolving facility, matures on December 22, 2026 | \u2014 | \u2014
`
    const text =
      'The aggregate amount of commitments under the ABL Line of Credit is $900.0 million. At December 31, 2024, the Company had $836.9 million available under the ABL Line of Credit.'
    const [row, ...others] = note(`${table}\n${text}`)
    t.strictSame(
      [row?.commitment, row?.undrawn, row?.maturity, others.length],
      [900e8, 836.9e8, '2026-12-22', 0],
    )
    t.strictSame(
      note(
        `${table}\nAt December 31, 2024, Alfa had outstanding drawings under its revolving credit facility of $365 million.`,
      ),
      [],
      'what is drawn is no commitment',
    )
  },
)
