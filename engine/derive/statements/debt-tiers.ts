import type { Evaluated } from './concepts.ts'

/** Ways of reading total debt, from the balance sheet's own lines to approximations; a lower tier is preferred. */
export const debtTiers = {
  composed: 0,
  fromParts: 1,
  onlyTotal: 2,
  onlyCurrent: 3,
  companyLines: 4,
  overAxis: 5,
} as const
/** Added if the filing has no balance sheet of that day: its notes may tag only some of the lines. */
export const NOT_ON_BALANCE_SHEET = 8
const flags = [
  null,
  'lines_by_instrument',
  'total_as_tagged',
  'current_debt_only',
  'company_lines',
  'summed_over_axis',
] as const

/** Quality flags of a total debt figure of this tier. */
export const debtFlags = (tier: number): (string | null)[] => [
  flags[tier % NOT_ON_BALANCE_SHEET]!,
  tier >= NOT_ON_BALANCE_SHEET ? 'not_on_a_balance_sheet' : null,
]

export interface TotalDebt<F> extends Evaluated<F> {
  readonly tier: number
  readonly way: string
  /** Why the lines do not cover the company's borrowings; null if they do. */
  readonly gap: string | null
}
