import { firstOf, groupOf, lastOf } from '../base/elements.ts'
import { jurisdictionNamed, LEGAL_FORM } from '../names/jurisdiction.ts'
import type { Block, Cell, Lines } from './block.ts'
import { furnitureOf } from './furniture.ts'
import { isListHeading } from './list-heading.ts'

/** A company named in a list of subsidiaries or guarantors. */
export interface ListedCompany {
  readonly name: string
  /** The usual name of the place, or the text as written. */
  readonly jurisdiction: string | null
  readonly jurisdiction_as_written: string | null
  readonly ownership_pct: number | null
  /** Index in the list of its parent; null directly under the filer. */
  readonly parent: number | null
  /** Offset in the source. */
  readonly at: number
}

interface Draft {
  name: string
  place: string | null
  share: number | null
  readonly indent: number
  readonly at: number
}

/** The companies of an Exhibit 21 or 22, in any layout. */
export function subsidiariesIn({ blocks }: Lines): ListedCompany[] {
  const furniture = furnitureOf(blocks)
  const lines = blocks.filter((_, i) => !furniture.has(i))
  const columns = placeColumns(lines)
  const known = marksOf(lines)
  const drafts: Draft[] = []
  let heading: string | null = null
  for (const block of lines) {
    if (/^\W*notes?\W*$/i.test(block.text)) break
    if (isRemark(block.text) || isFootnote(block)) continue
    const rows = recordsOf(block, columns, known)
    for (const record of rows) {
      const last = drafts[drafts.length - 1]
      // If places are beside names, one on its own line belongs to the name above that has none.
      if ('heading' in record && record.heading !== null && columns.size > 0 && last?.place === null)
        last.place = record.heading
      else if ('heading' in record) heading = record.heading
      else if (isContinued(record, last, lines.length)) {
        last!.name += ` ${record.name}`
        last!.place ??= record.place
        last!.share ??= record.share
      } else drafts.push({ ...record, place: record.place ?? heading })
    }
  }
  return nested(drafts.filter(({ name }) => isName(name)))
}

/** Maximum characters of a line with a company. */
const LONGEST_LINE = 2000

/** A sentence about the list, not a line of it. */
function isRemark(text: string): boolean {
  if (text.length > LONGEST_LINE) return true
  if (/^\(?continued (from|on)\b/i.test(text)) return true
  if (/^(as (of|at) \S+ \d|©|quicklinks\b|\(?unaudited\b)/i.test(text)) return true
  if (
    /^\p{Ll}/u.test(text) &&
    (text.split(' ').length > 7 || (text.includes(' ') && text.endsWith('.') && !LEGAL_FORM.test(text)))
  )
    return true
  // at most 2000 characters: LONGEST_LINE
  if (/\b(and|its) ((its|consolidated|wholly[- ]owned) )*subsidiar(y companies|ies)( \(.*\))?$/i.test(text))
    return true
  if (/^[^|]{2,60}\s(company|corporation|inc\.?) subsidiaries\W*(\d\W*)?$/i.test(text)) return true
  if (/^(\*|†|\(?\d{1,2}\)|\([a-z]\)|notes?:)/i.test(text) && text.split(' ').length > 8) return true
  return (
    text.split(' ').length > 30 ||
    (/[.:]$/.test(text) &&
      text.split(' ').length > 9 &&
      /\b(is|are|was|were|has|have|been|may|would|omitted|pursuant|following|listed|include[ds]?)\b/i.test(
        text,
      ))
  )
}

/** `(3) Doing business as Acme`: a footnote; a company would have a place beside it. */
const isFootnote = ({ text, cells }: Block): boolean =>
  cells === null && /^\(\d{1,2}\)\s/.test(text) && !LEGAL_FORM.test(text)

// at most 2000 characters: LONGEST_LINE
const COLUMN_HEAD =
  /jurisdiction|\bstate\b.*\b(of|or)\b|\bcountry\b|incorporat(ed|ion)\b|organi[sz](ed|ation)\b|percent|ownership|voting|% ?owned|\bowned\b|^exhibit\b|^page\b|^form 10-k|registrant|doing business|place of|subsidiaries of|^\W*name\b|formation$/i

const isName = (name: string): boolean =>
  /\p{L}{2}/u.test(name) && name.length <= 200 && !isAboutAName(name) && !isSentence(name)

/** Former and trade names of the company above, on their own lines in some lists. */
const isAboutAName = (name: string): boolean =>
  /^\(?(d\/?b\/?a|f\/?k\/?a|a\/?k\/?a|doing business|formerly|also known|previously)\b/i.test(name) ||
  (name.includes(';') && !LEGAL_FORM.test(name))

/**
 * `Indirect subsidiaries are indicated by indentation.`; a name may contain a verb (`What's It Worth, Inc.`) without
 * being a sentence.
 */
const isSentence = (name: string): boolean =>
  /\b(is|are|was|were|has|have|been)( \w+)? (omitted|indicated|listed|shown|included|identified|marked|owned|held|organi[sz]ed|incorporated|considered|excluded)\b/i.test(
    name,
  ) ||
  /^(the following|each of the|all (of the )?subsidiaries|certain subsidiaries|unless otherwise)\b/i.test(
    name,
  )

/** Grid columns that mostly contain places. */
function placeColumns(lines: readonly Block[]): ReadonlySet<number> {
  const counts = new Map<number, { places: number; all: number }>()
  for (const { cells } of lines) {
    if (!cells || cells.length < 2) continue
    for (const [i, cell] of cells.entries()) {
      if (i === 0 || shareIn(cell.text) !== null) continue
      const count = counts.get(columnOf(cell)) ?? { places: 0, all: 0 }
      counts.set(columnOf(cell), count)
      count.all++
      if (jurisdictionNamed(cell.text) !== null) count.places++
    }
  }
  return new Set([...counts].filter(([, { places, all }]) => places >= 0.5 * all).map(([column]) => column))
}

/** Text laid out with blanks has no grid: positions are compared approximately. */
const columnOf = (cell: Cell): number => (cell.from > 12 ? Math.round(cell.from / 8) * 8 : cell.from)

/** The content of one line: companies with what is beside them, or a heading with the place of those below. */
function recordsOf(
  block: Block,
  columns: ReadonlySet<number>,
  known: ReadonlySet<string>,
): (Draft | { heading: string | null })[] {
  const cells: readonly Cell[] = block.cells ?? [
    {
      text: block.text,
      lines: [block.text],
      from: 0,
      to: 1,
      indent: block.indent,
      bold: block.bold,
      marks: '',
    },
  ]
  if (cells.length > 1 && /^\W*(legal |entity |company |subsidiary )?names?\W*$/i.test(firstOf(cells).text))
    return []
  if (cells.every(({ text }) => isHead(text)))
    return cells.length === 1 && !LEGAL_FORM.test(firstOf(cells).text) ? [{ heading: null }] : []
  if (
    cells.some(({ text }) => COLUMN_HEAD.test(text)) &&
    !cells.some(({ text }) => jurisdictionNamed(text) !== null || LEGAL_FORM.test(text))
  )
    return []
  if (
    cells.length === 1 &&
    block.cells === null &&
    (block.bold || block.centred) &&
    !LEGAL_FORM.test(block.text) &&
    jurisdictionNamed(block.text.replace(/:$/, '')) === null
  )
    return []
  const records: (Draft | { heading: string | null })[] = []
  for (const [i, cell] of cells.entries()) {
    const text = unmarked(cell, known)
    if (text === '' || /^[-–—.]+$/.test(text)) continue
    const last = records[records.length - 1]
    const share = shareIn(text)
    if (share !== null && (i > 0 || cells.length > 1)) {
      if (last && 'name' in last) last.share ??= share
      continue
    }
    const place = jurisdictionNamed(text.replace(/:$/, ''))
    if (
      i > 0 &&
      last &&
      'name' in last &&
      last.place === null &&
      (place !== null || columns.has(columnOf(cell)))
    ) {
      last.place = text
      continue
    }
    if (place !== null && cells.length === 1 && !LEGAL_FORM.test(text)) {
      records.push({ heading: text.replace(/:$/, '') })
      continue
    }
    if (i > 0 && last && 'name' in last && !columns.has(columnOf(cell)) && !LEGAL_FORM.test(text)) continue
    records.push({
      ...inline(text),
      indent: cell.indent + (block.cells && cell.from < 12 ? 9 * cell.from : 0),
      at: block.at,
    })
  }
  return records
}

const isHead = (text: string): boolean =>
  isListHeading(text) ||
  /^(\w+ ){0,4}subsidiaries of\b/i.test(text) ||
  (COLUMN_HEAD.test(text) && !LEGAL_FORM.test(text))

/** Footnote marks set apart somewhere in the list. */
const marksOf = (lines: readonly Block[]): ReadonlySet<string> =>
  new Set(lines.flatMap(({ cells }) => cells?.flatMap(({ marks }) => marks.match(MARK) ?? []) ?? []))

const MARK = /\(\w{1,2}\)|\d{1,2}/g
/** Page foot and head text attached to a name. */
const CONTINUED = /\s\(?continued (from|on)( the)?( (previous|next|following))? page( \d{1,3})?\)?$/i
/** Footnote signs at the end of a text. */
const SIGNS = /(?<![\s*†‡§+#^])[\s*†‡§+#^]+$/

/** The text without its footnote marks; if marks are set apart, any other number is part of a name. */
function unmarked({ text, marks }: Cell, known: ReadonlySet<string>): string {
  let left = text.replace(SIGNS, '')
  const marked = marks.replace(SIGNS, '')
  if (marked !== '' && left.endsWith(marked)) left = left.slice(0, -marked.length).replace(SIGNS, '')
  for (;;) {
    const last = /(?<!\s)\s*(\((?:\d{1,2}|[a-z])\))$/.exec(left)
    if (!last || (known.size > 0 && !known.has(groupOf(last, 1)))) break
    left = left.slice(0, last.index).replace(SIGNS, '')
  }
  return left
    .replace(/^[•·●▪◦○‣▫■□\s*-]+/, '')
    .replace(CONTINUED, '')
    .trim()
}

/** A share in percent, `87.5`, `100%`. */
function shareIn(text: string): number | null {
  const match = /^(\d{1,3}(?:\.\d+)?)\s*%?$/.exec(
    text.replace(/(?<![\s*†(])[\s*†(]+\d{0,2}\)?$/, '').trim() || text.trim(),
  )
  const value = match ? Number(match[1]) : Number.NaN
  return value >= 0 && value <= 100 ? value : null
}

/** Name, place and share in one line: `Acme Finance LLC (Delaware)`, `Acme B.V., a Netherlands company (60%)`. */
function inline(text: string): Pick<Draft, 'name' | 'place' | 'share'> {
  let name = text
  let share: number | null = null
  let place: string | null = null
  const percent = /(?<!\s)\s*\(?(\d{1,3}(?:\.\d+)?)\s*%(?: owned)?\)?$/i.exec(name)
  if (percent && Number(percent[1]) <= 100) {
    share = Number(percent[1])
    name = name.slice(0, percent.index)
  }
  const described =
    // at most 2000 characters: LONGEST_LINE
    /(?:,|(?<!\s))\s+(?:an?|organized (?:in|under the laws of)|incorporated in)\s+(?:the )?([A-Z][\w. ]+?)(?:\s+(?:corporation|limited liability company|limited partnership|company|general partnership|partnership|llc|trust|business trust|statutory trust))?$/.exec(
      name,
    )
  const bracketed =
    /(?<!\s)\s*[([]([^()[\]]+)[)\]]$/.exec(name) ?? /(?<!\s)\s+[–—-]\s+([^\s–—-][^–—-]*)$/.exec(name)
  for (const match of [bracketed, described])
    if (match && place === null && jurisdictionNamed(groupOf(match, 1)) !== null && match.index > 3) {
      place = groupOf(match, 1)
      name = name.slice(0, match.index)
    }
  return { name: name.replace(/(?<![,\s])[,\s]+$/, ''), place, share }
}

/**
 * A name continues on the next line if that line cannot be a name: it begins in lower case, or is only a legal form.
 */
function isContinued(record: Draft, last: Draft | undefined, lines: number): boolean {
  if (!last || lines < 2) return false
  if (/^\p{Ll}/u.test(record.name) && !/^(i|e)\p{Lu}/u.test(record.name))
    return record.place === null || last.place === null
  return (
    record.place === null &&
    record.share === null &&
    record.name.split(' ').length <= 3 &&
    /^\(?(inc|llc|l\.l\.c|ltd|limited|corp|corporation|company|co|l\.p|lp|s\.a|gmbh|b\.v)\b[.,)]*/i.test(
      record.name,
    )
  )
}

const STEP = 4

/** Finds each company's parent: the nearest one before it with less indentation. */
function nested(drafts: readonly Draft[]): ListedCompany[] {
  const above: { indent: number; index: number }[] = []
  return drafts.map(({ name, place, share, indent, at }, index): ListedCompany => {
    while (above.length > 0 && lastOf(above).indent > indent - STEP) above.pop()
    const parent = above[above.length - 1]?.index ?? null
    above.push({ indent, index })
    return {
      name,
      jurisdiction: place === null ? null : (jurisdictionNamed(place) ?? place),
      jurisdiction_as_written: place,
      ownership_pct: share,
      parent,
      at,
    }
  })
}
