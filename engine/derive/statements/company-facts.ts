// Indices below are within bounds by construction: checks would cost in the loops.

import { type Database, literal } from '../../database/database.ts'
import { factsOfCompanies } from '../cache/facts-of-companies.ts'
import { dimensionalConcepts } from './axes.ts'
import { borrowedName, isCompanyLine } from './borrowings.ts'
import { companyFlowName, companyFlowOf } from './company-flows.ts'
import { mappedConcepts } from './concepts.ts'
import { compare, inOrder } from './fact-order.ts'
import { ALWAYS, type FactRow, filingIdSql } from './filings.ts'
import type { LoadedRow } from './loaded-row.ts'
import { figureNames } from './statement-row.ts'

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

/** Of the company or a segment: operating income, and the revenue and costs that it is compared with. */
const isOperating = `period_start IS NOT NULL AND (
  concept = 'us-gaap:OperatingIncomeLoss' AND (dimensions IS NULL OR regexp_full_match(dimensions, 'us-gaap:StatementBusinessSegmentsAxis=[^;]+'))
  OR dimensions IS NULL AND concept IN ('us-gaap:Revenues', 'us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax', 'us-gaap:CostsAndExpenses'))`

/**
 * Operating income that is the sum of the segments' and not revenue less costs: the total of segments, before what the
 * company does not allocate to them. It is no operating income of the company.
 * @param by a further column of the facts, of whose values each has totals of its own
 */
const segmentTotals = (facts: string, by = ''): string => `
  operating AS (
    SELECT ${by} cik, concept, dimensions, unit, ${filingIdSql('a')} AS filing, period_start, period_end, max(value) AS value FROM ${facts} a
    WHERE ${isOperating} GROUP BY ALL),
  segment_totals AS MATERIALIZED (
    SELECT ${by} cik, unit, filing, period_start, period_end, max(value) FILTER (WHERE dimensions IS NULL AND concept = 'us-gaap:OperatingIncomeLoss') AS total,
      sum(value) FILTER (WHERE dimensions IS NOT NULL) AS segments, max(value) FILTER (WHERE concept LIKE '%Revenue%') AS revenue,
      max(value) FILTER (WHERE concept = 'us-gaap:CostsAndExpenses') AS costs
    FROM operating GROUP BY ALL
    HAVING count(*) FILTER (WHERE dimensions IS NOT NULL) > 1 AND abs(total - segments) <= 0.001 * abs(total) AND abs(revenue - costs - total) > 0.1 * abs(total))`

/** Whether the fact `f` is such a total. */
const isSegmentTotal = (by = 'TRUE'): string => `
    f.concept = 'us-gaap:OperatingIncomeLoss' AND EXISTS (FROM segment_totals t WHERE t.cik = f.cik AND t.unit = f.unit AND ${by}
      AND t.filing = ${filingIdSql('f')} AND t.period_start = f.period_start AND t.period_end = f.period_end AND t.total = f.value)`

const factsSql = (facts: string): string => `WITH ${segmentTotals(facts)}
  SELECT c.company_id, f.cik, f.concept, f.unit, ${day('f.period_start')} AS period_start, ${day('f.period_end')} AS period_end,
    f.value, CAST(f.decimals AS INTEGER) AS decimals, f.accession, coalesce(f.form, g.form) AS form,
    CAST(f.fiscal_year AS INTEGER) AS fiscal_year, f.fiscal_period,
    ${day('coalesce(f.report_date, g.report_date)')} AS report_date, ${day('f.filed_date')} AS filed_date,
    ${day('f.known_from')} AS known_from, coalesce(f.dates_rounded, FALSE) AS dates_rounded, f.source,
    f.dimensions
  FROM ${facts} f JOIN company_of_cik c USING (cik)
  LEFT JOIN (SELECT accession, min(form) AS form, min(report_date) AS report_date FROM in_filings GROUP BY accession) g
    ON g.accession = f.accession
  WHERE c.company_id IN (SELECT unnest(?::JSON::VARCHAR[])) AND ${isRead} AND regexp_full_match(f.unit, '[A-Z]{3}') AND f.period_end >= ${EARLIEST} AND coalesce(f.period_start >= ${EARLIEST}, TRUE)
    AND NOT ${notAccounts}
    AND NOT (${isSegmentTotal()})`

/** The values of `factsSql` for some companies. */
const factsValues = (companies: Iterable<string>): string[] =>
  [[...companies], mappedConcepts, dimensionalConcepts].map(each => JSON.stringify(each))

/**
 * Companies of whose facts something is told later than they are: by lists of filings, or by other facts of a filing, which show
 * its operating income to be that of segments. What is read of the facts known by a day is then another on a later day.
 */
export async function companiesToldLater(db: Database): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ company_id: string }>(`
    SELECT company_id FROM in_facts f JOIN in_filings g USING (accession) JOIN company_of_cik c ON c.cik = f.cik
    WHERE (f.form IS NULL OR f.report_date IS NULL) AND coalesce(g.known_from > f.known_from, TRUE)
    UNION (
      WITH seen AS (
        SELECT DISTINCT accession, known_from AS day FROM in_facts SEMI JOIN (
          SELECT accession FROM in_facts WHERE ${isOperating} AND accession IS NOT NULL GROUP BY accession
          HAVING bool_or(dimensions IS NOT NULL) AND min(known_from) <> max(known_from)) USING (accession)
        WHERE ${isOperating}),
      known AS MATERIALIZED (SELECT day, f.* FROM in_facts f JOIN seen USING (accession) WHERE ${isOperating} AND coalesce(f.known_from <= day, TRUE)),
      ${segmentTotals('known', 'day,')}
      SELECT company_id FROM (
        SELECT cik FROM (FROM known f SELECT cik, unit, accession, period_start, period_end, value, ${isSegmentTotal('t.day = f.day')} AS is_total WHERE dimensions IS NULL)
        GROUP BY cik, unit, accession, period_start, period_end, value HAVING bool_or(is_total) <> bool_and(is_total))
      JOIN company_of_cik USING (cik))`)
  return new Set(rows.map(row => row.company_id))
}

const loadedSql = `
  SELECT l.company_id, CAST(s.fiscal_year AS INTEGER) AS fiscal_year, CAST(s.fiscal_quarter AS INTEGER) AS fiscal_quarter,
    CAST(coalesce(s.period_months, 3) AS INTEGER) AS period_months, ${day('s.period_end_date')} AS period_end_date,
    coalesce(s.currency, 'USD') AS currency, s.filing_type, ${day('s.filed_date')} AS filed_date,
    ${day('s.known_from')} AS known_from, s.accession, s.source, ${figureNames.map(name => `CAST(s.${name} AS DOUBLE) AS ${name}`).join(', ')}
  FROM in_financials s JOIN company_link l ON l.ticker IS NOT DISTINCT FROM s.ticker AND l.cik IS NOT DISTINCT FROM s.cik
    AND l.company_name IS NOT DISTINCT FROM s.company_name AND l.lei IS NULL
  ORDER BY l.company_id`

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
export async function companiesThatAreBanks(db: Database): Promise<Set<string>> {
  const rows = await db.rows<{ company_id: string }>(`
    SELECT company_id FROM companies_base
    WHERE CASE WHEN sic = ${literal(SOME_LEND)} THEN company_id IN (SELECT k.company_id FROM in_facts f
        JOIN (SELECT o.cik, o.company_id FROM company_of_cik o JOIN companies_base b USING (company_id) WHERE b.sic = ${literal(SOME_LEND)}) k USING (cik)
        WHERE f.concept IN (${LENDING.map(name => literal(`us-gaap:${name}`)).join(', ')}))
      WHEN sic IS NOT NULL THEN try_cast(sic AS INTEGER) BETWEEN 6000 AND 6499 AND sic NOT IN (${EARN_FEES.map(literal).join(', ')})
      WHEN industry IS NOT NULL THEN regexp_matches(industry, 'bank|insur|thrift|savings institution|consumer finance', 'i')
      ELSE regexp_matches(coalesce(sector, ''), 'bank|insur|^financial', 'i') END`)
  return new Set(rows.map(row => row.company_id))
}

const standard: ReadonlySet<string> = new Set([...mappedConcepts, ...dimensionalConcepts])

/** The facts of some companies, one after the other in order of their ids. */
export async function* factsByCompany(
  db: Database,
  those: ReadonlySet<string>,
): AsyncGenerator<[string, FactRow[]]> {
  if (those.size === 0) return
  let company: string | null = null
  let facts: FactRow[] = []
  for await (const { names, columns, rowCount } of db.stream(
    `${factsSql(await factsOfCompanies(db, those))} ORDER BY company_id`,
    factsValues(those),
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

export async function loadedByCompany(db: Database): Promise<Map<string, LoadedRow[]>> {
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
