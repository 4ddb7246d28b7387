import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { literal } from '../database/database.ts'
import { publicSql, stored, viewSql } from '../database/views.ts'
import { Derivation, type DeriveOptions } from '../derive/derive.ts'
import type { DayFiles } from '../lake/day-files.ts'
import type { KnownCompany } from '../operations/resolve/bond-index.ts'
import { readSpreadSources } from '../query/spread-sources.ts'
import { writeTable } from '../query/write-table.ts'
import { tableNamed, tables } from '../schema/resources/tables.ts'
import { fileOrder } from '../schema/sort.ts'
import {
  type DatasetFiles,
  type DayTables,
  isRaw,
  KNOWN_COMPANIES,
  rawView,
  singleFlight,
} from './day-tables.ts'
import { financialsBeside, partNamed } from './financials-of-day.ts'

export interface DerivedDay {
  /** Answers queries. */
  readonly database: Database
  /** Opens a database to derive in, which may write to the folder of `kept`. */
  readonly openDerivationDatabase: () => Promise<Database>
  readonly options: DeriveOptions
  /** The batch files of a dataset. */
  readonly files: DatasetFiles
  /** Files with the same rows, in which a derivation reads them. */
  readonly derivedFrom: DatasetFiles
  /** Where derived tables are stored. */
  readonly kept: DayFiles
}

/** The table of the pipeline that a stored table is made from. */
export const madeFrom = (name: string): string =>
  name === KNOWN_COMPANIES ? 'companies_base' : (partNamed(name) ?? name)

/** Tables in the order in which to derive them: those first that need all prices and statements, as for others the newest would be derived before. */
export const inOrder = (names: readonly string[]): readonly string[] => [
  ...new Set([...['pricing_history', 'financials'].filter(name => names.includes(name)), ...names]),
]

/** The tables of a day that may be stored. */
export const storedTables: readonly string[] = [...tables.map(t => t.table), KNOWN_COMPANIES]

/**
 * The tables of a snapshot as of an earlier day. Each is derived on first use from the rows known by the day's close,
 * written to a file, and read from there by every process. `financials` is a query over the snapshot's own file, and what else there is.
 */
export function derivedTables({
  database,
  openDerivationDatabase,
  options,
  files,
  derivedFrom,
  kept,
}: DerivedDay): DayTables {
  const derivations = new DerivationDatabase({
    open: openDerivationDatabase,
    files: derivedFrom,
    options,
    claim: () => kept.claim(),
    storeRest: (deriving, isClosed) => storeRest(deriving, kept, isClosed),
  })
  const loaded = new Derivation(database, files, options)

  const write = singleFlight(async (name: string) => {
    await derivations.use(async ({ derivation, database }) => {
      const rows = name === 'financials' && !derivation.has(name) ? await financials('all') : null
      if (rows !== null) return kept.keep(name, path => writeRows(database, name, rows, path))
      await derivation.make(madeFrom(name))
      return kept.keep(name, path => writeStored(database, name, path))
    })
  })
  const file = async (name: string): Promise<string> => {
    while ((await kept.find(name)) === null) {
      const done = await derivations.use(() => write(name))
      // Another process derives the day: its files are read as they come.
      if (!done) await derivations.wait()
    }
    return kept.pathOf(name)
  }

  /** Those of a snapshot that were known by the day, with what else there is; null if the snapshot does not say what it has. */
  const financials = singleFlight(async () => {
    const snapshot = await options.snapshotStatements?.()
    return snapshot ? financialsBeside({ database, day: options.asOf, snapshot, file }) : null
  })
  const rowsOf = async (name: string): Promise<string> => {
    const rows = name === 'financials' && (await kept.find(name)) === null ? await financials('all') : null
    return rows ?? `SELECT * FROM read_parquet(${literal(await file(name))})`
  }

  const table = singleFlight(async name => {
    if (isRaw(name)) return rawView(database, loaded, name)
    await database.run(`CREATE OR REPLACE VIEW ${stored(name)} AS ${await rowsOf(name)}`)
  })
  const companies = singleFlight(async () =>
    database.rows<KnownCompany>(
      `SELECT * FROM read_parquet(${literal(await file(KNOWN_COMPANIES))}) ORDER BY company_id`,
    ),
  )
  const view = singleFlight(async name => {
    await table(name)
    const columns = tableNamed(name)?.columns
    if (columns) await database.run(viewSql(name, columns))
  })
  const sources = singleFlight(async () => {
    await table('spreads')
    return readSpreadSources(database, stored('spreads'))
  })
  return {
    database,
    spreadCopies: null,
    table,
    store: name => file(name).then(() => {}),
    spreadSources: () => sources('all'),
    interrupt: () => derivations.interrupt(),
    discard: () => derivations.discard(),
    async views(names) {
      for (const name of inOrder(names)) await view(name)
    },
    companies: () => companies('all'),
    close: () => derivations.close(),
  }
}

/** Stores what was derived on the way to other tables, and the results of steps for other days. */
async function storeRest(
  { database, derivation }: Deriving,
  kept: DayFiles,
  isClosed: () => boolean,
): Promise<void> {
  await derivation.storeResults()
  for (const name of storedTables)
    if (!isClosed() && derivation.has(madeFrom(name)) && (await kept.find(name)) === null)
      await kept.keep(name, path => writeStored(database, name, path))
}

/** Writes a stored table of the tables derived in a database. */
export async function writeStored(database: Database, name: string, path: string): Promise<void> {
  if (name === KNOWN_COMPANIES)
    return writeTable(
      database,
      `SELECT company_id, ticker, name, from_json(aliases, '["VARCHAR"]') AS aliases,
         from_json(former_names, '["VARCHAR"]') AS former_names, cik, lei, coverage FROM companies_base`,
      [{ column: 'company_id', descending: false }],
      path,
    )
  const part = partNamed(name)
  if (part === 'other_companies')
    return writeTable(database, `FROM ${part}`, [{ column: 'company_id', descending: false }], path)
  const table = part ? 'financials' : name
  return writeRows(database, table, await publicSql(database, tableNamed(table)!, part ?? name), path)
}

/** Writes rows of a table in the order of its files. */
const writeRows = (database: Database, table: string, rows: string, path: string): Promise<void> =>
  writeTable(database, rows, fileOrder(tableNamed(table)!), path)

interface Deriving {
  readonly database: Database
  readonly derivation: Derivation
}

/** After this time without a request, tables derived on the way to others are stored too. */
const STORED_AFTER_MS = 2000
/** How long intermediate tables then stay in memory for the next table of the day. */
const IDLE_MS = 10_000
/** How often files that another process derives are looked for. */
const LOOK_EVERY_MS = 100

/** Claims the derivation of a day; null while another process has it. */
type Claim = () => Promise<(() => Promise<void>) | null>

interface Derivations {
  readonly open: () => Promise<Database>
  readonly files: DatasetFiles
  readonly options: DeriveOptions
  readonly claim: Claim
  /** Stores the other tables that were derived, when nothing was requested for a moment; stops when the day is closed. */
  readonly storeRest: (deriving: Deriving, isClosed: () => boolean) => Promise<void>
}

/** A database in which a day is derived, open as long as missing tables are requested. */
class DerivationDatabase {
  private readonly given: Derivations
  private deriving: Promise<Deriving> | null = null
  private claimed: ReturnType<Claim> | null = null
  private awaited = new AbortController()
  private users = 0
  private idle: NodeJS.Timeout | null = null
  private closed = false

  constructor(given: Derivations) {
    this.given = given
  }

  /**
   * Works in the database, which no other process does for the same day meanwhile.
   * @returns false if another one does: nothing was done
   */
  async use(work: (deriving: Deriving) => Promise<unknown>): Promise<boolean> {
    this.users++
    if (this.idle) clearTimeout(this.idle)
    this.claimed ??= this.given.claim()
    const claimed = this.claimed
    try {
      if ((await claimed) === null) {
        if (this.claimed === claimed) this.claimed = null
        return false
      }
      this.deriving ??= this.begin()
      await work(await this.deriving)
      return true
    } finally {
      await this.leave(() => this.store(), STORED_AFTER_MS)
    }
  }

  private begin(): Promise<Deriving> {
    const { open, files, options } = this.given
    const deriving = open().then(database => ({
      database,
      derivation: new Derivation(database, files, options),
    }))
    deriving.catch(() => {
      this.deriving = null
    })
    return deriving
  }

  /**
   * The last user gives the claim back, whoever of those at work at once took it, and says what is to come if nobody
   * returns.
   */
  private async leave(next: () => void, after: number): Promise<void> {
    if (--this.users > 0) return
    const claimed = this.claimed
    this.claimed = null
    if (this.closed) void this.drop()
    else this.idle = setTimeout(next, after).unref()
    await (await claimed?.catch(() => null))?.()
  }

  private async store(): Promise<void> {
    this.users++
    try {
      if (this.deriving) await this.given.storeRest(await this.deriving, () => this.closed)
    } catch {
      // Tables that could not be stored are derived again when they are requested.
    } finally {
      await this.leave(() => void this.drop(), IDLE_MS)
    }
  }

  /** Closes the database unless something is being derived. */
  async discard(): Promise<void> {
    if (this.users > 0) return
    if (this.idle) clearTimeout(this.idle)
    await this.drop()
  }

  /** Closes the database once the results of its steps are stored. */
  private async drop(): Promise<void> {
    const deriving = await this.takeDeriving()?.catch(() => null)
    // Results that could not be stored are derived again.
    await deriving?.derivation.storeResults().catch(() => {})
    deriving?.database.close()
  }

  private takeDeriving(): Promise<Deriving> | null {
    const { deriving } = this
    this.deriving = null
    return deriving
  }

  /** A moment in which another process may finish a file; throws if nobody awaits it any more. */
  async wait(): Promise<void> {
    await pause(LOOK_EVERY_MS, undefined, { signal: this.awaited.signal })
  }

  async interrupt(): Promise<void> {
    this.awaited.abort()
    this.awaited = new AbortController()
    await (await this.deriving)?.derivation.interrupt()
  }

  close(): void {
    this.closed = true
    this.awaited.abort()
    if (this.idle) clearTimeout(this.idle)
    if (this.users === 0) void this.drop()
  }
}
