import { memberOf } from '../base/elements.ts'
import { DEFAULT_MAX_AGE, DEFAULT_RATING_MAX_AGE, NO_MAX_AGE } from '../credit/max-age.ts'
import { literal, quote } from '../database/database.ts'
import { bonds as loadedBonds } from '../schema/datasets/bonds.ts'
import { addedBackItems, furtherItems } from '../schema/datasets/statements.ts'
import { priceFigures } from '../schema/resources/bonds.ts'
import { tableNamed } from '../schema/resources/tables.ts'
import { carried } from './carried.ts'
import { correctionChecks } from './corrections.ts'
import { collateral, covenants } from './covenants.ts'
import { debtDisclosures } from './debt-disclosures.ts'
import { entities, guarantees, ownership } from './entities.ts'
import { debtReconciliations, debtReconciliationsByPrint, instruments } from './instruments.ts'
import { exact, type Recomputation, ratios, rounded, type Tolerance } from './recomputation.ts'
import { restatements } from './restatements.ts'

/** A spread recomputed unrounded, compared in whole basis points. */
const wholeBps = rounded(0)

const price: Readonly<Record<string, Tolerance>> = {
  last_price: { absolute: 1e-9 },
  last_trade_date: exact,
  ytm: rounded(6),
  spread: wholeBps,
  staleness_days: exact,
  duration: rounded(6),
  convexity: rounded(6),
  dv01: rounded(6),
  z_spread: rounded(2),
  ytw: rounded(6),
  ytw_date: exact,
  ytc: rounded(6),
  discount_margin: rounded(2),
  price_source: exact,
  is_stale: exact,
}
const atPrice = {
  vwap: rounded(6),
  accrued: rounded(6),
  remaining_years: rounded(4),
  price_basis: exact,
  is_active: exact,
  known_from: exact,
  yield_null_because: exact,
  spread_null_because: exact,
  ytw_null_because: exact,
  ytc_null_because: exact,
  margin_null_because: exact,
  ytm_withheld: rounded(6),
  spread_withheld: wholeBps,
  compared_with: exact,
  compared_spread: rounded(4),
  compared_bonds: exact,
}

/** `made_shown`: daily prices with flagged figures withheld, and without Treasury spreads for other currencies. */
export const shown = `
  CREATE VIEW made_shown AS
  SELECT p.bond_id, p.company_id, CAST(p.date AS DATE) AS date, p.date AS last_trade_date, p.last_price, p.price_source, p.price_basis, p.accrued,
    p.remaining_years, p.vwap, p.volume, p.volume_capped, p.trade_count, p.known_from, p.discount_margin, p.margin_null_because,
    ${['ytm', 'duration', 'convexity', 'dv01', 'z_spread', 'ytw', 'ytw_date', 'ytc'].map(name => `CASE WHEN f.flag IS NULL THEN p.${name} END AS ${name}`).join(', ')},
    CASE WHEN f.flag IS NULL AND (s.currency IS NULL OR s.currency = 'USD') THEN p.spread END AS spread,
    coalesce(f.flag, p.yield_null_because) AS yield_null_because,
    CASE WHEN f.flag IS NOT NULL THEN f.flag WHEN p.yield_null_because IS NOT NULL THEN p.yield_null_because
      WHEN s.currency <> 'USD' THEN 'not_usd' ELSE p.spread_null_because END AS spread_null_because,
    CASE WHEN f.flag IS NULL THEN p.ytw_null_because ELSE 'no_yield' END AS ytw_null_because,
    CASE WHEN f.flag IS NULL THEN p.ytc_null_because ELSE 'no_yield' END AS ytc_null_because,
    CASE WHEN f.flag IS NOT NULL THEN p.ytm END AS ytm_withheld, CASE WHEN f.flag IS NOT NULL THEN p.spread END AS spread_withheld,
    f.compared_with, f.compared_spread, f.compared_bonds,
    coalesce(CAST(s.maturity_date AS VARCHAR) > p.date, TRUE) AND NOT (s.status IS NOT DISTINCT FROM 'retired' AND CAST(s.retired_from AS VARCHAR) <= p.date) AS is_active
  FROM made_prices p JOIN made_stated s ON s.id = p.bond_id LEFT JOIN made_flags f ON f.bond_id = p.bond_id AND f.date = p.date`

const pricing: Recomputation = {
  table: 'pricing',
  how: 'the newest daily price of the bond; the spread over the spot curve by halving',
  columns: { ...price, ...atPrice },
  whole: true,
  make: async ({
    asOf,
  }) => `SELECT p.* EXCLUDE (is_active), t.is_active, DATE ${literal(asOf)} - date AS staleness_days,
      DATE ${literal(asOf)} - date >= 31 AS is_stale
    FROM made_shown p JOIN made_terms t ON t.id = p.bond_id QUALIFY row_number() OVER (PARTITION BY bond_id ORDER BY date DESC) = 1`,
}

const { z_spread: _z, ytw: _w, ytw_date: _d, ytc: _c, discount_margin: _m, ...everyDay } = price
const { ytw_null_because: _b, ytc_null_because: _t, margin_null_because: _n, ...atEveryPrice } = atPrice

const pricingHistory: Recomputation = {
  table: 'pricing_history',
  how: 'the last standing trade of the day, else a mark; yield and risk from a schedule of cash flows; the curve of the day interpolated',
  columns: {
    ...everyDay,
    ...atEveryPrice,
    volume: exact,
    volume_capped: exact,
    trade_count: exact,
    week: exact,
  },
  whole: true,
  make: async () =>
    `SELECT *, 0 AS staleness_days, FALSE AS is_stale, date - CAST(isodow(date) - 1 AS INTEGER) AS week FROM made_shown`,
}

/** Figures of the latest price, which a history lacks. */
const ofLatestOnly: Recomputation = {
  table: 'pricing_history',
  how: 'only the latest price has them',
  columns: {
    z_spread: exact,
    ytw: exact,
    ytw_date: exact,
    ytc: exact,
    discount_margin: exact,
    ytw_null_because: exact,
    ytc_null_because: exact,
    margin_null_because: exact,
  },
  whole: false,
  make: async () => `SELECT bond_id, date, NULL AS z_spread, NULL AS ytw, NULL AS ytw_date, NULL AS ytc, NULL AS discount_margin,
    ${['ytw', 'ytc'].map(name => `if(yield_null_because IS NULL, 'latest_price_only', 'no_yield') AS ${name}_null_because`).join(', ')},
    'latest_price_only' AS margin_null_because FROM made_shown`,
}

const excludedPrices: Recomputation = {
  table: 'excluded_prices',
  how: 'what the steps say of each report of the bond, one after another',
  columns: {
    reason: exact,
    price: exact,
    factor: exact,
    reference_price: { absolute: 1e-9 },
    reference_date: exact,
  },
  whole: true,
  make: async () => `SELECT * EXCLUDE (date), CAST(date AS DATE) AS date, row_number() OVER (PARTITION BY bond_id, date
    ORDER BY time NULLS LAST, trade_id, price_source, price, source) AS position FROM made_excluded`,
}

const spreads: Recomputation = {
  table: 'spreads',
  how: "the median of the day's bonds that pass the five steps, or the loaded row",
  columns: {
    spread_bps: { absolute: 1e-9 },
    bond_count: exact,
    trade_count: exact,
    known_from: exact,
    rating_bucket: exact,
  },
  whole: true,
  make: async () => `
    WITH loaded AS (
      SELECT who.company_id, s.spread_date, s.tenor, coalesce(s.feed, 'bond_spread_proxy') AS source, s.spread_bps, s.bond_count, s.trade_count, s.known_from,
        row_number() OVER (PARTITION BY s.ticker, s.spread_date, s.tenor, s.feed ORDER BY coalesce(s.known_from, DATE '0001-01-01') DESC, s.ingested_at DESC, s.source DESC) AS n
      FROM raw_spreads s JOIN (SELECT DISTINCT ticker, company_id FROM company_of WHERE coalesce(cik, lei, name) IS NULL) who ON who.ticker = s.ticker),
    together AS (
      SELECT company_id, CAST(spread_date AS DATE) AS spread_date, tenor, source, spread_bps, bond_count, trade_count, CAST(known_from AS DATE) AS known_from FROM made_spreads
      UNION ALL SELECT company_id, spread_date, tenor, source, spread_bps, bond_count, trade_count, known_from FROM loaded WHERE n = 1)
    SELECT b.*, r.rating_bucket FROM together b LEFT JOIN made_company_ratings r USING (company_id)
    QUALIFY row_number() OVER (PARTITION BY b.company_id, spread_date, tenor, source ORDER BY bond_count DESC NULLS LAST) = 1`,
}

const spreadInputs: Recomputation = {
  table: 'spread_inputs',
  how: 'what each of the five steps says of the price',
  columns: {
    tenor: exact,
    outcome: exact,
    last_price: { absolute: 1e-9 },
    ytm: rounded(6),
    spread_bps: rounded(4),
    remaining_years: rounded(4),
    trade_count: exact,
  },
  whole: true,
  make: async () => `SELECT i.bond_id, CAST(i.spread_date AS DATE) AS spread_date, i.tenor, i.outcome, p.last_price, p.ytm, p.spread AS spread_bps,
      p.remaining_years, p.trade_count
    FROM made_spread_inputs i JOIN made_shown p ON p.bond_id = i.bond_id AND p.last_trade_date = i.spread_date`,
}

const statedTerms = Object.keys(tableNamed('bonds')!.columns).filter(
  name =>
    Object.hasOwn(loadedBonds.columns, name) &&
    ![
      'name',
      'ticker',
      'company_name',
      'sector',
      'status',
      'coupon_rate',
      'rate_type',
      'rate_structure',
      'last_fixed_date',
    ].includes(name),
)

/** Terms that a company's filings say where the bond's own source says nothing. */
const filedTerms: ReadonlySet<string> = new Set([
  'seniority',
  'security_type',
  'instrument_type',
  'principal',
  'outstanding',
  'benchmark',
  'spread_bps',
  'floor_bps',
  'callable',
  'call_schedule',
  'make_whole_bps',
  'make_whole_until',
  'change_of_control_price',
])
const statedOrFiled = (name: string): string =>
  filedTerms.has(name) ? `ifnull(s.${quote(name)}, f.${quote(name)})` : `s.${quote(name)}`

const bonds: Recomputation = {
  table: 'bonds',
  how: 'each term as its newest source states it; figures of its newest price; guarantors and collateral counted',
  columns: {
    ...Object.fromEntries(statedTerms.map(name => [name, exact])),
    coupon_rate: { absolute: 1e-12 },
    rate_type: exact,
    rate_structure: exact,
    last_fixed_date: exact,
    first_coupon_date: exact,
    is_active: exact,
    status: exact,
    retired_from: exact,
    rank: exact,
    guarantor_count: exact,
    'issuer.name': exact,
    'issuer.entity_type': exact,
    'collateral.type': exact,
    'collateral.description': exact,
    'collateral.assets': exact,
    rating_bucket: exact,
    ...Object.fromEntries(
      Object.keys(priceFigures).map(name => [`pricing.${name}`, memberOf(pricing.columns, name)]),
    ),
  },
  whole: true,
  make: async () => `
    WITH guarantors AS (SELECT bond_id, count(*) AS n FROM (SELECT DISTINCT bond_id, guarantor_id FROM made_guarantees WHERE bond_id IS NOT NULL) GROUP BY bond_id),
    pledges AS (SELECT bond_id, arg_min(type, id) AS type, arg_min(description, id) AS description, list_sort(array_agg(DISTINCT type)) AS assets
      FROM kept_collateral WHERE bond_id IS NOT NULL AND in_force GROUP BY bond_id)
    SELECT s.id, ${statedTerms.map(name => `${statedOrFiled(name)} AS ${quote(name)}`).join(', ')}, t.coupon_rate, t.rate_type, t.rate_structure, t.last_fixed_date, t.first_coupon_date, t.is_active,
      if(coalesce(s.status, 'active') = 'active' AND NOT t.is_active, 'matured', coalesce(s.status, 'active')) AS status, nullif(s.retired_from, DATE '0001-01-01') AS retired_from,
      CASE ${statedOrFiled('seniority')} WHEN 'senior_secured' THEN CASE WHEN ${statedOrFiled('security_type')} = 'second_lien' THEN 2 ELSE 1 END
        WHEN 'senior_unsecured' THEN 3 WHEN 'subordinated' THEN 4 END AS rank,
      CASE WHEN g.n IS NOT NULL THEN g.n WHEN (SELECT count(*) FROM made_guarantees WHERE rule IS NULL) > 0 THEN 0 END AS guarantor_count,
      coalesce(e.name, s.issuer_name) AS "issuer.name", e.entity_type AS "issuer.entity_type",
      c.type AS "collateral.type", c.description AS "collateral.description", c.assets AS "collateral.assets", r.rating_bucket,
      ${Object.keys(priceFigures)
        .map(name => `p.${quote(name)} AS ${quote(`pricing.${name}`)}`)
        .join(', ')}
    FROM made_stated s JOIN made_terms t USING (id) LEFT JOIN made_filed_terms f USING (id) LEFT JOIN guarantors g ON g.bond_id = s.id LEFT JOIN pledges c ON c.bond_id = s.id
    LEFT JOIN made_entities e ON e.id = s.issuer_id LEFT JOIN made_company_ratings r ON r.company_id = s.company_id
    LEFT JOIN made_pricing p ON p.bond_id = s.id`,
}

const quality = '_metadata.leverage_data_quality.'
const statementFigures = [
  'revenue',
  'gross_profit',
  'operating_income',
  'depreciation_amortization',
  'ebitda',
  'interest_expense',
  'net_income',
  'total_assets',
  'total_liabilities',
  'stockholders_equity',
  'total_debt',
  'cash_and_equivalents',
  'operating_cash_flow',
  'capex',
  'free_cash_flow',
  ...Object.keys({ ...furtherItems, ...addedBackItems }),
]
const margins = ['gross_margin', 'operating_margin', 'ebitda_margin', 'net_margin']

const financials: Recomputation = {
  table: 'financials',
  how: 'the facts it cites, found in the batches, added up over the period',
  columns: {
    // A figure in minor units is rounded once; in a sum of rounded figures each may be.
    ...Object.fromEntries(statementFigures.map(name => [name, { absolute: 1, share: 1e-12 }])),
    leverage_ratio: ratios,
    ...Object.fromEntries(margins.map(name => [name, ratios])),
    is_annualized: exact,
    ebitda_estimated: exact,
    is_original: exact,
    is_latest: exact,
    is_newest: exact,
    newest_to: exact,
    valid_from: exact,
    valid_to: exact,
    [`${quality}ebitda_source`]: exact,
    [`${quality}ebitda_quarters`]: exact,
    [`${quality}is_annualized`]: exact,
    [`${quality}ebitda_estimated`]: exact,
    [`${quality}ttm_quarters`]: exact,
  },
  whole: true,
  make: async () => 'made_financials',
}

const companyFigures: Pick<Recomputation, 'how' | 'columns' | 'whole'> = {
  how: 'its newest trailing statement, its bonds and entities added up one by one',
  columns: {
    currency: exact,
    ...Object.fromEntries(
      [
        'total_debt',
        'debt_excluding_finance',
        'secured_debt',
        'unsecured_debt',
        'net_debt',
        'cash',
        'ebitda_ttm',
      ].map(name => [name, { absolute: 1, share: 1e-12 }]),
    ),
    leverage_ratio: ratios,
    net_leverage_ratio: ratios,
    secured_leverage: ratios,
    interest_coverage: ratios,
    ...Object.fromEntries(
      ['debt_due_1yr', 'debt_due_2yr', 'debt_due_3yr'].map(name => [name, { absolute: 1 }]),
    ),
    is_annualized: exact,
    nearest_maturity: exact,
    weighted_avg_maturity: ratios,
    entity_count: exact,
    guarantor_count: exact,
    bond_count: exact,
    has_structural_sub: exact,
    has_floating_rate: exact,
    has_near_term_maturity: exact,
    has_holdco_debt: exact,
    has_opco_debt: exact,
    sp_rating: exact,
    moodys_rating: exact,
    fitch_rating: exact,
    sp_letter: exact,
    moodys_letter: exact,
    fitch_letter: exact,
    rating_bucket: exact,
    rating_date: exact,
    rating_age_days: exact,
    rating_null_because: exact,
    period_end_date: exact,
    figures_age_days: exact,
    figures_null_because: exact,
    '_metadata.qa_score': rounded(3),
    [`${quality}ebitda_source`]: exact,
    [`${quality}ebitda_quarters`]: exact,
    [`${quality}is_annualized`]: exact,
    [`${quality}ebitda_estimated`]: exact,
    [`${quality}ttm_quarters`]: exact,
  },
  whole: true,
}

const ofFigures = ['ebitda_source', 'ebitda_quarters', 'is_annualized', 'ebitda_estimated', 'ttm_quarters']

/** Companies under every age limit. */
const companiesUnderLimits = `
  SELECT c.*, r.* EXCLUDE (company_id, rating_null_because, rating_max_age_from, rating_max_age_to),
    coalesce(r.rating_max_age_from, 0) AS rating_max_age_from, coalesce(r.rating_max_age_to, ${NO_MAX_AGE}) AS rating_max_age_to,
    CASE WHEN r.company_id IS NULL THEN 'not_rated' ELSE r.rating_null_because END AS rating_null_because,
    CASE WHEN r.rating_bucket IS NULL THEN c.score_if_not_rated ELSE c.score_if_rated END AS "_metadata.qa_score",
    ${ofFigures.map(name => `CASE WHEN c.figures_null_because IS NULL THEN f."${quality}${name}" END AS "${quality}${name}"`).join(', ')}
  FROM made_companies c LEFT JOIN made_company_ratings_by_age r USING (company_id)
  LEFT JOIN made_financials f ON f.company_id = c.company_id AND f.basis = 'ttm' AND CASE WHEN c.is_latest THEN f.is_latest ELSE f.is_original END
    AND concat_ws(' ', f.period_end_date, f.fiscal_year, f.fiscal_quarter) = c.earnings_of`

const companiesByAge: Recomputation = {
  ...companyFigures,
  table: 'companies_by_age',
  columns: {
    ...companyFigures.columns,
    max_age_to: exact,
    rating_max_age_to: exact,
    is_latest: exact,
    is_original: exact,
  },
  make: async () => companiesUnderLimits,
}

const companies: Recomputation = {
  ...companyFigures,
  table: 'companies',
  make: async () => `SELECT * FROM (${companiesUnderLimits}) WHERE is_latest AND max_age_from <= ${DEFAULT_MAX_AGE} AND max_age_to >= ${DEFAULT_MAX_AGE}
    AND rating_max_age_from <= ${DEFAULT_RATING_MAX_AGE} AND rating_max_age_to >= ${DEFAULT_RATING_MAX_AGE}`,
}

const ratings: Recomputation = {
  table: 'ratings',
  how: 'the letter by arithmetic on its class and notch',
  columns: {
    rating_rank: exact,
    rating_bucket: exact,
    rating_date: exact,
    letter: exact,
    is_withdrawn: exact,
  },
  whole: true,
  make: async () => 'made_ratings',
}

const indexSpreads: Recomputation = {
  table: 'index_spreads',
  how: 'a hundred basis points a percentage point of the row at its source',
  columns: { spread_bps: rounded(4) },
  whole: true,
  make: async () => `SELECT series, index_date AS spread_date, max_by(option_adjusted_spread * 100, [coalesce(CAST(known_from AS VARCHAR), ''), CAST(ingested_at AS VARCHAR)]) AS spread_bps
    FROM raw_indices GROUP BY series, index_date`,
}

const documents: Recomputation = {
  table: 'documents',
  how: 'characters of the text',
  columns: { content_length: exact },
  whole: false,
  make: async () => 'SELECT id, length(content) AS content_length FROM kept_documents',
}

/** Every recomputation of a snapshot, in dependency order. */
export const recomputations: readonly Recomputation[] = [
  pricingHistory,
  ofLatestOnly,
  pricing,
  excludedPrices,
  spreads,
  spreadInputs,
  guarantees,
  ratings,
  bonds,
  financials,
  companies,
  companiesByAge,
  entities,
  ownership,
  covenants,
  collateral,
  instruments,
  debtReconciliations,
  debtReconciliationsByPrint,
  debtDisclosures,
  restatements,
  indexSpreads,
  documents,
  carried('covenants', 'covenants', { has_step_down: 'r.step_down_schedule IS NOT NULL' }),
  carried('collateral', 'collateral'),
  carried('ratings', 'ratings', { rating_type: "'issuer'", source_section_type: "'imported'" }),
  carried('index_spreads', 'indices'),
  carried('documents', 'documents'),
  ...correctionChecks,
]
