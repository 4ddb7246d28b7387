import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { section } from './section.ts'

const BILLION = 100_000_000_000
const read = (text: string) =>
  creditFacilitiesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K' }))
const said = (text: string) => read(text).map(row => [row.commitment, row.maturity])

t.test('a commitment that was changed is what it was changed to', t => {
  const cases: readonly (readonly [string, number, string])[] = [
    [
      'In July 2024, we completed the renewal of our 364-day credit facility, which was reduced from $3.5 billion to $2.0 billion, extending the maturity from July 2024 to July 2025.',
      2,
      '2025-07',
    ],
    [
      'In March 2023, we renewed and reduced the total borrowing capacity of our five-year, $11.2 billion facility to $10.0 billion, which now matures March 31, 2028.',
      10,
      '2028-03-31',
    ],
    [
      'In September 2024, we amended our $8.0 billion credit facility to increase the availability to $9.0 billion and extend the maturity to September 2028.',
      9,
      '2028-09',
    ],
    [
      'On June 17, 2024, the Company amended its unsecured revolving credit facility (the "Revolving Credit Agreement") to, among other things, extend the maturity date from March 29, 2026 to June 17, 2028 and to increase the size of the facility from $750 million to $1 billion.',
      1,
      '2028-06-17',
    ],
    [
      'In July 2022, the Company entered into a $500 million unsecured revolving credit facility. On March 29, 2024, the agreement was amended to extend the maturity date from July 27, 2027 to March 29, 2029 and to increase the size of the credit facility to $750 million.',
      0.75,
      '2029-03-29',
    ],
  ]
  for (const [text, billions, maturity] of cases)
    t.strictSame(said(text), [[billions * BILLION, maturity]], text)
  t.end()
})

t.test(
  'a change that may be asked for changes nothing, and one by an amount without the total leaves the facility out',
  t => {
    const facility = 'We have a $2.0 billion revolving credit facility maturing in May 2027.'
    t.strictSame(said(`${facility} We may increase the size of the facility to $3.0 billion.`), [
      [2 * BILLION, '2027-05'],
    ])
    t.strictSame(
      said(`${facility} In 2024 the agreement was amended to increase the commitments by $500 million.`),
      [],
    )
    t.end()
  },
)

t.test('facilities in other currencies have their own, in its minor units', t => {
  const rows = (text: string) => read(text).map(row => [row.commitment, row.currency])
  t.strictSame(
    rows('We have a 90 billion Japanese yen revolving credit facility that matures in February 2027.'),
    [[90_000_000_000, 'JPY']],
  )
  t.strictSame(
    rows(
      'In 2022, we entered into a credit agreement, which provides for an unsecured revolving credit facility of ¥60.0 billion. In September 2024, the agreement was modified to increase the borrowing capacity by ¥30.0 billion for a total borrowing capacity of ¥90.0 billion. The facility matures in February 2027.',
    ),
    [[90_000_000_000, 'JPY']],
  )
  t.strictSame(
    rows(
      'The company has a €500 million revolving credit facility maturing June 2028, and a C$1.0 billion credit facility that expires in March 2026.',
    ),
    [
      [0.5 * BILLION, 'EUR'],
      [BILLION, 'CAD'],
    ],
  )
  t.strictSame(
    rows(
      'In November 2024, we entered into a credit facility expiring in November 2025 in the amount of 150 million euros.',
    ),
    [[0.15 * BILLION, 'EUR']],
  )
  t.end()
})

t.test('each of several facilities of one sentence has its tenor, amount and day', t => {
  const names = (text: string) => read(text).map(row => [row.name, row.commitment, row.maturity])
  t.strictSame(
    names(
      'The Company entered into three- and five-year syndicated facility agreements that each provide a revolving credit facility of $1.9 billion. The facilities are unsecured, maturing on April 2025 and April 2027, respectively.',
    ),
    [
      ['Three-Year Revolving Credit Facility due 2025', 1.9 * BILLION, '2025-04'],
      ['Five-Year Revolving Credit Facility due 2027', 1.9 * BILLION, '2027-04'],
    ],
  )
  t.strictSame(
    said(
      'The legacy three-year revolving credit agreement expiring in August 2025, which consists of $3.0 billion of total commitments, and the legacy five-year revolving credit agreement expiring in October 2026, as amended, which consists of $3.2 billion of total commitments, each remain in effect.',
    ),
    [
      [3 * BILLION, '2025-08'],
      [3.2 * BILLION, '2026-10'],
    ],
  )
  t.strictSame(
    said(
      'The Company maintains a $1.0 billion , five -year unsecured back-up credit facility, which expires on May 23, 2028, and a $1.25 billion , five -year unsecured back-up credit facility, which expires on July 24, 2029.',
    ),
    [
      [BILLION, '2028-05-23'],
      [1.25 * BILLION, '2029-07-24'],
    ],
  )
  t.end()
})

t.test('a maturity is none that was, nor a bound of extensions, and may be a year', t => {
  const due = (text: string) =>
    said(`We have a committed $8 billion revolving credit facility. ${text}`).map(([, day]) => day)
  t.strictSame(
    due(
      'The facility, which previously was set to expire on November 10, 2027, was extended and now expires on November 8, 2028.',
    ),
    ['2028-11-08'],
  )
  t.strictSame(
    due(
      'The facility matures on August 16, 2026, with an option to extend, provided that in no event shall it extend beyond August 16, 2028.',
    ),
    ['2026-08-16'],
  )
  t.strictSame(due('The facility expires in 2028.'), ['2028'])
  t.strictSame(due('The lines expire in 2028 and 2029.'), [])
  t.end()
})

t.test('what a facility may be raised to is no facility, and what is lent goes before the most of it', t => {
  t.strictSame(
    said(
      'We have an $800.0 million unsecured revolving credit facility with various banks ("Credit Facility") that will mature on October 7, 2028. The Credit Facility contains an uncommitted accordion feature under which its aggregate principal amount of available loans can be increased to a maximum of $1.00 billion under certain conditions.',
    ),
    [[0.8 * BILLION, '2028-10-07']],
  )
  const most = (rest: string) =>
    said(
      `Revolving Credit Facility\n\nThe Company's Fifth Amended and Restated Credit Agreement provides a maximum loan amount of $2.5 billion, ${rest}and a maturity date of December 10, 2029.`,
    )
  t.strictSame(most('current aggregate lender commitments of $1.5 billion, '), [
    [1.5 * BILLION, '2029-12-10'],
  ])
  t.strictSame(most(''), [[2.5 * BILLION, '2029-12-10']], 'the most where no commitments are stated')
  t.end()
})
