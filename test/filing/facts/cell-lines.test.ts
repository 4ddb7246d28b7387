import t from 'tap'
import { withRowsOfCells } from '../../../engine/filing/facts/cell-lines.ts'
import { instrumentsIn } from '../../../engine/ingest/readers/debt-note.ts'
import { section } from './section.ts'

const note = (text: string) => section(text, { section_type: 'debt_footnote', doc_type: '10-K' })
const read = (text: string) =>
  instrumentsIn(note(text), { ticker: null, known: null }).map(
    ({ values }) => values as Record<string, unknown>,
  )

const table = `Notes payable consisted of the following (in thousands):

December 31, 2024
December 31, 2023
Mortgages on land bought from farmers
$
21,540

$
6,310
6.10% Senior notes due May 15, 2028
395,118

394,702
5.35% Senior notes due March 1, 2030
248,730
248,455
Unsecured term loan due 2027
12,000
—
677,388
649,467

The carrying amounts of our senior notes are net of unamortized debt issuance costs.
`

t.test('a table whose cells are each in a line of their own is read by its rows', async t => {
  t.strictSame(
    read(table).map(r => [r['name'], Number(r['carrying_amount']) / 1e5, r['maturity']]),
    [
      ['6.10% Senior notes due May 15, 2028', 395118, '2028-05-15'],
      ['5.35% Senior notes due March 1, 2030', 248730, '2030-03-01'],
      ['Mortgages on land bought from farmers', 21540, null],
      ['Unsecured term loan due 2027', 12000, '2027'],
    ].sort(([a], [b]) => table.indexOf(String(a)) - table.indexOf(String(b))),
  )
  const [first] = read(table)
  t.equal(
    table.includes(String(first?.['evidence'])),
    true,
    'the words of a row are those of the document, line by line',
  )
})

t.test('positions stay, and the last row is apart from the total below it', async t => {
  const { text } = withRowsOfCells(note(table))
  t.equal(text.length, table.length)
  t.match(text, 'Unsecured term loan due 2027|12,000|—\n677,388|649,467\n')
  t.match(text, 'Mortgages on land bought from farmers|$|21,540||$|6,310\n')
})

t.test('characters outside of the basic plane move nothing', async t => {
  const strange = table.replace('consisted', '\u{1F4B5} consisted')
  const { text } = withRowsOfCells(note(strange))
  t.equal(text.length, strange.length)
  t.match(text, 'Unsecured term loan due 2027|12,000|—\n677,388|649,467\n')
})

t.test('texts with bars, and lines of figures that are no rows, stay as they are', async t => {
  const withBars = `${table}\nNotes | 5 | 6\n`
  t.equal(withRowsOfCells(note(withBars)).text, withBars)
  const pages =
    'The company has notes outstanding.\n41\nThe notes bear interest.\n42\nThey are secured.\n43\n'
  t.equal(withRowsOfCells(note(pages)).text, pages)
  const other = section(table, { section_type: 'mda_liquidity', doc_type: '10-K' })
  t.equal(withRowsOfCells(other).text, table)
})
