import { elementAt } from '../base/elements.ts'
import { Database, literal, quote } from '../database/database.ts'
import { readImports } from '../lake/imports.ts'
import { inLake, type Lake } from '../lake/lake.ts'
import { verifyFile } from '../lake/verify.ts'
import { identityOf } from './ingest.ts'
import { datasetOf } from './mapping.ts'

export interface Reject {
  readonly file: string
  /** Null if the whole file was refused. */
  readonly position: string | null
  readonly dataset: string | null
  readonly column: string | null
  readonly value: string | null
  readonly reason: string
  readonly raw: string | null
  readonly import: string
}

/**
 * What was refused and why, from the newest import of each file; a later import of the same bytes replaces an earlier
 * one.
 */
export async function* readRejects(
  lake: Lake,
  { dataset, limit = Number.POSITIVE_INFINITY }: { dataset?: string; limit?: number } = {},
): AsyncGenerator<Reject> {
  if (dataset !== undefined) datasetOf(dataset)
  const latest = new Map((await readImports(lake)).map(record => [identityOf(record), record]))
  const database = await Database.create({ threads: 1 })
  let left = limit
  try {
    for (const record of [...latest.values()].reverse()) {
      if (left <= 0) return
      const nothing = { position: null, dataset: null, column: null, value: null, raw: null }
      if (record.refused !== null && dataset === undefined) {
        yield { file: record.name, ...nothing, reason: record.refused, import: record.id }
        left--
      }
      for (const { name, reason } of dataset === undefined ? (record.members ?? []) : [])
        if (left-- > 0) yield { file: `${record.name}!${name}`, ...nothing, reason, import: record.id }
      if (!record.rejects || left <= 0) continue
      const path = inLake(lake, record.rejects.path)
      await verifyFile(path, record.rejects, record.rejects.path)
      const where = dataset === undefined ? '' : `WHERE dataset = ${literal(dataset)}`
      const most = Number.isFinite(left) ? `LIMIT ${left}` : ''
      const columns = ['file', 'position', 'dataset', 'column', 'value', 'reason', 'raw'] as const
      const sql = `SELECT ${columns.map(quote).join(', ')} FROM read_parquet(${literal(path)}) ${where} ${most}`
      for await (const chunk of database.stream(sql))
        for (let i = 0; i < chunk.rowCount; i++, left--)
          yield {
            ...(Object.fromEntries(columns.map((name, j) => [name, elementAt(chunk.columns, j)[i]])) as Omit<
              Reject,
              'import'
            >),
            import: record.id,
          }
    }
  } finally {
    database.close()
  }
}
