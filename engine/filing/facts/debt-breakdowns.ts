import { linesOf, type ScheduleLine } from './debt-schedules.ts'
import type { FiledSection } from './filed-section.ts'
import { debtLineOf } from './schedule-lines.ts'
import { type TableRow, type TextTable, tablesIn } from './table-rows.ts'

/** What is owed under an agreement, or of a kind, as one amount: `Credit Agreement`, `Term loans`, `Senior notes`. */
const isSeveral =
  /\b(?:credit (?:agreements?|facilit(?:y|ies))|(?:term )?loans?|notes|mortgages?|debentures|bonds|borrowings|certificates)\b/i
/** It says itself which debt it is. */
const isSingle = /\d ?%|\b(?:due|matur\w+)\b.{0,16}\b20\d\d/i
const NAMED = /\b(?:loans?|notes?|bonds?|debentures?|mortgages?|tranche|certificates?|facilit\w+)\b/i

/** The lines of a section's tables of debt outstanding; those of which another table states the parts, by these. */
export function scheduleLinesIn(section: FiledSection): ScheduleLine[] {
  if (section.section_type !== 'debt_footnote' || section.period_end === null) return []
  const day = section.period_end
  const tables = tablesIn(section.text)
  return withParts(tables, withoutSummaries(tables.map(table => linesOf(table, section.text, day))))
}

/** Fewest kinds of debt that a table sums up. */
const FEWEST = 3

/**
 * The lines of the tables of a note without a table of kinds, `Term loans | Mortgage loans`, which has the total of another that
 * lists what they are.
 */
function withoutSummaries(read: readonly ScheduleLine[][]): ScheduleLine[][] {
  const owed = read.map(lines => lines.filter(line => line.amount > 0 && debtLineOf(line) !== null))
  const isListed = (lines: readonly ScheduleLine[]) =>
    lines.length >= FEWEST &&
    lines.every(({ row }) => row.marks.every(({ kind }) => kind === 'amount') && !isSingle.test(row.label)) &&
    owed.some(other => other.length > lines.length && keyOf(sumOf(other)) === keyOf(sumOf(lines)))
  return read.map((lines, i) => (isListed(owed[i] ?? []) ? [] : lines))
}

/**
 * The lines of the tables of a note, where one of them is what several rows of another table add up to: those rows in its place.
 * Rows of a table without a total that add up to a line are verified by it.
 */
function withParts(tables: readonly TextTable[], read: readonly (readonly ScheduleLine[])[]): ScheduleLine[] {
  // By an amount, the rows that add up to it; none where they are lines already.
  const sums = new Map<string, readonly TableRow[]>()
  for (const [i, { rows }] of tables.entries()) {
    const lines = (read[i] ?? []).filter(({ amount }) => amount > 0)
    if (lines.length > 1) sums.set(keyOf(sumOf(lines)), [])
    else if (read[i]?.length === 0) addRuns(sums, rows)
  }
  return read.flat().flatMap(line => {
    const parts = line.amount > 0 && isWholeOf(line) ? sums.get(keyOf(line.amount)) : undefined
    return parts === undefined ? line : parts.map(row => partOf(line, row))
  })
}

const keyOf = (amount: number): string => amount.toFixed(3)
const sumOf = (lines: readonly ScheduleLine[]): number => lines.reduce((sum, { amount }) => sum + amount, 0)

/** A line of amounts alone, or with the average rate of what it is made of. */
const isWholeOf = ({ row, head }: ScheduleLine): boolean =>
  isSeveral.test(row.label) &&
  !isSingle.test(row.label) &&
  row.marks.every(({ kind }) => kind === 'amount' || (kind === 'percent' && /\baverage\b/i.test(head)))

/** A line for a row that is a part of another: its amount is in the unit of the whole, and of its day. */
const partOf = (whole: ScheduleLine, row: TableRow): ScheduleLine => ({
  ...whole,
  row,
  amount: ownAmount(row) ?? 0,
  face: null,
  committed: null,
  before: [],
  isWhole: false,
  isBesideOthers: true,
})

/** Most rows that one line covers. */
const MOST = 40

/** Rows of one heading right below each other, each with a day or rate, by what they add up to. */
function addRuns(sums: Map<string, readonly TableRow[]>, rows: readonly TableRow[]): void {
  for (let from = 0; from < rows.length; from++) {
    let sum = 0
    for (let to = from; to < Math.min(rows.length, from + MOST); to++) {
      const row = rows[to]
      const amount = row === undefined ? undefined : ownAmount(row)
      if (row === undefined || amount === undefined || row.heading !== rows[from]?.heading) break
      sum += amount
      const key = keyOf(sum)
      if (to > from && !sums.has(key)) sums.set(key, rows.slice(from, to + 1))
    }
  }
}

/** The one amount of a row that names debt with its maturity or rate. */
function ownAmount({ label, others, marks }: TableRow): number | undefined {
  const [amount, ...rest] = marks.filter(({ kind }) => kind === 'amount').map(({ value }) => value)
  const isTelling =
    marks.some(({ kind }) => kind === 'due' || kind === 'percent') || isSingle.test(`${label} ${others}`)
  return NAMED.test(label) && isTelling && rest.length === 0 && amount !== undefined && amount > 0
    ? amount
    : undefined
}
