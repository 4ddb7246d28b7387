import { amountsOf } from './debt-schedules.ts'
import type { FiledSection } from './filed-section.ts'
import { cellsOf, flatten } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { type TableRow, tablesIn, withoutMarks } from './table-rows.ts'

/** What a table of payments by year has of one line of debt. */
interface Payments {
  readonly name: string
  /** In units of the table. */
  readonly total: number
  /** The year of the last payment. */
  readonly year: string
}

/** Fewest years of a table of payments. */
const FEWEST = 4
/** How far above a table its years may be called fiscal, characters. */
const ABOVE = 300
/** What is paid in all differs from a balance by discounts and costs. */
const NEAR = 0.04

/** `2025 | 2026 | 2027 | 2028 | Thereafter | Total`: the years, and whether a later column, and one of all, stand behind them. */
function headOf({ label, others, marks }: TableRow) {
  const years = marks.map(({ kind, text }) =>
    kind === 'due' && text.length === 4 ? Number(text) : Number.NaN,
  )
  const isHead =
    !/[a-z]{3}/i.test(label) &&
    years.length >= FEWEST &&
    years.every((year, i) => year === Number(years[0]) + i)
  return isHead
    ? { years, hasLater: /\bthereafter\b/i.test(others), hasTotal: /\btotal\b/i.test(others) }
    : null
}

/** Rows of debt that are paid in full within the years of a table. */
function paymentsIn(text: string, day: string): Payments[] {
  return tablesIn(text).flatMap(({ rows, from }) => {
    const heads = rows.map(headOf)
    const at = heads.findIndex(head => head !== null)
    const head = heads[at] ?? null
    const above = flatten(text.slice(Math.max(0, from - ABOVE), rows[at]?.to ?? from))
    if (head === null || /\bfiscal\b/i.test(above) || head.years[0] !== Number(day.slice(0, 4)) + 1) return []
    const { years, hasLater, hasTotal } = head
    return rows.slice(at + 1).flatMap(row => {
      const amounts = amountsOf(row)
      if (row.label === '' || amounts.length !== years.length + Number(hasLater) + Number(hasTotal)) return []
      const paid = amounts.slice(0, years.length)
      const later = hasLater ? (amounts[years.length] ?? 0) : 0
      const total = paid.reduce((sum, amount) => sum + amount, 0)
      const year = years[paid.findLastIndex(amount => amount > 0)]
      const isWhole = later === 0 && hasTotal && Math.abs((amounts.at(-1) ?? 0) - total) <= 1
      return isWhole && total > 0 && year !== undefined
        ? [{ name: plain(withoutMarks(row)), total, year: String(year) }]
        : []
    })
  })
}

const plain = (name: string): string => name.toLowerCase().replace(/\s+/g, ' ').trim()

/**
 * Lines without a maturity, with the year of the last payment that a table of payments by calendar year has of the line of the
 * same name and amount. Debt of which something is paid after the last year falls due in none that is known.
 */
export function withLastPayments(section: FiledSection, lines: readonly InstrumentLine[]): InstrumentLine[] {
  const day = section.period_end
  if (day === null || !/-12-(?:2[4-9]|3[01])$/.test(day) || lines.every(({ maturity }) => maturity != null))
    return [...lines]
  const payments = paymentsIn(section.text, day)
  if (payments.length === 0) return [...lines]
  return lines.map(line => {
    const { maturity, evidence, rule } = line
    const amount = Number(line.principal ?? line.carrying_amount ?? 0)
    if (maturity != null || rule !== 'debt_schedule' || amount <= 0) return line
    const name = plain((cellsOf(evidence ?? '')[0] ?? '').replace(/\(\w{1,2}\)/g, ' '))
    const [one, ...others] = payments.filter(each => each.name === name)
    if (one === undefined || others.length > 0 || !isNear(amount, one.total)) return line
    return { ...line, maturity: one.year, maturity_date: null }
  })
}

/** Whether an amount in minor units is one of a table, in its units of dollars, thousands or millions. */
const isNear = (amount: number, total: number): boolean =>
  [100, 1e5, 1e8].some(unit => Math.abs(amount - total * unit) <= NEAR * total * unit)
