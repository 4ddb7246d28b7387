import { yieldToEventLoop } from '../../base/event-loop.ts'
import { append } from '../../base/lists.ts'
import type { Day } from '../../credit/calendar.ts'
import { type Database, literal } from '../../database/database.ts'
import { tieBreak } from '../../database/tie-break.ts'
import { type CacheOptions, insertCached, keepDerived } from '../cache/derivation-cache.ts'
import { type FactsByDay, factFingerprints } from '../cache/facts-by-day.ts'
import { factsOfCompanies } from '../cache/facts-of-companies.ts'
import { applyCorrections } from '../corrections/corrections.ts'
import { joinCompany } from '../issuers/join-company.ts'
import { dimensionalConcepts } from '../statements/axes.ts'
import { borrowedName } from '../statements/borrowings.ts'
import { mappedConcepts } from '../statements/concepts.ts'
import { debtConcepts } from '../statements/debt-concepts.ts'
import { inOrder } from '../statements/fact-order.ts'
import { type FactRow, filingIdSql } from '../statements/filings.ts'
import { instrumentConcepts, roleOfConcept } from './amounts.ts'
import { type CompanyInstruments, companyInstruments } from './company-debt.ts'
import { companyLines } from './company-lines.ts'
import { hasDebtAxis } from './debt-axes.ts'
import { OF_SERIES } from './earlier-series.ts'
import { filedTermsSql } from './filed-terms.ts'
import { type InstrumentRow, instrumentRows, reconciliationRow } from './instrument-row.ts'
import { type LoadedInstrument, withLoaded } from './loaded-instruments.ts'
import { type MatchableBond, matchBonds } from './match-bonds.ts'
import { withRead } from './read-instruments.ts'
import { reconcilingConcepts } from './reconcile.ts'

const day = (column: string) => `CAST(${column} - DATE '1970-01-01' AS INTEGER)`

/** Filings known more than this before a company's newest with debt axes say nothing of its debt now. */
const DAYS_BACK = 800

/** The facts of filings that tag debt by instrument: those of debt, and those its total is read from. */
const factsSql = (facts: string): string => `
  WITH tagged AS (
    SELECT cik, ${filingIdSql('f')} AS filing, max(known_from) AS known
    FROM ${facts} f WHERE dimensions IS NOT NULL AND ${hasDebtAxis} GROUP BY ALL),
  recent AS (
    SELECT filing FROM tagged
    QUALIFY coalesce(known, DATE '0001-01-01') >= coalesce(max(known) OVER (PARTITION BY cik), DATE '0001-01-01') - INTERVAL ${DAYS_BACK} DAY)
  SELECT c.company_id, f.cik, f.concept, f.unit, ${day('f.period_start')} AS period_start, ${day('f.period_end')} AS period_end,
    f.value, CAST(f.decimals AS INTEGER) AS decimals, f.accession, f.form, f.fiscal_period, ${day('f.report_date')} AS report_date,
    ${day('f.filed_date')} AS filed_date, ${day('f.known_from')} AS known_from, f.source, f.dimensions
  FROM ${facts} f JOIN company_of_cik c USING (cik)
  WHERE c.company_id IN (SELECT unnest(?::JSON::VARCHAR[])) AND ${filingIdSql('f')} IN (SELECT filing FROM recent) AND NOT coalesce(f.dates_rounded, FALSE) AND CASE
    WHEN f.dimensions IS NULL THEN f.period_start IS NULL AND (f.concept IN (SELECT unnest(?::JSON::VARCHAR[]))
      OR NOT starts_with(f.concept, 'us-gaap:') AND regexp_matches(f.concept, ${literal(`${borrowedName}|debt|notes`)}, 'i'))
    WHEN ${hasDebtAxis} THEN f.concept IN (SELECT unnest(?::JSON::VARCHAR[])) OR NOT starts_with(f.concept, 'us-gaap:')
    ELSE f.period_start IS NULL AND f.concept IN (SELECT unnest(?::JSON::VARCHAR[])) END`

const commitments = instrumentConcepts.filter(concept =>
  ['commitment', 'undrawn'].includes(roleOfConcept(concept) ?? ''),
)
const plainConcepts = [
  ...new Set([...mappedConcepts, ...debtConcepts, ...reconcilingConcepts, ...commitments]),
]
const taggedConcepts = [...new Set([...instrumentConcepts, ...debtConcepts])]

/** The values of `factsSql` for some companies. */
const factsValues = (companies: Iterable<string>): string[] =>
  [[...companies], plainConcepts, taggedConcepts, dimensionalConcepts].map(each => JSON.stringify(each))

const rowColumns = {
  id: 'VARCHAR',
  company_id: 'VARCHAR',
  name: 'VARCHAR',
  issuer: 'VARCHAR',
  instrument_type: 'VARCHAR',
  seniority: 'VARCHAR',
  security_type: 'VARCHAR',
  is_group: 'BOOLEAN',
  principal: 'BIGINT',
  carrying_amount: 'BIGINT',
  commitment: 'BIGINT',
  drawn: 'BIGINT',
  undrawn: 'BIGINT',
  currency: 'VARCHAR',
  rate_type: 'VARCHAR',
  coupon_rate: 'DOUBLE',
  effective_rate: 'DOUBLE',
  benchmark: 'VARCHAR',
  spread_bps: 'DOUBLE',
  floor_bps: 'DOUBLE',
  maturity: 'VARCHAR',
  callable: 'BOOLEAN',
  call_schedule: 'VARCHAR',
  make_whole_bps: 'DOUBLE',
  par_call_date: 'VARCHAR',
  change_of_control_price: 'DOUBLE',
  guarantors: 'VARCHAR',
  ended_on: 'VARCHAR',
  ended_because: 'VARCHAR',
  balance_date: 'VARCHAR',
  is_counted: 'BOOLEAN',
  is_current: 'BOOLEAN',
  part_of: 'VARCHAR',
  balance_null_because: 'VARCHAR',
  denomination: 'VARCHAR',
  member: 'VARCHAR',
  cusip: 'VARCHAR',
  isin: 'VARCHAR',
  form: 'VARCHAR',
  accession: 'VARCHAR',
  source: 'VARCHAR',
  known_from: 'VARCHAR',
  bond_id: 'VARCHAR',
  match_null_because: 'VARCHAR',
  evidence: 'VARCHAR',
} as const

const sumColumns = {
  company_id: 'VARCHAR',
  balance_date: 'VARCHAR',
  currency: 'VARCHAR',
  tagged_debt: 'BIGINT',
  instruments: 'BIGINT',
  instruments_sum: 'BIGINT',
  finance_leases: 'BIGINT',
  lines_without_instruments: 'BIGINT',
  unamortized_discount: 'BIGINT',
  hedge_adjustment: 'BIGINT',
  tagged_in_other_unit: 'BIGINT',
  likely_causes: 'VARCHAR',
  basis: 'VARCHAR',
  form: 'VARCHAR',
  accession: 'VARCHAR',
  debt_read_as: 'VARCHAR',
  lines: 'VARCHAR',
  known_from: 'VARCHAR',
  is_latest: 'BOOLEAN',
  is_original: 'BOOLEAN',
} as const

type Written = Readonly<Record<string, unknown>>

/**
 * `instruments_base`: the debt instruments of every company, from its filings and as loaded, matched to bonds.
 * `reconciliations_base`: how they add up to its tagged debt, as most recently and as first filed. Only one company is in memory at a time.
 */
export async function deriveInstrumentsOfDebt(db: Database, options: CacheOptions): Promise<void> {
  await create(db, 'instrument_rows', rowColumns)
  await create(db, 'reconciliation_rows', sumColumns)
  const loaded = await loadedByCompany(db)
  const rows: InstrumentRow[] = []
  const sums: Written[] = []
  for (const { company, instruments, sums: found } of await filedDebt(db, options)) {
    const own = loaded.get(company) ?? []
    append(rows, withLoaded(company, withRead(company, instruments, own), own))
    loaded.delete(company)
    append(sums, found)
  }
  for (const [company, own] of loaded) append(rows, withLoaded(company, withRead(company, [], own), own))
  await insert(db, 'instrument_rows', rowColumns, await matched(db, rows))
  await insert(db, 'reconciliation_rows', sumColumns, sums)
  await db.run(`
    CREATE OR REPLACE TABLE instruments_base AS
    SELECT * REPLACE (CAST(par_call_date AS DATE) AS par_call_date, CAST(balance_date AS DATE) AS balance_date, CAST(ended_on AS DATE) AS ended_on,
      CAST(known_from AS DATE) AS known_from, CAST(CAST(guarantors AS JSON) AS VARCHAR[]) AS guarantors),
      CASE WHEN length(maturity) = 10 THEN CAST(maturity AS DATE) END AS maturity_date,
      CAST(maturity[1:4] AS BIGINT) AS maturity_year
    FROM instrument_rows;
    CREATE OR REPLACE TABLE reconciliations_base AS
    SELECT * REPLACE (CAST(balance_date AS DATE) AS balance_date, CAST(known_from AS DATE) AS known_from,
      CAST(CAST(likely_causes AS JSON) AS VARCHAR[]) AS likely_causes)
    FROM reconciliation_rows;
    DROP TABLE instrument_rows;
    DROP TABLE reconciliation_rows`)
  await applyCorrections(db, 'instruments', 'instruments_base')
  await db.run(`
    UPDATE instruments_base SET maturity = CAST(maturity_date AS VARCHAR), maturity_year = year(maturity_date)
    WHERE corrections IS NOT NULL AND maturity_date IS NOT NULL;
    ${filedTermsSql}`)
}

/** What the filings of a company tag of its debt, before loaded rows and bonds are considered. */
interface FiledDebt {
  readonly company: string
  readonly instruments: readonly InstrumentRow[]
  /** How they add up, as most recently and as first filed: one row if these are the same. */
  readonly sums: readonly Written[]
}

/** The debt that companies tag in filings. One whose facts are those of an earlier derivation is taken from the cache. */
async function filedDebt(db: Database, { cache, ...given }: CacheOptions & FactsByDay): Promise<FiledDebt[]> {
  const filed = { step: 'debt', tables: ['filed_debt'] }
  await create(db, 'filed_debt', { company_id: 'VARCHAR', filed: 'VARCHAR' })
  const fingerprints = await factFingerprints(db, given, { withFilings: false })
  const keys = new Map(
    fingerprints.map(({ company_id, fingerprint }) => [company_id, `${company_id} ${fingerprint}`]),
  )
  const known = cache ? await insertCached(db, cache, filed, keys) : new Set<string>()
  const others = new Map([...keys].filter(([company]) => !known.has(company)))
  if (others.size > 0) {
    const companies: string[] = []
    const texts: string[] = []
    for await (const [company, facts] of factsByCompany(db, new Set(others.keys()))) {
      const debt = companyInstruments(facts)
      companies.push(company)
      texts.push(
        JSON.stringify({
          company,
          instruments: debt ? [...instrumentRows(company, debt), ...companyLines(company, debt.table)] : [],
          sums: debt ? sumsOf(company, debt) : [],
        } satisfies FiledDebt),
      )
      // Yields: a server derives past days while it answers queries.
      await yieldToEventLoop()
    }
    await db.append('filed_debt', [companies, texts], companies.length)
  }
  if (cache) await keepDerived(db, cache, filed, others)
  const rows = await db.rows<{ filed: string }>('SELECT filed FROM filed_debt ORDER BY company_id')
  await db.run('DROP TABLE filed_debt')
  return rows.map(({ filed }) => JSON.parse(filed) as FiledDebt)
}

function sumsOf(company: string, { table, first }: CompanyInstruments): Written[] {
  const latest = reconciliationRow(company, table)
  if (first.filing.id === table.filing.id) return [{ ...latest, is_latest: true, is_original: true }]
  return [
    { ...latest, is_latest: true, is_original: false },
    { ...reconciliationRow(company, first), is_latest: false, is_original: true },
  ]
}

const create = (db: Database, table: string, columns: Readonly<Record<string, string>>): Promise<void> =>
  db.run(
    `CREATE OR REPLACE TABLE ${table} (${Object.entries(columns).map(([name, type]) => `${name} ${type}`)})`,
  )

const insert = (
  db: Database,
  table: string,
  columns: Readonly<Record<string, string>>,
  rows: readonly Written[],
): Promise<void> =>
  db.append(
    table,
    Object.entries(columns).map(([name, type]) =>
      rows.map(row => (type === 'BIGINT' && row[name] !== null ? BigInt(row[name] as number) : row[name])),
    ),
    rows.length,
  )

/**
 * Joins each instrument to its bond, and takes identifiers and an exact maturity from it. Series that only texts name
 * are joined to bonds that are no other instrument's.
 */
async function matched(db: Database, rows: readonly InstrumentRow[]): Promise<Written[]> {
  const bonds = await bondsByCompany(db, [...new Set(rows.map(({ company_id }) => company_id))])
  const byCompany = byCompanyId(rows)
  return [...byCompany].flatMap(([company, own]) => {
    const those = bonds.get(company) ?? []
    const found = matchBonds(own.filter(row => !row.isTermsOnly).map(matchable), those)
    const taken = new Set([...found.values()].map(({ bond }) => bond))
    const left = those.filter(({ id }) => !taken.has(id))
    for (const match of matchBonds(own.filter(row => row.isTermsOnly).map(matchable), left))
      found.set(...match)
    return own.map(({ evidence, isTermsOnly, facility: _, isDescribed: __, isOnlyIfNone: ___, ...row }) => {
      const match = found.get(row.id)!
      const bond = those.find(({ id }) => id === match.bond)
      const said = {
        ...evidence,
        match: {
          by: match.by,
          bond: match.bond,
          said: row.maturity,
          ...(isTermsOnly === true && { terms_only: true }),
        },
      }
      return {
        ...row,
        maturity: bond?.maturity ?? row.maturity,
        cusip: row.cusip ?? bond?.cusip ?? null,
        isin: row.isin ?? bond?.isin ?? null,
        bond_id: match.bond,
        match_null_because: match.nullBecause,
        evidence: JSON.stringify(said),
      }
    })
  })
}

const LOANS = new Set(['commercial_paper', 'term_loan', 'term_loan_a', 'term_loan_b', 'revolver', 'loan'])

const matchable = (row: InstrumentRow) => ({
  id: row.id,
  cusip: row.cusip,
  isin: row.isin,
  coupon: row.coupon_rate,
  isFloating: row.rate_type === 'floating',
  maturity: row.maturity,
  denomination: row.denomination,
  isGroup: row.is_group,
  isRepeat: !row.is_current && !row.isTermsOnly,
  isLoan: LOANS.has(row.instrument_type ?? ''),
})

async function bondsByCompany(
  db: Database,
  companies: readonly string[],
): Promise<Map<string, MatchableBond[]>> {
  const rows = await db.rows<
    Omit<MatchableBond, 'isFloating'> & { company_id: string; structure: string | null }
  >(
    `SELECT company_id, id, cusip, isin, coupon_rate AS coupon, CAST(maturity_date AS VARCHAR) AS maturity, currency,
       coalesce(rate_structure, rate_type) AS structure
     FROM bonds_base WHERE company_id IN (SELECT unnest(?::JSON::VARCHAR[])) ORDER BY company_id, id`,
    [JSON.stringify(companies)],
  )
  return byCompanyId(rows.map(({ structure, ...row }) => ({ ...row, isFloating: structure === 'floating' })))
}

function byCompanyId<T extends { readonly company_id: string }>(rows: readonly T[]): Map<string, T[]> {
  const companies = new Map<string, T[]>()
  for (const row of rows) {
    const those = companies.get(row.company_id)
    if (those) those.push(row)
    else companies.set(row.company_id, [row])
  }
  return companies
}

const statesTerms = ['seniority', 'security_type', 'principal', 'callable', 'par_call_date', 'make_whole_bps']
  .map(field => `e.${field} IS NOT NULL`)
  .join(' OR ')

/** The newest row of each instrument, and earlier ones of a series of notes, whose terms the newest may not repeat. */
async function loadedByCompany(db: Database): Promise<Map<string, LoadedInstrument[]>> {
  const rows = await db.rows<LoadedInstrument>(`
    SELECT company.company_id AS company_id, e.* EXCLUDE (ticker, cik, company_name, ingested_at)
      REPLACE (CAST(maturity_date AS VARCHAR) AS maturity_date, CAST(par_call_date AS VARCHAR) AS par_call_date,
        CAST(balance_date AS VARCHAR) AS balance_date, CAST(ended_on AS VARCHAR) AS ended_on, CAST(e.known_from AS VARCHAR) AS known_from, CAST(call_schedule AS VARCHAR) AS call_schedule),
      row_number() OVER (PARTITION BY company.company_id, coalesce(e.instrument_id, e.cusip, e.isin, e.name)
        ORDER BY e.known_from DESC NULLS LAST, e.ingested_at DESC, e.source, ${tieBreak('e')}) > 1 AS is_earlier
    FROM in_instruments e ${joinCompany('e')}
    WHERE company.company_id IS NOT NULL
    QUALIFY NOT is_earlier OR (e.rule IN (${[...OF_SERIES].map(literal).join(', ')}) AND e.coupon_rate IS NOT NULL AND (${statesTerms}))
    ORDER BY company_id, name, e.source, e.evidence_offset NULLS FIRST, ${tieBreak('e')}`)
  return byCompanyId(rows)
}

async function* factsByCompany(
  db: Database,
  those: ReadonlySet<string>,
): AsyncGenerator<[string, FactRow[]]> {
  let company: string | null = null
  let facts: FactRow[] = []
  for await (const { names, columns, rowCount } of db.stream(
    `${factsSql(await factsOfCompanies(db, those))} ORDER BY company_id`,
    factsValues(those),
  )) {
    const column = (name: string) => columns[names.indexOf(name)]! as readonly never[]
    const all = Object.fromEntries(names.map(name => [name, column(name)]))
    for (let i = 0; i < rowCount; i++) {
      const at = (name: string) => all[name]![i]!
      if (at('company_id') !== company) {
        if (company !== null) yield [company, inOrder(facts)]
        company = at('company_id')
        facts = []
      }
      facts.push({
        cik: at('cik'),
        concept: at('concept'),
        unit: at('unit'),
        start: at('period_start') as Day | null,
        end: at('period_end'),
        value: at('value'),
        decimals: at('decimals'),
        accession: at('accession'),
        form: at('form'),
        fiscalYear: null,
        fiscalPeriod: at('fiscal_period'),
        report: at('report_date'),
        filed: at('filed_date'),
        known: at('known_from'),
        rounded: false,
        source: at('source'),
        dimensions: at('dimensions'),
      })
    }
  }
  if (company !== null) yield [company, inOrder(facts)]
}
