import { type Database, literal } from '../database/database.ts'
import { datasetSql } from '../derive/inputs.ts'
import type { DayFiles } from '../lake/day-files.ts'
import type { Manifest } from '../lake/snapshot.ts'
import { datasetNamed } from '../schema/datasets/datasets.ts'
import { type DatasetFiles, singleFlight } from './day-tables.ts'

/** A dataset with more batches than this is merged. */
const FEW_BATCHES = 8

interface Batches {
  readonly manifest: Manifest
  readonly files: DatasetFiles
  /** Where merged datasets are stored. */
  readonly merged: DayFiles
  /** Opens a database that may read the batches and write to the folder of `merged`. */
  readonly open: () => Promise<Database>
}

/**
 * The files from which past days are derived: one for a dataset of many batches, with the same rows in the same order.
 * A step opens every file of each dataset that it reads, which takes about 0.5 ms of CPU per file, day after day.
 */
export const mergedInputs = ({ manifest, files, merged, open }: Batches): DatasetFiles =>
  singleFlight(async name => {
    const dataset = datasetNamed(name)
    const count = manifest.inputs.filter(input => input.dataset === name).length
    if (!dataset || count <= FEW_BATCHES) return files(name)
    const before = await merged.find(name)
    if (before !== null) return [before]
    const batches = await files(name)
    const database = await open()
    try {
      const write = (path: string) =>
        database.run(`COPY (${datasetSql(dataset, batches)}) TO ${literal(path)} (FORMAT parquet)`)
      return [await merged.keep(name, write)]
    } finally {
      database.close()
    }
  })
