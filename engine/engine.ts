import { type Operations, operations } from './api.ts'
import { publicSql, verifiedInputs } from './build.ts'
import type { Column } from './column.ts'
import { type Chunk, Database, literal, quote, type RunOptions, type SqlValue } from './database.ts'
import { datasetNamed } from './datasets.ts'
import { derive } from './derive/derive.ts'
import { datasetSql, openInputs } from './derive/inputs.ts'
import { damaged, invalid, QueryError } from './errors.ts'
import { batchesOf } from './lake/imports.ts'
import { inLake, type Lake, openLake } from './lake/lake.ts'
import { type Manifest, readCurrent, readManifest, verifiedFile } from './lake/snapshot.ts'
import { unbounded } from './list.ts'
import { nearest } from './nearest.ts'
import type { Answer, Context, InputFor, ListAnswer, Meta, Operation, OutputOf } from './operation.ts'
import { type Input, isCivilDate, parseParams } from './params.ts'
import { nest } from './rows.ts'
import { countSql, pageSql } from './sql.ts'
import { rawViews, tableNamed, tables } from './tables.ts'
import { stored, viewSql } from './views.ts'

export interface EngineOptions {
  /** Milliseconds a statement may run; none if 0. */
  readonly timeout?: number
  /** Memory of DuckDB, `2GB`. */
  readonly memory?: string
  readonly threads?: number
}

export interface CallOptions {
  /** `standard` leaves companies of extended coverage out. */
  readonly coverage?: 'all' | 'standard'
  /** True where `limit` keeps its maximum, as over HTTP. */
  readonly bounded?: boolean
  readonly timeout?: number
  readonly signal?: AbortSignal
}

/** A list on its way to an encoder: the columns, and the rows in chunks as they are made. */
export interface RowStream {
  readonly columns: readonly { readonly name: string; readonly column: Column }[]
  readonly chunks: AsyncIterable<Chunk>
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
  private current: Opened | null = null
  private closed = false

  constructor(lake: Lake, options: EngineOptions) {
    this.lake = lake
    this.options = options
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
    return this.answer(found, input, options, async ({ context, answer, args }) => {
      const meta = (extra: Meta): Meta => ({
        ...extra,
        ...answer.meta,
        snapshot: context.snapshot,
        as_of: context.asOf,
        ...(extra['as_of'] !== undefined && { as_of: extra['as_of'] }),
        ...(answer.meta?.['as_of'] !== undefined && { as_of: answer.meta['as_of'] }),
      })
      if (answer.kind === 'object') {
        if (answer.whole)
          return { ...answer.data, meta: meta({ ...(answer.data['meta'] as Meta | undefined) }) }
        return { [found.envelope]: answer.data, meta: meta({}) }
      }
      const explain = (args as Input)['explain'] === true ? answer.explain : undefined
      const page = await this.page(context, answer, options, explain)
      const summary = (await answer.summary?.()) ?? {}
      return {
        [found.envelope]: page.rows,
        meta: meta({
          total: page.total,
          limit: answer.plan.limit,
          offset: answer.plan.offset,
          ...summary,
          ...warnings(context, args as Input),
        }),
      }
    })
  }

  /** Rows of a list as columns in chunks, for encoders: memory does not grow with them. */
  async stream<T>(
    name: string,
    input: Input,
    options: CallOptions,
    use: (stream: RowStream) => Promise<T>,
  ): Promise<T> {
    const found = findOperation(name)
    return this.answer(found, input, options, async ({ context, answer, args }) => {
      if (answer.kind !== 'list')
        throw invalid('format', null, `${name} answers with one object: ask for it as json`, {
          allowed: ['json'],
        })
      const { text, values } = pageSql(answer.plan, answer.kinds, false)
      return use({
        columns: answer.plan.columns,
        chunks: context.database.stream(text, values, this.limits(options)),
        meta: async () => ({
          ...answer.meta,
          total: await this.total(context, answer, options),
          snapshot: context.snapshot,
          as_of: context.asOf,
          ...warnings(context, args as Input),
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
    return this.withSql(text, asOf, async database => {
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
    return this.withSql(text, asOf, async database =>
      use(database.stream(text, params as readonly SqlValue[], this.limits(options))),
    )
  }

  private async withSql<T>(
    text: string,
    asOf: string | undefined,
    work: (database: Database) => Promise<T>,
  ): Promise<T> {
    if (text.trim() === '') throw new QueryError('INVALID_SQL', 'there is no statement: give one SELECT')
    const held = new Held(await this.pin())
    try {
      const day = await held.day(asOf)
      await day.allViews()
      const { count, readOnly } = await day.database.statements(text).catch(sqlMistake)
      if (count !== 1)
        throw new QueryError('INVALID_SQL', `give one statement at a time, not ${count}`, {
          statements: count,
        })
      if (!readOnly)
        throw new QueryError(
          'INVALID_SQL',
          'only SELECT and EXPLAIN are allowed: the lake is changed by ingest and build',
        )
      return await work(day.database).catch(sqlMistake)
    } finally {
      held.release()
    }
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
    const id = await readCurrent(this.lake)
    if (id === null)
      throw new QueryError('NOT_READY', 'the lake has no snapshot yet: run "tranche build"', {
        lake: this.lake.root,
      })
    if (this.current?.manifest.id === id) return false
    const manifest = await readManifest(this.lake, id)
    const before = this.current
    this.current = new Opened(this.lake, manifest, this.options)
    before?.retire()
    return true
  }

  close(): void {
    this.closed = true
    this.current?.retire()
    this.current = null
  }

  private limits({ timeout = this.options.timeout ?? 0, signal }: CallOptions): RunOptions {
    return { timeout, ...(signal && { signal }) }
  }

  /** The snapshot in force, held open until released. */
  private async pin(): Promise<Opened> {
    if (this.closed) throw new Error('the engine is closed')
    await this.refresh()
    const opened = this.current!
    opened.hold()
    return opened
  }

  private async answer<T>(
    found: Operation,
    input: Input,
    options: CallOptions,
    use: (asked: { context: Context; answer: Answer; args: unknown }) => Promise<T>,
  ): Promise<T> {
    const params = options.bounded ? found.params : unbounded(found.params)
    const args = parseParams(params, input)
    const held = new Held(await this.pin())
    try {
      const day = await held.day(args['as_of'] as string | undefined)
      const context = day.context(options, held)
      const answer = await found.run(context, args)
      const explained = args['explain'] === true && answer.kind === 'list' ? withExplain(answer) : answer
      return await use({ context, answer: narrowed(explained, options), args })
    } finally {
      held.release()
    }
  }

  private async page(
    context: Context,
    answer: ListAnswer,
    options: CallOptions,
    explain: ListAnswer['explain'],
  ): Promise<{ rows: Record<string, unknown>[]; total: number }> {
    const shown = answer.plan.columns
    const hidden = (explain?.needs ?? [])
      .filter(name => !shown.some(c => c.name === name))
      .map(name => ({ name, column: answer.kinds[name]! }))
    const plan = { ...answer.plan, columns: [...shown, ...hidden] }
    const { text, values } = pageSql(plan, answer.kinds)
    const result = await context.database.columns(text, values, this.limits(options))
    const total =
      result.rowCount > 0
        ? (result.columns[result.names.length - 1]![0] as number)
        : plan.offset > 0
          ? await this.total(context, answer, options)
          : 0
    const rows = nest(shown, result.columns, result.rowCount)
    if (!explain) return { rows, total }
    const explained = await explain.of(nest(plan.columns, result.columns, result.rowCount))
    return { rows: rows.map((row, i) => ({ ...row, _explain: explained[i] ?? null })), total }
  }

  private async total(context: Context, answer: ListAnswer, options: CallOptions): Promise<number> {
    const { text, values } = countSql(answer.plan, answer.kinds)
    const [row] = await context.database.rows<{ total: number }>(text, values, this.limits(options))
    return row!.total
  }
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

/** Only companies of standard coverage, for callers who see no more. */
function narrowed(answer: Answer, { coverage }: CallOptions): Answer {
  if (coverage !== 'standard' || answer.kind !== 'list' || !answer.kinds['coverage']) return answer
  const where = [...answer.plan.where, { column: 'coverage', op: 'in', values: ['standard'] } as const]
  return { ...answer, plan: { ...answer.plan, where } }
}

function warnings(context: Context, args: Input): Meta {
  const day = context as DayContext
  return args['as_of'] !== undefined && day.undated > 0
    ? { warnings: [`${day.undated} rows without a known date are left out under as_of`] }
    : {}
}

interface DayContext extends Context {
  readonly undated: number
}

/** A snapshot in use: its tables, and derivations for earlier days. Closed when the last reader is done. */
class Opened {
  readonly manifest: Manifest
  private readonly lake: Lake
  private readonly options: EngineOptions
  private readonly days = new Map<string, Promise<Day>>()
  private readers = 0
  private retired = false

  constructor(lake: Lake, manifest: Manifest, options: EngineOptions) {
    this.lake = lake
    this.manifest = manifest
    this.options = options
  }

  hold(): void {
    this.readers++
  }

  release(): void {
    this.readers--
    if (this.retired && this.readers === 0) void this.shut()
  }

  retire(): void {
    this.retired = true
    if (this.readers === 0) void this.shut()
  }

  private async shut(): Promise<void> {
    for (const day of this.days.values()) await day.then(d => d.database.close()).catch(() => {})
    this.days.clear()
  }

  /** The tables as of a day; the snapshot's own if none is named. */
  async day(asked: string | undefined): Promise<Day> {
    const own = this.manifest.as_of!
    const day = asked ?? own
    if (!isCivilDate(day)) throw invalid('as_of', day, 'as_of must be a day that exists, YYYY-MM-DD')
    if (day > own)
      throw invalid('as_of', day, `as_of is after the snapshot's as-of date ${own}`, { max: own })
    const earliest = this.manifest.options['earliest'] as string | null
    if (earliest !== null && day < earliest)
      throw new QueryError(
        'NO_SNAPSHOT',
        `nothing in the lake was known by ${day}: the first day is ${earliest}`,
        {
          earliest,
        },
      )
    const known = this.days.get(day)
    if (known) {
      this.days.delete(day)
      this.days.set(day, known)
      return known
    }
    const made = day === own ? this.openOwn(own) : this.deriveDay(day)
    this.days.set(day, made)
    made.catch(() => this.days.delete(day))
    const [oldest, ...past] = [...this.days.keys()].filter(d => d !== own)
    if (oldest !== undefined && past.length >= DAYS_KEPT) {
      const gone = this.days.get(oldest)!
      this.days.delete(oldest)
      gone.then(past => past.retire()).catch(() => {})
    }
    return made
  }

  private async database(): Promise<Database> {
    const { memory, threads } = this.options
    const database = await Database.create({ ...(memory && { memory }), ...(threads && { threads }) })
    await database.run('CREATE SCHEMA stored')
    await database.confine([inLake(this.lake, 'snapshots'), inLake(this.lake, 'batches')])
    return database
  }

  private async openOwn(own: string): Promise<Day> {
    const { lake, manifest } = this
    return new Day(
      manifest,
      await this.database(),
      own,
      0,
      async (database, table) => {
        const file = manifest.tables.find(t => t.name === table)
        if (!file)
          throw damaged(
            `snapshots/${manifest.id}`,
            `has no table ${table}: it was built by an older version, run "tranche build" again`,
          )
        const path = await verifiedFile(lake, manifest, file)
        await database.run(
          `CREATE OR REPLACE VIEW ${stored(table)} AS SELECT * FROM read_parquet(${literal(path)})`,
        )
        await database.run(viewSql(table, tableNamed(table)!.columns))
      },
      this.rawView(own, true),
    )
  }

  private async deriveDay(day: string): Promise<Day> {
    const database = await this.database()
    const inputs = await verifiedInputs(this.lake, batchesOf([{ batches: this.manifest.inputs }]))
    await derive(database, inputs, {
      asOf: day,
      undated: false,
      assumeSeniority: (this.manifest.options['assume_seniority'] as string | null) ?? null,
    })
    for (const table of tables) {
      const sql = await publicSql(database, table)
      await database.run(
        `CREATE TABLE ${stored(table.table)} AS ${sql}; DROP TABLE ${quote(table.table)}; ${viewSql(table.table, table.columns)}`,
      )
    }
    let undated = 0
    for (const [name, files] of inputs) {
      const dataset = datasetNamed(name)
      if (!dataset || dataset.reference) continue
      const [row] = await database.rows<{ n: number }>(
        `SELECT count(*) AS n FROM (${datasetSql(dataset, files)}) WHERE known_from IS NULL`,
      )
      undated += row!.n
    }
    return new Day(this.manifest, database, day, undated, async () => {}, this.rawView(day, false))
  }

  /** Views over the batches themselves, made when SQL first asks. */
  private rawView(asOf: string, undated: boolean) {
    return async (database: Database): Promise<void> => {
      const raw = this.manifest.inputs.filter(f => (rawViews as readonly string[]).includes(f.dataset))
      const inputs = await verifiedInputs(this.lake, batchesOf([{ batches: raw }]))
      await openInputs(database, inputs, { asOf, undated })
      for (const name of rawViews)
        await database.run(`CREATE OR REPLACE VIEW ${name} AS SELECT * FROM in_${name}`)
    }
  }
}

/** What one question reads from: the snapshot, and each day of it that it looks at, held until the answer is made. */
class Held {
  private readonly opened: Opened
  private readonly days: Day[] = []

  constructor(opened: Opened) {
    this.opened = opened
  }

  async day(asked: string | undefined): Promise<Day> {
    const day = await this.opened.day(asked)
    day.hold()
    this.days.push(day)
    return day
  }

  release(): void {
    for (const day of this.days) day.release()
    this.opened.release()
  }
}

/** The tables of a snapshot as of one day. */
class Day {
  readonly database: Database
  private readonly manifest: Manifest
  private readonly asOf: string
  private readonly undated: number
  private readonly ready = new Map<string, Promise<void>>()
  private readonly prepare: (database: Database, table: string) => Promise<void>
  private readonly prepareRaw: (database: Database) => Promise<void>
  private known: Promise<ReadonlyMap<string, string>> | null = null
  private readers = 0
  private retired = false

  constructor(
    manifest: Manifest,
    database: Database,
    asOf: string,
    undated: number,
    prepare: (database: Database, table: string) => Promise<void>,
    prepareRaw: (database: Database) => Promise<void>,
  ) {
    this.manifest = manifest
    this.database = database
    this.asOf = asOf
    this.undated = undated
    this.prepare = prepare
    this.prepareRaw = prepareRaw
  }

  context({ coverage = 'all', signal }: CallOptions, held: Held): DayContext {
    return {
      database: this.database,
      snapshot: this.manifest.id,
      asOf: this.asOf,
      undated: this.undated,
      coverage,
      tables: (...names) => this.tables(...names),
      companies: (named, skip) => this.companies(named, skip),
      at: async day => (await held.day(day)).context({ coverage, ...(signal && { signal }) }, held),
      ...(signal && { signal }),
    }
  }

  hold(): void {
    this.readers++
  }

  release(): void {
    this.readers--
    if (this.retired && this.readers === 0) this.database.close()
  }

  /** Closed when the last reader is done; one that is just being given the day has a moment to take it. */
  retire(): void {
    setTimeout(() => {
      this.retired = true
      if (this.readers === 0) this.database.close()
    }, 1000).unref()
  }

  async tables(...names: string[]): Promise<void> {
    await Promise.all(
      names.map(name => {
        let ready = this.ready.get(name)
        if (!ready) {
          ready = this.prepare(this.database, name)
          this.ready.set(name, ready)
          ready.catch(() => this.ready.delete(name))
        }
        return ready
      }),
    )
  }

  /** Every view that SQL may name. */
  async allViews(): Promise<void> {
    await this.tables(...tables.map(t => t.table))
    let raw = this.ready.get('raw views')
    if (!raw) {
      raw = this.prepareRaw(this.database)
      this.ready.set('raw views', raw)
      raw.catch(() => this.ready.delete('raw views'))
    }
    await raw
  }

  async companies(
    named: readonly string[],
    skipUnknown = false,
  ): Promise<{ ids: string[]; unknown: string[] }> {
    await this.tables('companies')
    this.known ??= this.readKnown()
    const known = await this.known
    const ids = new Set<string>()
    const unknown: string[] = []
    for (const name of named) {
      const id = known.get(name.toUpperCase())
      if (id === undefined) unknown.push(name)
      else ids.add(id)
    }
    if (unknown.length > 0 && !skipUnknown) {
      const suggestion = nearest(unknown[0]!, known.keys()) ?? null
      throw new QueryError(
        'INVALID_TICKER',
        `no covered company has ticker ${unknown.join(', ')}${suggestion ? `; did you mean ${suggestion}?` : ''}`,
        { unknown, suggestion },
      )
    }
    return { ids: [...ids], unknown }
  }

  /** Tickers, aliases and company ids, in capitals, to company ids. */
  private async readKnown(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.rows<{
      company_id: string
      ticker: string | null
      aliases: string[] | null
    }>('SELECT company_id, ticker, aliases FROM companies')
    const known = new Map<string, string>()
    for (const { company_id, aliases } of rows)
      for (const alias of aliases ?? []) known.set(alias.toUpperCase(), company_id)
    for (const { company_id, ticker } of rows) {
      known.set(company_id.toUpperCase(), company_id)
      if (ticker) known.set(ticker.toUpperCase(), company_id)
    }
    return known
  }
}
