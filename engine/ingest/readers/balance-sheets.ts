import { elementAt } from '../../base/elements.ts'
import { BALANCE_SHEET, WHOLE_LIABILITIES } from '../../schema/datasets/calculations.ts'
import type { Output } from './reader.ts'

/** A line of a balance sheet, with its values of each day: null where it has none. */
export interface SheetLine {
  readonly concept: string
  readonly values: readonly (number | null)[]
}

/** A total, and the lines before it that add up to it. */
export interface SheetTotal {
  readonly concept: string
  readonly parts: readonly { readonly concept: string; readonly weight: 1 | -1 }[]
}

/** A total may be compared with no more lines than this. */
const MOST_PARTS = 80
/** Lines of a total of equity whose signs are tried in pairs. */
const MOST_SIGNED = 16
/** Days of a balance sheet that must agree: the balance date and the one before. */
const DAYS = 2

/** Totals that may differ from their lines by one unit, as rounded lines do. */
const MAIN = /:(?:Liabilities|Equity|StockholdersEquity|Current|Noncurrent|Total)/
/** Totals of which some lines are taken off, though tagged as positive: treasury stock. */
const WITH_SIGNS = /Equity|Capital/
/** Total assets, after which a balance sheet tells what is owed. */
export const ASSETS = /^(?:us-gaap|ifrs-full):Assets$/

/**
 * The totals of a balance sheet: a line is one if the lines just before it, two or more with amounts, add up to it on every day. Each
 * line is in one total; one without an amount is in that of the lines around it.
 */
export function totalsOf(lines: readonly SheetLine[]): SheetTotal[] {
  const open: { concept: string; values: number[] }[] = []
  const totals: SheetTotal[] = []
  const unit = unitOf(lines)
  for (const { concept, values } of lines) {
    const line = { concept, values: values.map(value => value ?? 0) }
    const found = addedUp(open, line, unit)
    if (found) {
      const parts = open.splice(found.first)
      totals.push({
        concept,
        parts: parts.map((part, i) => ({ concept: part.concept, weight: found.less.includes(i) ? -1 : 1 })),
      })
    }
    open.push(line)
  }
  return totals
}

interface Line {
  readonly concept: string
  readonly values: readonly number[]
}

/** The first of the lines that add up to a total, and which of them are taken off. */
interface Parts {
  readonly first: number
  readonly less: readonly number[]
}

/** The lines at the end of `open` that add up to a line. */
function addedUp(open: readonly Line[], line: Line, unit: number): Parts | null {
  if (line.values.every(value => value === 0)) return null
  const exact = plainSum(open, line, CENT)
  if (exact) return exact
  const rounded = MAIN.test(line.concept) ? plainSum(open, line, unit + CENT) : null
  return rounded ?? (WITH_SIGNS.test(line.concept) ? signedSum(open, line) : null)
}

const isSum = (sums: readonly number[], { values }: Line, off = CENT): boolean =>
  sums.every((sum, day) => Math.abs(sum - elementAt(values, day)) <= off)

/** The sums by day of the lines from each on to the last, shortest first. */
function* sumsFrom(open: readonly Line[]): Iterable<readonly [first: number, sums: readonly number[]]> {
  let sums: number[] = []
  for (let first = open.length - 1; first >= Math.max(0, open.length - MOST_PARTS); first--) {
    sums = elementAt(open, first).values.map((value, day) => value + (sums[day] ?? 0))
    yield [first, sums]
  }
}

function plainSum(open: readonly Line[], line: Line, off: number): Parts | null {
  let filled = 0
  for (const [first, sums] of sumsFrom(open)) {
    if (elementAt(open, first).values.some(value => value !== 0)) filled++
    if (filled >= 2 && isSum(sums, line, off)) return { first, less: [] }
  }
  return null
}

/** One of three lines and more is taken off, or two of four and more. */
function signedSum(open: readonly Line[], line: Line): Parts | null {
  for (const [first, sums] of sumsFrom(open)) {
    const parts = open.slice(first)
    const without = (from: readonly number[], { values }: Line) =>
      from.map((sum, day) => sum - 2 * elementAt(values, day))
    for (const [i, one] of parts.entries()) {
      const less = without(sums, one)
      if (parts.length > 2 && isSum(less, line)) return { first, less: [i] }
      if (parts.length < 4 || parts.length > MOST_SIGNED) continue
      for (let j = i + 1; j < parts.length; j++)
        if (isSum(without(less, elementAt(parts, j)), line)) return { first, less: [i, j] }
    }
  }
  return null
}

const CENT = 0.01

/** The unit of the figures: a million where all end with six zeros. */
function unitOf(lines: readonly SheetLine[]): number {
  for (const unit of [1e6, 1e5, 1e3])
    if (lines.every(({ values }) => values.every(value => value === null || value % unit === 0))) return unit
  return 1
}

/** A line in its place. */
interface PlacedLine extends DatedLine {
  readonly report: number
  readonly line: number
  readonly sign: 1 | -1
  readonly values: Map<string, number>
}

/** The balance sheets of a quarter's filings: lines of `pre.txt` with figures of `num.txt`. */
export class BalanceSheets {
  private readonly filings = new Map<string, Map<string, PlacedLine[]>>()
  /** Names and days, each once: a part of a line would hold the whole chunk of the file that it was read in. */
  private readonly texts = new Map<string, string>()

  /** Adds a line; those of a report are added in order. */
  addLine(accession: string, line: Omit<PlacedLine, 'values'>): void {
    const concept = this.once(line.concept)
    const filing = this.filings.get(accession) ?? new Map<string, PlacedLine[]>()
    this.filings.set(this.once(accession), filing)
    if (ASSETS.test(concept)) dropBefore(line, filing)
    const same = filing.get(concept) ?? []
    filing.set(concept, same)
    same.push({ ...line, concept, values: new Map() })
  }

  private once(text: string): string {
    const known = this.texts.get(text)
    if (known !== undefined) return known
    const copy = Buffer.from(text).toString()
    this.texts.set(copy, copy)
    return copy
  }

  addValue(accession: string, concept: string, day: string, value: number): void {
    for (const { values, sign } of this.filings.get(accession)?.get(concept) ?? [])
      values.set(this.once(day), sign * value)
  }

  /**
   * The calculation links of each filing whose liabilities add up, as rows of `calculations`; none where they do not, or where only
   * one day is shown.
   */
  *links(): Iterable<{ readonly accession: string; readonly outputs: readonly Output[] }> {
    for (const [accession, filing] of this.filings)
      yield { accession, outputs: linksOf(accession, [...filing.values()].flat()) }
  }
}

/** Forgets the lines of a report before its total assets, which are half of them. */
function dropBefore({ report, line }: Omit<PlacedLine, 'values'>, filing: Map<string, PlacedLine[]>): void {
  for (const [concept, lines] of filing) {
    const left = lines.filter(other => other.report !== report || other.line > line)
    if (left.length === 0) filing.delete(concept)
    else if (left.length < lines.length) filing.set(concept, left)
  }
}

function linksOf(accession: string, lines: readonly PlacedLine[]): Output[] {
  const reports = new Map<number, PlacedLine[]>()
  for (const line of lines) {
    const report = reports.get(line.report) ?? []
    reports.set(line.report, report)
    report.push(line)
  }
  return firstLinks(
    accession,
    [...reports].sort(([a], [b]) => a - b).map(([, report]) => [...report].sort((a, b) => a.line - b.line)),
  )
}

/** A line in a sheet, with its values by day. */
export interface DatedLine {
  readonly concept: string
  readonly values: ReadonlyMap<string, number>
}

/**
 * The links of the first of a filing's sheets whose liabilities add up, as rows of `calculations`; none if none does, or if only one
 * day is shown.
 */
export function firstLinks(document: string, sheets: Iterable<readonly DatedLine[]>): Output[] {
  for (const sheet of sheets) {
    const totals = totalsOf(onTwoDays(sheet))
    if (!totals.some(({ concept }) => WHOLE_LIABILITIES.includes(concept))) continue
    const seen = new Set<string>()
    return totals.flatMap(({ concept: parent, parts }) =>
      parts.flatMap(({ concept: child, weight }) => {
        const key = `${parent} ${child}`
        if (parent === child || seen.has(key)) return []
        seen.add(key)
        return [{ dataset: 'calculations', values: { document, role: BALANCE_SHEET, parent, child, weight } }]
      }),
    )
  }
  return []
}

/** The lines after total assets, with their values on the two days that most of them have. */
function onTwoDays(sheet: readonly DatedLine[]): SheetLine[] {
  const lines = sheet.slice(sheet.findIndex(({ concept }) => ASSETS.test(concept)) + 1)
  const counts = new Map<string, number>()
  for (const { values } of lines) for (const day of values.keys()) counts.set(day, (counts.get(day) ?? 0) + 1)
  const days = [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? 1 : -1))
    .slice(0, DAYS)
    .map(([day]) => day)
  if (days.length < DAYS) return []
  return lines.map(({ concept, values }) => ({ concept, values: days.map(day => values.get(day) ?? null) }))
}
