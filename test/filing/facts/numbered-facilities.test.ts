import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { floorIn } from '../../../engine/filing/facts/floors.ts'
import { section } from './section.ts'

const note = (text: string) =>
  creditFacilitiesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K' }))
const item = (text: string) =>
  creditFacilitiesIn(
    section(text, {
      section_type: 'other',
      doc_type: '8-K',
      title: 'Item 1.01. Entry into a Material Definitive Agreement.',
      period_end: '2025-03-07',
    }),
  )
const said = (rows: ReturnType<typeof creditFacilitiesIn>) =>
  rows.map(r => [r.name, r.instrument_type, (r.commitment ?? 0) / 1e8, r.maturity])

const agreement = `On March 7, 2025, Alfa Corp (the “Company”) entered into a Third Amended and Restated Credit Agreement (the “Credit Agreement”) with Beta Bank, N.A., as administrative agent. The Credit Agreement amends and restates the Company’s Second Amended and Restated Credit Agreement, dated as of November 19, 2021, in its entirety and provides for aggregate commitments of $2.25 billion, consisting of: (i) a $750.0 million senior secured revolving credit facility (the “Revolving Credit Facility”), maturing on March 7, 2030; (ii) a $400.0 million senior secured term loan A facility (the “Term Loan A Facility”), maturing on March 7, 2030; and (iii) a $1.1 billion senior secured term loan B facility (the “Term Loan B Facility”), maturing on March 7, 2032.

Borrowings under the Term Loan B Facility bear interest at Term SOFR (subject to a 0.50% floor) plus 2.75% per annum. Borrowings under the Revolving Credit Facility and the Term Loan A Facility bear interest at Term SOFR plus 2.25% per annum.`

t.test('each facility of a numbered list is a row with its own day, margin and floor', t => {
  const rows = item(agreement)
  t.strictSame(said(rows), [
    ['Revolving Credit Facility due 2030', 'revolver', 750, '2030-03-07'],
    ['Term Loan A Facility due 2030', 'term_loan', 400, '2030-03-07'],
    ['Term Loan B Facility due 2032', 'term_loan', 1100, '2032-03-07'],
  ])
  t.strictSame(
    rows.map(r => [r.spread_bps, r.floor_bps ?? null]),
    [
      [225, null],
      [225, null],
      [275, 50],
    ],
  )
  t.strictSame(
    item(agreement.replace('entered into', 'announced that it may seek')),
    [],
    'an agreement that nobody entered into is none',
  )
  t.end()
})

t.test(
  'a later sentence may say when the facilities of a list fall due, and two of one amount are two',
  t => {
    const rows = note(
      `The Amended Credit Agreement provides for senior secured credit facilities in the aggregate principal amount of $2.725 billion comprised of (i) the Company's $525.0 million term loan B facility, (ii) the Company's $400.0 million term A-1 facility, (iii) the Company's $300.0 million delayed draw term A-3 facility, (iv) the Company's $300.0 million incremental delayed draw term A-4 facility and (v) the Company's $1.2 billion five-year revolving loan facility (up to $150.0 million of which is available for a letter of credit subfacility). The revolving credit facility, term A-1 facility, term A-3 facility and term A-4 facility mature on December 9, 2026. The term loan B facility matures on December 18, 2025.`,
    )
    t.strictSame(said(rows).toSorted(), [
      ['Delayed Draw Term A-3 Facility due 2026', 'term_loan', 300, '2026-12-09'],
      ['Five-Year Revolving Credit Facility due 2026', 'revolver', 1200, '2026-12-09'],
      ['Incremental Delayed Draw Term A-4 Facility due 2026', 'term_loan', 300, '2026-12-09'],
      ['Term A-1 Facility due 2026', 'term_loan', 400, '2026-12-09'],
      ['Term Loan B due 2025', 'term_loan', 525, '2025-12-18'],
    ])
    t.end()
  },
)

t.test('what an amendment adds and raises is what it is then; those of a prior agreement have ended', t => {
  const rows = item(
    `On March 5, 2025, Alfa Corp entered into a Second Amendment to its Credit Agreement. Pursuant to the Second Amendment, the lenders agreed to provide (i) a delayed draw incremental term loan facility in an aggregate principal amount of up to $840 million, available to be drawn for the acquisition, and (ii) an increase in the revolving commitments to an aggregate of $1,570 million. The incremental term loans and the revolving commitments mature on March 28, 2027.`,
  )
  t.strictSame(said(rows), [
    ['Delayed Draw Incremental Term Loan Facility due 2027', 'term_loan', 840, '2027-03-28'],
    ['Revolving Credit Facility due 2027', 'revolver', 1570, '2027-03-28'],
  ])
  const list = (words: string) =>
    note(
      `${words} (i) a $500.0 million revolving credit facility maturing on March 1, 2029 and (ii) a $250.0 million term loan facility maturing on March 1, 2030.`,
    ).map(({ rule }) => rule)
  t.strictSame(list('Our credit agreement provides for'), ['facility_text', 'facility_text'])
  t.strictSame(list('We repaid and terminated our prior credit agreement, which consisted of'), [
    'facility_ended',
    'facility_ended',
  ])
  t.end()
})

t.test('two facilities of one amount, of which the company also has the second, are two', t => {
  const rows = note(
    `The Company has a $710.0 million five-year credit facility that matures in April 2029. The Company also has a $710.0 million five-year credit facility that matures in April 2027. There were no borrowings under the credit facilities at December 31, 2024.`,
  )
  t.strictSame(
    rows.map(r => [r.commitment, r.maturity, r.drawn]),
    [
      [710e8, '2029-04', 0],
      [710e8, '2027-04', 0],
    ],
  )
  t.end()
})

t.test('one floor of the reference is read, and none where there are two or it is of a base rate', t => {
  const floor = (text: string) => floorIn(text).floor_bps
  t.equal(floor('Term SOFR plus 3.75% per annum, subject to a SOFR floor of 0.75%'), 75)
  t.equal(floor('SOFR (but not less than 0.75% per annum) plus a margin of 3.75%'), 75)
  t.equal(floor('SOFR plus 5.25% (with a floor of 1.00%)'), 100)
  t.equal(floor('EURIBOR plus 3.00%, with a EURIBOR floor of zero'), 0)
  t.equal(floor('a SOFR floor of 0.50% and a EURIBOR floor of 0.00%'), undefined)
  t.equal(floor('the base rate, with a base rate floor of 1.50%'), undefined)
  t.end()
})

t.test('loans and commitments are facilities by the names that the text gives them', t => {
  const rows = note(
    `On April 21, 2022, Alfa entered into a Term Loan Credit and Guaranty Agreement initially providing term loans (the “Term Loan Facility”) in an aggregate amount of $5.0 billion and revolving loan commitments of $1.75 billion (the “Revolving Credit Facility”).

The principal amount of the Term Loan Facility must be repaid in quarterly installments with any balance due on April 21, 2029. The Revolving Credit Facility expires April 21, 2026.`,
  )
  t.strictSame(said(rows).toSorted(), [
    ['Revolving Credit Facility due 2026', 'revolver', 1750, '2026-04-21'],
    ['Term Loan Facility due 2029', 'term_loan', 5000, '2029-04-21'],
  ])
  t.end()
})

t.test('the rank of a list is that of its facilities', t => {
  const ranks = (kind: string) =>
    note(
      `Our agreement provides for ${kind} credit facilities comprised of (i) a $500.0 million revolving credit facility maturing on March 1, 2029 and (ii) a $250.0 million term loan facility maturing on March 1, 2030.`,
    ).map(r => r.seniority)
  t.strictSame(ranks('senior secured'), ['senior_secured', 'senior_secured'])
  t.strictSame(ranks('senior unsecured'), ['senior_unsecured', 'senior_unsecured'])
  t.strictSame(ranks('committed'), [undefined, undefined])
  t.end()
})

t.test('what is left under a facility is the amount available that the text names', t => {
  const left = (text: string) =>
    note(
      `Alfa maintains a $1.50 billion revolving credit facility (the “Alfa Credit Facility”), which matures in April 2029. ${text}`,
    ).map(r => [r.drawn ?? null, r.undrawn ?? null])
  const owed = 'As of December 31, 2024, the Alfa Credit Facility had $900 million of outstanding borrowings.'
  t.strictSame(
    left(`${owed} The amount available for future borrowings was $593 million at December 31, 2024.`),
    [[900e8, 593e8]],
  )
  t.strictSame(left(`${owed} The amount available for future borrowings was $593 million.`), [[900e8, 593e8]])
  t.strictSame(
    left(
      'As of December 31, 2024, Alfa had availability of $593.0 million under the revolving credit facility, taking into account amounts borrowed, ancillary facilities of $50.1 million and letters of credit issued of $4.0 million.',
    ),
    [[null, 593e8]],
  )
  t.strictSame(
    left('The amount available for future borrowings was $593 million.'),
    [[null, null]],
    'of no day',
  )
  t.strictSame(
    left('As of December 31, 2024, Alfa was in compliance. The amount available may be $593 million.'),
    [[null, null]],
  )
  t.end()
})

t.test('what is said of credit facilities is not said of a conduit', t => {
  const rows = note(
    `The Company has a $710.0 million five-year credit facility that matures in April 2029. There were no borrowings under the Global Credit Facilities at December 31, 2024.

In November 2024, the Company renewed its $1.50 billion revolving facility agreement with banks and their asset-backed commercial paper conduits, which has an expiration date of November 20, 2025.`,
  )
  t.strictSame(
    rows.map(r => [(r.commitment ?? 0) / 1e8, r.drawn ?? null]),
    [
      [710, 0],
      [1500, null],
    ],
  )
  t.end()
})

t.test('a facility that ends unless it is extended was not extended', t => {
  const rows = note(
    `The Company has a $710.0 million five-year credit facility that matures in April 2029.

The conduit agreed to purchase receivables for proceeds up to C$125.0 million. Unless earlier terminated or extended by mutual agreement, as of December 31, 2024, the conduit had an expiration date of June 28, 2025.`,
  )
  t.strictSame(
    rows.map(r => r.maturity),
    ['2029-04'],
  )
  t.end()
})
