import t from 'tap'
import { printHits } from '../../cli/print-hits.ts'
import { hitColumns } from '../../engine/schema/resources/documents.ts'

const columns = Object.entries(hitColumns).map(([name, column]) => ({ name, column }))
const hit: Record<string, unknown> = {
  id: 'a1',
  company_name: 'Alfa \x1b[31mDrilling',
  ticker: 'ALFA',
  doc_type: '10-K',
  filing_date: '2025-02-01',
  section_type: 'covenants',
  section_title: 'Debt Covenants',
  snippet: 'On a <b>change</b> of control &lt;b&gt; holders may put the notes.',
  relevance_score: 0.5,
}
const row = columns.map(({ name }) => hit[name] ?? null)

t.test(
  'a hit shows company, filing, section and passage, with matches in bold on a terminal only',
  async t => {
    t.equal(
      printHits(columns, [row], 40, false).text,
      `1.  Alfa  [31mDrilling (ALFA) · 10-K · 2025-02-01 · covenants
    Debt Covenants · relevance 0.50
    On a change of control <b> holders
    may put the notes.
    a1
`,
    )
    t.match(printHits(columns, [row], 40, true).text, 'On a \x1b[1mchange\x1b[22m of')
    t.equal(printHits(columns, [], 40, false).text, '')
  },
)
