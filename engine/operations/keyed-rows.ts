import type { SqlValue } from '../database/parameters.ts'
import { stored } from '../database/views.ts'
import type { Context } from './operation.ts'

/** Rows of a statement that operations look up by a key, such as the bonds of a company. */
export interface KeyedRows<Row extends object> {
  readonly name: string
  /** The tables read, the one with the most rows first. */
  readonly tables: readonly [string, ...string[]]
  readonly keyOf: (row: Row) => string
  /** `among` is the condition that a column is one of the keys, after an AND; empty for the rows of all keys. */
  readonly sql: (among: (column: string) => string, context: Context) => string
}

/** Rows in the order of their statement, and the places of each key's rows. */
interface RowsInMemory<Row> {
  readonly rows: readonly Row[]
  readonly places: ReadonlyMap<string, readonly number[]>
  readonly bytes: number
}

/** Tables with more rows are read by a statement for each call. */
const MOST_ROWS = 2 ** 17
/** What a row takes in memory at most, about. */
const MOST_BYTES = 1000
/** What a row and its places take in memory beside its values, about. */
const BYTES_OF_ROW = 80

/**
 * The rows of some keys, in the order of the statement; of all if `keys` is null. The statement reads them the first
 * time; once the same kind of rows is asked for again on a day, all of them are in memory.
 */
export async function rowsByKey<Row extends object>(
  context: Context,
  of: KeyedRows<Row>,
  keys: readonly string[] | null,
): Promise<readonly Row[]> {
  if (keys?.length === 0) return []
  const known = await inMemory(context, of)
  if (known === null) return rowsRead(context, of, keys)
  if (keys === null) return known.rows
  const places = keys.length === 1 ? known.places.get(keys[0] as string) : placesOf(known, keys)
  return (places ?? []).map(place => known.rows[place] as Row)
}

/** All rows, if they are in memory. */
export async function inMemory<Row extends object>(
  context: Context,
  of: KeyedRows<Row>,
): Promise<RowsInMemory<Row> | null> {
  await context.tables(...of.tables)
  return context.cachedOnRepeat(`${of.name} ${context.coverage}`, {
    most: async () => {
      const count = await rowCount(context, of.tables[0])
      return count > MOST_ROWS ? Number.POSITIVE_INFINITY : count * MOST_BYTES
    },
    make: async () => indexed(await rowsRead(context, of, null), of.keyOf),
  })
}

/** How many rows a table has that is ready. */
export async function rowCount({ database }: Context, table: string): Promise<number> {
  const [counted] = await database.rows<{ n: number }>(`SELECT count(*) AS n FROM ${stored(table)}`)
  return counted?.n ?? 0
}

const placesOf = ({ places }: RowsInMemory<unknown>, keys: readonly string[]): number[] =>
  [...new Set(keys)].flatMap(key => places.get(key) ?? []).sort((a, b) => a - b)

function rowsRead<Row extends object>(
  context: Context,
  of: KeyedRows<Row>,
  keys: readonly string[] | null,
): Promise<Row[]> {
  const values: SqlValue[] = []
  const among = (column: string) => {
    if (keys === null) return ''
    for (const key of keys) values.push(key)
    return `AND ${column} IN (${keys.map(() => '?').join(', ')})`
  }
  const text = of.sql(among, context)
  return context.database.rows<Row>(text, values)
}

function indexed<Row extends object>(rows: readonly Row[], keyOf: (row: Row) => string): RowsInMemory<Row> {
  const places = new Map<string, number[]>()
  let bytes = 0
  for (const [place, row] of rows.entries()) {
    const key = keyOf(row)
    const own = places.get(key)
    if (own) own.push(place)
    else places.set(key, [place])
    bytes += BYTES_OF_ROW
    for (const value of Object.values(row)) bytes += typeof value === 'string' ? 40 + value.length : 16
  }
  return { rows, places, bytes }
}
