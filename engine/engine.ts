import { setImmediate } from 'node:timers/promises'
import { distance } from 'fastest-levenshtein'
import { type Operations, operations } from './api.ts'
import { companyNames, type FindByName } from './company-names.ts'
import { type Chunk, Database, type RunOptions, type SqlValue } from './database.ts'
import { type DayTables, type KnownCompany, snapshotTables } from './day-tables.ts'
import type { Rows } from './encode/encode.ts'
import { invalid, QueryError } from './errors.ts'
import { ExportFolder } from './export-folder.ts'
import { HotLane } from './hot/lane.ts'
import { bytesOf, defaultHotMemory, HotMemory } from './hot/memory.ts'
import { batchesOf } from './lake/imports.ts'
import { inLake, type Lake, openLake } from './lake/lake.ts'
import { currentStamp, type Manifest, readCurrent, readManifest } from './lake/snapshot.ts'
import { verifiedInputs } from './lake/verify.ts'
import { layout } from './layout.ts'
import { unbounded } from './list.ts'
import { nearest } from './nearest.ts'
import type { Answer, Context, InputFor, ListAnswer, Meta, Operation, OutputOf } from './operation.ts'
import {
  countRows,
  isSaidInChunks,
  pageChunks,
  pageCopy,
  pageJson,
  pageValues,
  type Source,
  wordsPresent,
} from './page.ts'
import { type Input, isCivilDate, parseParams } from './params.ts'
import { nest } from './rows.ts'
import type { SearchIndex } from './search/search-index.ts'

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

  constructor(lake: Lake, options: EngineOptions) {
    this.lake = lake
    this.options = options
    this.memory = new HotMemory(
      options.hotMemory === undefined ? defaultHotMemory() : bytesOf(options.hotMemory),
    )
  }

  /** Answers an operation: the same envelope as over HTTP. */
  async call<N extends Name>(
    name: N,
    input: InputFor<Operations[N]> = {} as InputFor<Operations[N]>,
    options: CallOptions = {},
  ): Promise<OutputOf<Operations[N]>> {
    return (await this.ask(name, input as Input, options)) as OutputOf<Operations[N]>
  }

  /** As `call`, for callers who have the name as text. */
  async ask(name: string, input: Input, options: CallOptions = {}): Promise<Record<string, unknown>> {
    const found = findOperation(name)
    return this.answer(found, input, options, asked => this.body(found, asked, options))
  }

  /**
   * As `ask`, as pieces of JSON that is left open: what is still to be said in `meta`, which stands last, and two braces
   * complete it. Answers that are not lists come as they are.
   */
  async openJson(
    name: string,
    input: Input,
    options: CallOptions = {},
  ): Promise<{ pieces: readonly Buffer[]; snapshot: string } | { body: Record<string, unknown> }> {
    const found = findOperation(name)
    return this.answer(found, input, options, async asked => {
      const { context, answer } = asked
      if (answer.kind !== 'list' || isExplained(asked))
        return { body: await this.body(found, asked, options) }
      const { rows, total } = await pageJson(context, answer.plan, answer.kinds, this.limits(options))
      const meta = JSON.stringify(metaOf(asked, await listMeta(asked, total)))
      const [first, ...others] = rows
      const pieces = [
        Buffer.from(`{"${found.envelope}":[`),
        ...(first ? [first.subarray(1), ...others] : []),
        Buffer.from(`],"meta":${meta.slice(0, -1)}`),
      ]
      return { pieces, snapshot: context.snapshot }
    })
  }

  private async body(
    { name, envelope }: Operation,
    asked: Asked,
    options: CallOptions,
  ): Promise<Record<string, unknown>> {
    const { context, answer } = asked
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
    const explain = isExplained(asked) ? answer.explain : undefined
    const { rows, total } = await pageRows(context, answer, this.limits(options), explain)
    return { [envelope]: rows, meta: metaOf(asked, await listMeta(asked, total)) }
  }

  /** Rows of a list as columns in chunks, for encoders: memory does not grow with them. */
  async stream<T>(
    name: string,
    input: Input,
    options: CallOptions,
    use: (stream: RowStream) => Promise<T>,
  ): Promise<T> {
    const found = findOperation(name)
    return this.answer(found, input, options, async ({ context, answer }) => {
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

  /** One SELECT over the documented views; rows as objects. */
  async sql<T = Record<string, unknown>>(
    text: string,
    params: readonly SqlValue[] | Readonly<Record<string, SqlValue>> = [],
    { asOf, ...options }: CallOptions & { asOf?: string } = {},
  ): Promise<T[]> {
    return this.withSql(text, asOf, options, async database => {
      const values = Array.isArray(params) ? params : (params as Record<string, SqlValue>)
      return database.rows<T>(text, values as readonly SqlValue[], this.limits(options))
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
    return this.withSql(text, asOf, options, async database =>
      use(database.stream(text, params as readonly SqlValue[], this.limits(options))),
    )
  }

  private async withSql<T>(
    text: string,
    asOf: string | undefined,
    options: CallOptions,
    work: (database: Database) => Promise<T>,
  ): Promise<T> {
    if (text.trim() === '') throw new QueryError('INVALID_SQL', 'there is no statement: give one SELECT')
    const held = new Held(await this.pin())
    try {
      const day = await held.day(asOf)
      const { database } = day.context(options, held)
      await day.views()
      const [{ defineNamed }, { sqlFunctions }] = await Promise.all([
        import('./define-functions.ts'),
        import('./sql-functions.ts'),
      ])
      await defineNamed(database, sqlFunctions, text)
      const { count, readOnly } = await database.statements(text).catch(sqlMistake)
      if (count !== 1)
        throw new QueryError('INVALID_SQL', `give one statement at a time, not ${count}`, {
          statements: count,
        })
      if (!readOnly)
        throw new QueryError(
          'INVALID_SQL',
          'only SELECT and EXPLAIN are allowed: the lake is changed by ingest and build',
        )
      return await work(database).catch(sqlMistake)
    } finally {
      held.release()
    }
  }

  /** Reads what a list needs into memory, so that the next such question is answered from there. */
  async warm(name: string, input: Input = {}, options: CallOptions = {}): Promise<void> {
    await this.answer(findOperation(name), input, options, async ({ context, answer }) => {
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

  /** Looks whether another snapshot is in force, and moves to it. */
  async refresh(): Promise<boolean> {
    const stamp = currentStamp(this.lake)
    if (this.current && stamp !== null && stamp === this.stamp) return false
    const moved = await this.follow()
    this.stamp = stamp
    return moved
  }

  private async follow(): Promise<boolean> {
    const id = await readCurrent(this.lake)
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
      get signal() {
        return options.signal
      },
    }
  }

  /** The snapshot in force, held open until released. */
  private async pin(refreshed = false): Promise<Opened> {
    if (this.closed) throw new Error('the engine is closed')
    if (!this.current || (!refreshed && currentStamp(this.lake) !== this.stamp)) await this.refresh()
    const opened = this.current!
    opened.hold()
    return opened
  }

  private async answer<T>(
    found: Operation,
    input: Input,
    options: CallOptions,
    use: (asked: Asked) => Promise<T>,
  ): Promise<T> {
    // What is answered from memory waits for nothing: others have their turn all the same.
    if (++this.asked % 8 === 0) await setImmediate()
    const params = options.bounded ? found.params : unbounded(found.params)
    const args = options.parsed ? input : parseParams(params, input)
    const held = new Held(await this.pin(options.refreshed))
    try {
      const day = await held.day(args['as_of'] as string | undefined)
      const context = day.context(options, held)
      const answer = await found.run(context, args)
      const explained = args['explain'] === true && answer.kind === 'list' ? withExplain(answer) : answer
      return await use({ context, answer: explained, args, plain: answer })
    } finally {
      held.release()
    }
  }
}

/** A question on its way: its answer, also as it would be without `explain`. */
interface Asked {
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

async function listMeta(asked: Asked, total: number): Promise<Meta> {
  const { context, answer, plain } = asked
  if (answer.kind !== 'list') return {}
  const { limit, offset } = answer.plan
  const lane = isExplained(asked) && { lane: laneOf(context, plain) }
  return { total, limit, offset, ...(await answer.summary?.()), ...lane }
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
async function pageRows(
  context: DayContext,
  { plan, kinds }: ListAnswer,
  limits: RunOptions,
  explain: ListAnswer['explain'],
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

const findOperation = (name: string): Operation => {
  const found = operations.find(o => o.name === name)
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
    throw new QueryError('INVALID_SQL', message.replace(/\/[^\s'"]*\/(?=[^/\s'"]+)/g, ''))
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

interface DayContext extends Context, Source {
  /** Rows left out because they do not say when they were known. */
  readonly undated: number
}

/** A snapshot in use: its tables, and derivations for other days. Closed when the last reader is done. */
class Opened {
  readonly manifest: Manifest
  private readonly memory: HotMemory
  private readonly lake: Lake
  private readonly options: EngineOptions
  private readonly exports: string
  private readonly days = new Map<string, Day>()
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
    for (const day of this.days.values()) day.retire()
    this.days.clear()
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
    const own = this.manifest.as_of!
    if (asked !== undefined) this.checkDay(asked, own)
    const undated = (this.manifest.options['undated_rows'] as number | undefined) ?? 0
    // The snapshot holds rows without a date too, which no day that is asked about has.
    const isOwn = asked === undefined || (asked === own && undated === 0)
    const key = isOwn ? OWN : asked
    let day = this.days.get(key)
    if (!day) {
      const opening = this.database().then(database =>
        isOwn
          ? snapshotTables(database, this.lake, this.manifest, name => this.files(name))
          : import('./derived-tables.ts').then(({ derivedTables }) =>
              derivedTables(database, this.manifest, asked, name => this.files(name)),
            ),
      )
      day = new Day(this.manifest.id, isOwn ? own : asked, isOwn ? 0 : undated, opening, this.memory)
      opening.catch(() => this.days.delete(key))
    }
    this.days.delete(key)
    this.days.set(key, day)
    const past = [...this.days.keys()].filter(k => k !== OWN)
    for (const gone of past.slice(0, -DAYS_KEPT)) {
      this.days.get(gone)!.retire()
      this.days.delete(gone)
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
    const { memory, threads } = this.options
    const database = await Database.create({ ...(memory && { memory }), ...(threads && { threads }) })
    await database.run('CREATE SCHEMA stored')
    await database.confine([inLake(this.lake, 'snapshots'), inLake(this.lake, 'batches'), this.exports])
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
  }

  async day(asked: string | undefined): Promise<Day> {
    const day = this.opened.day(asked)
    day.hold()
    this.days.push(day)
    await day.ready()
    return day
  }

  search(): Promise<SearchIndex> {
    return this.opened.search()
  }

  release(): void {
    for (const day of this.days) day.release()
    this.opened.release()
  }
}

/** The tables of a snapshot as of one day, shared by all who ask about it. */
class Day {
  private readonly snapshot: string
  private readonly asOf: string
  private readonly undated: number
  private readonly opening: Promise<DayTables>
  private readonly memory: HotMemory
  private opened: DayTables | null = null
  private hot: HotLane | null = null
  private known: Promise<ReadonlyMap<string, KnownCompany>> | null = null
  private names: Promise<FindByName> | null = null
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

  async ready(): Promise<void> {
    if (this.opened) return
    const opened = await this.opening
    this.hot ??= new HotLane(opened.database, this.memory)
    this.opened = opened
  }

  context({ coverage = 'all' }: CallOptions, held: Held): DayContext {
    const { opened, hot } = this
    return {
      database: opened!.database,
      hot: hot!,
      count: (plan, kinds) => countRows({ database: opened!.database, hot: hot! }, plan, kinds),
      present: (plan, kinds, column, words) =>
        wordsPresent({ database: opened!.database, hot: hot! }, plan, kinds, { column, words }),
      spreadCopies: opened!.spreadCopies,
      snapshot: this.snapshot,
      asOf: this.asOf,
      undated: this.undated,
      coverage,
      tables: async (...names) => {
        await Promise.all(names.map(name => opened!.table(name)))
      },
      companies: (named, skip) => this.companies(named, skip, coverage),
      search: () => held.search(),
      at: async day => (await held.day(day)).context({ coverage }, held),
    }
  }

  /** Every view that SQL may name. */
  views(): Promise<void> {
    return this.opened!.views()
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

  private async companies(
    named: readonly string[],
    skipUnknown = false,
    coverage: Context['coverage'] = 'all',
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
