import type { Database } from '../database/database.ts'
import type { Context } from '../operations/operation.ts'
import type { HotLane } from '../query/memory/lane.ts'
import { countRows, pageValues, presentValues, type Source } from '../query/page.ts'
import type { Plan } from '../query/plan/plan.ts'
import type { Columns } from '../schema/column.ts'
import { nest } from '../schema/nested-rows.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { SnapshotDay } from './day.ts'
import type { SnapshotLease } from './lease.ts'

/** What one question may know of a day. */
export class DayContext implements Context, Source {
  readonly database: Database
  readonly hot: HotLane
  readonly spreadCopies: Context['spreadCopies']
  readonly snapshot: string
  readonly asOf: string
  readonly undated: number
  readonly coverage: Context['coverage']
  private readonly day: SnapshotDay
  private readonly held: SnapshotLease

  constructor(day: SnapshotDay, coverage: Context['coverage'], held: SnapshotLease) {
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

  async rows(plan: Plan, kinds: Columns): Promise<Record<string, unknown>[]> {
    const { columns, rowCount } = await pageValues(this, plan, kinds, {})
    return nest(plan.columns, columns, rowCount)
  }

  present(plan: Plan, kinds: Columns, column: string, words: readonly string[]): Promise<Set<string>> {
    return presentValues(this, plan, kinds, { column, words })
  }

  companies(named: readonly string[], skipUnknown = false): ReturnType<Context['companies']> {
    return this.day.companies(named, skipUnknown, this.coverage)
  }

  spreadSources(): ReturnType<Context['spreadSources']> {
    return this.day.spreadSources()
  }

  search(): Promise<SearchIndex> {
    return this.held.search()
  }

  async at(day: string): Promise<Context> {
    return new DayContext(await this.held.day(day), this.coverage, this.held)
  }
}
