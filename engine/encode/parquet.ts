import { elementAt } from '../base/elements.ts'
import { Database, quote } from '../database/database.ts'
import { ExportFolder } from '../database/export-folder.ts'
import { type Column, sqlType } from '../schema/column.ts'
import { arrowSchema, days, decimalUnits, metadataOf, micros, schemaMessage, whole } from './arrow.ts'
import { parquetSql, parquetValue } from './parquet-sql.ts'
import type { EncodableRows, EncodeOptions, Output } from './row-stream.ts'
import { jsonWriter } from './row-text.ts'

/** Memory for rows before they spill beside the file. */
const MEMORY = '512MB'

/**
 * A Parquet file, written by the database that has the rows, or by a temporary one. Units and descriptions are in the
 * key-value metadata twice: as JSON under `tranche:columns`, and inside `ARROW:schema`, from which Arrow readers
 * restore field metadata.
 */
export async function* parquet(
  rows: EncodableRows,
  { about = {} }: EncodeOptions = {},
): AsyncGenerator<Uint8Array> {
  const { columns, copy } = rows
  const metadata = {
    ...about,
    'tranche:columns': describe(columns),
    'ARROW:schema': schemaMessage(arrowSchema(columns, about)),
  }
  const { bytes } =
    (await copy?.({ format: 'parquet', metadata })) ??
    (await new ExportFolder().written(file => write(rows, metadata, file)))
  yield* bytes
}

async function write(
  { columns, chunks }: EncodableRows,
  metadata: Readonly<Record<string, string>>,
  file: string,
): Promise<void> {
  const db = await Database.create({ memory: MEMORY, threads: 1, temp: `${file}.spill` })
  try {
    const declared = columns.map(({ column }, j) => `c${j} ${sqlType(column)}`)
    await db.run(`CREATE TABLE rows_ (${declared.join(', ')})`)
    const convert = columns.map(({ column }) => converter(column))
    for await (const { rowCount, columns: values } of chunks)
      if (rowCount > 0)
        await db.append(
          'rows_',
          values.map((column, j) => elementAt(convert, j)(column)),
          rowCount,
        )
    const selected = columns.map(
      ({ name, column }, j) => `${parquetValue(column, `c${j}`)} AS ${quote(name)}`,
    )
    await db.run(parquetSql(`SELECT ${selected.join(', ')} FROM rows_`, file, metadata))
  } finally {
    db.close()
  }
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
  const { decimal } = column
  if (decimal) return each(value => decimalUnits(value, decimal))
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
