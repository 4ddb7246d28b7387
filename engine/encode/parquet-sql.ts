import { literal } from '../database/database.ts'

/** Writes rows to a Parquet file, in order, with these key-value metadata. */
export function parquetSql(select: string, file: string, metadata: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(metadata).map(([key, value]) => `${literal(key)}: ${literal(value)}`)
  return `COPY (${select}) TO ${literal(file)} (FORMAT parquet, COMPRESSION zstd, KV_METADATA {${pairs.join(', ')}})`
}
