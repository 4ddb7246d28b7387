import { literal } from '../database/database.ts'
import type { Column } from '../schema/column.ts'

/** A value as Parquet files hold it: an instant says that it is in UTC, which a plain timestamp leaves open. */
export const parquetValue = ({ kind }: Column, x: string): string =>
  kind === 'timestamp' ? `${x} AT TIME ZONE 'UTC'` : x

/** Writes rows to a Parquet file, in order, with these key-value metadata. */
export function parquetSql(select: string, file: string, metadata: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(metadata).map(([key, value]) => `${literal(key)}: ${literal(value)}`)
  return `COPY (${select}) TO ${literal(file)} (FORMAT parquet, COMPRESSION zstd, KV_METADATA {${pairs.join(', ')}})`
}
