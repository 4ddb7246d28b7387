import { elementAt } from '../base/elements.ts'
import { ageSpans, DEFAULT_RATING_MAX_AGE, NO_MAX_AGE } from '../credit/max-age.ts'
import { type AgencyLetter, compositeRating } from '../credit/rating-composite.ts'
import { type Agency, letterOnScale, ratingBucket, ratingRank } from '../credit/rating-scale.ts'
import { type Database, literal } from '../database/database.ts'
import { tieBreak } from '../database/tie-break.ts'
import { priceFigures, STALE_DAYS } from '../schema/resources/bonds.ts'
import { newestRating } from '../schema/resources/ratings.ts'
import { pricingMaturity, reasonText } from './bonds/analytics.ts'
import { filedTerms, fromFilingSql } from './debt/filed-terms.ts'
import { joinCompany } from './issuers/join-company.ts'

const companyColumns = 'company.ticker AS ticker, company.name AS company_name'
const linkColumns = 'company.company_id AS company_id, company.coverage AS coverage'

/** `rating_scale(agency, rating, letter, rank, bucket)`: the meaning of each rating in use. */
async function deriveRatingScale(db: Database): Promise<void> {
  const letters = await db.rows<{ agency: Agency; rating: string }>(
    'SELECT DISTINCT agency, rating FROM in_ratings ORDER BY 1, 2',
  )
  const ranks = letters.map(l => ratingRank(l.agency, l.rating))
  await db.run(
    'CREATE OR REPLACE TABLE rating_scale (agency VARCHAR, rating VARCHAR, letter VARCHAR, rank BIGINT, bucket VARCHAR)',
  )
  await db.append(
    'rating_scale',
    [
      letters.map(l => l.agency),
      letters.map(l => l.rating),
      letters.map(l => letterOnScale(l.agency, l.rating)),
      ranks.map(r => (r === null ? null : BigInt(r))),
      ranks.map(r => ratingBucket(r)),
    ],
    letters.length,
  )
}

/** The source's id, else one formed from the action; spelled out because SQL cannot refer to an output name here. */
const ratingId = `coalesce(r.id, md5(concat_ws('|', coalesce(company.company_id, r.cusip), r.cusip, r.agency,
  coalesce(r.rating_type, 'issuer'), r.rating, coalesce(r.effective_date, r.known_from))))`

/**
 * `ratings`: every action, dated by the source or the day it was known; `company_ratings_by_age`: each agency's
 * newest rating of a company and the composite, for each range of `rating_max_age` with the same result;
 * `company_ratings`: those under the default.
 */
export async function deriveRatings(db: Database, { asOf }: { asOf: string }): Promise<void> {
  await deriveRatingScale(db)
  await db.run(`
    CREATE OR REPLACE TABLE ratings AS
    SELECT ${ratingId} AS id,
      ${companyColumns}, company.sector AS sector, r.cusip, r.agency, r.rating, s.letter, s.rank AS rating_rank,
      coalesce(r.rating_type, 'issuer') AS rating_type, r.outlook, r.effective_date, coalesce(s.bucket, 'NR') AS rating_bucket,
      coalesce(r.source_section_type, 'imported') AS source_section_type, coalesce(r.effective_date, r.known_from) AS rating_date,
      coalesce(s.letter IS NOT NULL AND s.rank IS NULL, FALSE) AS is_withdrawn, r.source, ${linkColumns}, r.known_from, r.ingested_at
    FROM in_ratings r ${joinCompany('r')}
    LEFT JOIN rating_scale s ON s.agency = r.agency AND s.rating = r.rating
    QUALIFY row_number() OVER (PARTITION BY ${ratingId} ORDER BY r.known_from DESC NULLS LAST, r.ingested_at DESC, r.source, ${tieBreak('r')}) = 1;
    CREATE OR REPLACE TABLE newest_letters AS
    SELECT company_id, agency, rating, letter, rating_rank, rating_date,
      CAST(coalesce(greatest(date_diff('day', rating_date, DATE ${literal(asOf)}), 0), ${NO_MAX_AGE}) AS BIGINT) AS age_days
    FROM ratings WHERE cusip IS NULL AND rating_type IN ('issuer', 'corporate_family') AND company_id IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY company_id, agency ORDER BY ${newestRating.map(orderText).join(', ')}) = 1`)
  await deriveComposites(db)
  const letters = (['sp', 'moodys', 'fitch'] as const).map(
    agency => `max(rating) FILTER (WHERE agency = '${agency}') AS ${agency}_rating,
      max(letter) FILTER (WHERE agency = '${agency}') AS ${agency}_letter`,
  )
  await db.run(`
    CREATE OR REPLACE TABLE company_ratings_by_age AS
    SELECT c.*, l.* EXCLUDE (company_id) FROM company_composite c JOIN (
      SELECT company_id, ${letters.join(', ')}, max(rating_date) FILTER (WHERE rating_rank IS NOT NULL) AS rating_date,
        min(nullif(age_days, ${NO_MAX_AGE})) FILTER (WHERE rating_rank IS NOT NULL) AS rating_age_days
      FROM newest_letters GROUP BY company_id) l USING (company_id);
    CREATE OR REPLACE TABLE company_ratings AS
    SELECT * FROM company_ratings_by_age WHERE ${DEFAULT_RATING_MAX_AGE} BETWEEN rating_max_age_from AND rating_max_age_to`)
}

const orderText = (key: string): string =>
  key.startsWith('-') ? `${key.slice(1)} DESC NULLS LAST` : `${key} NULLS LAST`

/** `company_composite`: each company's bucket, per range of `rating_max_age`, or why it has none. */
async function deriveComposites(db: Database): Promise<void> {
  const companies = await db.rows<{ company_id: string; ranks: (number | null)[]; ages: number[] }>(
    `SELECT company_id, list(rating_rank ORDER BY agency) AS ranks, list(age_days ORDER BY agency) AS ages
     FROM newest_letters GROUP BY company_id ORDER BY company_id`,
  )
  const rows = companies.flatMap(({ company_id, ranks, ages }) => {
    const letters: AgencyLetter[] = ranks.map((rank, i) => ({ rank, ageDays: elementAt(ages, i) }))
    return ageSpans(letters.map(({ ageDays }) => ageDays)).map(span => ({
      company_id,
      ...span,
      ...compositeRating(letters, span.from),
    }))
  })
  await db.run(
    `CREATE OR REPLACE TABLE company_composite (company_id VARCHAR, rating_max_age_from BIGINT, rating_max_age_to BIGINT,
       rating_bucket VARCHAR, rating_null_because VARCHAR)`,
  )
  await db.append(
    'company_composite',
    [
      rows.map(r => r.company_id),
      rows.map(r => BigInt(r.from)),
      rows.map(r => BigInt(r.to)),
      rows.map(r => r.bucket),
      rows.map(r => r.nullBecause),
    ],
    rows.length,
  )
}

/** `index_spreads`: as published, and in basis points. */
export const deriveIndexSpreads = (db: Database): Promise<void> =>
  db.run(`
    CREATE OR REPLACE TABLE index_spreads AS
    SELECT series, index_name, rating_band, maturity_band, index_date AS spread_date, option_adjusted_spread,
      round(option_adjusted_spread * 100, 4) AS spread_bps, source, known_from
    FROM in_indices
    QUALIFY row_number() OVER (PARTITION BY series, index_date ORDER BY known_from DESC NULLS LAST, ingested_at DESC, source, ${tieBreak('in_indices')}) = 1`)

/** The figures hidden by a yield flag: the source's maturity or coupon is wrong. */
const shown = (figure: string): string => `CASE WHEN f.n IS NULL THEN ${figure} END`

/** `bonds`, `pricing`, `pricing_history` and `excluded_prices` as users see them. */
export async function derivePublicBonds(db: Database, { asOf }: { asOf: string }): Promise<void> {
  const today = `DATE ${literal(asOf)}`
  const isUsd = "coalesce(b.currency, 'USD') = 'USD'"
  await db.run(`
    CREATE OR REPLACE TABLE pricing_history AS
    SELECT p.date, b.cusip, b.isin, b.display_name AS bond_name, c.ticker AS company_ticker, a.clean AS last_price,
      p.date AS last_trade_date, round(${shown('a.ytm')}, 6) AS ytm,
      CAST(round(${shown(`CASE WHEN ${isUsd} THEN a.spread END`)}) AS BIGINT) AS spread, CAST(0 AS BIGINT) AS staleness_days,
      ${['duration', 'convexity', 'dv01'].map(name => `round(${shown(`a.${name}`)}, 6) AS ${name}`).join(', ')},
      ${['z_spread', 'ytw', 'ytc', 'discount_margin'].map(name => `CAST(NULL AS DOUBLE) AS ${name}`).join(', ')},
      CAST(NULL AS DATE) AS ytw_date, p.price_source, FALSE AS is_stale,
      coalesce(b.maturity_date > p.date, TRUE) AND coalesce(b.status <> 'retired' OR b.retired_from > p.date, TRUE) AS is_active, p.vwap, p.volume, p.volume_capped, p.trade_count,
      CAST(date_trunc('week', p.date) AS DATE) AS week, b.id AS bond_id, b.company_id, c.coverage, p.known_from,
      round(a.accrued, 6) AS accrued, round(a.remaining_years, 4) AS remaining_years, p.price_basis, p.source,
      coalesce(f.flag, ${reasonText('a.reason')}) AS yield_null_because,
      coalesce(f.flag, ${reasonText('a.reason')}, CASE WHEN NOT ${isUsd} THEN 'not_usd' END, ${reasonText('a.spread_reason')}) AS spread_null_because,
      ${['ytw', 'ytc'].map(name => `CASE WHEN coalesce(f.flag, ${reasonText('a.reason')}) IS NULL THEN 'latest_price_only' ELSE 'no_yield' END AS ${name}_null_because`).join(', ')},
      'latest_price_only' AS margin_null_because,
      CASE WHEN f.n IS NOT NULL THEN round(a.ytm, 6) END AS ytm_withheld,
      CAST(CASE WHEN f.n IS NOT NULL THEN round(a.spread) END AS BIGINT) AS spread_withheld,
      f.compared_with, f.compared_spread, f.compared_bonds,
      u.published_ytm, u.published_ytw, u.published_duration, u.published_spread, u.list_name
    FROM numbered_prices p POSITIONAL JOIN price_analytics a JOIN bonds_base b ON b.no = p.bond
    LEFT JOIN companies_base c ON c.company_id = b.company_id LEFT JOIN yield_flags f ON f.n = p.n
    LEFT JOIN published_figures u ON u.n = p.n;
    CREATE OR REPLACE TABLE pricing AS
    SELECT cusip, isin, bond_name, company_ticker, last_price, last_trade_date, ytm, spread,
      date_diff('day', date, ${today}) AS staleness_days, duration, convexity, dv01,
      ${['z_spread', 'ytw', 'ytc'].map(name => `CASE WHEN p.ytm_withheld IS NULL THEN l.${name} END AS ${name}`).join(', ')},
      CASE WHEN p.ytm_withheld IS NULL THEN CAST(l.ytw_day AS DATE) END AS ytw_date, l.discount_margin, price_source,
      date_diff('day', date, ${today}) > ${STALE_DAYS} AS is_stale, b.is_active, vwap,
      bond_id, company_id, coverage, known_from, accrued, remaining_years, price_basis, source,
      yield_null_because, spread_null_because, CASE WHEN p.ytm_withheld IS NULL THEN l.ytw_null_because ELSE 'no_yield' END AS ytw_null_because,
      CASE WHEN p.ytm_withheld IS NULL THEN l.ytc_null_because ELSE 'no_yield' END AS ytc_null_because,
      l.margin_null_because, ytm_withheld, spread_withheld, compared_with, compared_spread, compared_bonds,
      published_ytm, published_ytw, published_duration, published_spread, list_name
    FROM (SELECT h.* FROM pricing_history h SEMI JOIN (SELECT bond_id, max(date) AS date FROM pricing_history GROUP BY bond_id) n USING (bond_id, date)) p
    LEFT JOIN latest_figures l USING (bond_id) JOIN (SELECT id AS bond_id, is_active FROM bonds_base) b USING (bond_id);
    CREATE OR REPLACE TABLE excluded_prices AS
    SELECT x.bond_id, b.cusip, b.display_name AS bond_name, c.ticker AS company_ticker, x.date,
      row_number() OVER (PARTITION BY x.bond_id, x.date ORDER BY x.time NULLS LAST, x.trade_id, x.price_source, x.price, x.source, ${tieBreak('x')}) AS position,
      x.time, x.price, x.price_source, x.quantity, x.trade_id, x.reason, x.factor, x.reference_price, x.reference_date,
      x.source, b.company_id, c.coverage, x.known_from
    FROM prices_left_out x JOIN bonds_base b ON b.id = x.bond_id LEFT JOIN companies_base c ON c.company_id = b.company_id;
    CREATE OR REPLACE TABLE bonds AS
    WITH guaranteed AS (SELECT bond_id, count(DISTINCT guarantor_id) AS n FROM guarantees WHERE bond_id IS NOT NULL GROUP BY bond_id),
    pledged AS (SELECT bond_id, first(type ORDER BY id) AS type, first(description ORDER BY id) AS description,
      list_sort(list(DISTINCT type)) AS assets FROM collateral WHERE bond_id IS NOT NULL AND in_force GROUP BY bond_id)
    SELECT b.id, b.display_name, b.name, b.cusip, b.isin, c.ticker AS company_ticker, c.ticker AS ticker, coalesce(c.name, b.issuer_name, b.company_name) AS company_name,
      coalesce(c.sector, s.sector) AS company_sector, b.coupon_rate, b.maturity_date, b.seniority, b.security_type, b.instrument_type,
      b.issuer_type, b.rate_type, b.rate_structure,
      CAST(CASE b.seniority WHEN 'senior_secured' THEN CASE b.security_type WHEN 'second_lien' THEN 2 ELSE 1 END
        WHEN 'senior_unsecured' THEN 3 WHEN 'subordinated' THEN 4 END AS BIGINT) AS rank,
      b.outstanding, b.principal, b.commitment, b.currency, b.benchmark, b.spread_bps, b.floor_bps, b.issue_date, b.is_active, b.callable,
      CASE WHEN EXISTS (SELECT 1 FROM guarantees WHERE rule IS NULL) OR g.n IS NOT NULL THEN coalesce(g.n, 0) END AS guarantor_count,
      b.group_by IS NULL AS issued_by_company, b.group_by,
      b.issuer_id, b.issuer_lei, coalesce(e.name, b.issuer_name) AS "issuer.name", e.entity_type AS "issuer.entity_type",
      l.type AS "collateral.type", l.description AS "collateral.description", l.assets AS "collateral.assets",
      ${Object.keys(priceFigures)
        .map(name => `p.${name} AS "pricing.${name}"`)
        .join(', ')},
      r.rating_bucket, c.industry, b.last_fixed_date, b.first_coupon_date, b.other_ids, b.day_count, b.coupon_frequency, b.accrual_date, b.call_schedule, b.put_schedule, b.sinking_schedule,
      b.make_whole_bps, b.make_whole_until, b.change_of_control_price,
      CASE WHEN b.maturity_date <= ${today} AND coalesce(b.status, 'active') = 'active' THEN 'matured' ELSE coalesce(b.status, 'active') END AS status, CASE WHEN b.status = 'retired' THEN nullif(b.retired_from, DATE '0001-01-01') END AS retired_from, b.restricted, b.company_id, c.coverage, b.known_from,
      to_json({'issuer': ${issuerJson}, 'terms': ${termsJson}, 'price': ${priceJson}}) AS _explain
    FROM (SELECT o.* REPLACE (${filedTerms.map(name => `coalesce(o.${name}, f.${name}) AS ${name}`).join(', ')}), ${fromFilingSql} AS from_filing
      FROM bonds_base o LEFT JOIN filed_terms f USING (id)) b
    LEFT JOIN companies_base c ON c.company_id = b.company_id LEFT JOIN sector_label s ON s.label = upper(b.sector)
    LEFT JOIN entities e ON e.id = b.issuer_id LEFT JOIN guaranteed g ON g.bond_id = b.id LEFT JOIN pledged l ON l.bond_id = b.id
    LEFT JOIN pricing p ON p.bond_id = b.id LEFT JOIN latest_figures x ON x.bond_id = b.id
    LEFT JOIN company_ratings r ON r.company_id = b.company_id`)
}

/** The legal issuer of a bond, and why it belongs to the company. */
const issuerJson = `{'name': coalesce(b.issuer_name, b.company_name), 'company_id': b.issuer_company_id, 'belongs_to': CASE WHEN b.group_by IS NOT NULL THEN c.name END,
  'group_by': b.group_by, 'because': b.group_reason}`

/** The terms used for a bond, and which of them are assumed. */
const termsJson = `{'from': b.source, 'coupon_rate': b.coupon_rate, 'coupon_as_published': coalesce(b.coupon_published, b.coupon_rate),
  'coupon_frequency': coalesce(b.coupon_frequency, 2), 'coupon_frequency_assumed': b.coupon_frequency IS NULL,
  'day_count': coalesce(b.day_count, '30/360'), 'day_count_assumed': b.day_count IS NULL,
  'rate_structure': b.rate_structure, 'rate_structure_from': b.rate_structure_from, 'maturity_used': ${pricingMaturity}, 'accrues_from': coalesce(b.accrual_date, b.issue_date),
  'first_coupon_date': b.first_coupon_date, 'call_schedule': b.call_schedule, 'put_schedule': b.put_schedule, 'sinking_schedule': b.sinking_schedule,
  'from_filing': b.from_filing}`

/** The latest price of a bond, the figures computed from it with their inputs, and why any is missing. */
const priceJson = `{'from': p.source, 'basis': p.price_basis, 'price_source': p.price_source, 'date': p.last_trade_date,
  'settles': x.settles, 'accrued': p.accrued, 'remaining_years': p.remaining_years,
  'curve_date': x.curve_date, 'curve_points': CAST(x.curve_points AS JSON), 'par_yield': x.par_yield,
  'ytm_null_because': CASE WHEN p.bond_id IS NULL THEN 'no_price' ELSE p.yield_null_because END,
  'spread_null_because': CASE WHEN p.bond_id IS NULL THEN 'no_price' ELSE p.spread_null_because END,
  'ytw_null_because': CASE WHEN p.bond_id IS NULL THEN 'no_price' ELSE p.ytw_null_because END,
  'ytc_null_because': CASE WHEN p.bond_id IS NULL THEN 'no_price' ELSE p.ytc_null_because END,
  'discount_margin_null_because': CASE WHEN p.bond_id IS NULL THEN 'no_price' ELSE p.margin_null_because END,
  'ytm_withheld': p.ytm_withheld, 'spread_withheld': p.spread_withheld, 'compared_with': p.compared_with,
  'compared_spread': p.compared_spread, 'compared_bonds': p.compared_bonds}`
