import t from 'tap'
import { noteSentencesIn } from '../../../engine/filing/facts/note-sentences.ts'
import { notesOf, noteTermsIn } from '../../../engine/filing/facts/note-terms.ts'
import { offeredNotesIn } from '../../../engine/filing/facts/offered-notes.ts'
import { section } from './section.ts'

const told = (text: string) =>
  noteSentencesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K' })).map(r => [
    r.coupon_rate,
    r.maturity,
    (r.principal ?? 0) / 1e8,
  ])

t.test('coupon and day of notes may be said of the notes in the sentences behind', t => {
  const both = (first: string) => `Convertible Senior Notes - Due 2029

In August 2023, the Company issued ${first} convertible senior notes due 2029 and entered into related hedges. The notes are senior unsecured obligations of the Company and bear regular interest of 1.125%, payable semi-annually in arrears. The notes mature on February 15, 2029, unless repurchased or converted prior to maturity.

Convertible Senior Notes - Due 2027

In August 2019, the Company issued $1,150.0 million in par value of convertible senior notes due 2027. The notes are senior unsecured obligations of the Company, bear regular interest of 0.375%, payable semi-annually, and mature on September 1, 2027, unless repurchased or converted prior to maturity.`
  t.strictSame(told(both('$1,265.0 million in par value of')), [
    [1.125, '2029-02-15', 1265],
    [0.375, '2027-09-01', 1150],
  ])
  t.strictSame(
    told(both('$1,265.0 million of convertible senior notes due 2030 and $300.0 million of')),
    [[0.375, '2027-09-01', 1150]],
    'of two series of one sentence, what follows may be said of either',
  )
  t.end()
})

const offer = [
  'Filed Pursuant to Rule 424(b)(5)',
  `Alfa Corp

$550,000,000 5.050% Notes due 2030

$600,000,000 5.500% Notes due 2035

The 2030 notes will mature on February 19, 2030 and the 2035 notes will mature on February 19, 2035. We may redeem the notes of each series, in whole or in part, at any time prior to (i) in the case of the 2030 notes, January 19, 2030 (one month prior to their maturity date) and (ii) in the case of the 2035 notes, November 19, 2034 (three months prior to their maturity date), at the make-whole redemption price. If a change of control repurchase event occurs with respect to a series of notes, we will be required to offer to repurchase the notes of that series at a price equal to 101% of the principal amount.

The notes will be our senior unsecured obligations.`,
].map(text =>
  section(text, { section_type: 'other', doc_type: '424B5', filing_date: '2025-02-14', period_end: null }),
)

t.test('terms of each series that a prospectus offers are read, also below its cover', t => {
  const terms = offer.flatMap(part => noteTermsIn(part, notesOf(offer)))
  t.strictSame(
    terms.map(r => [r.coupon_rate, r.par_call_date ?? r.change_of_control_price]).toSorted(),
    [
      [5.05, '2030-01-19'],
      [5.05, 101],
      [5.5, '2034-11-19'],
      [5.5, 101],
    ].toSorted(),
  )
  const lines = offer.flatMap(part => offeredNotesIn(part))
  t.strictSame(
    lines.map(r => [r.coupon_rate, r.seniority]),
    [
      [5.05, 'senior_unsecured'],
      [5.5, 'senior_unsecured'],
    ],
  )
  t.end()
})

t.test('the one series of a title below the cover is what the notes are', t => {
  const parts = [
    'Filed Pursuant to Rule 424(b)(2)',
    '$750,000,000 5.750% Senior Notes due 2026',
    'Prior to October 20, 2026 (the date that is one month prior to the maturity date of the notes), we may redeem the notes at a price equal to the present values of the remaining payments discounted at the Treasury Rate plus 30 basis points.',
  ].map(text => section(text, { section_type: 'other', doc_type: '424B2' }))
  t.strictSame(
    parts.flatMap(part => noteTermsIn(part, notesOf(parts))).map(r => r.par_call_date ?? r.make_whole_bps),
    ['2026-10-20', 30],
  )
  t.end()
})
