import { Parser } from 'htmlparser2'
import { append } from '../base/lists.ts'
import type { Block, Cell, Lines } from './block.ts'
import { oneLine, repaired } from './characters.ts'
import { breaksPage, type Frame, frameOf, ROOT } from './html-style.ts'
import { flow, type RawLine } from './plain-lines.ts'
import { rowText } from './row-text.ts'
import { looks, merged, StyledText } from './styled-text.ts'
import { TextBlockSpans } from './text-block-spans.ts'

/** Tags that begin and end a line. */
const LINE = new Set(
  'p div h1 h2 h3 h4 h5 h6 li ul ol dl dt dd br hr table tbody thead tfoot center blockquote pre body section article page'.split(
    ' ',
  ),
)
const VOID = new Set(['br', 'hr', 'img', 'input', 'meta', 'link', 'col', 'wbr', 'area', 'base', 'page'])

/** Maximum depth of open tags; real filings have some tens. */
const DEEPEST = 5000

interface OpenCell extends Pick<Cell, 'from' | 'to'> {
  readonly text: StyledText
  readonly lines: string[]
}

interface Row {
  readonly at: number
  readonly cells: OpenCell[]
  /** The first free column. */
  next: number
  /** The cell that text goes to: the last one, until it ends. */
  open: OpenCell | null
}

interface Table {
  row: Row | null
  /** How many more rows the cells above reach into, by column. */
  readonly spanned: Map<number, number>
}

type Attributes = Readonly<Record<string, string>>

/** Reads HTML, however broken, with or without inline XBRL, into lines. Text inside `<pre>` keeps its line breaks. */
export function htmlLines(source: string): Lines {
  const reader = new LineReader()
  const parser: Parser = new Parser(
    {
      onopentag: (tag, attributes) => reader.open(tag, attributes, parser.startIndex),
      ontext: text => reader.text(text, parser.startIndex),
      onclosetag: tag => reader.close(tag, parser.endIndex + 1),
    },
    { recognizeSelfClosing: true, decodeEntities: true },
  )
  parser.write(source)
  parser.end()
  return reader.finish(source.length)
}

/** Turns tags and texts, in source order, into lines, table rows and tagged facts. */
class LineReader {
  private readonly blocks: Block[] = []
  private readonly facts = new Map<string, string>()
  private readonly pageBreaks: number[] = []
  private readonly spans = new TextBlockSpans()
  private readonly stack: Frame[] = [ROOT]
  private readonly tables: Table[] = []
  /** Lines of `<pre>` that are not yet paragraphs and rows. */
  private rawLines: RawLine[] = []
  private line = new StyledText()
  /** Where the current line begins in the source. */
  private at: number | null = null
  /** Where a line that ends now ends in the source. */
  private endAt = 0
  private anchors: string[] = []
  private page = 1
  /** The tagged fact about the document whose text is being read. */
  private fact: { name: string; text: string; depth: number } | null = null

  open(tag: string, attributes: Attributes, at: number): void {
    const style = attributes['style'] ?? ''
    this.endAt = at
    const frame = frameOf(tag, attributes, this.top)
    if (breaksPage(style, 'before') || tag === 'page') this.turnPage(at)
    if (LINE.has(tag)) this.endLine()
    this.openPart(tag, attributes, at)
    const anchor = attributes['id'] ?? (tag === 'a' ? attributes['name'] : undefined)
    if (anchor) this.anchors.push(anchor)
    this.spans.open(tag, attributes, at, this.stack.length)
    const { name } = attributes
    if (this.fact === null && name?.startsWith('dei:') && /^ix:non(numeric|fraction)$/.test(tag))
      this.fact = { name, text: '', depth: this.stack.length }
    if (!VOID.has(tag)) this.stack.push(frame)
    if (this.stack.length > DEEPEST) throw new Error(`its tags are nested more than ${DEEPEST} deep`)
    if (VOID.has(tag) && breaksPage(style, 'after')) this.turnPage(at)
  }

  text(text: string, from: number): void {
    if (this.fact) this.fact.text += text
    const frame = this.top
    if (frame.hidden) return
    const row = this.row
    // Blank text between cells, which browsers would move before the table.
    if (row && !row.open && text.trim() === '') return
    if (frame.pre && !row) this.rawText(text, from, frame)
    else if (row?.open) row.open.text.add(text, frame)
    else {
      this.at ??= from
      this.line.add(text, frame)
    }
  }

  close(tag: string, end: number): void {
    this.endAt = end
    if (VOID.has(tag)) return
    if (tag === 'pre' && this.rawLines.length > 0) {
      this.endRawLine()
      this.flushRawLines()
    }
    const depth = this.stack.findLastIndex(frame => frame.tag === tag)
    if (depth > 0) this.stack.length = depth
    this.endFact()
    this.spans.close(tag, this.stack.length, end)
    if (tag === 'td' || tag === 'th') this.endCell()
    else if (tag === 'tr') this.endRow()
    else if (tag === 'table') {
      this.endRow()
      this.tables.pop()
      this.endLine()
    } else if (LINE.has(tag)) this.endLine()
  }

  finish(length: number): Lines {
    this.endAt = length
    while (this.tables.length > 0) {
      this.endRow()
      this.tables.pop()
    }
    if (this.rawLines.length > 0) this.endRawLine()
    this.flushRawLines()
    this.endLine()
    const { blocks, facts, pageBreaks } = this
    return { blocks, textBlocks: this.spans.resolved(length), facts, pageBreaks, length }
  }

  private get top(): Frame {
    return this.stack.at(-1) ?? ROOT
  }

  private get row(): Row | null {
    return this.tables.at(-1)?.row ?? null
  }

  /** Begins a table, row or cell; for other tags only records their position. */
  private openPart(tag: string, attributes: Attributes, at: number): void {
    if (tag === 'table') {
      // A table inside a cell: what the outer row has so far becomes a row of its own.
      if (this.row) this.endRow()
      this.tables.push({ row: null, spanned: new Map() })
    } else if (tag === 'tr') this.openRow(at)
    else if ((tag === 'td' || tag === 'th') && this.row) this.openCell(attributes)
    else if (!this.row?.open) this.at ??= at
  }

  private openRow(at: number): void {
    const table = this.tables.at(-1) ?? { row: null, spanned: new Map() }
    if (this.tables.length === 0) this.tables.push(table)
    this.endRow()
    this.endLine()
    table.row = { at, cells: [], next: 0, open: null }
  }

  private openCell(attributes: Attributes): void {
    this.endCell()
    const table = this.tables.at(-1)
    if (!table?.row) return
    const { row, spanned } = table
    const rowsAbove = (column: number) => spanned.get(column) ?? 0
    let from = row.next
    for (let rows = rowsAbove(from); rows > 0; rows = rowsAbove(from)) spanned.set(from++, rows - 1)
    const to = from + span(attributes['colspan'])
    const below = span(attributes['rowspan']) - 1
    if (below > 0) for (let i = from; i < to; i++) spanned.set(i, below)
    row.open = { from, to, text: new StyledText(), lines: [] }
    row.cells.push(row.open)
    row.next = to
  }

  /** Text of `<pre>`, line by line. */
  private rawText(text: string, start: number, frame: Frame): void {
    let from = start
    for (const [i, part] of text.split(/\n|\f/).entries()) {
      if (i > 0) this.endRawLine()
      this.at ??= from
      this.line.add(part, frame)
      from += part.length + 1
    }
  }

  private turnPage(at: number): void {
    this.endLine()
    if (this.blocks.length === 0 && !this.rawLines.some(({ text }) => text.trim() !== '')) return
    this.page++
    this.pageBreaks.push(at)
  }

  private push(block: Omit<Block, 'page' | 'anchors' | 'end'>): void {
    this.blocks.push({ ...block, end: this.endAt, page: this.page, anchors: this.anchors })
    this.anchors = []
  }

  private endLine(): void {
    const cell = this.row?.open
    if (cell) {
      const text = oneLine(repaired(cell.text.text))
      if (text !== '') cell.lines.push(text)
      cell.text.text = ''
      return
    }
    if (this.top.pre && this.rawLines.length > 0) {
      this.endRawLine()
      return
    }
    this.flushRawLines()
    const text = oneLine(repaired(this.line.text))
    if (text !== '') this.push({ text, at: this.at ?? 0, ...looks(this.line), cells: null })
    this.line = new StyledText()
    this.at = null
  }

  private endRawLine(): void {
    const { line, page, anchors } = this
    const { bold, emphasised, link } = looks(line)
    const at = this.at ?? 0
    const end = at + line.text.length
    this.rawLines.push({ text: repaired(line.text), at, end, page, bold, emphasised, link, anchors })
    this.anchors = []
    this.line = new StyledText()
    this.at = null
  }

  /** Turns the complete text of a `<pre>` into paragraphs and rows. */
  private flushRawLines(): void {
    if (this.rawLines.length === 0) return
    append(this.blocks, flow(this.rawLines))
    this.rawLines = []
  }

  private endCell(): void {
    this.endLine()
    const row = this.row
    if (row) row.open = null
  }

  private endRow(): void {
    const table = this.tables.at(-1)
    if (!table?.row) return
    this.endLine()
    const { cells, at } = table.row
    table.row = null
    const filled = cells.filter(({ lines }) => lines.length > 0)
    const made = filled.map(cellOf)
    const [first, ...others] = made
    if (!first) return
    const look = looks(merged(filled.map(({ text }) => text)))
    // A table with one cell per row is only layout: its lines are paragraphs.
    if (others.length === 0 && first.lines.length > 1)
      for (const text of first.lines)
        this.push({ text, at, ...look, cells: [{ ...first, text, lines: [text] }] })
    else this.push({ text: rowText(made.map(({ text }) => text)), at, ...look, cells: made })
  }

  private endFact(): void {
    const { fact, facts } = this
    if (!fact || fact.depth < this.stack.length) return
    const value = oneLine(repaired(fact.text))
    if (value !== '' && !facts.has(fact.name)) facts.set(fact.name, value)
    this.fact = null
  }
}

const cellOf = ({ text, lines, from, to }: OpenCell): Cell => ({
  text: lines.join(' '),
  lines,
  from,
  to,
  indent: text.indent,
  bold: text.bold === text.letters,
  marks: oneLine(text.marks),
})

/** A wider table is a mistake or an attack. */
const span = (text: string | undefined): number =>
  Math.min(1000, Math.max(1, Number.parseInt(text ?? '1', 10) || 1))
