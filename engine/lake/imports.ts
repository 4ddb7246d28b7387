import { readFile } from 'node:fs/promises'
import { lastOf } from '../base/elements.ts'
import { damaged } from '../base/errors.ts'
import { writeWhole } from './durable.ts'
import { fault } from './fault.ts'
import type { Fingerprint } from './fingerprint.ts'
import { inLake, type Lake, namesIn, removeFromLake, staysInside } from './lake.ts'
import { checkHeld } from './lock.ts'
import { sealed, unsealed } from './seal.ts'

/** A Parquet file of the lake listed in a record; `path` is relative to the lake. */
export interface LakeFile extends Fingerprint {
  readonly path: string
  readonly rows: number
}

export interface BatchFile extends LakeFile {
  readonly dataset: string
}

/** The options for a source file: with others, the same bytes may give other rows. */
export interface ImportOptions {
  readonly kind?: string
  readonly dataset?: string
  readonly date?: string
  readonly known_from?: string
  /** SHA-256 of the mapping. */
  readonly map?: string
}

/** Every source row is accepted, duplicate or rejected: exactly one of them. */
export interface Accounting {
  readonly read: number
  readonly accepted: number
  readonly duplicate: number
  readonly rejected: number
  /** Rows appended, by dataset: one source row may produce several. */
  readonly added: Readonly<Record<string, number>>
  /** Rejected source rows by reason; a row with several faults counts under its first. */
  readonly reasons: Readonly<Record<string, number>>
  readonly notes: readonly string[]
}

/** The commit record of one source file: files without one do not exist. */
export interface ImportRecord {
  readonly id: string
  readonly name: string
  readonly bytes: number
  readonly sha256: string
  /** The kinds it was read as; several for an archive. */
  readonly kinds: readonly string[]
  readonly options: ImportOptions
  readonly report: Accounting
  /** Why the whole file was refused, if it was. */
  readonly refused: string | null
  /** Members of an archive that were refused. */
  readonly members?: readonly { readonly name: string; readonly reason: string }[]
  readonly batches: readonly BatchFile[]
  /** The import that this one replaces: the same bytes, of which less was known. */
  readonly replaces?: string
  readonly rejects: LakeFile | null
  readonly at: string
  readonly engine: string
}

const recordName = /^(\d{8}-[0-9a-f]{8})\.json$/

/** Sorts by order of ingestion; the second part is a hash of the bytes. */
export const nextImportId = (records: readonly ImportRecord[], sha256: string): string => {
  const last = records.length > 0 ? Number(lastOf(records).id.slice(0, 8)) : 0
  return `${String(last + 1).padStart(8, '0')}-${sha256.slice(0, 8)}`
}

/** All records, oldest first. */
export async function readImports(lake: Lake): Promise<ImportRecord[]> {
  const names = (await namesIn(lake, 'imports')).filter(name => recordName.test(name))
  const records: ImportRecord[] = []
  for (const name of names) records.push(await readImport(lake, name))
  return records
}

async function readImport(lake: Lake, name: string): Promise<ImportRecord> {
  const file = `imports/${name}`
  const record = unsealed<ImportRecord>(await readFile(inLake(lake, file), 'utf8'), file)
  if (`${record.id}.json` !== name) throw damaged(file, `is the record of ${record.id}: it was renamed`)
  for (const { path } of [...record.batches, ...(record.rejects ? [record.rejects] : [])])
    if (!staysInside(path) || !/^(batches|rejects)\//.test(path))
      throw damaged(file, `names a file outside the lake: ${path}`)
  return record
}

/** The commit point of an import: its files must be synced and in place. */
export async function writeImport(lake: Lake, record: ImportRecord): Promise<void> {
  fault('import:before-record')
  await checkHeld(lake)
  await writeWhole(inLake(lake, 'imports', `${record.id}.json`), sealed(record))
  fault('import:after-record')
}

/** The committed batches by dataset, oldest first: the input of a build. */
export async function batchFiles(lake: Lake): Promise<Map<string, BatchFile[]>> {
  return batchesOf(await readImports(lake))
}

type Batches = Pick<ImportRecord, 'batches'> & Partial<Pick<ImportRecord, 'id' | 'replaces'>>

export function batchesOf(records: readonly Batches[]): Map<string, BatchFile[]> {
  const batches = new Map<string, BatchFile[]>()
  const replaced = new Set(records.flatMap(record => record.replaces ?? []))
  for (const { id, batches: files } of records)
    for (const file of id !== undefined && replaced.has(id) ? [] : files) {
      const those = batches.get(file.dataset)
      if (those) those.push(file)
      else batches.set(file.dataset, [file])
    }
  return batches
}

/** Removes what a crash left: files without a record, scratch, incomplete snapshots. Requires the lock. */
export async function removeLeftovers(lake: Lake, records: readonly ImportRecord[]): Promise<void> {
  const named = new Set(
    records.flatMap(r => [...r.batches, ...(r.rejects ? [r.rejects] : [])]).map(f => f.path),
  )
  for (const folder of await namesIn(lake, 'batches'))
    for (const name of await namesIn(lake, 'batches', folder))
      if (!named.has(`batches/${folder}/${name}`)) await removeFromLake(lake, 'batches', folder, name)
  for (const name of await namesIn(lake, 'rejects'))
    if (!named.has(`rejects/${name}`)) await removeFromLake(lake, 'rejects', name)
  for (const name of await namesIn(lake, 'imports'))
    if (name.endsWith('.tmp')) await removeFromLake(lake, 'imports', name)
  for (const name of await namesIn(lake, 'snapshots'))
    if (name.startsWith('.')) await removeFromLake(lake, 'snapshots', name)
  for (const name of await namesIn(lake, 'tmp')) await removeFromLake(lake, 'tmp', name)
}
