import { type Database, literal } from '../database/database.ts'
import type { ImportRecord } from '../lake/imports.ts'
import type { DatasetQuality, QualityFinding, QualityReport, Severity } from '../lake/quality-report.ts'
import { tables } from '../schema/resources/tables.ts'

export interface QualityCheck {
  readonly name: string
  readonly severity: Severity
  /** What is counted; continues `37 of 1,132`. */
  readonly doc: string
  /** How to fix it. */
  readonly advice: string
  /** Tables that the check needs and that some snapshots lack. */
  readonly needs?: readonly string[]
  /** Selects `kind, count, of, examples`, with `:today` for the as-of date; zero counts are dropped. */
  readonly sql: string
}

const EXAMPLES = 5

/** Counts rows of `from` where `bad` holds, out of those where `among` holds, with the first few by `order`. */
const countOf = (
  from: string,
  bad: string,
  name: string,
  { among = 'TRUE', order = name, kind = 'NULL' }: { among?: string; order?: string; kind?: string } = {},
): string => `
  SELECT kind, count(*) AS count, (SELECT count(*) FROM ${from} WHERE ${among}) AS "of",
    list(name ORDER BY rank, name)[1:${EXAMPLES}] AS examples
  FROM (SELECT CAST(${kind} AS VARCHAR) AS kind, CAST(${name} AS VARCHAR) AS name, ${order} AS rank FROM ${from} WHERE (${among}) AND (${bad}))
  GROUP BY kind ORDER BY kind NULLS FIRST`

const note = (
  name: string,
  doc: string,
  advice: string,
  sql: string,
  needs: readonly string[] = [],
): QualityCheck => ({ name, severity: 'note', doc, advice, needs, sql })

const problem = (name: string, doc: string, advice: string, sql: string): QualityCheck => ({
  name,
  severity: 'problem',
  doc,
  advice,
  sql,
})

const statement = `concat_ws(' ', coalesce(ticker, company_id), fiscal_year || 'Q' || fiscal_quarter, basis)`

const newest = `basis = 'ttm' AND is_latest AND is_newest`

const leverageReason = `coalesce(json_extract_string(_explain, '$.leverage_ratio.null_because'), 'no statements')`

/** Days on which bonds were traded or marked and the Treasury had published nothing for a week. */
const CURVE_DAYS = 7

/** Prices by the difference between our figure and the published one, in basis points. */
const distanceFromPublished = (bps: string): string => `
  WITH compared AS (
    SELECT bond_id, abs(${bps}) AS bps FROM pricing LEFT JOIN (SELECT id AS bond_id, rate_structure FROM bonds) USING (bond_id)
    WHERE ${bps} IS NOT NULL)
  SELECT CASE WHEN bps <= 1 THEN 'at most 1 bp' WHEN bps <= 5 THEN '1 to 5 bp' WHEN bps <= 25 THEN '5 to 25 bp' ELSE 'over 25 bp' END AS kind,
    count(*) AS count, (SELECT count(*) FROM compared) AS "of",
    list(bond_id ORDER BY bps DESC, bond_id)[1:${EXAMPLES}] AS examples
  FROM compared GROUP BY kind ORDER BY min(bps)`

/** A curve with fewer tenors leaves many maturities without a spread. */
const FULL_CURVE = 5

/** Every data check, in report order. */
export const qualityChecks: readonly QualityCheck[] = [
  note(
    'bonds without a price',
    'active bonds have no price, so no yield and no spread',
    'ingest trades, marks or vendor prices for them (--dataset trades, --dataset prices)',
    countOf('bonds', '"pricing.last_price" IS NULL', 'id', { among: 'is_active', order: '-outstanding' }),
  ),
  note(
    'prices without a yield',
    'newest prices have no yield',
    'no_terms: load coupon and maturity in a bonds table; far from a curve: check price, maturity, currency and ytm_withheld; floating, matured and defaulted bonds have none by rule',
    countOf('pricing', 'ytm IS NULL', 'bond_id', { kind: 'yield_null_because' }),
  ),
  note(
    'prices without a spread',
    'newest prices have a yield and no spread',
    "outside_curve: the day's curve has no tenor near the maturity, load more tenors; no_curve: load the day's curve; not_usd: spreads are to the US Treasury",
    countOf('pricing', 'ytm IS NOT NULL AND spread IS NULL', 'bond_id', { kind: 'spread_null_because' }),
  ),
  note(
    'published yields',
    'newest prices have a published yield this far from ours',
    'pricing with --explain shows both; a large difference means other terms (a call, a floating leg, a step-up) or another day',
    distanceFromPublished(
      `(ytm - CASE WHEN rate_structure = 'fixed_to_float' THEN coalesce(published_ytw, published_ytm) ELSE published_ytm END) * 100`,
    ),
  ),
  note(
    'published spreads',
    'newest prices have a published spread this far from ours',
    'publishers measure spreads to swaps or spot curves, or adjust them for options: a constant difference is no error',
    distanceFromPublished('spread - published_spread'),
  ),
  note(
    'stale prices',
    'active bonds have a latest price this old',
    'ingest newer prices, or exclude these with --max-staleness 30',
    countOf('bonds', '"pricing.staleness_days" > 30', 'id', {
      among: 'is_active AND "pricing.last_price" IS NOT NULL',
      order: '-"pricing.staleness_days"',
      kind: `CASE WHEN "pricing.staleness_days" <= 90 THEN '31 to 90 days' WHEN "pricing.staleness_days" <= 365 THEN '91 to 365 days' ELSE 'over a year' END`,
    }),
  ),
  note(
    'excluded prices',
    'trades and prices were excluded from daily prices',
    'see the table excluded_prices, or pricing with --explain; a price slip is worth reporting to its source',
    `SELECT reason AS kind, count(*) AS count, NULL AS "of", list(DISTINCT bond_id || ' ' || date ORDER BY bond_id || ' ' || date)[1:${EXAMPLES}] AS examples
     FROM excluded_prices GROUP BY reason ORDER BY reason`,
    ['excluded_prices'],
  ),
  note(
    'days without a curve',
    `days with prices have no Treasury curve of the ${CURVE_DAYS} days before: their spreads are null`,
    'ingest the Treasury par yield files, or FRED DGS series, of these days',
    `WITH curves AS (SELECT DISTINCT date FROM in_treasury_yields), days AS (SELECT DISTINCT date FROM pricing_history),
       bare AS (SELECT date FROM days d WHERE NOT EXISTS (SELECT 1 FROM curves c WHERE c.date BETWEEN d.date - ${CURVE_DAYS} AND d.date))
     SELECT NULL AS kind, count(*) AS count, (SELECT count(*) FROM days) AS "of",
       list(CAST(date AS VARCHAR) ORDER BY date DESC)[1:${EXAMPLES}] AS examples FROM bare`,
  ),
  note(
    'days served by an older curve',
    'business days with prices use the curve of an earlier day',
    'a market holiday explains single days; ingest the missing days where there are several in a row',
    `WITH curves AS (SELECT DISTINCT date FROM in_treasury_yields), days AS (SELECT DISTINCT date FROM pricing_history WHERE isodow(date) < 6),
       bare AS (SELECT date FROM days d WHERE date NOT IN (SELECT date FROM curves)
         AND EXISTS (SELECT 1 FROM curves c WHERE c.date BETWEEN d.date - ${CURVE_DAYS} AND d.date))
     SELECT NULL AS kind, count(*) AS count, (SELECT count(*) FROM days) AS "of",
       list(CAST(date AS VARCHAR) ORDER BY date DESC)[1:${EXAMPLES}] AS examples FROM bare`,
  ),
  note(
    'thin curve days',
    `days with prices have a Treasury curve of fewer than ${FULL_CURVE} tenors`,
    'one tenor is not a curve, and maturities far from every tenor have no spread: ingest the Treasury par yield file, or more FRED DGS series, of these days',
    `WITH curves AS (SELECT date, count(DISTINCT tenor_months) AS tenors FROM in_treasury_yields GROUP BY date),
       days AS (SELECT date, tenors FROM (SELECT DISTINCT date FROM pricing_history) JOIN curves USING (date))
     SELECT CASE WHEN tenors = 1 THEN '1 tenor' ELSE '2 to ${FULL_CURVE - 1} tenors' END AS kind, count(*) AS count, (SELECT count(*) FROM days) AS "of",
       list(CAST(date AS VARCHAR) ORDER BY date DESC)[1:${EXAMPLES}] AS examples
     FROM days WHERE tenors < ${FULL_CURVE} GROUP BY kind ORDER BY kind`,
  ),
  note(
    'bonds without seniority',
    'active bonds have no seniority: the spread series leaves them out unless the build assumed one',
    'load seniority in a bonds table, or build with --assume-seniority senior_unsecured',
    countOf('bonds', 'seniority IS NULL', 'id', { among: 'is_active' }),
  ),
  note(
    'companies under two ids',
    'names belong to several companies: one may be a former registrant, or only a name',
    '"tranche link set CIK TICKER" merges one into another; different companies with the same name in other places are fine',
    `WITH named AS (
       SELECT company_id, name, regexp_replace(regexp_replace(upper(strip_accents(name)),
         '/[A-Z]{2,4}/? *$|[.,]? +(INC(ORPORATED)?|CORP(ORATION)?|CO(MPANY)?|L\\.?L\\.?C|L\\.?P|LTD|LIMITED|PLC|P\\.L\\.C|N\\.?V|S\\.?A|AG|SE)\\.? *$', '', 'g'), '[^A-Z0-9]+', '', 'g') AS base
       FROM companies),
     twice AS (SELECT list(name || ' (' || company_id || ')' ORDER BY company_id) AS those FROM named WHERE base <> '' GROUP BY base HAVING count(*) > 1)
     SELECT NULL AS kind, count(*) AS count, (SELECT count(*) FROM companies) AS "of", list(array_to_string(those, ', ') ORDER BY those)[1:${EXAMPLES}] AS examples FROM twice`,
  ),
  note(
    'companies without a sector',
    'companies with bonds have no sector',
    'a label in sector_source is not in the map (see the page on sectors); without one, load a list of companies with SIC codes or sectors',
    countOf('companies', 'sector IS NULL', 'company_id', {
      among: 'bond_count > 0',
      order: '-bond_count',
      kind: "coalesce(sector_source, 'no source')",
    }),
  ),
  note(
    'bonds without an amount',
    "active bonds have no amount outstanding: their company's debt due comes from filings, and has no average maturity",
    'load outstanding in a bonds table; a fund only reports its holding',
    countOf('bonds', 'outstanding IS NULL', 'id', { among: 'is_active' }),
  ),
  note(
    'bonds of unlinked issuers',
    'active bonds belong to an issuer without a ticker: screens by ticker miss them, and they have no leverage',
    '"tranche link" lists issuers and candidates, "tranche link set NAME TICKER" links one; largest first',
    `WITH issuers AS (SELECT c.name, count(*) AS n FROM bonds b JOIN companies c USING (company_id)
       WHERE b.is_active AND c.ticker IS NULL GROUP BY c.company_id, c.name)
     SELECT count(*) || CASE WHEN count(*) = 1 THEN ' issuer' ELSE ' issuers' END AS kind, CAST(sum(n) AS BIGINT) AS count,
       (SELECT count(*) FROM bonds WHERE is_active) AS "of", list(name || ' (' || n || ')' ORDER BY n DESC, name)[1:${EXAMPLES}] AS examples
     FROM issuers HAVING count(*) > 0`,
  ),
  note(
    'companies without statements',
    'companies with a ticker have no statement: no debt, no leverage',
    'ingest their filings (companyfacts, statement data sets) or a financials table',
    countOf('companies', 'period_end_date IS NULL', 'ticker', {
      among: 'ticker IS NOT NULL',
      order: '-bond_count',
    }),
  ),
  note(
    'statements without leverage',
    'companies with statements have no leverage',
    'no EBITDA, no total debt: load the missing item in a financials table; banks and negative EBITDA have none by rule',
    countOf('companies', 'leverage_ratio IS NULL', 'coalesce(ticker, company_id)', {
      among: 'period_end_date IS NOT NULL',
      order: '-bond_count',
      kind: `CASE WHEN ${leverageReason} LIKE 'a bank%' THEN 'banks and insurers' ELSE regexp_replace(${leverageReason}, ':.*', '') END`,
    }),
  ),
  note(
    'doubtful leverage',
    'companies have leverage from estimated figures',
    'see warnings of search.companies with --include-metadata; ingest more quarters or the missing items',
    countOf(
      'companies',
      '"_metadata.leverage_data_quality.is_annualized" OR "_metadata.leverage_data_quality.ebitda_estimated"',
      'ticker',
      {
        among: 'leverage_ratio IS NOT NULL',
        kind: `CASE WHEN "_metadata.leverage_data_quality.is_annualized" THEN 'EBITDA annualised' ELSE 'no depreciation: operating income stands in' END`,
      },
    ),
  ),
  note(
    'old figures',
    'companies have their newest statement more than 15 months before the as-of date',
    'ingest their newer filings; a company that stopped filing was acquired or delisted',
    countOf('companies', 'period_end_date < :today - INTERVAL 15 MONTH', 'coalesce(ticker, company_id)', {
      among: 'period_end_date IS NOT NULL',
      order: 'period_end_date',
    }),
  ),
  note(
    'companies without a rating',
    'companies with a ticker have no current rating',
    'ingest a rating list or rating actions (17g-7 files)',
    countOf('companies', "rating_bucket IS NULL OR rating_bucket = 'NR'", 'ticker', {
      among: 'ticker IS NOT NULL',
    }),
  ),
  note(
    'companies without spreads',
    'companies with bonds that have a spread are in no spread series, because of this step',
    'not eligible: seniority is unknown or not senior unsecured; for other steps see the table spread_inputs',
    `WITH spreading AS (SELECT DISTINCT company_id FROM bonds WHERE "pricing.spread" IS NOT NULL),
       steps AS (SELECT company_id, mode(outcome ORDER BY outcome) AS step FROM spread_inputs GROUP BY company_id)
     SELECT coalesce(step, 'not eligible') AS kind, count(*) AS count, (SELECT count(*) FROM spreading) AS "of",
       list(name ORDER BY name)[1:${EXAMPLES}] AS examples
     FROM (SELECT step, coalesce(c.ticker, c.name) AS name FROM spreading JOIN companies c USING (company_id) LEFT JOIN steps USING (company_id)
       WHERE company_id NOT IN (SELECT company_id FROM spreads)) GROUP BY step ORDER BY step NULLS FIRST`,
  ),
  note(
    'spread series with gaps',
    'spread series lack days inside their span on which others have a value',
    'on those days no eligible bond of the tenor had a price: use a median over tenors or weeks',
    `WITH days AS (SELECT spread_date, row_number() OVER (ORDER BY spread_date) AS i FROM (SELECT DISTINCT spread_date FROM spreads WHERE source = 'bond_spread_proxy')),
       series AS (SELECT company_id, ticker, tenor, count(*) AS n, max(i) - min(i) + 1 AS span FROM spreads JOIN days USING (spread_date)
         WHERE source = 'bond_spread_proxy' GROUP BY ALL)
     SELECT kind, count(*) AS count, (SELECT count(*) FROM series) AS "of", list(name ORDER BY share, name)[1:${EXAMPLES}] AS examples FROM (
       SELECT coalesce(ticker, company_id) || ' ' || tenor AS name, n / span AS share,
         CASE WHEN n / span >= 0.9 THEN 'less than a tenth' WHEN n / span >= 0.5 THEN 'a tenth to a half' ELSE 'more than half' END || ' of the days' AS kind
       FROM series WHERE n < span) GROUP BY kind ORDER BY kind`,
  ),
  note(
    'missing quarters',
    'companies lack quarters between their first and their last',
    'ingest the filings of those quarters; trailing figures that need them are annualised or null',
    `WITH quarters AS (SELECT DISTINCT company_id, ticker, fiscal_year * 4 + fiscal_quarter AS q FROM financials WHERE basis = 'quarter'),
       spans AS (SELECT company_id, any_value(ticker) AS ticker, max(q) - min(q) + 1 - count(*) AS missing FROM quarters GROUP BY company_id)
     SELECT NULL AS kind, count(*) FILTER (missing > 0) AS count, count(*) AS "of",
       (list(coalesce(ticker, company_id) || ' (' || missing || ')' ORDER BY missing DESC, coalesce(ticker, company_id)) FILTER (missing > 0))[1:${EXAMPLES}] AS examples FROM spans`,
  ),
  note(
    'quarantined figures',
    'figures of filings and statements are not used',
    'see the table quarantine; if a figure is correct, load it in a financials table, which takes precedence over filings',
    `SELECT regexp_replace(reason, '[0-9][0-9.,]*', 'N', 'g') AS kind, count(*) AS count, NULL AS "of",
       list(DISTINCT coalesce(ticker, company_id) || ' ' || item || ' ' || period_end ORDER BY coalesce(ticker, company_id) || ' ' || item || ' ' || period_end)[1:${EXAMPLES}] AS examples
     FROM quarantine GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20`,
    ['quarantine'],
  ),
  note(
    'rows without a day',
    'rows have no known day: they show today and are left out under as_of',
    'give a known_from column, or ingest again with --known-from',
    tables
      .filter(
        t =>
          t.columns['known_from'] &&
          !['companies', 'entities', 'ownership', 'guarantees', 'bonds'].includes(t.table),
      )
      .map(
        t =>
          `SELECT '${t.table}' AS kind, count(*) FILTER (known_from IS NULL) AS count, count(*) AS "of", [] AS examples FROM ${t.table}`,
      )
      .join(' UNION ALL '),
  ),
  problem(
    'negative debt',
    'statements have negative total debt',
    'check the sources (financials --explain) and load the right figure in a financials table',
    countOf('financials', 'total_debt < 0', statement, { among: newest }),
  ),
  problem(
    'cash above assets',
    'newest statements hold more cash than total assets',
    'a unit error in one of the two: check the sources with --explain',
    countOf('financials', 'cash_and_equivalents > total_assets', statement, { among: newest }),
  ),
  problem(
    'debt above assets',
    'newest statements owe more than three times their total assets',
    'a unit error in one of the two: check the sources with --explain',
    countOf('financials', 'total_debt > 3 * total_assets AND total_assets > 0', statement, { among: newest }),
  ),
  problem(
    'EBITDA above revenue',
    'newest trailing statements earn more EBITDA than revenue',
    'revenue is tagged by parts, or a quarter is mixed with a year: check the sources with --explain',
    countOf('financials', 'ebitda > revenue AND revenue > 0', statement, { among: newest }),
  ),
  problem(
    'absurd leverage',
    'companies have leverage above 100',
    'EBITDA is near zero or a figure has another unit: screen with --max-leverage, and check the sources with --explain',
    countOf('companies', 'leverage_ratio > 100', 'coalesce(ticker, company_id)', {
      among: 'leverage_ratio IS NOT NULL',
      order: '-leverage_ratio',
    }),
  ),
  problem(
    'absurd coverage',
    'companies cover their interest more than a thousand times with debt above EBITDA',
    'interest expense covers only part, or has another unit: check the sources with --explain',
    countOf('companies', 'interest_coverage > 1000 AND leverage_ratio > 1', 'coalesce(ticker, company_id)', {
      among: 'interest_coverage IS NOT NULL',
      order: '-interest_coverage',
    }),
  ),
  problem(
    'debt due above total debt',
    'companies have more debt due in three years than debt',
    'bonds of a parent or sister are linked to the company, or its statement is older than an issue: compare bonds with total_debt',
    countOf('companies', 'debt_due_3yr > total_debt * 1.02', 'coalesce(ticker, company_id)', {
      among: 'debt_due_3yr IS NOT NULL AND total_debt IS NOT NULL',
    }),
  ),
  problem(
    'impossible prices',
    'newest prices are above 300 or below 0.5 percent of par',
    'a price per bond, or in another unit: load it in percent of par',
    countOf('pricing', 'last_price > 300 OR last_price < 0.5', 'bond_id'),
  ),
  problem(
    'impossible yields',
    'newest yields are above 100 or below -5 percent',
    'normal for distressed bonds near maturity; else a term is wrong (maturity, coupon): check with --explain',
    countOf('pricing', 'ytm > 100 OR ytm < -5', 'bond_id', { among: 'ytm IS NOT NULL' }),
  ),
  problem(
    'impossible spreads',
    'values of the spread series lie outside -200 to 5,000 basis points',
    'spreads with --explain shows the bonds behind a value',
    countOf(
      'spreads',
      'spread_bps < -200 OR spread_bps > 5000',
      "coalesce(ticker, company_id) || ' ' || tenor || ' ' || spread_date",
    ),
  ),
  problem(
    'dates out of order',
    'bonds mature before their issue, or were issued after the day they were known',
    'fix the row of the bonds table it came from (bonds --explain)',
    countOf('bonds', 'maturity_date <= issue_date', 'id', {
      among: 'maturity_date IS NOT NULL AND issue_date IS NOT NULL',
    }),
  ),
]

/** The column that dates a table's rows. */
const dateColumns: Readonly<Record<string, string>> = {
  bonds: 'issue_date',
  pricing: 'last_trade_date',
  pricing_history: 'date',
  excluded_prices: 'date',
  financials: 'period_end_date',
  spreads: 'spread_date',
  spread_inputs: 'spread_date',
  ratings: 'effective_date',
  covenants: 'source_document_date',
  collateral: 'source_document_date',
  entities: 'document_date',
  documents: 'filing_date',
}

/**
 * The report on a day's tables, which are in `db` under their own names, with `in_treasury_yields`. Zero counts are
 * dropped.
 */
export async function qualityReport(db: Database, asOf: string): Promise<QualityReport> {
  const existing = new Set(
    (
      await db.rows<{ name: string }>(
        "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'main'",
      )
    ).map(row => row.name),
  )
  const summaries: DatasetQuality[] = []
  for (const { table, columns } of tables) {
    if (!existing.has(table)) continue
    const day = dateColumns[table]
    const [row] = await db.rows<DatasetQuality>(`
      SELECT '${table}' AS "table", count(*) AS rows, ${columns['company_id'] ? 'count(DISTINCT company_id)' : 'NULL'} AS companies,
        ${day ? `CAST(min(${day}) AS VARCHAR)` : 'NULL'} AS first, ${day ? `CAST(max(${day}) AS VARCHAR)` : 'NULL'} AS last,
        ${columns['known_from'] ? 'CAST(max(known_from) AS VARCHAR)' : 'NULL'} AS newest_known_from FROM "${table}"`)
    summaries.push(row!)
  }
  const findings: QualityFinding[] = []
  for (const { name, severity, sql, needs = [] } of qualityChecks) {
    if (!needs.every(table => existing.has(table))) continue
    for (const row of await db.rows<Omit<QualityFinding, 'check' | 'severity'>>(
      sql.replaceAll(':today', `DATE ${literal(asOf)}`),
    ))
      if (row.count > 0) findings.push({ check: name, severity, ...row, examples: row.examples ?? [] })
  }
  return { tables: summaries, findings }
}

/** Reasons of rows that no correction makes figures of corporate debt. */
const LEFT_OUT =
  /^(not (a|an|corporate) |no value|nil$|text, not a figure|labels, not figures|a weekend|a short position|a derivative|agency .* is not one of)/

/** What to do about refused rows, by reason, and about refused files. */
export const refusalAdvice = {
  rows: (reason: string): string =>
    LEFT_OUT.test(reason)
      ? 'nothing: rows like these are left out by rule; "tranche rejects" shows each'
      : 'correct these rows and ingest the file again; "tranche rejects" shows each',
  files: 'exclude these files, or convert them to a supported format',
} as const

/** Source rows refused at ingest, most frequent reason first; and refused files. */
export function refusals(records: readonly ImportRecord[]): {
  readonly rows: readonly { reason: string; count: number }[]
  readonly files: readonly { reason: string; names: readonly string[] }[]
} {
  // Reasons that differ only in a quoted value are merged under the first.
  const rows = new Map<string, { reason: string; count: number; values: number }>()
  for (const { report } of records)
    for (const [reason, n] of Object.entries(report.reasons)) {
      const alike = reason.replace(/"[^"]*"/, '""')
      const those = rows.get(alike)
      if (!those) rows.set(alike, { reason, count: n, values: 1 })
      else {
        those.count += n
        if (those.reason !== reason) those.values++
      }
    }
  const files = new Map<string, { reason: string; names: string[] }>()
  for (const { name, refused } of records) {
    if (refused === null) continue
    // Reasons that differ only in a number are merged.
    const alike = refused.replace(/\d+/g, '#')
    const those = files.get(alike)
    if (those) those.names.push(name)
    else files.set(alike, { reason: refused, names: [name] })
  }
  return {
    rows: [...rows.values()]
      .map(({ reason, count, values }) => ({
        reason: values > 1 ? `${reason} (and other values)` : reason,
        count,
      }))
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
    files: [...files.values()].sort(
      (a, b) => b.names.length - a.names.length || (a.reason < b.reason ? -1 : 1),
    ),
  }
}

const number = (n: number): string => n.toLocaleString('en-US')

/** A finding as a sentence: `37 of 1,132 companies have …: AAL, …`. */
export function sentenceOf({ check, kind, count, of, examples }: QualityFinding): string {
  const { doc } = qualityChecks.find(c => c.name === check) ?? { doc: check }
  const share = of === null ? number(count) : `${number(count)} of ${number(of)}`
  const shown = examples.length > 0 ? `: ${examples.join(', ')}${count > examples.length ? ', …' : ''}` : ''
  return `${share} ${doc}${kind === null ? '' : ` (${kind})`}${shown}`
}

export const adviceOf = (check: string): string => qualityChecks.find(c => c.name === check)?.advice ?? ''
