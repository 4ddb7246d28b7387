import { Parser } from 'htmlparser2'
import type { Block, Cell, Lines, TextBlock } from './block.ts'
import { oneLine, repaired } from './characters.ts'
import { flow, type RawLine } from './plain-lines.ts'
import { rowText } from './row-text.ts'
import { TextBlockSpans } from './text-block-spans.ts'

/** Tags that begin and end a line. */
const LINE = new Set(
  'p div h1 h2 h3 h4 h5 h6 li ul ol dl dt dd br hr table tbody thead tfoot center blockquote pre body section article page'.split(
    ' ',
  ),
)
const DROPPED = new Set(['script', 'style', 'title', 'ix:header', 'noscript', 'template', 'object', 'select'])
const VOID = new Set(['br', 'hr', 'img', 'input', 'meta', 'link', 'col', 'wbr', 'area', 'base', 'page'])

/** Real filings reach some tens. */
const DEEPEST = 5000

/** What holds for text at a place in the tree. */
interface Frame {
  readonly tag: string
  readonly bold: boolean
  readonly emphasised: boolean
  /** Set apart from the text around it: raised or slanted. */
  readonly apart: boolean
  readonly centred: boolean
  readonly hidden: boolean
  readonly pre: boolean
  readonly link: string | null
  readonly indent: number
}

const ROOT: Frame = {
  tag: '',
  bold: false,
  emphasised: false,
  apart: false,
  centred: false,
  hidden: false,
  pre: false,
  link: null,
  indent: 0,
}

/** A line or cell on its way: its text, and how many of its letters are of which kind. */
class Gathered {
  text = ''
  letters = 0
  bold = 0
  emphasised = 0
  linked = 0
  link: string | null = null
  centred = false
  indent = 0
  marks = ''

  add(text: string, frame: Frame): void {
    const letters = text.replace(/[^\p{L}\p{N}]+/gu, '').length
    if (this.letters === 0 && letters > 0) {
      this.indent = frame.indent + 3 * leadingBlanks(this.text + text)
      this.centred = frame.centred
    }
    if (frame.apart && this.letters > 0 && MARKS.test(text)) this.marks += text
    else if (letters > 0) this.marks = ''
    this.text += text
    this.letters += letters
    if (frame.bold) this.bold += letters
    if (frame.emphasised) this.emphasised += letters
    if (frame.link !== null) {
      this.linked += letters
      this.link ??= frame.link
    }
  }
}

const MARKS =
  /^[\s\u00a0,]*(?:\(?\d{1,2}\)?|[*†‡§+#]|\([a-z]\))(?:[\s\u00a0,]*(?:\(\d{1,2}\)|[*†‡§+#]|\([a-z]\)))*[\s\u00a0]*$/

/** No-break spaces are indentation; the blanks of the source are not. */
function leadingBlanks(text: string): number {
  const [lead = ''] = /^[\s\u00a0\u2000-\u200a]*/.exec(text)!
  return lead.replace(/[ \t\r\n\f]/g, '').length
}

interface OpenCell extends Pick<Cell, 'from' | 'to'> {
  readonly gathered: Gathered
  readonly lines: string[]
}

interface Row {
  readonly at: number
  readonly cells: OpenCell[]
  /** The first free column. */
  next: number
  open: boolean
}

/** Reads HTML, however broken, with or without inline XBRL, into lines. Text inside `<pre>` keeps its own. */
export function htmlLines(source: string): Lines {
  const blocks: Block[] = []
  const facts = new Map<string, string>()
  const spans = new TextBlockSpans()
  const stack: Frame[] = [ROOT]
  const tables: { row: Row | null; spanned: Map<number, number> }[] = []
  let line = new Gathered()
  let at: number | null = null
  let anchors: string[] = []
  const pageBreaks: number[] = []
  let page = 1
  /** Where a line that ends now ends in the source. */
  let endAt = 0
  let fact: { name: string; text: string; depth: number } | null = null

  const top = () => stack[stack.length - 1]!
  const row = () => tables[tables.length - 1]?.row ?? null

  let rawLines: RawLine[] = []

  const turnPage = () => {
    endLine()
    if (blocks.length === 0 && !rawLines.some(({ text }) => text.trim() !== '')) return
    page++
    pageBreaks.push(parser.startIndex)
  }

  const push = (block: Omit<Block, 'page' | 'anchors' | 'end'>) => {
    blocks.push({ ...block, end: endAt, page, anchors })
    anchors = []
  }

  const endRawLine = () => {
    const { bold, emphasised, link } = looks(line)
    rawLines.push({
      text: repaired(line.text),
      at: at ?? 0,
      end: (at ?? 0) + line.text.length,
      page,
      bold,
      emphasised,
      link,
      anchors,
    })
    anchors = []
    line = new Gathered()
    at = null
  }

  /** What was set as it stands is complete: its lines become paragraphs and rows. */
  const flush = () => {
    if (rawLines.length === 0) return
    blocks.push(...flow(rawLines))
    rawLines = []
  }

  const endLine = () => {
    const open = row()
    if (open?.open) {
      const cell = open.cells[open.cells.length - 1]!
      const text = oneLine(repaired(cell.gathered.text))
      if (text !== '') cell.lines.push(text)
      cell.gathered.text = ''
      return
    }
    if (top().pre && rawLines.length > 0) {
      endRawLine()
      return
    }
    flush()
    const text = oneLine(repaired(line.text))
    if (text !== '') push({ text, at: at ?? 0, ...looks(line), cells: null })
    line = new Gathered()
    at = null
  }

  const endRow = () => {
    const table = tables[tables.length - 1]
    if (!table?.row) return
    endLine()
    const { cells, at: from } = table.row
    table.row = null
    const filled = cells.filter(({ lines }) => lines.length > 0)
    if (filled.length === 0) return
    const made = filled.map(
      ({ gathered, lines, from, to }): Cell => ({
        text: lines.join(' '),
        lines,
        from,
        to,
        indent: gathered.indent,
        bold: gathered.bold === gathered.letters,
        marks: oneLine(gathered.marks),
      }),
    )
    const all = looks(merged(filled.map(({ gathered }) => gathered)))
    const [only] = made
    // A table with one cell a row only lays out the page: its lines are paragraphs.
    if (made.length === 1 && only!.lines.length > 1)
      for (const text of only!.lines)
        push({ text, at: from, ...all, cells: [{ ...only!, text, lines: [text] }] })
    else push({ text: rowText(made.map(({ text }) => text)), at: from, ...all, cells: made })
  }

  const endCell = () => {
    endLine()
    const open = row()
    if (open) open.open = false
  }

  const parser: Parser = new Parser(
    {
      onopentag(tag, attributes) {
        const style = attributes['style'] ?? ''
        const outer = top()
        endAt = parser.startIndex
        const frame = frameOf(tag, attributes, style, outer)
        if (breaksPage(style, 'before') || tag === 'page') turnPage()
        const anchor = attributes['id'] ?? (tag === 'a' ? attributes['name'] : undefined)
        if (LINE.has(tag)) endLine()
        if (tag === 'table') {
          // A table inside a cell: what the outer row has so far stands as a row of its own.
          if (row()) endRow()
          tables.push({ row: null, spanned: new Map() })
        } else if (tag === 'tr') {
          if (tables.length === 0) tables.push({ row: null, spanned: new Map() })
          endRow()
          endLine()
          tables[tables.length - 1]!.row = { at: parser.startIndex, cells: [], next: 0, open: false }
        } else if ((tag === 'td' || tag === 'th') && row()) {
          endCell()
          const open = row()!
          const { spanned } = tables[tables.length - 1]!
          let from = open.next
          while ((spanned.get(from) ?? 0) > 0) {
            spanned.set(from, spanned.get(from)! - 1)
            from++
          }
          const to = from + span(attributes['colspan'])
          const below = span(attributes['rowspan']) - 1
          if (below > 0) for (let i = from; i < to; i++) spanned.set(i, below)
          open.cells.push({ from, to, gathered: new Gathered(), lines: [] })
          open.next = to
          open.open = true
        } else if (!row()?.open) at ??= parser.startIndex
        if (anchor) anchors.push(anchor)
        spans.open(tag, attributes, parser.startIndex, stack.length)
        const { name } = attributes
        if (fact === null && name?.startsWith('dei:') && /^ix:non(numeric|fraction)$/.test(tag))
          fact = { name, text: '', depth: stack.length }
        if (!VOID.has(tag)) stack.push(frame)
        if (stack.length > DEEPEST) throw new Error(`its tags are nested more than ${DEEPEST} deep`)
        if (VOID.has(tag) && breaksPage(style, 'after')) turnPage()
      },
      ontext(text) {
        if (fact) fact.text += text
        const frame = top()
        if (frame.hidden) return
        const open = row()
        if (open && !open.open) {
          // Text between cells, where browsers would lift it before the table.
          if (text.trim() === '') return
        }
        if (frame.pre && !open) {
          let from = parser.startIndex
          for (const [i, part] of text.split(/\n|\f/).entries()) {
            if (i > 0) endRawLine()
            at ??= from
            line.add(part, frame)
            from += part.length + 1
          }
          return
        }
        if (open?.open) open.cells[open.cells.length - 1]!.gathered.add(text, frame)
        else {
          at ??= parser.startIndex
          line.add(text, frame)
        }
      },
      onclosetag(tag) {
        endAt = parser.endIndex + 1
        if (VOID.has(tag)) return
        if (tag === 'pre' && rawLines.length > 0) {
          endRawLine()
          flush()
        }
        const depth = lastIndexOf(stack, tag)
        if (depth > 0) stack.length = depth
        if (fact && fact.depth >= stack.length) {
          const value = oneLine(repaired(fact.text))
          if (value !== '' && !facts.has(fact.name)) facts.set(fact.name, value)
          fact = null
        }
        spans.close(tag, stack.length, parser.endIndex + 1)
        if (tag === 'td' || tag === 'th') endCell()
        else if (tag === 'tr') endRow()
        else if (tag === 'table') {
          endRow()
          tables.pop()
          endLine()
        } else if (LINE.has(tag)) endLine()
      },
    },
    { recognizeSelfClosing: true, decodeEntities: true },
  )

  parser.write(source)
  parser.end()
  endAt = source.length
  while (tables.length > 0) {
    endRow()
    tables.pop()
  }
  if (rawLines.length > 0) endRawLine()
  flush()
  endLine()
  const textBlocks: TextBlock[] = spans.resolved(source.length)
  return { blocks, textBlocks, facts, pageBreaks, length: source.length }
}

const looks = ({ letters, bold, emphasised, linked, link, centred, indent }: Gathered) => ({
  bold: letters > 0 && bold >= 0.9 * letters,
  emphasised: letters > 0 && emphasised >= 0.9 * letters,
  link: linked > 0 && linked >= 0.3 * letters ? link : null,
  centred,
  indent,
})

function merged(parts: readonly Gathered[]): Gathered {
  const all = new Gathered()
  for (const part of parts) {
    if (all.letters === 0) {
      all.indent = part.indent
      all.centred = part.centred
    }
    all.letters += part.letters
    all.bold += part.bold
    all.emphasised += part.emphasised
    all.linked += part.linked
    all.link ??= part.link
  }
  return all
}

function lastIndexOf(stack: readonly Frame[], tag: string): number {
  for (let i = stack.length - 1; i > 0; i--) if (stack[i]!.tag === tag) return i
  return -1
}

/** Wider than any table is a slip or a trap. */
const span = (text: string | undefined): number =>
  Math.min(1000, Math.max(1, Number.parseInt(text ?? '1', 10) || 1))

const PAGE_BREAKS = {
  before: /break-before\s*:\s*(always|page)/i,
  after: /break-after\s*:\s*(always|page)/i,
} as const

const breaksPage = (style: string, side: 'before' | 'after'): boolean => PAGE_BREAKS[side].test(style)

function frameOf(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  style: string,
  outer: Frame,
): Frame {
  const weight = /font-weight\s*:\s*(bold|bolder|[1-9]00|normal)/i.exec(style)?.[1]?.toLowerCase()
  const isStrong = tag === 'b' || tag === 'strong' || /^h[1-6]$/.test(tag)
  const bold = weight ? weight.startsWith('bold') || Number(weight) >= 600 : isStrong || outer.bold
  const isMarked =
    tag === 'u' ||
    tag === 'i' ||
    tag === 'em' ||
    /font-style\s*:\s*italic|text-decoration\s*:\s*underline/i.test(style)
  const align = (/text-align\s*:\s*([a-z]+)/i.exec(style)?.[1] ?? attributes['align'])?.toLowerCase()
  const href = tag === 'a' ? attributes['href'] : undefined
  return {
    tag,
    bold,
    emphasised: bold || isMarked || outer.emphasised,
    apart:
      outer.apart ||
      tag === 'sup' ||
      tag === 'i' ||
      tag === 'em' ||
      /font-style\s*:\s*italic|vertical-align\s*:\s*super/i.test(style),
    centred: align ? align === 'center' : tag === 'center' || outer.centred,
    hidden: outer.hidden || DROPPED.has(tag) || /display\s*:\s*none/i.test(style),
    pre: tag === 'pre' || outer.pre,
    link: href === undefined ? outer.link : href.includes('#') ? href.slice(href.indexOf('#') + 1) : null,
    indent: tag === 'td' || tag === 'th' ? indentOf(style) : outer.indent + indentOf(style),
  }
}

const POINTS: Readonly<Record<string, number>> = {
  pt: 1,
  px: 0.75,
  em: 12,
  rem: 12,
  in: 72,
  cm: 28.35,
  mm: 2.835,
  '%': 6,
}

/** How far a style moves the first line to the right, points. */
function indentOf(style: string): number {
  if (!/left|indent|padding|margin/i.test(style)) return 0
  let sum = 0
  for (const [, value, unit] of style.matchAll(
    /(?:^|[;\s])(?:margin-left|padding-left|text-indent)\s*:\s*(-?[\d.]+)(pt|px|em|rem|in|cm|mm|%)/gi,
  ))
    sum += Number(value) * POINTS[unit!.toLowerCase()]!
  for (const [, values] of style.matchAll(/(?:^|[;\s])(?:padding|margin)\s*:\s*([^;]+)/gi)) {
    const sides = values!.trim().split(/\s+/)
    const left = /^(-?[\d.]+)(pt|px|em|rem|in|cm|mm|%)$/i.exec(sides[3] ?? sides[1] ?? sides[0] ?? '')
    if (left) sum += Number(left[1]) * POINTS[left[2]!.toLowerCase()]!
  }
  return sum
}
