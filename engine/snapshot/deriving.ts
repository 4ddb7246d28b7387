import { largest } from '../base/lists.ts'
import type { Database } from '../database/database.ts'
import type { DeriveOptions } from '../derive/derive.ts'
import type { RegistryMemory } from '../derive/issuers/issuers.ts'
import type { DayStore } from '../lake/day-files.ts'
import { LakeCache } from '../lake/derivation-cache.ts'
import { batchesOf } from '../lake/imports.ts'
import type { Lake } from '../lake/lake.ts'
import type { Manifest } from '../lake/snapshot.ts'
import { type DatasetFiles, optionsOf, singleFlight } from './day-tables.ts'
import { snapshotStatements } from './financials-of-day.ts'

/** How a day is derived. */
export interface Deriving {
  /** Opens a database to derive in, which may write to further folders. */
  readonly open: (folders: readonly string[]) => Promise<Database>
  readonly options: DeriveOptions
  readonly files: DatasetFiles
}

interface Sources {
  readonly lake: Lake
  readonly manifest: Manifest
  readonly store: DayStore
  /** The verified batches of a dataset. */
  readonly files: DatasetFiles
  /** Opens a database that may read and write some folders beside the lake's own. */
  readonly database: (folders: readonly string[], mostThreads?: number) => Promise<Database>
}

/** Over fewer rows of a dataset a second thread finds little to do, and takes a seventh more processor time than one alone. */
const ROWS_PER_THREAD = 500_000

/** How many threads derive a lake: by the rows of its largest dataset. */
function threadsFor(inputs: Manifest['inputs']): number {
  const rows = new Map<string, number>()
  for (const { dataset, rows: some } of inputs) rows.set(dataset, (rows.get(dataset) ?? 0) + some)
  return Math.ceil(largest(rows.values(), 1) / ROWS_PER_THREAD)
}

/** What the days of a snapshot are derived with: merged batches, the results of other days, one registry of issuers. */
export class DerivationSources {
  private readonly sources: Sources
  private readonly cache: LakeCache
  private registries: RegistryMemory | null = null
  private merged: DatasetFiles | null = null
  private factsByDay: ((name: string) => Promise<string>) | null = null
  private readonly statements = singleFlight(() =>
    snapshotStatements(this.sources.lake, this.sources.manifest),
  )

  constructor(sources: Sources) {
    this.sources = sources
    this.cache = new LakeCache(sources.lake)
  }

  async of(asOf: string): Promise<Deriving> {
    const { lake, manifest, store, files, database } = this.sources
    const { mergedInputs, storedFactsByDay } = await import('./merged-inputs.ts')
    const { RegistryMemory } = await import('../derive/issuers/issuers.ts')
    this.registries ??= new RegistryMemory()
    const folder = await store.mergedFolder()
    const batches = {
      lake,
      batches: batchesOf([{ batches: manifest.inputs }]),
      files,
      store,
      run: (sql: string, folder: string) => this.runIn(folder, sql),
    }
    this.merged ??= mergedInputs(batches)
    const { merged } = this
    this.factsByDay ??= singleFlight(() => storedFactsByDay(batches, merged))
    const { factsByDay } = this
    const hasFacts = manifest.inputs.some(({ dataset }) => dataset === 'facts')
    const cached = await this.cache.folder()
    return {
      open: folders => database([...folders, folder, cached], threadsFor(manifest.inputs)),
      options: {
        ...optionsOf(manifest, asOf, false),
        cache: this.cache,
        registries: this.registries,
        factsByDay: hasFacts ? () => factsByDay('all') : undefined,
        snapshotStatements: () => this.statements('all'),
      },
      files: merged,
    }
  }

  /** Runs a statement in a database of its own, which may write to a folder. */
  private async runIn(folder: string, sql: string): Promise<void> {
    const database = await this.sources.database([folder])
    try {
      await database.run(sql)
    } finally {
      database.close()
    }
  }

  close(): void {
    this.cache.close()
  }
}
