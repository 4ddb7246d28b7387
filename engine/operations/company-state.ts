import { NO_MAX_AGE } from '../credit/max-age.ts'
import { companies, companiesByAge } from '../schema/resources/companies.ts'
import type { Context } from './operation.ts'

export type Row = Readonly<Record<string, unknown>>

/** What is known of a company by the close of a day. */
export interface CompanyState {
  readonly day: string
  /** Null where the company was not known. */
  readonly company: Row | null
  /**
   * Its bonds and loans, and those that are its own in the state it is compared with. What only prices speak of,
   * without terms or an issuer, does not count as outstanding.
   */
  readonly bonds: readonly Row[]
  readonly entities: readonly Row[]
  /** The newest rating of each agency, type and instrument. */
  readonly ratings: readonly Row[]
  /** Lists of prices of which some day was known. */
  readonly lists: ReadonlySet<string>
  /** One row a filing, whichever of filings, statements and documents tells of it. */
  readonly filings: readonly Row[]
}

/** The figures of a company that are compared: every amount, ratio, count and length of time, but how old it is. */
export const metrics = Object.entries(companies.columns)
  .filter(
    ([name, { kind }]) =>
      !name.startsWith('_') && !name.endsWith('_age_days') && /^(cents|ratio|years|integer)$/.test(kind),
  )
  .map(([name]) => name)

export const isAmount = (metric: string): boolean =>
  companies.columns[metric as keyof typeof companies.columns].kind === 'cents'

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

/** The states of one company, by its id today, on two days. */
export async function readStates(
  days: readonly [Context, Context],
  company: Row,
): Promise<[CompanyState, CompanyState]> {
  await Promise.all(days.map(day => day.tables(...read)))
  const ids = await Promise.all(days.map(day => idOn(day, company)))
  const own = await Promise.all(days.map((day, i) => bondsOf(day, ids[i]!)))
  const instruments = [...new Set(own.flat())]
  const states = days.map((day, i) => readState(day, ids[i]!, instruments))
  return Promise.all(states) as Promise<[CompanyState, CompanyState]>
}

/** A company may have had another id before a source told of its ticker: its CIK, LEI or ticker finds it. */
async function idOn({ database }: Context, company: Row): Promise<string | null> {
  const { company_id, cik, lei, ticker } = company as Record<string, string | null>
  const [found] = await database.rows<{ company_id: string }>(
    `SELECT company_id FROM stored.companies WHERE company_id = $1 OR cik = $2 OR lei = $3 OR ticker = $4
     ORDER BY company_id = $1 DESC, coalesce(cik = $2, FALSE) DESC, coalesce(lei = $3, FALSE) DESC, company_id LIMIT 1`,
    [company_id!, cik ?? null, lei ?? null, ticker ?? null],
  )
  return found?.company_id ?? null
}

const bondsOf = async ({ database }: Context, id: string | null): Promise<string[]> => {
  const rows = await database.rows<{ id: string }>('SELECT id FROM stored.bonds WHERE company_id = ?', [id])
  return rows.map(row => row.id)
}

async function readState(
  { database, asOf }: Context,
  id: string | null,
  instruments: readonly string[],
): Promise<CompanyState> {
  const rows = (sql: string, values: readonly (string | null)[] = [id]) => database.rows<Row>(sql, values)
  const bondsWanted = instruments.map(() => '?').join(', ') || 'NULL'
  const [[company], bonds, entities, ratings, lists] = await Promise.all([
    // Whatever their age: that figures grow old changes nothing about the company.
    rows(
      `SELECT company_id, ticker, name, cik, currency, period_end_date, ${metrics.join(', ')}, _explain
       FROM stored.${companiesByAge.table} WHERE company_id = ? AND max_age_to = ${NO_MAX_AGE} AND rating_max_age_to = ${NO_MAX_AGE}`,
    ),
    rows(
      `WITH first_price AS (
         SELECT bond_id, CAST(min(date) AS VARCHAR) AS date, arg_min(list_name, date) AS list FROM stored.pricing_history
         WHERE bond_id IN (${bondsWanted}) GROUP BY bond_id)
       SELECT id, other_ids, name, cusip, isin, seniority, coupon_rate, maturity_date, coalesce(issue_date, accrual_date) AS issue_date, currency, outstanding, status, json_extract_string(_explain, '$.terms.from') AS source,
         f.date AS first_price_date, f.list AS first_price_list,
         is_active AND (company_id IS NOT NULL OR maturity_date IS NOT NULL) AS is_active, known_from, "pricing.last_price" AS last_price, "pricing.last_trade_date" AS last_trade_date,
         "pricing.ytm" AS ytm, "pricing.spread" AS spread, "pricing.price_source" AS price_source, _explain
       FROM stored.bonds LEFT JOIN first_price f ON f.bond_id = id WHERE id IN (${bondsWanted}) ORDER BY maturity_date, id`,
      [...instruments, ...instruments],
    ),
    rows(
      `SELECT id, name, entity_type, jurisdiction, parent_id, is_guarantor, source FROM stored.entities
       WHERE company_id = $1 AND (removed_date IS NULL OR removed_date > CAST($2 AS DATE)) ORDER BY name, id`,
      [id, asOf],
    ),
    rows(
      `SELECT id, agency, rating_type, cusip, rating, rating_rank, outlook, effective_date, known_from, source FROM stored.ratings
       WHERE company_id = ? QUALIFY row_number() OVER (PARTITION BY agency, rating_type, cusip
         ORDER BY rating_date DESC NULLS LAST, known_from DESC NULLS LAST, id) = 1
       ORDER BY agency, rating_type, cusip`,
    ),
    rows('SELECT DISTINCT list_name FROM stored.prices WHERE list_name IS NOT NULL', []),
  ])
  // Facts are filed by CIK; a company without one has only what its documents and statements say.
  const filings = await rows(
    `WITH told AS (
       SELECT 1 AS place, accession, form, filed_date, report_date, items, source_url AS url, source FROM stored.filings
       WHERE cik = $2
       UNION ALL BY NAME
       SELECT 2 AS place, accession, filing_type AS form, filed_date, period_end_date AS report_date FROM stored.financials
       WHERE company_id = $1 AND accession IS NOT NULL AND filed_date IS NOT NULL
       UNION ALL BY NAME
       SELECT 3 AS place, coalesce(accession, doc_type || ' ' || coalesce(filing_date, known_from)) AS accession,
         doc_type AS form, filing_date AS filed_date, period_end_date AS report_date, source_url AS url, source
       FROM stored.documents WHERE company_id = $1)
     SELECT accession, first(form ORDER BY place, filed_date, form) AS form, min(filed_date) AS filed_date,
       first(report_date ORDER BY place, report_date DESC) FILTER (WHERE report_date IS NOT NULL) AS report_date,
       max(items) AS items, first(url ORDER BY place, url) FILTER (WHERE url IS NOT NULL) AS url, min(source) AS source
     FROM told GROUP BY accession ORDER BY filed_date NULLS LAST, accession`,
    [id, (company?.['cik'] ?? null) as string | null],
  )
  return {
    day: asOf,
    company: company ?? null,
    bonds,
    entities,
    ratings,
    lists: new Set(lists.map(row => String(row['list_name']))),
    filings,
  }
}
