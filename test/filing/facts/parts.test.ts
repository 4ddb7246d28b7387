import t from 'tap'
import { clausesIn } from '../../../engine/filing/facts/clauses.ts'
import { withoutDeleted } from '../../../engine/filing/facts/deleted-text.ts'
import { flatten, sentenceAround } from '../../../engine/filing/facts/flat-text.ts'
import { instrumentMentioned, instrumentName } from '../../../engine/filing/facts/instrument-name.ts'
import { datesIn } from '../../../engine/filing/facts/spelled-dates.ts'
import { spelledNumber, thresholdsIn } from '../../../engine/filing/facts/thresholds.ts'

t.test('flattened text keeps every offset of its source', async t => {
  const text = 'a\u00a0\u201cb\u201d\n|\t\u2019\u2014'
  t.equal(flatten(text), 'a "b"   \'-')
  t.equal(flatten(text).length, text.length)
})

t.test('a sentence does not end at an abbreviation or a decimal', async t => {
  const text = 'First one. The Alfa Inc. Notes pay 4.50 to 1.00 under No. 4 of U.S. Law. Next one.'
  const [from, to] = sentenceAround(text, 40)
  t.equal(text.slice(from, to), 'The Alfa Inc. Notes pay 4.50 to 1.00 under No. 4 of U.S. Law.')
})

t.test('clauses are found by number, letter or standalone title, each with its article', async t => {
  const clauses = clausesIn(`ARTICLE VI
NEGATIVE COVENANTS

SECTION 6.01. Liens. The Borrower will not create Liens.

6.02 Fundamental
Changes. No merger.

(a) Maximum Leverage Ratio. Not above 4.00 to 1.00.

Limitation on Sales

The Issuer will not sell assets.
`)
  t.strictSame(
    clauses.map(c => [c.title, c.within, c.article]),
    [
      ['Liens', null, 'NEGATIVE COVENANTS'],
      ['Fundamental Changes', null, 'NEGATIVE COVENANTS'],
      ['Maximum Leverage Ratio', 'Fundamental Changes', 'NEGATIVE COVENANTS'],
      ['Limitation on Sales', null, 'NEGATIVE COVENANTS'],
    ],
  )
})

t.test('spelled-out numbers are read', async t => {
  t.strictSame(
    ['four and one-half', 'three', 'two and three quarters', 'five and seven-eighths', 'many'].map(
      spelledNumber,
    ),
    [4.5, 3, 2.75, null, null],
  )
})

t.test('ratios, percentages and amounts are read with their unit; years and counts are not', async t => {
  const read = (text: string) => thresholdsIn(text).map(x => [x.value, x.unit])
  t.strictSame(read('4.50 to 1.00, 65%, $1,500,000 and $2.5 billion'), [
    [4.5, 'ratio'],
    [0.65, 'percent'],
    [150_000_000, 'cents'],
    [250_000_000_000, 'cents'],
  ])
  t.strictSame(read('in 2024 to 1995, Section 4.50 to 1.15, 10 days'), [])
})

t.test('only existing dates are read', async t => {
  t.strictSame(
    datesIn('December 31, 2025; Feb. 30, 2025; 6/30/2024 and Sept 1 2026').map(d => d.date),
    ['2025-12-31', '2024-06-30', '2026-09-01'],
  )
})

t.test('text deleted by an amendment is blanked in place', async t => {
  const text =
    'by replacing "3.00 to 1.00" with "4.00 to 1.00"; Section 2 is deleted and replaced with "5.00 to 1.00"'
  const left = withoutDeleted(text)
  t.equal(left.length, text.length)
  t.notMatch(left, /3\.00/)
  t.match(left, /4\.00 to 1\.00.*5\.00 to 1\.00/)
})

t.test('an amendment is named after the agreement it amends', async t => {
  t.equal(
    instrumentName(
      'AMENDMENT NO. 3 TO CREDIT AGREEMENT, dated as of May 2, 2025. WHEREAS, reference is made to the Credit Agreement dated as of June 1, 2021',
    ),
    'Credit Agreement dated 2021-06-01',
  )
  t.equal(
    instrumentName('LOAN AND SECURITY AGREEMENT\n\nDated as of March 3, 2020'),
    'Loan and Security Agreement dated 2020-03-03',
  )
  t.equal(instrumentName('Minutes of a meeting'), null)
  t.equal(
    instrumentMentioned('Under the 2028 Senior Notes and the Credit Agreement we owe.'),
    'Credit Agreement',
  )
})
