import { type Database, literal } from '../../database/database.ts'
import { RECONCILES } from '../../schema/resources/debt-reconciliations.ts'
import { printFlags } from '../../schema/resources/shared.ts'

const company = 'c.ticker, c.name AS company_name, c.coverage'

/** The statement with the total debt of each balance date, as first or as most recently reported. */
const statedDebt = (flag: string) => `(
        SELECT company_id, period_end_date, currency, total_debt, filing_type, accession FROM statements_derived
        WHERE ${flag} AND total_debt IS NOT NULL
        QUALIFY row_number() OVER (PARTITION BY company_id, period_end_date, currency
          ORDER BY known_from DESC NULLS LAST, basis, fiscal_year, fiscal_quarter, version DESC) = 1)`

/**
 * Companies whose instruments were only loaded: their carrying amounts against the total debt of the statement of the
 * same day, as most recently reported, and as first reported where that is another.
 */
const loadedSums = `
      SELECT i.company_id, i.balance_date, min(i.currency) AS currency, max(CASE WHEN p.is_first THEN o.total_debt ELSE s.total_debt END) AS tagged_debt, count(*) AS instruments,
        CAST(sum(i.carrying_amount) AS BIGINT) AS instruments_sum, ${['finance_leases', 'lines_without_instruments', 'unamortized_discount', 'hedge_adjustment', 'tagged_in_other_unit'].map(name => `CAST(NULL AS BIGINT) AS ${name}`).join(', ')},
        CAST([] AS VARCHAR[]) AS likely_causes, 'carrying_amount' AS basis, max(CASE WHEN p.is_first THEN o.filing_type ELSE s.filing_type END) AS form,
        max(CASE WHEN p.is_first THEN o.accession ELSE s.accession END) AS accession,
        CASE WHEN max(s.total_debt) IS NOT NULL THEN 'total debt of the statement' END AS debt_read_as, CAST(NULL AS VARCHAR) AS lines, max(i.known_from) AS known_from,
        NOT p.is_first AS is_latest, p.is_first OR NOT coalesce(bool_or(s.total_debt <> o.total_debt), FALSE) AS is_original
      FROM instruments_base i CROSS JOIN (VALUES (FALSE), (TRUE)) p(is_first)
      LEFT JOIN ${statedDebt(printFlags.latest)} s ON s.company_id = i.company_id AND s.period_end_date = i.balance_date AND s.currency = i.currency
      LEFT JOIN ${statedDebt(printFlags.original)} o ON o.company_id = i.company_id AND o.period_end_date = i.balance_date AND o.currency = i.currency
      WHERE i.is_counted AND i.balance_date IS NOT NULL AND i.company_id NOT IN (SELECT company_id FROM reconciliations_base)
      GROUP BY i.company_id, i.balance_date, p.is_first HAVING count(DISTINCT i.currency) = 1 AND (NOT p.is_first OR bool_or(s.total_debt <> o.total_debt))`

/** `instruments` as users see them. */
export const derivePublicInstruments = (db: Database, { asOf }: { asOf: string }): Promise<void> =>
  db.run(`
    CREATE OR REPLACE TABLE instruments AS
    SELECT i.*, ${company}, coalesce(i.maturity_date > DATE ${literal(asOf)}, i.maturity >= left(${literal(asOf)}, length(i.maturity)), TRUE) AS is_active,
      CASE WHEN i.corrections IS NULL THEN i.evidence ELSE json_merge_patch(coalesce(i.evidence, '{}'), json_object('corrections', CAST(i.corrections AS JSON))) END AS _explain
    FROM instruments_base i JOIN companies_base c USING (company_id)`)

/** `debt_reconciliations` and `debt_reconciliations_by_print`. */
export const deriveReconciliations = (db: Database): Promise<void> =>
  db.run(`
    CREATE OR REPLACE TABLE debt_reconciliations_by_print AS
    WITH sums AS (FROM reconciliations_base UNION ALL BY NAME ${loadedSums}),
    lines AS (
      SELECT *, tagged_debt - instruments_sum - coalesce(finance_leases, 0) - coalesce(lines_without_instruments, 0)
        - coalesce(unamortized_discount, 0) - coalesce(hedge_adjustment, 0) - coalesce(tagged_in_other_unit, 0) AS difference
      FROM sums)
    SELECT l.*, ${company}, round(100 * l.difference / nullif(l.tagged_debt, 0), 4) AS difference_pct,
      abs(l.difference) <= ${RECONCILES / 100} * l.tagged_debt AS reconciles,
      to_json({'difference': 'tagged debt - instruments - the lines between', 'tagged_debt': l.debt_read_as, 'instruments': l.basis,
        'lines': CAST(l.lines AS JSON), 'accession': l.accession}) AS _explain
    FROM lines l JOIN companies_base c USING (company_id);
    CREATE OR REPLACE TABLE debt_reconciliations AS
    SELECT * EXCLUDE (is_latest, is_original) FROM debt_reconciliations_by_print WHERE is_latest`)
