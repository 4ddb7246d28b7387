import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const of = (text: string) => section(text, { section_type: 'debt_footnote', doc_type: '10-K' })
const millions = (amount: number | null | undefined) => (amount == null ? null : amount / 1e8)
const notes = (text: string) =>
  debtLinesIn(of(text)).map(row => [
    row.coupon_rate ?? row.rate_type,
    row.maturity,
    millions(row.principal),
    row.currency,
  ])
const facilities = (text: string) =>
  creditFacilitiesIn(of(text))
    .filter(({ rule }) => rule === 'facility_text')
    .map(row => [row.instrument_type, millions(row.commitment), row.maturity])

t.test('facilities of one sentence keep their own days, kinds and borrowers', t => {
  for (const [text, ...want] of [
    [
      'Note 7 - Debt\n\nThe Company is party to a $650.0 million secured asset-based revolving credit facility and a $1.1 billion secured term loan facility, which mature in October 2026 and October 2028, respectively.',
      ['revolver', 650, '2026-10'],
      ['term_loan', 1100, '2028-10'],
    ],
    [
      'The Bank Credit Facility consists of a revolver with a limit of $300 million due August 2027 and a Term Loan A with an original balance of $200 million due August 2027.',
      ['revolver', 300, '2027-08'],
      ['term_loan', 200, '2027-08'],
    ],
    [
      'We maintain a receivables purchase facility with a maximum capacity of $250 million that terminates on June 20, 2026.',
      ['revolver', 250, '2026-06-20'],
    ],
    [
      'On September 12, 2024, the Company entered into a Term Loan Agreement with a syndicate of banks under which it borrowed $900 million maturing on September 12, 2027.',
      ['term_loan', 900, '2027-09-12'],
    ],
    [
      'The term loan of $350 million bears interest at SOFR plus 1.25% and is due in November 2028.',
      ['term_loan', 350, '2028-11'],
    ],
    [
      'Our revolver has $450 million in aggregate commitments and a maturity date of May 5, 2028.',
      ['revolver', 450, '2028-05-05'],
    ],
    [
      'In May 2023, we refinanced our revolving credit facility with a new five-year $1.75 billion revolving credit facility.',
      ['revolver', 1750, '2028-05'],
    ],
    [
      'In February 2024, Alfa drew $300 million under a new 18-month term loan due August 2025.',
      ['term_loan', 300, '2025-08'],
    ],
    [
      'The Company has two term loans outstanding totaling $600 million: $250 million due March 2026 and $350 million due March 2028.',
      ['term_loan', 250, '2026-03'],
      ['term_loan', 350, '2028-03'],
    ],
    [
      'On August 8, 2024, we exercised our option to increase our revolving credit facility by $250 million to $1.5 billion; it matures in August 2028.',
      ['revolver', 1500, '2028-08'],
    ],
    [
      'We amended the facility on May 1, 2024 to reduce the commitments from $900 million to $600 million and to extend the maturity of the revolving credit facility to May 1, 2029.',
      ['revolver', 600, '2029-05-01'],
    ],
    [
      'We entered into a 364-day credit agreement for $1.25 billion on November 14, 2024, which expires on November 13, 2025.',
      ['revolver', 1250, '2025-11-13'],
    ],
  ] as const)
    t.strictSame(facilities(text), want, text)
  for (const text of [
    'We repaid the existing $2.0 billion term loan due May 2025 and borrowed $2.0 billion under a new term loan due May 2028.',
    'We drew $300 million under a revolving credit facility due August 2028.',
    'We may increase our revolving credit facility by $250 million to $1.5 billion; it matures in August 2028.',
  ])
    t.strictSame(facilities(text), [], text)
  // Of two days it is not known which is the facility's.
  t.strictSame(
    facilities('Our $650 million credit facility and another of our lines expire in May 2026 and May 2028.'),
    [],
  )
  t.strictSame(
    facilities('We paid the remaining balance of the term loan of $319 million, due in May 2028.'),
    [],
  )
  t.end()
})

t.test('notes that a company has, that its notes consist of, or that are in tranches are read', t => {
  for (const [text, ...want] of [
    [
      'The Company has $500.0 million of Senior Notes that mature on July 15, 2028 and bear interest at 5.875%.',
      [5.875, '2028-07-15', 500, 'USD'],
    ],
    [
      'Our senior notes consist of $400 million at 3.95% maturing in 2027 and $500 million at 4.45% maturing in 2032.',
      [3.95, '2027', 400, 'USD'],
      [4.45, '2032', 500, 'USD'],
    ],
    [
      'In August 2024, Alfa issued two tranches of green bonds, a €500 million tranche with a coupon of 3.375% due 2029 and a €700 million tranche with a coupon of 3.75% due 2034.',
      [3.375, '2029', 500, 'EUR'],
      [3.75, '2034', 700, 'EUR'],
    ],
    [
      'The 5.50% Senior Notes due 2030 were issued in September 2022 in an aggregate principal amount of $600 million.',
      [5.5, '2030', 600, 'USD'],
    ],
    [
      'The Company privately placed $100 million of 4.65% unsecured senior notes with insurance companies in October 2023; the notes mature in October 2033.',
      [4.65, '2033-10', 100, 'USD'],
    ],
    [
      'Debt includes $275 million of 7.125% debentures due 2027 and $150 million of 8.00% notes due 2032.',
      [7.125, '2027', 275, 'USD'],
      [8, '2032', 150, 'USD'],
    ],
  ] as const)
    t.strictSame(notes(text), want, text)
  for (const text of [
    'At December 31, 2023, the Company had $500 million of Senior Notes that mature on July 15, 2028 and bear interest at 5.875%.',
    'The joint venture has $500 million of Senior Notes that mature on July 15, 2028 and bear interest at 5.875%.',
  ])
    t.strictSame(notes(text), [], text)
  t.end()
})

t.test('commercial paper at the end of a year is that of its last day', t => {
  const paper = (text: string) => debtLinesIn(of(text)).map(row => millions(row.carrying_amount))
  t.strictSame(paper('We had $0.7 billion in commercial paper outstanding at year-end 2024.'), [700])
  t.strictSame(paper('We had $0.7 billion in commercial paper outstanding at year-end 2023.'), [])
  t.end()
})

t.test('a line called Senior Notes or Term Loan A has the terms that the text states of that name', t => {
  const rows = (words: string, name = 'Senior Notes') =>
    debtLinesIn(
      of(`Debt (in millions):

December 31, | 2024 | 2023
Term Loan A | $480 | $500
${name} | 600 | 600
Total debt | $1,080 | $1,100

${words}
`),
    ).map(({ name, coupon_rate, maturity, carrying_amount }) => [
      name,
      coupon_rate ?? null,
      maturity ?? null,
      millions(carrying_amount),
    ])
  const words =
    'The Senior Notes bear interest at 5.75% and mature on May 1, 2030. Term Loan A matures in March 2027.'
  t.strictSame(rows(words), [
    ['Term Loan A', null, '2027-03', 480],
    ['5.75% Senior Notes due May 1, 2030', 5.75, '2030-05-01', 600],
  ])
  t.strictSame(
    rows(`${words} The Senior Notes will mature on May 1, 2031.`)[1],
    ['Senior Notes', null, null, 600],
    'two days are none',
  )
  t.strictSame(rows(words, 'Senior Secured Notes')[1], ['Senior Secured Notes', null, null, 600])
  t.end()
})
