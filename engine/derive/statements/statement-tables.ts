import { append } from '../../base/lists.ts'
import type { Database } from '../../database/database.ts'
import type { CachedStep } from '../cache/derivation-cache.ts'
import { ALWAYS } from './filings.ts'
import { amountUnit } from './minor-units.ts'
import type { CompanyStatements } from './rows.ts'
import { figureNames, type StatementRow } from './statement-row.ts'

// Small enough to bound the memory of `_explain` texts.
const ROWS_AT_ONCE = 2_048

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

/** The tables in which statements are gathered, by company. */
const gatheredColumns = {
  statement_rows: columns,
  statements_left: { company_id: 'VARCHAR', period_end_day: 'INTEGER', reason: 'VARCHAR' },
  quarantined_figures: quarantineColumns,
}
const gatheredTables = Object.keys(gatheredColumns) as (keyof typeof gatheredColumns)[]
export const gathered: CachedStep = { step: 'statements', tables: gatheredTables }
export const gatheredNewest: CachedStep = { step: 'newest_statements', tables: gatheredTables }

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
export type Tables = Readonly<Record<keyof typeof gatheredColumns, readonly (readonly unknown[])[]>>

/** @param of values of the columns that come first: `key` and `year` of past days */
export const tablesOf = (
  company: string,
  { rows, left, quarantined }: CompanyStatements,
  of: readonly unknown[] = [],
): Tables => ({
  statement_rows: rows.map(row => [...of, ...valuesOf(company, row)]),
  statements_left: left.map(({ end, reason }) => [...of, company, end, reason]),
  quarantined_figures: quarantined.map(q => [
    ...of,
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

/** Makes them; for past days by the key of what was known and its year. */
export const gatheredTablesSql = (prefix = '', { ofDays = false } = {}): string =>
  Object.entries(gatheredColumns)
    .map(([name, columns]) => {
      const all = { ...(ofDays && { cache_key: 'VARCHAR', year: 'INTEGER' }), ...columns }
      return `CREATE OR REPLACE TABLE ${prefix}${name} (${Object.entries(all).map(([column, type]) => `${column} ${type}`)})`
    })
    .join('; ')

const transposed = (rows: readonly (readonly unknown[])[]): unknown[][] =>
  (rows[0] ?? []).map((_, j) => rows.map(row => row[j]))

/** Appends companies to the tables in parts that bound the memory of texts. */
export class StatementWriter {
  private readonly db: Database
  private readonly prefix: string
  private readonly pending: Record<keyof Tables, (readonly unknown[])[]> = {
    statement_rows: [],
    statements_left: [],
    quarantined_figures: [],
  }

  /** @param prefix of the names of the tables */
  constructor(db: Database, prefix = '') {
    this.db = db
    this.prefix = prefix
  }

  async add(tables: Tables): Promise<void> {
    for (const name of gatheredTables) append(this.pending[name], tables[name])
    if (this.pending.statement_rows.length >= ROWS_AT_ONCE) await this.flush()
  }

  async flush(): Promise<void> {
    for (const name of gatheredTables) {
      const rows = this.pending[name]
      if (rows.length > 0) await this.db.append(`${this.prefix}${name}`, transposed(rows), rows.length)
      rows.length = 0
    }
  }
}

const date = (name: string) => `DATE '1970-01-01' + ${name}`

/** `statements_derived`, from the rows that were gathered. */
export const statementsSql = (prefix = ''): string => `
    CREATE OR REPLACE TABLE ${prefix}statements_derived AS
    SELECT company_id, fiscal_year, fiscal_quarter, basis, version, ${date('period_end_day')} AS period_end_date,
      filing_type, ${date('filed_day')} AS filed_date, ${date('known_day')} AS known_from, accession, currency, amount_unit,
      ${figureNames.map(name => `CAST(${name} AS BIGINT) AS ${name}`).join(', ')},
      is_annualized, ebitda_estimated, ebitda_source, ebitda_quarters,
      CASE WHEN ttm_quarters = '' THEN [] ELSE string_split(ttm_quarters, ',') END AS ttm_quarters,
      leverage_ratio, leverage_reason, net_leverage_ratio, interest_coverage, captive_finance, is_original, is_latest, explain
    FROM ${prefix}statement_rows;
    DROP TABLE ${prefix}statement_rows`

export const quarantineSql = `
    CREATE OR REPLACE TABLE quarantine AS
    SELECT q.dataset, q.company_id, c.ticker, c.coverage, q.item, ${date('start_day')} AS period_start, ${date('end_day')} AS period_end,
      q.value, q.unit, q.reason, q.accession, q.source, ${date('known_day')} AS known_from
    FROM quarantined_figures q JOIN companies_base c USING (company_id);
    DROP TABLE quarantined_figures`
