import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { section } from './section.ts'

const read = (text: string, more = {}) =>
  creditFacilitiesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K', ...more })).filter(
    ({ rule }) => rule === 'facility_text',
  )
const said = (text: string, more = {}) =>
  read(text, more).map(f => [f.instrument_type, f.commitment, f.maturity, f.drawn ?? f.undrawn ?? null])

const BILLION = 100_000_000_000

t.test('a facility in a debt note has its commitment, maturity, security and what is drawn', t => {
  const [facility, ...others] = read(
    'In May 2022, we entered into a $2.0 billion five-year senior unsecured revolving credit facility with twelve banks (the “Five-Year Credit Agreement”), which matures on May 9, 2027. Borrowings bear interest at Term SOFR plus 1.125%. No amounts were outstanding under the facility at December 31, 2024 and 2023.',
  )
  t.match(facility, {
    name: 'Five-Year Credit Agreement due 2027',
    instrument_type: 'revolver',
    seniority: 'senior_unsecured',
    security_type: 'unsecured',
    commitment: 2 * BILLION,
    drawn: 0,
    currency: 'USD',
    rate_type: 'floating',
    benchmark: 'SOFR',
    spread_bps: 112.5,
    maturity: '2027-05-09',
    maturity_date: '2027-05-09',
    balance_date: '2024-12-31',
    rule: 'facility_text',
  })
  t.match(facility?.evidence, /^In May 2022, we entered into .* May 9, 2027\.$/)
  t.strictSame(others, [])
  t.end()
})

t.test('a rate floats where the text says so, not because facilities usually do', t => {
  const facility =
    'In May 2022, we entered into a $2.0 billion revolving credit facility, which matures on May 9, 2027.'
  t.equal(read(facility)[0]?.rate_type, undefined)
  t.equal(read(`${facility} Borrowings bear interest at a variable rate.`)[0]?.rate_type, 'floating')
  t.end()
})

t.test('the amount may follow the facility, and several facilities may be in one sentence', t => {
  t.strictSame(
    said(
      'We have a revolving credit agreement with various banks permitting aggregate borrowings of up to $5.0 billion. This agreement expires in August 2028. As of December 31, 2024, $1.2 billion was outstanding under this agreement.',
    ),
    [['revolver', 5 * BILLION, '2028-08', 1.2 * BILLION]],
  )
  t.strictSame(
    said(
      'We maintain a $1.25 billion, five-year unsecured back-up credit facility, which expires on July 24, 2026, a $1.25 billion, five-year unsecured back-up credit facility, which expires on July 1, 2027, and a $500 million 364-day credit facility expiring May 3, 2025.',
    ),
    [
      ['revolver', 1.25 * BILLION, '2026-07-24', null],
      ['revolver', 1.25 * BILLION, '2027-07-01', null],
      ['revolver', 0.5 * BILLION, '2025-05-03', null],
    ],
  )
  t.strictSame(
    said(
      'The Company had committed revolving credit facilities of $2.5 billion which is scheduled to expire in December 2028 and $500 million which is scheduled to expire in December 2025.',
    ),
    [
      ['revolver', 2.5 * BILLION, '2028-12', null],
      ['revolver', 0.5 * BILLION, '2025-12', null],
    ],
  )
  t.end()
})

t.test('an extension counts, and a tenor from the month of the agreement', t => {
  t.strictSame(
    said(
      'In July 2022 we entered into a new credit agreement (the “Credit Agreement”), which provides for a five-year revolving credit facility in an aggregate amount of $4.0 billion and replaced our then-existing credit facility. On July 21, 2024, we agreed to an amendment to extend the maturity date from July 8, 2027 to July 8, 2029.',
    ),
    [['revolver', 4 * BILLION, '2029-07-08', null]],
  )
  t.strictSame(
    said(
      'In March 2022, we entered into a credit agreement that provides for a $2 billion five-year credit facility.',
    ),
    [['revolver', 2 * BILLION, '2027-03', null]],
  )
  t.strictSame(
    said(
      'In March 2022, we entered into a $2 billion five-year revolving credit facility. In 2023, we amended and restated the facility.',
    ),
    [],
    'a tenor says nothing after an amendment',
  )
  t.end()
})

t.test('what ended, was replaced, is a part, is lent or has no maturity is no facility', t => {
  for (const text of [
    'The Company’s $2.0 billion revolving credit agreement scheduled to expire in September 2026 was terminated in August 2024.',
    'The new agreement replaced our prior $2.0 billion revolving credit facility due May 26, 2026.',
    'It replaced the Credit Agreement, which provided for a $3.0 billion revolving credit facility maturing in December 2026.',
    'The facility has a letter of credit sublimit of a $300 million credit facility maturing in May 2027.',
    'We provided the joint venture a $500 million senior secured credit facility maturing in May 2027.',
    'We have a $2.0 billion revolving credit facility.',
    'Our $1.0 billion term loan facility matured in May 2024.',
    'We entered into a $9.0 billion 364-day bridge credit agreement maturing in June 2025.',
  ])
    t.strictSame(said(text), [], text)
  t.end()
})

t.test('a range of margins and a base rate say nothing, and two amounts follow their days', t => {
  const terms = (text: string) =>
    read(`We have a $2.0 billion revolving credit facility maturing in May 2027. ${text}`).map(
      f => f.spread_bps ?? f.drawn ?? f.undrawn ?? null,
    )
  t.strictSame(terms('Interest is SOFR plus a margin ranging from 1.00% to 1.75%.'), [null])
  t.strictSame(terms('The base rate is the highest of prime and one-month LIBOR plus 1.00%.'), [null])
  t.strictSame(
    terms(
      'Base rate is the highest of (a) the federal funds rate plus 0.50%, (b) the prime rate, or (c) term SOFR plus 1.00%.',
    ),
    [null],
  )
  t.strictSame(
    terms('At December 31, 2024 and 2023, $100 million and $200 million was outstanding.'),
    [10_000_000_000],
  )
  t.strictSame(terms('At December 31, 2024, $400 million was available.'), [40_000_000_000])
  t.end()
})

t.test('what a facility was agreed as does not stand beside what it is at the day of the report', t => {
  t.strictSame(
    said(
      'At December 31, 2024, the senior credit facility consisted of a $1.675 billion revolving facility of which no amounts were drawn. In February 2023, the Company entered into a credit agreement comprised of a $1.5 billion unsecured revolving facility maturing in February 2028.',
    ),
    [['revolver', 1.675e11, null, 0]],
  )
  t.end()
})

t.test('a current report of an agreement states a facility, other items of it none', t => {
  const text =
    'On March 3, 2025, the Company entered into a $750 million revolving credit facility maturing on March 3, 2030.'
  const item = (title: string) =>
    said(text, { section_type: 'other', doc_type: '8-K', title, period_end: '2025-03-03' })
  t.strictSame(item('Item 1.01 Entry into a Material Definitive Agreement'), [
    ['revolver', 0.75 * BILLION, '2030-03-03', null],
  ])
  t.strictSame(item('Item 8.01 Other Events'), [])
  t.end()
})

t.test('a table of commitments states facilities where its rows add up', t => {
  const rows = read(`The Company's bank facilities at December 31, 2024 were as follows (in millions):

Committed Capacity | Capacity Used | Unused Capacity
Facility expiring March 2026 | $5,250 | $250 | $5,000
Facility expiring March 2029 | 4,000 | - | 4,000
Other facility expiring May 2028 | 900 | 100 | 700
Total | $10,150 | $350 | $9,700

In 2021 we entered into a $3.0 billion revolving credit facility maturing in March 2027.
`)
  t.strictSame(
    rows.map(r => [r.name, r.commitment! / BILLION, r.drawn! / BILLION, r.undrawn! / BILLION, r.maturity]),
    [
      ['Credit facility due March 2026', 5.25, 0.25, 5, '2026-03'],
      ['Credit facility due March 2029', 4, 0, 4, '2029-03'],
    ],
    'the table of the day goes before what was agreed once',
  )
  const letters = read(
    'At December 31, 2024 (in millions):\n\nFacility | Letters of Credit | Commercial Paper\nLimit | Outstanding | Outstanding | Availability\nUtility revolving credit facility | April 2028 | 3,000 | 33 | 1,019 | 1,948\n',
  )
  t.match(letters, [{ commitment: 3 * BILLION, drawn: undefined, undrawn: 1.948 * BILLION }])
  t.end()
})

t.test('what raises a facility, names it, or says when all of several fall due', t => {
  t.strictSame(
    said(
      'The amendment increased the unsecured revolving credit facility commitments from $4.0 billion to $5.0 billion and extended the maturity date of the facility from August 2024 to March 2028.',
    ),
    [['revolver', 5 * BILLION, '2028-03', null]],
  )
  t.strictSame(
    said(
      'We entered into a new five-year revolving credit agreement (Five-Year Credit Agreement) which expires on June 6, 2029. The Five-Year Credit Agreement enables us to borrow up to $3.7225 billion, subject to customary terms. We also entered into a 364-day revolving credit agreement (364-Day Credit Agreement) which expires on June 5, 2025.',
    ),
    [['revolver', 3.7225 * BILLION, '2029-06-06', null]],
  )
  t.strictSame(
    said(
      'At December 31, 2024, the credit facility consisted of a $238 million term loan A facility and a $1.25 billion revolving facility. Interest is variable. Both the term loan A facility and the revolving facility will mature in April 2028.',
    ).map(row => row.slice(0, 3)),
    [
      ['term_loan', 0.238 * BILLION, '2028-04'],
      ['revolver', 1.25 * BILLION, '2028-04'],
    ],
  )
  t.strictSame(
    said(
      'The Company amended and restated its existing $3.75 billion five-year revolving credit facility expiring in March 2026 to a $3.0 billion five-year revolving credit facility expiring in November 2029.',
    ),
    [['revolver', 3 * BILLION, '2029-11', null]],
  )
  t.strictSame(
    said(
      'In 2024, AWC had a revolving credit facility with $1,750 in aggregate total commitments with a termination date of June 2028.',
      { amounts_in: 'millions' },
    ),
    [['revolver', 1.75 * BILLION, '2028-06', null]],
    'the unit of the statements is that of a note that names none',
  )
  t.end()
})

t.test('each facility of a list has its own amount and day', t => {
  const inMillions = { amounts_in: 'millions' }
  t.strictSame(
    said(
      'We have $9,600 currently available under credit line agreements, of which $3,200 is a 364-day revolving credit facility expiring in October 2025, $3,300 expires in October 2027, and $3,100 expires in October 2029.',
      inMillions,
    ),
    [
      ['revolver', 3.2 * BILLION, '2025-10', null],
      ['revolver', 3.3 * BILLION, '2027-10', null],
      ['revolver', 3.1 * BILLION, '2029-10', null],
    ],
  )
  t.strictSame(
    read(
      'The facility is an $8.0 billion facility split between a $3.2 billion five-year facility and a $4.8 billion 364-day facility, which expire in October 2029 and October 2025, respectively.',
    ).map(({ name, commitment }) => [name, commitment]),
    [
      ['Five-Year Credit Facility due 2029', 3.2 * BILLION],
      ['364-Day Credit Facility due 2025', 4.8 * BILLION],
    ],
  )
  t.strictSame(
    said(
      'We have two $5.0 billion credit facilities that expire on May 4, 2025 and May 14, 2028, respectively.',
    ),
    [
      ['revolver', 5 * BILLION, '2025-05-04', null],
      ['revolver', 5 * BILLION, '2028-05-14', null],
    ],
  )
  t.strictSame(
    said(
      'In August 2024, it issued $1.4 billion of 4.375% senior notes and a $105 million term loan due in 2030 and 2027, respectively.',
    ),
    [],
    'notes are no facility',
  )
  t.strictSame(
    said(
      'The senior credit facility consisted of a $1.2 billion revolving credit facility, a $1.02 billion term loan A facility and a $1.70 billion term loan B facility. The revolving and term loan A facilities mature in December 2027. The term loan B facility matures in December 2029.',
    ),
    [
      ['revolver', 1.2 * BILLION, '2027-12', null],
      ['term_loan', 1.02 * BILLION, '2027-12', null],
      ['term_loan', 1.7 * BILLION, '2029-12', null],
    ],
  )
  t.end()
})

t.test(
  'a facility may be raised to an amount, be available under a name, and be available until a day',
  t => {
    t.strictSame(
      said(
        'In March 2024, lenders agreed to increase total commitments under its revolving credit facility to $1,750 from $1,250. The facility expires in June 2028.',
        { amounts_in: 'millions' },
      ),
      [['revolver', 1.75 * BILLION, '2028-06', null]],
    )
    t.strictSame(
      said(
        'As of December 31, 2024, we had $1.5 billion available under a revolving credit facility (the “Revolver”). The Revolver matures on August 24, 2028.',
      ),
      [['revolver', 1.5 * BILLION, '2028-08-24', null]],
    )
    t.strictSame(
      said(
        'We have a $1.0 billion secured revolving credit facility with a lender (the “Credit Facility”). The Credit Facility is available until October 2027.',
      ),
      [['revolver', BILLION, '2027-10', null]],
    )
    t.strictSame(
      said(
        'In 2022 we completed the renewal of the $800 million, three-year receivables securitization facility, which matures in July 2025.',
      ),
      [['revolver', 0.8 * BILLION, '2025-07', null]],
    )
    t.strictSame(
      said(
        'In January 2025, the Company entered into a $2.0 billion revolving credit facility that matures in January 2030.',
      ),
      [],
      'agreed after the day of the report',
    )
    t.end()
  },
)
