import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { invalid, QueryError } from '../base/errors.ts'
import { usableMemory } from '../base/machine.ts'
import { Database, literal } from '../database/database.ts'
import { storageError } from '../lake/durable.ts'
import { fingerprint } from '../lake/fingerprint.ts'
import {
  type Accounting,
  type ImportOptions,
  type ImportRecord,
  readImports,
  removeLeftovers,
} from '../lake/imports.ts'
import { inLake, type Lake } from '../lake/lake.ts'
import { withLock } from '../lake/lock.ts'
import { verifyFile } from '../lake/verify.ts'
import { nearest } from '../names/nearest.ts'
import {
  fileSource,
  isZip,
  openZip,
  type Scratch,
  scratchIn,
  sourceFailure,
  sourceStream,
} from './archive.ts'
import { datasetOf, type Mapping, parseMapping, plainMapping } from './mapping.ts'
import { namedAccession } from './readers/filing.ts'
import { Failed, type Output, type Reader, Refused, type SourceFile } from './readers/reader.ts'
import { readers } from './readers.ts'
import {
  type FileReport,
  type IngestReport,
  type MemberReport,
  nothingRead,
  report,
  statusOf,
  totalsOf,
  unchanged,
} from './report.ts'
import { isDatabaseLost, needsMemory, orThrow, type Run, refusalOf } from './run.ts'
import { Settlement, type SourceIdentity } from './settle.ts'
import { Stage } from './stage.ts'
import { datasetOfHeader, readTable, shapeOf } from './table.ts'
import { type InputFile, walk } from './walk.ts'

export interface IngestOptions {
  /** Kind of all files; recognised from their content if not said. */
  readonly kind?: string
  /** The files are tables of this dataset. */
  readonly dataset?: string
  /** The day a file speaks of where it does not say. */
  readonly date?: string
  readonly known_from?: string
  /** Path of a mapping file. */
  readonly map?: string
  /** A file with a refused row is not taken at all. */
  readonly strict?: boolean
  readonly signal?: AbortSignal
  readonly now?: Date
  readonly stdin?: Readable
  readonly memory?: string
}

export interface IngestProgress {
  readonly file: string
  /** Files and their bytes as they lie on disk: those done, and all. */
  readonly files_done: number
  readonly files: number
  readonly bytes_done: number
  readonly bytes: number
  /** Rows read so far, of all files. */
  readonly rows: number
}

/**
 * Takes files into the lake. Each file of the paths is whole in the lake or not at all, whatever happens; what cannot be
 * used of it is in the report and in the rejects.
 */
export async function ingest(
  lake: Lake,
  paths: readonly string[],
  options: IngestOptions = {},
  progress: (progress: IngestProgress) => void = () => {},
): Promise<IngestReport> {
  const wanted = await wantedOf(options)
  const { files: found, notes } = await walk(paths, lake.root)
  return withIntake(lake, 'ingest', options, async intake => {
    const sizes = await Promise.all(found.map(async file => (file.stream ? 0 : (await stat(file.path)).size)))
    const bytes = sizes.reduce((a, b) => a + b, 0)
    const reports: FileReport[] = []
    let bytesDone = 0
    let rowsDone = 0
    for (const [i, file] of found.entries()) {
      const tell = (rows: number) =>
        progress({
          file: file.name,
          files_done: i,
          files: found.length,
          bytes_done: bytesDone,
          bytes,
          rows: rowsDone + rows,
        })
      tell(0)
      const report = await ingestFile(intake, file, wanted, tell)
      reports.push(report)
      bytesDone += sizes[i]!
      rowsDone += report.read
    }
    if (found.length > 0)
      progress({
        file: '',
        files_done: found.length,
        files: found.length,
        bytes_done: bytes,
        bytes,
        rows: rowsDone,
      })
    return { files: reports, totals: totalsOf(reports), notes }
  })
}

/** Rows made here, not read from a file: the user's decisions, a generator's tables. Same checks, same accounting. */
export async function writeRows(
  lake: Lake,
  dataset: string,
  rows: Iterable<Readonly<Record<string, unknown>>>,
  source: string,
  options: Pick<IngestOptions, 'known_from' | 'signal' | 'now' | 'memory'> = {},
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
    return takeIn(intake, identity, { strict: false, origin: 'rows' }, async (_, stage) => {
      const sink = stage.sink(source)
      for (const [i, values] of given.entries())
        await sink.take(`row ${i + 1}`, [{ dataset: name, values } as Output])
      return { kinds: ['rows'], members: [] }
    })
  })
}

/** What decides whether a file was taken in before. */
export const identityOf = ({ sha256, options }: Pick<SourceIdentity, 'sha256' | 'options'>) =>
  JSON.stringify([sha256, Object.entries(options).sort()])

interface Wanted {
  readonly reader: Reader | null
  readonly mapping: Mapping | null
  readonly options: ImportOptions
  readonly strict: boolean
  readonly stdin: Readable
}

async function wantedOf(options: IngestOptions): Promise<Wanted> {
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
    throw invalid(
      'kind',
      kind,
      `--kind ${kind} reads its own columns: it does not go with --dataset or --map`,
    )
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

const defined = <T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } =>
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

/** Under the lock, with a database that spills into the lake and is closed, interrupting what runs, on abort. */
async function withIntake<T>(
  lake: Lake,
  command: string,
  { signal, now = new Date(), memory = memoryLimit() }: Pick<IngestOptions, 'signal' | 'now' | 'memory'>,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  try {
    return await withLock(lake, command, async () => {
      const records = await readImports(lake)
      await removeLeftovers(lake, records)
      const temp = inLake(lake, 'tmp', 'spill')
      await mkdir(temp, { recursive: true })
      const open = () => Database.create({ memory, temp })
      const run: Run = {
        lake,
        database: await open(),
        records,
        options: signal ? { signal } : {},
        now,
        hashed: new Set(),
        files: [],
        memory,
        async restartDatabase() {
          run.database.close()
          run.database = await open()
          // What the lake holds is hashed again when it is next asked for.
          run.hashed.clear()
        },
      }
      try {
        return await work(run)
      } finally {
        run.database.close()
        await rm(inLake(lake, 'tmp'), { recursive: true, force: true })
      }
    })
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof QueryError && error.code === 'MEMORY_LIMIT')
      throw new QueryError('MEMORY_LIMIT', `${needsMemory(memory)}; the lake is as it was before`)
    throw storageError(error)
  }
}

/** A third of the memory there is, between half a gigabyte and eight. */
const memoryLimit = () => `${Math.round(Math.min(8e9, Math.max(5e8, usableMemory() / 3)) / 1e6)}MB`

async function ingestFile(
  intake: Run,
  found: InputFile,
  wanted: Wanted,
  tell: (rows: number) => void,
): Promise<FileReport> {
  const folder = inLake(intake.lake, 'tmp', 'source')
  await mkdir(folder, { recursive: true })
  const scratch = scratchIn(folder)
  try {
    const path = found.stream ? await spooled(found, wanted, scratch) : found.path
    const read = await fingerprint(path).catch(error => orThrow(sourceFailure(error), intake))
    if (read instanceof Refused)
      return report({ name: found.name, bytes: 0 }, 'refused', {
        ...nothingRead,
        kinds: [],
        reason: read.message,
        members: [],
      })
    const bytes = { name: found.name, ...read, options: wanted.options }
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
      ? await archiveOf(file, path, scratch, wanted, intake)
      : await singleOf(file, wanted, intake)
    if ('unknown' in source)
      return report(identity, 'unknown', {
        ...nothingRead,
        kinds: [],
        reason: source.unknown,
        members: source.members ?? [],
      })
    if ('refused' in source)
      return await refuse(intake, identity, new WholeRefusal(source.refused, source.kinds), before)
    const how = { strict: wanted.strict, origin: 'file' } as const
    return await takeIn(intake, identity, how, source.take, before, tell)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function spooled(found: InputFile, { stdin }: Wanted, scratch: Scratch): Promise<string> {
  const target = scratch()
  await pipeline(found.path === '-' ? stdin : sourceStream(found.path), createWriteStream(target))
  return target
}

interface Taken {
  readonly kinds: readonly string[]
  readonly members: FileReport['members']
}

type Take = (settlement: Settlement, stage: Stage) => Promise<Taken>

/** How to read a file, or why not. */
type Source =
  | { readonly take: Take }
  | { readonly unknown: string; readonly members?: FileReport['members'] }
  | { readonly refused: Refused; readonly kinds: readonly string[] }

interface Route {
  readonly kind: string
  readonly isTable: boolean
  take(settlement: Settlement, stage: Stage): Promise<void>
}

/** The reader of a file: the one asked for, the one that knows it, or a table; else null. May throw `Refused`. */
async function routeOf(file: SourceFile, wanted: Wanted, intake: Run): Promise<Route | null> {
  const { date, known_from } = wanted.options
  const reader = wanted.mapping ? null : (wanted.reader ?? readers.find(each => each.recognises(file)))
  if (reader)
    return {
      kind: reader.kind,
      isTable: false,
      take: (_, stage) => reader.read(file, stage.sink(file.name), defined({ date, known_from })),
    }
  if (file.head.trim() === '') {
    if (wanted.mapping) throw new Refused('is empty: not even a header')
    return null
  }
  const shape = await shapeOf(file, intake)
  if (!shape) {
    if (wanted.mapping) throw new Refused(`is no table: ${describeUnknownFile(file)}`)
    return null
  }
  const dataset = wanted.mapping ? null : datasetOfHeader(shape.names)
  const mapping = wanted.mapping ?? (dataset && plainMapping(dataset))
  if (!mapping) return null
  return {
    kind: `table of ${mapping.dataset.name}`,
    isTable: true,
    take: async (settlement, stage) => {
      stage.notes.push(...(await readTable(file, shape, mapping, intake, settlement)))
    },
  }
}

async function singleOf(file: SourceFile, wanted: Wanted, intake: Run): Promise<Source> {
  let route: Route | null
  try {
    route = await routeOf(file, wanted, intake)
  } catch (error) {
    return { refused: orThrow(error, intake), kinds: [] }
  }
  if (!route) return { unknown: describeUnknownFile(file) }
  const { kind, take } = route
  return {
    take: async (settlement, stage) => {
      try {
        await take(settlement, stage)
      } catch (error) {
        throw wholeRefusal(error, [kind], intake)
      }
      return { kinds: [kind], members: [] }
    },
  }
}

/** A refusal of a whole file that knows as what it was read. */
class WholeRefusal extends Error {
  readonly kinds: readonly string[]
  readonly failure: string | null
  constructor(refusal: Refused, kinds: readonly string[], cause?: unknown) {
    super(refusal.message, { cause })
    this.kinds = kinds
    this.failure = refusal instanceof Failed ? refusal.trace : null
  }
}

const wholeRefusal = (error: unknown, kinds: readonly string[], intake: Run): unknown => {
  if (error instanceof WholeRefusal) return error
  const refusal = refusalOf(error, intake)
  return refusal ? new WholeRefusal(refusal, kinds, error) : error
}

async function archiveOf(
  file: SourceFile,
  path: string,
  scratch: Scratch,
  wanted: Wanted,
  intake: Run,
): Promise<Source> {
  // A gzipped zip lies on disk only after it was unpacked.
  const place = path === (await file.path()) ? path : await file.path()
  let archive: Awaited<ReturnType<typeof openZip>>
  try {
    archive = await openZip(file.name, place, scratch)
  } catch (error) {
    return { refused: orThrow(error, intake), kinds: [] }
  }
  const names = archive.members
  if (names.some(name => name === '[Content_Types].xml')) {
    archive.close()
    return { refused: new Refused('is an office document, not data: save the sheet as CSV'), kinds: [] }
  }
  const whole = wanted.mapping
    ? undefined
    : [wanted.reader ?? readers].flat().find(reader => reader.archive?.recognises(names))
  const { date, known_from } = wanted.options
  return {
    take: async (_, stage) => {
      try {
        if (whole) {
          const members: SourceFile[] = []
          for (const name of names) members.push(await archive.open(name))
          await whole.archive!.read(members, stage.sink(file.name), defined({ date, known_from }))
          return { kinds: [whole.kind], members: [] }
        }
        return await takeMembers(archive, wanted, intake, _, stage)
      } catch (error) {
        throw wholeRefusal(error, whole ? [whole.kind] : [], intake)
      } finally {
        archive.close()
      }
    },
  }
}

/** Each member as a file of its own, all under one record. */
async function takeMembers(
  archive: Awaited<ReturnType<typeof openZip>>,
  wanted: Wanted,
  intake: Run,
  settlement: Settlement,
  stage: Stage,
): Promise<Taken> {
  const kinds = new Set<string>()
  const members: MemberReport[] = []
  for (const name of archive.members) {
    let mark = stage.mark()
    let settled = settlement.rowsSettled
    try {
      const file = await archive.open(name)
      const route = isZip(file.headBytes) ? null : await routeOf(file, wanted, intake)
      if (!route) {
        members.push({ name, status: 'unknown', reason: describeUnknownFile(file) })
        continue
      }
      // A table is staged under the same name as what readers say for its dataset: that is settled first.
      if (route.isTable) await stage.finish()
      mark = stage.mark()
      settled = settlement.rowsSettled
      await route.take(settlement, stage)
      kinds.add(route.kind)
    } catch (error) {
      const refusal = orThrow(error, intake)
      const isUndone =
        !isDatabaseLost(error) &&
        settlement.rowsSettled === settled &&
        (await stage.undo(mark, archive.nameOf(name)))
      if (!isUndone) throw named(name, refusal)
      members.push({
        name,
        status: 'refused',
        reason: refusal.message,
        failure: refusal instanceof Failed ? refusal.trace : null,
      })
    }
  }
  return { kinds: [...kinds], members }
}

const named = (member: string, refusal: Refused): Refused =>
  Object.assign(refusal, { message: `${member}: ${refusal.message}` })

/** What a person sees who looks into a file that is of no known kind. */
export function describeUnknownFile({ head, headBytes }: SourceFile): string {
  if (headBytes.every(byte => byte <= 0x20)) return 'an empty file'
  const magic = Buffer.from(headBytes.subarray(0, 8)).toString('latin1')
  if (isZip(headBytes)) return 'a zip archive inside an archive: unpack it'
  if (magic.startsWith('%PDF')) return 'a PDF document'
  if (magic.startsWith('PAR1'))
    return 'a Parquet file whose columns are of no dataset: say which with --dataset or --map'
  if (headBytes[0] === 0xff && headBytes[1] === 0xfe) return 'UTF-16 text: save it as UTF-8'
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(head.slice(0, 4096))) return 'binary data of no known kind'
  const [line = ''] = head
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter(each => each.trim() !== '')
  const shown = line.trim().slice(0, 120)
  const hint = /[,\t;|]/.test(shown) ? '; a table of your own needs --dataset or --map' : ''
  return `text of no known kind that begins ${JSON.stringify(shown)}${hint}`
}

/** Stages, settles and commits one source; nothing of it stays where it is refused or something fails. */
async function takeIn(
  intake: Run,
  identity: SourceIdentity,
  { strict, origin }: { strict: boolean; origin: 'file' | 'rows' },
  take: Take,
  before?: ImportRecord,
  tell: (rows: number) => void = () => {},
): Promise<FileReport> {
  const settlement = new Settlement(intake, identity)
  const stage = new Stage(intake, settlement)
  const ticking = setInterval(() => tell(Math.max(stage.read, settlement.rowsSettled)), 250)
  ticking.unref()
  try {
    await settlement.begin()
    const taken = await take(settlement, stage)
    await stage.finish()
    intake.options.signal?.throwIfAborted()
    const { replaces } = identity
    const accounting = await settlement.report([
      ...stage.notes,
      ...(replaces
        ? [`its name gives the accession number that ${replaces.name} lacked: it takes its place`]
        : []),
    ])
    if (strict && accounting.rejected > 0) return await notTaken(settlement, identity, accounting, taken)
    if (taken.kinds.length === 0) {
      await settlement.abandon()
      const reason =
        taken.members.length > 0
          ? 'an archive without a member of a known kind'
          : 'an archive without members'
      const refused = taken.members.find(member => member.status === 'refused')
      if (!refused) return report(identity, 'unknown', { ...accounting, ...taken, reason })
      const whole = new WholeRefusal(new Refused(refused.reason), [])
      return { ...(await refuse(intake, identity, whole, before)), members: taken.members }
    }
    const status = statusOf(accounting)
    const reason = status === 'refused' ? 'none of its rows could be taken: tranche rejects shows why' : null
    const made = report(identity, status, { ...accounting, ...taken, reason })
    // Taken in before and no different: the first record stands.
    if (before && !replaces && accounting.accepted === 0 && before.report.rejected === accounting.rejected) {
      await settlement.abandon()
      return { ...made, import: before.id }
    }
    const record = await settlement.commit(accounting, {
      kinds: taken.kinds,
      refused: null,
      members: taken.members.filter(member => member.status === 'refused'),
    })
    return { ...made, import: record.id }
  } catch (error) {
    await stage.rest()
    intake.options.signal?.throwIfAborted()
    const failure = origin === 'file' ? wholeRefusal(error, [], intake) : error
    if (!(failure instanceof WholeRefusal)) {
      // The first failure says what is wrong: tidying up on the same disk may fail as well.
      await settlement.abandon().catch(() => {})
      throw error
    }
    if (isDatabaseLost(failure.cause)) await intake.restartDatabase()
    await settlement.abandon()
    return refuse(intake, identity, failure, before)
  } finally {
    clearInterval(ticking)
  }
}

async function notTaken(
  settlement: Settlement,
  identity: SourceIdentity,
  { read, rejected, reasons, notes }: Accounting,
  taken: Taken,
): Promise<FileReport> {
  await settlement.abandon()
  const first = Object.keys(reasons)[0]
  return report(identity, 'refused', {
    ...nothingRead,
    read,
    rejected: read,
    reasons,
    notes,
    ...taken,
    reason: `${rejected} of ${read} rows were refused (${first}) and --strict takes all or nothing`,
  })
}

/** Remembers that a file was refused, and why, so that `tranche rejects` lists it. */
async function refuse(
  intake: Run,
  identity: SourceIdentity,
  { message: reason, kinds, failure }: WholeRefusal,
  before: ImportRecord | undefined,
): Promise<FileReport> {
  const made = {
    ...report(identity, 'refused', { ...nothingRead, kinds, reason, members: [] }),
    failure,
  }
  if (before?.refused === reason) return { ...made, import: before.id }
  const settlement = new Settlement(intake, identity)
  const record = await settlement.commit(nothingRead, { kinds, refused: reason })
  return { ...made, import: record.id }
}

/** The same bytes with the same options, all of whose rows are in the lake. */
/** Whether a file's new name has the accession number that its filing was taken in without. */
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
