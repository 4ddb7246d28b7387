import t from 'tap'
import { decode } from '../../engine/filing/characters.ts'
import { htmlLines } from '../../engine/filing/html-lines.ts'
import { plainLines } from '../../engine/filing/plain-lines.ts'

const texts = (html: string): string[] => htmlLines(html).blocks.map(({ text }) => text)

t.test('a table row is one line, with signs joined to their numbers', async t => {
  const html =
    '<table><tr><td>Senior notes</td><td>$</td><td>1,250</td><td></td><td>(</td><td>3.5</td><td>)%</td></tr></table>'
  t.strictSame(texts(html), ['Senior notes | $1,250 | (3.5)%'])
})

t.test('scripts, styles, hidden facts and titles are not text', async t => {
  const html =
    '<html><head><title>x</title><style>a{}</style></head><body><script>alert(1)</script>' +
    '<div style="display: none"><ix:header>hidden</ix:header></div><p>Our notes &lt;b&gt; mature</p></body></html>'
  t.strictSame(texts(html), ['Our notes <b> mature'])
})

t.test('wrongly decoded characters are repaired', async t => {
  t.strictSame(texts('<p>The Companyâ€™s 5&#189;% notes &#147;2030&#148;&nbsp;&nbsp;CrÃ©dit</p>'), [
    'The Company’s 5½% notes “2030” Crédit',
  ])
})

t.test('bytes that are not UTF-8 are windows-1252, whatever the document declares', async t => {
  const bytes = Buffer.from(
    '<?xml encoding="UTF-8"?><p>\x93Notes\x94 \x96 \x80100\xa0million \xa7 4</p>',
    'latin1',
  )
  t.strictSame(texts(decode(bytes)), ['“Notes” – €100 million § 4'])
  t.strictSame(texts(decode(Buffer.from('<p>“Notes” – €5</p>'))), ['“Notes” – €5'])
})

t.test('unknown entities stay as written', async t => {
  t.strictSame(texts('<p>AT&T &bogus; &#146;s &#x2013; &lt;script&gt;alert(1)&lt;/script&gt; 5 &lt 6</p>'), [
    'AT&T &bogus; ’s – <script>alert(1)</script> 5 < 6',
  ])
})

t.test('lines of plain text may end in carriage returns alone', async t => {
  t.strictSame(
    plainLines('Item 1. Business\r\rWe make pipes.\r\rItem 2. Properties').blocks.map(({ text }) => text),
    ['Item 1. Business', 'We make pipes.', 'Item 2. Properties'],
  )
})

t.test('broken markup still gives its lines', async t => {
  t.strictSame(texts('<table><tr><td>A<td>B<tr><td>C</table></td></div><p>D<p>E</b><table><tr><td>F'), [
    'A | B',
    'C',
    'D',
    'E',
    'F',
  ])
})

t.test('a table inside a cell does not swallow the cell', async t => {
  const html =
    '<table><tr><td>Outer<table><tr><td>In</td><td>ner</td></tr></table></td><td>after</td></tr></table>'
  t.strictSame(texts(html), ['Outer', 'In | ner', 'after'])
})

t.test('pages are counted by page breaks, and offsets refer to the source', async t => {
  const html = '<p>First</p><hr style="page-break-after:always"><p>Second</p>'
  const { blocks } = htmlLines(html)
  t.strictSame(
    blocks.map(({ text, page }) => [text, page]),
    [
      ['First', 1],
      ['Second', 2],
    ],
  )
  t.equal(html.slice(blocks[1]!.at, blocks[1]!.end), '<p>Second</p>')
})

t.test('text aligned with blanks is read as paragraphs and rows', async t => {
  const html =
    '<pre>\n          ARTICLE VI\n\n     The Borrower shall not permit its ratio of debt to\nEBITDA to be more than 4.50 to 1.00 at any time.\n\nFacility A        100,000\n</pre>'
  t.strictSame(texts(html), [
    'ARTICLE VI',
    'The Borrower shall not permit its ratio of debt to EBITDA to be more than 4.50 to 1.00 at any time.',
    'Facility A | 100,000',
  ])
})

t.test('unclosed deeply nested tags are refused, a word of half a million letters is read', async t => {
  t.strictSame(texts(`${'<div><b>'.repeat(1000)}deep`), ['deep'])
  t.throws(() => texts(`${'<div><b>'.repeat(100_000)}deep`), /nested more than 5000 deep/)
  t.equal(texts(`<p>${'x'.repeat(500_000)}</p>`)[0]!.length, 500_000)
})
