import { QueryError } from '../base/errors.ts'
import { yieldToEventLoop } from '../base/event-loop.ts'
import { isPromise, type MaybePromise } from '../base/maybe-promise.ts'
import type { Database } from '../database/database.ts'
import type { ExportFolder } from '../database/export-folder.ts'
import type { Chunk } from '../database/results.ts'
import type { CopiedFile, CopyForm } from '../encode/row-stream.ts'
import type { BorrowedDay, BorrowedDays, CompanyTables, Context } from '../operations/operation.ts'
import type { RemoteUse, Source } from '../query/choose-lane.ts'
import { columnCounts, rowsInMemory } from '../query/column-counts.ts'
import type { MemoryRows } from '../query/memory/count-values.ts'
import type { HotLane } from '../query/memory/lane.ts'
import {
  type ChosenRows,
  countRows,
  pageChunks,
  pageCopy,
  pageValues,
  presentValues,
  valuesOfRows,
} from '../query/page.ts'
import { withDay } from '../query/plan/over-days.ts'
import type { Plan } from '../query/plan/plan.ts'
import type { Columns } from '../schema/column.ts'
import { nest } from '../schema/nested-rows.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { SnapshotDay } from './day.ts'
import type { MadeOnRepeat, Sized } from './day-cache.ts'
import type { FoundCompanies, KnownCompanies } from './known-companies.ts'
import type { SnapshotLease } from './lease.ts'
import type { ReadOf } from './undated.ts'
import { type QueryLimits, withinLimits } from './within-limits.ts'

/** What a query can access of a day. */
export class DayContext implements Context, Source {
  readonly database: Database
  readonly hot: HotLane
  readonly remote: RemoteUse | null
  readonly spreadCopies: Context['spreadCopies']
  readonly snapshot: string
  readonly asOf: string
  readonly undated: number
  readonly coverage: Context['coverage']
  protected readonly day: SnapshotDay
  protected readonly lease: SnapshotLease
  protected readonly limits: QueryLimits
  /** When the query's time is over, as a time of `performance.now()`. */
  private readonly end: number

  constructor(
    day: SnapshotDay,
    coverage: Context['coverage'],
    lease: SnapshotLease,
    limits: QueryLimits,
    remote: RemoteUse | null = null,
  ) {
    const { database, spreadCopies } = day.tables
    this.database = database
    this.hot = day.lane
    this.remote = remote
    this.spreadCopies = spreadCopies
    this.snapshot = day.snapshot
    this.asOf = day.asOf
    this.undated = day.undated
    this.coverage = coverage
    this.day = day
    this.lease = lease
    this.limits = limits
    const { timeout = 0, deadline } = limits
    this.end = deadline ?? (timeout > 0 ? performance.now() + timeout : Number.POSITIVE_INFINITY)
  }

  async turn(): Promise<void> {
    await yieldToEventLoop()
    const { timeout = 0, signal } = this.limits
    signal?.throwIfAborted()
    if (performance.now() <= this.end) return
    throw new QueryError(
      'QUERY_TIMEOUT',
      `the computation exceeded its limit of ${timeout} ms and was stopped: ask for fewer rows`,
      { timeout_ms: timeout },
    )
  }

  tables(...names: string[]): Promise<void> {
    return this.derived(this.day.prepare(names))
  }

  isReady(table: string): boolean {
    return this.day.isReady(table)
  }

  count(plan: Plan, kinds: Columns): Promise<number> {
    return countRows(this, plan, kinds, this.remote ? this.limits : {})
  }

  async rows(plan: Plan, kinds: Columns): Promise<Record<string, unknown>[]> {
    const { columns, rowCount } = await pageValues(this, plan, kinds, {})
    return nest(plan.columns, columns, rowCount)
  }

  present(plan: Plan, kinds: Columns, column: string, words: readonly string[]): Promise<Set<string>> {
    return presentValues(this, plan, kinds, { column, words }, this.limits)
  }

  cached<T extends Sized>(name: string, make: () => Promise<T>): MaybePromise<T> {
    return this.day.cache.get(name, make)
  }

  cachedOnRepeat<T extends Sized>(name: string, how: MadeOnRepeat<T>): T | null {
    return this.day.cache.getOnRepeat(name, how)
  }

  values(table: string, kinds: Columns, columns: Plan['columns'], chosen: ChosenRows) {
    return valuesOfRows(this, { table, kinds, columns }, chosen)
  }

  memoryRows(plan: Plan, kinds: Columns): MemoryRows | null {
    return rowsInMemory(this, plan, kinds)
  }

  columnCounts(names: readonly string[], kinds: Columns): ReturnType<Context['columnCounts']> {
    return columnCounts(this, names, kinds)
  }

  companies(named: readonly string[], skipUnknown = false): ReturnType<Context['companies']> {
    return this.derived(this.day.companies(named, skipUnknown, this.coverage))
  }

  companyNames(): ReturnType<Context['companyNames']> {
    return this.derived(this.day.companyNames())
  }

  spreadSources(): ReturnType<Context['spreadSources']> {
    const sources = this.day.spreadSources()
    return isPromise(sources) ? this.derived(sources) : sources
  }

  search(): Promise<SearchIndex> {
    return this.lease.search()
  }

  async companyAt(day: string, company: string, read: readonly string[]): Promise<CompanyTables | null> {
    const tables = await this.lease.companyDay(day, company, read)
    if (!tables) return null
    const { limits } = this
    return {
      asOf: tables.asOf,
      database: () => withinLimits(tables.database(), limits, day),
      narrowed: (scope, use) => withinLimits(tables.narrowed(scope, use), limits, day),
    }
  }

  chunks(plan: Plan, kinds: Columns): AsyncIterable<Chunk> {
    return pageChunks(this, plan, kinds, this.limits)
  }

  async borrow(day: string, parameter: string): Promise<BorrowedDay> {
    const lease = this.lease.another()
    try {
      return new LentDay(await lease.day(day, parameter), this.coverage, lease, this.limits)
    } catch (error) {
      lease.release()
      throw error
    }
  }

  async borrowTogether(
    days: readonly string[],
    parameter: string,
    named: readonly string[],
  ): Promise<BorrowedDays[]> {
    const { coverage, limits } = this
    const alike = await this.lease.daysTogether(days, { parameter, named, coverage, limits })
    return alike.map(({ day, known, lease }) => new LentDays(day, known, coverage, lease, limits))
  }

  async at(day: string): Promise<Context> {
    return new DayContext(await this.lease.day(day), this.coverage, this.lease, this.limits)
  }

  async own(day: string, read: ReadOf): Promise<Context | null> {
    const own = this.lease.ownDayFor(day, read)
    return own && new DayContext(await own, this.coverage, this.lease, this.limits, this.remote)
  }

  /** Waits for what a day derives, within the query's own limits. */
  private derived<T>(work: Promise<T>): Promise<T> {
    return this.day.isDerived ? withinLimits(work, this.limits, this.asOf) : work
  }
}

/** A day with a lease of its own. */
class LentDay extends DayContext implements BorrowedDay {
  release(): void {
    void this.day.discard()
    this.lease.release()
  }
}

/** Several days in one, with a lease of their own: their tables have the column `as_of` too. */
class LentDays extends LentDay implements BorrowedDays {
  private readonly known: KnownCompanies

  constructor(
    day: SnapshotDay,
    known: KnownCompanies,
    coverage: Context['coverage'],
    lease: SnapshotLease,
    limits: QueryLimits,
  ) {
    super(day, coverage, lease, limits)
    this.known = known
  }

  get days(): readonly string[] {
    return this.day.together!
  }

  override tables(...names: string[]): Promise<void> {
    return this.day.turns.during(this.limits.betweenDays, () => super.tables(...names))
  }

  /** Of the names that the days were borrowed for. */
  override async companies(named: readonly string[]): Promise<FoundCompanies> {
    return this.known.find(named, this.coverage)
  }

  override count(plan: Plan, kinds: Columns): Promise<number> {
    return super.count(plan, withDay(kinds))
  }

  override rows(plan: Plan, kinds: Columns): Promise<Record<string, unknown>[]> {
    return super.rows(plan, withDay(kinds))
  }

  override present(plan: Plan, kinds: Columns, column: string, words: readonly string[]) {
    return super.present(plan, withDay(kinds), column, words)
  }

  override memoryRows(plan: Plan, kinds: Columns): MemoryRows | null {
    return super.memoryRows(plan, withDay(kinds))
  }

  override chunks(plan: Plan, kinds: Columns): AsyncIterable<Chunk> {
    return super.chunks(plan, withDay(kinds))
  }

  copy(plan: Plan, kinds: Columns, folder: ExportFolder, form: CopyForm): Promise<CopiedFile> {
    return pageCopy(this, plan, withDay(kinds), this.limits, folder, form)
  }
}
