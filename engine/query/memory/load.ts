import { type Database, literal, quote } from '../../database/database.ts'
import type { Session } from '../../database/session.ts'
import { type Column, type Columns, isNumeric, isWhole } from '../../schema/column.ts'
import type { HotColumn, Values } from './column.ts'

const NO_DAY = -(2 ** 31 - 1)
const NO_WHOLE = -(2 ** 31)
const NO_SHORT = -(2 ** 15)
/** Up to this many words are listed in a statement. */
const FEW_WORDS = 2 ** 8

/** What a statement selects for a column, the meaning of its numbers, and a type to drop afterwards. */
interface Filling {
  readonly sql: string
  readonly column: HotColumn
  readonly type?: string
}

interface Of {
  readonly session: Session
  readonly table: string
  readonly rows: number
  /** Quoted. */
  readonly name: string
  readonly column: Column
}

/**
 * Columns of a table, in row order; null for one whose values JavaScript numbers cannot represent. One statement
 * reads all of them, because moving a block from DuckDB to JavaScript takes about as long as reading it.
 */
export function loadColumns(
  database: Database,
  table: string,
  rows: number,
  columns: Columns,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, HotColumn | null>> {
  const load = async (session: Session) => {
    const found = new Map<string, HotColumn | null>()
    const fillings: Filling[] = []
    for (const [name, column] of Object.entries(columns)) {
      signal.throwIfAborted()
      const filling = await fillingOf({ session, table, rows, name: quote(name), column })
      if (filling) fillings.push(filling)
      found.set(name, filling?.column ?? null)
    }
    if (fillings.length)
      await session.fill(
        `SELECT ${fillings.map(f => f.sql).join(', ')} FROM ${table}`,
        fillings.map(f => f.column.values),
      )
    for (const { type } of fillings) if (type) await session.run(`DROP TYPE ${type}`)
    return found
  }
  return database.session(load, { signal })
}

async function fillingOf(of: Of): Promise<Filling | null> {
  const { name, rows, column } = of
  if (column.kind === 'date')
    // A date is its day since 1970 in 32 bits, copied unchanged.
    return numbers(column, new Int32Array(rows), { sql: `coalesce(${name}, DATE '-infinity')`, none: NO_DAY })
  if (column.kind === 'timestamp')
    return numbers(column, new Float64Array(rows), {
      sql: `coalesce(epoch_us(${name})::DOUBLE, 'nan'::DOUBLE)`,
      none: Number.NaN,
    })
  if (column.kind === 'boolean') {
    const { sql, column: booleans } = numbers(column, new Uint8Array(rows), {
      sql: `(CASE WHEN ${name} THEN 2 WHEN NOT ${name} THEN 1 ELSE 0 END)::UTINYINT`,
      none: 0,
    })
    const places = new Map([
      [false, [1]],
      [true, [2]],
    ])
    return { sql, column: { ...booleans, words: [null, false, true], places } }
  }
  return isNumeric(column) ? measures(of) : words(of)
}

const numbers = (
  column: Column,
  values: Values,
  { sql, none, scale = 1 }: { sql: string; none: number; scale?: number },
): Filling => ({
  sql,
  column: { column, values, none, scale, words: null, places: null, bytes: values.byteLength },
})

/** Numbers in the narrowest exact width: tenths of a basis point and small counts in 16 bits. */
async function measures({ session, table, rows, name, column }: Of): Promise<Filling | null> {
  const tenths = `bool_and(${name} = round(${name} * 10) / 10)`
  const [seen] = await session.rows<{ low: number; high: number; odd: boolean; tenths: boolean | null }>(
    `SELECT CAST(min(${name}) AS DOUBLE) AS low, CAST(max(${name}) AS DOUBLE) AS high,
       ${isWhole(column) ? 'FALSE' : `coalesce(bool_or(isnan(${name})), FALSE)`} AS odd,
       ${column.kind === 'bps' ? tenths : 'FALSE'} AS tenths FROM ${table}`,
  )
  const { low, high, odd } = seen!
  const most = Math.max(Math.abs(low ?? 0), Math.abs(high ?? 0))
  if (odd || (isWhole(column) && most > Number.MAX_SAFE_INTEGER)) return null
  if (seen!.tenths && most * 10 < -NO_SHORT)
    return numbers(column, new Int16Array(rows), {
      sql: `coalesce((${name} * 10)::SMALLINT, (${NO_SHORT})::SMALLINT)`,
      none: NO_SHORT,
      scale: 10,
    })
  if (seen!.tenths && most * 10 < -NO_WHOLE)
    return numbers(column, new Int32Array(rows), {
      sql: `coalesce((${name} * 10)::INTEGER, (${NO_WHOLE})::INTEGER)`,
      none: NO_WHOLE,
      scale: 10,
    })
  if (isWhole(column) && most < -NO_SHORT)
    return numbers(column, new Int16Array(rows), {
      sql: `coalesce(${name}, ${NO_SHORT})::SMALLINT`,
      none: NO_SHORT,
    })
  if (isWhole(column) && most < -NO_WHOLE)
    return numbers(column, new Int32Array(rows), {
      sql: `coalesce(${name}, ${NO_WHOLE})::INTEGER`,
      none: NO_WHOLE,
    })
  return numbers(column, new Float64Array(rows), {
    sql: `coalesce(${name}::DOUBLE, 'nan'::DOUBLE)`,
    none: Number.NaN,
  })
}

/** Texts as indexes into their sorted dictionary; a list counts as one word. */
async function words(of: Of): Promise<Filling> {
  const { session, table, column } = of
  const isList = column.kind === 'list'
  const name = isList ? `CAST(to_json(${of.name}) AS VARCHAR)` : of.name
  const distinct = `SELECT DISTINCT ${name} AS word FROM ${table} WHERE ${of.name} IS NOT NULL ORDER BY ALL`
  const found = await session.rows<{ word: string; small: string }>(
    `SELECT word, lower(word) AS small FROM (${distinct})`,
  )
  const filling =
    found.length < FEW_WORDS && !isList
      ? fewWords(of, found)
      : await manyWords(of, name, distinct, found.length)
  const indexes = filling.column
  const caseless = column.kind === 'text' && !column.format
  const places = new Map<string, number[]>()
  for (const [i, { word, small }] of found.entries()) {
    const key = caseless ? small : word
    const same = places.get(key)
    if (same) same.push(i + 1)
    else places.set(key, [i + 1])
  }
  const letters = found.reduce((sum, { word }) => sum + word.length, 0)
  return {
    ...filling,
    column: {
      ...indexes,
      words: [null, ...found.map(({ word }) => (isList ? (JSON.parse(word) as string[]) : word))],
      places,
      // Estimated cost of a word: its characters and its object, twice.
      bytes: indexes.bytes + 2 * (letters + 40 * found.length),
    },
  }
}

/** Looked up once per word of a file's own dictionary, not per row. */
const fewWords = ({ name, rows, column }: Of, found: readonly { word: string }[]): Filling =>
  numbers(column, new Uint8Array(rows), {
    sql: `coalesce(list_position([${found.map(({ word }) => literal(word)).join(', ')}]::VARCHAR[], ${name}), 0)::UTINYINT`,
    none: 0,
  })

async function manyWords(of: Of, word: string, distinct: string, count: number): Promise<Filling> {
  const { session, name, rows, column } = of
  const width = count < 2 ** 8 ? 'UTINYINT' : count < 2 ** 15 ? 'SMALLINT' : 'INTEGER'
  const arrays = { UTINYINT: Uint8Array, SMALLINT: Int16Array, INTEGER: Int32Array }
  const type = quote(`words of ${name}`)
  await session.run(`CREATE OR REPLACE TEMP TYPE ${type} AS ENUM (${distinct})`)
  const filling = numbers(column, new arrays[width](rows), {
    sql: `coalesce(enum_code(${word}::${type})::INTEGER + 1, 0)::${width}`,
    none: 0,
  })
  return { ...filling, type }
}
