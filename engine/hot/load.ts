import { type Column, isNumeric, isWhole } from '../column.ts'
import { type Database, literal, quote, type Session } from '../database.ts'
import type { HotColumn, Values } from './column.ts'

const NO_DAY = -(2 ** 31 - 1)
const NO_WHOLE = -(2 ** 31)
const NO_SHORT = -(2 ** 15)
/** Fewer words are named in a statement. */
const FEW_WORDS = 2 ** 8

/** A column of a table, in the order of its rows; null where its values do not fit the numbers of JavaScript. */
export async function loadColumn(
  database: Database,
  table: string,
  rows: number,
  name: string,
  column: Column,
  signal: AbortSignal,
): Promise<HotColumn | null> {
  const load = async (session: Session): Promise<HotColumn | null> => {
    const of = { session, table, rows, name: quote(name), column }
    if (column.kind === 'date')
      return numbers(of, new Int32Array(rows), {
        // A date is its day since 1970 in 32 bits, which are taken as they are.
        sql: `coalesce(${of.name}, DATE '-infinity')`,
        none: NO_DAY,
      })
    if (column.kind === 'timestamp')
      return numbers(of, new Float64Array(rows), {
        sql: `coalesce(epoch_us(${of.name})::DOUBLE, 'nan'::DOUBLE)`,
        none: Number.NaN,
      })
    if (column.kind === 'boolean')
      return {
        ...(await numbers(of, new Uint8Array(rows), {
          sql: `(CASE WHEN ${of.name} THEN 2 WHEN NOT ${of.name} THEN 1 ELSE 0 END)::UTINYINT`,
          none: 0,
        })),
        words: [null, false, true],
        places: new Map([
          [false, [1]],
          [true, [2]],
        ]),
      }
    return isNumeric(column) ? measures(of) : words(of)
  }
  return database.session(load, { signal })
}

interface Of {
  readonly session: Session
  readonly table: string
  readonly rows: number
  /** Quoted. */
  readonly name: string
  readonly column: Column
}

async function numbers(
  { session, table, column }: Of,
  values: Values,
  { sql, none, scale = 1 }: { sql: string; none: number; scale?: number },
): Promise<HotColumn> {
  await session.fill(`SELECT ${sql} FROM ${table}`, [values])
  return { column, values, none, scale, words: null, places: null, bytes: values.byteLength }
}

/** Numbers in the narrowest width that says them exactly: tenths of a basis point and small counts in 16 bits. */
async function measures(of: Of): Promise<HotColumn | null> {
  const { session, table, rows, name, column } = of
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
    return numbers(of, new Int16Array(rows), {
      sql: `coalesce((${name} * 10)::SMALLINT, (${NO_SHORT})::SMALLINT)`,
      none: NO_SHORT,
      scale: 10,
    })
  if (seen!.tenths && most * 10 < -NO_WHOLE)
    return numbers(of, new Int32Array(rows), {
      sql: `coalesce((${name} * 10)::INTEGER, (${NO_WHOLE})::INTEGER)`,
      none: NO_WHOLE,
      scale: 10,
    })
  if (isWhole(column) && most < -NO_SHORT)
    return numbers(of, new Int16Array(rows), {
      sql: `coalesce(${name}, ${NO_SHORT})::SMALLINT`,
      none: NO_SHORT,
    })
  if (isWhole(column) && most < -NO_WHOLE)
    return numbers(of, new Int32Array(rows), {
      sql: `coalesce(${name}, ${NO_WHOLE})::INTEGER`,
      none: NO_WHOLE,
    })
  return numbers(of, new Float64Array(rows), {
    sql: `coalesce(${name}::DOUBLE, 'nan'::DOUBLE)`,
    none: Number.NaN,
  })
}

/** Texts as places among their sorted words; a list counts as one word. */
async function words(of: Of): Promise<HotColumn> {
  const { session, table, column } = of
  const isList = column.kind === 'list'
  const name = isList ? `CAST(to_json(${of.name}) AS VARCHAR)` : of.name
  const distinct = `SELECT DISTINCT ${name} AS word FROM ${table} WHERE ${of.name} IS NOT NULL ORDER BY ALL`
  const found = await session.rows<{ word: string; small: string }>(
    `SELECT word, lower(word) AS small FROM (${distinct})`,
  )
  const held = await (found.length < FEW_WORDS && !isList
    ? fewWords(of, found)
    : manyWords(of, name, distinct, found.length))
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
    ...held,
    words: [null, ...found.map(({ word }) => (isList ? (JSON.parse(word) as string[]) : word))],
    places,
    // A word costs its letters and what holds them, twice.
    bytes: held.bytes + 2 * (letters + 40 * found.length),
  }
}

/** Looked up once for each word of a file's own dictionary, and not for each row. */
const fewWords = (of: Of, found: readonly { word: string }[]): Promise<HotColumn> =>
  numbers(of, new Uint8Array(of.rows), {
    sql: `coalesce(list_position([${found.map(({ word }) => literal(word)).join(', ')}]::VARCHAR[], ${of.name}), 0)::UTINYINT`,
    none: 0,
  })

async function manyWords(of: Of, name: string, distinct: string, count: number): Promise<HotColumn> {
  const { session, rows } = of
  const width = count < 2 ** 8 ? 'UTINYINT' : count < 2 ** 15 ? 'SMALLINT' : 'INTEGER'
  const arrays = { UTINYINT: Uint8Array, SMALLINT: Int16Array, INTEGER: Int32Array }
  await session.run(`CREATE OR REPLACE TEMP TYPE words AS ENUM (${distinct})`)
  const held = await numbers(of, new arrays[width](rows), {
    sql: `coalesce(enum_code(${name}::words)::INTEGER + 1, 0)::${width}`,
    none: 0,
  })
  await session.run('DROP TYPE words')
  return held
}
