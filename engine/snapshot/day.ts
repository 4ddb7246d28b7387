import { firstOf } from '../base/elements.ts'
import { QueryError } from '../base/errors.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Context } from '../operations/operation.ts'
import type { KnownCompany } from '../operations/resolve/bond-index.ts'
import { HotLane } from '../query/memory/lane.ts'
import type { HotMemory } from '../query/memory/memory.ts'
import type { SpreadSources } from '../query/spread-sources.ts'
import { DayCache } from './day-cache.ts'
import { type DayTables, KNOWN_COMPANIES } from './day-tables.ts'
import { type FoundCompanies, KnownCompanies } from './known-companies.ts'
import { Leased } from './leased.ts'
import { SharedTurns } from './shared-turns.ts'

/** The tables of a snapshot as of one day, shared by all queries about it. */
export class SnapshotDay extends Leased {
  readonly snapshot: string
  readonly asOf: string
  /** The days whose rows its tables have, if it is several days in one. */
  readonly together: readonly string[] | null
  /** The turns of the queries for which several days in one are derived. */
  readonly turns = new SharedTurns()
  /** Rows left out because their known day is missing. */
  readonly undated: number
  private readonly opening: Promise<DayTables>
  private readonly memory: HotMemory
  /** Values that operations derived from the tables. */
  readonly cache: DayCache
  private opened: DayTables | null = null
  private hot: HotLane | null = null
  private known: Promise<KnownCompanies> | null = null
  private sources: SpreadSources | null = null
  private readonly prepared = new Set<string>()
  /** Runs after the last reader has left a day that is still being derived. */
  private abandoned: NodeJS.Timeout | null = null
  private interrupting: Promise<void> | null = null

  constructor(
    snapshot: string,
    asOf: string,
    undated: number,
    opening: Promise<DayTables>,
    memory: HotMemory,
    together: readonly string[] | null = null,
  ) {
    super()
    this.together = together
    this.snapshot = snapshot
    this.asOf = asOf
    this.undated = undated
    this.opening = opening
    this.memory = memory
    this.cache = new DayCache(memory)
  }

  /** This day, once its tables are open. */
  ready(): MaybePromise<SnapshotDay> {
    return this.opened && !this.interrupting ? this : this.open()
  }

  private async open(): Promise<SnapshotDay> {
    const opened = await this.opening
    await this.interrupting
    this.hot ??= new HotLane(opened.database, this.memory)
    this.opened = opened
    return this
  }

  /** Whether its tables are derived on first use. */
  get isDerived(): boolean {
    return this.tables.interrupt !== null
  }

  get tables(): DayTables {
    return this.opened!
  }

  get lane(): HotLane {
    return this.hot!
  }

  /** Frees what further tables would be derived from. */
  discard(): MaybePromise<void> {
    return this.opened?.discard()
  }

  /** Makes tables available. */
  async prepare(names: readonly string[]): Promise<void> {
    await Promise.all(names.map(name => this.tables.table(name)))
    for (const name of names) this.prepared.add(name)
  }

  /** Has a table, or the companies known, in a file. */
  async store(name: string): Promise<void> {
    if (name === KNOWN_COMPANIES) await this.tables.companies()
    else await this.tables.store(name)
  }

  isReady(table: string): boolean {
    return this.prepared.has(table)
  }

  protected override entered(): void {
    if (!this.abandoned) return
    clearTimeout(this.abandoned)
    this.abandoned = null
  }

  protected override left(): void {
    if (this.opened?.interrupt) this.abandon(this.opened.interrupt)
  }

  /**
   * A caller whose query timed out may retry at once, so an abandoned derivation is interrupted only after a grace
   * period.
   */
  private abandon(interrupt: () => Promise<void>): void {
    this.abandoned = setTimeout(() => {
      this.abandoned = null
      // A derivation that could not begin has nothing to interrupt.
      this.interrupting ??= interrupt()
        .catch(() => {})
        .finally(() => {
          this.interrupting = null
        })
    }, ABANDONED_AFTER_MS)
    this.abandoned.unref()
  }

  protected close(): void {
    if (this.abandoned) clearTimeout(this.abandoned)
    this.cache.close()
    this.opening
      .then(async tables => {
        tables.close()
        await this.hot?.close()
        await this.cache.settled()
        tables.database.close()
      })
      .catch(() => {})
  }

  /** Sources of the spreads; synchronous after the first call. */
  spreadSources(): MaybePromise<SpreadSources> {
    return this.sources ?? this.readSources()
  }

  private async readSources(): Promise<SpreadSources> {
    this.sources = await this.tables.spreadSources()
    return this.sources
  }

  companyNames(): Promise<readonly KnownCompany[]> {
    return this.tables.companies()
  }

  async companies(
    named: readonly string[],
    skipUnknown: boolean,
    coverage: Context['coverage'],
  ): Promise<FoundCompanies> {
    this.known ??= this.tables.companies().then(companies => new KnownCompanies(companies))
    this.known.catch(() => {
      this.known = null
    })
    const known = await this.known
    const found = known.find(named, coverage)
    if (found.unknown.length === 0 || skipUnknown) return found
    const { unknown } = found
    const suggestion = await known.meant(firstOf(unknown), coverage)
    throw new QueryError(
      'INVALID_TICKER',
      `no covered company has ticker ${unknown.join(', ')}${suggestion ? `; did you mean ${suggestion}?` : ''}`,
      { unknown, suggestion },
    )
  }
}

/** How long an abandoned derivation continues. */
const ABANDONED_AFTER_MS = 5000
