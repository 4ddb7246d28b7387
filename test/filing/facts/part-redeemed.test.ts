import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const note = (text: string) => section(text, { section_type: 'debt_footnote', doc_type: '10-K' })
const notes = (text: string) =>
  debtLinesIn(note(text)).map(n => [n.coupon_rate, n.maturity, (n.principal ?? 0) / 1e8])
const facilities = (text: string) =>
  creditFacilitiesIn(note(text))
    .filter(({ rule }) => rule === 'facility_text')
    .map(f => [(f.commitment ?? 0) / 1e8, f.maturity, f.drawn ?? null, f.spread_bps ?? null])

t.test('notes of which a part was redeemed have the amount that remains outstanding', t => {
  const issue =
    'In March 2023, we issued $350.0 million in aggregate principal amount of 1.25% Senior Convertible Notes due in 2031 (the “2031 Notes”). In May 2024, we repurchased $87.4 million of our 2031 Notes.'
  t.strictSame(
    notes(
      `${issue} Following the repurchases, $262.6 million in aggregate principal amount of the 2031 Notes remain outstanding.`,
    ),
    [[1.25, '2031', 262.6]],
  )
  t.strictSame(
    notes(
      `${issue} Following the repurchases, $262.6 million of the 1.25% Notes remained outstanding. In June 2024, holders converted more, and $25.1 million in aggregate principal amount of the 1.25% Notes remained outstanding as of December 31, 2024.`,
    ),
    [[1.25, '2031', 25.1]],
  )
  t.strictSame(notes(issue), [], 'without the rest there is no amount')
  t.end()
})

t.test('notes for which others were exchanged are owed', t => {
  const text = `In June 2024, we issued $263.9 million in aggregate principal amount of 1.50% Senior Notes due in 2035 in exchange for $256.2 million of our 2.75% Notes due 2031. We entered into agreements with holders to exchange $256.2 million of our 2.75% Notes for approximately $263.9 million in aggregate principal amount of our 1.50% Notes.`
  t.strictSame(notes(text), [[1.5, '2035', 263.9]])
  t.end()
})

t.test('rates with fractions are read', t => {
  t.strictSame(notes('In May 2024, the Company sold $300 million of 8 3/8% Senior Notes due July 1, 2034.'), [
    [8.375, '2034-07-01', 300],
  ])
  t.strictSame(
    notes('In May 2024, the Company sold $300 million of 10-1/2% Senior Notes due July 1, 2034.'),
    [[10.5, '2034-07-01', 300]],
  )
  t.end()
})

t.test('credit lines are facilities, with the terms that follow', t => {
  t.strictSame(
    facilities(
      'We entered into a credit agreement that provides for a $242.5 million revolving credit line (the “Revolver”), which matures on April 15, 2029. Issued letters of credit in the aggregate amount of $4.0 million were outstanding under the Revolver at December 31, 2024. Borrowings bear interest at LIBOR plus a margin of 1.50% or 1.75%.',
    ),
    [[242.5, '2029-04-15', null, null]],
  )
  t.strictSame(
    facilities(
      'The Company has obtained a revolving line of credit for $3 million from its parent. The line expires on March 31, 2026.',
    ),
    [[3, '2026-03-31', null, null]],
  )
  t.strictSame(
    facilities(
      'During March 2024, the Company obtained a new $30.0 million revolving line of credit which has a three-year term.',
    ),
    [[30, '2027-03', null, null]],
  )
  t.strictSame(
    facilities(
      'On July 1, 2024, the Company entered into an agreement with banks for a $750 million unsecured revolving credit facility. In December 2024, the agreement was amended to increase the amount available for borrowing to $1.5 billion. Amounts available will decrease each quarter until December 31, 2031, at which time the revolving credit facility will terminate.',
    ),
    [[1500, '2031-12-31', null, null]],
  )
  t.end()
})

t.test('a facility that another took the place of is not the one with its amount', t => {
  t.strictSame(
    facilities(
      'The Amended Revolving Credit Agreement provided for aggregate borrowing commitments of $300.0 million and was to expire on April 15, 2025. In February 2024, we entered into a new agreement, which replaced the existing Amended Revolving Credit Agreement. The New Revolving Credit Agreement expires February 4, 2029, and has an aggregate borrowing commitment of $300.0 million.',
    ),
    [[300, '2029-02-04', null, null]],
  )
  t.end()
})

t.test('the discussion of a report without a note on debt tells the notes it issued', t => {
  const text =
    'On July 8, 2024, the Company sold $300 million of 8.375% Senior Notes due July 1, 2034 (the “Notes”). The proceeds paid for the redemption of all of its Convertible Notes due 2029. On February 3, 2025, the Company sold $250 million of 7.4% Senior Notes due 2035.'
  const discussed = (more: object) =>
    debtLinesIn(section(text, { section_type: 'mda_liquidity', doc_type: '10-K', ...more })).map(
      ({ name }) => name,
    )
  t.strictSame(discussed({ has_debt_note: false }), ['8.375% Senior Notes due July 1, 2034'])
  t.strictSame(discussed({ has_debt_note: true }), [])
  t.strictSame(discussed({}), [])
  t.end()
})
