import type { Columns } from './column.ts'
import type { Filter } from './filter.ts'
import type { Visibility } from './visibility.ts'

export type Tier = 'any' | 'pro' | 'business'
export type Cost = 'free' | 'simple' | 'complex' | 'advanced'

/** `-column` sorts descending. */
export type SortKey<K extends string> = K | `-${K}`

export type Filters = Readonly<Record<string, Filter>>

/** A stored, listable table, declared once: columns, key, filters, order, page. */
export interface Resource<C extends Columns = Columns, F extends Filters = Filters> {
  readonly name: string
  readonly doc: string
  /** The table of a snapshot that holds it. */
  readonly table: string
  /** The name of a row in OpenAPI: `Bond`. Rows that no operation returns need none. */
  readonly row?: string
  readonly columns: C
  /** Makes every order total, and matches rows of two snapshots. */
  readonly key: readonly string[]
  readonly sort: readonly string[]
  /** Order of the rows in the table's file, if not `sort`: rows that are read together are stored together. */
  readonly clusterBy?: readonly string[]
  readonly filters: F
  readonly limit: { readonly default: number; readonly max: number }
  /** Columns that identify companies: their tickers are validated, and coverage by tier applies to them. */
  readonly company?: string
  /** Further files with the same rows, for statements that read many of them. */
  readonly copies?: Copies
  /** Which rows callers of standard coverage see, if there is no column `coverage`; none if absent. */
  readonly visible?: Visibility
  /**
   * Age limits that a caller may set, by parameter; none if rows differ by `prints` alone. `table` holds a row per range of
   * limits for which the row stays the same; the resource's own table holds the rows for the default limits. `prints` are the columns of `table` that
   * are true of rows with figures as most recently and as first reported, for the parameter `reported`; the resource's
   * own table holds the former.
   */
  readonly ages?: {
    readonly table: string
    readonly columns: Columns
    readonly limits: Readonly<Record<string, AgeLimit>>
    readonly prints: Readonly<Record<'latest' | 'original', string>>
  }
  /** Columns that a terminal table shows first, most important first. */
  readonly glance?: readonly string[]
  /** A boolean parameter that selects the newest row of each group. */
  readonly newest?: {
    readonly param: string
    readonly doc: string
    readonly per: readonly string[]
    readonly by: readonly string[]
  }
  /** Columns that move as days pass, without news: between two days they are compared only if they are named. */
  readonly clocks?: readonly string[]
  /** Whether SQL over several days also has its intervals; `without` are columns, or objects of columns, that have their own table of days. */
  readonly history?: { readonly without?: readonly string[] }
}

/** A series of one figure by company and day, stored twice more beside its table: narrower, and in two total orders. */
export interface Copies<K extends string = string> {
  /** The figure; stored in tenths if every value is a whole number of tenths. */
  readonly value: K
  readonly columns: readonly K[]
  /** Used for conditions on `of`, and for groups by `day` or by columns in `of` only. */
  readonly byDay: Copy<K> & { readonly of: readonly K[]; readonly day: K }
  /** Used for conditions on companies, and for all other groups. */
  readonly byCompany: Copy<K>
}

interface Copy<K extends string> {
  readonly table: string
  readonly order: readonly K[]
}

/** The columns with the range of limits for which a row holds. */
export interface AgeLimit {
  readonly from: string
  readonly to: string
  readonly byDefault: number
}

interface Checked<K extends string> {
  readonly key: readonly K[]
  readonly sort: readonly SortKey<K>[]
  readonly clusterBy?: readonly SortKey<K>[]
  readonly filters: Readonly<Record<string, Filter<K>>>
  readonly company?: K
  readonly glance?: readonly K[]
  readonly copies?: Copies<K>
  readonly clocks?: readonly K[]
  readonly newest?: {
    readonly param: string
    readonly doc: string
    readonly per: readonly K[]
    readonly by: readonly SortKey<K>[]
  }
}

/** Declares a resource; a misspelt column in a filter, sort or key does not compile. */
export const resource = <const C extends Columns, const F extends Filters>(
  declaration: Resource<C, F> & Checked<keyof NoInfer<C> & string>,
): Resource<C, F> => declaration
