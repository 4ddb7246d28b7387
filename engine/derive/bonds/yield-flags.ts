import { FURTHEST_FROM_MEDIAN_BPS } from '../../credit/spread-series.ts'
import type { Database } from '../../database/database.ts'
import { BANK } from './fixed-to-float.ts'
import { FINANCIAL } from './instruments.ts'

/** Minimum number of bonds for a day's market median. */
const FEWEST_PEERS = 10
/** Minimum number of the issuer's other bonds on a day without a market median. */
const FEWEST_OTHERS = 3
/** Maximum difference in basis points from peers for a bond whose issuer has no other. */
const FURTHEST_FROM_PEERS_BPS = 500

/** Why a computed yield is withheld. */
export const YIELD_FLAGS = ['far_from_issuer_curve', 'far_from_market_curve', 'below_treasury'] as const

/** No company borrows this far below the Treasury, in basis points: the maturity, coupon or price is wrong. */
const LOWEST_SPREAD_BPS = -50

/**
 * `yield_flags`: prices whose yield is far from the issuer's curve of that day, for bonds described only by a
 * holdings list. Such lists give the next call of a perpetual as its maturity, or a wrong coupon, and the resulting
 * yield would top every list. A bond is checked if its spread is 150 bp from the median of the day's bonds: against
 * the median of the issuer's others that day, by 300 bp or half of it; without others, against its rating bucket at
 * the time, or else all, by 500 bp, or 300 for banks and insurers, which have many perpetuals. Remaining yields 50 bp
 * below the Treasury curve are withheld too.
 */
export const deriveYieldFlags = (db: Database): Promise<void> =>
  db.run(`
    CREATE OR REPLACE TABLE yield_flags AS
    WITH rated_from AS (
      SELECT company_id, greatest(effective_date, known_from) AS day, last(rating_bucket ORDER BY effective_date, agency, id) AS rating_bucket
      FROM ratings WHERE cusip IS NULL AND company_id IS NOT NULL AND greatest(effective_date, known_from) IS NOT NULL GROUP BY ALL),
    spread AS (
      SELECT n, p.date, b.company_id, a.spread, b.is_sparse, coalesce(b.currency, 'USD') = 'USD' AS is_usd,
        regexp_matches(concat_ws(' ', b.sector, c.sector), '${FINANCIAL}', 'i')
          OR regexp_matches(concat_ws(' ', b.issuer_name, b.company_name), '${BANK}', 'i') AS is_financial
      FROM numbered_prices p JOIN price_analytics a USING (n) JOIN bonds_base b ON b.no = p.bond
      LEFT JOIN companies_base c ON c.company_id = b.company_id WHERE a.spread IS NOT NULL
        AND p.date IN (SELECT q.date FROM numbered_prices q JOIN bonds_base s ON s.no = q.bond WHERE s.is_sparse)),
    priced AS (
      SELECT s.*, r.rating_bucket FROM spread s ASOF LEFT JOIN rated_from r ON r.company_id = s.company_id AND r.day <= s.date),
    market AS (SELECT date, median(spread) AS middle, count(*) AS size FROM priced GROUP BY date),
    rated AS (
      SELECT date, rating_bucket, median(spread) AS middle, count(*) AS size FROM priced
      WHERE rating_bucket IS NOT NULL GROUP BY ALL),
    doubtful AS (
      SELECT p.*, m.middle AS market_middle, m.size AS market_size FROM priced p JOIN market m USING (date)
      WHERE p.is_sparse AND (m.size < ${FEWEST_PEERS} OR abs(p.spread - m.middle) > ${FURTHEST_FROM_MEDIAN_BPS} / 2)),
    others AS (
      SELECT d.n, median(o.spread) AS middle, count(*) AS size
      FROM doubtful d JOIN priced o ON o.company_id = d.company_id AND o.date = d.date AND o.n <> d.n GROUP BY d.n),
    compared AS (
      SELECT d.n, d.spread, d.is_financial, CASE
          WHEN o.size >= CASE WHEN d.market_size < ${FEWEST_PEERS} THEN ${FEWEST_OTHERS} ELSE 1 END
            THEN {'with': 'issuer', 'middle': o.middle, 'size': o.size}
          WHEN r.size >= ${FEWEST_PEERS} THEN {'with': 'rating_bucket', 'middle': r.middle, 'size': r.size}
          WHEN d.market_size >= ${FEWEST_PEERS} THEN {'with': 'market', 'middle': d.market_middle, 'size': d.market_size}
        END AS against
      FROM doubtful d LEFT JOIN others o USING (n) LEFT JOIN rated r ON r.date = d.date AND r.rating_bucket = d.rating_bucket),
    flagged AS (
    SELECT n, CASE against.with WHEN 'issuer' THEN '${YIELD_FLAGS[0]}' ELSE '${YIELD_FLAGS[1]}' END AS flag,
      against.with AS compared_with, round(against.middle, 4) AS compared_spread, against.size AS compared_bonds
    FROM compared WHERE abs(spread - against.middle) > CASE
      WHEN against.with = 'issuer' THEN greatest(${FURTHEST_FROM_MEDIAN_BPS}, abs(against.middle) / 2)
      WHEN is_financial THEN ${FURTHEST_FROM_MEDIAN_BPS} ELSE ${FURTHEST_FROM_PEERS_BPS} END)
    SELECT * FROM flagged
    UNION ALL SELECT n, '${YIELD_FLAGS[2]}', NULL, NULL, NULL FROM spread
    WHERE is_sparse AND is_usd AND spread < ${LOWEST_SPREAD_BPS} AND n NOT IN (SELECT n FROM flagged)`)
