import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { invalid, QueryError } from '../base/errors.ts'
import type { ImportOptions } from '../lake/imports.ts'
import { nearest } from '../names/nearest.ts'
import { datasetOf, type Mapping, parseMapping, plainMapping } from './mapping.ts'
import type { Reader } from './readers/reader.ts'
import { readers } from './readers.ts'

export interface IngestOptions {
  /** Kind of all files; recognised from their content by default. */
  readonly kind?: string
  /** The files are tables of this dataset. */
  readonly dataset?: string
  /** The day of a file that does not give one. */
  readonly date?: string
  readonly known_from?: string
  /** Path of a mapping file. */
  readonly map?: string
  /** Refuse a file with any refused row. */
  readonly strict?: boolean
  readonly signal?: AbortSignal
  readonly now?: Date
  readonly stdin?: Readable
  readonly memory?: string
}

/** The parsed options of an ingest, applied to every file. */
export interface IngestRequest {
  readonly reader: Reader | null
  readonly mapping: Mapping | null
  readonly options: ImportOptions
  readonly strict: boolean
  readonly stdin: Readable
}

/** Parses the options. INVALID_PARAMETER names a wrong one, NOT_FOUND a missing mapping file. */
export async function readRequest(options: IngestOptions): Promise<IngestRequest> {
  const { kind, dataset, date, known_from, map, strict = false, stdin = process.stdin } = options
  for (const [name, day] of Object.entries({ date, 'known-from': known_from }))
    if (day !== undefined && !isDay(day)) throw invalid(name, day, `--${name} must be a day, YYYY-MM-DD`)
  let text: string | undefined
  if (map !== undefined)
    text = await readFile(map, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT'
        ? new QueryError('NOT_FOUND', `no mapping file ${map}`, { path: map })
        : error
    })
  const mapping =
    text !== undefined ? parseMapping(text, dataset) : dataset ? plainMapping(datasetOf(dataset)) : null
  const reader = kind === undefined || kind === 'table' ? null : readerOf(kind)
  if (reader && mapping)
    throw invalid('kind', kind, `--kind ${kind} has its own columns: drop --dataset and --map, or --kind`)
  if (kind === 'table' && !mapping) throw invalid('kind', kind, '--kind table needs --dataset or --map')
  const hash = text === undefined ? undefined : createHash('sha256').update(text).digest('hex')
  return {
    reader,
    mapping,
    options: defined({ kind: reader?.kind, dataset: mapping?.dataset.name, date, known_from, map: hash }),
    strict,
    stdin,
  }
}

/** The members that have a value. */
export const defined = <T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never

function readerOf(kind: string): Reader {
  const found = readers.find(reader => reader.kind === kind)
  if (found) return found
  const kinds = [...readers.map(reader => reader.kind), 'table']
  const meant = nearest(kind, kinds)
  throw invalid(
    'kind',
    kind,
    `no kind ${kind}${meant ? `, did you mean ${meant}?` : ''} There are ${kinds.join(', ')}`,
  )
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
  )
}
