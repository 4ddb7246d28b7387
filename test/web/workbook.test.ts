import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { SaxesParser } from 'saxes'
import t from 'tap'
import { openPromise } from 'yauzl'
import { bonds } from '../../engine/schema/resources/bonds.ts'
import { companies } from '../../engine/schema/resources/companies.ts'
import { titleOf } from '../../server/web/show/words.ts'
import { type WorkbookOptions, workbook } from '../../server/web/show/workbook.ts'
import { testFolder } from '../folder.ts'

/** The files of a workbook, each of which is well-formed XML. */
async function opened(options: WorkbookOptions): Promise<Readonly<Record<string, string>>> {
  const file = join(testFolder(t), 'saved.xlsx')
  writeFileSync(file, new Uint8Array(await (await workbook(options)).arrayBuffer()))
  const archive = await openPromise(file)
  const files: Record<string, string> = {}
  for await (const entry of archive.eachEntry()) {
    const text = await textOf(await archive.openReadStreamPromise(entry))
    const parser = new SaxesParser()
    parser.on('error', error => t.fail(`${entry.fileName}: ${error.message}`))
    parser.write(text).close()
    files[entry.fileName] = text
  }
  return files
}

interface Cell {
  readonly value: string
  /** Its number format. */
  readonly format: string | null
}

/** Cells of the first sheet by place. */
function cellsOf(files: Readonly<Record<string, string>>): Readonly<Record<string, Cell>> {
  const styles = files['xl/styles.xml'] ?? ''
  const codes = new Map(
    [...styles.matchAll(/numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [id, code]),
  )
  const cellXfs = /<cellXfs.*<\/cellXfs>/.exec(styles)?.[0] ?? ''
  const formats = [...cellXfs.matchAll(/<xf numFmtId="(\d+)"/g)].map(([, id]) => codes.get(id) ?? null)
  const found: Record<string, Cell> = {}
  const cell = /<c r="([A-Z]+\d+)"(?: t="\w+")?(?: s="(\d+)")?>(?:<v>|<is><t[^>]*>)(.*?)(?:<\/v>|<\/t>)/gs
  for (const [, at = '', style = '0', value = ''] of (files['xl/worksheets/sheet1.xml'] ?? '').matchAll(cell))
    found[at] = { value, format: formats[Number(style)]?.replaceAll('&quot;', '"') ?? null }
  return found
}

const about = [['As of', '2026-01-02']] as const
const named = (columns: typeof bonds.columns | typeof companies.columns, ...names: string[]) =>
  names.map(name => ({
    name,
    title: titleOf(name),
    column: (columns as typeof bonds.columns)[name as 'cusip'],
  }))

t.test('figures are numbers in the unit of their heading, with the desk’s formats', async t => {
  const files = await opened({
    sheet: 'Bonds',
    columns: named(
      bonds.columns,
      'display_name',
      'coupon_rate',
      'maturity_date',
      'outstanding',
      'pricing.spread',
    ),
    rows: [
      {
        display_name: 'ALFA 5.25 30',
        coupon_rate: 5.25,
        maturity_date: '2030-06-15',
        outstanding: 123_456_789_01,
        'pricing.spread': 134,
        currency: 'USD',
      },
      {
        display_name: '=1+1',
        coupon_rate: null,
        maturity_date: null,
        outstanding: 5e10,
        pricing: { spread: -3 },
        currency: 'EUR',
      },
    ],
    about,
  })
  const cells = cellsOf(files)
  t.strictSame(cells, {
    A1: { value: 'Display name', format: null },
    B1: { value: 'Coupon rate (%)', format: null },
    C1: { value: 'Maturity date', format: null },
    D1: { value: 'Outstanding ($mm)', format: null },
    E1: { value: 'Spread (bp)', format: null },
    A2: { value: 'ALFA 5.25 30', format: null },
    B2: { value: '5.25', format: '0.00' },
    C2: { value: '47649', format: 'yyyy-mm-dd' },
    D2: { value: '123.45678901', format: '#,##0.0' },
    E2: { value: '134', format: '+#,##0;-#,##0;0' },
    A3: { value: '=1+1', format: null },
    D3: { value: '500', format: '#,##0.0" EUR"' },
    E3: { value: '-3', format: '+#,##0;-#,##0;0' },
  })
  t.notMatch(files['xl/worksheets/sheet1.xml'], '<f>', 'no text is a formula')
  t.match(files['xl/worksheets/sheet1.xml'], '<autoFilter ref="A1:E3"/>')
  t.match(files['xl/worksheets/sheet2.xml'], bonds.columns.coupon_rate.doc.replaceAll('"', '&quot;'))
  t.match(files['xl/worksheets/sheet2.xml'], '2026-01-02')
})

t.test(
  'a workbook holds any text: markup, control characters, unpaired halves, and more than fits',
  async t => {
    const text = (value: unknown) => [{ ticker: value }]
    const value = async (given: unknown) =>
      cellsOf(
        await opened({
          sheet: 'A/B [1]',
          columns: named(companies.columns, 'ticker'),
          rows: text(given),
          about,
        }),
      )['A2']?.value
    t.equal(await value('</t></is><f>1</f> & "'), '&lt;/t&gt;&lt;/is&gt;&lt;f&gt;1&lt;/f&gt; &amp; &quot;')
    t.equal(await value('a\u0000b\u001fc\rd'), 'a_x0000_b_x001F_c_x000D_d')
    t.equal(await value('_x0041_'), '_x005F_x0041_', 'and is not read as A')
    t.equal(await value('a\ud800b'), 'a\ufffdb')
    t.equal((await value('x'.repeat(40_000)))?.length, 32_767)
    t.equal(await value(['a', 'b']), 'a, b')
    t.equal(await value(Number.NaN), undefined, 'an empty cell')
  },
)

t.test('a sheet may have more than 26 columns, and no rows', async t => {
  const column = { kind: 'date', doc: 'A day.', nullable: true } as const
  const columns = Array.from({ length: 53 }, (_, i) => ({ name: `c${i}`, title: `c${i}`, column }))
  const none = await opened({ sheet: 'Wide', columns, rows: [], about })
  t.match(Object.keys(cellsOf(none)).at(-1), 'BA1')
  t.match(none['xl/workbook.xml'], 'name="Wide"')
  const early = await opened({
    sheet: 'Wide',
    columns,
    rows: [{ c0: '1900-02-01', c1: '1900-03-01' }],
    about,
  })
  const cells = cellsOf(early)
  t.strictSame(cells['A2'], { value: '1900-02-01', format: null }, 'Excel’s February 1900 is a day too long')
  t.strictSame(cells['B2'], { value: '61', format: 'yyyy-mm-dd' })
})
