import { append } from '../base/lists.ts'
import { type Database, literal, quote } from '../database/database.ts'
import type { Sort } from '../schema/sort.ts'

/** Rows and bytes of a query, as DuckDB holds them in memory. */
export interface TableSize {
  readonly rows: number
  readonly bytes: number
}

/** A query whose rows have been measured. */
export interface SizedQuery extends TableSize {
  readonly query: string
  /** The type of each column. */
  readonly types: ReadonlyMap<string, string>
  /** SQL for the bytes of a row. */
  readonly rowBytes: string
}

/** Bytes of a value that is no text: more than any number takes, fewer than a long list. */
const PLAIN = 8
/** Bytes of a text beside its characters. */
const TEXT = 16

/** Rows of a row group, unless they are long. */
const ROWS_A_GROUP = 122_880
/** DuckDB writes row groups of multiples of a vector, and has two in memory while it writes one. */
const ROWS_A_VECTOR = 2048
const BYTES_A_GROUP = 256 * 2 ** 20

const isText = (type: string): boolean => type === 'VARCHAR' || type === 'JSON'

/** The rows of a query, counted, and measured unless they are too few to be divided. */
export async function measured(db: Database, query: string): Promise<SizedQuery> {
  const [counted] = await db.rows<{ rows: number }>(`SELECT count(*) AS rows FROM (${query})`)
  const { rows } = counted!
  if (rows <= ROWS_A_VECTOR) return { query, rows, bytes: 0, types: new Map(), rowBytes: '0' }
  const columns = await db.rows<{ column_name: string; column_type: string }>(`DESCRIBE ${query}`)
  const types = new Map(columns.map(column => [column.column_name, column.column_type]))
  const texts = [...types].filter(([, type]) => isText(type)).map(([name]) => name)
  const plain = texts.length * TEXT + (types.size - texts.length) * PLAIN
  const lengths = texts.map(name => `coalesce(strlen(${quote(name)}), 0)`)
  const rowBytes = [plain, ...lengths].join(' + ')
  const [size] = await db.rows<{ bytes: number }>(
    `SELECT CAST(sum(${rowBytes}) AS BIGINT) AS bytes FROM (${query})`,
  )
  return { query, rows, types, rowBytes, ...size! }
}

/** How many rows a row group has: fewer of long ones. It depends on nothing but the rows, as the bytes of the file do. */
export function rowsOfGroup({ rows, bytes }: TableSize): number {
  if (rows <= ROWS_A_VECTOR) return ROWS_A_GROUP
  const fitting = Math.floor((BYTES_A_GROUP * rows) / bytes / ROWS_A_VECTOR) * ROWS_A_VECTOR
  return Math.min(Math.max(fitting, ROWS_A_VECTOR), ROWS_A_GROUP)
}

/**
 * Conditions that divide the rows of a query into parts of about as many bytes, in the order of `order`: every row of a
 * part sorts before every row of the next. A condition compares columns with constants, so that DuckDB reads only the
 * rows of the part.
 */
export async function partsInOrder(
  db: Database,
  sized: SizedQuery,
  order: readonly Sort[],
  bytesAtATime: number,
  within: readonly string[] = [],
): Promise<string[]> {
  const [sort, ...rest] = order
  if (!sort) return [within.join(' AND ')]
  const column = quote(sort.column)
  const constant = (text: string) => `CAST(${literal(text)} AS ${sized.types.get(sort.column)})`
  const ranges = await db.rows<{ low: string | null; high: string | null; isLarge: boolean }>(`
    WITH sized AS (
      SELECT ${column} AS value, sum(${sized.rowBytes}) AS bytes FROM (${sized.query})
      ${within.length === 0 ? '' : `WHERE ${within.join(' AND ')}`} GROUP BY ALL),
    placed AS (
      SELECT *, sum(bytes) OVER (ORDER BY value ${sort.descending ? 'DESC' : 'ASC'} NULLS LAST) - bytes AS before FROM sized)
    SELECT CAST(min(value) AS VARCHAR) AS low, CAST(max(value) AS VARCHAR) AS high, bytes > ${bytesAtATime} AS "isLarge"
    FROM placed GROUP BY before // ${bytesAtATime}, value IS NULL, bytes > ${bytesAtATime} ORDER BY min(before)`)
  const parts: string[] = []
  for (const { low, high, isLarge } of ranges) {
    const condition =
      low === null || high === null
        ? `${column} IS NULL`
        : low === high
          ? `${column} = ${constant(low)}`
          : `${column} BETWEEN ${constant(low)} AND ${constant(high)}`
    // A single value that has more than a part is divided by the next column.
    if (isLarge) append(parts, await partsInOrder(db, sized, rest, bytesAtATime, [...within, condition]))
    else parts.push([...within, condition].join(' AND '))
  }
  return parts
}
