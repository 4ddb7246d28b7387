import { distance } from 'fastest-levenshtein'
import { firstOf } from '../base/elements.ts'
import { QueryError } from '../base/errors.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import { companySearch, type FindByName } from '../names/company-search.ts'
import { nearest } from '../names/nearest.ts'
import type { Context } from '../operations/operation.ts'
import { HotLane } from '../query/memory/lane.ts'
import type { HotMemory } from '../query/memory/memory.ts'
import type { SpreadSources } from '../query/spread-sources.ts'
import { DayCache } from './day-cache.ts'
import type { DayTables, KnownCompany } from './day-tables.ts'
import { Leased } from './leased.ts'

/** The tables of a snapshot as of one day, shared by all queries about it. */
export class SnapshotDay extends Leased {
  readonly snapshot: string
  readonly asOf: string
  /** Rows left out because their known day is missing. */
  readonly undated: number
  private readonly opening: Promise<DayTables>
  private readonly memory: HotMemory
  /** Values that operations derived from the tables. */
  readonly cache: DayCache
  private opened: DayTables | null = null
  private hot: HotLane | null = null
  private known: Promise<ReadonlyMap<string, KnownCompany>> | null = null
  private names: Promise<FindByName> | null = null
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
  ) {
    super()
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
  discard(): void {
    this.opened?.discard()
  }

  /** Makes tables available. */
  async prepare(names: readonly string[]): Promise<void> {
    await Promise.all(names.map(name => this.tables.table(name)))
    for (const name of names) this.prepared.add(name)
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
        throw new QueryError(
          'TIER_RESTRICTED',
          `${name} is in extended coverage, which needs the business tier`,
          {
            required_tier: 'business',
            alternative: null,
          },
        )
    }
    if (unknown.length > 0 && !skipUnknown) {
      const suggestion = await this.meant(firstOf(unknown), known, seen)
      throw new QueryError(
        'INVALID_TICKER',
        `no covered company has ticker ${unknown.join(', ')}${suggestion ? `; did you mean ${suggestion}?` : ''}`,
        { unknown, suggestion },
      )
    }
    return { ids: [...ids], unknown }
  }

  /** The ticker that was probably meant: one letter off, else that of the company so named, else the nearest. */
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
    this.names ??= companySearch([...new Set(known.values())].filter(isListed))
    const named = (await this.names)(written, FEW).find(({ ticker }) =>
      seen(known.get(ticker.toUpperCase())!),
    )
    return named?.ticker ?? near ?? null
  }

  /** Companies by ticker, alias and id, in upper case. */
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

/** How long an abandoned derivation continues. */
const ABANDONED_AFTER_MS = 5000

/** Companies with matching names to check for one the caller may see. */
const FEW = 20

const isListed = (company: KnownCompany): company is KnownCompany & { ticker: string } =>
  company.ticker !== null
