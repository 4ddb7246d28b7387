import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { section } from './section.ts'

const MILLION = 100_000_000
const ONE = 'We have a $2.0 billion revolving credit facility maturing in May 2027.'
const TWO =
  'We maintain a $1.0 billion 364-day revolving credit facility expiring May 2, 2025 and a $2.0 billion five-year revolving credit facility expiring May 3, 2029.'

/** What is drawn under each facility of a note, in millions. */
const drawn = (text: string) =>
  creditFacilitiesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K' })).map(row =>
    row.drawn === undefined || row.drawn === null ? null : row.drawn / MILLION,
  )

t.test('a sentence that says nothing is drawn at the day of the report states zero', t => {
  for (const text of [
    'No amounts were outstanding under the facility at December 31, 2024 and 2023.',
    'As of December 31, 2024, we had not borrowed under the revolving credit facility.',
    'As of December 31, 2024, nothing was borrowed under this facility.',
    'The credit facility was undrawn at December 31, 2024.',
    'To date, we have not drawn on the facility.',
    'There were no outstanding borrowings at the end of 2024 and 2023.',
    'No amounts were outstanding under the credit facility as of December 31, 2023 and 2024.',
    'The Company had no borrowings under the credit facility or the Commercial Paper Program at December 31, 2024 and 2023.',
    'We may increase the commitments under the revolving credit facility up to a total of $14 billion. As of December 31, 2024 and 2023, we had no borrowings outstanding under our revolving credit facility.',
    'At December 31, 2024, no borrowings were outstanding under the facility and $26 million of letters of credit were issued.',
    'As of December 31, 2024, no amounts were outstanding under the facility, no commercial paper was outstanding, and $250 million of the sublimit was unused.',
  ])
    t.strictSame(drawn(`${ONE} ${text}`), [0], text)
  t.end()
})

t.test('nothing that is said of another day, of commercial paper or of another line states zero', t => {
  for (const text of [
    'No amounts were outstanding under the facility at December 31, 2023.',
    'At December 31, 2024, amounts were outstanding under the facility; at December 31, 2023, no borrowings were outstanding under it.',
    'No commercial paper was outstanding at December 31, 2024.',
    'During the year, no amounts were drawn under the facility.',
    'There is also a $16 million line of credit of a subsidiary. At December 31, 2024, there were no outstanding borrowings on this line of credit.',
    'We have a commercial paper program. At December 31, 2024, there were no outstanding borrowings under this program.',
    'The Company had $88 million and $82 million of outstanding letters of credit as of December 31, 2024 and 2023, all of which were issued under the revolving credit facility.',
    'There were no borrowings outstanding under the prior credit agreement as of December 31, 2024.',
    'As of December 31, 2024, no amounts were outstanding under our international lines of credit.',
  ])
    t.strictSame(drawn(`${ONE} ${'The lenders are banks. '.repeat(3)}${text}`), [null], text)
  t.end()
})

t.test('what is said of all facilities of a note is said of each', t => {
  for (const text of [
    'As of December 31, 2024, there were no borrowings outstanding under any of the Company’s back-up credit facilities.',
    'The revolving credit facilities had no borrowings outstanding as of December 31, 2024.',
    'There were no draws on the facilities as of December 31, 2024.',
    'These facilities are currently undrawn and we anticipate that they will remain undrawn.',
  ])
    t.strictSame(drawn(`${TWO} ${text}`), [0, 0], text)
  t.strictSame(
    drawn(`${TWO} We also use other credit facilities. No amounts were outstanding under other facilities.`),
    [null, null],
  )
  t.end()
})

t.test('of two days with two amounts each day has its own', t => {
  const text =
    'There were $338 million and $803 million of borrowings outstanding under the credit facility as of'
  t.strictSame(drawn(`${ONE} ${text} December 31, 2023 and 2024.`), [803])
  t.strictSame(drawn(`${ONE} ${text} December 31, 2024 and 2023.`), [338])
  t.end()
})

t.test(
  'a sentence of the day of the report says what is drawn of a facility whose maturity another states',
  t => {
    t.strictSame(
      drawn(
        'At December 31, 2024, the senior credit facility consisted of a $1.675 billion revolving facility of which no amounts were drawn. In November 2024, the Company terminated its existing revolving facility and entered into a new $1.675 billion secured revolving credit facility that matures in November 2029.',
      ),
      [0],
    )
    t.end()
  },
)
