import type { Column, RowOf } from './column.ts'
import type { Param } from './params.ts'

/** Names above a dotted one: `a` and `a.b` of `a.b.c`. */
type ParentOf<K extends string> = K extends `${infer Head}.${infer Rest}`
  ? Head | `${Head}.${ParentOf<Rest>}`
  : never

/** The aliases of a column; none if it declares none. */
type AliasOf<C> = C extends Column<infer _T, infer Alias> ? (string extends Alias ? never : Alias) : never
type Aliases<C> = { [K in keyof C]: AliasOf<C[K]> }[keyof C]

/** What `fields` may name: columns, parents of dotted columns, aliases of columns. */
export type FieldName<C> = (keyof C & string) | ParentOf<keyof C & string> | Aliases<C>

type Sortable<C> = {
  [K in keyof C]: C[K] extends Column<infer T>
    ? unknown extends T
      ? never
      : NonNullable<T> extends readonly unknown[]
        ? never
        : K | AliasOf<C[K]>
    : never
}[keyof C] &
  string

/** What `sort` may name: `-column` sorts descending. Lists and JSON have no order. */
export type SortName<C> = Sortable<C> | `-${Sortable<C>}`

/** The parameter `fields`; it carries the columns that the names are chosen from. */
export interface FieldsParam<C> extends Param<FieldName<C>[] | undefined> {
  /** Never set. */
  readonly selects?: C
}

/** What `fields` accepts: a list of names, or comma text. */
export type FieldsInput<C> = FieldName<C> | `${FieldName<C>},${string}` | readonly FieldName<C>[] | undefined

type Trim<S extends string> = S extends ` ${infer Rest}`
  ? Trim<Rest>
  : S extends `${infer Rest} `
    ? Trim<Rest>
    : S
type Split<S> = S extends `${infer First},${infer Rest}`
  ? Trim<First> | Split<Rest>
  : S extends string
    ? Trim<S>
    : never

type IsUnion<T, Each = T> = T extends unknown ? ([Each] extends [T] ? false : true) : never

/** The names that a list of fields certainly contains: `[wide ? 'a' : 'b']` may contain either. */
type Certain<F> = F extends string
  ? Split<F>
  : F extends readonly [infer First, ...infer Rest]
    ? (true extends IsUnion<First> ? never : Split<First>) | Certain<Rest>
    : never
/** The names that it may contain. */
type Possible<F> = F extends readonly (infer E)[] ? Split<E> : Split<F>

/** The columns that `Names` selects by name, parent or alias, under the requested name. */
type Named<C, Names> = {
  [K in keyof C as K extends Names
    ? K
    : [Extract<ParentOf<K & string>, Names>] extends [never]
      ? Extract<AliasOf<C[K]>, Names>
      : K]: C[K]
}

/** The same type, written out for editors. */
type Expand<T> = T extends readonly unknown[] ? T : T extends object ? { [K in keyof T]: Expand<T[K]> } : T

/**
 * The row returned for `fields`: exactly what is named; members are optional if the names are only known at run time.
 */
export type Selected<C, F> = [Possible<F>] extends [Certain<F>]
  ? Expand<RowOf<Named<C, Certain<F>>>>
  : Expand<RowOf<Named<C, Certain<F>>> & Partial<RowOf<Named<C, Exclude<Possible<F>, Certain<F>>>>>>

/** An answer whose rows, or whose one object, are narrowed to `fields`. */
export type WithFields<Out, C, F> = F extends readonly [] | undefined
  ? Out
  : {
      [K in keyof Out]: K extends 'meta'
        ? Out[K]
        : Out[K] extends readonly unknown[]
          ? Selected<C, F>[]
          : Selected<C, F>
    }
