import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { SaxesParser } from 'saxes'
import { formatDay, parseDay } from '../credit/calendar.ts'
import { type Archive, fileSource, type Scratch } from './archive.ts'
import { Refused, type SourceFile } from './readers/reader.ts'

// Excel workbooks (.xlsx) become one CSV file a sheet, which any reader or table takes: what a spreadsheet shows as a day is
// written as a day, a percentage with its sign, and blank rows stay, so that positions are those of the sheet.

const WORKBOOK = 'xl/workbook.xml'
const MOST_COLUMNS = 16_384
const MOST_ROWS = 1_048_576

/** Whether the members of an archive are those of an Excel workbook. */
export const isWorkbook = (members: readonly string[]): boolean => members.includes(WORKBOOK)

/** The sheets of a workbook as members, each opened as CSV. */
export async function workbookSheets(archive: Archive, scratch: Scratch): Promise<Archive> {
  const targets = new Map<string, string>()
  await scan(await archive.open('xl/_rels/workbook.xml.rels'), (name, attributes) => {
    if (name === 'Relationship') targets.set(attributes['Id'] ?? '', attributes['Target'] ?? '')
  })
  const sheets = new Map<string, string>()
  let epoch = parseDay('1899-12-30')
  await scan(await archive.open(WORKBOOK), (name, attributes) => {
    if (name === 'workbookPr' && /^(1|true)$/.test(attributes['date1904'] ?? ''))
      epoch = parseDay('1904-01-01')
    const target = name === 'sheet' ? targets.get(attributes['id'] ?? '') : undefined
    const member = target?.startsWith('/') ? target.slice(1) : `xl/${target}`
    if (target !== undefined && archive.members.includes(member))
      sheets.set(attributes['name'] ?? member, member)
  })
  if (sheets.size === 0) throw new Refused('is a workbook without a sheet of cells')
  const shared = await sharedStrings(archive)
  const kinds = await numberKinds(archive)
  return {
    ...archive,
    members: [...sheets.keys()],
    async open(sheet) {
      const target = scratch()
      await writeSheet(await archive.open(sheets.get(sheet)!), target, { shared, kinds, epoch })
      return fileSource(archive.nameOf(sheet), target, scratch)
    },
  }
}

type Attributes = Readonly<Record<string, string>>

interface Events {
  open(name: string, attributes: Attributes): void
  /** With the text since the last tag. */
  close?(name: string, text: string): void
  /** After each piece of the file. */
  flush?(): Promise<void>
}

/** Reads an XML part as events; names lose their namespace. */
async function parse(file: SourceFile, { open, close, flush }: Events): Promise<void> {
  const parser = new SaxesParser()
  const local = (name: string) => name.slice(name.indexOf(':') + 1)
  let text = ''
  parser.on('opentag', ({ name, attributes }) => {
    text = ''
    const named = Object.entries(attributes as Attributes).map(([key, value]) => [local(key), value])
    open(local(name), Object.fromEntries(named))
  })
  parser.on('text', part => {
    text += part
  })
  parser.on('cdata', part => {
    text += part
  })
  parser.on('closetag', ({ name }) => {
    close?.(local(name), text)
    text = ''
  })
  parser.on('error', error => {
    throw new Refused(`is not a valid workbook: ${error.message}`)
  })
  const source = await file.open()
  source.setEncoding('utf8')
  for await (const chunk of source as AsyncIterable<string>) {
    parser.write(chunk)
    await flush?.()
  }
  parser.close()
  await flush?.()
}

const scan = (file: SourceFile, open: Events['open']): Promise<void> => parse(file, { open })

/** Texts that cells refer to by number, without their phonetic readings. */
async function sharedStrings(archive: Archive): Promise<readonly string[]> {
  const texts: string[] = []
  const part = 'xl/sharedStrings.xml'
  if (!archive.members.includes(part)) return texts
  let whole = ''
  let isPhonetic = false
  await parse(await archive.open(part), {
    open(name) {
      if (name === 'si') whole = ''
      if (name === 'rPh') isPhonetic = true
    },
    close(name, text) {
      if (name === 't' && !isPhonetic) whole += text
      else if (name === 'rPh') isPhonetic = false
      else if (name === 'si') texts.push(whole)
    },
  })
  return texts
}

/** What a number stands for, by the style of its cell. */
type NumberKind = 'number' | 'day' | 'percent'

// Numbers of formats that files do not spell out (ECMA-376, part 1, 18.8.30).
const isBuiltInDay = (id: number): boolean =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)
const isBuiltInPercent = (id: number): boolean => id === 9 || id === 10

/** Formats are short; text in quotes and brackets is no format. At most 200 characters. */
function kindOfFormat(code: string): NumberKind {
  const bare = code
    .slice(0, 200)
    .replace(/"[^"]{0,100}"|\\.|\[[^\]]{0,60}\]/g, '')
    .toLowerCase()
  if (/[yd]/.test(bare) && !/general/.test(bare)) return 'day'
  return bare.includes('%') ? 'percent' : 'number'
}

/** The kind of number of each cell style. */
async function numberKinds(archive: Archive): Promise<readonly NumberKind[]> {
  const part = 'xl/styles.xml'
  if (!archive.members.includes(part)) return []
  const formats = new Map<number, NumberKind>()
  const kinds: NumberKind[] = []
  let isCellStyle = false
  await parse(await archive.open(part), {
    open(name, attributes) {
      if (name === 'cellXfs') isCellStyle = true
      if (name === 'numFmt')
        formats.set(Number(attributes['numFmtId']), kindOfFormat(attributes['formatCode'] ?? ''))
      if (name !== 'xf' || !isCellStyle) return
      const id = Number(attributes['numFmtId'] ?? 0)
      const builtIn = isBuiltInDay(id) ? 'day' : isBuiltInPercent(id) ? 'percent' : 'number'
      kinds.push(formats.get(id) ?? builtIn)
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false
    },
  })
  return kinds
}

interface Texts {
  readonly shared: readonly string[]
  readonly kinds: readonly NumberKind[]
  /** The day of number 0. */
  readonly epoch: number
}

/** The column of a reference such as `AB12`, from 0; null if it is none. */
function columnOf(reference: string): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0]
  if (letters === undefined) return null
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

const HOUR = 3600
const two = (value: number): string => String(value).padStart(2, '0')

/** A cell as a spreadsheet would show it, numbers in full. */
function cellText(type: string, style: number, text: string, { shared, kinds, epoch }: Texts): string {
  if (type === 's') return shared[Number(text)] ?? ''
  if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE'
  if (type === 'e') return ''
  if (type === 'str' || type === 'inlineStr' || type === 'd') return text
  const value = Number(text)
  if (text.trim() === '' || Number.isNaN(value)) return text
  const kind = kinds[style] ?? 'number'
  if (kind === 'percent') return `${Number((value * 100).toPrecision(15))}%`
  if (kind === 'number' || value < 0 || value > 2_958_465) return String(value)
  const seconds = Math.round((value - Math.floor(value)) * 24 * HOUR)
  const day = formatDay(epoch + Math.floor(value))
  if (seconds === 0) return day
  return `${day}T${two(Math.floor(seconds / HOUR))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

const quoted = (cell: string): string =>
  /[",\r\n]/.test(cell) || cell !== cell.trim() ? `"${cell.replaceAll('"', '""')}"` : cell

/** Writes a sheet as CSV: every row has as many cells as the widest row above it. */
async function writeSheet(sheet: SourceFile, target: string, texts: Texts): Promise<void> {
  const out = createWriteStream(target)
  let waiting = ''
  let cells: string[] = []
  let [row, width, column, style] = [0, 0, -1, 0]
  let type = ''
  let value = ''
  let isInline = false
  await parse(sheet, {
    open(name, attributes) {
      if (name === 'row') {
        const next = Number(attributes['r'] ?? row + 1)
        if (!(next > row) || next > MOST_ROWS)
          throw new Refused(`is not a valid workbook: row ${attributes['r']}`)
        for (; row + 1 < next; row++) waiting += '\n'
        row = next
        cells = []
        column = -1
      } else if (name === 'c') {
        column = columnOf(attributes['r'] ?? '') ?? column + 1
        if (column >= MOST_COLUMNS) throw new Refused(`is not a valid workbook: cell ${attributes['r']}`)
        style = Number(attributes['s'] ?? 0)
        type = attributes['t'] ?? 'n'
        value = ''
      } else if (name === 'is') isInline = true
    },
    close(name, text) {
      if (name === 'v' || (name === 't' && isInline)) value += text
      else if (name === 'is') isInline = false
      else if (name === 'c') {
        while (cells.length < column) cells.push('')
        cells[column] = cellText(type, style, value, texts)
      } else if (name === 'row') {
        const isBlank = cells.every(cell => cell.trim() === '')
        width = Math.max(width, cells.length)
        while (!isBlank && cells.length < width) cells.push('')
        waiting += isBlank ? '\n' : `${cells.map(quoted).join(',')}\n`
      }
    },
    async flush() {
      if (waiting === '') return
      const isFull = !out.write(waiting)
      waiting = ''
      if (isFull) await once(out, 'drain')
    },
  })
  out.end()
  await finished(out)
}
