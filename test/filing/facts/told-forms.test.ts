import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import type { InstrumentLine } from '../../../engine/filing/facts/instrument-line.ts'
import { section } from './section.ts'

const of = (text: string, more = {}) =>
  section(text, { section_type: 'debt_footnote', doc_type: '10-K', ...more })
const notes = (text: string, more = {}) =>
  debtLinesIn(of(text, more)).map(({ coupon_rate, rate_type, maturity, principal, currency }) => [
    coupon_rate ?? rate_type,
    maturity,
    (principal ?? 0) / 1e8,
    currency,
  ])
const paper = (text: string, more = {}) =>
  debtLinesIn(of(text, more)).map(({ name, carrying_amount }) => [name, (carrying_amount ?? 0) / 1e8])
const inMillions = (amount: number | null | undefined) => (amount == null ? null : amount / 1e8)
const facilities = (text: string, more = {}) =>
  creditFacilitiesIn(of(text, more))
    .filter(({ rule }) => rule === 'facility_text')
    .map(({ instrument_type, commitment, maturity, drawn, undrawn }: InstrumentLine) => [
      instrument_type,
      inMillions(commitment),
      maturity,
      inMillions(drawn ?? undrawn),
    ])

t.test('notes in any currency are read, with its mark, its code or its name', t => {
  t.strictSame(
    notes(
      'On May 7, 2024, we issued US$600 million principal amount of 5.10% notes that mature on May 15, 2034 and CAD 400 million principal amount of 4.65% notes that mature on May 15, 2031.',
    ),
    [
      [5.1, '2034-05-15', 600, 'USD'],
      [4.65, '2031-05-15', 400, 'CAD'],
    ],
  )
  t.strictSame(
    notes(
      'In June 2024, the Company issued 500 million euros aggregate principal amount of 3.50% bonds due June 2032.',
    ),
    [[3.5, '2032-06', 500, 'EUR']],
  )
  // Yen have no minor unit.
  t.strictSame(
    notes(
      'In 2023, the Company issued ¥60.0 billion of yen-denominated notes with an interest rate of 1.05% due in 2030.',
    ),
    [[1.05, '2030', 600, 'JPY']],
  )
  t.strictSame(
    notes('In June 2024, the Company issued a$500 million 3.50% note due June 2032, and b$9.'),
    [[3.5, '2032-06', 500, 'USD']],
    'a word that runs into a dollar sign is no currency',
  )
  t.end()
})

t.test('a text in millions may write billions out', t => {
  const words =
    'We have a $2.0 billion credit facility that matures in May 2028. As of December 31, 2024, we had $591.0 of commercial paper outstanding.'
  t.strictSame(paper(words, { amounts_in: 'millions' }), [['Commercial paper', 591]])
  t.strictSame(paper(`${words} We paid $3 million.`, { amounts_in: 'millions' }), [])
  t.strictSame(
    facilities(
      `Principal payments (in millions):

2025 | $1,200
Total | $14,862

Credit Facility

We have a $2.0 billion revolving credit facility that matures in May 2028.`,
    ),
    [['revolver', 2000, '2028-05', null]],
    'the total of a table is no amount of the heading below it',
  )
  t.end()
})

t.test('a facility is read however a text says what it commits', t => {
  for (const [text, ...want] of [
    [
      'In April 2023, we amended our revolving credit facility to increase our borrowing capacity thereunder to $850 million and extend its maturity to April 4, 2028.',
      ['revolver', 850, '2028-04-04', null],
    ],
    [
      'Borrowing capacity under our unsecured revolving line of credit is $400 million, and the line expires on March 31, 2026.',
      ['revolver', 400, '2026-03-31', null],
    ],
    [
      'We have the ability to borrow up to $2.25 billion under our unsecured revolving credit facility, which expires in January 2028.',
      ['revolver', 2250, '2028-01', null],
    ],
    [
      'The maximum availability under the ABL Facility is $700 million, and the ABL Facility matures in August 2027. At December 31, 2024, borrowings under the ABL Facility were $120 million.',
      ['revolver', 700, '2027-08', 120],
    ],
    [
      'The Company maintains a $500 million multicurrency revolving credit facility that was renewed in November 2023 for a term of five years.',
      ['revolver', 500, '2028-11', null],
    ],
    [
      'The credit facility, which had $1.1 billion of total commitments as of December 31, 2024, expires in October 2027.',
      ['revolver', 1100, '2027-10', null],
    ],
    [
      'On August 1, 2024, the Partnership entered into an agreement for a new unsecured facility for $850.0 million for a five-year term.',
      ['revolver', 850, '2029-08', null],
    ],
    [
      'Our revolving credit facility provides $2.5 billion of borrowing capacity through June 2029.',
      ['revolver', 2500, '2029-06', null],
    ],
    [
      'A subsidiary has a construction loan facility of up to $180 million, of which $95 million was drawn as of December 31, 2024; it matures in May 2028.',
      ['term_loan', 180, '2028-05', 95],
    ],
    [
      'The Revolving Facility has a capacity of $1.0 billion and matures on July 20, 2029. As of December 31, 2024, we had $975 million of available capacity, net of $25 million of letters of credit.',
      ['revolver', 1000, '2029-07-20', 975],
    ],
    [
      'We have $3.0 billion in committed revolving credit facilities, consisting of a $1.0 billion facility that matures in 2026 and a $2.0 billion facility that matures in 2029.',
      ['revolver', 1000, '2026', null],
      ['revolver', 2000, '2029', null],
    ],
    [
      'As of December 31, 2024, the Company had total revolving commitments of $300.0 million and a delayed draw term loan commitment of $150.0 million, each with a maturity date of March 31, 2027.',
      ['revolver', 300, '2027-03-31', null],
      ['term_loan', 150, '2027-03-31', null],
    ],
  ] as const)
    t.strictSame(facilities(text), want, text)
  t.end()
})

t.test(
  'what is left of a facility, may be added to it or is drawn under another is no commitment or drawing',
  t => {
    t.strictSame(
      facilities(
        'Available borrowing capacity under our revolving credit facility is $400 million, and it expires in March 2026.',
      ),
      [],
    )
    t.strictSame(
      facilities(
        'We may amend our revolving credit facility to increase our borrowing capacity thereunder to $850 million until April 4, 2028.',
      ),
      [],
    )
    t.strictSame(
      facilities(
        'We have a $600 million revolving credit facility that matures in July 2028. The unamortized balance of fees of the facility at December 31, 2024 was $3 million. As of December 31, 2024, outstanding borrowings under the Beta Financing Facility were $90 million.',
      ),
      [['revolver', 600, '2028-07', null]],
    )
    t.end()
  },
)

t.test('notes are read by their tenor, with their amount behind their name, or as what is outstanding', t => {
  for (const [text, ...want] of [
    [
      'In May 2024, we issued $700 million of five-year senior notes at a fixed rate of 4.85%.',
      [4.85, '2029-05', 700, 'USD'],
    ],
    [
      'In May 2024, we issued $300 of 3-year notes at a fixed coupon rate of 4.10% and $500 of 10-year notes at a fixed coupon rate of 4.60%.',
      [4.1, '2027-05', 300, 'USD'],
      [4.6, '2034-05', 500, 'USD'],
    ],
    [
      'Our 3.30% Senior Notes, with a principal amount of $400 million, were issued in September 2017 and are due in September 2027.',
      [3.3, '2027-09', 400, 'USD'],
    ],
    [
      'During 2023, we issued senior notes with an aggregate principal amount of $1.0 billion that bear interest at 4.75% and mature in April 2033.',
      [4.75, '2033-04', 1000, 'USD'],
    ],
    [
      'During the third quarter, we issued floating rate notes due 2027 with a principal of $350 million at Compounded SOFR plus 0.70% and 4.65% notes due 2029 with a principal of $650 million.',
      ['floating', '2027', 350, 'USD'],
      [4.65, '2029', 650, 'USD'],
    ],
    [
      'At December 31, 2024, $400 million in aggregate principal amount of our 5.75% senior notes due in 2030 was outstanding.',
      [5.75, '2030', 400, 'USD'],
    ],
    [
      'The Company has $125 million of 4.00% convertible senior notes outstanding, which mature on May 15, 2027.',
      [4, '2027-05-15', 125, 'USD'],
    ],
    [
      'In March 2024, Alfa Air issued $850 million of Pass-Through Certificates, Series 2024-1, with a fixed interest rate of 4.90% due in September 2036.',
      [4.9, '2036-09', 850, 'USD'],
    ],
  ] as const)
    t.strictSame(notes(text, { amounts_in: text.includes('million') ? null : 'millions' }), want, text)
  for (const text of [
    'We issued $700 million of five-year senior notes at a fixed rate of 4.85%.',
    'In May 2024 and on June 3, 2024, we issued $700 million of five-year senior notes at a fixed rate of 4.85%.',
    'At December 31, 2023, $400 million in aggregate principal amount of our 5.75% senior notes due in 2030 was outstanding.',
  ])
    t.strictSame(notes(text), [], text)
  t.end()
})

t.test('commercial paper is read with its program, and lines with what is undrawn alone', t => {
  for (const text of [
    'At December 31, 2024, there was $640 million outstanding under our commercial paper program at a weighted average rate of 4.6%.',
    'Our outstanding commercial paper balance was $640 million as of December 31, 2024.',
    'The Company issues commercial paper from time to time and had $640 million and $310 million outstanding at December 31, 2024 and 2023, respectively.',
    'Borrowings under the commercial paper program were $640 million at December 31, 2024.',
  ])
    t.strictSame(paper(text), [['Commercial paper', 640]], text)
  const undrawn = (text: string, more = {}) =>
    creditFacilitiesIn(of(text, more)).map(({ name, undrawn }) => [name, inMillions(undrawn)])
  const lines = 'We had undrawn short-term committed lines of credit of $545 million'
  t.strictSame(undrawn(`${lines} as of the fourth quarter of 2024.`, { section_type: 'notes' }), [
    ['Undrawn short-term committed lines of credit', 545],
  ])
  t.strictSame(undrawn(`${lines} as of the third quarter of 2024.`), [], 'of another day')
  t.end()
})

t.test('a report without a note on debt may tell its debt in the discussion of liquidity', t => {
  const text =
    'In May 2024, we issued $700 million of 4.85% senior notes due May 2029. Commercial paper outstanding was $90 million at December 31, 2024. Our $3.0 billion revolving credit agreement expiring in August 2028 remains in effect.'
  const more = { section_type: 'mda_liquidity', has_debt_note: false, has_told_facilities: false }
  t.strictSame(notes(text, more), [
    [4.85, '2029-05', 700, 'USD'],
    [undefined, undefined, 0, 'USD'],
  ])
  t.strictSame(facilities(text, more), [['revolver', 3000, '2028-08', null]])
  t.strictSame(notes(text, { ...more, has_debt_note: true, has_told_facilities: true }), [])
  t.strictSame(facilities(text, { ...more, has_debt_note: true, has_told_facilities: true }), [])
  t.end()
})

t.test('a table of notes may write units in its cells, or state face and carrying amounts of one day', t => {
  t.strictSame(
    notes(`The Notes consist of:

Series | Principal amount | Interest rate | Maturity
2027 Notes | $600 million | 3.750% | April 15, 2027
2032 Notes | €400 million | 4.125% | April 15, 2032
`),
    [
      [3.75, '2027-04-15', 600, 'USD'],
      [4.125, '2032-04-15', 400, 'EUR'],
    ],
  )
  t.strictSame(
    debtLinesIn(
      of(`The following table summarizes our outstanding notes (in millions):

Issue date | Maturity date | Coupon | Principal | Carrying value at December 31, 2024
May 2019 | May 15, 2029 | 3.50% | $500 | $497
June 2021 | June 1, 2031 | 2.25% | 750 | 744
Total | $1,250 | $1,241
`),
    ).map(({ name, principal, carrying_amount }) => [
      name,
      inMillions(principal),
      inMillions(carrying_amount),
    ]),
    [
      ['3.5% notes due May 15, 2029', 500, 497],
      ['2.25% notes due June 1, 2031', 750, 744],
    ],
  )
  t.end()
})

t.test('a heading or the words above a table say what its rows are', t => {
  const names = (text: string) => debtLinesIn(of(text)).map(({ name }) => name)
  t.strictSame(
    names(`At December 31, 2024 (in millions):

Maturity | Interest Rate | Par Value
Senior unsecured notes due:
September 2026 | 1.25% | $750
September 2031 | 2.10% | 900
`),
    ['1.25% senior unsecured notes due September 2026', '2.1% senior unsecured notes due September 2031'],
  )
  t.end()
})

t.test('notes that others issued to the company, or that it redeemed since, are none of its own', t => {
  for (const text of [
    'The customer issued us $90 million of 8% promissory notes due 2027 in exchange for receivables.',
    'In March 2023, we issued 5.0% notes due 2033 with a principal amount of $500 million, all of which we redeemed in December 2024.',
  ])
    t.strictSame(notes(text), [], text)
  t.end()
})
