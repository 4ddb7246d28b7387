import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { QueryError } from '../base/errors.ts'
import { memoryShare } from '../base/machine.ts'
import { version } from '../base/version.ts'
import { Database } from '../database/database.ts'
import { type Derived, derive } from '../derive/derive.ts'
import { firstDays, knownDays } from '../derive/inputs.ts'
import { DayStore } from '../lake/day-files.ts'
import { LakeCache } from '../lake/derivation-cache.ts'
import { storageError } from '../lake/durable.ts'
import { type BatchFile, batchFiles } from '../lake/imports.ts'
import { absent, inLake, type Lake } from '../lake/lake.ts'
import {
  type Candidate,
  type Manifest,
  type ManifestDraft,
  publish,
  readCurrent,
  readManifest,
  type SnapshotInput,
} from '../lake/snapshot.ts'
import { verifiedInputs } from '../lake/verify.ts'
import { spreadCopies, writeSpreadCopies } from '../query/spread-copies.ts'
import { writeTable } from '../query/write-table.ts'
import { datasetNamed } from '../schema/datasets/datasets.ts'
import { checkOptions, dayOf } from '../schema/options.ts'
import { layout } from '../schema/resources/layout.ts'
import { tables } from '../schema/resources/tables.ts'
import { seniorities } from '../schema/vocabulary.ts'
import { isCivilDate } from '../schema/written-day.ts'
import {
  checkEmbedder,
  type DocumentFacts,
  documentFactsSql,
  indexDocuments,
} from '../search/build/index-documents.ts'
import { checkVectorIndex, type VectorIndex } from '../search/vectors/vector-index.ts'
import { defaultDay, freshnessReport, newestDays } from './as-of-day.ts'
import { keepBuiltDay } from './built-day.ts'
import { STATEMENT_KEYS } from './financials-of-day.ts'
import { checkGate, type Gate, gateError, parseGate } from './gate.ts'
import { mergedInputs } from './merged-inputs.ts'
import { qualityReport } from './quality.ts'
import { rowsOf, storedRows, writeTableFile } from './table-file.ts'
import { undatedOptions } from './undated.ts'

export interface BuildOptions {
  /** The snapshot's as-of date; default the latest day on which a trade, price or filing became known. */
  readonly asOf?: string
  readonly as_of?: string
  /** Assumed for bonds whose seniority no source states, in the spread series only. */
  readonly assumeSeniority?: string
  /** `lsa`, the built-in model (default), or `transformers:MODEL_OR_DIR`. */
  readonly embedder?: string
  /**
   * How nearest passages are found: `exact` compares all, `hnsw` searches graphs and needs hnswlib-node. `auto`
   * (default) uses graphs if there are many passages.
   */
  readonly vectorIndex?: VectorIndex
  /** Rules that the snapshot must fulfil to become current; one that breaks any is kept, and the build throws GATE_FAILED. */
  readonly gate?: Gate
  /** Derives every company and indexes every document anew. By default what did not change is taken from earlier builds. */
  readonly full?: boolean
  /** Writes Iceberg tables of the snapshots, for other engines. Later builds of the lake keep them without it. */
  readonly iceberg?: boolean
  /** The lake as readers of its Iceberg tables name it: a URL or an absolute path. Default its folder. */
  readonly icebergLocation?: string
  readonly memory?: string
  readonly threads?: number
  /** Aborts the build at the next step or statement; the old snapshot stays current. */
  readonly signal?: AbortSignal
}

const buildOptionNames = [
  'asOf',
  'as_of',
  'assumeSeniority',
  'embedder',
  'vectorIndex',
  'gate',
  'full',
  'iceberg',
  'icebergLocation',
  'memory',
  'threads',
  'signal',
] as const satisfies readonly (keyof BuildOptions)[]

/**
 * Derives tables from everything ingested and publishes the snapshot.
 * @param report told each step
 * @param note told each comparison that the gate could not make
 */
// Over 80 lines: the steps of a build, one after the other.
export async function build(
  lake: Lake,
  options: BuildOptions = {},
  report: (step: string) => void = () => {},
  note: (text: string) => void = () => {},
): Promise<Manifest> {
  checkOptions(options, buildOptionNames)
  const { assumeSeniority, signal, embedder: model = 'lsa', vectorIndex = 'auto' } = options
  const asOf = dayOf(options)
  const progress = (step: string) => {
    signal?.throwIfAborted()
    report(step)
  }
  checkGiven(asOf, assumeSeniority)
  const gate = options.gate && parseGate(options.gate)
  if (options.icebergLocation !== undefined) {
    const { checkedLocation } = await import('../lake/iceberg/keep-tables.ts')
    checkedLocation(options.icebergLocation)
  }
  await checkEmbedder(lake, model)
  await checkVectorIndex(vectorIndex)
  const objection = async (candidate: Candidate) => {
    if (!gate) return null
    progress('checking the gate')
    const checked = await checkGate(lake, gate, candidate)
    for (const { says } of checked.skipped) note(`gate: ${says}`)
    return checked.broken.length === 0 ? null : gateError(candidate.manifest.id, checked)
  }
  const fill = async (folder: string): Promise<ManifestDraft> => {
    const batches = await batchFiles(lake)
    if (batches.size === 0)
      throw new QueryError('NOT_FOUND', 'the lake has no rows yet: run "tranche ingest PATH..." first', {})
    progress('verifying batches')
    const verified = await verifiedInputs(lake, batches)
    const temp = inLake(lake, 'tmp', 'build')
    await mkdir(temp, { recursive: true })
    const db = await Database.create({ temp, signal, ...memoryOf(options) })
    const cache = options.full ? undefined : new LakeCache(lake, { hold: true })
    const store = new DayStore(lake)
    try {
      const inputs = options.full ? verified : await mergedFiles(lake, store, { db, batches, verified })
      const { earliest, latest, undated, undatedIn } = await knownDays(db, inputs)
      const days = await newestDays(db, inputs)
      const day = asOf ?? defaultDay(days)?.latest
      if (day === undefined)
        throw new QueryError(
          'INVALID_PARAMETER',
          'no row in the lake has a known day: give the as-of day with --as-of',
          { parameter: 'as_of' },
        )
      const { mentions, contentOf } = await derive(db, inputs, {
        asOf: day,
        undated: true,
        assumeSeniority: assumeSeniority ?? null,
        progress,
        cache,
        scratch: temp,
      })
      progress('writing tables')
      await writeTables(db, folder, { cache, contentOf })
      const spreadWidth = await writeSpreadCopies(db, name => join(folder, `${name}.parquet`))
      await writeFile(join(folder, 'links.json'), linksJson(mentions))
      const documents = await documentFacts(db, { cache, contentOf })
      const { facts: index, checked } = await indexDocuments(
        db,
        lake,
        folder,
        { embedder: model, vectorIndex, full: options.full, documents },
        progress,
      )
      progress('checking the data')
      const quality = await qualityReport(db, day)
      const freshness = await freshnessReport(db, inputs, { asOf: day, isAsked: asOf !== undefined, days })
      const derivedFrom = {
        options: {
          assume_seniority: assumeSeniority ?? null,
          earliest,
          ...(await undatedOptions(db, undated, undatedIn)),
          embedder: index.embedder?.name ?? null,
          spread_copies: spreadWidth,
          vector_index: index.vectorIndex,
          ...(index.graph && { vector_graph: index.graph }),
        },
        inputs: await datedInputs(db, lake, batches, options.full ? [] : await formerInputs(lake)),
      }
      await keepBuiltDay({ db, folder, store, day, derivedFrom, undatedIn, latest })
      return {
        as_of: day,
        ...derivedFrom,
        tables: [...tables.map(t => t.table), ...spreadCopies.map(c => c.name)].map(name => ({
          name,
          file: `${name}.parquet`,
        })),
        checked,
        quality,
        freshness,
        layout,
        notes: assumeSeniority
          ? [`spreads assume ${assumeSeniority} for bonds whose seniority no source states`]
          : [],
      }
    } finally {
      db.close()
      cache?.close()
      store.close()
      await rm(temp, { recursive: true, force: true })
    }
  }
  const published = ({ id }: Manifest) => icebergTables(lake, id, options, report)
  return publish(lake, fill, new Date(), objection, published)
}

function checkGiven(asOf: string | undefined, assumeSeniority: string | undefined): void {
  if (asOf !== undefined && !isCivilDate(asOf))
    throw new QueryError('INVALID_PARAMETER', `as_of must be a valid day, YYYY-MM-DD, not ${asOf}`, {
      parameter: 'as_of',
      value: asOf,
    })
  if (assumeSeniority !== undefined && !(seniorities as readonly string[]).includes(assumeSeniority))
    throw new QueryError('INVALID_PARAMETER', `assume_seniority must be one of ${seniorities.join(', ')}`, {
      parameter: 'assume_seniority',
      value: assumeSeniority,
      allowed: seniorities,
    })
}

interface Reuse {
  /** Without one every file is written anew. */
  readonly cache: LakeCache | undefined
  readonly contentOf: Derived['contentOf']
}

/**
 * Writes the file of each table, or copies that of an earlier build in which the table had the same rows; and what the statements
 * of each company are derived from.
 */
async function writeTables(db: Database, folder: string, { cache, contentOf }: Reuse): Promise<void> {
  for (const table of tables) {
    const content = cache && (contentOf(table.table) ?? (await rowsOf(db, table.table)))
    const kept = cache && content ? { cache, content } : null
    await writeTableFile(db, table, join(folder, `${table.table}.parquet`), kept)
  }
  const order = [{ column: 'company_id', descending: false }]
  await writeTable(db, 'FROM statement_keys', order, join(folder, STATEMENT_KEYS))
}

/** What the search index depends on. */
async function documentFacts(db: Database, { cache, contentOf }: Reuse): Promise<DocumentFacts> {
  const content = contentOf('documents')
  const kept = cache && content !== null ? { cache, content } : null
  const [facts] = await storedRows<DocumentFacts>(db, 'documents', documentFactsSql, kept)
  return facts!
}

/** Brings Iceberg tables to the new snapshot, if they are asked for or were by an earlier build. */
async function icebergTables(
  lake: Lake,
  id: string,
  { iceberg, icebergLocation: location }: BuildOptions,
  report: (step: string) => void,
): Promise<void> {
  const isAsked = iceberg === true || location !== undefined
  if (!isAsked && (await stat(inLake(lake, 'iceberg')).catch(absent)) === null) return
  report('writing Iceberg tables')
  const { keepTables, startTables } = await import('../lake/iceberg/keep-tables.ts')
  try {
    if (isAsked) await startTables(lake, location === undefined ? {} : { location })
    await keepTables(lake)
  } catch (error) {
    throw storageError(error, `; snapshot ${id} is current, and "tranche iceberg" writes its Iceberg tables`)
  }
}

interface BuildInputs {
  readonly db: Database
  readonly batches: ReadonlyMap<string, readonly BatchFile[]>
  readonly verified: ReadonlyMap<string, readonly string[]>
}

async function mergedFiles(
  lake: Lake,
  store: DayStore,
  { db, batches, verified }: BuildInputs,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const files = mergedInputs({
    lake,
    batches,
    files: async name => verified.get(name) ?? [],
    store,
    run: sql => db.run(sql),
  })
  const inputs = new Map<string, readonly string[]>()
  for (const name of batches.keys()) inputs.set(name, await files(name))
  return inputs
}

/** The batches of a build, each with the first day on which a row of it is known. */
async function datedInputs(
  db: Database,
  lake: Lake,
  batches: ReadonlyMap<string, readonly BatchFile[]>,
  former: readonly SnapshotInput[],
): Promise<SnapshotInput[]> {
  const before = new Map(former.map(({ path, sha256, first_known }) => [`${path} ${sha256}`, first_known]))
  const dated: SnapshotInput[] = []
  for (const [name, files] of batches) {
    const dataset = datasetNamed(name)
    const added = files.filter(({ path, sha256 }) => before.get(`${path} ${sha256}`) === undefined)
    const paths = added.map(({ path }) => inLake(lake, path))
    const first = dataset && (await firstDays(db, dataset, paths))
    for (const file of files) {
      const known = before.get(`${file.path} ${file.sha256}`)
      dated.push({ ...file, first_known: known ?? first?.get(inLake(lake, file.path)) ?? null })
    }
  }
  return dated
}

/** The batches of the current snapshot, if this version built it. */
async function formerInputs(lake: Lake): Promise<readonly SnapshotInput[]> {
  const id = await readCurrent(lake)
  const manifest = id === null ? null : await readManifest(lake, id).catch(() => null)
  return manifest?.engine === version && manifest.layout === layout ? manifest.inputs : []
}

/** A quarter of the usable memory by default: derivation outside DuckDB needs its share, and the rest spills. */
const memoryOf = ({ memory, threads }: BuildOptions) => ({
  memory: memory ?? memoryShare(1 / 4),
  ...(threads && { threads }),
})

/** What `tranche link` lists: how each issuer name was matched. */
const linksJson = (mentions: readonly string[]): string => `[\n${mentions.join(',\n')}\n]\n`
