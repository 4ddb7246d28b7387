import { literal, quote } from '../database/database.ts'
import { type Column, sqlType } from '../schema/column.ts'
import { type Dataset, provenance } from '../schema/dataset.ts'

/**
 * The SQL that validates and types a dataset's rows of text, generated from the declaration. A staged relation has
 * `_row` (ordinal of the source row), `_at` (its position), one text column per dataset column, and `known_from`.
 */
export const stagedColumns = (dataset: Dataset): string[] => [...Object.keys(dataset.columns), 'known_from']

/** What a batch holds, in order. */
export const batchColumns = (dataset: Dataset): Record<string, Column> => ({
  ...dataset.columns,
  ...provenance,
})

/** What is trimmed off texts, in SQL and in plain code. */
const BLANKS = `' ' || chr(9) || chr(10) || chr(13) || chr(160)`
const isBlank = (code: number) => code === 32 || code === 160 || code === 9 || code === 10 || code === 13

/** Trimmed text, null if it is blank: as the SQL of `checkedSql` does, at a fraction of its time. */
export function trimmed(text: string): string | null {
  let from = 0
  let to = text.length
  while (from < to && isBlank(text.charCodeAt(from))) from++
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--
  return from === to ? null : to - from === text.length ? text : text.slice(from, to)
}

/** Trimmed text; blank text is null. Few texts need trimming, and testing is cheaper. */
const cleaned = (name: string) => {
  const text = quote(name)
  const ends = [`${text}[1]`, `${text}[-1]`]
  const blank = ends.flatMap(end => [`${end} <= ' '`, `${end} = chr(160)`]).join(' OR ')
  return `CASE WHEN ${blank} THEN nullif(trim(${text}, ${BLANKS}), '') ELSE ${text} END`
}

/** Numbers in any common notation: DuckDB alone would accept `1_000`. */
const numberSql = (text: string) =>
  `CASE WHEN NOT contains(${text}, '_') AND isfinite(TRY_CAST(${text} AS DOUBLE)) THEN TRY_CAST(${text} AS DOUBLE) + 0.0 END`

/** Whole and below 2^53, where a JSON number is exact; `12.0` is whole. */
const wholeSql = (text: string) => {
  const value = `TRY_CAST(${text} AS DOUBLE)`
  return (
    `CASE WHEN NOT contains(${text}, '_') AND ${value} = trunc(${value}) AND abs(${value}) < 9007199254740992 ` +
    `THEN CAST(${value} AS BIGINT) END`
  )
}

/** A day, also as a timestamp at midnight, as data frames write it. */
const daySql = (text: string) => {
  const day = `TRY_CAST(left(${text}, 10) AS DATE)`
  const shape = '[0-9]{4}-[0-9]{2}-[0-9]{2}([T ]00:00:00(\\.0+)?(Z|[+-]00(:?00)?)?)?'
  return (
    `CASE WHEN regexp_full_match(${text}, ${literal(shape)}) ` +
    `AND ${day} BETWEEN DATE '1800-01-01' AND DATE '9999-12-31' THEN ${day} END`
  )
}

/** An instant; UTC without an offset. DuckDB alone would read an offset and drop it. */
const momentSql = (text: string) => {
  const shape =
    '[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?'
  const offset = `regexp_matches(${text}, '[0-9][+-][0-9]{2}(:?[0-9]{2})?$') AND length(${text}) > 10`
  const moment = `CASE WHEN ${offset} THEN TRY_CAST(${text} AS TIMESTAMPTZ) AT TIME ZONE 'UTC' ELSE TRY_CAST(${text} AS TIMESTAMP) END`
  return (
    `CASE WHEN regexp_full_match(${text}, ${literal(shape)}) ` +
    `AND (${moment}) BETWEEN TIMESTAMP '1800-01-01' AND TIMESTAMP '9999-12-31' THEN ${moment} END`
  )
}

const oneOfSql = (text: string, pairs: readonly (readonly [string, string])[]) =>
  `CASE lower(${text}) ${pairs.map(([from, to]) => `WHEN ${literal(from)} THEN ${to}`).join(' ')} END`

const YES_NO: readonly (readonly [string, string])[] = [
  ...['true', 't', 'yes', 'y', '1'].map(word => [word, 'true'] as const),
  ...['false', 'f', 'no', 'n', '0'].map(word => [word, 'false'] as const),
]

const matching = (value: string, pattern: string) =>
  `CASE WHEN regexp_full_match(${value}, ${literal(pattern)}) THEN ${value} END`

/** Check digits are validated afterwards, once per distinct value (`checkDigits`). */
function formatSql(text: string, column: Column): string {
  switch (column.format) {
    case 'ticker':
      return matching(`upper(${text})`, '[A-Z0-9][A-Z0-9.\\-/]{0,14}')
    case 'cusip':
      return matching(`upper(${text})`, '[0-9A-Z*@#]{8}[0-9]')
    case 'isin':
      return matching(`upper(${text})`, '[A-Z]{2}[0-9A-Z]{9}[0-9]')
    case 'lei':
      return matching(`upper(${text})`, '[0-9A-Z]{18}[0-9]{2}')
    case 'cik':
      return `CASE WHEN regexp_full_match(${text}, '[0-9]{1,10}') THEN lpad(${text}, 10, '0') END`
    case 'currency':
      return matching(`upper(${text})`, '[A-Z]{3}')
    case 'uuid':
      return matching(`lower(${text})`, '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}')
    default:
      return text
  }
}

const listSql = (text: string) => {
  const split = `list_transform(string_split(${text}, ';'), lambda item: trim(item))`
  const items = `CASE WHEN starts_with(${text}, '[') THEN TRY_CAST(TRY_CAST(${text} AS JSON) AS VARCHAR[]) ELSE ${split} END`
  return `list_filter(${items}, lambda item: item <> '')`
}

/** The typed value of a text; null if it is not valid. */
function valueSql(text: string, column: Column): string {
  switch (column.kind) {
    case 'text':
      return formatSql(text, column)
    case 'enum':
      return oneOfSql(
        text,
        [
          ...column.values!.map(value => [value, value] as const),
          ...Object.entries(column.valueAliases ?? {}),
        ].map(([word, value]) => [word.toLowerCase(), literal(value)]),
      )
    case 'cents':
    case 'integer':
      return wholeSql(text)
    case 'date':
      return daySql(text)
    case 'timestamp':
      return momentSql(text)
    case 'boolean':
      return oneOfSql(text, YES_NO)
    case 'list':
      return listSql(text)
    case 'json':
      return `CASE WHEN json_valid(${text}) THEN ${text} END`
    default:
      return numberSql(text)
  }
}

const formats: Record<NonNullable<Column['format']>, string> = {
  ticker: 'must be a ticker: up to 15 letters, digits, dots, dashes or slashes',
  cusip: 'must be a CUSIP: 9 characters with a valid check digit',
  isin: 'must be an ISIN: 12 characters with a valid check digit',
  lei: 'must be an LEI: 20 letters and digits',
  cik: 'must be a CIK: up to 10 digits',
  currency: 'must be an ISO currency of 3 letters',
  uuid: 'must be a UUID',
  snapshot: 'must be the id of a snapshot',
}

/** What a column expects, for messages. */
export function expectation(column: Column): string {
  switch (column.kind) {
    case 'text':
      return column.format ? formats[column.format] : 'must be text'
    case 'enum':
      return `must be one of ${column.values!.join(', ')}`
    case 'cents':
      return 'must be a whole number of cents below 2^53'
    case 'integer':
      return 'must be a whole number below 2^53'
    case 'date':
      return 'must be a day, YYYY-MM-DD, from 1800 to 9999; a --map file reads other formats, by date_format'
    case 'timestamp':
      return 'must be a time, YYYY-MM-DDTHH:MM:SSZ'
    case 'boolean':
      return 'must be true or false'
    case 'list':
      return 'must be a JSON array of strings, or text separated by semicolons'
    case 'json':
      return 'must be JSON'
    case 'number':
      return column.unit ? `must be a finite number in ${column.unit}` : 'must be a finite number'
    default:
      return `must be a finite number in ${column.kind === 'bps' ? 'basis points' : column.kind}`
  }
}

/** JSON of a row, without nulls. */
export const rawJson = (pairs: string) => `CAST(json_merge_patch('{}', to_json({${pairs}})) AS VARCHAR)`

const knownFrom: Column = provenance.known_from

/** The text of a `_fault`: column, value and problem. */
const faultSql = (column: string | null, value: string, reason: string) =>
  `{'column': ${column === null ? 'NULL::VARCHAR' : literal(column)}, 'value': left(${value}, 200), 'reason': ${literal(reason)}}`

/** Splits a sentence that begins with a column name; for any other sentence the column is null. */
function parted(dataset: Dataset, says: string): { column: string | null; reason: string } {
  const column = /^[a-z_]+(?= )/.exec(says)?.[0]
  return column && column in dataset.columns
    ? { column, reason: says.slice(column.length + 1) }
    : { column: null, reason: says }
}

const raw = (name: string) => quote(`raw ${name}`)

/**
 * Typed rows of a staged relation: `_row`, `_at`, the dataset's columns, `known_from`, `_hash` over all of these but
 * the first two, `_fault` (the row's first problem, else null) and `_raw` (JSON of a faulty row).
 * @param fallback known day of rows whose own columns do not give one
 * @param isTrimmed whether the texts went through `trimmed`
 */
export function checkedSql(
  dataset: Dataset,
  staged: string,
  fallback: string | null,
  isTrimmed = false,
): string {
  const columns = Object.entries({ ...dataset.columns, known_from: knownFrom })
  const names = columns.map(([name]) => name)
  const texts = columns.map(([name]) => `${isTrimmed ? quote(name) : cleaned(name)} AS ${raw(name)}`)
  const values = columns.map(([name, column]) => `${valueSql(raw(name), column)} AS ${quote(name)}`)
  const faults = [
    ...columns.map(
      ([name, column]) =>
        `WHEN ${raw(name)} IS NOT NULL AND ${quote(name)} IS NULL THEN ${faultSql(name, raw(name), expectation(column))}`,
    ),
    ...columns
      .filter(([, column]) => !column.nullable)
      .map(([name]) => `WHEN ${quote(name)} IS NULL THEN ${faultSql(name, 'NULL', 'is missing')}`),
    ...(dataset.needsOneOf
      ? [
          `WHEN coalesce(${dataset.needsOneOf.map(quote).join(', ')}) IS NULL THEN ` +
            faultSql(null, 'NULL', `needs one of ${dataset.needsOneOf.join(', ')}`),
        ]
      : []),
    ...(dataset.checks ?? []).map(({ sql, says }) => {
      const { column, reason } = parted(dataset, says)
      return `WHEN (${sql}) IS NOT TRUE THEN ${faultSql(column, column ? raw(column) : 'NULL', reason)}`
    }),
  ]
  const known = ['known_from', ...dataset.known].map(quote)
  const day = `coalesce(${known.join(', ')}, ${fallback ? `DATE ${literal(fallback)}` : 'NULL::DATE'})`
  const packed = names.map(name => `${literal(name)}: ${raw(name)}`).join(', ')
  const outputs = names.map(name => (name === 'known_from' ? `${day} AS known_from` : quote(name))).join(', ')
  return (
    `SELECT *, hash(${names.map(quote).join(', ')}) AS _hash FROM (` +
    `SELECT _row, _at, ${outputs}, _fault, CASE WHEN _fault IS NOT NULL THEN ${rawJson(packed)} END AS _raw FROM (` +
    `SELECT *, CASE ${faults.join(' ')} END AS _fault FROM (` +
    `SELECT *, ${values.join(', ')} FROM (SELECT _row, _at, ${texts.join(', ')} FROM ${staged}))))`
  )
}

/** The columns that identify equal rows. */
export const identity = (dataset: Dataset): string[] => stagedColumns(dataset)

/** Rows of batches written with any version of the dataset's columns, with `_hash` as in `checkedSql`. */
export function batchRowsSql(dataset: Dataset, paths: readonly string[]): string {
  const columns = { ...dataset.columns, known_from: knownFrom }
  const names = Object.keys(columns).map(quote).join(', ')
  const nothing = Object.entries(columns).map(
    ([name, column]) => `CAST(NULL AS ${sqlType(column)}) AS ${quote(name)}`,
  )
  return (
    `SELECT ${names}, hash(${names}) AS _hash, filename AS _file FROM (` +
    `SELECT ${nothing.join(', ')}, NULL::VARCHAR AS filename WHERE false UNION ALL BY NAME ` +
    `SELECT * FROM read_parquet([${paths.map(literal).join(', ')}], union_by_name = true, filename = true))`
  )
}
