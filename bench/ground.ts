import { literal, quote } from '../engine/database/database.ts'
import { open } from '../engine/engine.ts'
import { inLake } from '../engine/lake/lake.ts'
import type { Ground } from './case.ts'
import { Duck } from './duck.ts'
import type { SizeName } from './made-lake.ts'

/** Tables that contestants read. */
const read = ['companies', 'bonds', 'spreads'] as const

/** Opens a lake twice: by the engine, and by a DuckDB over the same files. */
export async function openGround(
  size: SizeName,
  folder: string,
): Promise<Omit<Ground, 'lake'> & { close(): void }> {
  const engine = await open(folder, { hotMemory: '3GB' })
  const duck = await Duck.open()
  const file = (table: string) => inLake(engine.lake, 'snapshots', engine.snapshot, `${table}.parquet`)
  const rows: Record<string, number> = {}
  for (const table of read) {
    await duck.run(`CREATE VIEW ${quote(table)} AS SELECT * FROM read_parquet(${literal(file(table))})`)
    const [counted] = await duck.rows<{ n: string }>(`SELECT count(*) AS n FROM ${quote(table)}`)
    rows[table] = Number(counted!.n)
  }
  const words = async (sql: string) => (await duck.rows<{ word: string }>(sql)).map(row => row.word)
  return {
    size,
    engine,
    duck,
    file,
    rows,
    sectors: await words('SELECT DISTINCT sector AS word FROM companies WHERE sector IS NOT NULL ORDER BY 1'),
    days: await words('SELECT DISTINCT spread_date::VARCHAR AS word FROM spreads ORDER BY 1'),
    close() {
      engine.close()
      duck.close()
    },
  }
}
