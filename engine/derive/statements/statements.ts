// Indices below are within bounds by construction: checks would cost in the loops.

import { createHash } from 'node:crypto'
import { yieldToEventLoop } from '../../base/event-loop.ts'
import { append } from '../../base/lists.ts'
import { type Database, literal } from '../../database/database.ts'
import { BALANCE_SHEET } from '../../schema/datasets/calculations.ts'
import {
  type CachedStep,
  type CacheOptions,
  fingerprintOfRows,
  insertCached,
  keepDerived,
} from '../cache/derivation-cache.ts'
import { type FactsByDay, factFingerprints } from '../cache/facts-by-day.ts'
import { dimensionalConcepts } from './axes.ts'
import { borrowedName, isCompanyLine } from './borrowings.ts'
import { companyFlowName, companyFlowOf } from './company-flows.ts'
import { mappedConcepts } from './concepts.ts'
import { compare, inOrder } from './fact-order.ts'
import { ALWAYS, type FactRow } from './filings.ts'
import { CompanyLinks } from './links.ts'
import type { LoadedRow } from './loaded-row.ts'
import { amountUnit } from './minor-units.ts'
import { type CompanyFigures, type CompanyStatements, companyStatements, newestStatements } from './rows.ts'
import { figureNames, type StatementRow } from './statement-row.ts'

// Small enough to bound the memory of `_explain` texts.
const ROWS_AT_ONCE = 2_048

// XBRL began in 2009 and covers at most the decade before: an earlier date is a typo.
const EARLIEST = "DATE '1980-01-01'"

const day = (column: string) => `CAST(${column} - DATE '1970-01-01' AS INTEGER)`

// Proxy statements and plan reports tag single figures of the year, sometimes in other units than the accounts.
const notAccounts = "coalesce(f.form, '') SIMILAR TO '(DEF|PRE|11-K).*'"

/** Company figures used by items; balances of its debt under its own names or by part. */
const isRead = `CASE
  WHEN f.dimensions IS NULL AND f.concept IN (SELECT unnest(?::JSON::VARCHAR[])) THEN TRUE
  WHEN f.period_start IS NOT NULL
    THEN f.dimensions IS NULL AND NOT starts_with(f.concept, 'us-gaap:') AND regexp_matches(f.concept, ${literal(companyFlowName)}, 'i')
  WHEN f.dimensions IS NOT NULL AND f.concept IN (SELECT unnest(?::JSON::VARCHAR[])) THEN TRUE
  ELSE NOT starts_with(f.concept, 'us-gaap:') AND regexp_matches(f.concept, ${literal(borrowedName)}, 'i') END`

/**
 * Operating income that is the sum of the segments' and not revenue less costs: the total of segments, before what the
 * company does not allocate to them. It is no operating income of the company.
 */
const segmentTotals = `
  WITH operating AS (
    SELECT cik, concept, dimensions, unit, accession, period_start, period_end, max(value) AS value FROM in_facts
    WHERE period_start IS NOT NULL AND (
      concept = 'us-gaap:OperatingIncomeLoss' AND (dimensions IS NULL OR regexp_full_match(dimensions, 'us-gaap:StatementBusinessSegmentsAxis=[^;]+'))
      OR dimensions IS NULL AND concept IN ('us-gaap:Revenues', 'us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax', 'us-gaap:CostsAndExpenses'))
    GROUP BY ALL),
  segment_totals AS MATERIALIZED (
    SELECT cik, unit, accession, period_start, period_end, max(value) FILTER (WHERE dimensions IS NULL AND concept = 'us-gaap:OperatingIncomeLoss') AS total,
      sum(value) FILTER (WHERE dimensions IS NOT NULL) AS segments, max(value) FILTER (WHERE concept LIKE '%Revenue%') AS revenue,
      max(value) FILTER (WHERE concept = 'us-gaap:CostsAndExpenses') AS costs
    FROM operating GROUP BY ALL
    HAVING count(*) FILTER (WHERE dimensions IS NOT NULL) > 1 AND abs(total - segments) <= 0.001 * abs(total) AND abs(revenue - costs - total) > 0.1 * abs(total))`

const factsSql = `${segmentTotals}
  SELECT c.company_id, f.cik, f.concept, f.unit, ${day('f.period_start')} AS period_start, ${day('f.period_end')} AS period_end,
    f.value, CAST(f.decimals AS INTEGER) AS decimals, f.accession, coalesce(f.form, g.form) AS form,
    CAST(f.fiscal_year AS INTEGER) AS fiscal_year, f.fiscal_period,
    ${day('coalesce(f.report_date, g.report_date)')} AS report_date, ${day('f.filed_date')} AS filed_date,
    ${day('f.known_from')} AS known_from, coalesce(f.dates_rounded, FALSE) AS dates_rounded, f.source,
    f.dimensions
  FROM in_facts f JOIN company_of_cik c USING (cik)
  LEFT JOIN (SELECT accession, min(form) AS form, min(report_date) AS report_date FROM in_filings GROUP BY accession) g
    ON g.accession = f.accession
  WHERE c.company_id NOT IN (SELECT unnest(?::JSON::VARCHAR[])) AND ${isRead} AND regexp_full_match(f.unit, '[A-Z]{3}') AND f.period_end >= ${EARLIEST} AND coalesce(f.period_start >= ${EARLIEST}, TRUE)
    AND NOT ${notAccounts}
    AND NOT (f.concept = 'us-gaap:OperatingIncomeLoss' AND EXISTS (FROM segment_totals t WHERE t.cik = f.cik AND t.unit = f.unit
      AND t.accession IS NOT DISTINCT FROM f.accession AND t.period_start = f.period_start AND t.period_end = f.period_end AND t.total = f.value))`

/** The values of `factsSql`, for all companies but some. */
const factsValues = (except: Iterable<string>): string[] =>
  [[...except], mappedConcepts, dimensionalConcepts].map(each => JSON.stringify(each))

const loadedSql = `
  SELECT l.company_id, CAST(s.fiscal_year AS INTEGER) AS fiscal_year, CAST(s.fiscal_quarter AS INTEGER) AS fiscal_quarter,
    CAST(coalesce(s.period_months, 3) AS INTEGER) AS period_months, ${day('s.period_end_date')} AS period_end_date,
    coalesce(s.currency, 'USD') AS currency, s.filing_type, ${day('s.filed_date')} AS filed_date,
    ${day('s.known_from')} AS known_from, s.accession, s.source, ${figureNames.map(name => `CAST(s.${name} AS DOUBLE) AS ${name}`).join(', ')}
  FROM in_financials s JOIN company_link l ON l.ticker IS NOT DISTINCT FROM s.ticker AND l.cik IS NOT DISTINCT FROM s.cik
    AND l.company_name IS NOT DISTINCT FROM s.company_name AND l.lei IS NULL
  ORDER BY l.company_id`

const columns = {
  company_id: 'VARCHAR',
  fiscal_year: 'INTEGER',
  fiscal_quarter: 'INTEGER',
  basis: 'VARCHAR',
  version: 'INTEGER',
  period_end_day: 'INTEGER',
  filing_type: 'VARCHAR',
  filed_day: 'INTEGER',
  known_day: 'INTEGER',
  accession: 'VARCHAR',
  currency: 'VARCHAR',
  amount_unit: 'VARCHAR',
  ...Object.fromEntries(figureNames.map(name => [name, 'DOUBLE'])),
  is_annualized: 'BOOLEAN',
  ebitda_estimated: 'BOOLEAN',
  ebitda_source: 'VARCHAR',
  ebitda_quarters: 'INTEGER',
  ttm_quarters: 'VARCHAR',
  leverage_ratio: 'DOUBLE',
  leverage_reason: 'VARCHAR',
  net_leverage_ratio: 'DOUBLE',
  interest_coverage: 'DOUBLE',
  captive_finance: 'VARCHAR',
  is_original: 'BOOLEAN',
  is_latest: 'BOOLEAN',
  explain: 'VARCHAR',
}

const quarantineColumns = {
  dataset: 'VARCHAR',
  company_id: 'VARCHAR',
  item: 'VARCHAR',
  start_day: 'INTEGER',
  end_day: 'INTEGER',
  value: 'DOUBLE',
  unit: 'VARCHAR',
  reason: 'VARCHAR',
  accession: 'VARCHAR',
  source: 'VARCHAR',
  known_day: 'INTEGER',
}

const dayOrNull = (value: number | null) => (value === ALWAYS ? null : value)

const valuesOf = (company: string, row: StatementRow): unknown[] => [
  company,
  row.fiscalYear,
  row.fiscalQuarter,
  row.basis,
  row.version,
  row.end,
  row.filingType,
  dayOrNull(row.filing.filed),
  dayOrNull(row.known),
  row.filing.accession,
  row.currency,
  amountUnit(row.currency),
  ...row.amounts,
  row.annualized,
  row.estimated,
  row.ebitdaSource,
  row.ebitdaQuarters,
  row.ttmQuarters.join(','),
  row.leverage,
  row.leverageReason,
  row.netLeverage,
  row.coverage,
  row.captiveFinance,
  row.original,
  row.latest,
  row.explain,
]

/** Rows of the three tables that a company's statements become. */
interface Tables {
  readonly rows: readonly (readonly unknown[])[]
  readonly left: readonly (readonly unknown[])[]
  readonly quarantined: readonly (readonly unknown[])[]
}

const tablesOf = (company: string, { rows, left, quarantined }: CompanyStatements): Tables => ({
  rows: rows.map(row => valuesOf(company, row)),
  left: left.map(({ end, reason }) => [company, end, reason]),
  quarantined: quarantined.map(q => [
    q.dataset,
    company,
    q.item,
    q.start,
    q.end,
    q.value,
    q.unit,
    q.reason,
    q.accession,
    q.source,
    dayOrNull(q.known),
  ]),
})

/** Appends companies to the tables in parts that bound the memory of texts. */
class StatementWriter {
  private readonly db: Database
  private readonly pending: Record<keyof Tables, (readonly unknown[])[]> = {
    rows: [],
    left: [],
    quarantined: [],
  }

  constructor(db: Database) {
    this.db = db
  }

  async add(tables: Tables): Promise<void> {
    for (const part of ['rows', 'left', 'quarantined'] as const) append(this.pending[part], tables[part])
    if (this.pending.rows.length >= ROWS_AT_ONCE) await this.flush()
  }

  async flush(): Promise<void> {
    const { rows, left, quarantined } = this.pending
    await this.db.append('statement_rows', transposed(rows, Object.keys(columns).length), rows.length)
    await this.db.append('statements_left', transposed(left, 3), left.length)
    const width = Object.keys(quarantineColumns).length
    await this.db.append('quarantined_figures', transposed(quarantined, width), quarantined.length)
    rows.length = left.length = quarantined.length = 0
  }
}

/** The tables in which statements are gathered, by company. */
const gatheredTables = ['statement_rows', 'statements_left', 'quarantined_figures']
const gathered: CachedStep = { step: 'statements', tables: gatheredTables }
const gatheredNewest: CachedStep = { step: 'newest_statements', tables: gatheredTables }

/** The statements to derive: all of them, or the first and the last version of those that current figures depend on. */
export type StatementVersions = 'all' | 'newest'

interface StatementOptions extends CacheOptions, FactsByDay {
  /** Default all. */
  readonly statements?: StatementVersions
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
  { cache, statements = 'all', ...known }: StatementOptions,
): Promise<void> {
  const types = (of: Readonly<Record<string, string>>) =>
    Object.entries(of).map(([name, type]) => `${name} ${type}`)
  await db.run(`
    CREATE OR REPLACE TABLE statement_rows (${types(columns)});
    CREATE OR REPLACE TABLE statements_left (company_id VARCHAR, period_end_day INTEGER, reason VARCHAR);
    CREATE OR REPLACE TABLE quarantined_figures (${types(quarantineColumns)})`)
  const banks = await companiesThatAreBanks(db)
  const loaded = await loadedByCompany(db)
  const keys = cache ? await inputsByCompany(db, { loaded, banks, ...known }) : null
  const found = new Set<string>()
  const without = () => new Map([...keys!].filter(([company]) => !found.has(company)))
  if (cache && keys)
    for (const step of statements === 'all' ? [gathered] : [gathered, gatheredNewest])
      for (const company of await insertCached(db, cache, step, without())) found.add(company)
  for (const company of found) loaded.delete(company)
  const statementsOf = statements === 'all' ? companyStatements : newestStatements
  if (keys === null || found.size < keys.size)
    await deriveCompanies(db, { loaded, banks, known: found, statementsOf })
  if (cache && keys) await keepDerived(db, cache, statements === 'all' ? gathered : gatheredNewest, without())
  await db.run(statementTablesSql)
}

interface ToDerive {
  readonly loaded: Map<string, LoadedRow[]>
  readonly banks: ReadonlySet<string>
  readonly known: ReadonlySet<string>
  readonly statementsOf: (figures: CompanyFigures) => CompanyStatements
}

/** Derives all companies but those known. */
async function deriveCompanies(
  db: Database,
  { loaded, banks, known, statementsOf }: ToDerive,
): Promise<void> {
  const writer = new StatementWriter(db)
  const derive = async (company: string, figures: Omit<CompanyFigures, 'bank'>) => {
    await writer.add(tablesOf(company, statementsOf({ ...figures, bank: banks.has(company) })))
    // Yields: a server derives past days while it answers queries.
    await yieldToEventLoop()
  }
  const links = await CompanyLinks.open(db, known)
  try {
    for await (const [company, facts] of factsByCompany(db, known)) {
      const own = loaded.get(company) ?? []
      loaded.delete(company)
      await derive(company, { facts, loaded: own, links: await links.of(company) })
    }
  } finally {
    await links.close()
  }
  for (const [company, own] of loaded) await derive(company, { facts: [], loaded: own })
  await writer.flush()
}

const date = (name: string) => `DATE '1970-01-01' + ${name}`
const statementTablesSql = `
    CREATE OR REPLACE TABLE statements_derived AS
    SELECT company_id, fiscal_year, fiscal_quarter, basis, version, ${date('period_end_day')} AS period_end_date,
      filing_type, ${date('filed_day')} AS filed_date, ${date('known_day')} AS known_from, accession, currency, amount_unit,
      ${figureNames.map(name => `CAST(${name} AS BIGINT) AS ${name}`).join(', ')},
      is_annualized, ebitda_estimated, ebitda_source, ebitda_quarters,
      CASE WHEN ttm_quarters = '' THEN [] ELSE string_split(ttm_quarters, ',') END AS ttm_quarters,
      leverage_ratio, leverage_reason, net_leverage_ratio, interest_coverage, captive_finance, is_original, is_latest, explain
    FROM statement_rows;
    CREATE OR REPLACE TABLE quarantine AS
    SELECT q.dataset, q.company_id, c.ticker, c.coverage, q.item, ${date('start_day')} AS period_start, ${date('end_day')} AS period_end,
      q.value, q.unit, q.reason, q.accession, q.source, ${date('known_day')} AS known_from
    FROM quarantined_figures q JOIN companies_base c USING (company_id);
    DROP TABLE statement_rows;
    DROP TABLE quarantined_figures`

interface CompanyInputs extends FactsByDay {
  readonly loaded: ReadonlyMap<string, readonly LoadedRow[]>
  readonly banks: ReadonlySet<string>
}

/**
 * What the statements of each company are derived from, as a key: its facts, its loaded rows and whether it is a bank.
 * Facts of XBRL files count with all links of linkbases, since those of their document are used with them; all facts with
 * those of their filing's balance sheet.
 */
async function inputsByCompany(
  db: Database,
  { loaded, banks, ...known }: CompanyInputs,
): Promise<Map<string, string>> {
  const links = await fingerprintOfRows(db, `FROM in_calculations WHERE role <> ${literal(BALANCE_SHEET)}`)
  const facts = new Map(
    (await factFingerprints(db, known, { withFilings: true })).map(
      ({ company_id, fingerprint, has_links }) => [company_id, [fingerprint, has_links && links]],
    ),
  )
  const companies = new Set([...facts.keys(), ...loaded.keys()])
  return new Map(
    [...companies].map(company => {
      const inputs = [company, banks.has(company), facts.get(company), loaded.get(company)]
      return [company, createHash('sha256').update(JSON.stringify(inputs)).digest('hex')]
    }),
  )
}

const transposed = (rows: readonly (readonly unknown[])[], width: number): unknown[][] =>
  Array.from({ length: width }, (_, j) => rows.map(row => row[j]))

/** Of SIC 6000 to 6499, but neither bank nor insurer: exchanges, advisers, and brokers of insurance, who owe nothing to customers. */
const EARN_FEES = ['6200', '6282', '6289', '6411']

/** Lenders, miners of currencies and holders of others' shares alike: of these, the companies that lend. */
const SOME_LEND = '6199'
const LENDING = [
  'Deposits',
  'InterestIncomeExpenseNet',
  'ProvisionForLoanLeaseAndOtherLosses',
  'ProvisionForLoanAndLeaseLosses',
  'ProvisionForLoanLossesExpensed',
]

/** By SIC 6000 to 6499, or by sector and industry where there is no SIC. */
async function companiesThatAreBanks(db: Database): Promise<Set<string>> {
  const rows = await db.rows<{ company_id: string }>(`
    SELECT company_id FROM companies_base
    WHERE CASE WHEN sic = ${literal(SOME_LEND)} THEN company_id IN (SELECT k.company_id FROM in_facts f JOIN company_of_cik k USING (cik)
        WHERE f.concept IN (${LENDING.map(name => literal(`us-gaap:${name}`)).join(', ')}))
      WHEN sic IS NOT NULL THEN try_cast(sic AS INTEGER) BETWEEN 6000 AND 6499 AND sic NOT IN (${EARN_FEES.map(literal).join(', ')})
      WHEN industry IS NOT NULL THEN regexp_matches(industry, 'bank|insur|thrift|savings institution|consumer finance', 'i')
      ELSE regexp_matches(coalesce(sector, ''), 'bank|insur|^financial', 'i') END`)
  return new Set(rows.map(row => row.company_id))
}

const standard: ReadonlySet<string> = new Set([...mappedConcepts, ...dimensionalConcepts])

/** The facts of each company but those of `known`. */
async function* factsByCompany(db: Database, known: Iterable<string>): AsyncGenerator<[string, FactRow[]]> {
  let company: string | null = null
  let facts: FactRow[] = []
  for await (const { names, columns, rowCount } of db.stream(
    `${factsSql} ORDER BY company_id`,
    factsValues(known),
  )) {
    const at = (name: string) => columns[names.indexOf(name)]! as readonly never[]
    const companies: readonly string[] = at('company_id')
    const [cik, concept, unit, accession, form, fiscalPeriod, source, dimensions] = (
      ['cik', 'concept', 'unit', 'accession', 'form', 'fiscal_period', 'source', 'dimensions'] as const
    ).map(at)
    const [start, end, value, decimals, fiscalYear, report, filed, known, rounded] = (
      [
        'period_start',
        'period_end',
        'value',
        'decimals',
        'fiscal_year',
        'report_date',
        'filed_date',
        'known_from',
        'dates_rounded',
      ] as const
    ).map(at)
    for (let i = 0; i < rowCount; i++) {
      if (companies[i] !== company) {
        if (company !== null) yield [company, inOrder(facts)]
        company = companies[i]!
        facts = []
      }
      // The query selects names that sound like debt or costs; only those that mean it are used.
      if (!standard.has(concept![i]!) && !isOwnLine(concept![i]!, start![i]!)) continue
      facts.push({
        cik: cik![i]!,
        concept: concept![i]!,
        unit: unit![i]!,
        start: start![i]!,
        end: end![i]!,
        value: value![i]!,
        decimals: decimals![i]!,
        accession: accession![i]!,
        form: form![i]!,
        fiscalYear: fiscalYear![i]!,
        fiscalPeriod: fiscalPeriod![i]!,
        report: report![i]!,
        filed: filed![i]!,
        known: known![i]!,
        rounded: rounded![i]!,
        source: source![i]!,
        dimensions: dimensions![i]!,
      })
    }
  }
  if (company !== null) yield [company, inOrder(facts)]
}

/** Whether an element of the filer is a balance of its debt, or a flow that is read by its name. */
const isOwnLine = (concept: string, start: number | null): boolean =>
  start === null ? isCompanyLine(concept) : companyFlowOf(concept) !== null

/** A loaded statement row as DuckDB returns it, with its figures; each value is converted by its declared type. */
type LoadedFields = Readonly<
  Record<
    | 'company_id'
    | 'fiscal_year'
    | 'fiscal_quarter'
    | 'period_months'
    | 'period_end_date'
    | 'currency'
    | 'filing_type'
    | 'filed_date'
    | 'known_from'
    | 'accession'
    | 'source',
    never
  >
> &
  Readonly<Record<string, unknown>>

async function loadedByCompany(db: Database): Promise<Map<string, LoadedRow[]>> {
  const companies = new Map<string, LoadedRow[]>()
  for (const row of await db.rows<LoadedFields>(loadedSql)) {
    const rows = companies.get(row.company_id) ?? []
    rows.push({
      fiscalYear: row.fiscal_year,
      fiscalQuarter: row.fiscal_quarter,
      months: row.period_months,
      end: row.period_end_date,
      currency: row.currency,
      form: row.filing_type,
      filed: row.filed_date,
      known: row.known_from,
      accession: row.accession,
      source: row.source,
      figures: Object.fromEntries(figureNames.map(name => [name, row[name]])) as LoadedRow['figures'],
    })
    companies.set(row.company_id, rows)
  }
  for (const rows of companies.values())
    rows.sort(
      (a, b) =>
        a.end - b.end ||
        a.months - b.months ||
        (a.known ?? ALWAYS) - (b.known ?? ALWAYS) ||
        compare(JSON.stringify(a), JSON.stringify(b)),
    )
  return companies
}
