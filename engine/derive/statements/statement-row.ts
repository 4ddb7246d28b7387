import type { Day } from '../../credit/calendar.ts'
import { statementItems } from '../../schema/datasets/statements.ts'
import type { Item } from './concepts.ts'
import type { Filing } from './filings.ts'

/** The amounts of a statement row, in the order in which `amounts` holds them. */
export const figureNames = [
  ...Object.keys(statementItems),
  'secured_debt',
  'debt_excluding_finance',
  'debt_due_1yr',
  'debt_due_2yr',
  'debt_due_3yr',
  'debt_due_4yr',
  'debt_due_5yr',
] as Item[]

export interface StatementRow {
  readonly fiscalYear: number
  readonly fiscalQuarter: number
  readonly basis: 'quarter' | 'ttm'
  /** From 1; null where not all versions were derived. */
  readonly version: number | null
  readonly end: Day
  readonly filingType: string | null
  readonly filing: Filing
  readonly known: Day
  readonly currency: string
  /** In minor units, in the order of `figureNames`. */
  readonly amounts: readonly (number | null)[]
  readonly annualized: boolean
  readonly estimated: boolean
  readonly ebitdaSource: string | null
  readonly ebitdaQuarters: number | null
  readonly ttmQuarters: readonly string[]
  readonly leverage: number | null
  readonly leverageReason: string | null
  readonly netLeverage: number | null
  readonly coverage: number | null
  /** Evidence of a finance business inside the company, whose debt and interest are not industrial. */
  readonly captiveFinance: string | null
  /** Whether it is the first version, and the last. */
  readonly original: boolean
  readonly latest: boolean
  /** JSON: how each figure was computed. */
  readonly explain: string
}
