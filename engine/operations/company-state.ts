import { elementAt } from '../base/elements.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import { NO_MAX_AGE } from '../credit/max-age.ts'
import { type Database, literal } from '../database/database.ts'
import type { Column } from '../schema/column.ts'
import { companies, companiesByAge } from '../schema/resources/companies.ts'
import type { CompanyTables, Context } from './operation.ts'
import type { KnownCompany } from './resolve/bond-index.ts'

export type Row = Readonly<Record<string, unknown>>

/** What was known of a company at the close of a day. */
export interface CompanyState {
  readonly day: string
  /** Null if the company was not known. */
  readonly company: Row | null
  /**
   * Its bonds and loans, and those linked to it on the compared day. Instruments known only from prices, without
   * terms or an issuer, do not count as outstanding.
   */
  readonly bonds: readonly Row[]
  readonly entities: readonly Row[]
  /** The newest rating per agency, type and instrument. */
  readonly ratings: readonly Row[]
  /** Price lists known by the day. */
  readonly lists: ReadonlySet<string>
  /** One row per filing, from filings, statements or documents. */
  readonly filings: readonly Row[]
}

/** The company figures to compare: every amount, ratio, count and duration, except their age. */
export const metrics = Object.entries(companies.columns)
  .filter(
    ([name, { kind }]) =>
      !name.startsWith('_') && !name.endsWith('_age_days') && /^(cents|ratio|years|integer)$/.test(kind),
  )
  .map(([name]) => name)

export const columnOf = (metric: string): Column =>
  companies.columns[metric as keyof typeof companies.columns]
export const isAmount = (metric: string): boolean => columnOf(metric).kind === 'cents'

const read = [
  'companies',
  companiesByAge.table,
  'bonds',
  'pricing_history',
  'prices',
  'entities',
  'ratings',
  'documents',
  'financials',
  'filings',
]

/** A company's states on two days, identified as of today; `explain` adds the sources of figures. */
export async function readStates(
  context: Context,
  days: readonly [string, string],
  company: Row,
  explain: boolean,
): Promise<[CompanyState, CompanyState]> {
  const sources = await Promise.all(days.map(day => sourceOf(context, day, company, explain)))
  const ids = await Promise.all(sources.map(source => source.idOf(company)))
  const own = await Promise.all(sources.map((source, i) => source.bondsOf(elementAt(ids, i))))
  const instruments = [...new Set(own.flat())]
  const states = sources.map((source, i) => source.state(elementAt(ids, i), instruments))
  return Promise.all(states) as Promise<[CompanyState, CompanyState]>
}

export type CompanyIdentity = Pick<KnownCompany, 'company_id' | 'ticker' | 'name' | 'cik' | 'lei'>

/** The identifiers of a company on a day: id, ticker, name, CIK and LEI. */
export async function identityOf(day: Context, id: string): Promise<CompanyIdentity> {
  return (await identities(day)).get(id)!
}

/** The same of every company, by id. */
export async function identities(day: Context): Promise<ReadonlyMap<string, CompanyIdentity>> {
  const { byId } = await day.cached('identities of companies', async () => {
    const known = await day.companyNames()
    return {
      byId: new Map(
        known.map(({ company_id, ticker, name, cik, lei }) => [
          company_id,
          { company_id, ticker, name, cik, lei },
        ]),
      ),
      bytes: known.length * BYTES_A_ROW,
    }
  })
  return byId
}

/** Where the states of a day are read from. */
interface StateSource {
  /** A company may have had another id before a source gave its ticker; its CIK, LEI or ticker finds it. */
  idOf(company: Row): MaybePromise<string | null>
  bondsOf(id: string | null): MaybePromise<readonly string[]>
  state(id: string | null, instruments: readonly string[]): MaybePromise<CompanyState>
}

/**
 * Days queried so far: the first query of a day reads one company's rows, the second loads those of all companies.
 */
const narrowed = new WeakSet<Database>()

async function sourceOf(
  context: Context,
  asOf: string,
  company: Row,
  explain: boolean,
): Promise<StateSource> {
  const own = await context.own(asOf, { company: company['company_id'] as string })
  const alone = own ? null : await context.companyAt(asOf, company['company_id'] as string, read)
  if (alone) return oneCompanyAlone(alone, explain)
  const day = own ?? (await context.at(asOf))
  if (!read.every(name => day.isReady(name))) await day.tables(...read)
  if (explain) return oneCompany(day, true)
  if (narrowed.has(day.database)) return day.cached('states of companies', () => allCompanies(day))
  narrowed.add(day.database)
  return oneCompany(day, false)
}

/** The statements that read company states: of one company if narrowed by `only`, else of all. */
const statements = (asOf: string, only: { company: string; bonds: string }, explain: boolean) => {
  const explained = explain ? ', _explain' : ''
  return {
    // Figures of any age: ageing is no change of the company.
    companies: `SELECT company_id, ticker, name, cik, currency, period_end_date, ${metrics.join(', ')}${explained}
      FROM stored.${companiesByAge.table} WHERE ${only.company} AND is_latest AND max_age_to = ${NO_MAX_AGE} AND rating_max_age_to = ${NO_MAX_AGE}`,
    bonds: `WITH first_price AS (
        SELECT bond_id, CAST(min(date) AS VARCHAR) AS date, arg_min(list_name, date) AS list FROM stored.pricing_history
        WHERE ${only.bonds.replace('id', 'bond_id')} GROUP BY bond_id)
      SELECT id, other_ids, name, display_name, cusip, isin, seniority, coupon_rate, maturity_date, coalesce(issue_date, accrual_date) AS issue_date, currency, outstanding, status, json_extract_string(_explain, '$.terms.from') AS source,
        f.date AS first_price_date, f.list AS first_price_list,
        is_active AND (company_id IS NOT NULL OR maturity_date IS NOT NULL) AS is_active, retired_from, "pricing.last_price" AS last_price, "pricing.last_trade_date" AS last_trade_date,
        "pricing.ytm" AS ytm, "pricing.spread" AS spread, "pricing.price_source" AS price_source${explained}
      FROM stored.bonds LEFT JOIN first_price f ON f.bond_id = id WHERE ${only.bonds} ORDER BY maturity_date, id`,
    entities: `SELECT id, name, entity_type, jurisdiction, parent_id, is_guarantor, source, company_id FROM stored.entities
      WHERE ${only.company} AND (removed_date IS NULL OR removed_date > DATE '${asOf}') ORDER BY name, id`,
    ratings: `SELECT id, agency, rating_type, cusip, rating, rating_rank, outlook, effective_date, known_from, source, company_id FROM stored.ratings
      WHERE ${only.company} QUALIFY row_number() OVER (PARTITION BY company_id, agency, rating_type, cusip
        ORDER BY rating_date DESC NULLS LAST, known_from DESC NULLS LAST, id) = 1
      ORDER BY agency, rating_type, cusip`,
    lists: 'SELECT DISTINCT list_name FROM stored.prices WHERE list_name IS NOT NULL',
    // Facts are keyed by CIK; a company without one has only its documents and statements.
    filings: `WITH whose AS (SELECT DISTINCT company_id, cik FROM stored.${companiesByAge.table} WHERE ${only.company}),
      told AS (
        SELECT company_id, 1 AS place, accession, form, filed_date, report_date, items, source_url AS url, source
        FROM stored.filings JOIN whose USING (cik)
        UNION ALL BY NAME
        SELECT company_id, 2 AS place, accession, filing_type AS form, filed_date, period_end_date AS report_date FROM stored.financials
        WHERE ${only.company} AND accession IS NOT NULL AND filed_date IS NOT NULL
        UNION ALL BY NAME
        SELECT company_id, 3 AS place, coalesce(accession, doc_type || ' ' || coalesce(filing_date, known_from)) AS accession,
          doc_type AS form, filing_date AS filed_date, period_end_date AS report_date, source_url AS url, source
        FROM stored.documents WHERE ${only.company})
      SELECT company_id, accession, first(form ORDER BY place, filed_date, form) AS form, min(filed_date) AS filed_date,
        first(report_date ORDER BY place, report_date DESC) FILTER (WHERE report_date IS NOT NULL) AS report_date,
        max(items) AS items, first(url ORDER BY place, url) FILTER (WHERE url IS NOT NULL) AS url, min(source) AS source
      FROM told WHERE company_id IS NOT NULL GROUP BY company_id, accession ORDER BY filed_date NULLS LAST, accession`,
  }
}

/** Finds a company by its id, CIK, LEI or ticker, in this order. */
async function findCompany(database: Database, table: string, company: Row): Promise<string | null> {
  const { company_id, cik, lei, ticker } = company as Record<string, string | null>
  const [found] = await database.rows<{ company_id: string }>(
    `SELECT company_id FROM ${table} WHERE company_id = $1 OR cik = $2 OR lei = $3 OR ticker = $4
     ORDER BY company_id = $1 DESC, coalesce(cik = $2, FALSE) DESC, coalesce(lei = $3, FALSE) DESC, company_id LIMIT 1`,
    [company_id!, cik ?? null, lei ?? null, ticker ?? null],
  )
  return found?.company_id ?? null
}

async function bondsOf(database: Database, table: string, id: string | null): Promise<string[]> {
  const rows = await database.rows<{ id: string }>(`SELECT id FROM ${table} WHERE company_id = ?`, [id])
  return rows.map(row => row.id)
}

/** Reads one company's rows per query. */
const oneCompany = ({ database, asOf }: Context, explain: boolean): StateSource => ({
  idOf: company => findCompany(database, 'stored.companies', company),
  bondsOf: id => bondsOf(database, 'stored.bonds', id),
  state: (id, instruments) => readState(database, asOf, id, instruments, explain),
})

/** What was read of single companies on a day: few, because the day is derived whole for more. */
const alone = new WeakMap<Database, Map<string, unknown>>()

/** A value of the database of a day, read once. Callers do not share a reading: each has limits of its own. */
async function readOnce<T>(database: Database, of: readonly unknown[], make: () => Promise<T>): Promise<T> {
  const all = alone.get(database) ?? new Map<string, unknown>()
  alone.set(database, all)
  const key = JSON.stringify(of)
  if (!all.has(key)) all.set(key, await make())
  return all.get(key) as T
}

/** The same where only one company's rows are derived. */
function oneCompanyAlone(day: CompanyTables, explain: boolean): StateSource {
  return {
    async idOf(company) {
      const database = await day.database()
      return readOnce(database, ['id', company], () => findCompany(database, 'all_companies_base', company))
    },
    async bondsOf(id) {
      const database = await day.database()
      return readOnce(database, ['bonds', id], () => bondsOf(database, 'all_bonds_base', id))
    },
    async state(id, instruments) {
      const bonds = [...instruments].sort()
      return readOnce(await day.database(), ['state', id, bonds, explain], () =>
        day.narrowed({ company: id, bonds }, database =>
          readState(database, day.asOf, id, instruments, explain),
        ),
      )
    },
  }
}

async function readState(
  database: Database,
  asOf: string,
  id: string | null,
  instruments: readonly string[],
  explain: boolean,
): Promise<CompanyState> {
  const company = id === null ? 'FALSE' : `company_id = ${literal(id)}`
  const bonds = instruments.length === 0 ? 'FALSE' : `id IN (${instruments.map(literal).join(', ')})`
  const sql = statements(asOf, { company, bonds }, explain)
  const rows = (text: string) => database.rows<Row>(text)
  const [[found], ofBonds, entities, ratings, lists, filings] = await Promise.all([
    rows(sql.companies),
    rows(sql.bonds),
    rows(sql.entities),
    rows(sql.ratings),
    rows(sql.lists),
    rows(sql.filings),
  ])
  return {
    day: asOf,
    company: found ?? null,
    bonds: ofBonds,
    entities: entities.map(withoutCompany),
    ratings: ratings.map(withoutCompany),
    lists: listsIn(lists),
    filings: filings.map(withoutCompany),
  }
}

/** Approximate bytes per row of the tables below. */
const BYTES_A_ROW = 400

/** The states of all companies on a day in memory, by company. */
async function allCompanies({ database, asOf }: Context): Promise<StateSource & { bytes: number }> {
  const sql = statements(asOf, { company: 'TRUE', bonds: 'TRUE' }, false)
  const rows = (text: string) => database.rows<Row>(text)
  const [companies, bonds, owners, entities, ratings, lists, filings, identities] = await Promise.all([
    rows(sql.companies),
    rows(sql.bonds),
    rows('SELECT id, company_id FROM stored.bonds WHERE company_id IS NOT NULL'),
    rows(sql.entities),
    rows(sql.ratings),
    rows(sql.lists),
    rows(sql.filings),
    rows('SELECT company_id, cik, lei, ticker FROM stored.companies ORDER BY company_id'),
  ])
  const byCompany = {
    company: new Map(companies.map(row => [row['company_id'], row])),
    bonds: grouped(owners, 'company_id', row => row['id'] as string),
    entities: grouped(entities, 'company_id', withoutCompany),
    ratings: grouped(ratings, 'company_id', withoutCompany),
    filings: grouped(filings, 'company_id', withoutCompany),
  }
  const shownLists = listsIn(lists)
  const bondsById = new Map(bonds.map((row, place) => [row['id'] as string, { row, place }]))
  const known = new Map(identities.map(row => [row['company_id'], row]))
  const by = {
    cik: grouped(identities, 'cik', own),
    lei: grouped(identities, 'lei', own),
    ticker: grouped(identities, 'ticker', own),
  }
  const counted = [companies, bonds, owners, entities, ratings, filings, identities]
  return {
    bytes: BYTES_A_ROW * counted.reduce((sum, { length }) => sum + length, 0),
    idOf({ company_id, cik, lei, ticker }) {
      if (known.has(company_id)) return company_id as string
      const ofCik = by.cik.get(cik) ?? []
      const found =
        ofCik.find(row => lei != null && row['lei'] === lei) ??
        ofCik[0] ??
        by.lei.get(lei)?.[0] ??
        by.ticker.get(ticker)?.[0]
      return (found?.['company_id'] ?? null) as string | null
    },
    bondsOf: id => byCompany.bonds.get(id) ?? [],
    state: (id, instruments) => ({
      day: asOf,
      company: byCompany.company.get(id) ?? null,
      bonds: instruments
        .flatMap(bond => bondsById.get(bond) ?? [])
        .sort((a, b) => a.place - b.place)
        .map(({ row }) => row),
      entities: byCompany.entities.get(id) ?? [],
      ratings: byCompany.ratings.get(id) ?? [],
      lists: shownLists,
      filings: byCompany.filings.get(id) ?? [],
    }),
  }
}

const own = (row: Row): Row => row
const withoutCompany = ({ company_id: _, ...row }: Row): Row => row
const listsIn = (rows: readonly Row[]): ReadonlySet<string> =>
  new Set(rows.map(row => String(row['list_name'])))

/** Rows by a column's value; rows with null are left out. */
function grouped<T>(rows: readonly Row[], column: string, value: (row: Row) => T): Map<unknown, T[]> {
  const groups = new Map<unknown, T[]>()
  for (const row of rows) {
    const key = row[column] ?? null
    if (key === null) continue
    const group = groups.get(key)
    if (group) group.push(value(row))
    else groups.set(key, [value(row)])
  }
  return groups
}
