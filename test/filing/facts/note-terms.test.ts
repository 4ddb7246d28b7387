import t from 'tap'
import { noteTermsIn } from '../../../engine/filing/facts/note-terms.ts'
import { section } from './section.ts'

const read = (text: string) => noteTermsIn(section(text, { section_type: 'indenture', doc_type: 'EX-4.1' }))
const said = (rows: ReturnType<typeof noteTermsIn>) =>
  rows.map(r => [r.name, r.make_whole_bps ?? r.par_call_date ?? r.change_of_control_price])

t.test('the par call date of each series is the day that follows its name', t => {
  const rows = read(
    '“Par Call Date” means (i) with respect to the 0.875% 2025 Notes, February 24, 2025 (three months prior to the maturity date of the 0.875% 2025 Notes), and (ii) with respect to the 6.250% Senior Notes due 2033, May 15, 2033.',
  )
  t.strictSame(said(rows), [
    ['0.875% notes due 2025', '2025-02-24'],
    ['6.25% notes due 2033', '2033-05-15'],
  ])
  t.match(rows[0], {
    callable: true,
    maturity: '2025',
    rule: 'note_terms',
    evidence: /^“Par Call Date” means/,
  })
  t.end()
})

t.test('a make-whole spread is of the series named after it', t => {
  const text =
    'discounted at the Treasury Rate, plus 10 basis points in the case of the 1.000% 2026 Notes, plus 15 basis points in the case of the 1.500% 2028 Notes and the 3.050% 2029 Notes.'
  t.strictSame(said(read(`The redemption price is the sum of the present values ${text}`)), [
    ['1% notes due 2026', 10],
    ['1.5% notes due 2028', 15],
    ['3.05% notes due 2029', 15],
  ])
  t.strictSame(
    said(
      read(
        'discounted at the Treasury Rate, plus (i) 15 basis points, in the case of the 2.100% Notes due 2030 and (ii) 30 basis points, in the case of the 3.450% Senior Notes due 2039, on redemption.',
      ),
    ),
    [
      ['2.1% notes due 2030', 15],
      ['3.45% notes due 2039', 30],
    ],
  )
  t.strictSame(read('The margin rises by 25 basis points in the case of the 1.000% 2026 Notes.'), [])
  t.end()
})

t.test('a put on a change of control is of the series that the sentence names', t => {
  const put = (which: string) =>
    said(
      read(
        `If a change of control triggering event occurs with respect to ${which}, we must offer to repurchase all of the notes at a price equal to 101% of the principal amount, plus interest.`,
      ),
    )
  t.strictSame(put('the 2.750% fixed rate notes due 2023 or the 1.900% fixed rate notes due 2025'), [
    ['2.75% notes due 2023', 101],
    ['1.9% notes due 2025', 101],
  ])
  t.strictSame(put('the notes'), [], 'of which series is not said')
  t.strictSame(
    read('We may repurchase the 2.750% notes due 2023 at 101% of the principal amount.'),
    [],
    'a repurchase without a change of control is no put',
  )
  t.end()
})

const report = (text: string) =>
  noteTermsIn(section(text, { section_type: 'other', doc_type: '10-K', title: 'Description of securities' }))
const notes =
  'Listed are our 1.000% Notes due 2026, our 1.500% Notes due 2028 and our 3.050% Notes due 2029. '

t.test('a year names a series where the document knows one of that year', t => {
  const text =
    'We may redeem the notes prior to (A) January 8, 2026 (three months prior to the maturity date of the 2026 Notes), and November 15, 2027, in the case of the 2028 Notes (two months, prior to the maturity of such notes), at the Treasury Rate, plus, in the case of the 2026 Notes, 10 basis points, and in the case of the 2028 Notes, 12.5 basis points, to the date of redemption.'
  t.strictSame(said(report(notes + text)), [
    ['1% notes due 2026', '2026-01-08'],
    ['1.5% notes due 2028', '2027-11-15'],
    ['1% notes due 2026', 10],
    ['1.5% notes due 2028', 12.5],
  ])
  t.strictSame(
    said(report(`${notes}Our 2.000% Notes due 2026 too. ${text}`)),
    [
      ['1.5% notes due 2028', '2027-11-15'],
      ['1.5% notes due 2028', 12.5],
    ],
    'of two series of 2026 neither is meant',
  )
  t.strictSame(said(report(text)), [], 'no coupon is known')
  t.strictSame(
    said(
      report(
        'The 2031 Senior Notes mature on June 1, 2031, and bear interest at a fixed rate of 3.50%. If a change of control occurs, we must offer to purchase the 2031 Senior Notes at a price equal to 101% of their principal amount.',
      ),
    ),
    [['3.5% notes due 2031', 101]],
  )
  t.end()
})

t.test('a par call date that is defined by day, and one in a sentence about a series', t => {
  t.strictSame(
    said(
      report(
        `${notes}“Par Call Date” means May 5, 2026 in the case of the 2026 Notes, October 11, 2027 in the case of the 2028 Notes.`,
      ),
    ),
    [
      ['1% notes due 2026', '2026-05-05'],
      ['1.5% notes due 2028', '2027-10-11'],
    ],
  )
  t.strictSame(
    said(
      report(
        `${notes}On and after March 1, 2027, we may redeem the 2028 Notes at 100% of the principal amount of the notes to be redeemed. On or after March 1, 2027, we may redeem the notes at 100% of the principal amount.`,
      ),
    ),
    [['1.5% notes due 2028', '2027-03-01']],
    'the notes of several series are none of them',
  )
  t.strictSame(
    said(
      report(
        `${notes}On or after March 1, 2027, holders may require us to redeem the 2028 Notes at 100% of the principal amount. Prior to March 1, 2028 (one year prior to the maturity date), the 2028 Notes may be redeemed.`,
      ),
    ),
    [],
    'a put, and the one day on which the rate of a note resets, are no par calls',
  )
  t.end()
})

t.test('what a section states in two ways is left out', t => {
  const spread = (bps: number) =>
    `The redemption price is at the Treasury Rate plus ${bps} basis points for the 2026 Notes. `
  t.strictSame(said(report(notes + spread(10))), [['1% notes due 2026', 10]])
  t.strictSame(said(report(notes + spread(10) + spread(15))), [])
  t.end()
})

t.test('call prices by year are a schedule from the day of the year that the sentence names', t => {
  const text = (rows: string) =>
    `We may redeem our 6.250% Senior Notes due 2033 at the redemption prices set forth below, if redeemed during the twelve-month period beginning on June 15 of the years indicated:\n\nYear | Percentage\n${rows}\nThe Notes are unsecured.`
  const [row, ...others] = report(
    text('2028........ | 103.125%\n2029 | 101.563\n2030 and thereafter | 100.000%'),
  )
  t.match(row, {
    name: '6.25% notes due 2033',
    callable: true,
    call_schedule: [
      { date: '2028-06-15', price: 103.125 },
      { date: '2029-06-15', price: 101.563 },
      { date: '2030-06-15', price: 100 },
    ],
    evidence: /^We may redeem[\s\S]*100\.000$/,
  })
  t.strictSame(others, [])
  t.strictSame(report(text('2028 | 101.000%\n2029 | 103.000%')), [], 'prices that rise are misread')
  t.match(
    report(
      'The 6.250% Senior Notes due 2033 may be redeemed on or after June 15, 2028 at 103.125%, on or after June 15, 2029 at a price of 101.500% of their principal amount.',
    ),
    [{ call_schedule: [{ date: '2028-06-15' }, { date: '2029-06-15', price: 101.5 }] }],
  )
  t.end()
})

t.test('a term sheet says which notes by its title, by labels and in brackets', t => {
  const sheet = (text: string) => noteTermsIn(section(text, { section_type: 'other', doc_type: 'FWP' }))
  const one = sheet(
    [
      'Securities: | 3.125% Senior Notes due 2050',
      'Optional Redemption: | Prior to July 16, 2049, make-whole call, in whole or in part, at T+20 bps',
      '| On and after July 16, 2049, par call, in whole or in part',
      'Spread to Benchmark Treasury: | +85 basis points',
      'CUSIP/ISIN: | 037833 AA9 / US037833AA90',
    ].join('\n'),
  )
  t.strictSame(
    one.map(r => [r.coupon_rate, r.maturity, r.par_call_date ?? r.make_whole_bps ?? r.cusip]),
    [
      [3.125, '2050', '2049-07-16'],
      [3.125, '2050', 20],
    ],
    'a CUSIP with a wrong check digit is none',
  )
  const several = sheet(
    [
      'Title: | 4.550% Notes due 2028 and 4.900% Senior Notes due 2035',
      'Optional Redemption: | For the 2028 Notes: if prior to January 24, 2028, make whole call (Treasury Rate plus 5 basis points). If on or after January 24, 2028, par call as set forth in the prospectus. 2035 Notes: Prior to November 24, 2034 (three months prior to the Maturity Date of the 2035 Notes), “make-whole” redemption at the Treasury Rate plus 10 basis points.',
      'CUSIP / ISIN: | 2028 Notes: 17275R BW1 / US17275RBW16 2035 Notes: 17275R BZ4 / US17275RBZ47',
    ].join('\n'),
  )
  t.strictSame(
    several.map(r => [r.maturity, r.par_call_date ?? r.make_whole_bps ?? r.cusip]),
    [
      ['2028', '2028-01-24'],
      ['2035', '2034-11-24'],
      ['2028', 5],
      ['2035', 10],
      ['2028', '17275RBW1'],
      ['2035', '17275RBZ4'],
    ],
  )
  t.end()
})

t.test('a rate before the label of the next series is of no series', t => {
  const rows = noteTermsIn(
    section(
      [
        '$500,000,000 4.350% Senior Notes due 2029',
        '$500,000,000 5.150% Senior Notes due 2034',
        'Yield to Maturity: | 2029 Notes: 4.391% 2034 Notes: 5.182%',
        'Optional Redemption: | Make-whole call at the Treasury Rate plus 10 basis points in the case of the 2029 Notes, and 15 basis points in the case of the 2034 Notes',
      ].join('\n'),
      { section_type: 'other', doc_type: 'FWP' },
    ),
  )
  t.strictSame(said(rows), [
    ['4.35% notes due 2029', 10],
    ['5.15% notes due 2034', 15],
  ])
  t.end()
})
