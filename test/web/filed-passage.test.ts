import t from 'tap'
import {
  type FiledSection,
  filedPassage,
  labelWords,
  linesAround,
  placeOf,
  printedForms,
  questionFor,
} from '../../server/web/show/filed-passage.ts'

const debt = {
  concept: 'us-gaap:LongTermDebtNoncurrent',
  value: 85_750_000_000,
  unit: 'USD',
  period_end: '2024-09-28',
  accession: '0000320193-24-000123',
  form: '10-K',
}

t.test('a figure is looked for as filings print it', async t => {
  t.strictSame(printedForms(debt), [
    '85,750,000,000',
    '85,750,000',
    '85,750,000.0',
    '85,750',
    '85,750.0',
    '85.75',
  ])
  t.strictSame(printedForms({ ...debt, value: -debt.value }), printedForms(debt), 'whatever its sign')
  t.ok(printedForms({ value: 22_394_400_000, unit: 'USD' }).includes('22,394.4'))
  t.strictSame(printedForms({ value: 12_345, unit: 'USD cents' }), ['123.45'])
  t.strictSame(printedForms({ value: 'USD' }), [])
  t.equal(questionFor({ value: 1_500, unit: 'USD' }), '"1,500" OR "1.5"')
})

t.test('the words of a line are those of its tag', async t => {
  t.strictSame(labelWords(debt), ['long', 'term', 'debt', 'noncurrent'])
  t.strictSame(labelWords({ item: 'cash_and_equivalents' }), ['cash', 'equivalents'])
})

t.test('of several places the one that names the figure is shown', async t => {
  const content =
    'Total liabilities | 85,750 | 1\nLong-term debt, noncurrent | 85,750 | 95,281\nOther | 185,750 | 85,7501'
  const place = placeOf(content, debt)!
  t.equal(content.slice(place.start, place.end), '85,750')
  t.equal(content.lastIndexOf('\n', place.start), content.indexOf('\n'), 'in the second line')
  t.equal(placeOf('185,750 and 85,750.5 and 85,7501', debt), null, 'not within other numbers')
  const few = { ...debt, value: 820_000_000 }
  t.equal(placeOf('page 820', few), null, 'a short number needs its name')
  t.ok(placeOf('Long-term debt | 820', few))
})

const section = (of: Partial<FiledSection>): FiledSection => ({
  id: 'a',
  accession: null,
  doc_type: '10-K',
  filing_date: null,
  period_end_date: null,
  section_title: null,
  source_url: null,
  content: 'Total long-term debt | 85,750',
  ...of,
})

t.test('the filing itself comes before others that repeat the figure', async t => {
  const other = section({ id: 'other', accession: '0000320193-25-000001' })
  const same = section({ id: 'same', accession: debt.accession, content: 'of $85,750 million' })
  t.match(filedPassage([other, same], debt), { section: { id: 'same' }, isSameFiling: true })
  t.match(filedPassage([other], debt), { section: { id: 'other' }, isSameFiling: false })
  const undated = section({ id: 'undated', period_end_date: debt.period_end })
  t.match(filedPassage([other, undated], debt), { section: { id: 'undated' }, isSameFiling: true })
  const unnamed = section({ accession: '0000320193-25-000001', content: 'Inventories | 85,750' })
  t.equal(filedPassage([unnamed], debt), null, 'another filing must name the figure')
  t.equal(filedPassage([], debt), null)
})

t.test('the lines around are rows of tables and paragraphs, the figure marked once', async t => {
  const content = 'Debt\n\nTerm debt | $85,750 | $95,281\nThe Company has notes.'
  const start = content.indexOf('85,750')
  const lines = linesAround(content, { start, end: start + 6 })
  t.strictSame(
    lines.map(({ cells }) => cells.map(({ text }) => text)),
    [['Debt'], ['Term debt', '$85,750', '$95,281'], ['The Company has notes.']],
  )
  t.strictSame(
    lines.flatMap(({ cells }) =>
      cells.filter(cell => cell.isMarked).map(cell => content.slice(cell.at, cell.at + 7)),
    ),
    ['$85,750'],
  )
  const long = `${'x\n'.repeat(9_000)}${content}${'\ny'.repeat(9_000)}`
  t.ok(
    linesAround(long, { start: 18_000 + start, end: 18_006 + start }).length < 6_000,
    'not the whole section',
  )
})
