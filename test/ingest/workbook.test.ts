import t from 'tap'
import { cusipCheckDigit } from '../../engine/credit/identifiers.ts'
import { ingest } from '../../engine/ingest/ingest.ts'
import { makeFolder, refusedIn, rowsOf } from './lake-rows.ts'
import { makeZip } from './make-zip.ts'

const CUSIP = `998ACM1A${cusipCheckDigit('998ACM1A')}`

const RELS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** A cell: text (shared), a number, or a number with the index of its style. */
type Cell = string | number | readonly [value: number, style: number]

/** A workbook as Excel saves it: shared strings, references in cells, days and percentages as styled numbers. */
function workbookOf(sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>): Buffer {
  const shared: string[] = []
  const cellXml = (cell: Cell, at: string): string => {
    if (cell === '') return ''
    if (typeof cell === 'string')
      return `<c r="${at}" t="s"><v>${(shared.includes(cell) ? shared.indexOf(cell) : shared.push(cell) - 1).toString()}</v></c>`
    const [value, style] = typeof cell === 'number' ? [cell, 0] : cell
    return `<c r="${at}" s="${style}"><v>${value}</v></c>`
  }
  const parts = Object.values(sheets).map(rows =>
    rows
      .map((cells, row) =>
        cells.length === 0
          ? ''
          : `<row r="${row + 1}">${cells.map((cell, i) => cellXml(cell, `${String.fromCharCode(65 + i)}${row + 1}`)).join('')}</row>`,
      )
      .join(''),
  )
  const names = Object.keys(sheets)
  return makeZip([
    { name: '[Content_Types].xml', content: '<Types/>' },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${MAIN}" xmlns:r="${RELS}"><sheets>${names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships>${names.map((_, i) => `<Relationship Id="rId${i + 1}" Type="x" Target="worksheets/sheet${i + 1}.xml"/>`).join('')}</Relationships>`,
    },
    {
      name: 'xl/styles.xml',
      content:
        '<styleSheet><numFmts count="1"><numFmt numFmtId="170" formatCode="[$-409]d\\-mmm\\-yyyy"/></numFmts>' +
        '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="170"/></cellXfs></styleSheet>',
    },
    ...parts.map((rows, i) => ({
      name: `xl/worksheets/sheet${i + 1}.xml`,
      content: `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
    })),
    {
      name: 'xl/sharedStrings.xml',
      content: `<sst>${shared.map(text => `<si><r><t>${text.slice(0, 2)}</t></r><r><t>${text.slice(2)}</t></r><rPh><t>x</t></rPh></si>`).join('')}</sst>`,
    },
  ])
}

const [DAY, PERCENT, NAMED_DAY] = [1, 2, 3]

t.test(
  'the holdings of a fund are read from a workbook, with days and percentages as a spreadsheet shows them',
  async t => {
    const { lake, put } = await makeFolder(t)
    const book = workbookOf({
      holdings: [
        ['Fund Name:', 'Zed Short Term Corporate Bond ETF'],
        ['Ticker Symbol:', 'ZZSB'],
        ['Holdings:', 'As of 25-Nov-2024'],
        [],
        [
          'Name',
          'Identifier',
          'SEDOL',
          'Weight',
          'Coupon',
          'Par Value',
          'Market Value',
          'Local Currency',
          'Maturity',
        ],
        ['ACME CORP, SR', CUSIP, 'B000001', [0.0021, PERCENT], 4.35, 13500000, 13462470, 'USD', [46827, DAY]],
        [
          'BRAVO CORP',
          '',
          'B000002',
          [0.0021, PERCENT],
          4.125,
          1000000,
          994990.00000000012,
          'USD',
          [46827, NAMED_DAY],
        ],
        ['US DOLLAR', 'CASHUSD', '', [0.0001, PERCENT], '', 1000, 1000, 'USD', ''],
        [],
        ['Past performance is no guarantee.'],
      ],
      notes: [['Nothing of interest']],
    })
    const { files } = await ingest(lake, [await put('holdings.xlsx', book)])
    t.match(files, [{ status: 'taken', accepted: 2, kinds: ['holdings'] }])
    const prices = await rowsOf(
      lake,
      'prices',
      'cusip, bond_id, price, CAST(price_date AS VARCHAR) AS day, list_name',
      'cusip NULLS LAST',
    )
    t.strictSame(prices, [
      {
        cusip: CUSIP,
        bond_id: null,
        price: 99.722,
        day: '2024-11-25',
        list_name: 'Zed Short Term Corporate Bond ETF',
      },
      {
        cusip: null,
        bond_id: 'BRAVO CORP|4.125|2028-03-15',
        price: 99.499,
        day: '2024-11-25',
        list_name: 'Zed Short Term Corporate Bond ETF',
      },
    ])
    t.strictSame(await refusedIn(lake), [
      'row 8: not a bond: cash',
      'row 10: not a holding: text of the publisher',
    ])
  },
)

t.test("a user's table in a workbook is read like one in CSV", async t => {
  const { lake, put } = await makeFolder(t)
  const book = workbookOf({
    Sheet1: [
      ['ticker', 'spread_date', 'tenor', 'spread_bps'],
      ['ACM', [45293, DAY], '5Y', 61],
    ],
  })
  const { files } = await ingest(lake, [await put('mine.xlsx', book)])
  t.match(files, [{ status: 'taken', accepted: 1, kinds: ['table of spreads'] }])
  t.strictSame(await rowsOf(lake, 'spreads', 'ticker, CAST(spread_date AS VARCHAR) AS day, spread_bps'), [
    { ticker: 'ACM', day: '2024-01-02', spread_bps: 61 },
  ])
})

t.test(
  'other documents of office programs, old ones and damaged ones are refused with what to do',
  async t => {
    const { lake, put } = await makeFolder(t)
    const broken = makeZip([
      { name: '[Content_Types].xml', content: '<Types/>' },
      { name: 'xl/workbook.xml', content: '<workbook><sheets>' },
      { name: 'xl/_rels/workbook.xml.rels', content: '<Relationships/>' },
    ])
    const { files } = await ingest(lake, [
      await put(
        'a.docx',
        makeZip([
          { name: '[Content_Types].xml', content: '<x/>' },
          { name: 'word/a.xml', content: '' },
        ]),
      ),
      await put('b.xlsx', broken),
      await put('c.xls', Buffer.from('d0cf11e0a1b11ae10000', 'hex')),
      await put(
        'd.xls',
        '<?xml version="1.0"?>\n<ss:Workbook xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"></ss:Workbook>',
      ),
    ])
    t.match(files, [
      { status: 'refused', reason: /save its tables as CSV/ },
      { status: 'refused', reason: /not a valid workbook/ },
      { status: 'unknown', reason: /before 2007: save it as .xlsx or CSV/ },
      { status: 'unknown', reason: /save it as .xlsx or CSV/ },
    ])
  },
)
