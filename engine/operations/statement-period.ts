import { invalid } from '../base/errors.ts'
import { oneOf, text } from '../schema/column.ts'
import type { Condition } from '../schema/filter.ts'
import { fallback, one, type Params } from '../schema/params.ts'

/** Which versions of a statement are asked for. */
export const reportings = ['latest', 'original', 'all'] as const

/** The flag of the versions asked for; null for all. */
const flagOf = (reported: string | undefined): 'is_original' | 'is_latest' | null =>
  reported === 'all' ? null : reported === 'original' ? 'is_original' : 'is_latest'

/** Parameters of statements beside their columns. */
export const statementParams = {
  period: one(text('`TTM`, `latest`, or a quarter: `2024Q3`, `Q3 2024`. Default all quarters.')),
  reported: fallback(
    one(oneOf(reportings, 'Figures as last or first reported, or every version of them.')),
    'latest' as const,
  ),
} satisfies Params

export interface StatementArgs {
  readonly period?: string | undefined
  readonly reported?: string | undefined
  readonly fiscal_year?: readonly unknown[] | undefined
  readonly fiscal_quarter?: readonly unknown[] | undefined
}

/** `TTM`, `latest`, or a quarter written `2024Q3` or `Q3 2024`. */
export function readPeriod(period: string | undefined): {
  basis: 'quarter' | 'ttm'
  newest: boolean
  year?: number
  quarter?: number
} {
  if (period === undefined) return { basis: 'quarter', newest: false }
  const word = period.toLowerCase()
  if (word === 'ttm') return { basis: 'ttm', newest: true }
  if (word === 'latest') return { basis: 'quarter', newest: true }
  const match = /^(\d{4})[\s-]?q([1-4])$/.exec(word) ?? null
  const other = /^q([1-4])[\s-]?(\d{4})$/.exec(word)
  if (match) return { basis: 'quarter', newest: false, year: Number(match[1]), quarter: Number(match[2]) }
  if (other) return { basis: 'quarter', newest: false, year: Number(other[2]), quarter: Number(other[1]) }
  throw invalid('period', period, 'period must be TTM, latest, or a quarter such as 2024Q3', {
    allowed: ['TTM', 'latest', '2024Q3', 'Q3 2024'],
  })
}

/** The requested statements: quarters or trailing figures, as last or first reported, or in every version. */
export function statementConditions(args: StatementArgs): Condition[] {
  const { basis, newest, year, quarter } = readPeriod(args.period)
  // Trailing figures of a named year or quarter are those that end with it; otherwise the newest.
  const flag = flagOf(args.reported)
  const dated = args.fiscal_year !== undefined || args.fiscal_quarter !== undefined
  return [
    { column: 'basis', op: 'in', values: [basis] },
    ...(flag === null ? [] : [{ column: flag, op: 'in', values: [true] } as const]),
    ...(newest && !dated ? [{ column: 'is_newest', op: 'in', values: [true] } as const] : []),
    ...(year === undefined ? [] : [{ column: 'fiscal_year', op: 'in', values: [year] } as const]),
    ...(quarter === undefined ? [] : [{ column: 'fiscal_quarter', op: 'in', values: [quarter] } as const]),
  ]
}
