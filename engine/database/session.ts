import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api'
import { yieldToEventLoop } from '../base/event-loop.ts'
import { runWith, type SqlValue } from './parameters.ts'
import { rowsOf } from './results.ts'

/** Maximum size in bytes of a result that DuckDB holds whole: awaiting each block takes as long as reading it. */
const MOST_AT_ONCE = 1 << 27
/** Blocks copied between yields to the event loop: about a millisecond. */
const CHUNKS_A_TURN = 32

/** Receives a result column: where its values go, in DuckDB's width. */
export type Numbers = Float64Array | Int32Array | Int16Array | Uint32Array | Uint16Array | Uint8Array

/** Statements on one connection. */
export class Session {
  private readonly connection: DuckDBConnection

  constructor(connection: DuckDBConnection) {
    this.connection = connection
  }

  async run(sql: string, values: readonly SqlValue[] = []): Promise<void> {
    await runWith(this.connection, sql, values)
  }

  /** Copies a result of fixed-width columns without nulls into arrays of the same length and width. */
  async fill(sql: string, into: readonly Numbers[], atOnce = MOST_AT_ONCE): Promise<void> {
    const bytes = into.reduce((sum, { byteLength }) => sum + byteLength, 0)
    let at = 0
    const put = (chunk: DuckDBDataChunk) => {
      for (const [j, values] of into.entries()) {
        const { items } = chunk.getColumnVector(j) as unknown as { items: Numbers }
        values.set(items.length === chunk.rowCount ? items : items.subarray(0, chunk.rowCount), at)
      }
      at += chunk.rowCount
    }
    if (bytes <= atOnce) {
      const result = await this.connection.run(sql)
      for (let i = 0; i < result.chunkCount; i++) {
        put(result.getChunk(i))
        if (i % CHUNKS_A_TURN === 0) await yieldToEventLoop()
      }
      return
    }
    const result = await this.connection.stream(sql)
    for (;;) {
      const chunk = await result.fetchChunk()
      if (!chunk || chunk.rowCount === 0) return
      put(chunk)
    }
  }

  async rows<T = Record<string, unknown>>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    return rowsOf<T>(await runWith(this.connection, sql, values))
  }
}
