import { mkdir, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { isAbsolute, join, normalize, sep } from 'node:path'
import { damaged, QueryError } from '../base/errors.ts'
import { storageError, writeWhole } from './durable.ts'

/** The layout of the folder; raised when an older engine could not read it. */
export const lakeFormat = 1

/**
 * One folder of Parquet and JSON:
 *
 *     lake.json                    the format
 *     batches/<dataset>/*.parquet  accepted rows
 *     rejects/*.parquet            refused rows
 *     imports/*.json               one record a source file; a batch that no record names does not exist
 *     snapshots/<id>/              what builds made
 *     embeddings/*.bin             vectors that a sentence-transformer made; may be deleted
 *     days/<snapshot>/             tables of past days that were asked about; may be deleted
 *     CURRENT                      the snapshot in force
 *     LOCK                         who is writing
 *     tmp/                         scratch of the writer
 */
export interface Lake {
  /** The folder, absolute, with links resolved. */
  readonly root: string
  readonly created: string
}

export const inLake = (lake: Lake, ...parts: string[]): string => join(lake.root, ...parts)

/** True for `batches/bonds/x.parquet`: relative, with forward slashes, never out of its folder. */
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
  if (!info) throw noLake(folder, 'there is no such folder')
  if (!info.isDirectory()) throw noLake(folder, 'it is a file, not a folder')
  const root = await realpath(folder)
  const text = await readFile(join(root, 'lake.json'), 'utf8').catch(absent)
  if (text === null) throw noLake(folder, 'the folder has no lake.json')
  return { root, created: readFormat(text) }
}

/** Opens the lake in a folder, after making one where there is none yet. */
export const ensureLake = (folder: string, now = new Date()): Promise<Lake> =>
  make(folder, now).catch(error => {
    throw storageError(error, '')
  })

async function make(folder: string, now: Date): Promise<Lake> {
  const info = await stat(folder).catch(absent)
  if (info && !info.isDirectory()) throw noLake(folder, 'it is a file, not a folder')
  if (info && (await stat(join(folder, 'lake.json')).catch(absent))) return openLake(folder)
  const names = info ? await readdir(folder) : []
  const foreign = names.filter(name => !ours.test(name))
  if (foreign.length > 0)
    throw new QueryError(
      'INVALID_PARAMETER',
      `${folder} is not a lake and holds other files (${foreign.slice(0, 3).join(', ')}): name an empty or new folder`,
      { parameter: 'lake', value: folder },
    )
  await mkdir(folder, { recursive: true })
  const made = { format: lakeFormat, created: now.toISOString() }
  await writeWhole(join(folder, 'lake.json'), `${JSON.stringify(made)}\n`)
  return openLake(folder)
}

/** Files of the lake that two writers or a crash may leave while it is made, and the state store beside it. */
const ours = /^(lake\.json(\.tmp)?|LOCK.*|state\.db.*|batches|rejects|imports|snapshots|embeddings|days|tmp)$/

function readFormat(text: string): string {
  let parsed: { format?: unknown; created?: unknown }
  try {
    parsed = JSON.parse(text)
  } catch {
    throw damaged('lake.json', 'is not whole JSON')
  }
  const { format, created } = parsed ?? {}
  if (typeof format !== 'number' || !Number.isInteger(format) || format < 1)
    throw damaged('lake.json', 'does not say the format of the lake')
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
    `no lake at ${folder}: ${why}. Make one with "tranche sample" or "tranche ingest", or name another with --lake`,
    { lake: folder },
  )

/** For `.catch`: null where the file is not there. */
export function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}

/** Names in a folder of the lake, sorted; none where the folder is not there yet. */
export const namesIn = async (lake: Lake, ...parts: string[]): Promise<string[]> =>
  ((await readdir(inLake(lake, ...parts)).catch(absent)) ?? []).sort()

export const removeFromLake = (lake: Lake, ...parts: string[]): Promise<void> =>
  rm(inLake(lake, ...parts), { recursive: true, force: true })
