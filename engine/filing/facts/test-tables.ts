import { groupOf } from '../../base/elements.ts'
import { type Clause, clauseAt } from './clauses.ts'
import type { Direction } from './comparisons.ts'
import type { FinancialTest } from './financial-covenants.ts'
import type { Reading } from './reading.ts'
import { scaleOf } from './table-scale.ts'
import {
  asShare,
  fits,
  type MetricMention,
  metricsIn,
  type TestedQuantity,
  testedQuantities,
} from './test-metrics.ts'
import { type Threshold, thresholdsIn } from './thresholds.ts'

// The head of the column of levels: `Required`, `Covenant`, `Must be`, `Maximum permitted`; never that of what was reached.
const required =
  /\b(?:requir\w+|covenants?(?:\s+(?:level|limit|requirement))?|must\s+be|limits?|threshold|tests?|permitted|allowed|maximum|minimum)\b/i
const reached = /\b(?:actual|results?|calculated|as\s+reported|cushion|headroom|compliance)\b/i
// Levels that a regulator sets for a bank are no covenants.
const ofBanks =
  /\btier\s+(?:1|one|i)\b|\bCET1\b|\bwell[\s-]+capitali[sz]ed\b|\brisk[\s-]+(?:weighted|based)\b|\bsolvency\b/i
const symbols =
  /^\s*(?:(?<most>\u2264|<\s?=?|(?:no|not)\s+(?:more|greater)\s+than|not\s+to\s+exceed|at\s+most|less\s+than(?:\s+or\s+equal\s+to)?|max(?:imum)?\b(?:\s+of)?)|(?<least>\u2265|>\s?=?|(?:no|not)\s+less\s+than|at\s+least|greater\s+than(?:\s+or\s+equal\s+to)?|min(?:imum)?\b(?:\s+of)?))[\s:]*/i

interface Row {
  readonly from: number
  readonly to: number
  readonly cells: readonly string[]
}

/** Rows above a level that may be heads of its column. */
const MOST_HEADS = 16
/** How far before a table the words that introduce it may begin. */
const MOST_LEAD = 700

/** Tests of a table with a column of levels, `Leverage ratio | \u2264 3.75x | 2.14x`, or of an agreement's rows. */
export function rowTestsIn({ flat, clauses, isContract }: Reading, text: string): FinancialTest[] {
  if (!text.includes('|')) return []
  if (isContract) return agreedRowsIn(text, clauses)
  return tablesIn(text).flatMap(table => {
    const [first, last] = [table[0], table.at(-1)]
    if (!first || !last) return []
    const lead = leadOf(text, first.from)
    if (ofBanks.test(text.slice(lead, last.to))) return []
    return table.flatMap((row, i) => {
      const label = row.cells[0] ?? ''
      const mention = named(label)
      const column = columnOf(
        table.slice(Math.max(0, i - MOST_HEADS), i).toReversed(),
        row,
        flat.slice(lead, first.from),
      )
      if (mention === null || column === null) return []
      const introduced = text.slice(lead, row.from)
      const test = levelIn(row.cells, column, mention.metric, scaleOf(introduced))
      if (test === null) return []
      const head = headNaming(table.slice(0, i).toReversed())
      return {
        metric: test.metric,
        threshold: test.level,
        steps: null,
        hasStepDown: false,
        frequency: /\bincurrence\b/i.test(label) ? 'incurrence' : null,
        rule: 'test_row' as const,
        confidence: 0.85,
        mention: [row.from + mention.from, row.from + mention.to] as const,
        from: row.from,
        to: row.to,
        namedIn: [lead, first.from] as const,
        ...(head !== null && { namedAs: head }),
        clause: null,
      }
    })
  })
}

/** Rows of an agreement that name a test and its level, `Minimum Liquidity | Not less than $30,000,000`. */
const agreedRowsIn = (text: string, clauses: readonly Clause[]): FinancialTest[] =>
  tablesIn(text)
    .flat()
    .flatMap(row =>
      row.cells.flatMap((label, i) => {
        const sign = symbols.exec(row.cells[i + 1] ?? '')
        if (sign === null || !/[a-z]/i.test(sign[0]) || !/^\W*(?:maximum|minimum)\b/i.test(label)) return []
        const mention = named(label)
        const test = mention && levelIn(row.cells.slice(i), 1, mention.metric, WRITTEN_OUT)
        if (!mention || !test) return []
        const at = text.indexOf(label, row.from)
        return {
          metric: test.metric,
          threshold: test.level,
          steps: null,
          hasStepDown: false,
          frequency: testedHow.find(([, words]) => words.test(label))?.[0] ?? null,
          rule: 'test_row' as const,
          confidence: 0.85,
          mention: [at + mention.from, at + mention.to] as const,
          from: row.from,
          to: row.to,
          clause: clauseAt(clauses, row.from),
        }
      }),
    )
/** Cents of a dollar: the amounts of an agreement are written out. */
const WRITTEN_OUT = 100
const testedHow = [
  ['monthly', /\btested\b[^;)]{0,30}\bmonthly/i],
  ['quarterly', /\btested\b[^;)]{0,30}\bquarterly/i],
  ['annually', /\btested\b[^;)]{0,30}\bannual/i],
] as const

/** Where the paragraph before a table begins. */
function leadOf(text: string, at: number): number {
  const earliest = Math.max(0, at - MOST_LEAD)
  const before = text.slice(earliest, at).trimEnd()
  const begins = before.lastIndexOf('\n\n')
  return begins < 0 ? earliest : earliest + begins + 2
}

/** Runs of lines with cells, and heads between them that have one cell. */
function tablesIn(text: string): Row[][] {
  const tables: Row[][] = []
  let at = 0
  let open = false
  const lines = text.split('\n')
  for (const [i, line] of lines.entries()) {
    const isHead: boolean =
      open && isText(line) && line.length <= LONGEST_HEAD && (lines[i + 1] ?? '').includes('|')
    const isRow: boolean = line.includes('|') || isHead
    const row = { from: at, to: at + line.length, cells: line.split('|').map(cell => cell.trim()) }
    if (isRow && open) tables.at(-1)?.push(row)
    else if (isRow) tables.push([row])
    if (isText(line)) open = isRow
    at += line.length + 1
  }
  return tables
}
const isText = (line: string): boolean => line.trim() !== ''
/** Longest head between the rows of a table. */
const LONGEST_HEAD = 200

// Unencumbered assets over unsecured debt where a real estate trust holds it to a minimum above one.
const unsecuredRatio = /^\s*(?:total\s+)?unsecured\s+debt\s+(?:ratio|coverage)\b/i

/** The one quantity of a label; that in its brackets specifies it. */
function named(label: string): MetricMention | null {
  const mentions = metricsIn(label).filter(
    ({ metric }) => metric.unit === 'ratio' || /net\s+worth|liquidity/i.test(label),
  )
  const [over, under] = label.split('/').map(part => part.trim())
  // `Income Available for Debt Service / Maximum Annual Service Charge`.
  const divided = under === undefined ? [] : metricsIn(`ratio of ${over} to ${under}.`)
  const mention = mentions.at(-1) ?? null
  if (mention === null && unsecuredRatio.test(label))
    return { metric: testedQuantities.assetCoverage, from: 0, to: label.length, shown: true }
  return mention ?? divided.map(mention => ({ ...mention, from: 0, to: label.length }))[0] ?? null
}

/** The instrument that the nearest row above names as the head of those below it, `Senior Notes (as defined in the indenture):`. */
function headNaming(above: readonly Row[]): string | null {
  for (const { cells } of above) {
    const [label = '', ...rest] = cells
    if (rest.some(cell => /^\W{0,3}\d/.test(cell) || symbols.test(cell))) continue
    const name = instrumentHead.exec(label)?.groups?.['name']
    if (name !== undefined && metricsIn(label).length === 0) return name.trim()
  }
  return null
}
// at most 300 characters: a cell
const instrumentHead =
  /^(?=.{0,120}\b(?:notes|facilit(?:y|ies)|loans?|indentures?|debentures|bonds|credit\s+agreements?)\b)(?<name>[A-Z][^(:]{5,110}?)\s*(?:\(|:|$)/i

/** Which cell of a row holds the level, by the heads above it; null if none says so. */
function columnOf(above: readonly Row[], row: Row, lead: string): number | null {
  for (const head of above) {
    const shift = Math.max(0, row.cells.length - head.cells.length)
    const at = head.cells.findIndex((cell, i) => i + shift > 0 && required.test(cell) && !reached.test(cell))
    if (at >= 0) return at + shift
  }
  // Without a head, a cell that begins with a sign of comparison, in a table that words on covenants introduce.
  const at = row.cells.findIndex((cell, i) => i > 0 && /^\s*[\u2264\u2265<>]/.test(cell))
  return at > 0 && /\bcovenants?\b/i.test(lead) ? at : null
}

/** The level of a cell, or of the one after a cell with its sign alone; null where its direction is not that of the quantity. */
function levelIn(
  cells: readonly string[],
  column: number,
  metric: TestedQuantity,
  scale: number | null,
): { level: number; metric: TestedQuantity } | null {
  const own = cells[column] ?? ''
  const cell =
    symbols.exec(own)?.[0].trim() === own.trim() && own.trim() !== ''
      ? `${own} ${cells[column + 1] ?? ''}`
      : own
  const sign = symbols.exec(cell)
  const stated: Direction | null =
    sign === null ? null : sign.groups?.['most'] === undefined ? 'minimum' : 'maximum'
  if (stated !== null && stated !== metric.direction) return null
  if (stated === null && unsecuredRatio.test(cells[0] ?? '')) return null
  const rest = cell.slice(sign?.[0].length ?? 0)
  const read = thresholdsIn(rest)[0] ?? bareLevel(rest)
  const level = read && scaled(read, rest, scale)
  if (!level || level.from > 3) return null
  const isShare = level.unit !== 'cents' && (level.unit === 'percent' || level.value < 0.9)
  const isOverEarnings = metric.direction === 'maximum' && metric.test_metric !== null
  const tested = isOverEarnings && isShare ? asShare(metric) : metric
  return fits(tested, level.unit, level.value) ? { level: level.value, metric: tested } : null
}

/** An amount in the unit of its table; null where that unit is not told and the amount too small to be written out. */
function scaled<T extends Pick<Threshold, 'value' | 'unit'>>(
  level: T,
  cell: string,
  scale: number | null,
): T | null {
  if (level.unit !== 'cents' || /\b(?:thousand|million|billion)\b/i.test(cell)) return level
  if (scale !== null) return { ...level, value: Math.round((level.value / 100) * scale) }
  return level.value < LEAST_WRITTEN_OUT ? null : level
}
/** Cents; ten million dollars. */
const LEAST_WRITTEN_OUT = 1e9

/** `3.75` alone in a cell of levels. */
function bareLevel(cell: string): Pick<Threshold, 'value' | 'unit' | 'from'> | null {
  const match = /^\s*(?<level>\d{1,2}\.\d{1,2})\s*$/.exec(cell)
  return match && { value: Number(groupOf(match, 'level')), unit: 'ratio', from: 0 }
}
