import { QueryError } from '../base/errors.ts'
import { databaseThreads, usableThreads } from '../base/machine.ts'
import { mapAtOnce } from '../base/map-at-once.ts'
import { Database } from '../database/database.ts'
import { type DayFiles, DayStore } from '../lake/day-files.ts'
import { batchesOf } from '../lake/imports.ts'
import { inLake, type Lake } from '../lake/lake.ts'
import { type Manifest, verifiedFile } from '../lake/snapshot.ts'
import { verifiedInputs } from '../lake/verify.ts'
import type { Context } from '../operations/operation.ts'
import type { HotMemory } from '../query/memory/memory.ts'
import type { Resource } from '../schema/resource.ts'
import type { SearchIndex } from '../search/search-index.ts'
import { checkDay } from './check-day.ts'
import { CompanyDay } from './company-day.ts'
import { SnapshotDay } from './day.ts'
import {
  type DatasetFiles,
  type DayTables,
  isRaw,
  KNOWN_COMPANIES,
  singleFlight,
  snapshotTables,
  tableFile,
} from './day-tables.ts'
import type { AlikeDays, FileOfDay } from './days-together.ts'
import { DerivationSources } from './deriving.ts'
import type { EngineOptions } from './engine-options.ts'
import { filesBeside, hasTable } from './financials-of-day.ts'
import { KnownCompanies } from './known-companies.ts'
import { Leased } from './leased.ts'
import { openRemote } from './remote-use.ts'
import { SharedTurns } from './shared-turns.ts'
import { type ReadOf, readsUndated } from './undated.ts'
import { type QueryLimits, withinLimits } from './within-limits.ts'

/** Number of past days to keep; each is a derivation of its own. */
const DAYS_KEPT = 4

/** Days whose companies stay in memory: about 0.3 KB a company. */
const KNOWN_KEPT = 8

/** Companies of a past day to derive one by one before deriving the whole day. */
const COMPANIES_OF_DAY = 4

/** The share of hot memory that the texts of the search index may take beside it. */
const SHARE_OF_TEXTS = 4

/** Days on which some names mean the same companies, and what opens them. */
export interface DaysOfNames {
  readonly known: KnownCompanies
  readonly open: () => SnapshotDay
}

/** The companies of a day, and the turns of the queries that wait for them. */
interface KnownOfDay {
  readonly known: Promise<KnownCompanies>
  readonly turns: SharedTurns
}

/** How several days are asked for together. */
export interface TogetherAsked {
  /** The parameter that gave the days. */
  readonly parameter: string
  /** Names of companies that the query will look up. */
  readonly named: readonly string[]
  readonly coverage: Context['coverage']
  /** Of the query, for what must be derived. */
  readonly limits: QueryLimits
}

/** An open snapshot: its tables, and derivations for other days. Closed when the last reader is done. */
export class OpenSnapshot extends Leased {
  readonly manifest: Manifest
  private readonly memory: HotMemory
  private readonly lake: Lake
  private readonly options: EngineOptions
  private readonly exports: string
  private readonly days = new Map<string, SnapshotDay>()
  private readonly sqlDays = new Map<string, SnapshotDay>()
  private readonly daysInOne = new Map<string, SnapshotDay>()
  private readonly known = new Map<string, KnownOfDay>()
  private readonly companyDays = new Map<string, CompanyDay>()
  private readonly verified = new Map<string, Promise<readonly string[]>>()
  private index: Promise<SearchIndex> | null = null
  private readonly kept: DayStore
  private readonly derivations: DerivationSources
  /** The verified file of a table of the snapshot itself; `known_companies` are read from the companies. */
  private readonly ownFile = singleFlight(async name => {
    const table = name === KNOWN_COMPANIES ? 'companies' : name
    return verifiedFile(this.lake, this.manifest, tableFile(this.manifest, table))
  })

  constructor(lake: Lake, manifest: Manifest, options: EngineOptions, memory: HotMemory, exports: string) {
    super()
    this.lake = lake
    this.manifest = manifest
    this.options = options
    this.exports = exports
    this.memory = memory
    this.kept = new DayStore(lake)
    this.derivations = new DerivationSources({
      lake,
      manifest,
      store: this.kept,
      files: name => this.files(name),
      database: (folders, mostThreads) => this.database(folders, mostThreads),
    })
  }

  protected close(): void {
    for (const days of [this.days, this.sqlDays, this.daysInOne]) {
      for (const day of days.values()) day.retire()
      days.clear()
    }
    for (const day of this.companyDays.values()) day.retire()
    this.companyDays.clear()
    this.index?.then(index => index.close()).catch(() => {})
    this.index = null
    this.kept.close()
    this.derivations.close()
  }

  /** The search index, opened on first use. */
  search(): Promise<SearchIndex> {
    this.index ??= import('../search/open-index.ts').then(({ openIndex }) =>
      openIndex(this.lake, this.manifest, this.memory.limit / SHARE_OF_TEXTS),
    )
    this.index.catch(() => {
      this.index = null
    })
    return this.index
  }

  /** Whether the search index is open, or being opened. */
  get hasSearch(): boolean {
    return this.index !== null
  }

  /** Its own day, if that was asked for. */
  get ownDay(): SnapshotDay | null {
    return this.days.get(OWN) ?? null
  }

  /** The tables as of a day; by default the snapshot's own. */
  day(asOf: string | undefined, parameter = 'as_of'): SnapshotDay {
    const ready = asOf === undefined ? this.days.get(OWN) : undefined
    return ready ?? this.findDay(this.days, asOf, parameter, kept => this.database(kept ? [kept.folder] : []))
  }

  /** The snapshot's own day, if a day is that and what is read of it has no undated row, which no queried day has. */
  ownDayFor(asOf: string, read: ReadOf): SnapshotDay | null {
    return asOf === this.manifest.as_of && !readsUndated(this.manifest, read) ? this.day(undefined) : null
  }

  /** Whether a table as of a day was used before, and its day is still open. */
  isReadyAsOf(asOf: string, table: string): boolean {
    return this.days.get(this.isOwn(asOf) ? OWN : asOf)?.isReady(table) ?? false
  }

  /** The snapshot's own day; with undated rows only if no day is named, since no queried day has those. */
  private isOwn(asOf: string | undefined): boolean {
    return asOf === undefined || (asOf === this.manifest.as_of && this.undated === 0)
  }

  private get undated(): number {
    return (this.manifest.options['undated_rows'] as number | undefined) ?? 0
  }

  /** The same tables in a separate database, for user SQL. */
  sqlDay(asOf: string | undefined): SnapshotDay {
    return this.findDay(this.sqlDays, asOf, 'as_of', kept => this.sqlDatabase(kept))
  }

  /** A past day derived for one company at a time; null if so many were queried that deriving the whole day is faster. */
  companyDay(asOf: string, company: string): CompanyDay | null {
    const day = this.companyDays.get(asOf) ?? new CompanyDay(asOf, this.derivations.of(asOf))
    this.companyDays.delete(asOf)
    day.companies.add(company)
    if (day.companies.size > (this.options.companiesOfDay ?? COMPANIES_OF_DAY)) {
      day.retire()
      return null
    }
    this.companyDays.set(asOf, day)
    for (const gone of [...this.companyDays.keys()].slice(0, -DAYS_KEPT)) {
      this.companyDays.get(gone)!.retire()
      this.companyDays.delete(gone)
    }
    return day
  }

  /** Whether all of some tables as of a day are in files or read from them. A day may be open for other tables only. */
  async hasWhole(asOf: string, names: readonly string[]): Promise<boolean> {
    if (this.isOwn(asOf)) return true
    checkDay(this.manifest, asOf, 'as_of')
    const open = this.days.get(asOf)
    const others = names.filter(name => !isRaw(name) && !open?.isReady(name))
    if (others.length === 0) return true
    const files = await this.kept.day(this.manifest, asOf)
    const had = await Promise.all(others.map(name => hasTable(this.manifest, files, name)))
    return had.every(Boolean)
  }

  /**
   * Several days in one, divided by the companies that some names mean: their tables have the rows of all days, led by the
   * column `as_of`. What is missing of a day is derived before.
   */
  async daysTogether(dates: readonly string[], asked: TogetherAsked): Promise<DaysOfNames[]> {
    for (const day of dates) checkDay(this.manifest, day, asked.parameter)
    const alike = await this.alikeDays(dates, asked)
    return alike.map(({ days, known }) => ({ known, open: () => this.together(days, asked.parameter) }))
  }

  /**
   * A database for a user's SQL over several days: the views of some tables have the rows of all days, led by the column
   * `as_of`. What is missing of a day is derived before. To be closed by the caller.
   */
  async sqlOverDays(
    dates: readonly string[],
    tables: readonly Resource[],
    limits: QueryLimits,
  ): Promise<Database> {
    for (const day of dates) checkDay(this.manifest, day, 'dates')
    const { DAYS_AT_ONCE, viewsTogether } = await import('./days-together.ts')
    const files = new Map<Resource, readonly FileOfDay[]>()
    for (const table of tables)
      files.set(
        table,
        await mapAtOnce(dates, DAYS_AT_ONCE, async day => ({
          day,
          file: await this.fileOf(day, table.table, 'dates', limits),
        })),
      )
    const database = await this.emptyDatabase()
    try {
      await database.confine({ files: [...files.values()].flat().map(({ file }) => file) })
      await viewsTogether(database, files)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  }

  private async alikeDays(dates: readonly string[], asked: TogetherAsked): Promise<readonly AlikeDays[]> {
    const { named, coverage } = asked
    if (named.length === 0) return [{ days: dates, known: new KnownCompanies([]) }]
    const { alikeDays, DAYS_AT_ONCE, readNamed } = await import('./days-together.ts')
    if (dates.length <= KNOWN_KEPT) {
      const known = dates.map(async day => ({ day, known: await this.knownOn(day, asked) }))
      return alikeDays(await Promise.all(known), named, coverage)
    }
    const files = await mapAtOnce(dates, DAYS_AT_ONCE, day => this.knownFile(day, asked))
    const database = await this.databaseOfDays(dates)
    const known = await readNamed(database, files, named).finally(() => database.close())
    return alikeDays(known, named, coverage)
  }

  /** Every company known on a day; those of the last days that were asked for stay in memory. */
  private async knownOn(day: string, asked: TogetherAsked): Promise<KnownCompanies> {
    const key = this.isOwn(day) ? OWN : day
    const { known, turns } = this.known.get(key) ?? this.readKnown(day, asked)
    this.known.delete(key)
    this.known.set(key, { known, turns })
    for (const gone of [...this.known.keys()].slice(0, -KNOWN_KEPT)) this.known.delete(gone)
    known.catch(() => this.known.delete(key))
    return turns.during(asked.limits.betweenDays, () => known)
  }

  private readKnown(day: string, { limits, ...asked }: TogetherAsked): KnownOfDay {
    const turns = new SharedTurns()
    const betweenDays = () => turns.pass()
    const { signal } = limits
    return { turns, known: this.readAllKnown(day, { ...asked, limits: { ...limits, signal, betweenDays } }) }
  }

  private async readAllKnown(day: string, asked: TogetherAsked): Promise<KnownCompanies> {
    const { readAll } = await import('./days-together.ts')
    const file = await this.knownFile(day, asked)
    const database = await this.databaseOfDays([day])
    return readAll(database, file).finally(() => database.close())
  }

  private async knownFile(day: string, { parameter, limits }: TogetherAsked): Promise<FileOfDay> {
    return { day, file: await this.fileOf(day, KNOWN_COMPANIES, parameter, limits) }
  }

  /** Days in one. The last that were asked for stay open, so that those asked for again are answered from memory. */
  private together(days: readonly string[], parameter: string): SnapshotDay {
    const key = days.join(' ')
    const before = this.daysInOne.get(key)
    const opened = before ?? this.openTogether(days, parameter)
    this.daysInOne.delete(key)
    this.daysInOne.set(key, opened)
    for (const gone of [...this.daysInOne.keys()].slice(0, -DAYS_KEPT)) {
      this.daysInOne.get(gone)!.retire()
      this.daysInOne.delete(gone)
    }
    return opened
  }

  private openTogether(days: readonly string[], parameter: string): SnapshotDay {
    const between = (): Promise<void> => opened.turns.pass()
    const opening: Promise<DayTables> = Promise.all([
      import('./days-together.ts'),
      this.databaseOfDays(days),
    ]).then(([{ tablesTogether }, database]) =>
      tablesTogether(database, days, (day, table, signal) =>
        this.fileOf(day, table, parameter, { signal, betweenDays: between }),
      ),
    )
    const undated = days.every(day => this.isOwn(day)) ? 0 : this.undated
    const opened: SnapshotDay = new SnapshotDay(
      this.manifest.id,
      days.at(-1)!,
      undated,
      opening,
      this.memory,
      days,
    )
    opening.catch(() => this.daysInOne.delete(days.join(' ')))
    return opened
  }

  /** The file of a table as of a day, derived before if it is missing. */
  private async fileOf(asOf: string, table: string, parameter: string, limits: QueryLimits): Promise<string> {
    if (this.isOwn(asOf)) return this.ownFile(table)
    const kept = await this.kept.day(this.manifest, asOf)
    const found = await kept.find(table)
    if (found !== null) return found
    await limits.betweenDays?.()
    await this.derive(asOf, [table], parameter, limits)
    return kept.pathOf(table)
  }

  /** Derives what is missing of tables as of a day, one after the other, and stores them. */
  async storeDay(
    asOf: string,
    tables: readonly string[],
    limits: QueryLimits,
  ): Promise<'derived' | 'stored' | 'snapshot'> {
    checkDay(this.manifest, asOf, 'dates')
    if (this.isOwn(asOf)) return 'snapshot'
    const kept = await this.kept.day(this.manifest, asOf)
    if (!kept.folder.startsWith(this.lake.root))
      throw new QueryError(
        'STORAGE_FAILED',
        `the lake ${this.lake.root} cannot be written to, so days derived in advance would not be kept`,
      )
    const missing: string[] = []
    for (const table of tables) if ((await kept.find(table)) === null) missing.push(table)
    if (missing.length === 0) return 'stored'
    await this.derive(asOf, missing, 'dates', limits)
    return 'derived'
  }

  private async derive(
    asOf: string,
    tables: readonly string[],
    parameter: string,
    limits: QueryLimits,
  ): Promise<void> {
    const day = this.day(asOf, parameter)
    day.hold()
    try {
      await day.ready()
      for (const table of tables) await withinLimits(day.store(table), limits, asOf)
    } finally {
      // Before the next day is derived: memory is bounded by the days at a time.
      await day.discard()
      day.release()
    }
  }

  private async databaseOfDays(dates: readonly string[]): Promise<Database> {
    const folders: string[] = []
    for (const day of dates)
      if (!this.isOwn(day)) folders.push((await this.kept.day(this.manifest, day)).folder)
    return this.database(folders)
  }

  private findDay(
    days: Map<string, SnapshotDay>,
    asOf: string | undefined,
    parameter: string,
    create: (kept: DayFiles | null) => Promise<Database>,
  ): SnapshotDay {
    const own = this.manifest.as_of!
    if (asOf !== undefined) checkDay(this.manifest, asOf, parameter)
    const isOwn = this.isOwn(asOf)
    const key = isOwn ? OWN : asOf!
    let day = days.get(key)
    if (!day) {
      const files = (name: string) => this.files(name)
      const opening = isOwn ? this.ownTables(create(null), files) : this.derived(asOf!, files, create)
      day = new SnapshotDay(
        this.manifest.id,
        isOwn ? own : asOf!,
        isOwn ? 0 : this.undated,
        opening,
        this.memory,
      )
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

  private async ownTables(opening: Promise<Database>, files: DatasetFiles): Promise<DayTables> {
    const { lake, manifest, options } = this
    const tables = snapshotTables(await opening, lake, manifest, files)
    if (options.remote === undefined) return tables
    return { ...tables, remote: await openRemote(options.remote, manifest.id, manifest.tables) }
  }

  private async derived(
    asOf: string,
    files: DatasetFiles,
    create: (kept: DayFiles) => Promise<Database>,
  ): Promise<DayTables> {
    const { derivedTables } = await import('./derived-tables.ts')
    const kept = await this.kept.day(this.manifest, asOf)
    const { open, options, files: merged } = await this.derivations.of(asOf)
    return derivedTables({
      database: await create(kept),
      openDerivationDatabase: () => open([kept.folder]),
      options,
      files,
      derivedFrom: merged,
      kept,
    })
  }

  /** @param kept folders of derived tables that it may read and write */
  private async database(kept: readonly string[] = [], mostThreads?: number): Promise<Database> {
    const database = await this.emptyDatabase(mostThreads)
    await database.confine({
      folders: [inLake(this.lake, 'snapshots'), inLake(this.lake, 'batches'), this.exports, ...kept],
    })
    return database
  }

  /**
   * For user SQL: a database that can read this snapshot's files by name and no folder, so it cannot create files,
   * and that shares nothing with the one used by operations.
   */
  private async sqlDatabase(kept: DayFiles | null): Promise<Database> {
    const { id, tables, inputs } = this.manifest
    const { storedTables: keptTables } = await import('./derived-tables.ts')
    const files = kept
      ? [...keptTables.map(name => kept.pathOf(name)), ...filesBeside(this.lake, this.manifest, kept)]
      : tables.map(({ file }) => inLake(this.lake, `snapshots/${id}/${file}`))
    const database = await this.emptyDatabase()
    await database.confine({ files: [...files, ...inputs.map(({ path }) => inLake(this.lake, path))] })
    return database
  }

  private async emptyDatabase(mostThreads?: number): Promise<Database> {
    const { memory, threads: given } = this.options
    const threads = mostThreads ? Math.min(given ?? databaseThreads() ?? usableThreads(), mostThreads) : given
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
