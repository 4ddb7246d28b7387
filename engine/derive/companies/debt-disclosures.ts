import { type Database, literal } from '../../database/database.ts'
import { tieBreak } from '../../database/tie-break.ts'
import type { DebtDisclosureItem } from '../../schema/resources/debt-disclosures.ts'
import { joinCompany } from '../issuers/join-company.ts'
import { minorUnits } from '../statements/minor-units.ts'

const LONG_TERM = 'us-gaap:LongTermDebtMaturitiesRepaymentsOfPrincipal'
const WITH_LEASES = 'us-gaap:LongTermDebtAndCapitalLeaseObligationsMaturitiesRepaymentsOfPrincipal'

/** The years of a maturity table, as elements name them: of the fiscal year, or rolling from the balance date. */
const years: readonly (readonly [DebtDisclosureItem, ...string[]])[] = [
  ['due_remainder', 'RemainderOfFiscalYear'],
  ['due_1', 'InNextTwelveMonths', 'InNextRollingTwelveMonths'],
  ['due_2', 'InYearTwo', 'InRollingYearTwo'],
  ['due_3', 'InYearThree', 'InRollingYearThree'],
  ['due_4', 'InYearFour', 'InRollingYearFour'],
  ['due_5', 'InYearFive', 'InRollingYearFive'],
  ['due_after', 'AfterYearFive', 'InRollingAfterYearFive'],
]

const items: ReadonlyMap<string, DebtDisclosureItem> = new Map([
  ...years.flatMap(([item, ...names]) =>
    [LONG_TERM, WITH_LEASES].flatMap(prefix =>
      names.map((name): [string, DebtDisclosureItem] => [`${prefix}${name}`, item]),
    ),
  ),
  ['us-gaap:LineOfCreditFacilityMaximumBorrowingCapacity', 'committed'],
  ['us-gaap:LineOfCreditFacilityRemainingBorrowingCapacity', 'undrawn'],
  ['us-gaap:DebtInstrumentUnusedBorrowingCapacityAmount', 'undrawn'],
])

/** What is due in the rest of the fiscal year of a quarterly report. */
export const restOfYear = [LONG_TERM, WITH_LEASES].map(prefix => `${prefix}RemainderOfFiscalYear`)

/** Amounts of a loaded statement are cumulative: each year is the difference to the one before. */
const loadedYears = [1, 2, 3, 4, 5].map(
  n =>
    `{'item': 'due_${n}', 'concept': 'debt_due_${n}yr${n > 1 ? ` - debt_due_${n - 1}yr` : ''}',
      'amount': CAST(s.debt_due_${n}yr AS BIGINT)${n > 1 ? ` - CAST(s.debt_due_${n - 1}yr AS BIGINT)` : ''}}`,
)

/** What `original_` columns hold of the first statement of a figure. */
const ofFirstPrint = ['amount', 'form', 'accession', 'filed_date', 'source', 'known_from'] as const

/**
 * `debt_disclosures`: repayments by year and facilities as filed or loaded, the newest statement of each figure, and what
 * the first one said. Figures that the statements quarantine are left out.
 */
export async function deriveDebtDisclosures(db: Database): Promise<void> {
  const mapped = [...items].map(([concept, item]) => `(${literal(concept)}, ${literal(item)})`).join(', ')
  const currencies = await db.rows<{ unit: string }>(
    `SELECT DISTINCT f.unit FROM in_facts f JOIN (VALUES ${mapped}) m(concept, item) USING (concept)
     WHERE regexp_full_match(f.unit, '[A-Z]{3}') ORDER BY 1`,
  )
  const units = currencies.map(({ unit }) => `WHEN ${literal(unit)} THEN ${minorUnits(unit)}`).join(' ')
  await db.run(`
    CREATE OR REPLACE TABLE debt_disclosures AS
    WITH tagged AS (
      SELECT c.company_id, m.item, f.concept, f.period_end AS period_end_date, f.dimensions, f.unit AS currency,
        CAST(round(f.value * CASE f.unit WHEN '' THEN 1 ${units} ELSE 100 END) AS BIGINT) AS amount,
        coalesce(f.form, g.form) AS form, f.fiscal_period, f.accession, f.filed_date, f.source, f.known_from, f.ingested_at
      FROM in_facts f JOIN (VALUES ${mapped}) m(concept, item) USING (concept) JOIN company_of_cik c USING (cik)
      LEFT JOIN (SELECT accession, min(form) AS form FROM in_filings GROUP BY accession) g ON g.accession = f.accession
      WHERE f.period_start IS NULL AND regexp_full_match(f.unit, '[A-Z]{3}') AND f.value >= 0 AND abs(f.value) < 9e13
        AND f.period_end <= coalesce(f.filed_date, f.known_from, f.period_end)
        AND NOT EXISTS (FROM quarantine q WHERE q.dataset = 'facts' AND q.company_id = c.company_id AND q.item = f.concept
          AND q.period_end = f.period_end AND q.value = f.value)),
    stated AS (
      SELECT company.company_id AS company_id, unnest([${loadedYears.join(', ')}], recursive := TRUE), s.period_end_date,
        CAST(NULL AS VARCHAR) AS dimensions, coalesce(s.currency, 'USD') AS currency, s.filing_type AS form,
        CASE WHEN s.fiscal_quarter < 4 THEN 'Q' || s.fiscal_quarter ELSE 'FY' END AS fiscal_period, s.accession, s.filed_date,
        s.source, s.known_from, s.ingested_at
      FROM in_financials s ${joinCompany('s')} WHERE company.company_id IS NOT NULL AND s.debt_due_1yr IS NOT NULL),
    known AS (SELECT * FROM tagged UNION ALL BY NAME SELECT * FROM stated WHERE amount >= 0),
    newest AS (
      SELECT *, ${ofFirstPrint.map(name => `first_value(${name}) OVER first AS original_${name}`).join(', ')}
      FROM known
      WINDOW figure AS (PARTITION BY company_id, concept, period_end_date, dimensions, currency
          ORDER BY known_from DESC NULLS LAST, accession DESC NULLS LAST, ingested_at DESC, source, ${tieBreak('known')}),
        first AS (PARTITION BY company_id, concept, period_end_date, dimensions, currency
          ORDER BY known_from NULLS FIRST, amount DESC, accession NULLS FIRST, ingested_at, source DESC, ${tieBreak('known')})
      QUALIFY row_number() OVER figure = 1)
    SELECT c.ticker, c.name AS company_name, n.item, n.amount, n.currency, n.period_end_date, n.dimensions, n.concept, n.form,
      coalesce(CASE WHEN n.fiscal_period SIMILAR TO 'Q[1-3]' THEN CAST(right(n.fiscal_period, 1) AS BIGINT) WHEN n.fiscal_period = 'FY' THEN 4 END,
        s.fiscal_quarter) AS fiscal_quarter, n.accession, n.filed_date, n.source, n.company_id, c.coverage, n.known_from,
      ${ofFirstPrint.map(name => `n.original_${name}`).join(', ')}
    FROM newest n JOIN companies_base c USING (company_id)
    LEFT JOIN (SELECT company_id, period_end_date, max(fiscal_quarter) AS fiscal_quarter FROM statements_derived WHERE basis = 'quarter' GROUP BY ALL) s
      ON s.company_id = n.company_id AND s.period_end_date = n.period_end_date`)
}
