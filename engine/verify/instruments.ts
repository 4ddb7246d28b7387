import { literal } from '../database/database.ts'
import {
  exact,
  type Recomputation,
  ratios,
  rounded,
  type Tolerance,
  type Workbench,
} from './recomputation.ts'

/** Amounts that a filing tags: the sum of the figures that the evidence names. */
const amounts = ['principal', 'carrying_amount', 'commitment', 'drawn', 'undrawn'] as const
/** Rates that a filing tags as fractions, and their scale. */
const rates = { coupon_rate: 1, effective_rate: 1, spread_bps: 100, floor_bps: 100 } as const

const member = (name: string, path: string) => `json_extract_string(e.said, '$.${path}') AS ${name}`

/** A series without a balance now, of which terms alone are known. */
const isTermsOnly = (of: string): string =>
  `NOT ${of}.is_current
    AND ifnull(json_extract_string(CAST(${of}._explain AS JSON), '$.match.terms_only'), '') = 'true'`

/**
 * Each tagged figure is looked up in the facts as loaded, by the concept, day, dimensions and position that the
 * evidence names; loaded instruments by their own row.
 */
export const instruments: Recomputation = {
  table: 'instruments',
  how: 'the facts at the positions that the evidence names; the only bond of the company with its identifier, or its coupon and maturity',
  columns: {
    ...Object.fromEntries(amounts.map(name => [name, exact])),
    ...Object.fromEntries(Object.keys(rates).map((name): [string, Tolerance] => [name, rounded(5)])),
    is_active: exact,
    bond_id: exact,
  },
  whole: false,
  make: async (bench: Workbench) => {
    const fields = [...amounts, ...Object.keys(rates)]
    const minor = "CASE WHEN k.currency IN ('JPY', 'KRW', 'VND', 'CLP', 'ISK') THEN 1 ELSE 100 END"
    await bench.db.run(`
      CREATE TABLE made_said AS
      WITH fields AS (
        SELECT k.id, f.field, json_extract(CAST(k._explain AS JSON), '$.' || f.field) AS said
        FROM kept_instruments k, (SELECT unnest([${fields.map(literal).join(', ')}]) AS field) f),
      parts AS (
        SELECT id, field, unnest(CASE WHEN json_type(said) = 'ARRAY' THEN CAST(said AS JSON[]) ELSE [said] END) AS said
        FROM fields WHERE said IS NOT NULL),
      read AS (
        SELECT e.id, e.field, ${member('concept', 'concept')}, ${member('date', 'date')}, ${member('dimensions', 'dimensions')},
          ${member('source', 'source')}, ${member('name', 'name')}, ${member('row', 'row')}
        FROM parts e)
      SELECT p.id, p.field, bool_or(p.name IS NOT NULL) AS by_name, bool_and(p.concept IS NULL AND p.name IS NULL) AS is_loaded,
        min(p.source) AS source, min(p.row) AS row, sum(r.value) AS value
      FROM read p LEFT JOIN raw_facts r ON r.source = p.source AND r.concept = p.concept AND CAST(r.period_end AS VARCHAR) = p.date
        AND r.dimensions IS NOT DISTINCT FROM p.dimensions
      GROUP BY p.id, p.field`)
    const loaded = (name: string) =>
      `(SELECT max(r.${name}) FROM raw_instruments r WHERE r.source = s_${name}.source AND coalesce(r.name = s_${name}.row, TRUE))`
    const amount = (
      name: string,
    ) => `CASE WHEN s_${name}.id IS NULL THEN NULL WHEN s_${name}.is_loaded THEN ${loaded(name)}
      ELSE CAST(round(s_${name}.value * ${minor}) AS BIGINT) END AS ${name}`
    const rate = (
      name: string,
      scale: number,
    ) => `CASE WHEN s_${name}.id IS NULL THEN NULL WHEN s_${name}.is_loaded THEN ${loaded(name)}
      WHEN s_${name}.by_name THEN k.${name}
      ELSE s_${name}.value * CASE WHEN abs(s_${name}.value) <= 0.4 THEN 100 ELSE 1 END * ${scale} END AS ${name}`
    await bench.db.run(`
      CREATE TABLE made_matches AS
      WITH notes AS (
        SELECT k.*, coalesce(json_extract_string(CAST(k._explain AS JSON), '$.match.said'), '') AS due
        FROM kept_instruments k
        WHERE (k.is_current OR ${isTermsOnly('k')}) AND NOT k.is_group AND coalesce(k.instrument_type, '') NOT IN
          ('commercial_paper', 'term_loan', 'term_loan_a', 'term_loan_b', 'revolver', 'loan')),
      alike AS (
        SELECT n.id, n.is_current, b.id AS bond_id FROM notes n JOIN kept_bonds b ON b.company_id = n.company_id
        WHERE n.due <> '' AND starts_with(CAST(b.maturity_date AS VARCHAR), n.due)
          AND (n.denomination IS NULL OR b.currency IS NULL OR n.denomination = b.currency)
          AND CASE WHEN coalesce(n.rate_type, '') = 'floating' THEN coalesce(b.rate_structure, b.rate_type, '') = 'floating'
            ELSE coalesce(b.rate_structure, b.rate_type, '') <> 'floating'
              AND floor(b.coupon_rate * 100 + 0.5 + 1e-7) = floor(n.coupon_rate * 100 + 0.5 + 1e-7) END),
      only_one AS (
        SELECT id, is_current, max(bond_id) AS bond_id FROM alike GROUP BY id, is_current HAVING count(*) = 1),
      named AS (
        SELECT k.id, max(b.id) AS bond_id FROM kept_instruments k JOIN kept_bonds b ON b.company_id = k.company_id
          AND json_extract_string(CAST(k._explain AS JSON), '$.match.by') IN ('cusip', 'isin') AND (b.cusip = k.cusip OR b.isin = k.isin)
        GROUP BY k.id),
      by_others AS (
        SELECT coalesce(n.id, o.id) AS id, coalesce(n.bond_id, o.bond_id) AS bond_id
        FROM named n FULL JOIN (SELECT * FROM only_one WHERE is_current QUALIFY count(*) OVER (PARTITION BY bond_id) = 1) o USING (id))
      SELECT id, bond_id FROM by_others
      UNION ALL
      SELECT id, bond_id FROM (SELECT * FROM only_one WHERE NOT is_current AND bond_id NOT IN (SELECT bond_id FROM by_others)
        QUALIFY count(*) OVER (PARTITION BY bond_id) = 1)`)
    return `SELECT k.id, ${amounts.map(amount).join(', ')}, ${Object.entries(rates)
      .map(([name, scale]) => rate(name, scale))
      .join(', ')}, m.bond_id,
        CASE WHEN k.maturity_date IS NOT NULL THEN CAST(k.maturity_date AS VARCHAR) > ${literal(bench.asOf)}
          WHEN length(k.maturity) = 7 THEN last_day(CAST(k.maturity || '-01' AS DATE)) >= DATE ${literal(bench.asOf)}
          WHEN k.maturity_year IS NOT NULL THEN k.maturity_year >= CAST(left(${literal(bench.asOf)}, 4) AS INTEGER) ELSE TRUE END AS is_active
      FROM kept_instruments k LEFT JOIN made_matches m USING (id)
        ${fields.map(name => `LEFT JOIN made_said s_${name} ON s_${name}.id = k.id AND s_${name}.field = '${name}'`).join(' ')}`
  },
}

const leftOver = (table: string, more: string) => `
    WITH left_over AS (
      SELECT company_id, tagged_debt, ${more}tagged_debt - (instruments_sum + ifnull(finance_leases, 0) + ifnull(lines_without_instruments, 0)
        + ifnull(unamortized_discount, 0) + ifnull(hedge_adjustment, 0) + ifnull(tagged_in_other_unit, 0)) AS difference
      FROM ${table})
    SELECT company_id, ${more}difference, CASE WHEN tagged_debt <> 0 THEN difference * 100.0 / tagged_debt END AS difference_pct,
      difference BETWEEN -0.02 * tagged_debt AND 0.02 * tagged_debt AS reconciles
    FROM left_over`

export const debtReconciliations: Recomputation = {
  table: 'debt_reconciliations',
  how: 'tagged debt less the balances of the instruments and the other lines',
  columns: { difference: exact, difference_pct: ratiosOf(4), reconciles: exact },
  whole: true,
  make: async () => leftOver('kept_debt_reconciliations', ''),
}

/** A row that is no first print stands beside the one that is, and that one is of no earlier filing than any known. */
export const debtReconciliationsByPrint: Recomputation = {
  ...debtReconciliations,
  table: 'debt_reconciliations_by_print',
  columns: { ...debtReconciliations.columns, is_latest: exact, is_original: exact },
  make: async () => `
    SELECT f.* EXCLUDE (is_latest), NOT k.is_original OR count(*) OVER (PARTITION BY company_id) = 1 AS is_latest,
      NOT k.is_latest OR count(*) OVER (PARTITION BY company_id) = 1 AS is_original
    FROM kept_debt_reconciliations_by_print k JOIN (${leftOver('kept_debt_reconciliations_by_print', 'is_latest, ')}) f USING (company_id, is_latest)`,
}

function ratiosOf(decimals: number): Tolerance {
  return { ...ratios, ...rounded(decimals) }
}

/**
 * `made_filed_terms`: what the one instrument of a bond says of it. The principal is the amount outstanding if the
 * instrument is carried within a tenth below and two hundredths above it. Calls are those at fixed prices before the par
 * call, then the par call; nothing if the bond's source says noncallable.
 */
export async function makeFiledTerms({ db }: Workbench): Promise<void> {
  await db.run(`
    CREATE TABLE made_filed_terms AS
    WITH one AS (
      SELECT i.*, b.currency AS bond_currency, b.callable AS bond_callable, b.call_schedule AS bond_schedule, b.maturity_date AS bond_maturity
      FROM kept_instruments i JOIN made_stated b ON b.id = i.bond_id
      WHERE (i.is_current OR ${isTermsOnly('i')})
        AND (SELECT count(*) FROM kept_instruments o WHERE o.bond_id = i.bond_id AND (o.is_current OR ${isTermsOnly('o')})) = 1),
    owed AS (
      SELECT *, (bond_currency IS NULL OR bond_currency = currency) AND (denomination IS NULL OR denomination = currency) AS comparable,
        CASE WHEN bond_maturity <= par_call_date THEN NULL ELSE par_call_date END AS par_day FROM one),
    called AS (
      SELECT *, nullif('[' || array_to_string(
        [CAST(c AS VARCHAR) FOR c IN ifnull(from_json(call_schedule, '["JSON"]'), CAST([] AS JSON[]))
          IF par_day IS NULL OR json_extract_string(c, '$.date') < CAST(par_day AS VARCHAR)]
        || CASE WHEN par_day IS NULL THEN CAST([] AS VARCHAR[]) ELSE ['{"date":"' || CAST(par_day AS VARCHAR) || '","price":100}'] END, ',') || ']', '[]') AS schedule
      FROM owed)
    SELECT bond_id AS id, seniority, security_type, nullif(nullif(instrument_type, 'notes'), 'loan') AS instrument_type, benchmark, spread_bps, floor_bps,
      CASE WHEN comparable THEN principal END AS principal,
      CASE WHEN comparable AND carrying_amount >= 0.9 * principal AND carrying_amount <= 1.02 * principal THEN principal
        WHEN comparable AND principal IS NULL AND contains(CAST(json_extract(CAST(_explain AS JSON), '$.carrying_amount') AS VARCHAR), '"us-gaap:DebtInstrumentCarryingAmount"')
        THEN carrying_amount END AS outstanding,
      CASE WHEN bond_callable = FALSE THEN NULL WHEN callable IS NULL AND (schedule IS NOT NULL OR make_whole_bps IS NOT NULL) THEN TRUE ELSE callable END AS callable,
      CASE WHEN bond_callable = FALSE THEN NULL ELSE schedule END AS call_schedule,
      CASE WHEN bond_callable = FALSE THEN NULL ELSE make_whole_bps END AS make_whole_bps,
      CASE WHEN bond_callable = FALSE OR make_whole_bps IS NULL THEN NULL
        ELSE list_min([TRY_CAST(json_extract_string(c, '$.date') AS DATE) FOR c IN from_json(ifnull(bond_schedule, schedule), '["JSON"]')]) END AS make_whole_until,
      change_of_control_price
    FROM called`)
}
