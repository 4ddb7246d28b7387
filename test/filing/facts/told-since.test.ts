import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { instrumentsIn } from '../../../engine/ingest/readers/debt-note.ts'
import { section } from './section.ts'

const NOTE = { section_type: 'debt_footnote', doc_type: '10-Q', period_end: '2024-06-30' }
const SINCE = { ...NOTE, section_type: 'notes', title: '14. Subsequent Events', filing_date: '2024-08-02' }
const MILLION = 1e8
const rows = (text: string, more = {}) =>
  instrumentsIn(section(text, { ...NOTE, ...more }), { ticker: null, known: null }).map(
    ({ values: r }) => r as Record<string, never>,
  )
const said = (text: string, more = {}) =>
  rows(text, more).map(r => [
    r['name'],
    (r['principal'] ?? r['carrying_amount'] ?? r['commitment'] ?? 0) / MILLION,
    r['maturity'] ?? null,
  ])

t.test('a note on events since the report tells of notes issued then', t => {
  const text =
    'On July 11, 2024, the Company completed the sale of $350 million aggregate principal amount of 6.250% senior notes due 2031 (the "Senior Notes"). Interest is payable until their maturity date of July 15, 2031.'
  const [one, ...others] = rows(text, SINCE)
  t.equal(others.length, 0)
  t.match(one, {
    name: '6.25% Senior Notes due July 15, 2031',
    principal: 350 * MILLION,
    coupon_rate: 6.25,
    maturity: '2031-07-15',
    balance_date: '2024-08-02',
    evidence_section: '14. Subsequent Events',
  })
  t.strictSame(said(text, { ...SINCE, title: '14. Segments' }), [], 'other notes tell of no sale')
  t.strictSame(said(text, { ...SINCE, filing_date: null }), [])
  t.strictSame(said(text.replace('completed the sale', 'announced a proposed sale'), SINCE), [])
  t.end()
})

t.test('of an agreement since the report, each facility is a row and their sum is none', t => {
  const text = (verb: string) =>
    `On July 22, 2024, we ${verb} our revolving credit facility (Second Amended and Restated Credit Agreement) with our banks. The Second Amended and Restated Credit Agreement includes credit facilities in an aggregate principal amount of up to $900 million, made available through a $350 million revolving credit facility (Revolving Credit Facility), and a $550 million term loan facility (Term Facility). Each of the Revolving Credit Facility and the Term Facility matures on July 22, 2029.`
  t.strictSame(said(text('amended and restated'), SINCE), [
    ['Revolving Credit Facility due 2029', 350, '2029-07-22'],
    ['Term Facility due 2029', 550, '2029-07-22'],
  ])
  t.strictSame(said(text('discussed'), SINCE), [], 'without its being agreed')
  t.end()
})

t.test('an agreement falls due with all its facilities', t => {
  const facilities = (lead: string) =>
    creditFacilitiesIn(
      section(
        `In May we entered into a Credit Facility. ${lead} a term loan facility in the principal amount of $35 million and a revolving credit facility ("Line") in the principal amount of up to $60 million.`,
        NOTE,
      ),
    ).map(r => [r.name, (r.commitment ?? 0) / MILLION, r.maturity])
  t.strictSame(facilities('The Credit Facility matures on May 9, 2028 and includes'), [
    ['Term Loan Facility due 2028', 35, '2028-05-09'],
    ['Revolving Credit Facility due 2028', 60, '2028-05-09'],
  ])
  t.strictSame(facilities('The Credit Facility includes'), [])
  t.end()
})

const table = (label: string, other = 'Senior notes') =>
  `Long-term debt consisted of (in millions):

 | June 30, 2024 | December 31, 2023
${label} | 320 | 330
${other} | 400 | 400
Total | 720 | 730
`

t.test('what a line says of its payments is no name of it', t => {
  const line =
    '$400 million Term Loan; $2.5 million principal payments plus accrued interest payable quarterly; interest rate at Term SOFR plus applicable percentage (6.10% at June 30, 2024); due March 4, 2029'
  t.strictSame(
    debtLinesIn(section(table(line), NOTE)).map(r => [
      r.name,
      (r.carrying_amount ?? 0) / MILLION,
      r.maturity ?? null,
    ]),
    [
      ['Term Loan due March 4, 2029', 320, '2029-03-04'],
      ['Senior notes', 400, null],
    ],
  )
  t.end()
})

t.test('the one term loan of a table is the one that the text tells of', t => {
  const told =
    'The Credit Agreement consisted of term loans in an original aggregate amount of $350 million (the "Initial Term Loans"), which mature on October 3, 2030 and bear interest at SOFR plus 2.25%.'
  const [loan, ...others] = rows(`${table('Term loans')}\n${told}`)
  t.match(loan, {
    name: 'Term loans',
    instrument_type: 'term_loan',
    carrying_amount: 320 * MILLION,
    commitment: 350 * MILLION,
    maturity: '2030-10-03',
    rule: 'debt_schedule',
  })
  t.strictSame(
    others.map(({ name }) => name),
    ['Senior notes'],
  )
  t.equal(
    rows(`${table('Term loans', 'Other term loans')}\n${told}`).filter(r => r['maturity'] != null).length,
    1,
    'of two lines it is neither',
  )
  t.equal(
    rows(`${table('Term loans')}\n${told.replace('$350', '$150')}`).find(
      ({ name }) => name === 'Term loans',
    )?.['maturity'],
    null,
    'less than what is owed is another loan',
  )
  t.end()
})

t.test('the tenor of one sentence and the day of another are when facilities fall due', t => {
  const text = (more = '') =>
    `Effective May 6, 2023, the Company entered into an Amended and Restated Credit Agreement with its banks (the "Restated Credit Agreement").${more} The Restated Credit Agreement provides for a $500.0 million, five-year senior secured credit facility, which consists of a $200.0 million revolving credit facility (the "Restated Revolver Facility") and a $300.0 million term loan. As of June 30, 2024, there were borrowings of $35.0 million under the Restated Revolver Facility.`
  const read = (more = '') => creditFacilitiesIn(section(text(more), NOTE))
  t.match(read(), [
    {
      name: 'Restated Revolver Facility due 2028',
      commitment: 200 * MILLION,
      drawn: 35 * MILLION,
      maturity: '2028-05',
      seniority: 'senior_secured',
    },
    {
      instrument_type: 'term_loan',
      commitment: 300 * MILLION,
      maturity: '2028-05',
      seniority: 'senior_secured',
    },
  ])
  t.equal(read().length, 2, 'their sum is none')
  t.strictSame(
    read(' An amendment extended it.').map(({ maturity }) => maturity),
    [null],
    'not where it was changed since',
  )
  t.end()
})

t.test('a lettered loan is the line of secured term loans', t => {
  const [loan] = rows(
    `${table('Senior secured term loans')}\nOn April 2, 2023, we completed a financing of $340.0 million Term B Loan. The Term B Loan will mature on April 2, 2029.`,
  )
  t.match(loan, { name: 'Senior secured term loans', maturity: '2029-04-02', seniority: 'senior_secured' })
  t.end()
})

t.test('a facility without a maturity is in force where the note says what is drawn', t => {
  const text = (of: string, drawn: string) =>
    `The Company has ${of} with its banks. As of June 30, 2024, ${drawn} under the Revolving Credit Facility.`
  const size = 'a $275 million revolving credit facility (the "Revolving Credit Facility")'
  const none = 'there were no borrowings outstanding'
  const read = (told: string) => creditFacilitiesIn(section(told, NOTE))
  t.match(read(text(size, none)), [
    { name: 'Revolving Credit Facility', commitment: 275 * MILLION, drawn: 0, maturity: null },
  ])
  t.strictSame(read(text(size, 'covenants were met')), [], 'else it may have ended')
  t.strictSame(
    read(text('a revolving credit facility with an outstanding amount of $275 million', none)),
    [],
    'an amount behind it may be what is owed',
  )
  t.strictSame(
    rows(`${table('Revolving credit facility')}\n${text(size, none)}`).map(({ name }) => name),
    ['Revolving credit facility', 'Senior notes'],
    'a line of a table says more',
  )
  t.end()
})

t.test('loans and commitments of an agreement since the report are told in further words', t => {
  t.strictSame(
    said(
      'On July 22, 2024 the Company entered into $1,400.0 million of term loans maturing on July 22, 2031 pursuant to the Fifth Amendment. The Company used them to retire $600.0 million of term loans due 2027.',
      SINCE,
    ).map(([, ...rest]) => rest),
    [[1400, '2031-07-22']],
  )
  t.strictSame(
    said(
      'On July 1, 2024, the Company entered into a revolving credit facility agreement with its banks (the "Credit Agreement"). The Credit Agreement, which matures on July 1, 2029, provides the Company with revolving commitments in an aggregate principal amount of up to $650 million, with a letter of credit sub-facility of $30 million.',
      SINCE,
    ).map(([, ...rest]) => rest),
    [[650, '2029-07-01']],
  )
  t.strictSame(
    said(
      'On July 11, 2024, the Company completed the private offering under the Securities Act of 1933, as amended, of $250 million aggregate principal amount of its 8.25% senior unsecured notes due 2031.',
      SINCE,
    ),
    [['8.25% Senior Unsecured Notes due 2031', 250, '2031']],
    'a law that was amended is no amendment of notes',
  )
  t.end()
})

t.test(
  'amendments since the report raise and extend what an agreement has, by list or in one sentence',
  t => {
    t.strictSame(
      said(
        `On July 8, 2024, the Company entered into the Amended and Restated Credit Facility, which contains the following amendments to the Company's Credit Facility:

Extends the initial maturity date of the existing $450 million Revolver component of the Credit Facility to July 2028 with two, six-month extension options available to extend the maturity to July 2029; and

Divides the existing $250 million Term Loan A into two term loans structured as follows:

$125 million term loan maturing in July 2028 (“Term Loan A-1”); and

$125 million term loan maturing in July 2029 (“Term Loan A-2”).`,
        SINCE,
      ).map(([, ...rest]) => rest),
      [
        [450, '2028-07'],
        [125, '2028-07'],
        [125, '2029-07'],
      ],
    )
    t.strictSame(
      said(
        'On July 19, 2024, the Company entered into amendments to its Existing Credit Agreement (as amended, the “Amended Credit Agreement”). The amendments, among other things, (i) provide for an increase in the aggregate commitments under the revolving credit facility from $700 million to $850 million, subject to a borrowing base; (ii) extend the maturity date from June 2, 2026 to July 17, 2028 for certain lenders.',
        SINCE,
      ).map(([, ...rest]) => rest),
      [[850, '2028-07-17']],
    )
    t.strictSame(
      said(
        'On July 2, 2024, the Borrower, each lender party thereto and Beta Bank, as Administrative Agent and Swing Line Lender entered into a Credit Agreement (“New Credit Agreement”) which provides for a Term A Loan ("Term Loan") in an initial aggregate principal amount of $220.0 million and initial Revolving Credit Commitments in an initial aggregate principal amount of $80.0 million (the “New Revolver Facility”). The Term Loan and New Revolver Facility are scheduled to mature on July 2, 2029.',
        SINCE,
      ).map(([, ...rest]) => rest),
      [
        [220, '2029-07-02'],
        [80, '2029-07-02'],
      ],
    )
    t.end()
  },
)

t.test('a loan on property that was entered into since the report is told by its amount', t => {
  const loan =
    'On July 10, 2024, the Company entered into a $28.5 million mortgage loan (the “Beta Mortgage Loan”) with Beta Bank. The Beta Mortgage Loan has a maturity date of July 9, 2027 and bears interest at a rate of SOFR plus 2.40%. It repaid the existing $21.0 million mortgage loan entered into in 2019.'
  t.match(rows(loan, SINCE), [
    {
      name: 'Beta Mortgage Loan due 2027',
      commitment: 28.5 * MILLION,
      maturity: '2027-07-09',
      spread_bps: 240,
    },
  ])
  t.strictSame(said(loan), [], 'a note on debt lists its loans in tables')
  t.end()
})

t.test('days of payments and of what may spring are no maturities, and prices announced are no sale', t => {
  t.strictSame(
    said(
      'On July 3, 2024, the Company entered into the fifth amendment and restatement of its credit agreement with its banks. The fifth amended and restated credit agreement makes an aggregate principal amount of up to approximately $1.5 billion available to the Company through the following facilities: (i) a $592.5 million term loan facility (decreased from $610 million), and (ii) a $900 million revolving credit facility, which includes a $50 million sublimit for letters of credit. The fifth amendment and restatement extends the credit facility’s maturity date from May 3, 2027 to July 3, 2029. The first mandatory repayment under the term loan portion of the credit agreement is due September 30, 2025.',
      SINCE,
    ).map(([, ...rest]) => rest),
    [
      [592.5, '2029-07-03'],
      [900, '2029-07-03'],
    ],
  )
  t.strictSame(
    said(
      'On July 17, 2024, the Company entered into a secured delayed draw term loan agreement (the "Agreement") with Beta Bank. The Agreement provides for a $140.0 million delayed draw term loan facility (the "Term Facility"). The Agreement permits borrowings until December 15, 2025, and any such borrowings will mature May 1, 2029 (subject to a springing maturity on March 1, 2028 to the extent any of our 2028 Notes remain outstanding).',
      SINCE,
    ).map(([, ...rest]) => rest),
    [[140, '2029-05-01']],
  )
  t.strictSame(
    said(
      'On July 2, 2024, the Company entered into an amendment to the Existing Credit Facility with other lenders (the “Amended Credit Facility”). The Amended Credit Facility, among other things (i) increases the total commitments under the revolving credit facility (the “Revolver”) from $90 million to $130 million, and (ii) provides the Company with an option, under certain conditions, to increase the commitments under the Revolver. The maturity date of the Amended Credit Facility is July 2, 2029.',
      SINCE,
    ).map(([, ...rest]) => rest),
    [[130, '2029-07-02']],
  )
  t.strictSame(
    said(
      'On July 22, 2024, the company announced the pricing of $385.0 million aggregate principal amount of 6.875% Senior Secured Notes due 2029 through a private offering, which is expected to close on July 29, 2024.',
      SINCE,
    ),
    [],
  )
  t.end()
})
