import { DEFAULT_MAX_AGE } from '../../credit/max-age.ts'
import { type Database, literal } from '../../database/database.ts'
import { type Print, printFlags } from '../../schema/resources/shared.ts'
import { minorUnitsSql } from '../statements/minor-units.ts'
import type { CompanyPart } from './company-parts.ts'
import { restOfYear } from './debt-disclosures.ts'

/** Days from a balance date to the as-of date. */
const ageOf = (today: string, table = 'newest_statements') =>
  `greatest(date_diff('day', ${table}.period_end_date, ${today}), 0) AS age_days`

/** The newest trailing statement of each company. */
export const figuresSql = (today: string, part: CompanyPart, print: Print): string => `
      SELECT *, ${ageOf(today)} FROM newest_statements WHERE basis = 'ttm' AND ${printFlags[print]} AND ${part('company_id')}
      QUALIFY row_number() OVER (PARTITION BY company_id ORDER BY period_end_date DESC, fiscal_year DESC, fiscal_quarter DESC) = 1`

/**
 * Statements whose EBITDA may be shown: the newest, and if it is annualised those of whole years before it. Operating income
 * that stands in for EBITDA is no better than annualised EBITDA.
 */
export const candidatesSql = (today: string, part: CompanyPart, print: Print): string => `
      SELECT e.*, ${ageOf(today, 'e')} FROM newest_statements e JOIN figures f USING (company_id)
      WHERE e.basis = 'ttm' AND e.${printFlags[print]} AND ${part('e.company_id')} AND (e.period_end_date = f.period_end_date AND e.fiscal_quarter = f.fiscal_quarter
        OR f.is_annualized AND NOT e.is_annualized AND e.ebitda IS NOT NULL AND e.currency = f.currency AND e.period_end_date < f.period_end_date
          AND (f.ebitda IS NULL OR coalesce(f.ebitda_estimated, FALSE) OR NOT coalesce(e.ebitda_estimated, FALSE))
          AND e.period_end_date >= CASE WHEN f.period_end_date >= ${today} - ${DEFAULT_MAX_AGE} THEN ${today} ELSE f.period_end_date END - ${DEFAULT_MAX_AGE})`

/** The newest maturity schedule that a company filed. */
export const scheduleSql = (today: string, part: CompanyPart, print: Print): string => `
      SELECT company_id, period_end_date, ${[1, 2, 3, 4, 5].map(n => `debt_due_${n}yr`).join(', ')}, accession, known_from, is_latest, is_original,
        fiscal_quarter < 4 AND rest.latest IS DISTINCT FROM rest.original AS is_rest_restated,
        date_diff('day', period_end_date, ${today}) / 365.25 AS age_years, ${ageOf(today)},
        CASE WHEN fiscal_quarter < 4 THEN rest.${print} * ${minorUnitsSql('currency')} END AS rest_due, (12 - 3 * fiscal_quarter) / 12 AS rest_years
      FROM newest_statements LEFT JOIN schedule_rest rest USING (company_id, period_end_date, currency)
      WHERE ${printFlags[print]} AND debt_due_1yr IS NOT NULL AND ${part('company_id')}
      QUALIFY row_number() OVER (PARTITION BY company_id ORDER BY period_end_date DESC, basis, fiscal_quarter DESC, fiscal_year DESC) = 1`

const newest = (columns: string, order: string) =>
  `rank() OVER (PARTITION BY company_id, ${columns} ORDER BY ${order}) = 1`

/** Of statements of one print, those that figures can be read off on any later day. */
const mayBeRead = (print: Print): string => `
    SELECT company_id, basis, fiscal_year, fiscal_quarter FROM (
      SELECT company_id, basis, fiscal_year, fiscal_quarter, basis = 'ttm' AND ${newest('basis', 'period_end_date DESC, fiscal_year DESC, fiscal_quarter DESC')} AS is_newest,
        NOT is_annualized AND ebitda IS NOT NULL AND basis = 'ttm' AS may_stand_in,
        debt_due_1yr IS NOT NULL AND ${newest('debt_due_1yr IS NOT NULL', 'period_end_date DESC, basis, fiscal_quarter DESC, fiscal_year DESC')} AS has_schedule,
        bool_or(is_annualized AND basis = 'ttm') OVER (PARTITION BY company_id) AS any_annualized
      FROM statements_derived WHERE ${printFlags[print]})
    WHERE is_newest OR has_schedule OR may_stand_in AND any_annualized`

/**
 * `newest_statements`: the statements that the figures of companies depend on, on any day on which no further is known;
 * `schedule_rest`: what is due in the rest of the fiscal year of a quarterly report, as first and as most recently filed; of
 * several filed on a day the largest.
 */
export const deriveNewestStatements = (db: Database): Promise<void> =>
  db.run(`
    CREATE OR REPLACE TABLE newest_statements AS
    SELECT s.* FROM statements_derived s SEMI JOIN (${mayBeRead('latest')} UNION ${mayBeRead('original')}) n
      ON n.company_id = s.company_id AND n.basis = s.basis AND n.fiscal_year IS NOT DISTINCT FROM s.fiscal_year
        AND n.fiscal_quarter IS NOT DISTINCT FROM s.fiscal_quarter
    WHERE s.is_latest OR s.is_original ORDER BY s.company_id;
    CREATE OR REPLACE TABLE schedule_rest AS
    SELECT c.company_id, f.period_end AS period_end_date, f.unit AS currency,
      arg_max(f.value, {'known': ${knownFrom}, 'value': f.value}) AS latest,
      arg_min(f.value, {'known': ${knownFrom}, 'value': -f.value}) AS original
    FROM in_facts f JOIN company_of_cik c USING (cik)
    WHERE f.concept IN (${restOfYear.map(literal).join(', ')}) AND f.dimensions IS NULL AND f.period_start IS NULL AND f.value >= 0
      AND f.period_end <= coalesce(f.filed_date, f.known_from, f.period_end) GROUP BY ALL`)

const knownFrom = "coalesce(f.known_from, DATE '0001-01-01')"

/** The companies whose figures are read off other versions of statements as first than as most recently reported. */
export function restatedSql(today: string): string {
  const all: CompanyPart = () => 'TRUE'
  const under = (print: Print, other: Print) => `
    SELECT company_id FROM (WITH figures AS (${figuresSql(today, all, print)})
      SELECT company_id FROM figures WHERE NOT ${printFlags[other]}
      UNION ALL SELECT company_id FROM (${candidatesSql(today, all, print)}) WHERE NOT ${printFlags[other]}
      UNION ALL SELECT company_id FROM (${scheduleSql(today, all, print)}) WHERE NOT ${printFlags[other]} OR is_rest_restated)`
  return `${under('latest', 'original')} UNION ${under('original', 'latest')}`
}
