import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database, literal } from '../../engine/database/database.ts'
import { fingerprint } from '../../engine/lake/fingerprint.ts'
import { type BatchFile, batchFiles } from '../../engine/lake/imports.ts'
import { ensureLake, inLake, type Lake } from '../../engine/lake/lake.ts'
import { datasetNamed } from '../../engine/schema/datasets/datasets.ts'
import { build } from '../../engine/snapshot/build.ts'
import { removeFolder } from '../folder.ts'
import { commitBatches } from '../make-lake.ts'

export interface Given {
  /** Only rows known by the close of this day are included; `asOf` of the build. */
  readonly day: string
  readonly seed: string
  readonly assumeSeniority?: string
  /** For each of these datasets, one row not known that day is included as if it had been. */
  readonly leak?: readonly string[]
}

/**
 * A built lake that never had more than what another lake had by a day: the rows of its batches, in another order, in
 * other batches. Nothing of the engine's own handling of time is used.
 */
export async function givenOnly(
  teardown: (done: () => Promise<void>) => void,
  full: Lake,
  given: Given,
): Promise<Lake> {
  const folder = await mkdtemp(join(tmpdir(), 'tranche-test-'))
  teardown(() => removeFolder(folder))
  const lake = await ensureLake(folder)
  const db = await Database.create()
  try {
    const batches = [...(await batchFiles(full))].reverse()
    for (const half of [1, 0]) {
      const written: BatchFile[] = []
      for (const [dataset, files] of batches) {
        const paths = files.map(file => literal(inLake(full, file.path))).join(', ')
        const from = `read_parquet([${paths}], union_by_name = true)`
        const shuffle = `md5(source || ${literal(given.seed)})`
        const known = `(CAST(known_from AS VARCHAR) <= ${literal(given.day)}${datasetNamed(dataset)!.reference ? ' OR known_from IS NULL' : ''})`
        const leaked = given.leak?.includes(dataset)
          ? ` UNION ALL BY NAME SELECT * REPLACE (DATE ${literal(given.day)} AS known_from) FROM (SELECT * FROM ${from}
              WHERE known_from > DATE ${literal(given.day)} ORDER BY known_from, ${shuffle} LIMIT 1)`
          : ''
        const path = `batches/${dataset}/${half}.parquet`
        await mkdir(inLake(lake, 'batches', dataset), { recursive: true })
        await db.run(`COPY (SELECT * FROM (SELECT * FROM ${from} WHERE ${known}${leaked})
          WHERE CAST(left(${shuffle}, 1) < '8' AS INTEGER) = ${half} ORDER BY ${shuffle}) TO ${literal(inLake(lake, path))} (FORMAT parquet)`)
        const [count] = await db.rows<{ n: number }>(
          `SELECT count(*) AS n FROM read_parquet(${literal(inLake(lake, path))})`,
        )
        written.push({ dataset, path, rows: count!.n, ...(await fingerprint(inLake(lake, path))) })
      }
      await commitBatches(lake, written)
    }
  } finally {
    db.close()
  }
  const { day: asOf, assumeSeniority } = given
  await build(lake, { asOf, ...(assumeSeniority && { assumeSeniority }) })
  return lake
}
