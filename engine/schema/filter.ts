import { type Column, shaped } from './column.ts'

/** What a plan can ask of one column. Text compares without case, lists mean any of. */
export type Condition =
  | { readonly column: string; readonly op: 'in'; readonly values: readonly (string | number | boolean)[] }
  | { readonly column: string; readonly op: 'ge'; readonly value: string | number }
  | { readonly column: string; readonly op: 'le'; readonly value: string | number }
  | { readonly column: string; readonly op: 'present' }
  | { readonly column: string; readonly op: 'absent' }
type Values = readonly (string | number | boolean)[]

/** A parameter that narrows a resource. `K` names the columns it reads, so that a misspelt one does not compile. */
export interface Filter<K extends string = string, V = unknown> {
  readonly column: K
  /** `company` values are tickers, aliases or company ids, and are resolved before they become conditions. */
  readonly op: 'any_of' | 'company' | 'at_least' | 'at_most' | 'is' | 'has' | 'custom'
  readonly doc?: string
  /** The parameter, where it is not read as the column is. */
  readonly param?: Column
  /** Applies unless the parameter or one of `unless` is given. */
  readonly byDefault?: { readonly value: string | boolean; readonly unless: readonly string[] } | undefined
  /** What an absent parameter stands for, where that asks nothing of the rows: shown as the default. */
  readonly usual?: boolean
  /** In a resource that can pick the newest row of each group: applied before (`row`) or after (`picked`). */
  readonly stage?: 'row' | 'picked'
  readonly conditions: (values: Values) => Condition[]
  /** Never set: the type of a value, `'column'` where it is that of the column. */
  readonly value?: V | undefined
}

interface Details {
  doc?: string
  param?: Column
  byDefault?: Filter['byDefault']
  usual?: boolean
  stage?: 'row' | 'picked'
}

/** Any of a comma list of whole values, in any case. */
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

/** A boolean column is as said. */
export const is = <K extends string>(column: K, details: Details = {}): Filter<K, boolean> => ({
  column,
  op: 'is',
  ...details,
  conditions: ([value]) => [{ column, op: 'in', values: [value!] }],
})

/** The column has a value, or has none. */
export const has = <K extends string>(column: K, details: Details = {}): Filter<K, boolean> => ({
  column,
  op: 'has',
  ...details,
  conditions: ([value]) => [{ column, op: value ? 'present' : 'absent' }],
})

/** A filter that asks something of several columns. */
export const custom = <K extends string, T>(
  column: K,
  param: Column<T>,
  conditions: (values: Values) => Condition[],
  details: Omit<Details, 'param'> = {},
): Filter<K, T> => ({ column, op: 'custom', param, ...details, conditions })

/** Any of a list of companies, named by ticker, alias or company id; unknown ones are an error. */
export const company = <K extends string>(column: K, details: Details = {}): Filter<K, string> => ({
  ...(anyOf(column, details) as Filter<K, never>),
  op: 'company',
  param: shaped('ticker', 'Comma-separated tickers.'),
})
