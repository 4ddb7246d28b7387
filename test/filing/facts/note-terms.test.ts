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
