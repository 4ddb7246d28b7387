import { addDays, daysBetween } from '../base/days.ts'
import { addMonths, formatDay, parseDay } from '../credit/calendar.ts'
import { stored } from '../database/views.ts'
import type { DebtDisclosureItem } from '../schema/resources/debt-disclosures.ts'
import type { Print } from '../schema/resources/shared.ts'
import { type KeyedRows, rowsByKey } from './keyed-rows.ts'
import type { Context } from './operation.ts'

/** A figure of a company's notes on debt. */
export interface Disclosure {
  readonly company_id: string
  readonly item: DebtDisclosureItem
  readonly amount: number
  readonly currency: string
  readonly period_end_date: string
  readonly dimensions: string | null
  readonly concept: string
  readonly form: string | null
  readonly fiscal_quarter: number | null
  readonly accession: string | null
  readonly filed_date: string | null
  readonly source: string | null
  readonly known_from: string | null
}

/** The columns that differ between the newest and the first statement of a figure. */
const printed = ['amount', 'form', 'accession', 'filed_date', 'source', 'known_from'] as const

const disclosuresFor = (print: Print): KeyedRows<Disclosure> => ({
  name: `debt disclosures of companies, ${print}`,
  tables: ['debt_disclosures'],
  keyOf: row => row.company_id,
  sql: among =>
    `SELECT company_id, item, currency, CAST(period_end_date AS VARCHAR) AS period_end_date, dimensions, concept, fiscal_quarter,
       ${printed.map(name => `${columnOf(name, print)} AS ${name}`).join(', ')}
     FROM ${stored('debt_disclosures')} d WHERE company_id IS NOT NULL ${among('company_id')}
     ORDER BY company_id, d.period_end_date DESC, concept, dimensions NULLS FIRST, currency`,
})

function columnOf(name: (typeof printed)[number], print: Print): string {
  const column = print === 'original' ? `d.original_${name}` : `d.${name}`
  return name === 'filed_date' || name === 'known_from' ? `CAST(${column} AS VARCHAR)` : column
}

const debtDisclosures = { latest: disclosuresFor('latest'), original: disclosuresFor('original') }

/**
 * The disclosures of companies as first or as most recently filed, newest balance date first; of all companies if none is
 * named.
 */
export async function disclosuresOf(
  context: Context,
  companies: readonly string[] | null,
  print: Print,
): Promise<Map<string, readonly Disclosure[]>> {
  const rows = await rowsByKey(context, debtDisclosures[print], companies)
  const byCompany = new Map<string, Disclosure[]>()
  for (const row of rows) {
    const own = byCompany.get(row.company_id)
    if (own) own.push(row)
    else byCompany.set(row.company_id, [row])
  }
  return byCompany
}

/** A period of the wall. `to` is null for the open last one. */
export interface Period {
  readonly from: string
  readonly to: string | null
  /** What the company filed for it; null if the schedule leaves it out. */
  readonly filed: Disclosure | null
}

export interface Schedule {
  readonly balanceDate: string
  readonly currency: string
  readonly any: Disclosure
  readonly periods: readonly Period[]
}

const yearItems = ['due_1', 'due_2', 'due_3', 'due_4', 'due_5'] as const
const isSchedule = ({ item, dimensions }: Disclosure): boolean =>
  item.startsWith('due_') && dimensions === null

/** The family of elements of one maturity table: with or without leases, fiscal or rolling, or loaded columns. */
const familyOf = ({ concept, currency }: Disclosure): string =>
  `${currency} ${concept.startsWith('debt_due') ? 'loaded' : concept.replace(/(?:In|After|Remainder).*$/, '')} ${/Rolling/.test(concept)}`

/** The last day of a month stays the last day: a year after February 28 may be February 29. */
const monthsAfter = (day: string, months: number): string => {
  const start = parseDay(day)
  const isMonthEnd = formatDay(start + 1).endsWith('-01')
  return formatDay(addMonths(start, months, isMonthEnd))
}

/** The last day of a period, of an open one that of its first year: `from December 31, 2028` is of 2029. */
export const yearEndOf = ({ from, to }: Pick<Period, 'from' | 'to'>): string =>
  to ?? monthsAfter(addDays(from, -1), 12)

/**
 * The newest filed schedule. Years run from the balance date; in a quarterly report that states the rest of the fiscal
 * year they run from the end of that year, and the first one named after the rest is the next.
 */
export function scheduleIn(disclosures: readonly Disclosure[]): Schedule | null {
  const filed = disclosures.filter(isSchedule)
  for (const balanceDate of new Set(filed.map(row => row.period_end_date))) {
    const families = new Map<string, Disclosure[]>()
    for (const row of filed.filter(other => other.period_end_date === balanceDate))
      families.set(familyOf(row), [...(families.get(familyOf(row)) ?? []), row])
    const [rows] = [...families.values()].sort((a, b) => b.length - a.length)
    const schedule = rows && scheduleOf(balanceDate, rows)
    if (schedule) return schedule
  }
  return null
}

function scheduleOf(balanceDate: string, rows: readonly Disclosure[]): Schedule | null {
  const by = new Map(rows.map(row => [row.item, row]))
  const [any] = rows
  if (!any || !yearItems.some(item => by.has(item))) return null
  const remainder = by.get('due_remainder')
  if (remainder && (remainder.fiscal_quarter === null || remainder.fiscal_quarter > 3)) return null
  const yearEnd = remainder ? monthsAfter(balanceDate, 12 - 3 * remainder.fiscal_quarter!) : balanceDate
  // Beside the rest of the fiscal year, "year two" is the year after it unless "the next twelve months" is stated too.
  const named = remainder && !by.has('due_1') ? yearItems.slice(1) : yearItems
  // Years after the last one filed are known by their bonds only.
  const periods: Period[] = remainder
    ? [{ from: addDays(balanceDate, 1), to: yearEnd, filed: remainder }]
    : []
  for (const [i, item] of named.entries())
    periods.push({
      from: addDays(monthsAfter(yearEnd, 12 * i), 1),
      to: monthsAfter(yearEnd, 12 * (i + 1)),
      filed: by.get(item) ?? null,
    })
  periods.push({
    from: addDays(monthsAfter(yearEnd, 12 * named.length), 1),
    to: null,
    filed: by.get('due_after') ?? null,
  })
  return { balanceDate, currency: any.currency, any, periods }
}

/** What a schedule has within a year of its balance date, along a straight line in the year after the rest of a fiscal year. */
export function dueInFirstYear({ balanceDate, periods }: Schedule): number | null {
  const yearEnd = monthsAfter(balanceDate, 12)
  let due = 0
  for (const { from, to, filed } of periods) {
    if (from > yearEnd) break
    if (to === null || filed === null) return null
    const days = daysBetween(from, to) + 1
    due += (filed.amount * Math.min(daysBetween(from, yearEnd) + 1, days)) / days
  }
  return due
}

/** Calendar years without a schedule: the rest of this one, five more, and what is later. */
export function calendarPeriods(day: string): Period[] {
  const year = Number(day.slice(0, 4))
  const ends = Array.from({ length: 6 }, (_, i) => `${year + i}-12-31`)
  return [
    ...ends.map((to, i) => ({ from: i === 0 ? addDays(day, 1) : `${year + i}-01-01`, to, filed: null })),
    { from: `${year + 6}-01-01`, to: null, filed: null },
  ]
}
