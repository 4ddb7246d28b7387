import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Column, sqlType } from '../column.ts'
import { Database, quote } from '../database.ts'
import { copySql } from '../sql.ts'
import { arrowSchema, days, metadataOf, micros, schemaMessage, whole } from './arrow.ts'
import type { EncodeOptions, Output, Rows } from './encode.ts'
import { jsonWriter } from './row-text.ts'

/** What rows may take of memory before they spill beside the file. */
const MEMORY = '512MB'

/**
 * A Parquet file: of the database that has the rows, or made by a database of its own in a temporary folder.
 * Units and descriptions stand in the key-value metadata twice: as JSON under `tranche:columns`, and inside
 * `ARROW:schema`, from which Arrow's readers restore them as field metadata.
 */
export async function* parquet(
  { columns, chunks, copy }: Rows,
  { about = {}, temp = tmpdir() }: EncodeOptions = {},
): AsyncGenerator<Uint8Array> {
  const metadata: Record<string, string> = {
    ...about,
    'tranche:columns': describe(columns),
    'ARROW:schema': schemaMessage(arrowSchema(columns, about)),
  }
  if (copy) {
    yield* (await copy(metadata)).bytes
    return
  }
  const folder = await mkdtemp(join(temp, 'tranche-parquet-'))
  try {
    const file = join(folder, 'rows.parquet')
    const db = await Database.create({ memory: MEMORY, threads: 1, temp: join(folder, 'spill') })
    try {
      await write(db, columns, chunks, metadata, file)
    } finally {
      db.close()
    }
    for await (const bytes of createReadStream(file, { highWaterMark: 1 << 18 })) yield bytes as Buffer
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function write(
  db: Database,
  columns: readonly Output[],
  chunks: Rows['chunks'],
  metadata: Readonly<Record<string, string>>,
  file: string,
): Promise<void> {
  const declared = columns.map(({ column }, j) => `c${j} ${sqlType(column)}`)
  await db.run(`CREATE TABLE rows_ (${declared.join(', ')})`)
  const convert = columns.map(({ column }) => converter(column))
  for await (const { rowCount, columns: values } of chunks)
    if (rowCount > 0)
      await db.append(
        'rows_',
        values.map((column, j) => convert[j]!(column)),
        rowCount,
      )
  const selected = columns.map(({ name }, j) => `c${j} AS ${quote(name)}`)
  await db.run(copySql(`SELECT ${selected.join(', ')} FROM rows_`, file, metadata))
}

/** Unit and description by column, as JSON. */
const describe = (columns: readonly Output[]): string =>
  JSON.stringify(
    Object.fromEntries(columns.map(({ name, column }) => [name, Object.fromEntries(metadataOf(column))])),
  )

const each =
  (read: (value: unknown) => unknown) =>
  (values: readonly unknown[]): unknown[] =>
    values.map(value => (value == null ? null : read(value)))

/** Plain values as the database takes them. */
function converter(column: Column): (values: readonly unknown[]) => readonly unknown[] {
  switch (column.kind) {
    case 'cents':
    case 'integer':
      return each(whole)
    case 'date':
      return each(value => ({ days: days(value) }))
    case 'timestamp':
      return each(value => ({ micros: micros(value) }))
    case 'list':
      return each(items => ({ items }))
    case 'json':
      return each(jsonWriter(column))
    default:
      return values => values
  }
}
