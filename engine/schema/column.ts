import { type Agency, agencyScale } from '../credit/rating-scale.ts'

/**
 * A column is one fact about a row: its kind, unit and nullability. SQL types, parameters, CSV, Arrow, OpenAPI and
 * docs are read from here.
 */
export type Kind =
  | 'text'
  | 'enum'
  | 'cents'
  | 'integer'
  | 'percent'
  | 'bps'
  | 'ratio'
  | 'years'
  | 'number'
  | 'date'
  | 'timestamp'
  | 'boolean'
  | 'list'
  | 'json'

/** A text with a checkable format; decides how a parameter is normalised and how an error describes a bad one. */
export type TextFormat = 'ticker' | 'cusip' | 'isin' | 'lei' | 'cik' | 'uuid' | 'currency' | 'snapshot'

/**
 * `T` is the type of a value, `Alias` the aliases of the column, `Word` the aliases that a parameter accepts for its
 * values, and `OnRequest` is true if it is returned only on request.
 */
export interface Column<
  T = unknown,
  Alias extends string = string,
  Word extends string = string,
  OnRequest extends boolean = boolean,
> {
  readonly kind: Kind
  readonly doc: string
  /** Unit where the kind does not imply it: `percent of par`, `days`. */
  readonly unit?: string
  readonly format?: TextFormat
  /** The allowed values of an enum. */
  readonly values?: readonly string[]
  /** The agency whose scale the values are: ratings of another scale are read to suggest one. */
  readonly scale?: Agency
  /** Aliases that a parameter accepts for enum values, by alias. */
  readonly valueAliases?: Readonly<Record<string, string>>
  /**
   * Aliases accepted by `fields`, `sort` and the filter of the same name. An answer shows one only when asked for it.
   */
  readonly aliases?: readonly Alias[]
  readonly nullable: boolean
  /** Returned only if `fields` names it: long texts. */
  readonly on_request?: OnRequest
  /** Computed by the engine rather than carried from a source: `tranche verify` recomputes it. */
  readonly derived?: boolean
  /** Whether the parameter also accepts `none`, for no limit. */
  readonly takesNone?: boolean
  /** An example for the docs and for testing filters. */
  readonly example?: string | number | boolean
  /** An exact decimal: its total digits, and digits after the point. */
  readonly decimal?: { readonly precision: number; readonly scale: number }
  /** Never set: carries the TypeScript type of a value. */
  readonly type?: T
  /** Never set: carries the type of the words in `valueAliases`. */
  readonly word?: Word
}

export type Columns = Readonly<Record<string, Column>>

interface Details {
  unit?: string
  example?: string | number | boolean
}

const plain =
  <T>(kind: Kind) =>
  (doc: string, details: Details = {}): Column<T> => ({ kind, doc, nullable: false, ...details })

export const text = plain<string>('text')
/** Money or a debt amount: an integer in minor units (cents for US dollars). */
export const cents = plain<number>('cents')
export const integer = plain<number>('integer')
/** 5.25 means 5.25 %. */
export const percent = plain<number>('percent')
export const bps = plain<number>('bps')
export const ratio = plain<number>('ratio')
export const years = plain<number>('years')
export const number = plain<number>('number')
/** A civil day, `YYYY-MM-DD`. */
export const date = plain<string>('date')
/** An instant in UTC, ISO 8601. */
export const timestamp = plain<string>('timestamp')
export const boolean = plain<boolean>('boolean')
/** A list of texts. */
export const list = plain<string[]>('list')
export const json = plain<unknown>('json')

export const shaped = (format: TextFormat, doc: string, details: Details = {}): Column<string> => ({
  kind: 'text',
  format,
  doc,
  nullable: false,
  ...details,
})

export const oneOf = <const V extends readonly string[]>(
  values: V,
  doc: string,
  details: Details = {},
): Column<V[number]> => ({ kind: 'enum', values, doc, nullable: false, ...details })

/** A rating on the scale of one agency. */
export const ratingOn = (agency: Agency, doc: string): Column<string> => ({
  ...oneOf(agencyScale[agency], doc),
  scale: agency,
})

/** Gives a column aliases, as clients of similar APIs write them. */
export const withAliases = <T, Word extends string, OnRequest extends boolean, const Alias extends string>(
  column: Column<T, string, Word, OnRequest>,
  ...aliases: readonly Alias[]
): Column<T, Alias, Word, OnRequest> => ({ ...column, aliases })

/** Lets a parameter accept aliases for the values of an enum. An alias mapped to itself is a value that no row has. */
export const withValueAliases = <T, Word extends string>(
  column: Column<T>,
  valueAliases: Readonly<Record<Word, string>>,
): Column<T, string, Word> => ({ ...column, valueAliases }) as Column<T, string, Word>

/** A limit in days; `none` removes it. */
export const maxDays = (doc: string): Column<number | 'none'> => ({
  kind: 'integer',
  doc,
  unit: 'days',
  takesNone: true,
  nullable: false,
})

export const nullable = <T, Alias extends string, Word extends string, OnRequest extends boolean>(
  column: Column<T, Alias, Word, OnRequest>,
): Column<T | null, Alias, Word, OnRequest> => ({ ...column, nullable: true })

export const onRequest = <T, Alias extends string, Word extends string>(
  column: Column<T, Alias, Word>,
): Column<T, Alias, Word, true> => ({ ...column, on_request: true })

export const derived = <T, Alias extends string, Word extends string, OnRequest extends boolean>(
  column: Column<T, Alias, Word, OnRequest>,
): Column<T, Alias, Word, OnRequest> => ({ ...column, derived: true })

/** Columns declared elsewhere that the engine derives here. */
export const allDerived = <C extends Columns>(columns: C): C =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, derived(column)])) as C

/** Columns declared elsewhere, by name. */
export const pick = <C extends Columns, const K extends keyof C & string>(
  columns: C,
  ...names: readonly K[]
): Pick<C, K> => Object.fromEntries(names.map(name => [name, columns[name]])) as Pick<C, K>

type Head<K> = K extends `${infer H}.${string}` ? H : K
type Under<C, H extends string> = { [K in keyof C as K extends `${H}.${infer T}` ? T : never]: C[K] }

/** The value under a name: that of the column, or an object of the columns below the name. */
type Member<C, H extends string> = H extends keyof C
  ? C[H] extends Column<infer T>
    ? T
    : never
  : RowOf<Under<C, H>> | null

/**
 * The row type of a set of columns. `pricing.ytm` and `pricing.spread` become one object `pricing`, null when all its
 * members are.
 */
export type RowOf<C> = { [H in Head<keyof C & string>]: Member<C, H> }

type OnRequestName<C> = {
  [K in keyof C]: C[K] extends Column<infer _T, infer _Alias, infer _Word, infer OnRequest>
    ? boolean extends OnRequest
      ? never
      : K
    : never
}[keyof C] &
  string
type DefaultName<C> = Exclude<keyof C & string, OnRequestName<C>>

/** A row of a list without `fields`: columns on request may be missing. */
export type DefaultRowOf<C> = {
  [H in Head<DefaultName<C>>]: H extends keyof C ? Member<C, H> : DefaultRowOf<Under<C, H>> | null
} & { [H in Exclude<Head<OnRequestName<C>>, Head<DefaultName<C>>>]?: Member<C, H> }

const sqlTypes: Record<Kind, string> = {
  text: 'VARCHAR',
  enum: 'VARCHAR',
  cents: 'BIGINT',
  integer: 'BIGINT',
  percent: 'DOUBLE',
  bps: 'DOUBLE',
  ratio: 'DOUBLE',
  years: 'DOUBLE',
  number: 'DOUBLE',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  boolean: 'BOOLEAN',
  list: 'VARCHAR[]',
  json: 'VARCHAR',
}

export const sqlType = ({ kind, decimal }: Column): string =>
  decimal ? `DECIMAL(${decimal.precision}, ${decimal.scale})` : sqlTypes[kind]

const units: Partial<Record<Kind, string>> = {
  cents: 'cents',
  percent: 'percent',
  bps: 'basis points',
  ratio: 'ratio',
  years: 'years',
}

export const unitOf = (column: Column): string | undefined => column.unit ?? units[column.kind]

const numeric: ReadonlySet<Kind> = new Set(['cents', 'integer', 'percent', 'bps', 'ratio', 'years', 'number'])
export const isNumeric = (column: Column): boolean => numeric.has(column.kind)

export const isWhole = (column: Column): boolean => column.kind === 'cents' || column.kind === 'integer'
