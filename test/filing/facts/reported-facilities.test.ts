import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { instrumentsIn } from '../../../engine/ingest/readers/debt-note.ts'
import { section } from './section.ts'

const AGREED = 'Item 1.01 Entry into a Material Definitive Agreement'
const read = (text: string, more = {}) =>
  creditFacilitiesIn(section(text, { doc_type: '8-K', title: AGREED, period_end: '2024-02-22', ...more }))
const said = (text: string, more = {}) =>
  read(text, more).map(f => [f.instrument_type, f.commitment! / 1e8, f.maturity])
const since = (text: string, more = {}) =>
  instrumentsIn(
    section(text, {
      section_type: 'notes',
      doc_type: '10-Q',
      title: '9. Subsequent Events',
      period_end: '2023-12-31',
      filing_date: '2024-02-22',
      ...more,
    }),
    { ticker: null, known: null },
  ).map(({ values: r }) => [r['instrument_type'], Number(r['commitment']) / 1e8, r['maturity']])

t.test('a facility falls due years after a day that stands elsewhere in its report', t => {
  const agreed = (due: string) =>
    `On February 20, 2024 (the “Closing Date”), Alfa Corp entered into a Credit Agreement with Beta Bank, as agent, providing for a senior secured asset-based revolving credit facility in an aggregate principal amount of up to $150 million (the “ABL Facility”). ${due}`
  for (const [due, day] of [
    ['The ABL Facility will mature five years after the Closing Date.', '2029-02-20'],
    ['The ABL Facility matures on the fifth anniversary of the Closing Date.', '2029-02-20'],
    ['The ABL Facility has a term of four years from the effective date of the agreement.', '2028-02'],
    [
      'The ABL Facility matures on the earlier of the fifth anniversary of the Closing Date and the day before its notes fall due.',
      null,
    ],
  ])
    t.strictSame(said(agreed(due!)), [['revolver', 150, day]], due!)
  t.end()
})

t.test('of several facilities each has the years said of it', t => {
  t.strictSame(
    since(
      'On January 12, 2024, the Company entered into a restated credit agreement with lenders to provide revolving loans of up to $400.0 million under a revolving credit facility of $400.0 million (the “Amended Revolving Facility”), and a term loan of $200.0 million (the “Term Loan Facility”). The Amended Revolving Facility has a term of four years from the amendment date, with an extension of 12 months, and the Term Loan Facility has a term of five years from the effective date of the agreement.',
    ),
    [
      ['revolver', 400, '2028-01'],
      ['term_loan', 200, '2029-01'],
    ],
  )
  t.end()
})

t.test('a report lists what was agreed about its day though it says no day on which it falls due', t => {
  const agreed = (lead: string) =>
    `${lead}, Alfa Corp entered into an unsecured loan agreement (the “Loan Agreement”) with Beta Bank, N.A., as the lender, providing for a loan in the aggregate principal amount of $86.1 million.`
  t.strictSame(said(agreed('On February 20, 2024')), [['term_loan', 86.1, null]])
  t.strictSame(
    said(agreed('As previously disclosed, on June 27, 2021')),
    [],
    'an old agreement may have ended',
  )
  t.strictSame(
    said(
      'On February 20, 2024, the lenders agreed to make available senior secured credit facilities in the aggregate amount of $140,000,000, including (i) a $100,000,000 term loan and (ii) a $40,000,000 revolving credit facility under a Credit Agreement entered into that day.',
    ).length,
    0,
    'not said before them to be agreed',
  )
  t.strictSame(
    said(
      'On February 20, 2024, Alfa Corp entered into a Credit Agreement under which the lenders agreed to make available senior secured credit facilities in the aggregate amount of $140,000,000, including (i) a $100,000,000 term loan and (ii) a $40,000,000 revolving credit facility.',
    ).map(each => each.slice(0, 2)),
    [
      ['term_loan', 100],
      ['revolver', 40],
    ],
  )
  t.end()
})

t.test(
  'an amendment raises a facility to an aggregate amount, and extends it to the earlier of two days',
  t => {
    const [one, ...others] = read(
      'On February 20, 2024, the Company amended its existing senior secured credit facilities to, among other changes, increase the borrowing capacity of its revolving credit facility from $400 million to an aggregate principal amount of up to $900 million. The maturity date of the revolving credit facility was amended to April 17, 2030.',
    )
    t.match(one, { instrument_type: 'revolver', commitment: 900e8, maturity: '2030-04-17' })
    t.equal(others.length, 0)
    t.strictSame(
      said(
        'On February 13, 2024, the Company entered into an amendment, which increases the total commitments available under the revolving credit facility from $150.0 million to $250.0 million and extends the maturity date of the revolving credit facility from May 19, 2025 to the earlier of October 13, 2028 and the day that is six months before its notes fall due.',
      ),
      [['revolver', 250, '2028-10-13']],
    )
    t.end()
  },
)

t.test('the day right behind a loan is its own though its sentence extends another', t => {
  t.strictSame(
    said(
      'On February 20, 2024 the Company entered into $2,000.0 million of term loans maturing on April 22, 2031 under the Sixth Amendment and extended the maturity of the Revolving Credit Facility from December 15, 2025 to April 22, 2029.',
    ),
    [['term_loan', 2000, '2031-04-22']],
  )
  t.match(
    read(
      'On February 20, 2024 the Company entered into $2,000.0 million of term loans maturing on April 22, 2031 (the “Term Loan due 2031”).',
    ),
    [{ name: 'Term Loan due 2031' }],
  )
  t.end()
})

t.test(
  'the extension of another mortgage is none of a new loan, which bears a fixed rate and is secured',
  t => {
    const [one, ...others] = read(
      'On February 7, 2024, affiliates of the Company entered into loan documents to secure a $35.0 million mortgage loan on the Harbour Hotel. Pursuant to them, the mortgage loan has a 5 year term maturing on March 6, 2029 and carries a fixed interest rate of 8.49%.\n\nEffective as of February 19, 2024, the Company entered into a loan amendment to extend the maturity on the existing mortgage on the Airport Hotel to April 29, 2024.',
    )
    t.equal(others.length, 0)
    t.match(one, {
      commitment: 35e8,
      maturity: '2029-03-06',
      rate_type: 'fixed',
      coupon_rate: 8.49,
      seniority: 'senior_secured',
    })
    t.end()
  },
)

t.test('a report says what was borrowed at closing, and the margin by the name of the agreement', t => {
  const [one] = read(
    'On February 20, 2024, Alfa Corp entered into a Term Loan Credit Agreement (the “Term Loan Agreement”) with Beta Bank. The Term Loan Agreement, which matures on May 17, 2025, provides for a term loan credit facility in an aggregate principal amount of up to $450 million. On February 21, 2024, Alfa borrowed $275 million under the Term Loan Agreement. Borrowings under the Term Loan Agreement bear interest at a rate equal to SOFR plus a spread of 1%.',
  )
  t.match(one, { drawn: 275e8, maturity: '2025-05-17', benchmark: 'SOFR', spread_bps: 100 })
  t.end()
})

t.test('amounts of a note in thousands are read in thousands', t => {
  const text =
    'On January 24, 2024, the Company entered into the Fifth Amendment to the Credit Agreement to replace the existing loans provided under the Credit Agreement with (i) a term loan in the aggregate outstanding amount of $537,500 (the “Term Loan”), which matures on January 24, 2029, and (ii) a revolving credit facility in an aggregate amount of up to $500,000 (the “Revolving Credit Facility”), which matures on January 24, 2029.'
  t.strictSame(since(text, { amounts_in: 'thousands' }), [
    ['term_loan', 537.5, '2029-01-24'],
    ['revolver', 500, '2029-01-24'],
  ])
  const inDollars = text.replace('$537,500', '$537,500,000').replace('$500,000', '$500,000,000')
  t.strictSame(since(inDollars, { amounts_in: 'thousands' }), [
    ['term_loan', 537.5, '2029-01-24'],
    ['revolver', 500, '2029-01-24'],
  ])
  t.strictSame(since(text.replace('$537,500', '$1,537,500'), { amounts_in: 'thousands' }).length, 1, 'either')
  t.strictSame(since(text, { amounts_in: null }), [])
  t.strictSame(since(`${text} It paid $1.2 million of fees.`, { amounts_in: 'thousands' }), [])
  t.end()
})

t.test('a revolving facility under a loan agreement is no term loan', t => {
  const [one] = read(
    'On February 20, 2024, Alfa Funding entered into the Fourth Amendment to Loan and Security Agreement (the “Beta Loan Agreement”). The amendment amends the Beta Loan Agreement to (i) upsize the facility from $400.0 million to $440.0 million and (ii) extend the maturity of the revolving credit facility under the Beta Loan Agreement to June 10, 2029.',
  )
  t.match(one, { instrument_type: 'revolver', commitment: 440e8, maturity: '2029-06-10' })
  t.end()
})

const L =
  'On May 6, 2024 (the “Closing Date”), Alfa Corp entered into a Credit Agreement (the “Credit Agreement”) with Beta Bank, N.A., as administrative agent, and the lenders party thereto. '
const inMay = (text: string) => said(L + text, { period_end: '2024-05-06' })

t.test('the month of May is no choice', t => {
  t.strictSame(
    said(
      'On May 6, 2024, Alfa Corp entered into a $500 million revolving credit facility that matures on June 1, 2026. On May 20, 2024 it extended the maturity date of the revolving credit facility to May 6, 2029.',
      { period_end: '2024-05-21' },
    ),
    [['revolver', 500, '2029-05-06']],
  )
  t.end()
})

t.test('an agreement gives its years or day in words between its name and what it provides', t => {
  for (const [text, facilities] of [
    [
      'The Credit Agreement has a three-year term and provides for an unsecured term loan of $250 million.',
      [['term_loan', 250, '2027-05']],
    ],
    [
      'The Credit Agreement, which has an initial maturity date of May 6, 2028 with two six-month extension options, provides for a $600 million unsecured revolving credit facility and a $200 million unsecured term loan.',
      [
        ['revolver', 600, '2028-05-06'],
        ['term_loan', 200, '2028-05-06'],
      ],
    ],
    [
      'Pursuant to the Credit Agreement, the lenders have committed to make available a revolving credit facility of up to $75,000,000. The revolving credit facility will terminate on May 6, 2027.',
      [['revolver', 75, '2027-05-06']],
    ],
    [
      'The Credit Agreement provides for a 364-day unsecured revolving credit facility with aggregate commitments of $750 million. The commitments terminate 364 days after the Closing Date.',
      [['revolver', 750, '2025-05']],
    ],
    [
      'The Credit Agreement provides for (i) a $300 million term loan A facility (the “Term Loan A”) and (ii) a $500 million revolving credit facility (the “Revolver”). The Term Loan A and the Revolver will each mature on the date that is five years after the Closing Date.',
      [
        ['term_loan', 300, '2029-05-06'],
        ['revolver', 500, '2029-05-06'],
      ],
    ],
    [
      'The Credit Agreement provides for a $1.0 billion delayed draw term loan facility, which will mature three years after the funding date.',
      [['term_loan', 1000, null]],
    ],
  ] as const)
    t.strictSame(inMay(text), facilities, text)
  t.end()
})

t.test('a loan on property of an agreement with an insurer', t => {
  const [one] = read(
    'On May 6, 2024, a subsidiary of Alfa Corp entered into a loan agreement with Gamma Life Insurance Company for a $42.5 million non-recourse mortgage loan. The loan bears interest at a fixed rate of 6.10% per annum and matures on June 1, 2034.',
    { period_end: '2024-05-06' },
  )
  t.match(one, { commitment: 42.5e8, coupon_rate: 6.1, maturity: '2034-06-01' })
  t.end()
})

t.test('a report tells facilities in further words', t => {
  for (const [text, facilities] of [
    [
      'The Credit Agreement provides for $725.0 million of senior secured first lien term loans and a $195.0 million senior secured revolving credit facility. The maturity date for the term loans is April 23, 2031, and the maturity date for the revolving credit facility is April 23, 2029.',
      [
        ['term_loan', 725, '2031-04-23'],
        ['revolver', 195, '2029-04-23'],
      ],
    ],
    [
      'The Credit Agreement increases the Credit Facility to an aggregate principal amount of $450.0 million and includes an accordion feature of up to $300.0 million. The Credit Agreement also extends the maturity of the Credit Facility to January 23, 2029.',
      [['revolver', 450, '2029-01-23']],
    ],
    [
      'The Credit Agreement provides for separate loans of (i) a new $187.5 million unsecured term loan with Gamma Bank, N.A. (“Term Loan H”), and (i) a new $187.5 million unsecured term loan with Delta Bank, N.A. (“Term Loan I”). Each of the Term Loan H and the Term Loan I matures on January 25, 2028.',
      [
        ['term_loan', 187.5, '2028-01-25'],
        ['term_loan', 187.5, '2028-01-25'],
      ],
    ],
    [
      'Pursuant to the Credit Agreement, we have access to a $500 million LOC and a $300 million term loan.',
      [
        ['revolver', 500, null],
        ['term_loan', 300, null],
      ],
    ],
    [
      'The Credit Agreement provides for a revolving credit facility of up to $150 million that matures on May 6, 2029. The Credit Agreement allows us to request an increase in the commitment under the facilities of up to $250 million.',
      [['revolver', 150, '2029-05-06']],
    ],
  ] as const)
    t.strictSame(inMay(text), facilities, text)
  t.end()
})

t.test('an adjustment, the rates of a base rate and a first of two margins are no margin', t => {
  const bears = (rate: string) =>
    read(
      `${L}The Credit Agreement provides for a $500 million term loan that matures on May 6, 2029. Borrowings bear interest at ${rate}.`,
      { period_end: '2024-05-06' },
    )[0]?.spread_bps
  t.equal(bears('one-month SOFR, plus a 0.10% adjustment and a spread of 0.85%'), 85)
  t.equal(bears('SOFR plus 0.10% plus 1.40% to 1.95% per annum'), undefined)
  t.equal(bears('Term SOFR, or at a base rate that is the federal funds rate plus 0.50%'), undefined)
  t.end()
})

t.test('an extension that hangs on conditions is none yet', t => {
  const text = (will: string) =>
    `On May 6, 2024, Alfa Corp entered into the Fourth Amendment, which decreased its revolving credit facility from $600 million to $550 million and, subject to the satisfaction of certain conditions, ${will} the maturity of the revolving credit facility to September 11, 2027.`
  t.strictSame(said(text('will extend'), { period_end: '2024-05-06' }), [['revolver', 550, null]])
  t.end()
})
