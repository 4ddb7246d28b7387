import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { build } from '../engine/build.ts'
import { Database, literal, quote, type Session } from '../engine/database.ts'
import { type Engine, open } from '../engine/engine.ts'
import { ingest } from '../engine/ingest/ingest.ts'
import { ensureLake, inLake } from '../engine/lake/lake.ts'
import { generateSample } from '../scripts/sample/generate.ts'
import type { Ground } from './case.ts'

const seed = 1

/**
 * The folder of a sample lake, made once for each scale and state of the code that makes it.
 * Only what decides the rows is in the fingerprint, so that work on the engine does not build again.
 */
export async function sampleLake(scale: number, say: (text: string) => void): Promise<string> {
  const home = join(tmpdir(), 'tranche-bench')
  const folder = join(home, `x${scale}-${await fingerprint()}`)
  if (existsSync(folder)) return folder
  say(`making a sample lake at scale ${scale} in ${folder}`)
  const making = `${folder}.${process.pid}`
  await mkdir(making, { recursive: true })
  try {
    const source = join(making, 'source')
    const { files } = await generateSample(source, { scale, seed })
    const lake = await ensureLake(join(making, 'lake'))
    for (const dataset of new Set(files.map(file => file.dataset))) {
      const paths = files.filter(file => file.dataset === dataset).map(file => file.path)
      const { totals } = await ingest(lake, paths, dataset ? { dataset } : {})
      if (totals.rejected > 0)
        throw new Error(`${totals.rejected} rows of the sample's ${dataset} were rejected`)
    }
    await build(lake, {}, step => say(`  ${step}`))
    await rm(source, { recursive: true })
    await rename(making, folder)
  } finally {
    await rm(making, { recursive: true, force: true })
  }
  return folder
}

async function fingerprint(): Promise<string> {
  const root = join(import.meta.dirname, '..')
  const extension = extname(import.meta.filename)
  const hash = createHash('sha256')
  for (const part of [
    'scripts/sample',
    'engine/derive',
    'engine/ingest',
    'engine/credit',
    'engine/resources',
    'engine/lake',
  ])
    for (const name of (await readdir(join(root, part))).sort())
      if (extname(name) === extension) hash.update(name).update(await readFile(join(root, part, name)))
  return hash.digest('hex').slice(0, 12)
}

export interface Open extends Ground {
  /** Rows by table. */
  readonly sizes: Readonly<Record<string, number>>
  readonly snapshot: string
  close(): void
}

/** Tables that contestants read. */
const tables = ['companies', 'bonds', 'spreads'] as const

/** Opens a lake twice: by the engine, and by a DuckDB over the same files. */
export async function openGround(folder: string): Promise<Open> {
  const engine: Engine = await open(join(folder, 'lake'))
  const raw = await Database.create()
  await raw.run('CREATE SCHEMA held')
  const sizes: Record<string, number> = {}
  for (const table of tables) {
    const file = inLake(engine.lake, 'snapshots', engine.snapshot, `${table}.parquet`)
    await raw.run(`CREATE VIEW ${quote(table)} AS SELECT * FROM read_parquet(${literal(file)})`)
    await raw.run(`CREATE TABLE held.${quote(table)} AS SELECT * FROM ${quote(table)}`)
    const [row] = await raw.rows<{ n: number }>(`SELECT count(*) AS n FROM held.${quote(table)}`)
    sizes[table] = row!.n
  }
  const sectors = await raw.rows<{ sector: string }>(
    'SELECT DISTINCT sector FROM companies WHERE sector IS NOT NULL ORDER BY sector',
  )
  const days = await raw.rows<{ day: string }>('SELECT DISTINCT spread_date AS day FROM spreads ORDER BY day')
  const { session, leave } = await held(raw)
  return {
    engine,
    raw,
    session,
    sectors: sectors.map(row => row.sector),
    days: days.map(row => row.day),
    sizes,
    snapshot: engine.snapshot,
    close() {
      leave()
      engine.close()
      raw.close()
    },
  }
}

/** A session that lasts until it is left. */
function held(db: Database): Promise<{ session: Session; leave: () => void }> {
  return new Promise((resolve, reject) => {
    db.session(session => new Promise<void>(leave => resolve({ session, leave }))).catch(reject)
  })
}
