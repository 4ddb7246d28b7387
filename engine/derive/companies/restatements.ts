import { type Database, literal, quote } from '../../database/database.ts'
import { amountUnitSql } from '../../schema/amount-unit.ts'
import { statementItems } from '../../schema/datasets/statements.ts'
import { restatedFigures } from '../../schema/resources/restatements.ts'

/** Smaller differences of ratios are of floating-point numbers. */
const SAME_RATIO = 1e-9

const isAmount = (figure: string): boolean => figure in statementItems || figure === 'free_cash_flow'

/** A figure of a version of a statement. */
const figureSql = (figure: string): string =>
  `{'figure': ${literal(figure)}, 'value': CAST(${quote(figure)} AS DOUBLE), 'is_amount': ${isAmount(figure)}}`

const period = 'company_id, fiscal_year, fiscal_quarter, basis'

/**
 * `restatements`: each figure of a statement that differs from its value in the last version before that has one, or that
 * is gone. What only the number of quarters behind trailing figures explains is told apart.
 */
export const deriveRestatements = (db: Database): Promise<void> =>
  db.run(`
    CREATE OR REPLACE TABLE restatements AS
    WITH versions AS (
      SELECT ${period}, version, ticker, company_name, period_end_date, currency, filing_type, accession, coverage, valid_from,
        min(valid_from) OVER (PARTITION BY ${period}) AS first_known,
        concat_ws(' ', is_annualized, "_metadata.leverage_data_quality.ebitda_quarters", len("_metadata.leverage_data_quality.ttm_quarters")) AS formed,
        unnest([${restatedFigures.map(figureSql).join(', ')}]) AS f
      FROM financials QUALIFY count(*) OVER (PARTITION BY ${period}) > 1),
    compared AS (
      SELECT *, f.figure AS figure, f.value AS after, f.is_amount AS is_amount,
        lag(CASE WHEN f.value IS NOT NULL THEN {'value': f.value, 'formed': formed, 'accession': accession} END IGNORE NULLS) OVER versions_of AS before,
        lag(f.value) OVER versions_of AS last_value,
        first_value(f.value IGNORE NULLS) OVER versions_of AS first_print
      FROM versions WINDOW versions_of AS (PARTITION BY ${period}, f.figure ORDER BY version))
    SELECT ticker, company_name, fiscal_year, fiscal_quarter, basis, period_end_date, figure, before.value AS before, after,
      after - before.value AS difference, ${changeSql} AS change_pct,
      CASE WHEN is_amount THEN ${amountUnitSql('currency')} ELSE 'ratio' END AS unit,
      CASE WHEN after IS NULL THEN 'withdrawn' WHEN (basis = 'ttm' OR f.figure = 'leverage_ratio') AND formed IS DISTINCT FROM before.formed THEN 'completed' ELSE 'restated' END AS kind,
      valid_from AS restated_on, CAST(date_diff('day', first_known, valid_from) AS BIGINT) AS days_after, filing_type, accession,
      before.accession AS accession_before, first_print, abs(${changeSql}) AS change_size, version, currency, company_id, coverage,
      valid_from AS known_from
    FROM compared
    WHERE before IS NOT NULL AND CASE WHEN after IS NULL THEN last_value IS NOT NULL WHEN is_amount THEN after <> before.value
      ELSE abs(after - before.value) > ${SAME_RATIO} * greatest(abs(before.value), 1) END`)

const changeSql = '(after - before.value) * 100 / nullif(abs(before.value), 0)'
