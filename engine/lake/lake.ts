import { mkdir, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { isAbsolute, join, normalize, sep } from 'node:path'
import { damaged, QueryError } from '../base/errors.ts'
import { storageError, writeWhole } from './durable.ts'

/** Version of the folder's layout; raised when an older engine could not read it. */
export const lakeFormat = 1

/**
 * One folder of Parquet and JSON:
 *
 *     lake.json                    the format
 *     batches/<dataset>/*.parquet  accepted rows
 *     rejects/*.parquet            refused rows
 *     imports/*.json               one record per source file; a batch without one does not exist
 *     snapshots/<id>/              built snapshots
 *     embeddings/*.bin             cached vectors of a sentence-transformer; may be deleted
 *     days/<day>/<key>/            cached tables of past days, and merged batches in days/merged/; may be deleted
 *     cache/<code>/                cached rows of companies, by a fingerprint of their inputs; may be deleted
 *     iceberg/<table>/metadata/    Iceberg tables of the snapshots for other engines, if asked for; may be deleted
 *     copy-of.json                 the store that it is a copy of, if it is one
 *     CURRENT                      the current snapshot
 *     LOCK                         the writer
 *     tmp/                         scratch of the writer
 */
export interface Lake {
  /** The folder, absolute, with links resolved. */
  readonly root: string
  readonly created: string
}

export const inLake = (lake: Lake, ...parts: string[]): string => join(lake.root, ...parts)

/** True for `batches/bonds/x.parquet`: relative, with forward slashes, inside its folder. */
export const staysInside = (path: string): boolean =>
  path !== '' &&
  !isAbsolute(path) &&
  !path.includes('\\') &&
  !path.includes('\0') &&
  normalize(path).split(sep).join('/') === path &&
  !path.split('/').includes('..')

/** Opens the lake in a folder. */
export async function openLake(folder: string): Promise<Lake> {
  const info = await stat(folder).catch(absent)
  if (!info) throw noLake(folder, 'no such folder')
  if (!info.isDirectory()) throw noLake(folder, 'it is a file, not a folder')
  const root = await realpath(folder)
  const text = await readFile(join(root, 'lake.json'), 'utf8').catch(absent)
  if (text === null) throw noLake(folder, 'the folder has no lake.json')
  return { root, created: readFormat(text) }
}

/**
 * Opens the lake in a folder, creating it if necessary.
 * @param before writes into the folder of a new lake before it is one
 */
export const ensureLake = (
  folder: string,
  now = new Date(),
  before: () => Promise<void> = async () => {},
): Promise<Lake> =>
  make(folder, now, before).catch(error => {
    throw storageError(error, '')
  })

async function make(folder: string, now: Date, before: () => Promise<void>): Promise<Lake> {
  const info = await stat(folder).catch(absent)
  if (info && !info.isDirectory()) throw noLake(folder, 'it is a file, not a folder')
  if (info && (await stat(join(folder, 'lake.json')).catch(absent))) return openLake(folder)
  const names = info ? await readdir(folder) : []
  const foreign = names.filter(name => !ours.test(name))
  if (foreign.length > 0)
    throw new QueryError(
      'INVALID_PARAMETER',
      `${folder} is not a lake and has other files (${foreign.slice(0, 3).join(', ')}): choose an empty or new folder`,
      { parameter: 'lake', value: folder },
    )
  await mkdir(folder, { recursive: true })
  await before()
  const made = { format: lakeFormat, created: now.toISOString() }
  await writeWhole(join(folder, 'lake.json'), `${JSON.stringify(made)}\n`)
  return openLake(folder)
}

/** Files that two writers or a crash may leave while a lake is created, and the state store beside it. */
const ours =
  /^((lake|copy-of)\.json(\.tmp)?|LOCK.*|state\.db.*|batches|rejects|imports|snapshots|embeddings|days|cache|iceberg|tmp)$/

function readFormat(text: string): string {
  let parsed: { format?: unknown; created?: unknown }
  try {
    parsed = JSON.parse(text)
  } catch {
    throw damaged('lake.json', 'is not valid JSON')
  }
  const { format, created } = parsed ?? {}
  if (typeof format !== 'number' || !Number.isInteger(format) || format < 1)
    throw damaged('lake.json', 'does not give the format of the lake')
  if (format > lakeFormat)
    throw damaged(
      'lake.json',
      `the lake has format ${format}, this version reads up to ${lakeFormat}: upgrade`,
    )
  return String(created)
}

const noLake = (folder: string, why: string) =>
  new QueryError(
    'NOT_FOUND',
    `no lake at ${folder}: ${why}. Create one with "tranche sample" or "tranche ingest", or choose another with --lake`,
    { lake: folder },
  )

/** For `.catch`: null if the file does not exist. */
export function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}

/** Sorted names in a folder of the lake; empty if the folder does not exist. */
export const namesIn = async (lake: Lake, ...parts: string[]): Promise<string[]> =>
  ((await readdir(inLake(lake, ...parts)).catch(absent)) ?? []).sort()

export const removeFromLake = (lake: Lake, ...parts: string[]): Promise<void> =>
  rm(inLake(lake, ...parts), { recursive: true, force: true })
