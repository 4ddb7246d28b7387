import { firstOf, groupOf, lastOf } from '../base/elements.ts'
import { jurisdictionNamed, LEGAL_FORM } from '../names/jurisdiction.ts'
import type { Block, Cell, Lines } from './block.ts'
import { furnitureOf } from './furniture.ts'
import { isListHeading } from './list-heading.ts'
import { placeIn, writtenName } from './listed-names.ts'
import { heldShare, isOwnerNote, type Owned, ownerColumns, ownersInNotes, ownersOf } from './listed-owners.ts'

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

interface Draft extends Owned {
  name: string
  alias: string | null
  place: string | null
  share: number | null
  owner: string | null
  notes: readonly string[]
  readonly indent: number
  readonly at: number
  /** Whether its own line states the place. */
  hasPlace: boolean
}

/** What the columns of a list are for. */
interface Columns {
  readonly places: ReadonlySet<number>
  readonly owners: ReadonlySet<number>
  /** Extents of columns that say what a company does, is, or is called. */
  readonly others: readonly (readonly [from: number, to: number])[]
}

/** The companies of an Exhibit 21 or 22, in any layout. */
export function subsidiariesIn({ blocks }: Lines): ListedCompany[] {
  const furniture = furnitureOf(blocks)
  const read = blocks.filter((_, i) => !furniture.has(i))
  const lines = read.slice(headEnd(read))
  const columns: Columns = {
    places: placeColumns(lines),
    owners: ownerColumns(read, columnOf),
    others: otherColumns(read),
  }
  const known = marksOf(lines)
  const isBelow = placesAreBelow(lines)
  const drafts: Draft[] = []
  let heading: string | null = null
  for (const block of lines) {
    if (/^\W*notes?\W*$/i.test(block.text)) break
    if (isRemark(block.text.replace(NUMBERED, '')) || isFootnote(block) || isOwnerNote(block.text)) continue
    const rows = recordsOf(block, columns, known)
    for (const record of rows) {
      const last = drafts[drafts.length - 1]
      // If places are beside or below names, one on its own line belongs to the name above that has none.
      if (
        'heading' in record &&
        record.heading !== null &&
        (columns.places.size > 0 || isBelow || ORGANISED.test(block.text)) &&
        last?.place === null
      )
        last.place = record.heading
      else if ('heading' in record) heading = record.heading
      else if (isAboutAName(record.name)) {
        if (last) last.place ??= record.place
      } else if (isContinued(record, last, lines.length)) {
        last!.name += ` ${record.name}`
        last!.place ??= record.place
        last!.share ??= record.share
      } else drafts.push({ ...record, place: record.place ?? heading, hasPlace: record.place !== null })
    }
  }
  return nested(withoutTradeNames(drafts.filter(({ name }) => isName(name))), ownersInNotes(read))
}

/** `ii. | ` before a name. */
const NUMBERED = /^\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]{1,2} \| /i

/** Without indented lines that name no legal form and no place, if nearly all companies of the list have one. */
function withoutTradeNames(drafts: readonly Draft[]): Draft[] {
  const formed = drafts.filter(({ name }) => LEGAL_FORM.test(name)).length
  if (drafts.length < 5 || formed < 0.8 * drafts.length) return [...drafts]
  return drafts.filter(({ name, hasPlace, share, indent }, i) => {
    const above = drafts[i - 1]
    return LEGAL_FORM.test(name) || hasPlace || share !== null || !above || indent < above.indent + STEP
  })
}

/** `Incorporated in the State of Ohio`, on the line below a name. */
const ORGANISED = /^(?:incorporated|organi[sz]ed|formed) (?:in|under the laws of) /i

/** Where a head of columns underlined with dashes ends; 0 if there is none before the first company with a place. */
function headEnd(lines: readonly Block[]): number {
  const rule = lines.findIndex(({ cells }) => cells !== null && cells.length > 1 && cells.every(isRule))
  const isHeadOnly = lines
    .slice(0, Math.max(0, rule))
    .every(({ cells }) => !cells?.some(({ text }) => jurisdictionNamed(text) !== null))
  return isHeadOnly ? rule + 1 : 0
}

const isRule = ({ text }: Cell): boolean => /^[-=_]{3,}$/.test(text)

/** Whether each name has its place on the line below. */
function placesAreBelow(lines: readonly Block[]): boolean {
  const texts = lines.flatMap(({ cells, text }) =>
    cells === null && !isHead(text) && !isRemark(text) ? [text] : [],
  )
  const places = texts.map(text => jurisdictionNamed(text) !== null)
  const count = places.filter(isPlace => isPlace).length
  const pairs = places.filter((isPlace, i) => isPlace && i > 0 && !places[i - 1]).length
  return count >= 3 && pairs === count && places[0] === false && count >= 0.4 * texts.length
}

/** Maximum characters of a line with a company. */
const LONGEST_LINE = 2000

/** A sentence about the list, not a line of it. */
function isRemark(text: string): boolean {
  if (text.length > LONGEST_LINE) return true
  if (/^\(?continued (from|on)\b/i.test(text)) return true
  if (/^(of|branch(es)?:)\s/i.test(text)) return true
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

/** `(3) Doing business as Acme`, `% Business trust`: a footnote; a company would have a place beside it. */
const isFootnote = ({ text, cells }: Block): boolean =>
  cells === null && (text.startsWith('%') || (/^\(\d{1,2}\)\s/.test(text) && !LEGAL_FORM.test(text)))

// at most 2000 characters: LONGEST_LINE
const COLUMN_HEAD =
  /jurisdiction|\bstate\b.*\b(of|or)\b|\bcountry\b|incorporat(ed|ion)\b|organi[sz](ed|ation)\b|percent|ownership|voting|% ?owned|\bowned\b|^exhibit\b|^page\b|^form 10-k|registrant|doing business|place of|subsidiaries of|^\W*name\b|formation$/i

const isName = (name: string): boolean =>
  /\p{L}{2}/u.test(name) &&
  name.length <= 200 &&
  !isAboutAName(name) &&
  !isSentence(name) &&
  !KIND_ONLY.test(name)

/** What a company is, not its name: `Management company`. */
const KIND_ONLY =
  /^(?:(?:management|holding|operating|dormant|limited|liability|general|unlimited|business|statutory|investment|insurance|finance|trading|service|shipping|bank|credit|life) ){1,3}(?:company|corporation|partnership|trust|insurance)$/i

/** Former and trade names of the company above, on their own lines in some lists. */
const isAboutAName = (name: string): boolean =>
  /^\(?(d\/?b\/?a|f\/?k\/?a|a\/?k\/?a|doing business|formerly|also known|previously)\b/i.test(name) ||
  ((name.includes(';') || name.split(', ').length > 3) && !LEGAL_FORM.test(name))

/**
 * `Indirect subsidiaries are indicated by indentation.`; a name may contain a verb (`What's It Worth, Inc.`) without
 * being a sentence.
 */
const isSentence = (name: string): boolean =>
  /\b(is|are|was|were|has|have|been)( \w+)? (omitted|indicated|listed|shown|included|identified|marked|owned|held|organi[sz]ed|incorporated|considered|excluded)\b/i.test(
    name,
  ) ||
  /\b(is the (immediate|indirect|direct|ultimate)|all of which)\b/i.test(name) ||
  /^(the following|each (of the|subsidiary)|all (of the )?subsidiaries|certain subsidiaries|unless otherwise)\b/i.test(
    name,
  )

/** Heads of columns that are about a company, and name none. */
const OTHER_HEAD =
  /^\W*(?:(?:nature|type|kind|description) of |principal |primary )?(?:business|activit(?:y|ies))\b|^\W*(?:type|form|kind) of (?:entity|organi[sz]ation)|^\W*(?:entity )?type\W*$|\btrade ?names?\b|\bdoing business\b|\bname under which\b|\bvessels?\b/i

/** More columns than any real list has are an attack. */
const MOST_OTHERS = 40

function otherColumns(lines: readonly Block[]): (readonly [from: number, to: number])[] {
  const found = new Map<string, readonly [from: number, to: number]>()
  for (const { cells } of lines)
    for (const [i, { text, from, to }] of (cells ?? []).entries())
      if (
        i > 0 &&
        found.size < MOST_OTHERS &&
        text.length < 60 &&
        OTHER_HEAD.test(text) &&
        !LEGAL_FORM.test(text)
      )
        found.set(`${from} ${to}`, [from, to])
  return [...found.values()]
}

const isOther = (cell: Cell, { others }: Columns): boolean =>
  cell.from > 0 && others.some(([from, to]) => cell.from < to && from < cell.to)

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
const columnOf = (cell: Pick<Cell, 'from'>): number =>
  cell.from > 12 ? Math.round(cell.from / 8) * 8 : cell.from

/** The content of one line: companies with what is beside them, or a heading with the place of those below. */
function recordsOf(
  block: Block,
  columns: Columns,
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
  const whole = wholeLine(block, cells, columns)
  if (whole !== null) return whole
  const records: (Draft | { heading: string | null })[] = []
  for (const [i, cell] of cells.entries()) {
    const text = unmarked(cell, known)
    if (text === '' || /^[-–—.]+$/.test(text)) continue
    if (isOther(cell, columns) || (cells.length > 1 && ENUMERATOR.test(text))) continue
    const last = records[records.length - 1]
    const held = i > 0 ? heldShare(cell) : null
    if (held !== null) {
      if (last && 'name' in last && last.share === null) Object.assign(last, held)
      continue
    }
    if (columns.owners.has(columnOf(cell)) && (i > 0 || cell.from > 0)) {
      if (last && 'name' in last) last.owner ??= text
      continue
    }
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
      (place !== null || columns.places.has(columnOf(cell)))
    ) {
      last.place = place === null ? (placeIn(text) ?? text) : text
      continue
    }
    if (place !== null && cells.length === 1 && !LEGAL_FORM.test(text)) {
      records.push({ heading: text.replace(/:$/, '') })
      continue
    }
    if (i > 0 && last && 'name' in last && !columns.places.has(columnOf(cell)) && !LEGAL_FORM.test(text))
      continue
    const depth = /^>{0,9}/.exec(text)![0].length
    records.push({
      ...writtenName(text.slice(depth)),
      notes: [],
      hasPlace: false,
      indent: cell.indent + 9 * depth + (block.cells && cell.from < 12 ? 9 * cell.from : 0),
      at: block.at,
    })
  }
  return records
}

/** What a line is that names no company: nothing, or a heading; null if it may name some. */
function wholeLine(
  block: Block,
  cells: readonly Cell[],
  columns: Columns,
): { heading: string | null }[] | null {
  if (cells.length > 1 && cells.slice(0, 2).some(({ text }) => NAME_HEAD.test(text))) return []
  const organised = ORGANISED.exec(block.text)
  if (organised && placeIn(block.text) !== null) return [{ heading: placeIn(block.text) }]
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
  // In a table with places, a line without one, a share or a legal form is a title.
  if (block.cells !== null && cells.length === 1 && columns.places.size > 0 && isTitle(block.text))
    return [{ heading: null }]
  return null
}

const NAME_HEAD =
  /^\W*(?:(?:legal |entity |company |subsidiary )?names?|names? of (?:each |the )?(?:significant |principal )?(?:subsidiar(?:y|ies)|compan(?:y|ies)|entit(?:y|ies)))\W*$/i

/** `1)`, `(A)`, `ii.` in a cell of its own. */
const ENUMERATOR = /^\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]{1,2}$/i

const isTitle = (text: string): boolean =>
  !LEGAL_FORM.test(text) &&
  text.length < 60 &&
  jurisdictionNamed(text.replace(/:$/, '')) === null &&
  placeIn(text) === null &&
  !/[(%]|\d$/.test(text)

const isHead = (text: string): boolean =>
  isListHeading(text) ||
  /^(\w+ ){0,4}subsidiaries of\b|['’]s? subsidiaries$/i.test(text) ||
  (COLUMN_HEAD.test(text) && !LEGAL_FORM.test(text))

/** Footnote marks set apart somewhere in the list. */
const marksOf = (lines: readonly Block[]): ReadonlySet<string> =>
  new Set(lines.flatMap(({ cells }) => cells?.flatMap(({ marks }) => marks.match(MARK) ?? []) ?? []))

const MARK = /\(\w{1,2}\)|\d{1,2}/g
/** Page foot and head text attached to a name. */
const CONTINUED = /\s\(?continued (from|on)( the)?( (previous|next|following))? page( \d{1,3})?\)?$/i
/** Footnote signs at the end of a text. */
const SIGNS = /(?<![\s*†‡§+#^])[\s*†‡§+#^]+$/
/** A percent sign without a number, which refers to a footnote: `Acme Trust %`. */
const BARE_PERCENT = /(?<=[^\d\s%]) ?%$/

/** The text without its footnote marks; if marks are set apart, any other number is part of a name. */
function unmarked({ text, marks }: Cell, known: ReadonlySet<string>): string {
  let left = text
    .replace(SIGNS, '')
    .replace(BARE_PERCENT, '')
    .replace(/(?<=\)) ?\d{1,2}$/, '')
  const marked = marks.replace(SIGNS, '')
  if (marked !== '' && left.endsWith(marked)) left = left.slice(0, -marked.length).replace(SIGNS, '')
  for (;;) {
    const last = /(?<!\s)\s*(\((?:\d{1,2}|[a-z])\))$/.exec(left)
    if (!last || (known.size > 0 && !known.has(groupOf(last, 1)))) break
    left = left.slice(0, last.index).replace(SIGNS, '')
  }
  return left
    .replace(/^[•·●▪◦○‣▫■□\s*-]+/, '')
    .replace(/^(?:\d{1,3}\.?\)|\(\d{1,3}\)|\d{1,3}\.(?=\s+\p{Lu}))\s*(?=\p{L})/u, '')
    .replace(CONTINUED, '')
    .replace(/,? \(?the registrant\)?\W{0,2}$/i, '')
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

/**
 * A name continues on the next line if that line cannot be a name: it begins in lower case, or is only a legal form.
 */
function isContinued(record: Draft, last: Draft | undefined, lines: number): boolean {
  if (!last || lines < 2) return false
  if (/^\p{Ll}/u.test(record.name) && !/^(i|e)\p{Lu}/u.test(record.name))
    return record.place === null || last.place === null
  return (
    (record.place === null || last.place === null) &&
    (record.share === null || last.share === null) &&
    record.name.split(' ').length <= 3 &&
    /^\(?(inc|llc|l\.l\.c|ltd|limited|corp|corporation|company|co|l\.p|lp|s\.a|gmbh|b\.v)\b[.,)]*/i.test(
      record.name,
    )
  )
}

const STEP = 4

/** Finds each company's parent: the one that its line names, else the nearest before it with less indentation. */
function nested(drafts: readonly Draft[], notes: ReadonlyMap<string, string>): ListedCompany[] {
  const above: { indent: number; index: number }[] = []
  const owners = ownersOf(drafts, notes)
  return drafts.map(({ name, place, share, owner, indent, at }, index): ListedCompany => {
    while (above.length > 0 && lastOf(above).indent > indent - STEP) above.pop()
    const named = owners[index]
    const parent = named === undefined ? (above[above.length - 1]?.index ?? null) : named
    above.push({ indent, index })
    return {
      name,
      jurisdiction: place === null ? null : (jurisdictionNamed(place) ?? place),
      jurisdiction_as_written: place,
      // The share of an owner that the list does not name is not the filer's.
      ownership_pct: owner !== null && named === undefined ? null : share,
      parent,
      at,
    }
  })
}
