import type { SpotCurve } from '../credit/curve.ts'
import type { CurveHistory } from '../credit/curve-history.ts'
import type { ScalarColumn } from '../database/vectors.ts'
import type { Column } from '../schema/column.ts'

export type Numbers = Float64Array
export type Words = readonly (string | null)[]

/** A parameter of a function, and the value used for null or when omitted (null: the maths works without it). */
export interface Param<V extends Numbers | Words = Numbers | Words> {
  readonly column: Column
  readonly fallback?: string | number | null
  /** Never set. Numbers and days since 1970 use NaN for null, an enum the index of its value. */
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

/** The Treasury curves known on the as-of day. */
export interface Curves {
  readonly par: CurveHistory
  /** The spot curve for a day; null if there is none. */
  readonly spotOn: (day: number) => SpotCurve | null
}

interface FunctionDescription {
  readonly name: string
  readonly doc: string
  readonly result: Column
  /** An example call, and its result if that does not depend on the data. */
  readonly example: string
  readonly shows?: string | number | boolean
}

type Compute<A> =
  | { readonly compute: (args: A, rows: number) => ScalarColumn; readonly onCurves?: never }
  | { readonly onCurves: (args: A, rows: number, curves: Curves) => ScalarColumn; readonly compute?: never }

/** A SQL function over whole columns of parameters; NaN and null are null. */
export type SqlFunction = FunctionDescription & { readonly params: Params } & Compute<ArgsOf<Params>>

export const sqlFunction = <const P extends Params>(
  declared: FunctionDescription & { readonly params: P } & Compute<ArgsOf<P>>,
): SqlFunction => declared as unknown as SqlFunction

/** A default as SQL text. */
export const defaultSql = (fallback: string | number | null): string =>
  fallback === null ? 'NULL' : typeof fallback === 'string' ? `'${fallback}'` : String(fallback)

const paramText = ([name, { fallback }]: [string, Param]): string =>
  fallback === undefined ? name : `${name} := ${defaultSql(fallback)}`

/** `bond_price(ytm, coupon, maturity, settle, frequency := 2, ...)`. */
export const signature = ({ name, params }: SqlFunction): string =>
  `${name}(${Object.entries(params).map(paramText).join(', ')})`
