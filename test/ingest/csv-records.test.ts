import t from 'tap'
import { cellsOf, csvRecords, headLines } from '../../engine/ingest/readers/csv-records.ts'
import { dateIn, numberIn, textIn } from '../../engine/ingest/readers/source-cells.ts'
import { sourceOf } from './reading.ts'

const all = async (text: string, chunk?: number) => {
  const records = []
  for await (const record of csvRecords(sourceOf(text, chunk))) records.push(record)
  return records
}

t.test('rows are numbered as in a spreadsheet, blank lines included', async t => {
  const records = await all('\uFEFFa,b\r\n\r\n"x, ""y""\nz",2\r\nonly\r\n', 3)
  t.strictSame(records, [
    { row: 1, at: 'row 1', cells: ['a', 'b'], raw: 'a,b' },
    { row: 3, at: 'row 3', cells: ['x, "y"\nz', '2'], raw: '"x, ""y""\nz",2' },
    { row: 4, at: 'row 4', cells: ['only'], raw: 'only' },
  ])
})

t.test('an unclosed quote is reported by its row', t =>
  t.rejects(all('a,b\n1,2\n"3,4\n5,6\n'), { name: 'Refused', message: /^row 3 is not valid CSV/ }),
)

t.test('a header line is split into cells without reading the file', async t => {
  t.strictSame(cellsOf('Date,"1 Mo","a ""b"", c",,'), ['Date', '1 Mo', 'a "b", c', '', ''])
  t.strictSame(cellsOf(''), [''])
  t.strictSame(headLines(sourceOf('\uFEFF\n a , b \r\n1,2\n3,4'), 2), [
    ['a', 'b'],
    ['1', '2'],
  ])
})

t.test('figures and days are read in the forms of the sources only', async t => {
  t.strictSame(['1,234.50', '-', '', '(12.5)', '5.25%', '1E-3', '-0.5', 'N/A', '$3', '.5'].map(numberIn), [
    1234.5,
    null,
    null,
    -12.5,
    5.25,
    0.001,
    -0.5,
    null,
    3,
    0.5,
  ])
  for (const text of ['12abc', '1,23', '0x10', '1.2.3', '(5', '१२']) t.ok(Number.isNaN(numberIn(text)), text)
  t.strictSame(
    [
      '2025-12-17',
      '12/7/2025',
      'Dec 17, 2025',
      'December 17, 2025',
      '17-Dec-2025',
      '17/Dec/2025',
      '20251217',
      '2025-12-17T00:00:00',
    ].map(dateIn),
    ['2025-12-17', '2025-12-07', ...Array(6).fill('2025-12-17')],
  )
  for (const text of ['2025-02-30', '13/01/2025', '0', 'Foo 1, 2025', '', '2025-1-1'])
    t.equal(dateIn(text), null, text)
  t.strictSame([textIn(' NA '), textIn('-'), textIn('N/A'), textIn(undefined)], ['NA', null, null, null])
})
