import { elementAt } from '../engine/base/elements.ts'
import { largest } from '../engine/base/lists.ts'
import { type PrintedTable, plainText, type TableColumn } from './print-table.ts'

const WIDEST_BAR = 48
const LEAST_BAR = 8

/** The maturity walls of companies, a bar for each period, as long as its share of the company's largest one. */
export function printWall(
  columns: readonly TableColumn[],
  rows: readonly (readonly unknown[])[],
  width: number | null,
): PrintedTable {
  const at = new Map(columns.map(({ name }, i) => [name, i]))
  const cell = (row: readonly unknown[], name: string) => row[at.get(name) ?? -1] ?? null
  const walls = new Map<string, (readonly unknown[])[]>()
  for (const row of rows) {
    const key = plainText(`${cell(row, 'ticker') ?? ''}  ${cell(row, 'company_name')}`)
    walls.set(key, [...(walls.get(key) ?? []), row])
  }
  const parts = [...walls].map(([company, own]) => wallOf(company, own, cell, width))
  return { text: parts.join('\n'), hidden: [] }
}

type Cell = (row: readonly unknown[], name: string) => unknown

function wallOf(
  company: string,
  rows: readonly (readonly unknown[])[],
  cell: Cell,
  width: number | null,
): string {
  const amounts = rows.map(row => cell(row, 'due') as number | null)
  const [first] = rows
  const balance = first && cell(first, 'filed_balance_date')
  // Beside the years of a filed schedule, debt that falls due in none of them has no place on the wall.
  const isBarred = (row: readonly unknown[]) => !balance || cell(row, 'period_start') !== null
  const most = largest(rows.map((row, i) => (isBarred(row) ? (amounts[i] ?? 0) : 0)))
  const labels = rows.map(row => periodOf(row, cell))
  const figures = amounts.map(amount => (amount === null ? '?' : millions(amount)))
  const notes = rows.map((row, i) =>
    isBarred(row)
      ? noteOf(row, cell)
      : elementAt(amounts, i) === null
        ? 'what is long-term is in the schedule'
        : 'beyond what the schedule has',
  )
  const widest = (texts: readonly string[]) => largest(texts.map(text => text.length))
  const room = (width ?? 100) - widest(labels) - widest(figures) - widest(notes) - 8
  const length = Math.max(LEAST_BAR, Math.min(WIDEST_BAR, room))
  const about = balance ? `, filed schedule of ${balance}` : ', by the debt known'
  const lines = rows.map((row, i) => {
    const amount = elementAt(amounts, i)
    const bar =
      amount === null || most === 0 || !isBarred(row) ? '' : '█'.repeat(Math.round((length * amount) / most))
    return `  ${elementAt(labels, i).padEnd(widest(labels))}  ${elementAt(figures, i).padStart(widest(figures))}  ${bar.padEnd(length)}  ${elementAt(notes, i)}`.trimEnd()
  })
  return `${company} (${first ? cell(first, 'currency') : ''} m${about})\n${lines.join('\n')}\n`
}

function periodOf(row: readonly unknown[], cell: Cell): string {
  const [from, to] = [cell(row, 'period_start'), cell(row, 'period_end')] as (string | null)[]
  if (from === null) return 'no maturity'
  if (to === null) return `from ${from}`
  return to?.endsWith('-12-31') ? to.slice(0, 4) : `to ${to}`
}

/** What the bar does not hold. */
function noteOf(row: readonly unknown[], cell: Cell): string {
  const count = (name: string) => Number(cell(row, name) ?? 0)
  const bonds = cell(row, 'bonds_due') as number | null
  return [
    ...(cell(row, 'due_source') === 'filed_schedule' && count('bond_count') > 0
      ? [`bonds known ${bonds === null ? '?' : millions(bonds)}`]
      : []),
    ...(cell(row, 'due_source') === 'bonds' && cell(row, 'filed_balance_date') !== null
      ? ['not filed: by bonds']
      : []),
    ...(count('bonds_unknown') > 0 ? [`${count('bonds_unknown')} ${unknownOf(row, cell)}`] : []),
    ...(count('bonds_in_other_currency') > 0
      ? [`${count('bonds_in_other_currency')} in another currency`]
      : []),
    ...(cell(row, 'bonds_null_because') === 'nothing_drawn' ? ['facilities with nothing drawn'] : []),
    ...(cell(row, 'due') === null && count('bond_count') === 0 ? ['nothing known'] : []),
  ].join(', ')
}

/** Why an amount is not in the bar: it may be known, of a balance date too long ago. */
const unknownOf = (row: readonly unknown[], cell: Cell): string =>
  cell(row, 'bonds_null_because') === 'stale'
    ? 'with an amount older than max_age (--max-age none shows it)'
    : 'of unknown amount'

const millions = (amount: number): string =>
  (amount / 1e8).toLocaleString('en-US', { maximumFractionDigits: 0 })
