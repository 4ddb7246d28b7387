import { elementAt } from '../../base/elements.ts'
import { columnOf, columnsIn } from './debt-columns.ts'
import { amountsOf } from './debt-schedules.ts'
import type { FiledSection } from './filed-section.ts'
import { filledCellsOf, flatten } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { dueOnceIn, fullDate, spelledMaturity } from './maturities.ts'
import { type DescribedNote, notesDescribedIn, titled } from './note-sentences.ts'
import { datesIn } from './spelled-dates.ts'
import { type TableRow, tablesIn } from './table-rows.ts'
import { ownCurrency, scaleIn, scaleOf, scaleOfStatements } from './table-scale.ts'

/** How far above the rows of a block its heads may begin, characters. */
const HEAD = 700
/** Heads of columns that stand right above the first row, characters. */
const COLUMNS = 320

/** Rows from what notes were issued at to what they are carried at, which they add up to in every column. */
interface Block {
  readonly face: TableRow
  readonly carrying: TableRow
  readonly first: TableRow
  /** Where its table begins, with the line that introduces it. */
  readonly from: number
}

/** The balance of one of the notes of a block. */
interface Balance {
  readonly name: string
  readonly column: number
}

/**
 * Notes whose principal, discount and carrying amount stand below each other, in a column for each of the notes, `2028 Notes |
 * 2030 Notes`, or in a block below the name of each: the balance of the report's own day.
 */
export function notesInColumns(section: FiledSection): InstrumentLine[] {
  const day = section.period_end
  if (day === null) return []
  const flat = flatten(section.text)
  const series = notesDescribedIn(flat, null).filter(({ alias }) => alias !== null)
  const inTitle = CONVERTIBLE.exec(section.title ?? '')?.[0]
  const found = new Map<string, InstrumentLine>()
  for (const block of blocksIn(section.text)) {
    const kind = CONVERTIBLE.exec(block.face.heading)?.[0] ?? inTitle
    const head = flat.slice(Math.max(0, block.first.from - HEAD), block.face.from)
    const [scale, currency] = [scaleOf(head) ?? scaleOfStatements(section), ownCurrency(head)]
    if (scale === null || currency === null || isNoBalance.test(flat.slice(block.from, block.face.from)))
      continue
    for (const { name, column } of balancesOf(block, section.text, day)) {
      const [face, carried] = [block.face, block.carrying].map(row => amountsOf(row)[column] ?? 0)
      if (face === undefined || carried === undefined || face <= 0 || carried <= 0 || found.has(name))
        continue
      const minor = scaleIn(currency, scale)
      found.set(name, {
        company_name: section.company_name,
        cik: section.cik,
        ...termsOf(name, series, kind),
        principal: Math.round(face * minor),
        carrying_amount: Math.round(carried * minor),
        currency,
        balance_date: day,
        evidence: section.text.slice(block.carrying.from, block.carrying.to).trim(),
        evidence_section: section.title ?? section.section_type,
        evidence_offset: section.offset + block.carrying.from,
        rule: 'debt_table',
        accession: section.accession,
      })
    }
  }
  return [...found.values()]
}

const CONVERTIBLE = /\b(?:senior )?(?:convertible|exchangeable) (?:senior )?(?:notes|debentures)\b/i
/** What was received for notes, or is equity. */
const isNoBalance = /\b(?:proceeds|equity component|interest expense)\b/i

const FACE =
  /^(?:outstanding |aggregate |total )?(?:principal|face)(?: amount| value| balance)?(?: outstanding)?\b/i
const DEDUCTED = /\b(?:unamortized|unaccreted|discounts?|premium|costs|fees|adjustments?)\b/i
const CARRIED = /\b(?:carrying (?:amount|value)|net debt)\b|,? net$/i
const NOT_CARRIED = /\b(?:equity|proceeds|fair value|current)\b/i
/** Most rows between the principal and the carrying amount. */
const MOST_BETWEEN = 4

function blocksIn(text: string): Block[] {
  return tablesIn(text).flatMap(({ rows, from }) => {
    const all = rows.filter(row => amountsOf(row).length > 0)
    const [first] = all
    return all.flatMap((face, at): Block[] => {
      const named = isName.test(face.label) ? face.label : null
      if (first === undefined || (named === null && !FACE.test(face.label))) return []
      const below = all.slice(at + 1, at + 2 + MOST_BETWEEN)
      const end = below.findIndex(({ label }) => !DEDUCTED.test(label) || CARRIED.test(label))
      const carrying = below[end]
      if (carrying === undefined || end < 1) return []
      if (!CARRIED.test(carrying.label) || NOT_CARRIED.test(carrying.label)) return []
      // `Carrying amount of Notes due 2028` below `Notes due 2028`.
      if (named !== null && !carrying.label.toLowerCase().includes(named.toLowerCase())) return []
      const parts = [face, ...below.slice(0, end)].map(amountsOf)
      const total = amountsOf(carrying)
      const isWhole = parts.every(part => part.length === total.length)
      const isSum = total.every((amount, i) => Math.abs(sumAt(parts, i) - amount) <= SLACK)
      return isWhole && isSum ? [{ face, carrying, first, from }] : []
    })
  })
}

/** What rounding may leave, in units of the table. */
const SLACK = 1

const sumAt = (rows: readonly (readonly number[])[], column: number): number =>
  rows.reduce((sum, row) => sum + (row[column] ?? 0), 0)

/** The columns of a block that are of the report's own day, each with the name of its notes. */
function balancesOf(block: Block, text: string, day: string): Balance[] {
  const count = amountsOf(block.face).length
  const above = block.face.heading.replace(/:$/, '').trim()
  const heading = isName.test(block.face.label) ? block.face.label : above
  if (isName.test(heading) && block.carrying.heading === block.face.heading) {
    const heads = text.slice(Math.max(0, block.first.from - COLUMNS), block.first.from)
    const now = count > 2 ? undefined : columnOf(columnsIn(heads), count, day)?.now
    return now === undefined ? [] : [{ name: heading, column: now }]
  }
  return namedColumns(text.slice(Math.max(0, block.face.from - COLUMNS), block.face.from), count, day)
}

/** `1.25% Convertible Senior Notes due 2029`, `2029 Notes`. */
const isName =
  /^(?:\d{1,2}(?:\.\d{1,5})?% )?(?:(?:20\d\d )(?:[A-Z][\w-]* ){0,4}(?:Notes|Debentures)|(?:[A-Z][\w-]* ){0,4}(?:Notes|Debentures),? due (?:[A-Z][a-z]{2,8} )?20\d\d)$/i

/** `2030 Notes | 2028 Notes | Total` right above the principal, below the days of which they are. */
function namedColumns(above: string, count: number, day: string): Balance[] {
  const lines = above.split('\n').filter(line => line.trim() !== '')
  const at = lines.findLastIndex(line => filledCellsOf(line).filter(cell => isName.test(cell)).length > 1)
  if (at < 0) return []
  const cells = filledCellsOf(elementAt(lines, at))
  const isEvery = cells.every(cell => isName.test(cell) || /^total$/i.test(cell))
  if (!isEvery || cells.length !== count || lines.slice(at + 1).some(line => line.includes('|'))) return []
  const dated = lines.slice(Math.max(0, at - 2), at).findLast(line => datesIn(flatten(line)).length > 0)
  const days = dated === undefined ? [] : datesIn(flatten(dated)).map(({ date }) => date)
  const second = cells.findIndex((cell, i) => cells.indexOf(cell) < i)
  const parts = second < 0 ? [cells] : [cells.slice(0, second), cells.slice(second)]
  const own = days.indexOf(day)
  if (own < 0 || days.length !== parts.length || parts.some(part => new Set(part).size < part.length))
    return []
  const from = own === 0 ? 0 : second
  return (parts[own] ?? []).flatMap((name, i) => (isName.test(name) ? [{ name, column: from + i }] : []))
}

/** What notes are called and pay: by the one series that the text calls so, else by their name. */
function termsOf(name: string, series: readonly DescribedNote[], kind: string | undefined): InstrumentLine {
  const [one, ...others] = series.filter(({ alias }) => alias?.toLowerCase() === name.toLowerCase())
  const described = others.length === 0 ? one : undefined
  const stated = /^(?<rate>\d{1,2}(?:\.\d{1,5})?)%/.exec(name)?.groups?.['rate']
  const coupon = stated === undefined ? (described?.coupon ?? null) : Number(stated)
  const maturity = dueOnceIn(name) ?? described?.maturity ?? null
  const words = described !== undefined && maturity !== null ? titled(described.kind) : null
  return {
    name:
      words === null || coupon === null || maturity === null
        ? withKind(name, kind)
        : `${coupon}% ${words} due ${spelledMaturity(maturity)}`,
    ...(coupon !== null && { rate_type: 'fixed' as const, coupon_rate: coupon }),
    maturity,
    maturity_date: fullDate(maturity),
  }
}

/** `2029 Notes` of a note, or below a heading, on convertible senior notes alone as `2029 Convertible Senior Notes`. */
function withKind(name: string, kind: string | undefined): string {
  const words = kind === undefined ? '' : titled(kind.toLowerCase())
  if (words === '') return name
  if (/^20\d\d (?:notes|debentures)$/i.test(name)) return `${name.slice(0, 4)} ${words}`
  return name.replace(/^(?:notes|debentures)(?=,? due\b)/i, words)
}
