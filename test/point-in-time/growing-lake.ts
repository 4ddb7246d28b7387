import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database, literal } from '../../engine/database/database.ts'
import { fingerprint } from '../../engine/lake/fingerprint.ts'
import { type BatchFile, batchFiles } from '../../engine/lake/imports.ts'
import { ensureLake, inLake, type Lake } from '../../engine/lake/lake.ts'
import { publish } from '../../engine/lake/snapshot.ts'
import { datasetNamed } from '../../engine/schema/datasets/datasets.ts'
import { layout } from '../../engine/schema/resources/layout.ts'
import { removeFolder } from '../folder.ts'
import { commitBatches } from '../make-lake.ts'
import { dayAfter } from './dated-rows.ts'

/**
 * A lake that is given the rows of another as they become known, one batch of each dataset at a time, in another order. Its snapshots have
 * no tables of their own and no search index, which makes them cheap: what is asked as of the day is derived from the
 * batches. Nothing of the engine's own handling of time is used to choose the rows.
 */
export class GrowingLake {
  readonly lake: Lake
  private readonly full: Lake
  private readonly seed: string
  private before: string | null = null
  private grown = 0

  private constructor(lake: Lake, full: Lake, seed: string) {
    this.lake = lake
    this.full = full
    this.seed = seed
  }

  static async of(
    teardown: (done: () => Promise<void>) => void,
    full: Lake,
    seed: string,
  ): Promise<GrowingLake> {
    const folder = await mkdtemp(join(tmpdir(), 'tranche-test-'))
    teardown(() => removeFolder(folder))
    return new GrowingLake(await ensureLake(folder), full, seed)
  }

  /** Adds the rows known by the close of a later day. */
  async growTo(day: string): Promise<void> {
    const { before, lake } = this
    const written: BatchFile[] = []
    const db = await Database.create()
    try {
      for (const [dataset, files] of await batchFiles(this.full)) {
        const from = `read_parquet([${files.map(file => literal(inLake(this.full, file.path))).join(', ')}], union_by_name = true)`
        const isNew = `${knownBy(dataset, day)}${before === null ? '' : ` AND NOT coalesce(${knownBy(dataset, before)}, FALSE)`}`
        const [count] = await db.rows<{ n: number }>(`SELECT count(*) AS n FROM ${from} WHERE ${isNew}`)
        if (count!.n === 0) continue
        const path = `batches/${dataset}/${this.grown}.parquet`
        await mkdir(inLake(lake, 'batches', dataset), { recursive: true })
        await db.run(`COPY (SELECT * FROM ${from} WHERE ${isNew} ORDER BY md5(source || ${literal(this.seed)}))
          TO ${literal(inLake(lake, path))} (FORMAT parquet)`)
        written.push({ dataset, path, rows: count!.n, ...(await fingerprint(inLake(lake, path))) })
      }
    } finally {
      db.close()
    }
    await commitBatches(lake, written)
    await this.publishDay(day)
    this.before = day
    this.grown++
  }

  /** A snapshot of the day after, so that the day itself is a past one. */
  private async publishDay(day: string): Promise<void> {
    const inputs = [...(await batchFiles(this.lake)).values()].flat()
    await publish(this.lake, async () => ({
      as_of: dayAfter(day, 1),
      options: { assume_seniority: null, earliest: '0001-01-01', undated_rows: 1 },
      inputs: inputs.map(file => ({ ...file, first_known: null })),
      tables: [],
      layout,
    }))
  }
}

/** Whether a row of a dataset is known by a day, or may be: the day of a row without one can follow from the list of filings. */
function knownBy(dataset: string, day: string): string {
  const { reference, filed } = datasetNamed(dataset)!
  const undated = `${reference ? ' OR known_from IS NULL' : ''}${filed ? ` OR ${filed} IS NULL` : ''}`
  return `(CAST(known_from AS VARCHAR) <= ${literal(day)}${undated})`
}
