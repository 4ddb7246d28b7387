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
  quarantineSql,
  StatementWriter,
  statementsSql,
  tablesOf,
} from './statement-tables.ts'
import { insertUnchanged, unchangedUntil } from './unchanged-statements.ts'

/** The statements to derive: all of them, or the first and the last version of those that current figures depend on. */
export type StatementVersions = 'all' | 'newest'

interface StatementOptions extends CacheOptions, FactsByDay {
  /** Default all. */
  readonly statements?: StatementVersions
  /** Whether the newest statements of past days are stored too. */
  readonly keepsDays?: boolean
}

interface Inputs {
  readonly banks: ReadonlySet<string>
  readonly loaded: Map<string, LoadedRow[]>
  readonly keyOf: KeyOfCompany
  /** The fingerprint of all links of linkbases. */
  readonly links: string
  /** What the statements of each company are derived from. */
  readonly keys: ReadonlyMap<string, string>
}

async function inputsOf(db: Database, known: FactsByDay): Promise<Inputs> {
  const banks = await companiesThatAreBanks(db)
  const loaded = await loadedByCompany(db)
  const keyOf = keyOfCompany(banks)
  const links = await fingerprintOfRows(db, `FROM in_calculations WHERE role <> ${literal(BALANCE_SHEET)}`)
  const keys = await inputsByCompany(db, { loaded, keyOf, links, ...known })
  return { banks, loaded, keyOf, links, keys }
}

/**
 * `statements_derived`: every version of every quarter and trailing year of every company, from the facts of its
 * filings and from loaded statements, amounts in minor units of `currency`. `statements_left`: periods without a row,
 * and why. `quarantine`: unused figures, and why. `statement_keys`: what the statements of each company are derived from. Only one
 * company is in memory at a time. A company whose inputs are those of an earlier derivation is taken from `options.cache`. With the
 * `newest` statements, only what `companies_by_age` is derived from is the same as with all.
 */
export async function deriveStatements(db: Database, options: StatementOptions): Promise<void> {
  const inputs = await inputsOf(db, options)
  await gather(db, inputs, options)
  const keys = [...inputs.keys]
  await db.run(
    `CREATE OR REPLACE TABLE statement_keys AS
     SELECT unnest(?::JSON::VARCHAR[]) AS company_id, unnest(?::JSON::VARCHAR[]) AS key ORDER BY ALL`,
    [JSON.stringify(keys.map(([company]) => company)), JSON.stringify(keys.map(([, key]) => key))],
  )
  await db.run(`${statementsSql()}; ${quarantineSql}`)
}

const OTHERS = 'other_'

/**
 * `other_statements_derived`: every version of the statements of companies of which they are not those of a later day that were known by
 * then. Returns the companies of which they are.
 * @param later what the statements of each company are derived from on the later day; without companies that are to be derived anyway
 */
export async function deriveOtherStatements(
  db: Database,
  options: StatementOptions,
  later: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const { cache } = options
  const inputs = await inputsOf(db, options)
  const same = cache ? await unchangedUntil(db, cache, inputs.keys, later) : new Set<string>()
  await gather(db, inputs, options, { except: same, prefix: OTHERS })
  await db.run(
    `${statementsSql(OTHERS)}; DROP TABLE ${OTHERS}statements_left; DROP TABLE ${OTHERS}quarantined_figures`,
  )
  return same
}

interface Gathered {
  /** Companies that are left out. */
  readonly except?: ReadonlySet<string>
  /** Of the names of the tables. */
  readonly prefix?: string
}

/** Gathers the statements of companies in tables: stored ones, and those that are derived. */
async function gather(
  db: Database,
  { banks, loaded, keyOf, links, keys }: Inputs,
  { cache, statements = 'all', keepsDays = false }: StatementOptions,
  { except = new Set(), prefix = '' }: Gathered = {},
): Promise<void> {
  await db.run(gatheredTablesSql(prefix))
  const found = new Set<string>(except)
  const without = () => new Map([...keys].filter(([company]) => !found.has(company)))
  let past: PastStatements | null = null
  if (cache) {
    if (keepsDays) past = await PastStatements.open(db, cache, { loaded, keyOf, links, current: keys })
    for (const step of statements === 'all' ? [gathered] : [gatheredNewest, gathered])
      for (const company of await insertCached(db, cache, step, without(), prefix)) found.add(company)
    if (statements === 'all')
      for (const company of await insertUnchanged(db, cache, without(), prefix)) found.add(company)
  }
  const statementsOf = statements === 'all' ? companyStatements : newestStatements
  const missing = [...keys.keys()].filter(company => !found.has(company) || past?.isMissing(company))
  if (missing.length > 0)
    await deriveCompanies(db, { missing: new Set(missing), loaded, banks, found, past, statementsOf, prefix })
  if (cache) await keepDerived(db, cache, statements === 'all' ? gathered : gatheredNewest, without(), prefix)
}

interface ToDerive {
  /** The companies. */
  readonly missing: ReadonlySet<string>
  readonly loaded: ReadonlyMap<string, LoadedRow[]>
  readonly banks: ReadonlySet<string>
  /** Those whose statements were found. */
  readonly found: ReadonlySet<string>
  readonly past: PastStatements | null
  readonly statementsOf: (read: CompanyRead) => CompanyStatements
  readonly prefix: string
}

/** Derives statements that were not found, and those of past days that are not stored. */
async function deriveCompanies(
  db: Database,
  { missing, loaded, banks, found, past, statementsOf, prefix }: ToDerive,
): Promise<void> {
  const writer = new StatementWriter(db, prefix)
  const derive = async (company: string, given: Omit<CompanyFigures, 'bank'>) => {
    const figures = { ...given, bank: banks.has(company) }
    const read = past?.isMissing(company) ? await past.read(company, figures) : readCompany(figures)
    if (!found.has(company)) await writer.add(tablesOf(company, statementsOf(read)))
    // Yields: a server derives past days while it answers queries.
    await yieldToEventLoop()
  }
  const rest = new Set(missing)
  const links = await CompanyLinks.open(db, missing)
  try {
    for await (const [company, facts] of factsByCompany(db, missing)) {
      rest.delete(company)
      await derive(company, { facts, loaded: loaded.get(company) ?? [], links: await links.of(company) })
    }
  } finally {
    await links.close()
  }
  for (const company of rest) {
    const own = loaded.get(company)
    if (own) await derive(company, { facts: [], loaded: own })
  }
  await writer.flush()
  await past?.close()
}

interface CompanyInputs extends FactsByDay, Pick<Inputs, 'keyOf' | 'links'> {
  readonly loaded: ReadonlyMap<string, readonly LoadedRow[]>
}

/** What the statements of each company are derived from, as a key. */
async function inputsByCompany(
  db: Database,
  { loaded, keyOf, links, ...known }: CompanyInputs,
): Promise<Map<string, string>> {
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
