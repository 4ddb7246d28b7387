import { type Column, isNumeric } from '../../../engine/schema/column.ts'
import { isCalendarName, isSigned, memberOf, scaleOf, unitOf } from './figures.ts'
import { type ZipEntry, zip } from './zip.ts'

export interface WorkbookColumn {
  /** In the rows, with dots for members. */
  readonly name: string
  readonly title: string
  readonly column: Column
}

export interface WorkbookOptions {
  /** Name of the sheet of rows. */
  readonly sheet: string
  readonly columns: readonly WorkbookColumn[]
  readonly rows: readonly object[]
  /** What the rows are and where they come from, on the second sheet. */
  readonly about: readonly (readonly [what: string, value: string])[]
}

export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * A workbook of two sheets: rows, and what their columns mean. Figures are numbers in the unit of their heading, as the
 * explorer shows them, and a cell keeps every digit.
 */
export function workbook(options: WorkbookOptions): Promise<Blob> {
  const formats = new Formats()
  const rows = sheetOfRows(options, formats)
  const about = sheetOfColumns(options)
  return zip([
    ...frame([options.sheet, 'About']),
    { path: 'xl/worksheets/sheet1.xml', text: rows },
    { path: 'xl/worksheets/sheet2.xml', text: about },
    { path: 'xl/styles.xml', text: formats.xml() },
  ])
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The files that name the others. */
function frame(sheets: readonly string[]): ZipEntry[] {
  const numbered = sheets.map((name, i) => ({ name: sheetName(name), number: i + 1 }))
  const part = (path: string, type: string) =>
    `<Override PartName="/xl/${path}.xml" ContentType="${TYPES}.${type}+xml"/>`
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`
  const relations = (inner: string) =>
    `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${inner}</Relationships>`
  return [
    {
      path: '[Content_Types].xml',
      text: `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${part('workbook', 'sheet.main')}${part('styles', 'styles')}${numbered.map(({ number }) => part(`worksheets/sheet${number}`, 'worksheet')).join('')}</Types>`,
    },
    { path: '_rels/.rels', text: relations(relation(1, 'officeDocument', 'xl/workbook.xml')) },
    {
      path: 'xl/workbook.xml',
      text: `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${numbered.map(({ name, number }) => `<sheet name="${escaped(name)}" sheetId="${number}" r:id="rId${number}"/>`).join('')}</sheets></workbook>`,
    },
    {
      path: 'xl/_rels/workbook.xml.rels',
      text: relations(
        numbered
          .map(({ number }) => relation(number, 'worksheet', `worksheets/sheet${number}.xml`))
          .join('') + relation(sheets.length + 1, 'styles', 'styles.xml'),
      ),
    },
  ]
}

/** Excel allows 31 characters, and none of these. */
const sheetName = (name: string): string => name.replace(/[[\]:*?/\\']/g, ' ').slice(0, 31)

/** Style 0 is plain, 1 the heading; the others are number formats in the order of their first use. */
class Formats {
  private readonly codes: string[] = []

  style(code: string | null): number {
    if (code === null) return 0
    const known = this.codes.indexOf(code)
    return (known < 0 ? this.codes.push(code) - 1 : known) + 2
  }

  xml(): string {
    const FIRST_OWN = 164
    const formats = this.codes.map(
      (code, i) => `<numFmt numFmtId="${FIRST_OWN + i}" formatCode="${escaped(code)}"/>`,
    )
    const cells = this.codes.map(
      (_, i) =>
        `<xf numFmtId="${FIRST_OWN + i}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
    )
    const plain = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0"'
    const font = '<sz val="11"/><name val="Calibri"/>'
    return `${DECLARATION}<styleSheet xmlns="${MAIN}">${formats.length ? `<numFmts count="${formats.length}">${formats.join('')}</numFmts>` : ''}<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1">${plain}/></cellStyleXfs><cellXfs count="${cells.length + 2}">${plain} xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>${cells.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
  }
}

const HEADING = 1

function sheetOfRows({ columns, rows }: WorkbookOptions, formats: Formats): string {
  const headings = columns.map(({ title, column }) => {
    const unit = unitOf(column)
    return unit === undefined ? title : `${title} (${unit})`
  })
  const lines = [
    rowXml(
      1,
      headings.map(text => textCell(text, HEADING)),
    ),
    ...rows.map((row, i) =>
      rowXml(
        i + 2,
        columns.map(({ name, column }) => cellXml(column, memberOf(row, name), row, formats)),
      ),
    ),
  ]
  const widths = columns.map(({ column }, j) => Math.max(headings[j]?.length ?? 0, widthOf(column)) + 3)
  const all = `A1:${letters(Math.max(columns.length - 1, 0))}${rows.length + 1}`
  return sheetXml(lines, widths, `<autoFilter ref="${all}"/>`)
}

/** What the rows are, and each column with its unit and description. */
function sheetOfColumns({ columns, about }: WorkbookOptions): string {
  const lines = [
    ...about.map(([what, value]) => [textCell(what, HEADING), textCell(value, 0)]),
    [],
    ['Column', 'Name', 'Unit', 'Description'].map(text => textCell(text, HEADING)),
    ...columns.map(({ name, title, column }) =>
      [title, name, unitOf(column) ?? '', column.doc].map(text => textCell(text, 0)),
    ),
  ]
  return sheetXml(
    lines.map((cells, i) => rowXml(i + 1, cells)),
    [28, 28, 16, 90],
  )
}

function sheetXml(lines: readonly string[], widths: readonly number[], filter = ''): string {
  const pane = filter
    ? '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
    : ''
  const cols = widths
    .map((width, j) => `<col min="${j + 1}" max="${j + 1}" width="${width}" customWidth="1"/>`)
    .join('')
  return `${DECLARATION}<worksheet xmlns="${MAIN}">${pane}${cols && `<cols>${cols}</cols>`}<sheetData>${lines.join('')}</sheetData>${filter}</worksheet>`
}

/** A cell without its place. */
type Cell = { readonly attributes: string; readonly inner: string } | null

const rowXml = (number: number, cells: readonly Cell[]): string =>
  `<row r="${number}">${cells.map((cell, j) => (cell ? `<c r="${letters(j)}${number}"${cell.attributes}>${cell.inner}</c>` : '')).join('')}</row>`

/** A, B, …, Z, AA. */
const letters = (index: number): string =>
  (index >= 26 ? letters(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))

/** Longer texts make a workbook that Excel calls damaged. */
const LONGEST = 32_767

function textCell(text: string, style: number): Cell {
  if (text === '') return null
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
  return {
    attributes: ` t="inlineStr"${style ? ` s="${style}"` : ''}`,
    inner: `<is><t xml:space="preserve">${escaped(cut)}</t></is>`,
  }
}

const numberCell = (value: number, style: number): Cell => ({
  attributes: style ? ` s="${style}"` : '',
  inner: `<v>${value}</v>`,
})

/** Text cells are never formulas, whatever they begin with. */
function cellXml(column: Column, value: unknown, row: object, formats: Formats): Cell {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return { attributes: ' t="b"', inner: `<v>${value ? 1 : 0}</v>` }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return null
    return numberCell(value / scaleOf(column), formats.style(formatOf(column, memberOf(row, 'currency'))))
  }
  const day = column.kind === 'date' || column.kind === 'timestamp' ? serialOf(String(value)) : null
  if (day !== null)
    return numberCell(day, formats.style(column.kind === 'date' ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm'))
  if (Array.isArray(value)) return textCell(value.map(plain).join(', '), 0)
  return textCell(plain(value), 0)
}

const plain = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

const DAY_MS = 86_400_000
const EPOCH = Date.UTC(1899, 11, 30)
/** Excel has a 29 February 1900, so earlier days would be off by one. */
const EARLIEST = 61

/** Days since Excel's epoch; null for what it cannot hold. */
function serialOf(text: string): number | null {
  const serial = (Date.parse(text) - EPOCH) / DAY_MS
  return serial >= EARLIEST ? serial : null
}

/** The number format of a column: decimals and signs as in the explorer, and a foreign currency on its figures. */
function formatOf(column: Column, currency: unknown): string | null {
  const { kind, unit } = column
  if (!isNumeric(column)) return null
  if (kind === 'cents')
    return typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) && currency !== 'USD'
      ? `#,##0.0" ${currency}"`
      : '#,##0.0'
  if (kind === 'percent') return '0.00'
  if (kind === 'ratio') return unitOf(column) === 'x' ? '0.0"x"' : '0.00'
  if (kind === 'years') return '0.0'
  if (kind === 'bps' || unit === 'basis points') return isSigned(column) ? '+#,##0;-#,##0;0' : '#,##0'
  if (unit === 'cents per 100 par') return '#,##0'
  if (kind === 'integer') return isCalendarName(column) ? '0' : '#,##0'
  return unit === undefined ? null : '#,##0.00'
}

const widthOf = ({ kind }: Column): number =>
  kind === 'text' || kind === 'list' || kind === 'json' ? 18 : 10

/** XML text. What XML cannot hold, and what reads like its escape, is written as Excel escapes it. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000d\u000e-\u001f\ufffe\uffff]/g,
      c => `_x${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
