import { type Column, shaped } from './column.ts'

/** A condition on one column. Text compares case-insensitively; a list means any of its values. */
export type Condition =
  | { readonly column: string; readonly op: 'in'; readonly values: readonly (string | number | boolean)[] }
  | { readonly column: string; readonly op: 'ge'; readonly value: string | number }
  | { readonly column: string; readonly op: 'le'; readonly value: string | number }
  | { readonly column: string; readonly op: 'present' }
  | { readonly column: string; readonly op: 'absent' }
type Values = readonly (string | number | boolean)[]

/** A parameter that narrows a resource. `K` is the columns it reads, so a misspelt one does not compile. */
export interface Filter<K extends string = string, V = unknown> {
  readonly column: K
  /** `company` values are tickers, aliases or company ids, resolved before they become conditions. */
  readonly op: 'any_of' | 'company' | 'at_least' | 'at_most' | 'is' | 'has' | 'custom'
  readonly doc?: string
  /** The parameter, where it differs from the column's own. */
  readonly param?: Column
  /** Used unless the parameter or one of `unless` is given. */
  readonly byDefault?: { readonly value: string | boolean; readonly unless: readonly string[] } | undefined
  /** The documented default of an absent parameter that adds no condition. */
  readonly usual?: boolean
  /**
   * In a resource that can return only the newest row of each group: applied before (`row`) or after (`picked`) that
   * choice.
   */
  readonly stage?: 'row' | 'picked'
  readonly conditions: (values: Values) => Condition[]
  /** Never set: the type of a value, `'column'` if it is the column's. */
  readonly value?: V | undefined
}

interface Details {
  doc?: string
  param?: Column
  byDefault?: Filter['byDefault']
  usual?: boolean
  stage?: 'row' | 'picked'
}

/** Any of a comma list of whole values, case-insensitive. */
export const anyOf = <K extends string>(column: K, details: Details = {}): Filter<K, 'column'> => ({
  column,
  op: 'any_of',
  ...details,
  conditions: values => [{ column, op: 'in', values }],
})

export const atLeast = <K extends string>(column: K, details: Details = {}): Filter<K, 'column'> => ({
  column,
  op: 'at_least',
  ...details,
  conditions: ([value]) => [{ column, op: 'ge', value: value as string | number }],
})

export const atMost = <K extends string>(column: K, details: Details = {}): Filter<K, 'column'> => ({
  column,
  op: 'at_most',
  ...details,
  conditions: ([value]) => [{ column, op: 'le', value: value as string | number }],
})

/** A boolean column equals the parameter. */
export const is = <K extends string>(column: K, details: Details = {}): Filter<K, boolean> => ({
  column,
  op: 'is',
  ...details,
  conditions: ([value]) => [{ column, op: 'in', values: [value!] }],
})

/** The column is (or is not) null. */
export const has = <K extends string>(column: K, details: Details = {}): Filter<K, boolean> => ({
  column,
  op: 'has',
  ...details,
  conditions: ([value]) => [{ column, op: value ? 'present' : 'absent' }],
})

/** A filter over several columns. */
export const custom = <K extends string, T>(
  column: K,
  param: Column<T>,
  conditions: (values: Values) => Condition[],
  details: Omit<Details, 'param'> = {},
): Filter<K, T> => ({ column, op: 'custom', param, ...details, conditions })

/** Any of a list of companies, by ticker, alias or company id; unknown ones are an error. */
export const company = <K extends string>(column: K, details: Details = {}): Filter<K, string> => ({
  ...(anyOf(column, details) as Filter<K, never>),
  op: 'company',
  param: shaped('ticker', 'Comma-separated tickers.'),
})
