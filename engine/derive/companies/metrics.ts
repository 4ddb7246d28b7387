import { DEFAULT_MAX_AGE, DEFAULT_RATING_MAX_AGE, NO_MAX_AGE } from '../../credit/max-age.ts'
import { type Database, literal } from '../../database/database.ts'
import { addedBackItems, furtherItems } from '../../schema/datasets/statements.ts'
import type { CompanyWarning } from '../../schema/resources/companies.ts'
import type { Print } from '../../schema/resources/shared.ts'
import { marginSql, margins } from '../statements/margins.ts'
import { type CompanyPart, type CompanyParts, companyParts, type StatementTable } from './company-parts.ts'
import { explainCompany, figuresMissing, qaScore, quotedIn } from './explain.ts'
import { candidatesSql, figuresSql, restatedSql, scheduleSql } from './newest-statements.ts'

/** Interest that is a smaller share of debt cannot be its cost. */
const LEAST_INTEREST = 0.001
/** Amounts in other currencies are not added to dollars. */
const inDollars = "coalesce(currency, 'USD') = 'USD'"
/** Bonds that add up to a smaller share of total debt are a part of a company's debt. */
const LEAST_LISTED = 0.5
/** Whether the bonds known are taken for the company's debt: each has its amount, and they are not a small part of total debt. */
const ARE_ITS_DEBT = `(b.amounts_known AND coalesce(n.currency <> 'USD' OR n.total_debt IS NULL OR b.listed >= ${LEAST_LISTED} * n.total_debt, TRUE))`

/** The limits of age to derive companies under: every one, or the defaults of `max_age` and `rating_max_age`. */
export type Ages = 'all' | 'default'

const underDefaults = `${DEFAULT_MAX_AGE} BETWEEN max_age_from AND max_age_to`
const ratingsUnderDefaults = `${DEFAULT_RATING_MAX_AGE} BETWEEN rating_max_age_from AND rating_max_age_to`

/**
 * `companies_by_age`: the newest trailing figures of each company, its debt by the bonds known, ratings and flags.
 * There is one row for each range of `max_age` and `rating_max_age` with the same result; figures older than
 * `max_age` are null. Rows are of figures as most recently reported (`is_latest`), as first reported (`is_original`), or
 * both: a company has rows of its own for first prints only if a statement that its figures are read off was restated.
 * `companies`: the latest rows under the default limits, which alone are derived if `ages` says so.
 * Debt due is the sum of the bonds if every active one has its amount and they are its debt, else it is read from the
 * filed schedule, moved from its balance date to the as-of date by linear interpolation.
 */
export async function deriveCompanies(
  db: Database,
  { asOf, ages = 'all', ...sizes }: { asOf: string; ages?: Ages } & CompanyParts,
): Promise<void> {
  const today = `DATE ${literal(asOf)}`
  const parts = await companyParts(db, sizes, 'newest_statements')
  if (ages === 'default')
    await createInParts(db, 'companies', parts, part => companiesSql({ today, ages, part, print: 'latest' }))
  else {
    await db.run(`CREATE OR REPLACE TABLE restated AS ${restatedSql(today)}`)
    await createInParts(
      db,
      'companies_by_age',
      parts,
      part => `SELECT *, TRUE AS is_latest, company_id NOT IN (FROM restated) AS is_original
        FROM (${companiesSql({ today, ages, part, print: 'latest' })})`,
    )
    await insertFirstPrints(db, today, parts)
    await db.run(`
      CREATE OR REPLACE TABLE companies AS SELECT * EXCLUDE (is_latest, is_original) FROM companies_by_age
      WHERE is_latest AND ${underDefaults} AND ${ratingsUnderDefaults};
      DROP TABLE restated`)
  }
}

/** Adds the rows of restated companies as first reported to `companies_by_age`. */
async function insertFirstPrints(db: Database, today: string, parts: readonly CompanyPart[]): Promise<void> {
  const [found] = await db.rows<{ any: boolean }>('SELECT count(*) > 0 AS "any" FROM restated')
  if (!found!.any) return
  for (const part of parts) {
    const isRestated: CompanyPart = companyId =>
      `${part(companyId)} AND ${companyId} IN (SELECT company_id FROM restated)`
    await db.run(`INSERT INTO companies_by_age SELECT *, FALSE AS is_latest, TRUE AS is_original
      FROM (${companiesSql({ today, ages: 'all', part: isRestated, print: 'original' })})`)
  }
}

/** Creates a table from the rows of some companies after the other. */
async function createInParts(
  db: Database,
  table: string,
  parts: readonly CompanyPart[],
  select: (part: CompanyPart) => string,
): Promise<void> {
  for (const [i, part] of parts.entries())
    await db.run(
      `${i === 0 ? `CREATE OR REPLACE TABLE ${table} AS` : `INSERT INTO ${table}`} ${select(part)}`,
    )
}

interface CompanyRows {
  readonly today: string
  readonly ages: Ages
  readonly part: CompanyPart
  readonly print: Print
}

const companiesSql = ({ today, ages, part, print }: CompanyRows): string => `
    WITH figures AS (${figuresSql(today, part, print)}),
    candidates AS (${candidatesSql(today, part, print)}),
    schedule AS (${scheduleSql(today, part, print)}),
    spans AS (SELECT * FROM (${spansSql(part)})${ages === 'all' ? '' : ` WHERE ${underDefaults}`}),
    rated AS (SELECT * FROM company_ratings_by_age${ages === 'all' ? '' : ` WHERE ${ratingsUnderDefaults}`}),
    earnings AS (${earningsSql}),
    sinking AS (${sinkingSql(today)}),
    debt AS (${debtSql(today)}),
    issued AS (${issuedSql}),
    people AS (${peopleSql(today)}),
    joined AS MATERIALIZED (${joinedSql(today)}),
    metrics AS MATERIALIZED (${metricsSql(print)})
    SELECT * EXCLUDE (said, said_of_earnings, figures_known, earnings_known, schedule_known, warned), ${explainCompany(today, print)} AS _explain FROM metrics`

/** The ranges of `max_age` within which a company's figures are the same. */
const spansSql = (part: CompanyPart): string => `
      SELECT company_id, unnest(starts) AS max_age_from, unnest(list_append(starts[2:], ${NO_MAX_AGE + 1})) - 1 AS max_age_to
      FROM (SELECT company_id, list_sort(list_distinct(list_filter(list_concat([0, f.age_days, m.age_days], e.ages), lambda d: d IS NOT NULL))) AS starts
        FROM companies_base LEFT JOIN figures f USING (company_id) LEFT JOIN schedule m USING (company_id)
        LEFT JOIN (SELECT company_id, list(age_days) AS ages FROM candidates GROUP BY company_id) e USING (company_id)
        WHERE ${part('company_id')})`

/** The statement whose EBITDA is shown in each range. */
const earningsSql = `
      SELECT e.*, s.max_age_from FROM spans s JOIN candidates e ON e.company_id = s.company_id AND e.age_days <= s.max_age_from
      QUALIFY row_number() OVER (PARTITION BY s.company_id, s.max_age_from
        ORDER BY e.is_annualized, e.period_end_date DESC, e.fiscal_year DESC, e.fiscal_quarter DESC) = 1`

/** What is repaid by then: all of it at maturity, before that what a sinking schedule repays of what is outstanding. */
const due = (years: number, today: string) =>
  `sum(CASE WHEN maturity_date <= ${today} + INTERVAL ${years} YEAR THEN outstanding
    WHEN s.ahead_${years} > 0 THEN CAST(round(outstanding * least(s.ahead_${years} / (100 - s.repaid), 1)) AS BIGINT) END)`

/** Percent of the amount issued that sinking bonds have repaid, and will have repaid within one, two and three years. */
const sinkingSql = (today: string): string => {
  const within = (years: number) =>
    `coalesce(sum(percent) FILTER (WHERE day > ${today} AND day <= ${today} + INTERVAL ${years} YEAR AND day < maturity_date), 0) AS ahead_${years}`
  return `
      SELECT id, coalesce(sum(percent) FILTER (WHERE day <= ${today}), 0) AS repaid, ${within(1)}, ${within(2)}, ${within(3)}
      FROM (SELECT id, maturity_date, try_cast(json_extract_string(part, '$.date') AS DATE) AS day,
          CASE WHEN json_type(part, '$.percent') IN ('DOUBLE', 'UBIGINT', 'BIGINT') THEN CAST(json_extract(part, '$.percent') AS DOUBLE) END AS percent
        FROM (SELECT id, maturity_date, unnest(json_extract(sinking_schedule, '$[*]')) AS part FROM bonds_base
          WHERE is_active AND sinking_schedule IS NOT NULL))
      GROUP BY id HAVING bool_and(day IS NOT NULL AND coalesce(percent > 0, FALSE)) AND sum(percent) <= 100.0001 AND repaid < 100`
}

/** Totals over the active bonds of a company. */
const debtSql = (today: string): string => `
      SELECT company_id, count(*) AS bond_count, bool_and(outstanding IS NOT NULL AND ${inDollars}) AS amounts_known, sum(outstanding) AS listed,
        ${due(1, today)} AS due_1, ${due(2, today)} AS due_2, ${due(3, today)} AS due_3,
        min(maturity_date) AS nearest_maturity,
        sum(CAST(outstanding AS HUGEINT) * date_diff('day', ${today}, maturity_date)) FILTER (WHERE ${inDollars}) / 365.25
          / nullif(sum(outstanding) FILTER (WHERE maturity_date IS NOT NULL AND ${inDollars}), 0) AS average_life,
        sum(outstanding) FILTER (WHERE seniority = 'senior_secured') AS secured,
        bool_or(rate_structure IN ('floating') OR rate_type = 'floating') AS has_floating, bool_and(rate_type IS NOT NULL) AS rates_known,
        bool_or(issuer_type = 'holdco') AS has_holdco, bool_or(issuer_type IN ('opco', 'subsidiary')) AS has_opco,
        bool_and(issuer_type IS NOT NULL) AS issuers_known,
        list({'item': 'bond', 'bond_id': id, 'value': outstanding, 'unit': CASE WHEN ${inDollars} THEN 'USD cents' ELSE currency || ' minor units' END,
          'maturity_date': maturity_date, 'seniority': seniority, 'issuer_type': issuer_type,
          'floats': rate_structure = 'floating' OR rate_type = 'floating', 'source': source} ORDER BY maturity_date, id) AS bonds,
        list({'item': 'sinking bond', 'bond_id': id, 'value': outstanding, 'maturity_date': maturity_date, 'sinking_schedule': CAST(sinking_schedule AS JSON),
          'source': source} ORDER BY maturity_date, id) FILTER (WHERE s.id IS NOT NULL) AS sinking_bonds
      FROM bonds_base LEFT JOIN sinking s USING (id) WHERE is_active AND company_id IS NOT NULL GROUP BY company_id`

/** The issuers of a company's active bonds, each with its number of bonds. */
const issuedSql = `
      SELECT company_id, to_json(list({'name': name, 'bonds': bonds} ORDER BY bonds DESC, name)) AS bond_issuers FROM (
        SELECT b.company_id, CASE WHEN b.group_by IS NULL THEN c.name ELSE own.issuer END AS name, count(*) AS bonds
        FROM bonds_base b JOIN companies_base c USING (company_id) LEFT JOIN (
          SELECT issuer_company_id, mode(coalesce(issuer_name, company_name) ORDER BY coalesce(issuer_name, company_name)) AS issuer
          FROM bonds_base GROUP BY 1) own ON own.issuer_company_id = b.issuer_company_id
        WHERE b.is_active GROUP BY 1, 2) GROUP BY company_id`

/** How many entities and guarantors a company has. */
const peopleSql = (today: string): string => `
      SELECT company_id, count(*) AS entity_count, count(*) FILTER (WHERE is_guarantor) AS guarantor_count
      FROM entities WHERE removed_date IS NULL OR removed_date > ${today} GROUP BY company_id`

/** Cumulative debt due within `years` of the balance date, by linear interpolation. */
const along = (years: string) =>
  `CASE ${[1, 2, 3, 4, 5]
    .map(n => {
      const before = n === 1 ? '0' : `m.debt_due_${n - 1}yr`
      return `WHEN ${years} <= ${n} THEN ${before} + (m.debt_due_${n}yr - ${before}) * (${years} - ${n - 1})`
    })
    .join(' ')} END`
/** The same where a quarterly report states the rest of the fiscal year first: its years begin when that ends. */
const cumulative = (years: string) =>
  `CASE WHEN m.rest_due IS NULL THEN ${along(years)} WHEN ${years} <= m.rest_years THEN m.rest_due * ${years} / m.rest_years
    ELSE m.rest_due + ${along(`(${years} - m.rest_years)`)} END`
const scheduled = (years: number) =>
  `(${cumulative(`(m.age_years + ${years})`)}) - (${cumulative('m.age_years')})`

const dueColumn = (years: number) => `
  CASE WHEN are_its_debt THEN coalesce(b.due_${years}, 0)
    WHEN m.period_end_date IS NOT NULL
    THEN CAST(round(${scheduled(years)}) AS BIGINT)
    WHEN owes_nothing THEN 0 END AS debt_due_${years}yr`

const quarters = (count: string): string =>
  `${count} || CASE ${count} WHEN 1 THEN ' quarter' ELSE ' quarters' END`

/** A ratio of the newest statement, unless EBITDA is taken from an earlier one. */
const earlier = (ratio: string, overEarlier: string): string =>
  `CASE WHEN e.period_end_date < f.period_end_date
    THEN CASE WHEN e.ebitda > 0 AND coalesce(NOT starts_with(f.leverage_reason, 'a bank'), TRUE) THEN ${overEarlier} END ELSE ${ratio} END`

/**
 * Operating income of a company with a finance arm is after the interest of lending, which interest expense may leave out:
 * its EBITDA over interest is no coverage, while total debt has what is lent. From income before tax, all interest is added back.
 */
const isAfterLending = (figures: string, earnings: string): string =>
  `(${figures}.captive_finance IS NOT NULL AND coalesce(starts_with(${earnings}.ebitda_source, 'operating_income'), FALSE))`

/** Everything known about a company, for each range of ages. */
const joinedSql = (today: string): string => `
      SELECT ${ARE_ITS_DEBT} AS are_its_debt, coalesce(f.total_debt = 0 AND b.company_id IS NULL, FALSE) AS owes_nothing, c.company_id, c.ticker, c.name, c.sector, c.sector_source, i.bond_issuers, c.industry, c.cik, c.lei,
        s.max_age_from, s.max_age_to, coalesce(r.rating_max_age_from, 0) AS rating_max_age_from,
        coalesce(r.rating_max_age_to, ${NO_MAX_AGE}) AS rating_max_age_to, f.total_debt, coalesce(f.secured_debt, CASE WHEN are_its_debt THEN coalesce(b.secured, 0) WHEN owes_nothing THEN 0 END) AS secured_debt,
        f.debt_excluding_finance, f.cash_and_equivalents AS cash, e.ebitda AS ebitda_ttm, CASE WHEN NOT ${isAfterLending('f', 'e')} THEN e.interest_coverage END AS interest_coverage,
        ${earlier('f.leverage_ratio', 'CAST(f.total_debt AS DOUBLE) / e.ebitda')} AS leverage_ratio,
        ${earlier('f.net_leverage_ratio', 'CAST(f.total_debt - f.cash_and_equivalents AS DOUBLE) / e.ebitda')} AS net_leverage_ratio,
        CASE WHEN e.period_end_date < f.period_end_date AND e.ebitda <= 0 AND NOT starts_with(f.leverage_reason, 'a bank') THEN 'EBITDA is not positive'
          ELSE f.leverage_reason END AS leverage_reason, n.currency AS statement_currency,
        CASE WHEN e.period_end_date < f.period_end_date THEN e.period_end_date END AS earnings_date, f.ebitda_quarters AS quarters_since,
        ${dueColumn(1)}, ${dueColumn(2)}, ${dueColumn(3)},
        b.nearest_maturity, b.average_life AS weighted_avg_maturity, coalesce(p.entity_count, 0) AS entity_count,
        coalesce(p.guarantor_count, 0) AS guarantor_count, coalesce(b.bond_count, 0) AS bond_count,
        CASE WHEN b.has_floating THEN TRUE WHEN b.rates_known AND are_its_debt THEN FALSE END AS has_floating_rate,
        coalesce(b.nearest_maturity <= ${today} + INTERVAL 24 MONTH, FALSE) AS bond_near,
        CASE WHEN b.has_holdco THEN TRUE WHEN b.issuers_known AND are_its_debt THEN FALSE END AS has_holdco_debt,
        CASE WHEN b.has_opco THEN TRUE WHEN b.issuers_known AND are_its_debt THEN FALSE END AS has_opco_debt,
        r.sp_rating, r.moodys_rating, r.fitch_rating, r.sp_letter, r.moodys_letter, r.fitch_letter, r.rating_bucket, r.rating_date,
        r.rating_age_days, CASE WHEN r.company_id IS NULL THEN 'not_rated' ELSE r.rating_null_because END AS rating_null_because,
        c.coverage, n.period_end_date, n.age_days AS figures_age_days,
        CASE WHEN n.company_id IS NULL THEN 'no_statements' WHEN f.company_id IS NULL THEN 'stale' END AS figures_null_because,
        e.ebitda_source, e.ebitda_quarters, e.is_annualized, e.ebitda_estimated, e.ttm_quarters, f.accession,
        ${quotedIn('f.explain')} AS said, ${quotedIn('e.explain')} AS said_of_earnings, f.secured_debt IS NOT NULL AS filed_secured, f.captive_finance, ${isAfterLending('f', 'e')} AS is_after_lending, b.bonds, b.sinking_bonds, coalesce(n.amount_unit, 'USD cents') AS amount_unit,
        ${[1, 2, 3, 4, 5].map(n => `m.debt_due_${n}yr AS schedule_${n}`).join(', ')}, m.accession AS schedule_accession, m.rest_due AS schedule_rest, e.interest_expense,
        coalesce(q.figures, 0) AS quarantined,
        f.known_from AS figures_known, e.known_from AS earnings_known, m.known_from AS schedule_known, m.period_end_date AS schedule_date, from_json(c.aliases, '["VARCHAR"]') AS aliases, from_json(c.former_names, '["VARCHAR"]') AS former_names
      FROM companies_base c JOIN spans s USING (company_id) LEFT JOIN figures n USING (company_id)
      LEFT JOIN figures f ON f.company_id = c.company_id AND f.age_days <= s.max_age_from
      LEFT JOIN earnings e ON e.company_id = f.company_id AND e.max_age_from = s.max_age_from
      LEFT JOIN debt b ON b.company_id = c.company_id
      LEFT JOIN issued i ON i.company_id = c.company_id
      LEFT JOIN schedule m ON m.company_id = c.company_id AND m.age_days <= s.max_age_from
      LEFT JOIN people p ON p.company_id = c.company_id LEFT JOIN rated r ON r.company_id = c.company_id
      LEFT JOIN (SELECT company_id, count(*) AS figures FROM quarantine GROUP BY company_id) q ON q.company_id = c.company_id`

/** The warning of rows that a later filing changed. */
const FIRST_PRINT = 'figures are as first reported: later filings restated or completed their statements'

/** Warnings about the figures in order, each with its code and its text in SQL, which is null where it does not apply. */
const warnings = (print: Print): readonly (readonly [code: CompanyWarning, text: string])[] => [
  ...(print === 'original' ? ([['first_print', literal(FIRST_PRINT)]] as const) : []),
  [
    'stale_figures',
    `CASE WHEN figures_null_because = 'stale' THEN 'leverage is null: ' || ${figuresMissing} END`,
  ],
  [
    'no_leverage',
    `CASE WHEN leverage_ratio IS NULL AND figures_null_because IS DISTINCT FROM 'stale' THEN 'leverage is null: ' || coalesce(leverage_reason, ${figuresMissing}) END`,
  ],
  [
    'annualized',
    `CASE WHEN is_annualized THEN 'EBITDA is annualised from ' || ${quarters('ebitda_quarters')} END`,
  ],
  [
    'earlier_earnings',
    `CASE WHEN earnings_date IS NOT NULL THEN 'EBITDA is of the twelve months to ' || earnings_date || ': newer figures would be annualised from ' || ${quarters('quarters_since')} END`,
  ],
  [
    'due_exceeds_debt',
    `CASE WHEN debt_due_2yr > total_debt THEN 'debt due within two years exceeds total debt: amounts due are ' || CASE WHEN are_its_debt THEN 'face values of bonds' ELSE 'repayments of principal' END || ', total debt is the carrying amount of ' || period_end_date END`,
  ],
  ['estimated', `CASE WHEN ebitda_estimated THEN 'operating income stands in for EBITDA' END`],
  [
    'captive_finance',
    `CASE WHEN captive_finance IS NOT NULL THEN 'captive finance: ' || captive_finance || CASE
          WHEN is_after_lending THEN '; total debt includes that of lending and EBITDA is after its interest: leverage is overstated, interest coverage is null'
          ELSE '; total debt and interest are also those of lending' END END`,
  ],
  [
    'low_interest',
    `CASE WHEN interest_expense < total_debt * ${LEAST_INTEREST} THEN 'interest expense is under 0.1% of total debt: coverage may leave interest out' END`,
  ],
  [
    'quarantined',
    `CASE WHEN quarantined > 0 THEN quarantined || ' figures are quarantined: see the table quarantine' END`,
  ],
  [
    'secured_exceeds_debt',
    `CASE WHEN secured_debt > total_debt THEN 'secured debt exceeds total debt: unsecured debt is null' END`,
  ],
  ['currency', `CASE WHEN statement_currency <> 'USD' THEN 'amounts are in ' || statement_currency END`],
  [
    'old_figures',
    `CASE WHEN figures_null_because IS NULL AND figures_age_days > ${DEFAULT_MAX_AGE} THEN 'the newest figures are of ' || period_end_date || ', ' || figures_age_days || ' days before the as-of date' END`,
  ],
  [
    'stale_rating',
    `CASE WHEN rating_null_because = 'stale' THEN 'no bucket: the newest rating is of ' || rating_date END`,
  ],
  [
    'ratings_far_apart',
    `CASE WHEN rating_null_because = 'far_apart' THEN 'no bucket: the letters of its agencies lie more than five years apart' END`,
  ],
]

/** The warnings that apply, as a list of codes and texts. */
const warned = (print: Print): string =>
  `list_filter([${warnings(print)
    .map(([code, text]) => `{'code': ${literal(code)}, 'text': ${text}}`)
    .join(',\n        ')}], lambda x: x.text IS NOT NULL)`

/** The published columns, and those that `_explain` needs. */
const metricsSql = (print: Print): string => `
    SELECT company_id, max_age_from, max_age_to, rating_max_age_from, rating_max_age_to, ticker, name, sector, sector_source, bond_issuers, industry, cik, lei, statement_currency AS currency, total_debt, secured_debt,
      CASE WHEN total_debt >= secured_debt THEN total_debt - secured_debt END AS unsecured_debt,
      debt_excluding_finance, total_debt - cash AS net_debt, cash, ebitda_ttm, leverage_ratio, net_leverage_ratio,
      CASE WHEN leverage_ratio IS NOT NULL AND ebitda_ttm > 0 THEN secured_debt / ebitda_ttm END AS secured_leverage,
      interest_coverage, is_annualized, debt_due_1yr, debt_due_2yr, debt_due_3yr, nearest_maturity, weighted_avg_maturity,
      entity_count, guarantor_count, bond_count, has_holdco_debt AND has_opco_debt AS has_structural_sub, has_floating_rate,
      CASE WHEN bond_near THEN TRUE ELSE debt_due_2yr > 0 END AS has_near_term_maturity,
      has_holdco_debt, has_opco_debt, sp_rating, moodys_rating, fitch_rating, sp_letter, moodys_letter, fitch_letter, rating_bucket, rating_date,
      rating_age_days, rating_null_because, coverage, period_end_date, figures_age_days, figures_null_because,
      ${figuresMissing} AS figures_missing, aliases, former_names,
      ${qaScore} AS "_metadata.qa_score",
      ${warned(print)} AS warned,
      list_transform(warned, lambda x: x.text) AS "_metadata.warnings",
      list_transform(warned, lambda x: x.code) AS "_metadata.warning_codes",
      CAST(figures_known AS TIMESTAMP) AS "_metadata.extracted_at",
      CASE WHEN accession IS NOT NULL THEN [accession] END AS "_metadata.source_filings",
      ebitda_source AS "_metadata.leverage_data_quality.ebitda_source",
      ebitda_quarters AS "_metadata.leverage_data_quality.ebitda_quarters",
      is_annualized AS "_metadata.leverage_data_quality.is_annualized",
      ebitda_estimated AS "_metadata.leverage_data_quality.ebitda_estimated",
      ttm_quarters AS "_metadata.leverage_data_quality.ttm_quarters",
      said, said_of_earnings, is_after_lending, amount_unit, bonds, sinking_bonds, are_its_debt, owes_nothing, filed_secured, leverage_reason, interest_expense, schedule_date, schedule_accession, schedule_rest, figures_known, earnings_known, schedule_known,
      ${[1, 2, 3, 4, 5].map(n => `schedule_${n}`).join(', ')}, ebitda_estimated
    FROM joined`

/** `financials`: every version of every quarter and trailing year, with the published columns. */
export const deriveFinancials = (db: Database, sizes: CompanyParts = {}): Promise<void> =>
  createFinancials(db, 'financials', 'statements_derived', sizes)

/** The same of the statements in a table. */
export async function createFinancials(
  db: Database,
  table: string,
  from: StatementTable,
  sizes: CompanyParts = {},
): Promise<void> {
  await createInParts(db, table, await companyParts(db, sizes, from), part => financialsSql(from, part))
}

const ofPeriod =
  'PARTITION BY s.company_id, s.fiscal_year, s.fiscal_quarter, s.basis ORDER BY s.known_from NULLS FIRST, s.filed_date, s.accession, s.version'

const financialsSql = (from: StatementTable, part: CompanyPart): string => `
    SELECT c.ticker, c.name AS company_name, s.fiscal_year, s.fiscal_quarter, s.filing_type, s.period_end_date, s.currency,
      s.revenue, s.gross_profit, s.operating_income, s.depreciation_amortization, s.ebitda, s.interest_expense, s.net_income,
      s.total_assets, s.total_liabilities, s.stockholders_equity, s.total_debt, s.cash_and_equivalents, s.operating_cash_flow, s.capex,
      s.operating_cash_flow - s.capex AS free_cash_flow, s.leverage_ratio, coalesce(s.is_annualized, FALSE) AS is_annualized,
      coalesce(s.ebitda_estimated, FALSE) AS ebitda_estimated, s.filed_date, s.accession, s.basis, s.is_original, s.is_latest,
      s.period_end_date = max(s.period_end_date) FILTER (WHERE s.is_latest) OVER (PARTITION BY s.company_id, s.basis) AS is_newest,
      s.ebitda_source AS "_metadata.leverage_data_quality.ebitda_source",
      s.ebitda_quarters AS "_metadata.leverage_data_quality.ebitda_quarters",
      s.is_annualized AS "_metadata.leverage_data_quality.is_annualized",
      s.ebitda_estimated AS "_metadata.leverage_data_quality.ebitda_estimated",
      s.ttm_quarters AS "_metadata.leverage_data_quality.ttm_quarters",
      row_number() OVER (${ofPeriod}) AS version, s.known_from AS valid_from, lead(s.known_from) OVER (${ofPeriod}) - 1 AS valid_to,
      min(s.known_from) OVER (PARTITION BY s.company_id, s.basis ORDER BY s.period_end_date RANGE BETWEEN INTERVAL 1 DAY FOLLOWING AND UNBOUNDED FOLLOWING) - 1 AS newest_to,
      s.company_id, c.coverage, s.known_from, s.explain AS _explain, c.sector,
      ${Object.keys({ ...furtherItems, ...addedBackItems })
        .map(name => `s.${name}`)
        .join(', ')},
      ${margins.map(({ name, of }) => `${marginSql(of)} AS ${name}`).join(', ')}
    FROM ${from} s JOIN companies_base c USING (company_id) WHERE ${part('s.company_id')}`
