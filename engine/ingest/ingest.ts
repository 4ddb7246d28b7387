import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { elementAt } from '../base/elements.ts'
import { literal } from '../database/database.ts'
import { fingerprint } from '../lake/fingerprint.ts'
import type { ImportRecord } from '../lake/imports.ts'
import { inLake, type Lake } from '../lake/lake.ts'
import { verifyFile } from '../lake/verify.ts'
import { fileSource, isZip, type Scratch, scratchIn, sourceFailure, sourceStream } from './archive.ts'
import { ingestSource, refuse } from './ingest-source.ts'
import { withIntake } from './intake.ts'
import { datasetOf } from './mapping.ts'
import { namedAccession } from './readers/filing.ts'
import { type Output, Refused } from './readers/reader.ts'
import { type FileReport, type IngestReport, nothingRead, report, totalsOf, unchanged } from './report.ts'
import { defined, type IngestOptions, type IngestRequest, readRequest } from './request.ts'
import { orThrow, type Run } from './run.ts'
import type { SourceIdentity } from './settle.ts'
import { archiveOf, singleOf } from './source.ts'
import { estimateTimeLeft } from './time-left.ts'
import { type InputFile, walk } from './walk.ts'
import { WholeRefusal } from './whole-refusal.ts'

export interface IngestProgress {
  readonly file: string
  /** Files and their bytes on disk: done, and total. */
  readonly files_done: number
  readonly files: number
  readonly bytes_done: number
  readonly bytes: number
  /** Rows read so far, over all files. */
  readonly rows: number
  /** Part of the work that is done, by the time it takes: from 0 to 1. */
  readonly share: number
  /** Null until enough was done to tell. */
  readonly seconds_left: number | null
}

/**
 * Ingests files into the lake. Each file is taken whole or not at all, whatever happens; everything unusable is in
 * the report and the rejects.
 */
export async function ingest(
  lake: Lake,
  paths: readonly string[],
  options: IngestOptions = {},
  progress: (progress: IngestProgress) => void = () => {},
): Promise<IngestReport> {
  const request = await readRequest(options)
  const { files: found, notes } = await walk(paths, lake.root)
  return withIntake(lake, 'ingest', options, async intake => {
    const sizes = await Promise.all(found.map(sizeOf))
    const bytes = sizes.reduce((a, b) => a + b, 0)
    const reports: FileReport[] = []
    let bytesDone = 0
    let rowsDone = 0
    const time = estimateTimeLeft(found.map(({ name }, i) => ({ name, bytes: elementAt(sizes, i) })))
    for (const [i, file] of found.entries()) {
      const tell = (rows: number) =>
        progress({
          file: file.name,
          files_done: i,
          files: found.length,
          bytes_done: bytesDone,
          bytes,
          rows: rowsDone + rows,
          ...time.at(),
        })
      time.begin(i)
      tell(0)
      const report = await ingestFile(intake, file, request, tell)
      reports.push(report)
      bytesDone += elementAt(sizes, i)
      rowsDone += report.read
    }
    time.end()
    if (found.length > 0)
      progress({
        file: '',
        files_done: found.length,
        files: found.length,
        bytes_done: bytes,
        bytes,
        rows: rowsDone,
        ...time.at(),
      })
    return { files: reports, totals: totalsOf(reports), notes }
  })
}

/**
 * Rows made here rather than read from a file: the user's decisions, a generator's tables. Same checks, same
 * accounting.
 */
export async function writeRows(
  lake: Lake,
  dataset: string,
  rows: Iterable<Readonly<Record<string, unknown>>>,
  source: string,
  options: Pick<IngestOptions, 'known_from' | 'signal' | 'now' | 'memory' | 'strict'> = {},
): Promise<FileReport> {
  const { name } = datasetOf(dataset)
  return withIntake(lake, `write ${name}`, options, async intake => {
    const given = [...rows]
    const text = given.map(row => JSON.stringify(row)).join('\n')
    const sha256 = createHash('sha256').update(text).digest('hex')
    const identity = {
      name: source,
      bytes: Buffer.byteLength(text),
      sha256,
      options: { dataset: name, ...defined({ known_from: options.known_from }) },
    }
    return ingestSource(
      intake,
      identity,
      { strict: options.strict ?? false, origin: 'rows' },
      async (_, stage) => {
        const sink = stage.sink(source)
        for (const [i, values] of given.entries())
          await sink.take(`row ${i + 1}`, [{ dataset: name, values } as Output])
        return { kinds: ['rows'], members: [] }
      },
    )
  })
}

/** Decides whether a file was ingested before. */
export const identityOf = ({ sha256, options }: Pick<SourceIdentity, 'sha256' | 'options'>) =>
  JSON.stringify([sha256, Object.entries(options).sort()])

async function ingestFile(
  intake: Run,
  found: InputFile,
  request: IngestRequest,
  tell: (rows: number) => void,
): Promise<FileReport> {
  const folder = inLake(intake.lake, 'tmp', 'source')
  await mkdir(folder, { recursive: true })
  const scratch = scratchIn(folder)
  try {
    const path = found.stream
      ? await spooled(found, request, scratch).catch(error => orThrow(error, intake))
      : found.path
    if (path instanceof Refused) return unread(found, path)
    const read = await fingerprint(path).catch(error => orThrow(sourceFailure(error), intake))
    if (read instanceof Refused) return unread(found, read)
    const bytes = { name: found.name, ...read, options: request.options }
    const before = intake.records.findLast(
      record => record.sha256 === bytes.sha256 && identityOf(record) === identityOf(bytes),
    )
    const lacking = before && (await lacksAccession(intake, before, found.name))
    if (before && !lacking && before.refused === null && before.report.rejected === 0)
      return unchanged(before, found.name)
    const identity: SourceIdentity = { ...bytes, ...(lacking && { replaces: before }) }
    const file = await fileSource(found.name, path, scratch).catch(error => orThrow(error, intake))
    if (file instanceof Refused) return await refuse(intake, identity, new WholeRefusal(file, []), before)
    const source = isZip(file.headBytes)
      ? await archiveOf(file, path, scratch, request, intake)
      : await singleOf(file, request, intake, scratch)
    if ('unknown' in source)
      return report(identity, 'unknown', {
        ...nothingRead,
        kinds: [],
        reason: source.unknown,
        members: source.members ?? [],
      })
    if ('refused' in source)
      return await refuse(intake, identity, new WholeRefusal(source.refused, source.kinds), before)
    const how = { strict: request.strict, origin: 'file' } as const
    return await ingestSource(intake, identity, how, source.read, before, tell)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const unread = ({ name }: InputFile, { message: reason }: Refused): FileReport =>
  report({ name, bytes: 0 }, 'refused', { ...nothingRead, kinds: [], reason, members: [] })

/** A file that has gone meanwhile, or whose name is not UTF-8, is refused when its turn comes. */
const sizeOf = ({ stream, path }: InputFile): Promise<number> =>
  stream
    ? Promise.resolve(0)
    : stat(path).then(
        ({ size }) => size,
        () => 0,
      )

async function spooled(found: InputFile, { stdin }: IngestRequest, scratch: Scratch): Promise<string> {
  const target = scratch()
  await pipeline(found.path === '-' ? stdin : sourceStream(found.path), createWriteStream(target))
  return target
}

/** Whether a file's new name has the accession number that was missing when its filing was ingested. */
async function lacksAccession({ lake, database }: Run, before: ImportRecord, name: string): Promise<boolean> {
  if (!before.kinds.includes('filing') || !(await namedAccession(name))) return false
  const files = before.batches.filter(({ dataset }) => dataset === 'documents')
  if (files.length === 0) return false
  for (const file of files) await verifyFile(inLake(lake, file.path), file, file.path)
  const paths = files.map(({ path }) => literal(inLake(lake, path))).join(', ')
  const [row] = await database.rows<{ lacking: boolean }>(
    `SELECT bool_and(accession IS NULL) AS lacking FROM read_parquet([${paths}])`,
  )
  return row!.lacking
}
