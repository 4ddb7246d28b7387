import t from 'tap'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const note = (text: string) =>
  section(text, { section_type: 'debt_footnote', doc_type: '10-K', title: 'Debt' })
const agreed = (text: string) =>
  covenantsIn(section(text)).map(row => [row.covenant_name, row.threshold_value ?? null])

t.test('covenants that fall away at investment grade are told', async t => {
  t.strictSame(
    agreed(`INDENTURE dated as of June 8, 2024

Section 4.16 Suspension of Covenants. During any period of time that (i) the Notes have Investment Grade Ratings from both Rating Agencies and (ii) no Default has occurred, the Company will not be subject to Sections 4.06, 4.07 and 4.08 (the “Suspended Covenants”).`),
    [['Covenant Suspension', null]],
  )
  const names = (text: string) => covenantsIn(note(text)).map(row => row.covenant_name)
  t.strictSame(
    names(
      'If the Senior Notes are assigned an investment grade rating by two agencies, many of these covenants will be suspended.',
    ),
    ['Covenant Suspension'],
  )
  t.strictSame(
    names('The covenants of the Senior Notes were suspended when they were rated investment grade.'),
    [],
  )
  t.strictSame(names('Our covenants do not change with our investment grade ratings.'), [])
})
