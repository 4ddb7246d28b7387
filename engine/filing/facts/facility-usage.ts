import { isAfter } from '../../base/days.ts'
import { amountsOf } from './debt-schedules.ts'
import { quoted } from './evidence.ts'
import type { FiledSection } from './filed-section.ts'
import { flatten, oneLine } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { marginIn } from './margins.ts'
import { fullDate, spelledMaturity } from './maturities.ts'
import { datesIn } from './spelled-dates.ts'
import { type TableRow, type TextTable, tablesIn, withoutMarks } from './table-rows.ts'
import { scaleOf, scaleOfStatements } from './table-scale.ts'

const USED = /\b(?:usage|used|drawn|outstanding|borrowed)\b/i
const LEFT = /\b(?:undrawn|unused)\b/i
const LIMIT = /\b(?:limits?|commitments?)\b/i
const FACILITY = /\b(?:facilit\w+|revolv\w+|lines? of credit)\b/i
/** Columns of one amount in two currencies, the second of which is dollars. */
const IN_BOTH = /\blocal currency[\s|]{1,6}in (?:USD\b|US\$|U\.S\. dollars\b)/i

/** A facility with what is drawn and left of it, in the units of its table. */
interface Usage {
  readonly row: TableRow
  readonly label: string
  readonly drawn: number
  readonly left: number
}

/**
 * Facilities whose commitments stand in one table of a note, and what is drawn and left of them at the report's day in
 * another, which adds up.
 */
export function facilityUsageIn(section: FiledSection): InstrumentLine[] {
  const day = section.period_end
  if (section.section_type !== 'debt_footnote' || day === null) return []
  const tables = tablesIn(section.text)
  const limits = tables
    .filter(table => LIMIT.test(headOf(table, section.text)) && !LEFT.test(headOf(table, section.text)))
    .flatMap(table => table.rows.map(row => ({ row, scale: scaleIn(table, section) })))
  return tables.flatMap(table =>
    usagesIn(table, section.text, day).flatMap(usage => {
      const [limit, ...others] = limits.filter(({ row }) => labelOf(row) === usage.label)
      const scale = scaleIn(table, section)
      if (limit === undefined || others.length > 0 || scale === null || limit.scale !== scale) return []
      const line = facilityOf(usage, limit.row, { section, day, scale })
      return line === null ? [] : [line]
    }),
  )
}

const headOf = (table: TextTable, text: string): string => `${table.above} ${flatten(headsOf(table, text))}`

/** What stands above the first row with an amount. */
const headsOf = ({ rows, from }: TextTable, text: string): string =>
  text.slice(from, rows.find(row => amountsOf(row).length > 0)?.from ?? from)

const scaleIn = (table: TextTable, section: FiledSection): number | null =>
  scaleOf(headOf(table, section.text)) ?? scaleOfStatements(section)

/** The name of a row, without marks of footnotes and the code of its currency. */
const labelOf = (row: TableRow): string => withoutMarks(row).replace(/ (?:USD|US\$)$/, '')

/** The rows of a table whose columns of what is used and what is left add up to its total. */
function usagesIn(table: TextTable, text: string, day: string): Usage[] {
  const head = headsOf(table, text)
  const days = new Set(datesIn(flatten(head)).map(({ date }) => date))
  const used = head.search(USED)
  if (days.size !== 1 || !days.has(day) || used < 0 || head.search(LEFT) < used) return []
  const [one, other] = IN_BOTH.test(head) ? [1, 3] : [0, 1]
  const found: Usage[] = []
  for (const row of table.rows) {
    const amounts = amountsOf(row)
    if (/^total\b/i.test(row.label)) {
      const [drawn, left] = amounts
      const isSum = (sum: number, total: number | undefined) =>
        total !== undefined && Math.abs(sum - total) <= Math.max(1, total / 1000)
      const areSums =
        isSum(sumOf(found, 'drawn'), drawn) && isSum(sumOf(found, 'left'), left) && amounts.length === 2
      return areSums ? found : []
    }
    const [drawn, left] = [amounts[one], amounts[other]]
    if (drawn === undefined || left === undefined || amounts.length !== other + 1) return []
    found.push({ row, label: labelOf(row), drawn, left })
  }
  return []
}

const sumOf = (usages: readonly Usage[], of: 'drawn' | 'left'): number =>
  usages.reduce((sum, usage) => sum + usage[of], 0)

function facilityOf(
  { row, label, drawn, left }: Usage,
  limit: TableRow,
  { section, day, scale }: { readonly section: FiledSection; readonly day: string; readonly scale: number },
): InstrumentLine | null {
  const [commitment] = amountsOf(limit)
  const maturity = limit.marks.findLast(({ kind }) => kind === 'due')?.text ?? null
  if (commitment === undefined || !FACILITY.test(label)) return null
  // Paper that a facility supports takes from what is left of it, and is not drawn.
  if (commitment <= 0 || drawn + left > 1.01 * commitment) return null
  if (maturity !== null && !isAfter(maturity, day)) return null
  const name = oneLine(label, 100)
  const margin = marginIn(`${limit.label} ${limit.others}`)
  return {
    company_name: section.company_name,
    cik: section.cik,
    name: maturity === null ? name : `${name} due ${spelledMaturity(maturity)}`,
    instrument_type: /\bterm\b/i.test(label) ? 'term_loan' : 'revolver',
    commitment: Math.round(commitment * scale),
    drawn: Math.round(drawn * scale),
    undrawn: Math.round(left * scale),
    currency: 'USD',
    ...(margin.benchmark != null && { rate_type: 'floating' as const }),
    ...margin,
    maturity,
    maturity_date: fullDate(maturity),
    balance_date: day,
    rule: 'facility_text',
    accession: section.accession,
    ...quoted(section, row.from, row.to, null),
  }
}
