import type { Item } from './concepts.ts'

const balanceSheet: ReadonlySet<Item> = new Set<Item>([
  'total_assets',
  'total_liabilities',
  'stockholders_equity',
  'total_debt',
  'debt_excluding_finance',
  'cash_and_equivalents',
  'current_assets',
  'current_liabilities',
  'secured_debt',
  'finance_receivables',
  'debt_due_1yr',
  'debt_due_2yr',
  'debt_due_3yr',
  'debt_due_4yr',
  'debt_due_5yr',
])
/** Items that indicate a statement rather than a line in a note. */
export const leading: ReadonlySet<Item> = new Set<Item>([
  'revenue',
  'operating_income',
  'pretax_income',
  'operating_cash_flow',
  'ebitda',
  'total_assets',
])
export const isFlow = (item: Item): boolean => !balanceSheet.has(item)
