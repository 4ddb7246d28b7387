import t from 'tap'
import { instrumentsIn } from '../../../engine/ingest/readers/debt-note.ts'
import { section } from './section.ts'

const MILLION = 1e8
const NOTE = { section_type: 'debt_footnote', doc_type: '10-Q', period_end: '2024-06-30' }
const REPORT = { doc_type: '8-K', title: 'Item 1.01 Entry into a Material Definitive Agreement' }
const rows = (text: string, more: object = NOTE) =>
  instrumentsIn(section(text, more), { ticker: null, known: null }).map(({ values }) => {
    const { name, commitment, maturity } = values as Record<string, never>
    return [name, Number(commitment) / MILLION, maturity ?? null]
  })

t.test('a facility lent against reserves commits what lenders elect, not the most that is allowed', t => {
  const text =
    'The Company has a revolving credit agreement (the "Credit Facility") with several banks. The maturity date has been extended to May 2027. The borrowing base is redetermined twice a year.'
  t.strictSame(
    rows(
      `${text} As of June 30, 2024 and December 31, 2023, the borrowing base was $420.0 million with an elected commitment of $310.0 million and $290.0 million, respectively.`,
    ),
    [['Credit Facility due 2027', 310, '2027-05']],
  )
  t.strictSame(rows(`${text} At June 30, 2024, the borrowing base and commitments were $420.0 million.`), [
    ['Credit Facility due 2027', 420, '2027-05'],
  ])
  t.strictSame(
    rows(`${text} On August 2, 2024, the borrowing base and commitments were increased to $450.0 million.`),
    [],
    'what is set after the report is not of its day',
  )
  t.strictSame(
    rows(`${text} If the borrowing base was $100.0 million, we would repay the rest.`),
    [],
    'a condition sets no base',
  )
  t.end()
})

t.test('the day of an agreement that was restated since is none', t => {
  t.strictSame(
    rows(
      'In April 2021, the Company amended its agreement (the "Credit Facility"), which increased the maximum borrowing amount to $900 million and extended the maturity date through April 2026. The borrowing base is redetermined in May and November. On May 30, 2024, the Company modified its Credit Facility through the Third Amended and Restated Credit Agreement and established a borrowing base of $550 million.',
    ),
    [['Credit Facility', 550, null]],
  )
  t.end()
})

t.test('a report of an amendment that sets a base states the facility', t => {
  const entered =
    'On June 20, 2024, the Company entered into the Fifth Amendment to its Credit Agreement with the lenders.'
  const report = { ...REPORT, period_end: '2024-06-20', filing_date: '2024-06-24' }
  t.strictSame(
    rows(
      `${entered} Among other things, the Fifth Amendment (i) extended the maturity date for the Credit Agreement to June 20, 2029; (ii) increased the maximum credit amounts from $1 billion to $2 billion; and (iii) redetermined the Borrowing Base (as defined in the Credit Agreement) from $600 million to $725 million.`,
      report,
    ),
    [['Credit Agreement due 2029', 725, '2029-06-20']],
  )
  t.strictSame(
    rows(
      `${entered} The semi-annual redetermination led to a borrowing base of $725 million. However, the Company elected to have the lenders' aggregate commitment remain at $500 million.`,
      report,
    ),
    [['Credit Agreement', 500, null]],
  )
  t.end()
})

t.test('what is lent on receivables has its commitment, and its base is none', t => {
  t.strictSame(
    rows(
      'We have a revolving credit facility which permits us to borrow up to the lesser of (i) $40,000,000, or (ii) 85% of eligible receivables. The borrowing base at June 30, 2024 was $21,500,000. The credit facility is scheduled to mature at July 10, 2026.',
    ),
    [['Revolving Credit Facility due 2026', 40, '2026-07-10']],
  )
  t.end()
})
