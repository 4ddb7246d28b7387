import { yieldToEventLoop } from '../../base/event-loop.ts'
import { civil, type Day } from '../../credit/calendar.ts'
import type { Database } from '../../database/database.ts'
import { copyOfRows, type DerivationCache } from '../cache/derivation-cache.ts'
import { type FactsOfDay, fingerprintsByDay } from '../cache/facts-by-day.ts'
import { companiesToldLater } from './company-facts.ts'
import type { LoadedRow } from './loaded-row.ts'
import { type CompanyFigures, type CompanyRead, CompanyReader } from './read-company.ts'
import { newestStatements } from './rows.ts'
import { gatheredNewest, gatheredTablesSql, StatementWriter, tablesOf } from './statement-tables.ts'
import { isUnchanged, keepUnchanged, type UnchangedDay } from './unchanged-statements.ts'

/** Statements that are gathered before they are stored: with how each figure was formed, about 150 MB. */
const STATEMENTS_AT_ONCE = 32_768

const PREFIX = 'past_'

const isDated = <T extends { readonly known: Day | null }>(row: T): row is T & { readonly known: Day } =>
  row.known !== null

interface PastDay {
  readonly day: Day
  readonly key: string
}

/** The key of what the statements of a company are derived from; `links` are of linkbases that are used with its facts. */
export type KeyOfCompany = (
  company: string,
  facts: { readonly fingerprint: string; readonly links: string | null } | undefined,
  loaded: readonly LoadedRow[] | undefined,
) => string

interface Inputs {
  readonly loaded: ReadonlyMap<string, readonly LoadedRow[]>
  readonly keyOf: KeyOfCompany
  /** The fingerprint of all links of linkbases. */
  readonly links: string
  /** The keys of what all statements are derived from, by company. */
  readonly current: ReadonlyMap<string, string>
}

/**
 * The newest statements of companies as they were on each day on which something became known of them, stored under what they
 * are derived from: a past day finds those of all its companies, and derives none. All statements of most days are those of the build
 * that were known by then, which is stored too.
 */
export class PastStatements {
  private readonly db: Database
  private readonly cache: DerivationCache
  private readonly current: ReadonlyMap<string, string>
  private readonly missing: ReadonlyMap<string, readonly PastDay[]>
  private readonly writer: StatementWriter
  private readonly gathered = new Map<number, string[]>()
  private readonly unchanged: UnchangedDay[] = []
  private statements = 0

  private constructor(
    db: Database,
    cache: DerivationCache,
    current: ReadonlyMap<string, string>,
    missing: ReadonlyMap<string, readonly PastDay[]>,
  ) {
    this.db = db
    this.cache = cache
    this.current = current
    this.missing = missing
    this.writer = new StatementWriter(db, PREFIX)
  }

  static async open(db: Database, cache: DerivationCache, inputs: Inputs): Promise<PastStatements> {
    const wanted = await daysOfCompanies(db, inputs)
    const keys = [...wanted.values()].flatMap(days => days.map(({ key }) => key))
    const parts = await cache.find(gatheredNewest.step, keys)
    const stored = new Set(parts.flatMap(part => part.keys))
    const missing = new Map<string, readonly PastDay[]>()
    for (const [company, days] of wanted) {
      const own = days.filter(({ key }) => !stored.has(key))
      if (own.length > 0) missing.set(company, own)
    }
    if (missing.size > 0) await db.run(gatheredTablesSql(PREFIX, { ofDays: true }))
    return new PastStatements(db, cache, inputs.current, missing)
  }

  /** Whether statements of a day of the company are not stored yet. */
  isMissing(company: string): boolean {
    return this.missing.has(company)
  }

  /** Derives the statements of days that are not stored yet. Returns what the company has ever reported. */
  async read(company: string, figures: CompanyFigures): Promise<CompanyRead> {
    const { facts, loaded } = figures
    const isAll = facts.every(isDated) && loaded.every(isDated)
    const dated = isAll
      ? figures
      : { ...figures, facts: facts.filter(isDated), loaded: loaded.filter(isDated) }
    const reader = new CompanyReader(dated)
    const days: { readonly day: Day; readonly key: string; readonly read: CompanyRead }[] = []
    for (const { day, key } of this.missing.get(company) ?? []) {
      const { year } = civil(day)
      const read = reader.readTo(day)
      days.push({ day, key, read })
      const statements = newestStatements(read)
      await this.writer.add(tablesOf(company, statements, [key, year]))
      this.gathered.set(year, [...(this.gathered.get(year) ?? []), key])
      this.statements += statements.rows.length
      await yieldToEventLoop()
    }
    if (this.statements >= STATEMENTS_AT_ONCE) await this.store()
    if (!isAll) return new CompanyReader(figures).readTo(Number.POSITIVE_INFINITY)
    const all = reader.readTo(Number.POSITIVE_INFINITY)
    const later = this.current.get(company)
    if (later !== undefined)
      for (const { day, key, read } of days)
        if (isUnchanged(read, day, all)) this.unchanged.push({ key, day, later })
    return all
  }

  /** Stores what was gathered, by year: a day reads those of the last reports before it. */
  async store(): Promise<void> {
    if (this.gathered.size === 0) return
    await this.writer.flush()
    for (const [year, keys] of this.gathered)
      await this.cache.keep(gatheredNewest.step, keys, gatheredNewest.tables, (table, path) =>
        this.db.run(copyOfRows(`SELECT * EXCLUDE (year) FROM ${PREFIX}${table} WHERE year = ${year}`, path)),
      )
    await this.db.run(gatheredTablesSql(PREFIX, { ofDays: true }))
    this.gathered.clear()
    this.statements = 0
  }

  async close(): Promise<void> {
    await this.store()
    await keepUnchanged(this.db, this.cache, this.unchanged)
    if (this.missing.size > 0)
      await this.db.run(gatheredNewest.tables.map(table => `DROP TABLE ${PREFIX}${table}`).join('; '))
  }
}

/** The days on which something became known of each company, with the keys of what was known then. */
async function daysOfCompanies(
  db: Database,
  { loaded, keyOf, links }: Inputs,
): Promise<ReadonlyMap<string, readonly PastDay[]>> {
  const facts = new Map<string, FactsOfDay[]>()
  for (const each of await fingerprintsByDay(db)) {
    const own = facts.get(each.company_id)
    if (own) own.push(each)
    else facts.set(each.company_id, [each])
  }
  const others = await companiesToldLater(db)
  const days = new Map<string, readonly PastDay[]>()
  for (const company of new Set([...facts.keys(), ...loaded.keys()])) {
    if (others.has(company)) continue
    const known = facts.get(company) ?? []
    const own = (loaded.get(company) ?? []).filter(isDated)
    const all = new Set([...known.map(({ day }) => day), ...own.map(row => row.known)])
    days.set(
      company,
      [...all]
        .sort((a, b) => a - b)
        .map(day => {
          const told = known.findLast(each => each.day <= day)
          const rows = own.filter(row => row.known <= day)
          const read = told && {
            fingerprint: told.fingerprint,
            links: told.has_links ? links : null,
          }
          return { day, key: keyOf(company, read, rows.length > 0 ? rows : undefined) }
        }),
    )
  }
  return days
}
