import type { SpotCurve } from '../credit/curve.ts'
import type { CurveHistory } from '../credit/curve-history.ts'
import type { ScalarColumn } from '../database/vectors.ts'
import type { Column } from '../schema/column.ts'

export type Numbers = Float64Array
export type Words = readonly (string | null)[]

/** A parameter of a function: what it is, and what null or nothing stands for (null: the maths does without). */
export interface Param<V extends Numbers | Words = Numbers | Words> {
  readonly column: Column
  readonly fallback?: string | number | null
  /** Never set. Numbers and days since 1970 come with NaN for null, an enum as the position of its value. */
  readonly type?: V
}

export type Params = Readonly<Record<string, Param>>
export type ArgsOf<P> = { readonly [K in keyof P]: P[K] extends Param<infer V> ? V : never }

export const numbers = (column: Column): Param<Numbers> => ({ column })
export const words = (column: Column): Param<Words> => ({ column })
export const optional = <V extends Numbers | Words>(
  param: Param<V>,
  fallback: string | number | null,
): Param<V> => ({ ...param, fallback })

/** The Treasury curves known on the day asked about. */
export interface Curves {
  readonly par: CurveHistory
  /** The spot curve that serves a day; null where none does. */
  readonly spotOn: (day: number) => SpotCurve | null
}

interface Said {
  readonly name: string
  readonly doc: string
  readonly result: Column
  /** A call, and what it gives where that does not depend on the data. */
  readonly example: string
  readonly shows?: string | number | boolean
}

type Compute<A> =
  | { readonly compute: (args: A, rows: number) => ScalarColumn; readonly onCurves?: never }
  | { readonly onCurves: (args: A, rows: number, curves: Curves) => ScalarColumn; readonly compute?: never }

/** A function of SQL. Its parameters come as whole columns; NaN and null are null. */
export type SqlFunction = Said & { readonly params: Params } & Compute<ArgsOf<Params>>

export const sqlFunction = <const P extends Params>(
  declared: Said & { readonly params: P } & Compute<ArgsOf<P>>,
): SqlFunction => declared as unknown as SqlFunction

/** A default as SQL writes it. */
export const defaultSql = (fallback: string | number | null): string =>
  fallback === null ? 'NULL' : typeof fallback === 'string' ? `'${fallback}'` : String(fallback)

const paramText = ([name, { fallback }]: [string, Param]): string =>
  fallback === undefined ? name : `${name} := ${defaultSql(fallback)}`

/** `bond_price(ytm, coupon, maturity, settle, frequency := 2, ...)`. */
export const signature = ({ name, params }: SqlFunction): string =>
  `${name}(${Object.entries(params).map(paramText).join(', ')})`
