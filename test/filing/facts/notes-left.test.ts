import t from 'tap'
import { instrumentsIn } from '../../../engine/ingest/readers/debt-note.ts'
import { section } from './section.ts'

const NOTE = { section_type: 'debt_footnote', doc_type: '10-Q', period_end: '2024-06-30' }
const all = (text: string, more = {}) =>
  instrumentsIn(section(text, { ...NOTE, ...more }), { ticker: null, known: null }).map(
    ({ values }) => values as Record<string, number | string | null>,
  )
const MILLION = 1e8

t.test('notes of which a sentence says what is outstanding of what was issued', t => {
  const notes = (text: string) => all(text).map(r => [r['name'], Number(r['principal']) / MILLION])
  t.strictSame(
    notes(
      'In December 2021, the Company issued $517.5 million aggregate principal amount of its 0.25% Convertible Senior Notes due 2026 (the “2026 Notes”) in a private placement, of which $20.5 million aggregate principal amount was outstanding as of June 30, 2024.',
    ),
    [['0.25% Convertible Senior Notes due 2026', 20.5]],
  )
  t.strictSame(
    notes(
      'In December 2023, the Company issued $80.5 million aggregate principal amount of 5.25% convertible senior notes due 2027 (the “2027 Notes”). In May 2024, we repurchased $76.5 million principal amount of the 2027 Notes. There was $4.0 million principal amount for the 2027 Notes remaining.',
    ),
    [['5.25% Convertible Senior Notes due 2027', 4]],
  )
  t.end()
})

t.test(
  'notes sold under an indenture are in thousands where their text leaves them out as its statements do',
  t => {
    const sold =
      'On February 14, 2023, the Company issued and sold $130,000 in aggregate principal amount of 5.75% Convertible Senior Notes due 2028 (the “2023 Notes”) pursuant to an indenture with Alfa Trust, as trustee. As a result of an exchange, the Company recognized a loss of $9,721.'
    const notes = (text: string, more = {}) =>
      all(text, more).map(r => [r['name'], Number(r['principal']) / MILLION])
    const thousands = { amounts_in: 'thousands' }
    t.strictSame(notes(sold, thousands), [['5.75% Convertible Senior Notes due 2028', 130]])
    t.strictSame(notes(sold), [], 'of a report without a unit they may be dollars')
    t.strictSame(notes(sold.replace('an indenture', 'an agreement'), thousands), [])
    t.strictSame(notes(sold.replace('$9,721', '$9,721,000'), thousands), [])
    t.end()
  },
)

t.test('a supplement calls notes a series due on a day', t => {
  t.strictSame(
    all(
      'PROSPECTUS SUPPLEMENT\n\n$500,000,000 4.75% Senior Notes, Series due March 15, 2031\n\n$300,000,000 5.35% Senior Notes, Series due November 15, 2035',
      {
        section_type: 'other',
        doc_type: '424B2',
        title: 'Cover',
        period_end: null,
        filing_date: '2024-06-28',
      },
    ).map(r => [r['name'], Number(r['principal']) / MILLION]),
    [
      ['4.75% Senior Notes due March 15, 2031', 500],
      ['5.35% Senior Notes due November 15, 2035', 300],
    ],
  )
  t.end()
})
