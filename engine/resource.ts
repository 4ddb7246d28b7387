import type { Columns } from './column.ts'
import type { Filter } from './filter.ts'

export type Tier = 'any' | 'pro' | 'business'
export type Cost = 'free' | 'simple' | 'complex' | 'advanced'

/** `-column` sorts downwards. */
export type SortKey<K extends string> = K | `-${K}`

/** A stored, listable table, declared once: columns, key, filters, order, page. */
export interface Resource<C extends Columns = Columns> {
  readonly name: string
  readonly doc: string
  /** The table of a snapshot that holds it. */
  readonly table: string
  readonly columns: C
  /** Makes every order total, and joins rows of two snapshots. */
  readonly key: readonly string[]
  readonly sort: readonly string[]
  readonly filters: Readonly<Record<string, Filter>>
  readonly limit: { readonly default: number; readonly max: number }
  /** Columns that identify companies: their tickers are checked, and coverage by tier is applied to them. */
  readonly company?: string
  /** The newest row of each group can be asked for with this boolean parameter. */
  readonly newest?: {
    readonly param: string
    readonly doc: string
    readonly per: readonly string[]
    readonly by: readonly string[]
  }
}

interface Checked<K extends string> {
  readonly key: readonly K[]
  readonly sort: readonly SortKey<K>[]
  readonly filters: Readonly<Record<string, Filter<K>>>
  readonly company?: K
  readonly newest?: {
    readonly param: string
    readonly doc: string
    readonly per: readonly K[]
    readonly by: readonly SortKey<K>[]
  }
}

/** Declares a resource; a misspelt column in a filter, sort or key does not compile. */
export const resource = <const C extends Columns>(
  declaration: Resource<C> & Checked<keyof NoInfer<C> & string>,
): Resource<C> => declaration
