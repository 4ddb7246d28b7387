import { setImmediate } from 'node:timers/promises'
import { distance } from 'fastest-levenshtein'
import { type Operations, operations } from './operations/api.ts'
import type { Columns } from './schema/column.ts'
import { companyNames, type FindByName } from './names/company-search.ts'
import { type Chunk, Database, type RunOptions, type SqlValue } from './database/database.ts'
import { type DayTables, type KnownCompany, snapshotTables } from './snapshot/day-tables.ts'
import type { Rows } from './encode/encode.ts'
import { damaged, invalid, QueryError } from './base/errors.ts'
import { ExportFolder } from './database/export-folder.ts'
import { HotLane } from './query/memory/lane.ts'
import { bytesOf, defaultHotMemory, HotMemory } from './query/memory/memory.ts'
import { batchesOf } from './lake/imports.ts'
import { inLake, type Lake, openLake } from './lake/lake.ts'
import { checkPresent, currentStamp, type Manifest, readCurrent, readManifest } from './lake/snapshot.ts'
import { verifiedInputs } from './lake/verify.ts'
import { layout } from './schema/resources/layout.ts'
import { unbounded } from './operations/list.ts'
import { nearest } from './names/nearest.ts'
import type { Answer, Context, InputFor, ListAnswer, Meta, Operation, OutputOf } from './operations/operation.ts'
import {
  countRows,
  isSaidInChunks,
  type PageJson,
  type PageValues,
  pageChunks,
  pageCopy,
  pageJson,
  pageValues,
  type Source,
  wordsPresent,
} from './query/page.ts'
import { type Input, isCivilDate, parseParams } from './schema/params.ts'
import type { Plan } from './query/plan/plan.ts'
import { nest } from './schema/nested-rows.ts'
import type { SearchIndex } from './search/search-index.ts'
import { isLater, type Soon } from './base/maybe-promise.ts'

export interface EngineOptions {
  /** Milliseconds a statement may run; none if 0. */
  readonly timeout?: number
  /** Memory of DuckDB, `2GB`. */
  readonly memory?: string
  readonly threads?: number
  /** Memory for tables that are asked about again and again, `512MB`; an eighth of the machine's if not said, none if `0`. */
  readonly hotMemory?: string
}

export interface CallOptions {
  /** `standard` leaves companies of extended coverage out. */
  readonly coverage?: 'all' | 'standard'
  /** True where `limit` keeps its maximum, as over HTTP. */
  readonly bounded?: boolean
  /** True where an answer that found nothing is NOT_FOUND, as inside a batch. */
  readonly nonempty?: boolean
  /** The input is as `parseParams` gives it. */
  readonly parsed?: boolean
  /** `refresh` has just been called. */
  readonly refreshed?: boolean
  readonly timeout?: number
  /** Moment of `performance.now()` by which it must be answered; `timeout` milliseconds from its start if not said. */
  readonly deadline?: number | undefined
  readonly signal?: AbortSignal
}

/** A list on its way to an encoder: the columns, and the rows in chunks as they are made. */
export interface RowStream extends Rows {
  readonly meta: () => Promise<Meta & { total: number }>
}

type Name = keyof Operations & string

/** Opens a lake for questions. The snapshot in force is followed as builds replace it. */
export async function open(lake: string | Lake, options: EngineOptions = {}): Promise<Engine> {
  const opened = typeof lake === 'string' ? await openLake(lake) : lake
  const engine = new Engine(opened, options)
  await engine.refresh()
  return engine
}

/** How old a look at the files of a snapshot may be. */
const CHECK_MS = 1000

/** How many past days are kept ready; each is a derivation of its own. */
const DAYS_KEPT = 4

export class Engine {
  readonly lake: Lake
  private readonly options: EngineOptions
  private readonly memory: HotMemory
  private readonly exports = new ExportFolder()
  private current: Opened | null = null
  private closed = false
  private asked = 0
  /** Of the pointer to the snapshot that is followed. */
  private stamp: string | null = null
  /** The last look at the files of a snapshot. */
  private checked: { manifest: Manifest; at: number; present: Promise<void> } | null = null

  constructor(lake: Lake, options: EngineOptions) {
    this.lake = lake
    this.options = options
    this.memory = new HotMemory(
      options.hotMemory === undefined ? defaultHotMemory() : bytesOf(options.hotMemory),
    )
  }

  /** Answers an operation: the same envelope as over HTTP. */
  call<N extends Name>(
    name: N,
    input: InputFor<Operations[N]> = {} as InputFor<Operations[N]>,
    options: CallOptions = {},
  ): Promise<OutputOf<Operations[N]>> {
    return this.ask(name, input as Input, options) as Promise<OutputOf<Operations[N]>>
  }

  /** As `call`, for callers who have the name as text. */
  ask(name: string, input: Input, options: CallOptions = {}): Promise<Record<string, unknown>> {
    return this.answer(name, input, options, asked => this.body(asked, options))
  }

  /**
   * As `ask`, as pieces of JSON that is left open: what is still to be said in `meta`, which stands last, and two braces
   * complete it. Answers that are not lists come as they are.
   */
  openJson(name: string, input: Input, options: CallOptions = {}): Promise<OpenJson> {
    return this.answer<OpenJson>(name, input, options, asked => {
      const { context, answer } = asked
      if (answer.kind !== 'list' || isExplained(asked)) return this.bodyAlone(asked, options)
      const page = pageJson(context, answer.plan, answer.kinds, this.limits(options))
      return isLater(page) || answer.summary ? openJsonLater(asked, page) : openJsonOf(asked, page)
    })
  }

  private async bodyAlone(asked: Asked, options: CallOptions): Promise<OpenJson> {
    return { body: await this.body(asked, options) }
  }

  private body(asked: Asked, options: CallOptions): Soon<Record<string, unknown>> {
    const { context, answer } = asked
    const { name, envelope } = asked.operation
    if (answer.kind === 'object') {
      if (options.nonempty && answer.empty)
        throw new QueryError('NOT_FOUND', `${name} found nothing: ask for less at once, or in other words`)
      if (!answer.whole) return { [envelope]: answer.data, meta: metaOf(asked, {}) }
      return { ...answer.data, meta: metaOf(asked, { ...(answer.data['meta'] as Meta | undefined) }) }
    }
    if (answer.kind === 'rows') {
      const { columns, total, limit, offset } = answer
      const rows = [...answer.chunks()].flatMap(chunk => nest(columns, chunk.columns, chunk.rowCount))
      return { [envelope]: rows, meta: metaOf(asked, { total, limit, offset }) }
    }
    const limits = this.limits(options)
    if (isExplained(asked)) return explainedBody(asked, answer, limits)
    const { plan, kinds } = answer
    const page = pageValues(context, plan, kinds, limits)
    return isLater(page) || answer.summary ? bodyLater(asked, page) : bodyOf(asked, page)
  }

  /** Rows of a list as columns in chunks, for encoders: memory does not grow with them. */
  async stream<T>(
    name: string,
    input: Input,
    options: CallOptions,
    use: (stream: RowStream) => Promise<T>,
  ): Promise<T> {
    return this.answer(name, input, options, async ({ context, answer }) => {
      const about = { snapshot: context.snapshot, as_of: context.asOf, ...warnings(context, answer.meta) }
      if (answer.kind === 'rows')
        return use({
          columns: answer.columns,
          chunks: eachOf(answer.chunks()),
          meta: async () => ({ ...answer.meta, total: answer.total, ...about }),
        })
      if (answer.kind !== 'list')
        throw invalid('format', null, `${name} answers with one object: ask for it as json`, {
          allowed: ['json'],
        })
      const { plan, kinds } = answer
      const limits = this.limits(options)
      let total: Promise<number> | undefined
      const count = () => {
        total ??= countRows(context, plan, kinds, limits)
        return total
      }
      return use({
        columns: plan.columns,
        chunks: pageChunks(context, plan, kinds, limits),
        copy: async form =>
          form.format !== 'parquet' && (await isSaidInChunks(context, plan, kinds, count))
            ? null
            : pageCopy(context, plan, kinds, limits, this.exports, form),
        meta: async () => ({
          ...answer.meta,
          total: await count(),
          ...about,
        }),
      })
    })
  }

  /**
   * One SELECT over the documented views; rows as objects. Whole numbers that no JavaScript number holds are bigint, such
   * decimals are text, and columns of the same name are told apart as `a`, `a_1`.
   */
  async sql<T = Record<string, unknown>>(
    text: string,
    params: readonly SqlValue[] | Readonly<Record<string, SqlValue>> = [],
    options: CallOptions & { asOf?: string } = {},
  ): Promise<T[]> {
    return this.sqlStream(text, params, options, async stream => {
      const { rowObjects } = await import('./encode/undeclared.ts')
      return (await rowObjects(stream)) as T[]
    })
  }

  /** As `sql`, in chunks. */
  async sqlStream<T>(
    text: string,
    params: readonly SqlValue[] | Readonly<Record<string, SqlValue>>,
    { asOf, ...options }: CallOptions & { asOf?: string },
    use: (
      stream: AsyncIterable<Chunk & { names: readonly string[]; types: readonly string[] }>,
    ) => Promise<T>,
  ): Promise<T> {
    const lease = await this.pin()
    try {
      const { database, views } = (await lease.sqlDay(asOf)).tables
      const [{ admitStatement }, { defineNamed }, { sqlFunctions }] = await Promise.all([
        import('./sql/admit-statement.ts'),
        import('./sql/define-functions.ts'),
        import('./sql/sql-functions.ts'),
      ])
      const statement = await admitStatement(database, text)
      await views()
      await defineNamed(database, sqlFunctions, statement.text)
      return await use(database.query(statement, params, this.limits(options))).catch(sqlMistake)
    } finally {
      lease.release()
    }
  }

  /** Reads what a list needs into memory, so that the next such question is answered from there. */
  async warm(name: string, input: Input = {}, options: CallOptions = {}): Promise<void> {
    await this.answer(name, input, options, async ({ context, answer }) => {
      if (answer.kind === 'list') await context.hot.warm(answer.plan, answer.kinds)
    })
  }

  get snapshot(): string {
    return this.manifest.id
  }

  get manifest(): Manifest {
    if (!this.current) throw new QueryError('NOT_READY', 'the lake has no snapshot yet: run "tranche build"')
    return this.current.manifest
  }

  /** Whether the snapshot that is followed is the one in force. */
  get isCurrent(): boolean {
    return this.current !== null && this.stamp !== null && currentStamp(this.lake) === this.stamp
  }

  /** Looks whether another snapshot is in force, and moves to it. */
  async refresh(): Promise<boolean> {
    if (this.isCurrent) return false
    const stamp = currentStamp(this.lake)
    const moved = await this.follow()
    this.stamp = stamp
    return moved
  }

  /**
   * Throws where questions cannot all be answered: there is no snapshot, or files of the one in force are gone or cut.
   * The files are looked at once a second at most, however often this is called.
   */
  async check(): Promise<void> {
    await this.refresh()
    const { manifest } = this.current!
    const now = performance.now()
    if (this.checked?.manifest !== manifest || now > this.checked.at + CHECK_MS)
      this.checked = { manifest, at: now, present: checkPresent(this.lake, manifest) }
    await this.checked.present
  }

  private async follow(): Promise<boolean> {
    const id = await readCurrent(this.lake)
    if (id === null && this.current)
      throw damaged('CURRENT', 'was removed, or the folder of the lake is gone: run "tranche build"')
    if (id === null)
      throw new QueryError('NOT_READY', 'the lake has no snapshot yet: run "tranche build"', {
        lake: this.lake.root,
      })
    if (this.current?.manifest.id === id) return false
    const manifest = await readManifest(this.lake, id)
    const before = this.current
    if (manifest.layout !== layout) {
      // A running program goes on with what it can read.
      if (before) return false
      throw new QueryError(
        'NOT_READY',
        `snapshot ${id} was built by another version of Tranche: run "tranche build"`,
        { snapshot: id },
      )
    }
    this.current = new Opened(this.lake, manifest, this.options, this.memory, this.exports.path)
    before?.retire()
    return true
  }

  close(): void {
    this.closed = true
    this.current?.retire()
    this.current = null
  }

  /** What holds for a statement. A signal is only looked at where one runs. */
  private limits(options: CallOptions): RunOptions {
    return {
      timeout: options.timeout ?? this.options.timeout ?? 0,
      deadline: options.deadline,
      get signal() {
        return options.signal
      },
    }
  }

  /** The snapshot in force, held open until released. */
  private pin(refreshed = false): Soon<Held> {
    if (this.closed) throw new Error('the engine is closed')
    if (this.current && (refreshed || this.isCurrent)) return new Held(this.current)
    return this.refresh().then(() => new Held(this.current!))
  }

  private async answer<T>(
    name: string,
    input: Input,
    options: CallOptions,
    use: (asked: Asked) => Soon<T>,
  ): Promise<T> {
    // What is answered from memory waits for nothing: others have their turn all the same.
    if (++this.asked % 8 === 0) await setImmediate()
    const operation = findOperation(name)
    const params = options.bounded ? operation.params : unbounded(operation.params)
    const args = options.parsed ? input : parseParams(params, input)
    const pinned = this.pin(options.refreshed)
    const held = isLater(pinned) ? await pinned : pinned
    try {
      const opening = held.day(args['as_of'] as string | undefined)
      const day = isLater(opening) ? await opening : opening
      const context = new DayContext(day, options.coverage ?? 'all', held)
      const running = operation.run(context, args)
      const answer = isLater(running) ? await running : running
      const explained = args['explain'] === true && answer.kind === 'list' ? withExplain(answer) : answer
      const using = use({ operation, context, answer: explained, args, plain: answer })
      return isLater(using) ? await using : using
    } catch (error) {
      throw options.signal?.aborted ? error : await this.causeOf(error, held.manifest)
    } finally {
      held.release()
    }
  }

  /** DATA_DAMAGED where a question failed because files of its snapshot are gone or cut, else the error as it is. */
  private async causeOf(error: unknown, manifest: Manifest): Promise<unknown> {
    if (error instanceof QueryError) return error
    return checkPresent(this.lake, manifest).then(
      () => error,
      damage => damage,
    )
  }
}

/** JSON that lacks its end, in pieces; or an answer that is no list. */
type OpenJson =
  | { readonly pieces: readonly Buffer[]; readonly snapshot: string }
  | { readonly body: Record<string, unknown> }

/** A question on its way: its answer, also as it would be without `explain`. */
interface Asked {
  readonly operation: Operation
  readonly context: DayContext
  readonly answer: Answer
  readonly args: unknown
  readonly plain: Answer
}

const isExplained = ({ args }: Asked): boolean => (args as Input)['explain'] === true

function metaOf({ context, answer }: Asked, more: Meta): Meta {
  const { snapshot, asOf } = context
  // What is spread many times over takes ten times as long.
  const meta: Record<string, unknown> = Object.assign({}, more, answer.meta, { snapshot, as_of: asOf })
  const own = answer.meta?.['as_of'] ?? more['as_of']
  if (own !== undefined) meta['as_of'] = own
  return Object.assign(meta, warnings(context, answer.meta))
}

/** What the meta of a list says: `more` is what its answer has to be asked for. */
function listMeta(asked: Asked, total: number, more: Meta | undefined): Meta {
  const { context, answer, plain } = asked
  const { limit, offset } = (answer as ListAnswer).plan
  const meta: Meta = Object.assign({ total, limit, offset }, more)
  if (isExplained(asked)) meta['lane'] = laneOf(context, plain)
  return metaOf(asked, meta)
}

const summaryOf = async ({ answer }: Asked): Promise<Meta | undefined> =>
  answer.kind === 'list' ? answer.summary?.() : undefined

function bodyOf(
  asked: Asked,
  { columns, rowCount, total }: PageValues,
  more?: Meta,
): Record<string, unknown> {
  const rows = nest((asked.answer as ListAnswer).plan.columns, columns, rowCount)
  return { [asked.operation.envelope]: rows, meta: listMeta(asked, total, more) }
}

async function bodyLater(asked: Asked, page: Soon<PageValues>): Promise<Record<string, unknown>> {
  return bodyOf(asked, await page, await summaryOf(asked))
}

/** The same with `_explain`. */
async function explainedBody(
  asked: Asked,
  answer: ListAnswer,
  limits: RunOptions,
): Promise<Record<string, unknown>> {
  const { rows, total } = await explainedRows(asked.context, answer, limits)
  return { [asked.operation.envelope]: rows, meta: listMeta(asked, total, await summaryOf(asked)) }
}

function openJsonOf(asked: Asked, { rows, total }: PageJson, more?: Meta): OpenJson {
  const meta = JSON.stringify(listMeta(asked, total, more))
  const pieces = [Buffer.from(`{"${asked.operation.envelope}":[`), ...rows]
  if (rows.length > 0) pieces[1] = rows[0]!.subarray(1)
  pieces.push(Buffer.from(`],"meta":${meta.slice(0, -1)}`))
  return { pieces, snapshot: asked.context.snapshot }
}

async function openJsonLater(asked: Asked, page: Soon<PageJson>): Promise<OpenJson> {
  return openJsonOf(asked, await page, await summaryOf(asked))
}

/** Which lane answers a list where it is not explained, and why. */
function laneOf({ hot }: DayContext, answer: Answer): Meta | null {
  if (answer.kind !== 'list') return null
  const choice = hot.choose(answer.plan, answer.kinds)
  return choice.lane === 'memory'
    ? { lane: 'memory', why: `${answer.plan.table} is held in memory` }
    : { lane: 'duckdb', why: choice.why }
}

/** Rows of a page as objects; `_explain` is made where the answer makes it. */
async function explainedRows(
  context: DayContext,
  { plan, kinds, explain }: ListAnswer,
  limits: RunOptions,
): Promise<{ rows: Record<string, unknown>[]; total: number }> {
  const shown = plan.columns
  const hidden = (explain?.needs ?? [])
    .filter(name => !shown.some(c => c.name === name))
    .map(name => ({ name, column: kinds[name]! }))
  const whole = hidden.length ? { ...plan, columns: [...shown, ...hidden] } : plan
  const { columns, rowCount, total } = await pageValues(context, whole, kinds, limits)
  const rows = nest(shown, columns, rowCount)
  if (!explain) return { rows, total }
  const explained = await explain.of(nest(whole.columns, columns, rowCount))
  return { rows: rows.map((row, i) => ({ ...row, _explain: explained[i] ?? null })), total }
}

const named = new Map(operations.map(operation => [operation.name, operation as Operation]))

function findOperation(name: string): Operation {
  const found = named.get(name)
  if (found) return found
  const allowed = operations.map(o => o.name)
  const suggestion = nearest(name, allowed)
  throw invalid(
    'name',
    name,
    `there is no operation ${name}${suggestion ? `; did you mean ${suggestion}?` : ''}`,
    {
      allowed,
      ...(suggestion && { suggestion }),
    },
  )
}

/** A message without the folders of this machine. In the line of the statement that DuckDB shows, `/` divides as well. */
function withoutFolders(message: string): string {
  const at = message.indexOf('\nLINE ')
  const told = at < 0 ? message : message.slice(0, at)
  const line = message.slice(told.length)
  return (
    told.replace(/(?<![\w)/])\/[^\s'"]*\/(?=[^/\s'"]+)/g, '') +
    line.replace(/(?<=['"])\/[^\s'"]*\/(?=[^/\s'"]+)/g, '')
  )
}

/** DuckDB's own words for a mistake in the text, without a path of this machine. */
function sqlMistake(error: unknown): never {
  if (error instanceof QueryError) throw error
  const message = (error instanceof Error ? error.message : String(error)).replace(
    /^Failed to extract statements:\s*/,
    '',
  )
  if (
    /^(Parser|Binder|Catalog|Conversion|Invalid|Out of Range|Permission|Syntax|Not implemented)/i.test(
      message,
    )
  )
    throw new QueryError('INVALID_SQL', withoutFolders(message))
  throw error
}

function withExplain(answer: ListAnswer): ListAnswer {
  const column = answer.kinds['_explain']
  if (answer.explain || !column || answer.plan.group || answer.plan.columns.some(c => c.name === '_explain'))
    return answer
  return {
    ...answer,
    plan: { ...answer.plan, columns: [...answer.plan.columns, { name: '_explain', column }] },
  }
}

/** What is to be known of the day, after what the answer says itself. */
function warnings(context: DayContext, own: Meta | undefined): Meta {
  const { undated } = context
  const said = (own?.['warnings'] as string[] | undefined) ?? []
  return undated > 0
    ? { warnings: [...said, `${undated} rows without a known date are left out under as_of`] }
    : {}
}

async function* eachOf<T>(things: Iterable<T>): AsyncGenerator<T> {
  yield* things
}

/** A snapshot in use: its tables, and derivations for other days. Closed when the last reader is done. */
class Opened {
  readonly manifest: Manifest
  private readonly memory: HotMemory
  private readonly lake: Lake
  private readonly options: EngineOptions
  private readonly exports: string
  private readonly days = new Map<string, Day>()
  private readonly sqlDays = new Map<string, Day>()
  private readonly verified = new Map<string, Promise<readonly string[]>>()
  private index: Promise<SearchIndex> | null = null
  private readers = 0
  private retired = false

  constructor(lake: Lake, manifest: Manifest, options: EngineOptions, memory: HotMemory, exports: string) {
    this.lake = lake
    this.manifest = manifest
    this.options = options
    this.exports = exports
    this.memory = memory
  }

  hold(): void {
    this.readers++
  }

  release(): void {
    this.readers--
    if (this.retired && this.readers === 0) this.shut()
  }

  retire(): void {
    this.retired = true
    if (this.readers === 0) this.shut()
  }

  private shut(): void {
    for (const days of [this.days, this.sqlDays]) {
      for (const day of days.values()) day.retire()
      days.clear()
    }
    this.index?.then(index => index.close()).catch(() => {})
    this.index = null
  }

  /** The search index, opened when it is first asked for. */
  search(): Promise<SearchIndex> {
    this.index ??= import('./search/open-index.ts').then(({ openIndex }) =>
      openIndex(this.lake, this.manifest),
    )
    this.index.catch(() => {
      this.index = null
    })
    return this.index
  }

  /** The tables as of a day; the snapshot's own if none is named. */
  day(asked: string | undefined): Day {
    const ready = asked === undefined ? this.days.get(OWN) : undefined
    return ready ?? this.findDay(this.days, asked, () => this.database())
  }

  /** The same tables in a database of their own, for statements of users. */
  sqlDay(asked: string | undefined): Day {
    return this.findDay(this.sqlDays, asked, isOwn => this.sqlDatabase(isOwn))
  }

  private findDay(
    days: Map<string, Day>,
    asked: string | undefined,
    create: (isOwn: boolean) => Promise<Database>,
  ): Day {
    const own = this.manifest.as_of!
    if (asked !== undefined) this.checkDay(asked, own)
    const undated = (this.manifest.options['undated_rows'] as number | undefined) ?? 0
    // The snapshot holds rows without a date too, which no day that is asked about has.
    const isOwn = asked === undefined || (asked === own && undated === 0)
    const key = isOwn ? OWN : asked
    let day = days.get(key)
    if (!day) {
      const opening = create(isOwn).then(database =>
        isOwn
          ? snapshotTables(database, this.lake, this.manifest, name => this.files(name))
          : import('./snapshot/derived-tables.ts').then(({ derivedTables }) =>
              derivedTables(database, this.manifest, asked, name => this.files(name)),
            ),
      )
      day = new Day(this.manifest.id, isOwn ? own : asked, isOwn ? 0 : undated, opening, this.memory)
      opening.catch(() => days.delete(key))
    }
    days.delete(key)
    days.set(key, day)
    const past = [...days.keys()].filter(k => k !== OWN)
    for (const gone of past.slice(0, -DAYS_KEPT)) {
      days.get(gone)!.retire()
      days.delete(gone)
    }
    return day
  }

  private checkDay(asked: string, own: string): void {
    if (!isCivilDate(asked)) throw invalid('as_of', asked, 'as_of must be a day that exists, YYYY-MM-DD')
    if (asked > own)
      throw invalid('as_of', asked, `as_of is after the snapshot's as-of date ${own}`, { max: own })
    const earliest = this.manifest.options['earliest'] as string | null
    if (earliest !== null && asked < earliest)
      throw new QueryError(
        'NO_SNAPSHOT',
        `nothing in the lake was known by ${asked}: the first day is ${earliest}`,
        { earliest },
      )
  }

  private async database(): Promise<Database> {
    const database = await this.emptyDatabase()
    await database.confine({
      folders: [inLake(this.lake, 'snapshots'), inLake(this.lake, 'batches'), this.exports],
    })
    return database
  }

  /**
   * For statements of users: a database that reaches the files of this snapshot by their names and no folder, so that no
   * file can be made, and that shares nothing with the one that answers operations.
   */
  private async sqlDatabase(isOwn: boolean): Promise<Database> {
    const { id, tables, inputs } = this.manifest
    const stored = isOwn ? tables.map(({ file }) => `snapshots/${id}/${file}`) : []
    const database = await this.emptyDatabase()
    await database.confine({
      files: [...stored, ...inputs.map(({ path }) => path)].map(path => inLake(this.lake, path)),
    })
    return database
  }

  private async emptyDatabase(): Promise<Database> {
    const { memory, threads } = this.options
    const database = await Database.create({ ...(memory && { memory }), ...(threads && { threads }) })
    await database.run('CREATE SCHEMA stored')
    return database
  }

  /** The batch files of a dataset, verified when a day first reads them. */
  private files(dataset: string): Promise<readonly string[]> {
    const before = this.verified.get(dataset)
    if (before) return before
    const batches = this.manifest.inputs.filter(f => f.dataset === dataset)
    const files = verifiedInputs(this.lake, batchesOf([{ batches }])).then(
      inputs => inputs.get(dataset) ?? [],
    )
    this.verified.set(dataset, files)
    files.catch(() => this.verified.delete(dataset))
    return files
  }
}

const OWN = 'own'

/** What one question reads from: the snapshot, and each day of it that it looks at, held until the answer is made. */
class Held {
  private readonly opened: Opened
  private readonly days: Day[] = []

  constructor(opened: Opened) {
    this.opened = opened
    opened.hold()
  }

  day(asked: string | undefined): Soon<Day> {
    return this.hold(this.opened.day(asked))
  }

  sqlDay(asked: string | undefined): Soon<Day> {
    return this.hold(this.opened.sqlDay(asked))
  }

  private hold(day: Day): Soon<Day> {
    day.hold()
    this.days.push(day)
    return day.ready()
  }

  get manifest(): Manifest {
    return this.opened.manifest
  }

  search(): Promise<SearchIndex> {
    return this.opened.search()
  }

  release(): void {
    for (const day of this.days) day.release()
    this.opened.release()
  }
}

/** What one question may know of a day. */
class DayContext implements Context, Source {
  readonly database: Database
  readonly hot: HotLane
  readonly spreadCopies: Context['spreadCopies']
  readonly snapshot: string
  readonly asOf: string
  readonly undated: number
  readonly coverage: Context['coverage']
  private readonly day: Day
  private readonly held: Held

  constructor(day: Day, coverage: Context['coverage'], held: Held) {
    const { database, spreadCopies } = day.tables
    this.database = database
    this.hot = day.lane
    this.spreadCopies = spreadCopies
    this.snapshot = day.snapshot
    this.asOf = day.asOf
    this.undated = day.undated
    this.coverage = coverage
    this.day = day
    this.held = held
  }

  tables(...names: string[]): Promise<void> {
    return this.day.prepare(names)
  }

  isReady(table: string): boolean {
    return this.day.isReady(table)
  }

  count(plan: Plan, kinds: Columns): Promise<number> {
    return countRows(this, plan, kinds)
  }

  present(plan: Plan, kinds: Columns, column: string, words: readonly string[]): Promise<Set<string>> {
    return wordsPresent(this, plan, kinds, { column, words })
  }

  companies(named: readonly string[], skipUnknown = false): ReturnType<Context['companies']> {
    return this.day.companies(named, skipUnknown, this.coverage)
  }

  search(): Promise<SearchIndex> {
    return this.held.search()
  }

  async at(day: string): Promise<Context> {
    return new DayContext(await this.held.day(day), this.coverage, this.held)
  }
}

/** The tables of a snapshot as of one day, shared by all who ask about it. */
class Day {
  readonly snapshot: string
  readonly asOf: string
  /** Rows left out because they do not say when they were known. */
  readonly undated: number
  private readonly opening: Promise<DayTables>
  private readonly memory: HotMemory
  private opened: DayTables | null = null
  private hot: HotLane | null = null
  private known: Promise<ReadonlyMap<string, KnownCompany>> | null = null
  private names: Promise<FindByName> | null = null
  private readonly prepared = new Set<string>()
  private readers = 0
  private retired = false

  constructor(
    snapshot: string,
    asOf: string,
    undated: number,
    opening: Promise<DayTables>,
    memory: HotMemory,
  ) {
    this.snapshot = snapshot
    this.asOf = asOf
    this.undated = undated
    this.opening = opening
    this.memory = memory
  }

  /** Itself, with its tables open. */
  ready(): Soon<Day> {
    return this.opened ? this : this.open()
  }

  private async open(): Promise<Day> {
    const opened = await this.opening
    this.hot ??= new HotLane(opened.database, this.memory)
    this.opened = opened
    return this
  }

  get tables(): DayTables {
    return this.opened!
  }

  get lane(): HotLane {
    return this.hot!
  }

  /** Makes tables ready for use. */
  async prepare(names: readonly string[]): Promise<void> {
    await Promise.all(names.map(name => this.tables.table(name)))
    for (const name of names) this.prepared.add(name)
  }

  isReady(table: string): boolean {
    return this.prepared.has(table)
  }

  hold(): void {
    this.readers++
  }

  release(): void {
    this.readers--
    if (this.retired && this.readers === 0) this.close()
  }

  /** Closed when the last reader is done. */
  retire(): void {
    this.retired = true
    if (this.readers === 0) this.close()
  }

  private close(): void {
    this.opening
      .then(async ({ database }) => {
        await this.hot?.close()
        database.close()
      })
      .catch(() => {})
  }

  async companies(
    named: readonly string[],
    skipUnknown: boolean,
    coverage: Context['coverage'],
  ): Promise<{ ids: string[]; unknown: string[] }> {
    this.known ??= this.readKnown()
    this.known.catch(() => {
      this.known = null
    })
    const known = await this.known
    const ids = new Set<string>()
    const unknown: string[] = []
    const seen = ({ coverage: of }: KnownCompany) => coverage === 'all' || of !== 'extended'
    for (const name of named) {
      const company = known.get(name.toUpperCase())
      if (company === undefined) unknown.push(name)
      else if (seen(company)) ids.add(company.company_id)
      else
        throw new QueryError('TIER_RESTRICTED', `${name} is of extended coverage: the business tier has it`, {
          required_tier: 'business',
          alternative: null,
        })
    }
    if (unknown.length > 0 && !skipUnknown) {
      const suggestion = await this.meant(unknown[0]!, known, seen)
      throw new QueryError(
        'INVALID_TICKER',
        `no covered company has ticker ${unknown.join(', ')}${suggestion ? `; did you mean ${suggestion}?` : ''}`,
        { unknown, suggestion },
      )
    }
    return { ids: [...ids], unknown }
  }

  /** The ticker that was meant: one letter off, or of the company so named, or the nearest. */
  private async meant(
    written: string,
    known: ReadonlyMap<string, KnownCompany>,
    seen: (company: KnownCompany) => boolean,
  ): Promise<string | null> {
    const near = nearest(
      written,
      [...known].filter(([, company]) => seen(company)).map(([name]) => name),
    )
    if (near !== undefined && distance(written.toUpperCase(), near) <= 1) return near
    this.names ??= companyNames([...new Set(known.values())].filter(isListed))
    const named = (await this.names)(written, FEW).find(({ ticker }) =>
      seen(known.get(ticker.toUpperCase())!),
    )
    return named?.ticker ?? near ?? null
  }

  /** Companies by ticker, alias and id, in capitals. */
  private async readKnown(): Promise<ReadonlyMap<string, KnownCompany>> {
    const companies = await this.opened!.companies()
    const known = new Map<string, KnownCompany>()
    for (const company of companies)
      for (const alias of company.aliases ?? []) known.set(alias.toUpperCase(), company)
    for (const company of companies) {
      known.set(company.company_id.toUpperCase(), company)
      if (company.ticker) known.set(company.ticker.toUpperCase(), company)
    }
    return known
  }
}

/** Companies of a name that are looked through for one the caller may see. */
const FEW = 20

const isListed = (company: KnownCompany): company is KnownCompany & { ticker: string } =>
  company.ticker !== null
