import { firstOf } from '../base/elements.ts'
import type { Block, Cell, Lines } from './block.ts'
import { oneLine, repaired } from './characters.ts'
import { rowText } from './row-text.ts'

/** A line of text laid out with blanks. */
export interface RawLine
  extends Pick<Block, 'at' | 'end' | 'page' | 'bold' | 'emphasised' | 'link' | 'anchors'> {
  readonly text: string
}

/**
 * Splits plain text into lines: form feeds and `<PAGE>` separate pages, blanks separate cells, wrapped lines are
 * joined.
 */
export function plainLines(text: string): Lines {
  // Lines of old files end in a carriage return only.
  const source = text.replace(/\r(?!\n)/g, '\n')
  const raw: RawLine[] = []
  const pageBreaks: number[] = []
  let at = 0
  while (at < source.length) {
    const newline = source.indexOf('\n', at)
    const end = newline < 0 ? source.length : newline
    for (const [i, part] of source.slice(at, end).split('\f').entries()) {
      if (i > 0 || /^\s*<PAGE>/i.test(part)) if (raw.some(isFilled)) pageBreaks.push(at)
      const text = repaired(part.replace(/<\/?(PAGE|TABLE|CAPTION|S|C|FN|R|PRE|TEXT)>/gi, ' ').trimEnd())
      raw.push({
        text,
        at,
        end,
        page: pageBreaks.length + 1,
        bold: false,
        emphasised: false,
        link: null,
        anchors: [],
      })
    }
    at = end + 1
  }
  return {
    blocks: flow(raw),
    textBlocks: [],
    facts: new Map(),
    pageBreaks,
    length: source.length,
  }
}

const isFilled = ({ text }: RawLine) => text.trim() !== ''

/** What always begins a new paragraph. */
const BEGINS =
  /^(item\s+\d|part\s+[IVX]+\b|article\s+([IVX]+|\d+)\b|section\s+\d|note\s+\d|exhibit\s+\d|\d{1,2}\.\d{1,2}\s|\([a-z]{1,4}\)\s|\([0-9]{1,2}\)\s|[•●▪■·*-]\s)/i

/** Joins wrapped lines into paragraphs, and splits columns into cells. */
export function flow(lines: readonly RawLine[]): Block[] {
  const blocks: Block[] = []
  const width = usualWidth(lines)
  let paragraph: {
    text: string
    last: number
    first: RawLine
    indent: number
    end: number
    to: number
  } | null = null
  const end = () => {
    if (paragraph) {
      const { first, text, indent, to } = paragraph
      const isShort = text.length < 0.75 * width
      blocks.push({
        ...first,
        end: to,
        text: oneLine(text),
        centred: indent >= 8 && isShort,
        indent: 6 * indent,
        cells: null,
      })
    }
    paragraph = null
  }
  for (const line of lines) {
    const cells = cellsOf(line.text)
    if (cells.length === 0) {
      end()
      continue
    }
    const [{ from: indent }] = cells as [Cell]
    if (cells.length > 1) {
      end()
      blocks.push({
        ...line,
        text: rowText(cells.map(({ text }) => text)),
        centred: false,
        indent: 6 * indent,
        cells,
      })
      continue
    }
    const { text } = firstOf(cells)
    const goesOn: boolean =
      paragraph !== null &&
      !(paragraph.first.text.trim() === paragraph.text && isCompany(paragraph.text) && isCompany(text)) &&
      width <= WIDEST &&
      !BEGINS.test(text) &&
      paragraph.end >= 0.72 * width &&
      indent <= paragraph.last + 8 &&
      !(indent !== paragraph.last && Math.min(indent, paragraph.last) >= 0.12 * width) &&
      !(indent >= paragraph.last + 3 && /[.:;]["”)]?$/.test(paragraph.text))
    if (goesOn && paragraph) {
      paragraph.text += ` ${text}`
      paragraph.last = indent
      paragraph.end = line.text.length
      paragraph.to = line.end
    } else {
      end()
      paragraph = { text, last: indent, first: line, indent, end: line.text.length, to: line.end }
    }
  }
  end()
  return blocks
}

/** A line that is a company's name and nothing else: in a list, one below the other. */
const isCompany = (text: string): boolean =>
  text.length < 100 &&
  LEGAL_FORM_ENDS.test(text) &&
  /^(?:[\p{Lu}\d&'’(-]\S*|of|and|the|de|for)(?:,? (?:[\p{Lu}\d&'’(-]\S*|of|and|the|de|for)){0,14}$/u.test(
    text,
  )

const LEGAL_FORM_ENDS =
  /(?:inc\.|incorporated|corp\.|corporation|l\.?l\.?c\.?|l\.?p\.?|ltd\.?|limited(?: partnership)?|company|co\.|b\.v\.|gmbh|s\.a\.|trust|bank)$/i

/** Lines are wrapped at no more than this, characters; in a text whose usual line is longer, each line is a paragraph. */
const WIDEST = 240

/** Line width in characters: nine in ten of the longer lines are shorter. */
function usualWidth(lines: readonly RawLine[]): number {
  const lengths = lines.map(({ text }) => text.length).filter(length => length > 30)
  lengths.sort((a, b) => a - b)
  return lengths[Math.floor(0.75 * lengths.length)] ?? 80
}

function cellsOf(text: string): Cell[] {
  const cells: Cell[] = []
  // Dot leaders separate a title from its page.
  const plain = text
    .replace(/\t/g, '    ')
    .replace(/(?:\s?[.…_]){4,}/g, run => ' '.repeat(Math.max(3, run.length)))
  for (const match of plain.matchAll(/\S+(?: {1,2}\S+)*/g)) {
    const cell = oneLine(match[0])
    if (cell === '') continue
    cells.push({
      text: cell,
      lines: [cell],
      from: match.index,
      to: match.index + match[0].length,
      indent: 6 * match.index,
      bold: false,
      marks: '',
    })
  }
  return cells
}
