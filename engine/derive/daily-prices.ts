import type { Database } from '../database.ts'
import { instrumentId } from './instruments.ts'

/**
 * `daily_prices`: one price a bond and day. Of trades the last of the day, with the day's volume and count; where no
 * trade is known a vendor's price, else a fund's mark, else an estimate.
 *
 * Cancelled, reversed and corrected reports are gone (a correction stands in for its original), and so are
 * when-issued trades. A row is here only if it was known by the as-of day, so a cancel acts from its own report on.
 */
export async function deriveDailyPrices(db: Database): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TABLE daily_prices AS
    WITH reports AS (
      SELECT ${instrumentId()} AS bond_id, coalesce(action, 'trade') AS action, * EXCLUDE (bond_id, action) FROM in_trades),
    undone AS (
      SELECT DISTINCT bond_id, original_trade_id AS trade_id FROM reports
      WHERE action <> 'trade' AND original_trade_id IS NOT NULL),
    standing AS (
      SELECT * FROM reports r WHERE action IN ('trade', 'correction') AND price IS NOT NULL
        AND NOT coalesce(when_issued, FALSE)
        AND NOT EXISTS (SELECT 1 FROM undone u WHERE u.bond_id = r.bond_id AND u.trade_id = r.trade_id)),
    traded AS (
      SELECT bond_id, trade_date AS date,
        CASE WHEN coalesce(price_estimated, FALSE) THEN 'estimated' ELSE 'trade' END AS price_source,
        arg_max(price, (coalesce(trade_time, ''), coalesce(trade_id, ''), source)) AS price,
        'clean' AS price_basis, CAST(NULL AS DOUBLE) AS accrued,
        sum(quantity) AS volume, count(*) AS trade_count, max(known_from) AS known_from, max(source) AS source
      FROM standing GROUP BY ALL),
    marked AS (
      SELECT ${instrumentId()} AS bond_id, price_date AS date, price_source, price,
        coalesce(price_basis, 'clean') AS price_basis, accrued, volume, coalesce(trade_count, 0) AS trade_count,
        known_from, source
      FROM in_prices
      QUALIFY row_number() OVER (PARTITION BY ${instrumentId()}, price_date, price_source
        ORDER BY known_from DESC NULLS LAST, ingested_at DESC, source) = 1)
    SELECT * FROM (SELECT * FROM traded UNION ALL BY NAME SELECT * FROM marked)
    QUALIFY row_number() OVER (PARTITION BY bond_id, date
      ORDER BY list_position(['trade', 'vendor', 'fund_mark', 'estimated'], price_source), source) = 1`)
}
