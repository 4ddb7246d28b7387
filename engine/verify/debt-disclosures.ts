import { exact, type Recomputation } from './recomputation.ts'

const year = (n: number, word: string) =>
  `WHEN regexp_matches(k.concept, '(InYear|InRollingYear)${word}$') THEN 'due_${n}'`

const loadedAmount = (of: string) => `CASE k.concept WHEN 'debt_due_1yr' THEN ${of}.debt_due_1yr
        ${[2, 3, 4, 5].map(n => `WHEN 'debt_due_${n}yr - debt_due_${n - 1}yr' THEN ${of}.debt_due_${n}yr - ${of}.debt_due_${n - 1}yr`).join(' ')} END`

/** Each tagged amount is looked up at its source; amounts of a loaded statement are differences of its columns. */
export const debtDisclosures: Recomputation = {
  table: 'debt_disclosures',
  how: 'the facts at their sources, or the columns of the loaded statements',
  columns: { item: exact, amount: exact, original_amount: exact },
  whole: false,
  make: async () => `
    WITH tagged AS (
      SELECT source, concept, period_end, dimensions, unit, max(value) AS value FROM raw_facts WHERE period_start IS NULL GROUP BY ALL)
    SELECT k.company_id, k.concept, k.period_end_date, k.dimensions, k.currency,
      CASE WHEN k.concept LIKE '%RemainderOfFiscalYear' THEN 'due_remainder'
        WHEN regexp_matches(k.concept, 'InNext(Rolling)?TwelveMonths$') THEN 'due_1'
        ${['Two', 'Three', 'Four', 'Five'].map((word, i) => year(i + 2, word)).join(' ')}
        WHEN regexp_matches(k.concept, 'After(YearFive|RollingYearFive)$|InRollingAfterYearFive$') THEN 'due_after'
        WHEN k.concept LIKE '%MaximumBorrowingCapacity' THEN 'committed' ELSE 'undrawn' END AS item,
      ${['r', 'o'].map(of => `CAST(round(${of}.value * CASE WHEN k.currency IN ('JPY', 'KRW', 'VND', 'CLP', 'ISK') THEN 1 ELSE 100 END) AS BIGINT)`).join(' AS amount, ')} AS original_amount
    FROM kept_debt_disclosures k JOIN tagged r ON r.source = k.source AND r.concept = k.concept
      AND r.period_end = k.period_end_date AND r.dimensions IS NOT DISTINCT FROM k.dimensions AND r.unit = k.currency
    JOIN tagged o ON o.source = k.original_source AND o.concept = k.concept
      AND o.period_end = k.period_end_date AND o.dimensions IS NOT DISTINCT FROM k.dimensions AND o.unit = k.currency
    UNION ALL
    SELECT k.company_id, k.concept, k.period_end_date, k.dimensions, k.currency, 'due_' || k.concept[10:10] AS item,
      ${['s', 'o'].map(of => `max(${loadedAmount(of)})`).join(' AS amount, ')} AS original_amount
    FROM kept_debt_disclosures k JOIN raw_financials s ON s.source = k.source AND s.period_end_date = k.period_end_date
    JOIN raw_financials o ON o.source = k.original_source AND o.period_end_date = k.period_end_date
    WHERE starts_with(k.concept, 'debt_due_') GROUP BY ALL`,
}
