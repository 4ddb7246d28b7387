import { createHash } from 'node:crypto'
import { yieldToEventLoop } from '../../base/event-loop.ts'
import { type Database, literal } from '../../database/database.ts'
import { BALANCE_SHEET } from '../../schema/datasets/calculations.ts'
import { type CacheOptions, fingerprintOfRows, insertCached, keepDerived } from '../cache/derivation-cache.ts'
import { type FactsByDay, factFingerprints } from '../cache/facts-by-day.ts'
import { companiesThatAreBanks, factsByCompany, loadedByCompany } from './company-facts.ts'
import { CompanyLinks } from './links.ts'
import type { LoadedRow } from './loaded-row.ts'
import { type KeyOfCompany, PastStatements } from './past-statements.ts'
import { type CompanyFigures, type CompanyRead, readCompany } from './read-company.ts'
import { type CompanyStatements, companyStatements, newestStatements } from './rows.ts'
import {
  gathered,
  gatheredNewest,
  gatheredTablesSql,
  StatementWriter,
  statementTablesSql,
  tablesOf,
} from './statement-tables.ts'
import { insertUnchanged } from './unchanged-statements.ts'

/** The statements to derive: all of them, or the first and the last version of those that current figures depend on. */
export type StatementVersions = 'all' | 'newest'

interface StatementOptions extends CacheOptions, FactsByDay {
  /** Default all. */
  readonly statements?: StatementVersions
  /** Whether the newest statements of past days are stored too. */
  readonly keepsDays?: boolean
}

/**
 * `statements_derived`: every version of every quarter and trailing year of every company, from the facts of its
 * filings and from loaded statements, amounts in minor units of `currency`. `statements_left`: periods without a row,
 * and why. `quarantine`: unused figures, and why. Only one company is in memory at a time. A company whose inputs are
 * those of an earlier derivation is taken from `options.cache`. With the `newest` statements, only what
 * `companies_by_age` is derived from is the same as with all.
 */
export async function deriveStatements(
  db: Database,
  { cache, statements = 'all', keepsDays = false, ...known }: StatementOptions,
): Promise<void> {
  await db.run(gatheredTablesSql())
  const banks = await companiesThatAreBanks(db)
  const loaded = await loadedByCompany(db)
  const keyOf = keyOfCompany(banks)
  const keys = cache ? await inputsByCompany(db, { loaded, keyOf, ...known }) : null
  const found = new Set<string>()
  const without = () => new Map([...keys!].filter(([company]) => !found.has(company)))
  let past: PastStatements | null = null
  if (cache && keys) {
    if (keepsDays) past = await PastStatements.open(db, cache, { loaded, keyOf, current: keys })
    for (const step of statements === 'all' ? [gathered] : [gathered, gatheredNewest])
      for (const company of await insertCached(db, cache, step, without())) found.add(company)
    if (statements === 'all')
      for (const company of await insertUnchanged(db, cache, without())) found.add(company)
  }
  const statementsOf = statements === 'all' ? companyStatements : newestStatements
  if (keys === null || [...keys.keys()].some(company => !found.has(company) || past?.isMissing(company)))
    await deriveCompanies(db, { loaded, banks, found, past, statementsOf })
  if (cache && keys) await keepDerived(db, cache, statements === 'all' ? gathered : gatheredNewest, without())
  await db.run(statementTablesSql)
}

interface ToDerive {
  readonly loaded: Map<string, LoadedRow[]>
  readonly banks: ReadonlySet<string>
  /** Those whose statements were found. */
  readonly found: ReadonlySet<string>
  readonly past: PastStatements | null
  readonly statementsOf: (read: CompanyRead) => CompanyStatements
}

/** Derives all companies but those found, and statements of past days that are not stored. */
async function deriveCompanies(
  db: Database,
  { loaded, banks, found, past, statementsOf }: ToDerive,
): Promise<void> {
  const writer = new StatementWriter(db)
  const derive = async (company: string, given: Omit<CompanyFigures, 'bank'>) => {
    const figures = { ...given, bank: banks.has(company) }
    const read = past?.isMissing(company) ? await past.read(company, figures) : readCompany(figures)
    if (!found.has(company)) await writer.add(tablesOf(company, statementsOf(read)))
    // Yields: a server derives past days while it answers queries.
    await yieldToEventLoop()
  }
  const done = new Set([...found].filter(company => !past?.isMissing(company)))
  const links = await CompanyLinks.open(db, done)
  try {
    for await (const [company, facts] of factsByCompany(db, done)) {
      const own = loaded.get(company) ?? []
      loaded.delete(company)
      await derive(company, { facts, loaded: own, links: await links.of(company) })
    }
  } finally {
    await links.close()
  }
  for (const [company, own] of loaded)
    if (!done.has(company)) await derive(company, { facts: [], loaded: own })
  await writer.flush()
  await past?.close()
}

interface CompanyInputs extends FactsByDay {
  readonly loaded: ReadonlyMap<string, readonly LoadedRow[]>
  readonly keyOf: KeyOfCompany
}

/** What the statements of each company are derived from, as a key. */
async function inputsByCompany(
  db: Database,
  { loaded, keyOf, ...known }: CompanyInputs,
): Promise<Map<string, string>> {
  const links = await fingerprintOfRows(db, `FROM in_calculations WHERE role <> ${literal(BALANCE_SHEET)}`)
  const facts = new Map(
    (await factFingerprints(db, known, { withFilings: true })).map(
      ({ company_id, fingerprint, has_links }) => [
        company_id,
        { fingerprint, links: has_links ? links : null },
      ],
    ),
  )
  const companies = new Set([...facts.keys(), ...loaded.keys()])
  return new Map(
    [...companies].map(company => [company, keyOf(company, facts.get(company), loaded.get(company))]),
  )
}

/**
 * The key of a company: its facts, its loaded rows and whether it is a bank. Facts of XBRL files count with all links of
 * linkbases, since those of their document are used with them; all facts with those of their filing's balance sheet.
 */
const keyOfCompany =
  (banks: ReadonlySet<string>): KeyOfCompany =>
  (company, facts, loaded) =>
    createHash('sha256')
      .update(JSON.stringify([company, banks.has(company), facts, loaded]))
      .digest('hex')
