import { flatten } from './flat-text.ts'
import { withDecimals } from './fractions.ts'
import { dayNamed } from './maturities.ts'

/** A figure of a row. */
export interface Mark {
  readonly kind: 'amount' | 'percent' | 'due' | 'range'
  readonly value: number
  readonly text: string
}

/** A row of a table in a text: its words, and the figures beside them in order. */
export interface TableRow {
  readonly label: string
  /** Words in cells after the first, `Semi-annually`. */
  readonly others: string
  readonly marks: readonly Mark[]
  /** What the last heading above calls the rows below it. */
  readonly heading: string
  /** No total stands between it and the heading. */
  readonly isInGroup: boolean
  /** Heads of columns that stand between the rows of the table above it; empty without any. */
  readonly heads: string
  readonly from: number
  readonly to: number
}

export interface TextTable {
  readonly rows: readonly TableRow[]
  /** Where the line that introduces it begins; else its first line. */
  readonly from: number
  /** The words above the rows of another day that it was one table with; empty if there are none. */
  readonly above: string
}

/** A line longer than this is a paragraph. */
const PARAGRAPH = 150
/** Most characters of a cell that are read for figures. */
const CELL = 90
/** How many lines above a table may introduce it. */
const LINES_ABOVE = 3
/** Rows further apart are of two tables, characters. */
const APART = 420

/** The name of a row without marks of footnotes, `(a)`, `[a]`. */
export const withoutMarks = ({ label }: TableRow): string =>
  label
    .replace(/\(\w{1,2}\)|\[\w{1,2}\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** A line that introduces a table: `Long-term debt consisted of the following (in millions):`. */
const INTRODUCES =
  /\b(?:following|as follows|below|summar(?:y|izes)|components|consist(?:ed|s)|compris(?:ed|es)|presents?|shows?)\b/i

/** The tables of a text whose cells are set apart by bars, with the headings between their rows. */
// Over 80 lines: one pass over the lines, whose state is what stood above each.
export function tablesIn(text: string): TextTable[] {
  const tables: { rows: TableRow[]; from: number; above: string }[] = []
  let table: { rows: TableRow[]; from: number; above: string } | null = null
  let heading = ''
  // The last heading that is not the name of a row.
  let group = ''
  let begun = ''
  // Heads of columns between the rows of a table.
  let heads = ''
  // The heading above the line that stands right above.
  let outer = ''
  let named = ''
  // The heading whose rows a total has ended.
  let closed = ''
  // The lines without bars above a table.
  let above: { readonly at: number; readonly words: string }[] = []
  let last = 0
  let from = 0
  for (const line of text.split('\n')) {
    const at = from
    from += line.length + 1
    const words = flatten(line).trim()
    if (words === '' || isOfPage(words)) continue
    const isSum = isAmount.test(words) && hasOneAmount(table?.rows.at(-1)) && at - last < BREAK
    if (!line.includes('|') && !isSum) {
      if (line.length > PARAGRAPH || INTRODUCES.test(words)) table = null
      above.push({ at, words })
      // The head of the columns of amounts, in a line of its own.
      if (isColumns.test(words)) continue
      begun = words
      outer = heading
      if (!ownDue.test(words) && !wholeOf.test(words)) group = words
      heading = INTRODUCES.test(words) ? '' : words
      continue
    }
    const cells = line.split('|').map(cell => withDecimals(flatten(cell)).trim())
    if (isFootnote(cells)) continue
    if (table === null || at - last > APART) {
      const intro = above.findLast(each => INTRODUCES.test(each.words)) ?? above.slice(-LINES_ABOVE)[0]
      tables.push({ rows: [], from: intro?.at ?? at, above: '' })
      table = tables.at(-1) ?? null
      heads = ''
    }
    const read = rowOf(cells)
    const ofDay = above.findLast(({ words: each }) => isDay(each))
    if (
      ofDay !== undefined &&
      table !== null &&
      read.marks.length === 0 &&
      cells.filter(cell => cell !== '').length > 1
    ) {
      const before = table.rows.find(({ marks }) => marks.some(({ kind }) => kind === 'amount'))
      if (before !== undefined) {
        // A day and heads of columns below rows: what follows is of that day, whatever stands above.
        const whole = table.above === '' ? text.slice(table.from, before.from) : table.above
        tables.push({ rows: [], from: ofDay.at, above: flatten(whole).slice(0, ABOVE) })
        table = tables.at(-1) ?? null
      }
    }
    above = []
    last = at + line.length
    if (read.marks.length === 0) {
      const isOfTerms = table !== null && hasAmounts(table.rows) && areTerms(cells)
      // Of several cells, they are heads of columns; between rows the first says what those below are.
      if (isOfTerms) heads = flatten(line)
      if (isOfTerms || (read.label !== '' && cells.filter(cell => cell !== '').length === 1))
        heading = isOfTerms ? (cells[0] ?? '').replace(PRINCIPAL_OF, '') : read.label
      begun = isOfTerms ? '' : read.label
      continue
    }
    const broken = table?.rows.at(-1)
    if (broken !== undefined && isRest(read) && lacksAmounts(broken) && at - broken.to < BREAK) {
      const own = broken.marks.filter(({ kind }) => kind !== 'amount')
      table?.rows.splice(-1, 1, { ...broken, marks: [...own, ...read.marks], to: at + line.length })
      begun = ''
      continue
    }
    // `Private activity bonds and government funded` above `debt - fixed rate | ...`: a name set in two lines.
    const isBroken = begun !== '' && !/[:.]$/.test(begun) && /^[a-z)]/.test(read.label)
    // Ranges of a line of debt below each other: only the first repeats what they are.
    const isRange = read.marks[0]?.kind === 'range'
    const isSame =
      named !== '' && isRange && /^(?:(?:fixed|floating|variable)(?:[- ]rate)?)?$/i.test(read.label)
    const own = isSame ? `${named} ${read.label.toLowerCase()}`.trim() : read.label
    const isLabel = isBroken || isOwnLine(begun, read)
    const label = isLabel ? `${begun} ${read.label}`.trim() : own
    if (!isSame) named = isRange ? label : ''
    if (isLabel && heading === begun) heading = isBroken ? '' : group === begun ? outer : group
    begun = ''
    table?.rows.push({
      ...read,
      label,
      heading,
      isInGroup: heading !== closed,
      heads,
      from: at,
      to: at + line.length,
    })
    if (/^(?:total\b|$)/i.test(label)) closed = heading
  }
  return tables.map(({ rows, ...where }) => ({ rows: withPercents(rows), ...where }))
}

const hasAmounts = (rows: readonly TableRow[]): boolean =>
  rows.some(({ marks }) => marks.some(({ kind }) => kind === 'amount'))

/** Heads of columns that name debt and two of its terms, `Debenture principal amount | Interest rate | Maturity date`. */
const areTerms = (cells: readonly string[]): boolean =>
  NAMES_DEBT.test(cells[0] ?? '') && cells.slice(1).filter(cell => TERM.test(cell)).length > 1
const NAMES_DEBT = /\b(?:notes?|bonds?|debentures?|loans?|mortgages?)\b/i
const TERM =
  /^(?:(?:stated |annual |nominal )?(?:interest )?rate|coupon|(?:issued?|maturity) dates?|maturity)$/i
const PRINCIPAL_OF = / (?:principal|face) amount$/i

/** A sum without words below a column of amounts, alone in its line. */
const isAmount = /^(?:\$ ?)?\d{1,3}(?:,\d{3}){1,3}(?:\.\d{1,2})?$/
const hasOneAmount = (row: TableRow | undefined): boolean =>
  row?.marks.filter(({ kind }) => kind === 'amount').length === 1

/** What stands above all columns of amounts. */
const isColumns = /^(?:amounts? )?outstanding(?: (?:amounts?|balances?|principal))?$/i

/** Most characters that are kept of what stands above the first of several tables. */
const ABOVE = 400

/** A line that says of which day the columns below it are, `As of December 31, 2024`. */
const isDay = (words: string): boolean => /^(?:as (?:of|at) |at )?[a-z]{3,9} \d{1,2}, ?20\d\d:?$/i.test(words)

/** Most characters between a row and the rest of it in the next line. */
const BREAK = 6

/** Amounts alone, as the rest of a row that a page breaks behind the mark of a footnote. */
const isRest = ({ label, others, marks }: Pick<TableRow, 'label' | 'others' | 'marks'>): boolean =>
  label === '' && others === '' && marks.every(({ kind }) => kind === 'amount')

/** A row with a rate or a maturity, and no figure but the mark of a footnote, `2025-2029 | Floating | (1)`. */
const lacksAmounts = ({ marks }: TableRow): boolean =>
  marks.some(({ kind }) => kind === 'due' || kind === 'range' || kind === 'percent') &&
  marks.every(({ kind, text }) => kind !== 'amount' || /^\(\d\)$/.test(text.trim()))

/** A line that says when one note falls due, `Floating rate: 3-month SOFR plus 12.5 basis points due 2027`. */
const ownDue = /\bdue (?:in )?(?:[a-z]{3,9} )?20\d\d$/i
/** A name whose last character is the mark of a footnote, alone in its line, `Zero coupon notes due 20202`. */
const ownName = /^[A-Z][^.:;|$%]{2,70}(?:[a-z)]\d(?:,\d)?|\b20\d{3}|\(\w{1,2}\))$/
/** A total whose name goes on in the next line, `Total Borrowings Subject to`. */
const wholeOf = /^total\b.*\b(?:subject to|of|and|for|under|debt)$/i

/** Whether a line without figures is the name, or its beginning, of the row below it, which has amounts and hardly a word. */
const isOwnLine = (line: string, { label, marks }: Pick<TableRow, 'label' | 'marks'>): boolean =>
  label === ''
    ? marks.some(({ kind }) => kind === 'amount') && (ownDue.test(line) || ownName.test(line))
    : marks.every(({ kind }) => kind === 'amount') && wholeOf.test(line) && /^[a-z]{1,20}$/i.test(label)

/** A rate below one with a percent sign is one too: filers write the sign in the first row alone. */
function withPercents(rows: readonly TableRow[]): TableRow[] {
  const shapes = new Map<number, readonly Mark[]>()
  for (const { marks } of rows)
    if (
      ['percent', 'amount'].every(each => marks.some(({ kind }) => kind === each)) &&
      !shapes.has(marks.length)
    )
      shapes.set(marks.length, marks)
  return rows.map(row => {
    const shape = shapes.get(row.marks.length)
    const isRate = ({ kind, value }: Mark, i: number) =>
      kind === 'amount' && shape?.[i]?.kind === 'percent' && value >= 0 && value < HIGHEST_RATE
    const isAlike = shape?.every(({ kind }, i) => {
      const mark = row.marks[i]
      return mark !== undefined && (mark.kind === kind || isRate(mark, i))
    })
    if (isAlike !== true || !row.marks.some(isRate)) return row
    return {
      ...row,
      marks: row.marks.map((mark, i) => (isRate(mark, i) ? { ...mark, kind: 'percent' } : mark)),
    }
  })
}

const HIGHEST_RATE = 30

/** What a page repeats: its number, and the title of the notes. */
const isOfPage = (words: string): boolean =>
  /^(?:[-\s\d]{1,12}|notes to (?:the )?consolidated financial statements.{0,40}|table of contents|.{0,40}\(continued\))$/i.test(
    words,
  )

const isFootnote = (cells: readonly string[]): boolean =>
  /^\(?(?:\w{1,2}|\*)\)?\.?$/.test(cells[0] ?? '') && !/\d/.test(cells[0] ?? '')
    ? cells.slice(1).join(' ').length > 60
    : /^\(\d{1,2}\)$/.test(cells[0] ?? '') && /[a-z]{4}.*[a-z]{4}/i.test(cells[1] ?? '')

const MONTHS =
  /\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b/gi

/** Whether a cell has words other than months. */
export const hasWords = (cell: string): boolean => /[a-z]{3}/i.test(cell.replace(MONTHS, ''))

function rowOf(cells: readonly string[]): Pick<TableRow, 'label' | 'others' | 'marks'> {
  const first = cells.findIndex(cell => !hasWords(cell) && marksOf(cell).length > 0)
  const named = cells.slice(0, first < 0 ? cells.length : first).filter(hasWords)
  // A name may state a coupon and a maturity; figures in cells with words are part of them.
  const label = named.join(' ')
  const rest = first < 0 ? [] : cells.slice(first)
  return {
    label,
    others: rest.filter(hasWords).join(' '),
    marks: withRanges(
      rest.filter(cell => !hasWords(cell)).flatMap(cell => (isTo.test(cell) ? TO : marksOf(cell))),
    ),
  }
}

/** A word between the two ends of a range, in a cell of its own. */
const isTo = /^(?:to|through)$/i
const TO: Mark = { kind: 'range', value: 0, text: 'to' }

/** Two years, or two rates, with a dash or `to` between them in cells of their own as one range. */
function withRanges(marks: readonly Mark[]): Mark[] {
  const found: Mark[] = []
  for (let at = 0; at < marks.length; at++) {
    const [one, dash, other] = marks.slice(at, at + 3)
    const isRange =
      one !== undefined &&
      other !== undefined &&
      one.kind === other.kind &&
      (one.kind === 'due' || one.kind === 'percent') &&
      (dash === TO || dash?.text.trim() === '-') &&
      /\d/.test(one.text) &&
      /\d/.test(other.text)
    if (isRange) {
      found.push({ kind: 'range', value: 0, text: `${one.text.trim()} - ${other.text.trim()}` })
      at += 2
    } else if (one !== undefined && one !== TO) found.push(one)
  }
  return found
}

const figure =
  /(?<range>\d{1,2}(?:\.\d{1,4})? ?%? ?(?:-|to) ?\d{1,2}(?:\.\d{1,4})? ?%|\d{1,2}\.\d{1,4} ?- ?\d{1,2}\.\d{1,4}|\b(?:19|20)\d\d ?(?:-|to) ?(?:19|20)\d\d\b)|(?<open>\()?\$? ?\(?(?<number>\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,3})?|\d{1,9}(?:\.\d{1,5})?)(?![\d,.]{0,20}\d)(?: ?\))?(?: ?(?<percent>%))?|(?<dash>(?:\$ ?)?-{1,4})(?: ?(?<none>%))?(?=[\s$|]|$)/g

/** `15-Aug-26` as `2026-08-15`. */
function shortDay(cell: string): string | null {
  const { day, month, year } =
    /^(?<day>\d{1,2})-(?<month>[A-Z][a-z]{2})-(?<year>\d\d)$/.exec(cell)?.groups ?? {}
  return day === undefined ? null : dayNamed(`${month} ${day}, 20${year}`)
}

const MONTH_OF = /^(?<month>0?[1-9]|1[0-2])\/(?<year>[1-6]\d)$/

/** `7/27` as July 2027, `7/27-5/48` as a range. */
function monthsOf(cell: string): Mark[] | null {
  const [first, last, ...others] = cell.split('-').map(each => MONTH_OF.exec(each.trim())?.groups)
  if (first === undefined || others.length > 0 || (cell.includes('-') && last === undefined)) return null
  const [from, to] = [first, last].map(each => ({
    month: each?.['month'] ?? '',
    year: `20${each?.['year']}`,
  }))
  if (from === undefined || to === undefined) return null
  return last === undefined
    ? [{ kind: 'due', value: Number(from.year), text: `${from.year}-${from.month.padStart(2, '0')}` }]
    : [{ kind: 'range', value: 0, text: `${from.year} - ${to.year}` }]
}

const DAY = /\d{1,2}\/\d{1,2}\/(?:19|20)\d\d/g
const DAYS = /^(?:\d{1,2}\/\d{1,2}\/(?:19|20)\d\d ?(?:\(\w{1,2}\))? ?){1,4}$/

/** The figures of a cell without words. */
function marksOf(cell: string): Mark[] {
  if (cell === '' || cell.length > CELL) return []
  // The sign of the amount in the next column may stand here, `2034 $ | 831`.
  const due = cell.replace(/ ?\(\w{1,2}\)$/, '').replace(/ ?\$$/, '')
  if (/^(?:[a-z]{3,9}[.,]? ?(?:\d{1,2}, ?)?|\d{1,2}\/\d{1,2}\/)?(?:19|20)\d\d$/i.test(due)) {
    const day = dayNamed(due)
    return day === null ? [] : [{ kind: 'due', value: Number(day.slice(0, 4)), text: day }]
  }
  // Days of several draws, `5/8/2019(3) 10/1/2019(3)`.
  if (DAYS.test(cell))
    return [...cell.matchAll(DAY)].flatMap(([each]) => {
      const day = dayNamed(each)
      return day === null ? [] : [{ kind: 'due', value: Number(day.slice(0, 4)), text: day }]
    })
  const months = monthsOf(cell)
  if (months !== null) return months
  const short = shortDay(cell)
  if (short !== null) return [{ kind: 'due', value: Number(short.slice(0, 4)), text: short }]
  if (/[a-z]{3}/i.test(cell)) return []
  return [...cell.matchAll(figure)].map(({ 0: text, groups = {} }): Mark => {
    const { range, open, number, percent, none } = groups
    if (range !== undefined) return { kind: 'range', value: 0, text: range }
    if (number === undefined) return { kind: none === undefined ? 'amount' : 'percent', value: 0, text }
    const value = Number(number.replaceAll(',', ''))
    if (percent !== undefined) return { kind: 'percent', value, text }
    return { kind: 'amount', value: open !== undefined || text.includes('(') ? -value : value, text }
  })
}
