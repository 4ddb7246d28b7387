import t from 'tap'
import { endingsIn } from '../../../engine/filing/facts/endings.ts'
import { section } from './section.ts'

const item = (text: string, more = {}) =>
  endingsIn(section(text, { section_type: 'other', doc_type: '8-K', ...more }))
const note = (text: string) => item(text, { section_type: 'debt_footnote', doc_type: '10-K' })
const said = (rows: ReturnType<typeof endingsIn>) =>
  rows.map(r => [r.instrument_name, r.agreement_date, r.ended_on, r.ended_because])

t.test('a current report ends every agreement that it names with a date', t => {
  const rows = item(
    'Item 1.02. Termination of a Material Definitive Agreement.\n\nOn March 6, 2025, the Company terminated each of its ' +
      '(i) Three-Year Syndicated Facility Agreement (as amended to date, the “Previous Three-Year Agreement”), dated as of ' +
      'April 30, 2019, by and among the Company and the lenders, and (ii) Five-Year Credit Agreement, dated as of May 2, 2020. ' +
      'No penalties were incurred.',
  )
  t.strictSame(said(rows), [
    ['Three-Year Syndicated Facility Agreement', '2019-04-30', '2025-03-06', 'terminated'],
    ['Five-Year Credit Agreement', '2020-05-02', '2025-03-06', 'terminated'],
  ])
  t.match(rows[0], { rule: 'agreement_terminated', evidence: /^On March 6, 2025, the Company terminated/ })
  t.end()
})

t.test('the day of an amendment of an agreement that ended is no second agreement', t => {
  for (const amended of [
    '(as amended by the First Amendment, dated as of June 9, 2021)',
    '(as amended by Amendment No. 1 dated June 9, 2021 and the Second Amendment, dated as of July 1, 2022)',
    'as amended by Amendment No. 2 to Credit Agreement, dated as of July 1, 2022',
  ])
    t.strictSame(
      said(
        item(
          `On March 6, 2025, the Company terminated the Credit Agreement, dated as of April 30, 2019 ${amended}, among the Company and the lenders.`,
        ),
      ),
      [['Credit Agreement', '2019-04-30', '2025-03-06', 'terminated']],
      amended,
    )
  t.end()
})

t.test('a note of a report tells what an agreement replaced, and what was repaid and terminated', t => {
  t.strictSame(
    said(
      note(
        'The New Agreement replaced our $3 billion five-year credit agreement dated as of June 8, 2019 and our 364-day credit agreement dated as of June 8, 2023.',
      ),
    ),
    [
      ['five-year credit agreement', '2019-06-08', null, 'replaced'],
      ['364-day credit agreement', '2023-06-08', null, 'replaced'],
    ],
  )
  t.strictSame(
    said(
      note(
        'On July 2, 2024, all obligations under our credit agreement, dated as of June 7, 2021, were repaid and such credit agreement was terminated.',
      ),
    ),
    [['credit agreement', '2021-06-07', '2024-07-02', 'terminated']],
  )
  t.end()
})

t.test('conditions, plans, other contracts and titles end nothing', t => {
  for (const text of [
    'The commitments may be terminated under the Credit Agreement dated as of June 7, 2021.',
    'If the Company terminated the Credit Agreement dated as of June 7, 2021, fees would be due.',
    'The Credit Agreement, as amended, supplemented, replaced or modified, the Credit Agreement dated June 7, 2021.',
    'The Company terminated the Merger Agreement dated as of June 7, 2021.',
    'The Company terminated the Employment Agreement dated as of June 7, 2021 with its chief executive.',
    'The Company is party to the Amended and Restated Credit Agreement, dated as of June 7, 2021.',
    'The Company terminated its Credit Agreement.',
  ])
    t.strictSame(note(text), [], text)
  t.end()
})

t.test('an agreement ends what it restates; an amendment ends the clause that it deletes', t => {
  const restating = endingsIn(
    section(
      'CREDIT AGREEMENT dated as of May 1, 2024.\n\n“Existing Credit Agreement” means the Loan Agreement dated as of June 1, 2019, among the parties.\n\nThis Agreement secures the Amended and Restated Credit Agreement, dated as of March 3, 2020.',
    ),
  )
  t.strictSame(said(restating), [['Loan Agreement', '2019-06-01', '2024-05-01', 'replaced']])
  const amendment = (text: string) =>
    endingsIn(
      section(
        `AMENDMENT NO. 2 dated as of March 3, 2025 (this “Amendment”) to the CREDIT AGREEMENT dated as of May 1, 2024.\n\n${text}\n`,
      ),
    )
  const deleted = amendment('(a) Section 7.12 of the Credit Agreement is hereby deleted in its entirety.')
  t.match(deleted, [
    { agreement_date: '2024-05-01', section: '7.12', ended_on: '2025-03-03', ended_because: 'amended' },
  ])
  t.strictSame(
    amendment('(a) Section 7.12 is hereby deleted in its entirety and replaced with “[Reserved]”.').length,
    1,
  )
  for (const text of [
    'Section 7.12 is hereby deleted in its entirety and replaced with the following: “7.12 Leverage.”',
    'The definition of “LIBOR” in Section 1.01 is hereby deleted in its entirety.',
    'Section 7.12 is hereby amended by deleting the word “five”.',
  ])
    t.strictSame(amendment(text), [], text)
  t.end()
})
