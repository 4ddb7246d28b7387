// Indices below are within bounds by construction: checks would cost in the loops.

import type { DuckDBDataChunk, DuckDBMaterializedResult, DuckDBResult } from '@duckdb/node-api'
import { yieldToEventLoop } from '../base/event-loop.ts'
import { plainColumn } from './plain-values.ts'

/** One chunk of a result, by column. Values are DuckDB's own; see `plain`. */
export interface Chunk {
  readonly rowCount: number
  readonly columns: readonly (readonly unknown[])[]
}

/** The chunks of a result as plain values; a result without rows is one empty chunk. */
export async function* plainChunks(
  result: DuckDBResult,
): AsyncGenerator<Chunk & { names: readonly string[]; types: readonly string[] }> {
  const names = result.columnNames()
  const types = result.columnTypes()
  const typeNames = types.map(String)
  let first = true
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) break
    first = false
    const columns = types.map((type, j) => plainColumn(chunk, j, type))
    yield { names, types: typeNames, rowCount: chunk.rowCount, columns }
  }
  if (first) yield { names, types: typeNames, rowCount: 0, columns: names.map(() => []) }
}

/** The blocks of a materialised result. Yields between blocks: each takes about a millisecond. */
export async function* chunks(result: DuckDBMaterializedResult): AsyncGenerator<DuckDBDataChunk> {
  const { chunkCount } = result
  for (let i = 0; i < chunkCount; i++) {
    if (chunkCount > 1) await yieldToEventLoop()
    yield result.getChunk(i)
  }
}

export async function rowsOf<T>(result: DuckDBMaterializedResult): Promise<T[]> {
  const names = result.columnNames()
  const types = result.columnTypes()
  const rows: T[] = []
  for await (const chunk of chunks(result)) {
    const columns = types.map((type, j) => plainColumn(chunk, j, type))
    for (let i = 0; i < chunk.rowCount; i++) {
      const row: Record<string, unknown> = {}
      for (const [j, name] of names.entries()) row[name] = columns[j]![i]
      rows.push(row as T)
    }
  }
  return rows
}
