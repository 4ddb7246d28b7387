import { setImmediate } from 'node:timers/promises'
import type { Table } from 'apache-arrow'
import {
  bodyAlone,
  eachOf,
  emptyBecause,
  isExplained,
  isMetaReady,
  metaOf,
  noteRows,
  openJsonLater,
  openJsonOf,
  openJsonOfRows,
  type PendingAnswer,
  rowBatches,
  rowChunks,
  type UnfinishedJson,
  wholeBody,
  withExplain,
} from './answer.ts'
import { damaged, invalid, QueryError } from './base/errors.ts'
import { isPromise, type MaybePromise } from './base/maybe-promise.ts'
import { currentSpan } from './base/spans.ts'
import { ExportFolder } from './database/export-folder.ts'
import type { EncodableRows } from './encode/row-stream.ts'
import { noSnapshotYet } from './lake/copy-of.ts'
import { type Lake, openLake } from './lake/lake.ts'
import {
  checkPresent,
  currentStamp,
  hasSnapshot,
  type Manifest,
  readCurrent,
  readManifest,
} from './lake/snapshot.ts'
import type { ListName, Operations } from './operations/api.ts'
import { findOperation } from './operations/find-operation.ts'
import type { AnswerWith, FieldsOf, InputFor, InputWith, Meta, RowIn } from './operations/operation.ts'
import { bytesOf, defaultHotMemory, HotMemory } from './query/memory/memory.ts'
import { countRows, pageChunks, pageFile, pageJson } from './query/page.ts'
import { type AsOf, checkOptions } from './schema/options.ts'
import type { Input } from './schema/params.ts'
import { layout } from './schema/resources/layout.ts'
import {
  type CallOptions,
  callOptionNames,
  checkedArgs,
  type RequestDetails,
} from './snapshot/call-options.ts'
import { DayContext } from './snapshot/day-context.ts'
import type { DayDerived, DeriveDaysOptions } from './snapshot/derive-days.ts'
import { EarlierSnapshots, goneIfRemoved, isDamage, removedMeanwhile } from './snapshot/earlier-snapshots.ts'
import { type EngineOptions, engineOptionNames } from './snapshot/engine-options.ts'
import { SnapshotLease } from './snapshot/lease.ts'
import { OpenSnapshot } from './snapshot/open-snapshot.ts'
import { checkRemote, remoteUse } from './snapshot/remote-use.ts'
import { runSql, type SqlOptions, type SqlRows, sqlOptionNames, type Values } from './snapshot/run-sql.ts'
import { RecentCalls, Successor } from './snapshot/successor.ts'
import { CallLimits, type QueryLimits } from './snapshot/within-limits.ts'

/** A list for an encoder: its columns, and its rows in chunks as they are made. */
export interface RowStream extends EncodableRows {
  readonly meta: () => Promise<Meta & { total: number }>
}

export type { CallOptions, RequestDetails, SqlOptions }

type Name = keyof Operations & string

/** Opens a lake for queries and follows new snapshots as they are built. */
export async function open(lake: string | Lake, options: EngineOptions = {}): Promise<Engine> {
  const opened = typeof lake === 'string' ? await openLake(lake) : lake
  if (options.remote !== undefined) await checkRemote(options.remote)
  const engine = new Engine(opened, options)
  await engine.refresh()
  return engine
}

/** Options of `rows` and `table`: a list without a page. */
const ALL_ROWS: RequestDetails = { allRows: true }

/** Maximum age in milliseconds of a check of the snapshot's files. */
const CHECK_MS = 1000

/**
 * Answers from memory never leave the microtask queue, so a caller that queries in a loop would starve timers and
 * sockets. After this many answers the event loop gets a turn.
 */
const ANSWERS_PER_TURN = 8

export class Engine {
  readonly lake: Lake
  private readonly options: EngineOptions
  private readonly memory: HotMemory
  private readonly exports = new ExportFolder()
  private current: OpenSnapshot | null = null
  private readonly earlier: EarlierSnapshots
  private readonly successor = new Successor(next => this.switchTo(next))
  /** What to repeat on a new snapshot; null if that answers at once. */
  private readonly recent: RecentCalls | null
  private closed = false
  private answers = 0
  /** Of the pointer to the snapshot, when it was last read. */
  private stamp: string | null = null
  /** The last check of the snapshot's files. */
  private checked: { manifest: Manifest; at: number; present: Promise<void> } | null = null

  constructor(lake: Lake, options: EngineOptions) {
    this.lake = lake
    checkOptions(options, engineOptionNames)
    this.options = options
    this.recent = options.warmSwitch ? new RecentCalls() : null
    this.memory = new HotMemory(
      options.hotMemory === undefined ? defaultHotMemory() : bytesOf(options.hotMemory),
    )
    this.earlier = new EarlierSnapshots(lake, manifest => this.opened(manifest), options.copySnapshot)
  }

  /** Answers an operation: the same envelope as over HTTP. `fields` narrows the type of the rows. */
  call<N extends Name, const F extends FieldsOf<Operations[N]> = undefined>(
    name: N,
    input: InputWith<Operations[N], F> & AsOf = {} as InputWith<Operations[N], F>,
    options: CallOptions = {},
  ): Promise<AnswerWith<Operations[N], F>> {
    return this.ask(name, input as Input, options) as Promise<AnswerWith<Operations[N], F>>
  }

  /** As `call`, for callers who have the name as text. */
  ask(
    name: string,
    input: Input,
    options: CallOptions = {},
    request: RequestDetails = {},
  ): Promise<Record<string, unknown>> {
    return this.answer(name, input, options, request, pending => wholeBody(pending, request))
  }

  /**
   * The rows of a list one by one, all of them unless `limit` is given. They are read in batches from one snapshot,
   * even if builds publish others meanwhile; leaving the loop stops the statement.
   */
  async *rows<N extends ListName, const F extends FieldsOf<Operations[N]> = undefined>(
    name: N,
    input: InputWith<Operations[N], F> & AsOf = {} as InputWith<Operations[N], F>,
    options: CallOptions = {},
  ): AsyncGenerator<RowIn<AnswerWith<Operations[N], F>>, void, undefined> {
    const { pending, lease } = await this.answer(
      name,
      input as Input,
      options,
      ALL_ROWS,
      (pending, lease) => ({
        pending,
        lease: lease.share(),
      }),
    )
    try {
      for await (const batch of rowBatches(pending, pending.limits)) {
        // A short statement may end before it can be interrupted.
        options.signal?.throwIfAborted()
        for (const row of batch) yield row as RowIn<AnswerWith<Operations[N], F>>
      }
    } catch (error) {
      options.signal?.throwIfAborted()
      throw await this.causeOf(error, lease.manifest)
    } finally {
      lease.release()
    }
  }

  /**
   * The rows of a list as an Arrow table, all of them unless `limit` is given: flat dotted names, exact types, units
   * and descriptions as field metadata, snapshot and as-of day as schema metadata.
   */
  table<N extends ListName>(
    name: N,
    input: InputFor<Operations[N]> & AsOf = {} as InputFor<Operations[N]>,
    options: CallOptions = {},
  ): Promise<Table> {
    return this.answer(name, input as Input, options, ALL_ROWS, async pending => {
      const { arrowTable } = await import('./encode/arrow-table.ts')
      const { snapshot, asOf } = pending.context
      return arrowTable(rowChunks(pending, pending.limits), { about: { snapshot, as_of: asOf } })
    })
  }

  /**
   * As `ask`, as pieces of open-ended JSON: the caller appends to `meta`, the last member, and closes two braces.
   * Answers that are not lists are returned as they are.
   */
  openJson(
    name: string,
    input: Input,
    options: CallOptions = {},
    request: RequestDetails = {},
  ): Promise<UnfinishedJson> {
    return this.answer<UnfinishedJson>(name, input, options, request, pending => {
      const { context, answer } = pending
      if (answer.kind === 'rows') return openJsonOfRows(pending, answer)
      if (answer.kind !== 'list' || isExplained(pending)) return bodyAlone(pending, request)
      const page = pageJson(context, answer.plan, answer.kinds, pending.limits)
      return isPromise(page) || !isMetaReady(answer, page.total)
        ? openJsonLater(pending, page)
        : openJsonOf(pending, page)
    })
  }

  /** Rows of a list by column in chunks, for encoders: memory does not grow with them. */
  async stream<T>(
    name: string,
    input: Input,
    options: CallOptions,
    use: (stream: RowStream) => Promise<T>,
    request: RequestDetails = {},
  ): Promise<T> {
    const answering = async (pending: PendingAnswer): Promise<T> => {
      const { context, answer } = pending
      const { warnings } = metaOf(pending, {})
      const about = {
        snapshot: context.snapshot,
        as_of: context.asOf,
        ...(warnings !== undefined && { warnings }),
      }
      if (answer.kind === 'rows')
        return use({
          columns: answer.columns,
          chunks: eachOf(answer.chunks()),
          copy: async form => (await answer.copy?.(this.exports, form)) ?? null,
          meta: async () => ({ ...answer.meta, total: answer.total, ...about }),
        })
      if (answer.kind !== 'list')
        throw invalid('format', null, `${name} returns one object, not rows: use format json`, {
          allowed: ['json'],
        })
      const { plan, kinds } = answer
      const { limits } = pending
      let total: Promise<number> | undefined
      const count = () => {
        total ??= countRows(context, plan, kinds, limits)
        return total
      }
      return use({
        columns: plan.columns,
        chunks: pageChunks(context, plan, kinds, limits),
        copy: form => pageFile(context, { plan, kinds, limits, count }, this.exports, form),
        meta: async () => {
          const total = await count()
          noteRows({ ...plan, total })
          return { ...answer.meta, total, ...(await emptyBecause(context, answer, total)), ...about }
        },
      })
    }
    return this.answer(name, input, options, request, answering, 'once')
  }

  /**
   * One SELECT over the documented views; rows as objects. Whole numbers beyond JavaScript's precision are bigint,
   * such decimals are text, and duplicate column names become `a`, `a_1`.
   */
  async sql<T = Record<string, unknown>>(
    text: string,
    params: Values = [],
    options: SqlOptions = {},
  ): Promise<T[]> {
    return this.sqlStream(text, params, options, async stream => {
      const { rowObjects } = await import('./encode/undeclared.ts')
      return (await rowObjects(stream)) as T[]
    })
  }

  /** As `sql`, in chunks. */
  async sqlStream<T>(
    text: string,
    values: Values,
    options: SqlOptions,
    use: (rows: SqlRows) => Promise<T>,
  ): Promise<T> {
    checkOptions(options, sqlOptionNames)
    const lease = await this.pin()
    try {
      return await runSql(lease, { text, values, options, limits: this.limits(options) }, use)
    } finally {
      lease.release()
    }
  }

  /**
   * Derives the tables of past days in advance and stores them in the lake, so that panels and questions as of these days
   * read them. Days that are stored cost nothing, also on later snapshots to which nothing was added that was known by then.
   */
  async deriveDays(asked: DeriveDaysOptions): Promise<DayDerived[]> {
    const { deriveDays, deriveDaysOptionNames } = await import('./snapshot/derive-days.ts')
    checkOptions(asked, deriveDaysOptionNames)
    const lease = await this.pin()
    try {
      return await deriveDays(lease, asked)
    } finally {
      lease.release()
    }
  }

  /** Loads what a list needs into memory, so that the next such query is answered from there. */
  async warm(name: string, input: Input = {}, options: CallOptions = {}): Promise<void> {
    await this.answer(name, input, options, {}, async ({ context, answer }) => {
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

  /** Whether the open snapshot is the current one. */
  get isCurrent(): boolean {
    return this.current !== null && this.stamp !== null && currentStamp(this.lake) === this.stamp
  }

  /** Whether a table as of a day is available without deriving or opening anything. */
  isReadyAsOf(asOf: string, table: string): boolean {
    return this.current?.isReadyAsOf(asOf, table) ?? false
  }

  /** Checks for a new snapshot and switches to it. */
  async refresh(): Promise<boolean> {
    if (this.isCurrent) return false
    const stamp = currentStamp(this.lake)
    const moved = await this.follow()
    this.stamp = stamp
    return moved
  }

  /**
   * Throws if queries cannot all be answered: there is no snapshot, or its files are missing or truncated. Files are
   * checked at most once a second.
   */
  async check(): Promise<void> {
    await this.refresh()
    const { manifest } = this.current!
    const now = performance.now()
    if (this.checked?.manifest !== manifest || now > this.checked.at + CHECK_MS)
      this.checked = { manifest, at: now, present: checkPresent(this.lake, manifest) }
    const damage = await this.checked.present.catch((error: unknown) => error)
    if (damage === undefined) return
    if (await this.leave(manifest.id)) return this.check()
    throw damage
  }

  private async follow(): Promise<boolean> {
    const id = await readCurrent(this.lake)
    if (id === null && this.current)
      throw damaged('CURRENT', 'was removed, or the folder of the lake is gone: run "tranche build"')
    if (id === null) throw await noSnapshotYet(this.lake)
    if (this.successor.isFollowed(id, this.current)) return false
    const manifest = await readManifest(this.lake, id)
    // Another caller may have been faster. From here nothing waits.
    if (this.successor.isFollowed(id, this.current)) return false
    const before = this.current
    if (manifest.layout !== layout) {
      // A running program continues with the snapshot it can read.
      if (before) return false
      throw new QueryError(
        'NOT_READY',
        `snapshot ${id} was built by another version of Tranche: run "tranche build"`,
        { snapshot: id },
      )
    }
    const next = this.opened(manifest)
    if (before && this.recent) this.successor.prepare(next, before, this.recent)
    else this.switchTo(next)
    return this.current === next
  }

  private switchTo(next: OpenSnapshot): void {
    this.current?.retire()
    this.current = next
  }

  private opened(manifest: Manifest): OpenSnapshot {
    return new OpenSnapshot(this.lake, manifest, this.options, this.memory, this.exports.path)
  }

  close(): void {
    this.closed = true
    this.earlier.close()
    this.successor.cancel()
    this.current?.retire()
    this.current = null
  }

  /** Closes the engine: `await using engine = await open(lake)`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.close()
  }

  private limits(options: CallOptions, request: RequestDetails = {}): QueryLimits {
    return new CallLimits(options, request, options.timeout ?? this.options.timeout ?? 0)
  }

  /** The current snapshot, kept open until released. */
  private pin(refreshed = false): MaybePromise<SnapshotLease> {
    if (this.closed) throw new Error('the engine is closed')
    if (this.current && (refreshed || this.isCurrent)) return new SnapshotLease(this.current)
    return this.refresh().then(() => new SnapshotLease(this.current!))
  }

  /** The snapshot of this id, which may be an earlier one; the current one if no id is given. */
  private leaseOf(id: string | undefined, refreshed = false): MaybePromise<SnapshotLease> {
    const current = this.pin(refreshed)
    return id === undefined ? current : this.earlier.leaseOr(current, id)
  }

  /** @param used whether `use` may be called again if its snapshot was replaced and removed before it was done */
  private async answer<T>(
    name: string,
    input: Input,
    options: CallOptions,
    request: RequestDetails,
    use: (pending: PendingAnswer, lease: SnapshotLease) => MaybePromise<T>,
    used: 'repeatedly' | 'once' = 'repeatedly',
  ): Promise<T> {
    if (++this.answers % ANSWERS_PER_TURN === 0) await setImmediate()
    const operation = findOperation(name)
    checkOptions(options, callOptionNames)
    const args = request.parsed ? input : checkedArgs(operation, input, options, request)
    const snapshot = args['snapshot'] as string | undefined
    const pinned = this.leaseOf(snapshot, request.refreshed)
    const openLease = isPromise(pinned) ? await pinned : pinned
    const span = currentSpan()
    span?.set({ 'tranche.snapshot': openLease.manifest.id })
    const planning = span?.child('plan')
    try {
      const named = operation.day?.(args as never)
      const opening = openLease.day(named?.day ?? (args['as_of'] as string | undefined), named?.parameter)
      const day = isPromise(opening) ? await opening : opening
      const coverage = options.coverage ?? 'all'
      const remote = remoteUse(day, operation, args, this.options)
      const limits = this.limits(options, request)
      const context = new DayContext(day, coverage, openLease, limits, remote)
      const running = operation.run(context, args)
      const answer = isPromise(running) ? await running : running
      planning?.end()
      this.recent?.note({ operation, args, coverage })
      const explained = args['explain'] === true && answer.kind === 'list' ? withExplain(answer) : answer
      const using = use(
        { operation, context, answer: explained, args, plain: answer, limits, warnings: request.warnings },
        openLease,
      )
      return isPromise(using) ? await using : using
    } catch (error) {
      planning?.end(error)
      if (options.signal?.aborted) throw error
      const cause = await this.causeOf(error, openLease.manifest)
      if (snapshot !== undefined) throw await goneIfRemoved(this.lake, snapshot, cause)
      if (isDamage(cause) && (await this.leave(openLease.manifest.id))) {
        if (used === 'once') throw removedMeanwhile(openLease.manifest.id)
        return this.answer(name, input, options, request, use)
      }
      throw cause
    } finally {
      openLease.release()
    }
  }

  /**
   * Whether a snapshot was removed and another is current, which then answers at once: one that was built after it may still be
   * warming up.
   */
  private async leave(id: string): Promise<boolean> {
    if (await hasSnapshot(this.lake, id)) return false
    this.successor.switchNow()
    await this.refresh().catch(() => {})
    return this.current?.manifest.id !== id
  }

  /** DATA_DAMAGED if a query failed because snapshot files are missing or truncated, else the error unchanged. */
  private async causeOf(error: unknown, manifest: Manifest): Promise<unknown> {
    if (error instanceof QueryError) return error
    return checkPresent(this.lake, manifest).then(
      () => error,
      damage => damage,
    )
  }
}
