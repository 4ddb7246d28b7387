import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Database, literal } from '../../engine/database/database.ts'
import { readRejects } from '../../engine/ingest/rejects.ts'
import { batchFiles } from '../../engine/lake/imports.ts'
import { ensureLake, inLake, type Lake } from '../../engine/lake/lake.ts'
import { type OwnsFolder, testFolder } from '../folder.ts'

/** A new lake, with a function that writes files beside it. */
export async function makeFolder(t: OwnsFolder) {
  const folder = testFolder(t)
  const lake = await ensureLake(join(folder, 'lake'))
  const put = async (name: string, content: string | Uint8Array): Promise<string> => {
    const path = join(folder, 'files', name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
    return path
  }
  const parquet = async (name: string, select: string): Promise<string> => {
    const path = await put(name, '')
    const database = await Database.create({ threads: 1 })
    await database.run(`COPY (${select}) TO ${literal(path)} (FORMAT parquet)`)
    database.close()
    return path
  }
  return { folder, files: join(folder, 'files'), lake, put, parquet }
}

/** Rows of a dataset as stored in the lake. */
export async function rowsOf<T = Record<string, unknown>>(
  lake: Lake,
  dataset: string,
  columns = '*',
  order = 'ingested_at, source',
): Promise<T[]> {
  const paths = ((await batchFiles(lake)).get(dataset) ?? []).map(file => literal(inLake(lake, file.path)))
  if (paths.length === 0) return []
  const database = await Database.create({ threads: 1 })
  try {
    return await database.rows<T>(
      `SELECT ${columns} FROM read_parquet([${paths.join(', ')}]) ORDER BY ${order}`,
    )
  } finally {
    database.close()
  }
}

/** Rejections, such as `row 3: coupon_rate abc must be ...`. */
export async function refusedIn(lake: Lake): Promise<string[]> {
  const lines: string[] = []
  for await (const { position, column, value, reason } of readRejects(lake))
    lines.push(`${position}: ${[column, value, reason].filter(part => part !== null).join(' ')}`)
  return lines
}
