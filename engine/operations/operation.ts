import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Database } from '../database/database.ts'
import type { ExportFolder } from '../database/export-folder.ts'
import type { Chunk } from '../database/results.ts'
import type { CopiedFile, CopyForm } from '../encode/row-stream.ts'
import type { ColumnCounts } from '../query/column-counts.ts'
import type { MemoryRows } from '../query/memory/count-values.ts'
import type { ChosenRows } from '../query/page.ts'
import type { Plan } from '../query/plan/plan.ts'
import type { SpreadWidth } from '../query/spread-copies.ts'
import type { SpreadSources } from '../query/spread-sources.ts'
import type { Column, Columns } from '../schema/column.ts'
import type { FieldsInput, FieldsParam, WithFields } from '../schema/fields.ts'
import type { Condition } from '../schema/filter.ts'
import type { Schema } from '../schema/json-schema.ts'
import type { ArgsOf, InputOf, Params } from '../schema/params.ts'
import type { Cost, Resource, Tier } from '../schema/resource.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { KnownCompany } from './resolve/bond-index.ts'

/** What an operation can access of the snapshot it queries. */
export interface Context {
  readonly database: Database
  readonly snapshot: string
  /** The as-of day of the answer. */
  readonly asOf: string
  /** Makes tables available: verified, with views over them. */
  tables(...names: string[]): Promise<void>
  /** Whether a table is available already. */
  isReady(table: string): boolean
  /** The encoding of the spread copies; null if there are none. */
  readonly spreadCopies: SpreadWidth | null
  /**
   * Gives other requests their turn in a long computation. Throws QUERY_TIMEOUT once the query's time is over, or the
   * signal's reason when nobody waits for the answer any more.
   */
  turn(): Promise<void>
  /** Sources of the day's spreads. */
  spreadSources(): MaybePromise<SpreadSources>
  /** The total number of rows that match a plan. */
  count(plan: Plan, kinds: Columns): Promise<number>
  /** The rows of a plan's page as objects. */
  rows(plan: Plan, kinds: Columns): Promise<Record<string, unknown>[]>
  /** Which of the given words of a column occur in the rows of a plan. */
  present(plan: Plan, kinds: Columns, column: string, words: readonly string[]): Promise<Set<string>>
  /** A value derived from the day's tables and reused; `bytes` counts toward table memory. */
  cached<T extends { readonly bytes: number }>(name: string, make: () => Promise<T>): MaybePromise<T>
  /** The same without waiting: null until it is asked for again and made, and if it would fill table memory. */
  cachedOnRepeat<T extends { readonly bytes: number }>(
    name: string,
    how: { readonly most: () => Promise<number>; readonly make: () => Promise<T> },
  ): T | null
  /** Values of chosen rows of a table, by column. */
  values(
    table: string,
    kinds: Columns,
    columns: Plan['columns'],
    chosen: ChosenRows,
  ): MaybePromise<readonly (readonly unknown[])[]>
  /** The rows that a plan matches, if their columns are in memory; else null. */
  memoryRows(plan: Plan, kinds: Columns): MemoryRows | null
  /** Counts columns of a table over the rows of plans, by value and by bin. */
  columnCounts(names: readonly string[], kinds: Columns): (plan: Plan, name: string) => ColumnCounts
  /** The ids of companies named by ticker, alias or id; unknown ones are an INVALID_TICKER. */
  companies(named: readonly string[], skipUnknown?: boolean): Promise<{ ids: string[]; unknown: string[] }>
  /** What every company of the day is and was called. */
  companyNames(): Promise<readonly KnownCompany[]>
  /** Rows left out because the day they became known is missing. */
  readonly undated: number
  /** The rows of a plan in chunks as they are read. */
  chunks(plan: Plan, kinds: Columns): AsyncIterable<Chunk>
  /** The same snapshot as of an earlier day, open until the answer is complete. */
  at(day: string): Promise<Context>
  /**
   * The snapshot's own tables as of a day, which need no derivation: null if their day is another, or if what is read of them,
   * rows of these datasets or of one company, may hold undated rows, which no earlier day has.
   */
  own(
    day: string,
    read: { readonly datasets?: readonly string[]; readonly company?: string },
  ): Promise<Context | null>
  /** As `at`, open until it is released. `parameter` gave the day. */
  borrow(day: string, parameter: string): Promise<BorrowedDay>
  /**
   * Several days in one: each table has the rows of all days, led by the column `as_of`. Days on which `named` mean other
   * companies are apart. `parameter` gave the days.
   */
  borrowTogether(
    days: readonly string[],
    parameter: string,
    named: readonly string[],
  ): Promise<BorrowedDays[]>
  /** An earlier day for one company only; null if the tables of the whole day are available, or deriving them is better. */
  companyAt(day: string, company: string, tables: readonly string[]): Promise<CompanyTables | null>
  /** The index of filing sections, over the whole snapshot whatever the day. */
  search(): Promise<SearchIndex>
  /** Restricts a plan to what the caller may see. */
  readonly coverage: 'all' | 'standard'
}

/** A day that is open until it is released. */
export interface BorrowedDay extends Context {
  release(): void
}

/** Several days in one, open until they are released. */
export interface BorrowedDays extends BorrowedDay {
  readonly days: readonly string[]
  /** The page of a plan as a file that the database writes. */
  copy(plan: Plan, kinds: Columns, folder: ExportFolder, form: CopyForm): Promise<CopiedFile>
}

/** The tables of a past day, derived for one company at a time. */
export interface CompanyTables {
  readonly asOf: string
  /** With the tables that all companies share: `all_companies_base`, `all_bonds_base`. */
  database(): Promise<Database>
  /** Derives the tables for a company and bonds, and uses them as `stored.<name>`. */
  narrowed<T>(
    scope: { readonly company: string | null; readonly bonds: readonly string[] },
    use: (database: Database) => Promise<T>,
  ): Promise<T>
}

export type Meta = Record<string, unknown>

/** An active filter, given or by default. */
export interface Narrowing {
  readonly name: string
  readonly value: unknown
  readonly column: string
  readonly conditions: readonly Condition[]
}

/** A page of rows: the engine executes the plan, in the form the caller wants. */
export interface ListAnswer {
  readonly kind: 'list'
  readonly plan: Plan
  readonly kinds: Columns
  readonly meta?: Meta
  /** Further members of `meta`, computed from the data over all matches. */
  readonly summary?: () => Promise<Meta>
  /** The conditions of each filter, used to explain an empty list. */
  readonly narrowing?: readonly Narrowing[]
  /** The same query without age limits, if there are any. */
  readonly atAnyAge?: () => { readonly plan: Plan; readonly kinds: Columns; readonly text: string }
  /** Computes `_explain` if it is not stored, from the rows of a page, with columns that they may not show. */
  readonly explain?: {
    readonly needs: readonly string[]
    readonly of: (rows: readonly Record<string, unknown>[]) => Promise<readonly unknown[]>
  }
}

/** One object; `whole` if it is the entire body rather than the value of `data`. */
export interface ObjectAnswer {
  readonly kind: 'object'
  readonly data: Record<string, unknown>
  readonly meta?: Meta
  readonly whole?: boolean
  /** Nothing was found: inside a batch this is NOT_FOUND. */
  readonly empty?: boolean
}

/** A page of rows already computed, for what no plan can express. */
export interface RowsAnswer {
  readonly kind: 'rows'
  readonly columns: readonly { readonly name: string; readonly column: Column }[]
  /** Matching rows over all pages. */
  readonly total: number
  readonly limit: number | null
  readonly offset: number
  readonly chunks: () => Iterable<Chunk> | AsyncIterable<Chunk>
  /** The same rows as objects, and as JSON separated by commas, where there is a faster way than `chunks`. */
  readonly rows?: () => Record<string, unknown>[]
  readonly json?: () => Buffer
  /** Writes the page as a file in place of `chunks`; null where chunks are faster. */
  readonly copy?: (folder: ExportFolder, form: CopyForm) => Promise<CopiedFile | null>
  readonly meta?: Meta
}

export type Answer = ListAnswer | RowsAnswer | ObjectAnswer

/** Something callable, declared once: HTTP, CLI, batch, tools and docs are made from it. */
export interface Operation<P extends Params = Params, Out = unknown> {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Its command in the CLI. */
  readonly command: string
  readonly doc: string
  readonly tier: Tier
  readonly cost: Cost
  /** Whether `run` answers with rows, which are sorted, paged and sent in any format, or with one object. */
  readonly answers: 'rows' | 'object'
  readonly params: P
  /** Parameters given as positional words on a command line, in order. */
  readonly positional?: readonly string[]
  /** The member of the answer with the rows or object. */
  readonly envelope: string
  /** The columns of a list, for docs; null for an object. */
  readonly columns: Columns | null
  readonly resource?: Resource
  /** The resources whose rows it answers with, if an argument chooses among them. */
  readonly resources?: readonly Resource[]
  /** JSON schema of its object: the value of the envelope, or the whole body if there is no envelope. */
  readonly objectSchema?: Schema
  /** JSON schemas of members of `meta` that other operations do not have. */
  readonly meta?: Readonly<Record<string, Schema>>
  /** JSON schemas of parameters that their columns do not fully describe, such as the members of an object. */
  readonly paramSchemas?: Readonly<Record<string, Schema>>
  /** Columns before those of the chosen resource. */
  readonly leading?: Columns
  /** Parameters of lists among its own, which each list documents. */
  readonly listParams?: Params
  /** Also callable inside a batch. */
  readonly batch?: boolean
  /** Whether rows are a file to keep: CSV by default, streamed, as many as the declared limit allows. */
  readonly bulk?: boolean
  /**
   * Where requests wait for their turn: `always` with the heavy ones, `days` with those for which earlier days may have to
   * be derived first, `never` because it has a queue of its own. By default only queries about an earlier day wait, with
   * `days`.
   */
  readonly heavy?: 'always' | 'days' | 'never'
  /** Set if every tier finds the same data, though only some may call it. */
  readonly alternative?: string
  readonly examples: readonly string[]
  /** How many times its cost class it is charged; `asOf` is the default as-of day. */
  units?(args: ArgsOf<P>, asOf: string): number
  /** The as-of day and its parameter, if that is not `as_of`. */
  day?(args: ArgsOf<P>): { readonly day: string; readonly parameter: string } | undefined
  /** Throws on inconsistent arguments, as far as `run` could tell without data. */
  check?(args: ArgsOf<P>): void
  run(context: Context, args: ArgsOf<P>): MaybePromise<Answer>
  /** Never set: carries the type of the answer. */
  readonly out?: Out | undefined
}

export const operation = <const P extends Params, Out>(declaration: Operation<P, Out>): Operation<P, Out> =>
  declaration

export type InputFor<O> = O extends Operation<infer P, infer _Out> ? InputOf<P> : never
export type OutputOf<O> = O extends Operation<infer _P, infer Out> ? Out : never

/** The columns that `fields` of an operation chooses from; never if it has no such parameter. */
type SelectableOf<O> =
  O extends Operation<infer P, infer _Out>
    ? P extends { readonly fields: FieldsParam<infer C> }
      ? C
      : never
    : never

/** What `fields` of an operation accepts. */
export type FieldsOf<O> = [SelectableOf<O>] extends [never] ? undefined : FieldsInput<SelectableOf<O>>

/** The input of an operation; `F` is inferred from its `fields`. */
export type InputWith<O, F> = [SelectableOf<O>] extends [never] ? InputFor<O> : InputFor<O> & { fields?: F }

/** The answer of an operation to an input with `fields` of type `F`. */
export type AnswerWith<O, F> = [SelectableOf<O>] extends [never]
  ? NonNullable<OutputOf<O>>
  : WithFields<NonNullable<OutputOf<O>>, SelectableOf<O>, F>

/** A row of an answer that is a list, else never. */
export type RowIn<Out> = Out extends Page<infer Row> | Page<infer Row, 'ratings'> ? Row : never

/** The envelope of a list. */
export type Page<Row, Envelope extends string = 'data'> = { [E in Envelope]: Row[] } & {
  meta: Meta & { total: number; limit: number; offset: number; snapshot: string }
}
