import { type Database, literal, quote } from '../../engine/database/database.ts'
import { type Column, type RowOf, sqlType } from '../../engine/schema/column.ts'
import type { Dataset } from '../../engine/schema/dataset.ts'

/** A generated row of a dataset: missing columns are null. */
export type Row<D extends Dataset> = Partial<RowOf<D['columns']>> & {
  /** Set if it is not the row's own date. */
  known_from?: string | null
}

export const tableOf = (dataset: Dataset): string => quote(`sample_${dataset.name}`)

const knownFrom: Column = { kind: 'date', doc: 'Day the market could first know the row.', nullable: true }

/** The columns of a source table: the dataset's own and the known day. */
export const columnsOf = (dataset: Dataset): [string, Column][] => [
  ...Object.entries(dataset.columns),
  ['known_from', knownFrom],
]

export const createTable = (db: Database, dataset: Dataset): Promise<void> =>
  db.run(
    `create table ${tableOf(dataset)} (${columnsOf(dataset)
      .map(([name, column]) => `${quote(name)} ${sqlType(column)}`)
      .join(', ')})`,
  )

// Separates the members of a list, which is written as one text.
const SEPARATOR = '\u001f'

function staged(column: Column): {
  type: string
  to: (value: unknown) => unknown
  sql: (name: string) => string
} {
  const as = (type: string) => (name: string) => `cast(${name} as ${type})`
  switch (column.kind) {
    case 'cents':
    case 'integer':
      return { type: 'DOUBLE', to: v => v, sql: as('BIGINT') }
    case 'date':
      return { type: 'VARCHAR', to: v => v, sql: as('DATE') }
    case 'timestamp':
      return { type: 'VARCHAR', to: v => v, sql: as('TIMESTAMP') }
    case 'list':
      return {
        type: 'VARCHAR',
        to: v => (v as string[]).join(SEPARATOR),
        sql: name => `string_split(${name}, chr(31))`,
      }
    case 'json':
      return { type: 'VARCHAR', to: v => JSON.stringify(v), sql: name => name }
    default:
      return { type: sqlType(column), to: v => v, sql: name => name }
  }
}

/** Adds rows to the dataset's table. */
export async function insertRows<D extends Dataset>(
  db: Database,
  dataset: D,
  rows: readonly Row<D>[],
): Promise<void> {
  const columns = columnsOf(dataset).map(([name, column]) => ({ name, ...staged(column) }))
  const values = columns.map(({ name, to }) =>
    rows.map(row => {
      const value = (row as Record<string, unknown>)[name] ?? null
      return value === null ? null : to(value)
    }),
  )
  await insertStaged(db, dataset, columns, values, rows.length)
}

export interface Staged {
  readonly name: string
  readonly type: string
  /** The dataset's value, from the staged column's quoted name. */
  readonly sql: (name: string) => string
}

/** Adds columns to the dataset's table through a staging table with simpler types; missing columns are null. */
export async function insertStaged(
  db: Database,
  dataset: Dataset,
  columns: readonly Staged[],
  values: readonly ArrayLike<unknown>[],
  rowCount: number,
): Promise<void> {
  const stage = `stage_${dataset.name}`
  await db.run(`create table ${quote(stage)} (${columns.map(c => `${quote(c.name)} ${c.type}`).join(', ')})`)
  await db.append(stage, values, rowCount)
  await db.run(
    `insert into ${tableOf(dataset)} (${columns.map(c => quote(c.name)).join(', ')})
     select ${columns.map(c => c.sql(quote(c.name))).join(', ')} from ${quote(stage)}`,
  )
  await db.run(`drop table ${quote(stage)}`)
}

export async function countRows(db: Database, dataset: Dataset): Promise<number> {
  const [row] = await db.rows<{ n: number }>(`select count(*) as n from ${tableOf(dataset)}`)
  return row!.n
}

/** Writes the rows of a query as a source file. */
export const writeParquet = (db: Database, query: string, path: string): Promise<void> =>
  db.run(`copy (${query}) to ${literal(path)} (format parquet, compression zstd)`)
