import type { FinancialStatement } from '../../../engine/schema/resources/financials.ts'

/** Figures of a statement that are numbers. */
export type FigureName = {
  [N in keyof FinancialStatement]-?: FinancialStatement[N] extends number | null ? N : never
}[keyof FinancialStatement]

/** A line of the table: a figure as reported, or one formed from two statements or two figures. */
export type Line =
  | { readonly kind: 'figure'; readonly name: FigureName }
  | { readonly kind: 'growth' | 'margin'; readonly name: FigureName }

export const statementLines: readonly Line[] = [
  { kind: 'figure', name: 'revenue' },
  { kind: 'growth', name: 'revenue' },
  { kind: 'figure', name: 'gross_profit' },
  { kind: 'margin', name: 'gross_profit' },
  { kind: 'figure', name: 'ebitda' },
  { kind: 'growth', name: 'ebitda' },
  { kind: 'margin', name: 'ebitda' },
  { kind: 'figure', name: 'interest_expense' },
  { kind: 'figure', name: 'net_income' },
  { kind: 'margin', name: 'net_income' },
  { kind: 'figure', name: 'operating_cash_flow' },
  { kind: 'figure', name: 'capex' },
  { kind: 'figure', name: 'free_cash_flow' },
  { kind: 'figure', name: 'cash_and_equivalents' },
  { kind: 'figure', name: 'total_debt' },
  { kind: 'figure', name: 'leverage_ratio' },
]

/** `2024Q3`. */
export const periodOf = ({ fiscal_year, fiscal_quarter }: FinancialStatement): string =>
  `${fiscal_year}Q${fiscal_quarter}`

/** The statement of the same quarter a year before, by its end: names of fiscal years may change. */
export function yearBefore(
  statement: FinancialStatement,
  all: readonly FinancialStatement[],
): FinancialStatement | undefined {
  const end = Date.parse(statement.period_end_date)
  return all.find(other => Math.abs((end - Date.parse(other.period_end_date)) / DAY_MS - 365) < SLACK_DAYS)
}

const DAY_MS = 86_400_000
/** Fiscal years of 52 and 53 weeks end on other days. */
const SLACK_DAYS = 12

/** Change to a figure of a year before, in percent; null where one is missing or the sign changes: a percentage would mislead. */
export function growthOf(value: number | null, before: number | null | undefined): number | null {
  return value === null || value < 0 || before === null || before === undefined || before <= 0
    ? null
    : (value / before - 1) * 100
}

export const marginOf = (value: number | null, revenue: number | null): number | null =>
  value === null || revenue === null || revenue <= 0 ? null : (value / revenue) * 100

/** The figure as first reported, where it was restated since; else null. */
export function restatedFrom(
  name: FigureName,
  statement: FinancialStatement,
  originals: ReadonlyMap<string, FinancialStatement>,
): number | null {
  const original = originals.get(statement.period_end_date)?.[name]
  const value = statement[name]
  if (typeof original !== 'number' || typeof value !== 'number') return null
  return Math.abs(value - original) > Math.abs(original) * 1e-6 ? original : null
}

/** Years shown of statements. */
export const YEARS = 5

/** Fiscal years to load: growth needs one more than is shown, and a fiscal year may be named ahead. */
export const yearsUntil = (day: string): number[] =>
  Array.from({ length: YEARS + 3 }, (_, i) => Number(day.slice(0, 4)) + 1 - i)
