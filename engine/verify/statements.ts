import { addDays } from '../base/days.ts'
import { largest } from '../base/lists.ts'
import { type Database, literal } from '../database/database.ts'
import { borrowedName } from '../derive/statements/borrowings.ts'
import { companyFlowName } from '../derive/statements/company-flows.ts'
import { bankItems, mappedConcepts } from '../derive/statements/concepts.ts'
import { minorUnits } from '../derive/statements/minor-units.ts'
import type { Difference, Workbench } from './recomputation.ts'
import {
  all,
  type Explanation,
  type Figures,
  items,
  overlooked,
  type Row,
  restated,
  Sources,
  type StoredStatement,
} from './statement-facts.ts'
import { type Statement, statementOf } from './statement-proof.ts'
import { dayOf, grouped, RowBuffer, records } from './workbench.ts'

const marginParts = {
  gross_margin: 'gross_profit',
  operating_margin: 'operating_income',
  ebitda_margin: 'ebitda',
  net_margin: 'net_income',
}
const shareOf = (part: number | null | undefined, whole: number | null | undefined): number | null =>
  part == null || whole == null || whole <= 0 ? null : (part / whole) * 100

const labelsBack = (year: number, quarter: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => {
    const at = year * 4 + quarter - 1 - (count - 1 - i)
    return `${Math.floor(at / 4)}Q${(at % 4) + 1}`
  })

interface MadeStatement {
  readonly [column: string]: string | number | boolean | null
}

const numbers = [
  ...all,
  ...Object.keys(marginParts),
  'free_cash_flow',
  'leverage_ratio',
  'net_leverage_ratio',
  'interest_coverage',
]
const quality = '_metadata.leverage_data_quality.'
const columns: Readonly<Record<string, string>> = {
  ticker: 'VARCHAR',
  known_from: 'VARCHAR',
  company_id: 'VARCHAR',
  basis: 'VARCHAR',
  currency: 'VARCHAR',
  period_end_date: 'VARCHAR',
  fiscal_year: 'INTEGER',
  fiscal_quarter: 'INTEGER',
  version: 'INTEGER',
  ...Object.fromEntries(numbers.map(name => [name, 'DOUBLE'])),
  is_annualized: 'BOOLEAN',
  ebitda_estimated: 'BOOLEAN',
  is_original: 'BOOLEAN',
  is_latest: 'BOOLEAN',
  is_newest: 'BOOLEAN',
  newest_to: 'VARCHAR',
  valid_from: 'VARCHAR',
  valid_to: 'VARCHAR',
  is_bank: 'BOOLEAN',
  [`${quality}ebitda_source`]: 'VARCHAR',
  [`${quality}ebitda_quarters`]: 'INTEGER',
  [`${quality}is_annualized`]: 'BOOLEAN',
  [`${quality}ebitda_estimated`]: 'BOOLEAN',
  [`${quality}ttm_quarters`]: 'VARCHAR',
}

type Say = (
  row: StoredStatement,
  field: string,
  stored: number | null,
  cause: string,
  recomputed: number | null,
) => void

/**
 * `made_financials`: every figure from the facts it cites, which must be in the batches; every ratio from the
 * figures.
 */
export async function makeStatements(
  { db }: Workbench,
  report: (difference: Difference) => void,
): Promise<void> {
  const banks = await readBanks(db)
  const made = await RowBuffer.table<MadeStatement>(db, 'made_financials', columns)
  const say: Say = (row, field, stored, cause, recomputed) => {
    const amount = (value: number | null) =>
      value === null ? null : String(value * minorUnits(row.currency))
    report({
      dataset: 'financials',
      key: [row.company_id, row.fiscal_year, row.fiscal_quarter, row.basis, row.version].join(' '),
      field,
      stored: amount(stored),
      recomputed: amount(recomputed),
      difference: null,
      cause,
    })
  }
  for await (const group of grouped(readRows(db), r => r.company_id)) {
    const storedRows = group
      .filter(row => row.tag === 'kept')
      .map((row): StoredStatement => ({ ...row, explanation: JSON.parse(row.explain) as Explanation }))
    const [first] = storedRows
    if (!first) continue
    const sources = new Sources(
      group
        .filter(row => row.tag !== 'kept')
        .map(row => (row.tag === 'loaded' ? { ...row, value: row.value / minorUnits(row.currency) } : row)),
    )
    const isBank = banks.has(first.company_id)
    const statements = storedRows.map(row =>
      statementOf(row, sources, (field, value, fault) => say(row, field, value, fault, null)),
    )
    for (const row of statements) {
      if (row.version === lastVersion(statements, row)) sayWhatIsMissing(row, sources, isBank, say)
      await made.add(rowOf(row, statements, isBank))
    }
  }
  await made.flush()
}

/** Reports figures that were restated, and figures missing from the row that a filing states. */
function sayWhatIsMissing(row: Statement, sources: Sources, isBank: boolean, say: Say): void {
  for (const item of items) {
    const value = row.figures[item] ?? null
    const later = restated(row, item, sources)
    if (later) {
      const cause = `${later.concept} was restated by ${later.accession} on ${later.known}`
      say(row, item, value, cause, later.value)
    }
    if (value !== null || (bankItems.has(item) && !isBank)) continue
    const found = overlooked(row, item, sources)
    if (found)
      say(row, item, null, `${found.concept} of ${found.accession} states it for the period`, found.value)
  }
}

/** The companies whose statements are those of a bank or insurer. */
async function readBanks(db: Database): Promise<ReadonlySet<string>> {
  await db.run(`CREATE TABLE bank AS SELECT DISTINCT k.company_id FROM kept_companies k
    LEFT JOIN (SELECT ticker, cik, name, max(sic) AS sic FROM raw_companies GROUP BY ALL) c
      ON c.cik = k.cik OR (c.cik IS NULL AND c.ticker = k.ticker) OR (c.cik IS NULL AND c.ticker IS NULL AND c.name = k.name)
    LEFT JOIN (SELECT cik, max(sic) AS sic FROM raw_directory GROUP BY cik) d ON d.cik = k.cik
    WHERE CASE WHEN coalesce(c.sic, d.sic) IS NOT NULL THEN try_cast(coalesce(c.sic, d.sic) AS INTEGER) >= 6000 AND try_cast(coalesce(c.sic, d.sic) AS INTEGER) < 6500
        AND coalesce(c.sic, d.sic) NOT IN ('6200', '6282', '6289', '6411')
        AND (coalesce(c.sic, d.sic) <> '6199' OR k.cik IN (SELECT cik FROM raw_facts WHERE concept IN ('us-gaap:Deposits', 'us-gaap:InterestIncomeExpenseNet')
          OR regexp_matches(concept, '^us-gaap:ProvisionForLoan(Lease)?(LossesExpensed|AndOtherLosses|AndLeaseLosses)$')))
      WHEN k.industry IS NOT NULL THEN regexp_matches(lower(k.industry), 'bank|insur|thrift|savings institution|consumer finance')
      ELSE regexp_matches(lower(k.sector), 'bank|insur|^financial') END`)
  return new Set((await db.rows<{ company_id: string }>('FROM bank')).map(row => row.company_id))
}

/** The statements of the snapshot, the facts of filings and the loaded figures, by company. */
const readRows = (db: Database): AsyncIterable<Row> =>
  records<Row>(
    db,
    `WITH filer AS (SELECT cik, min(company_id) AS company_id FROM (
        SELECT cik, company_id FROM company_of WHERE cik IS NOT NULL
        UNION ALL SELECT cik, company_id FROM kept_companies WHERE cik IS NOT NULL) GROUP BY cik),
      concepts AS (SELECT unnest([${mappedConcepts.map(literal).join(', ')}]) AS concept),
      stated AS (SELECT * FROM raw_facts WHERE concept IN (FROM concepts)
        OR (NOT starts_with(concept, 'us-gaap:') AND regexp_matches(concept, ${literal(`${borrowedName}|${companyFlowName}`)}, 'i')))
    SELECT company_id, 'kept' AS tag, CAST(known_from AS VARCHAR) AS known, accession, currency, NULL AS start, ${dayOf('period_end_date')} AS "end",
      CAST(fiscal_year AS INTEGER) AS fiscal_year, CAST(fiscal_quarter AS INTEGER) AS fiscal_quarter, basis, CAST(version AS INTEGER) AS version,
      _explain AS explain, NULL AS concept, NULL AS source, CAST(NULL AS DOUBLE) AS value, CAST(NULL AS INTEGER) AS months, NULL AS dimensions FROM kept_financials
    UNION ALL
    SELECT f.company_id, 'fact', CAST(r.known_from AS VARCHAR), r.accession, r.unit, ${dayOf('r.period_start')}, ${dayOf('r.period_end')},
      NULL, NULL, NULL, NULL, NULL, r.concept, r.source, r.value, NULL, r.dimensions
    FROM stated r JOIN filer f USING (cik)
    UNION ALL
    SELECT who.company_id, 'loaded', CAST(r.known_from AS VARCHAR), r.accession, coalesce(r.currency, 'USD'), NULL, ${dayOf('r.period_end_date')},
      NULL, NULL, NULL, NULL, NULL, r.item, r.source, CAST(r.amount AS DOUBLE), CAST(coalesce(r.period_months, 3) AS INTEGER), NULL
    FROM (SELECT ticker, cik, company_name, source, known_from, accession, currency, period_end_date, period_months, unnest([
        ${all.map(item => `{'item': 'statement:${item}', 'amount': ${item}}`).join(', ')}], recursive := true) FROM raw_financials) r
    JOIN company_of who ON who.ticker IS NOT DISTINCT FROM r.ticker AND who.cik IS NOT DISTINCT FROM r.cik
      AND who.name IS NOT DISTINCT FROM r.company_name AND who.lei IS NULL
    WHERE r.amount IS NOT NULL
    ORDER BY company_id`,
  )

function rowOf(row: Statement, statements: readonly Statement[], bank: boolean): MadeStatement {
  const minor = minorUnits(row.currency)
  const trailing =
    row.basis === 'ttm'
      ? row
      : statements
          .filter(s => s.basis === 'ttm' && isSamePeriod(s, row) && (s.known ?? '') <= (row.known ?? ''))
          .reduce<Statement | undefined>(
            (last, s) => (last && last.version > s.version ? last : s),
            undefined,
          )
  const ebitda = trailing?.figures['ebitda'] ?? null
  const { total_debt: debt, cash_and_equivalents: cash } = row.figures
  const interest = trailing?.figures['interest_expense'] ?? null
  const can = !bank && ebitda !== null && ebitda > 0
  const leverage = can && debt !== null ? debt! / ebitda : null
  const annualized = trailing?.annualized ?? false
  const origin = ebitda !== null ? trailing! : row
  const own = row.basis === 'ttm' || leverage !== null ? annualized : false
  const amounts = Object.fromEntries(
    all.map(item => {
      const value = row.figures[item] ?? null
      return [item, value === null ? null : Math.round(value * minor)]
    }),
  ) as Figures
  const { operating_cash_flow: inflow, capex } = amounts
  const newest = largest(statements.filter(s => s.basis === row.basis).map(s => s.end))
  const latest = row.version === lastVersion(statements, row)
  const ttm_quarters = labelsBack(row.fiscal_year, row.fiscal_quarter, trailing?.quarters ?? 0)
  return {
    ...amounts,
    company_id: row.company_id,
    ticker: null,
    known_from: row.known,
    basis: row.basis,
    currency: row.currency,
    period_end_date: new Date(row.end * 86_400_000).toISOString().slice(0, 10),
    fiscal_year: row.fiscal_year,
    fiscal_quarter: row.fiscal_quarter,
    version: row.version,
    free_cash_flow: inflow == null || capex == null ? null : inflow - capex,
    ...Object.fromEntries(
      Object.entries(marginParts).map(([name, part]) => [name, shareOf(amounts[part], amounts['revenue'])]),
    ),
    leverage_ratio: leverage,
    net_leverage_ratio: leverage === null || cash == null ? null : (debt! - cash) / ebitda!,
    interest_coverage: can && interest !== null && interest > 0 ? ebitda / interest : null,
    is_annualized: own,
    ebitda_estimated: row.estimated,
    is_original: row.version === 1,
    is_latest: latest,
    is_newest: row.end === newest,
    newest_to: lastDayAsNewest(statements, row),
    valid_from: row.known,
    valid_to: lastDay(statements, row),
    is_bank: bank,
    [`${quality}ebitda_source`]: origin.formed,
    [`${quality}ebitda_quarters`]: ebitda === null ? null : trailing!.quarters,
    [`${quality}is_annualized`]: own,
    [`${quality}ebitda_estimated`]: row.estimated,
    [`${quality}ttm_quarters`]: `[${ttm_quarters.join(', ')}]`,
  }
}

const isSamePeriod = (a: Row, b: Row) =>
  a.fiscal_year === b.fiscal_year && a.fiscal_quarter === b.fiscal_quarter

/** The day before any version of a later period was known; null if there is none. */
function lastDayAsNewest(rows: readonly Row[], row: Row): string | null {
  const known = rows.flatMap(r =>
    r.basis === row.basis && r.end > row.end && r.known !== null ? r.known : [],
  )
  const [first] = known.sort()
  return first === undefined ? null : addDays(first, -1)
}

/** The day before the next version was known; null if there is none. */
function lastDay(rows: readonly Row[], row: Row): string | null {
  const next = rows.find(
    r => r.basis === row.basis && isSamePeriod(r, row) && r.version === row.version + 1,
  )?.known
  return next == null ? null : addDays(next, -1)
}

const lastVersion = (rows: readonly Row[], row: Row): number =>
  largest(rows.filter(r => r.basis === row.basis && isSamePeriod(r, row)).map(r => r.version))
