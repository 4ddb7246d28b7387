import { elementAt } from '../../base/elements.ts'
import { NO_REFERENCE, priceSlips } from '../../credit/price-slips.ts'
import type { Database } from '../../database/database.ts'
import { tieBreak } from '../../database/tie-break.ts'
import type { CacheOptions, DerivationCache } from '../cache/derivation-cache.ts'
import { dayNumber, instrumentId } from './instruments.ts'
import { joinedColumns } from './joined-columns.ts'
import { ALL_REPORTS, eachTradePart, type PartOptions, type TradePart } from './trade-parts.ts'
import { cleanByQuarter, quarterOf } from './trade-quarters.ts'

/** What a report and its cancel have in common if the cancel gives no number. */
const ALIKE = ['time', 'price', 'quantity', 'side', 'counterparty']
const nthAlike = `row_number() OVER (PARTITION BY bond_id, date, ${ALIKE.join(', ')} ORDER BY reported_date, source, r) AS nth`

/** Reports referred to by a cancel or correction. A correction changes the price, the others repeat it. */
const undoneBy = (action: 'cancel' | 'correction' | 'reversal') => `
  SELECT t.r FROM standing_trades t SEMI JOIN (SELECT * FROM trade_reports WHERE action = '${action}') u
    ON u.bond_id = t.bond_id AND u.original_trade_id = t.trade_id AND u.r <> t.r
      ${action === 'correction' ? '' : 'AND coalesce(u.price, t.price) = t.price'}`

/**
 * The steps that exclude trade reports from the price of their day, in order, each over the reports that remain. A
 * report counts only if it was known by the as-of day, so a cancel takes effect from its own report on. The SQL
 * selects `r`, the number of the report in `trade_reports`.
 */
const tradeSteps = [
  { reason: 'cancelled', sql: undoneBy('cancel') },
  { reason: 'corrected', sql: undoneBy('correction') },
  { reason: 'reversed', sql: undoneBy('reversal') },
  {
    // Reversals in TRACE's old system give no number: the first one cancels the first equal report, the second the
    // second.
    reason: 'reversed',
    sql: `
      WITH unnamed AS (SELECT *, ${nthAlike} FROM trade_reports v WHERE action = 'reversal' AND NOT EXISTS (
        SELECT 1 FROM trade_reports t WHERE t.bond_id = v.bond_id AND t.trade_id = v.original_trade_id AND t.r <> v.r))
      SELECT t.r FROM (SELECT *, ${nthAlike} FROM standing_trades t SEMI JOIN unnamed v ON v.bond_id = t.bond_id AND v.date = t.date) t
      JOIN unnamed v
        ON v.bond_id = t.bond_id AND v.date = t.date AND v.nth = t.nth AND v.reported_date >= t.reported_date
        AND ${ALIKE.map(name => `v.${name} IS NOT DISTINCT FROM t.${name}`).join(' AND ')}`,
  },
  { reason: 'when_issued', sql: 'SELECT r FROM standing_trades WHERE when_issued' },
  { reason: 'special_price', sql: 'SELECT r FROM standing_trades WHERE special_price' },
  {
    // A dealer who passes on a trade at its price reports both the customer's and the other dealer's side.
    reason: 'agency_duplicate',
    sql: "SELECT r FROM standing_trades WHERE counterparty = 'customer' AND is_agency AND NOT has_commission",
  },
  {
    // Both dealers report a trade between them: only the seller's report counts.
    reason: 'interdealer_duplicate',
    sql: `
      WITH between_dealers AS (
        SELECT *, row_number() OVER (PARTITION BY bond_id, date, price, quantity, side ORDER BY time, trade_id, source, r) AS nth
        FROM standing_trades WHERE counterparty = 'dealer' AND side IS NOT NULL)
      SELECT b.r FROM between_dealers b JOIN between_dealers s ON s.side = 'sell' AND s.bond_id = b.bond_id AND s.date = b.date
        AND s.price = b.price AND s.quantity IS NOT DISTINCT FROM b.quantity AND s.nth = b.nth
      WHERE b.side = 'buy'`,
  },
] as const

/** The trades to price: all of them, or those that the latest price of each bond depends on. */
export type TradeDays = 'all' | 'recent'

/** Kinds of price; the first one available on a day is used. */
const rank = "CASE price_source WHEN 'trade' THEN 1 WHEN 'vendor' THEN 2 WHEN 'fund_mark' THEN 3 ELSE 4 END"

/**
 * `numbered_prices`: one price per bond (by its `no`) and day, numbered in that order: the day's last trade, with the
 * day's volume-weighted price, volume and count; without a trade a vendor's price, else a fund's mark, else an
 * estimate, the newest known of several. `published_figures`: what the list behind a price publishes.
 * `prices_left_out`: every trade and price that cleaning excluded, and why. With the trades of `recent` days, only the
 * newest price of each bond is the same as with all.
 */
export async function deriveDailyPrices(
  db: Database,
  days: TradeDays = 'all',
  options: PartOptions & CacheOptions = {},
): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TABLE traded_prices (bond_id VARCHAR, date DATE, price_source VARCHAR, price DOUBLE, price_basis VARCHAR,
      vwap DOUBLE, volume BIGINT, volume_capped BOOLEAN, trade_count BIGINT, known_from DATE, ingested_at TIMESTAMP, source VARCHAR);
    CREATE OR REPLACE TABLE prices_left_out (bond_id VARCHAR, date DATE, time VARCHAR, price DOUBLE, price_source VARCHAR,
      quantity BIGINT, trade_id VARCHAR, reason VARCHAR, factor DOUBLE, reference_price DOUBLE, reference_date DATE, source VARCHAR,
      known_from DATE);
    CREATE OR REPLACE TABLE slipped_marks (bond_id VARCHAR, date DATE, price_source VARCHAR)`)
  if (days === 'all' && options.cache) await cleanChangedQuarters(db, options.cache, options)
  else if (days === 'all')
    await eachTradePart(db, options, async part => {
      await cleanTrades(db, part.reports)
      await findSlips(db, part.has)
      await keepCleaned(db)
    })
  else {
    await cleanRecentTrades(db)
    await keepCleaned(db)
  }
  // Sorted once, so that numbering and taking each day's first can stream.
  await db.run(`
    CREATE OR REPLACE TABLE ranked_prices AS
    WITH marked AS (
      SELECT ${instrumentId()} AS bond_id, price_date AS date, price_source, price, coalesce(price_basis, 'clean') AS price_basis,
        volume, coalesce(trade_count, 0) AS trade_count, known_from, ingested_at, source
      FROM listed_prices)
    SELECT b.no AS bond, p.* EXCLUDE (bond_id, ingested_at)
    FROM (SELECT * FROM traded_prices UNION ALL BY NAME SELECT * FROM marked) p JOIN bonds_base b ON b.id = p.bond_id
    WHERE NOT EXISTS (SELECT 1 FROM slipped_marks s
      WHERE s.bond_id = p.bond_id AND s.date = p.date AND s.price_source = p.price_source)
    ORDER BY bond, date, ${rank}, known_from DESC NULLS LAST, ingested_at DESC NULLS LAST, source, ${tieBreak('p')};
    CREATE OR REPLACE TABLE numbered_prices AS
    SELECT row_number() OVER () - 1 AS n, * EXCLUDE is_first FROM (
      SELECT *, bond IS DISTINCT FROM lag(bond) OVER () OR date IS DISTINCT FROM lag(date) OVER () AS is_first FROM ranked_prices)
    WHERE is_first;
    DROP TABLE ranked_prices;
    DROP TABLE traded_prices;
    CREATE OR REPLACE TABLE published_figures AS
    SELECT n.n, p.published_ytm, p.published_ytw, p.published_duration, p.published_spread, p.list_name
    FROM listed_prices p JOIN bonds_base b ON b.id = ${instrumentId('p.')}
    JOIN numbered_prices n ON n.bond = b.no AND n.date = p.price_date AND n.price_source = p.price_source AND n.source = p.source
    WHERE coalesce(p.published_ytm, p.published_ytw, p.published_duration, p.published_spread) IS NOT NULL OR p.list_name IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY n.n ORDER BY p.known_from DESC NULLS LAST, p.ingested_at DESC NULLS LAST, ${tieBreak('p')}) = 1`)
}

/** Prices per bond, day and source of the reports that remain. */
const pricesOfDays = `
    SELECT bond_id, date, price_source,
      arg_max(price, (coalesce(time, ''), coalesce(trade_id, ''), source, price)) AS price, 'clean' AS price_basis,
      -- In whole numbers, because sums of fractions depend on their order.
      round(CAST(sum(CAST(round(price * 1e6) AS HUGEINT) * quantity) AS DOUBLE) / sum(quantity) FILTER (WHERE quantity > 0) / 1e6, 6) AS vwap,
      CAST(sum(quantity) AS BIGINT) AS volume, bool_or(quantity_capped) AS volume_capped, count(*) AS trade_count,
      max(known_from) AS known_from, max(source) AS source
    FROM standing_trades GROUP BY bond_id, date, price_source`

/** The reports that were left out, but for slips. */
const reportsLeftOut = `
    SELECT t.bond_id, t.date, t.time, t.price, t.price_source, t.quantity, t.trade_id, l.reason, t.source, t.known_from
    FROM left_out l JOIN trade_reports t USING (r) WHERE l.reason <> 'price_slip'`

/** Keeps of cleaned reports what prices are made from: those of each day in one row, and what was left out. */
const keepCleaned = (db: Database): Promise<void> =>
  db.run(`
    INSERT INTO traded_prices BY NAME ${pricesOfDays};
    INSERT INTO prices_left_out BY NAME ${reportsLeftOut}
    UNION ALL BY NAME
    SELECT bond_id, date, time, price, price_source, quantity, trade_id, 'price_slip' AS reason, factor, reference_price,
      reference_date, source, known_from
    FROM price_slips;
    INSERT INTO slipped_marks SELECT bond_id, date, price_source FROM price_slips WHERE kind = 'mark'`)

/**
 * As cleaning all reports, with the quarters that an earlier build cleaned. Whether a price is a slip depends on all prices of its bond: bonds
 * that need checking are cleaned whole.
 */
async function cleanChangedQuarters(
  db: Database,
  cache: DerivationCache,
  options: PartOptions,
): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TABLE cleaned_prices AS SELECT '' AS quarter, * FROM traded_prices;
    CREATE OR REPLACE TABLE cleaned_left_out AS SELECT '' AS quarter, * FROM prices_left_out;
    CREATE OR REPLACE TABLE cleaned_ranges (quarter VARCHAR, bond_id VARCHAR, low DOUBLE, high DOUBLE)`)
  await cleanByQuarter(db, cache, ({ reports, has }) =>
    eachTradePart(db, { ...options, reports }, async part => {
      await cleanTrades(db, part.reports)
      const its = (rows: string) =>
        `SELECT ${quarterOf('date')} AS quarter, * FROM (${rows}) WHERE ${has('date')}`
      await db.run(`
        INSERT INTO cleaned_prices BY NAME ${its(pricesOfDays)};
        INSERT INTO cleaned_left_out BY NAME ${its(reportsLeftOut)};
        INSERT INTO cleaned_ranges SELECT ${quarterOf('date')} AS quarter, bond_id, min(price), max(price)
        FROM standing_trades WHERE ${has('date')} GROUP BY ALL`)
    }),
  )
  await db.run(`
    CREATE OR REPLACE TABLE doubtful_bonds AS
    SELECT bond_id FROM (SELECT bond_id, low, high FROM cleaned_ranges UNION ALL SELECT ${instrumentId()}, price, price FROM listed_prices)
    GROUP BY bond_id HAVING ${varyWidely('low', 'high')};
    INSERT INTO traded_prices SELECT * EXCLUDE (quarter) FROM cleaned_prices WHERE bond_id NOT IN (SELECT bond_id FROM doubtful_bonds WHERE bond_id IS NOT NULL);
    INSERT INTO prices_left_out SELECT * EXCLUDE (quarter) FROM cleaned_left_out WHERE bond_id NOT IN (SELECT bond_id FROM doubtful_bonds WHERE bond_id IS NOT NULL);
    DROP TABLE cleaned_prices; DROP TABLE cleaned_left_out; DROP TABLE cleaned_ranges`)
  const has = (bondId: string) => `${bondId} IN (SELECT bond_id FROM doubtful_bonds)`
  await cleanTrades(db, `SELECT * FROM (${ALL_REPORTS}) WHERE ${has('bond_id')}`)
  await findSlips(db, has)
  await keepCleaned(db)
  await db.run('DROP TABLE doubtful_bonds')
}

/** `trade_reports`, `left_out` (r, reason), and the view `standing_trades` of the remaining reports. */
async function cleanTrades(db: Database, reports: string): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TABLE trade_reports AS ${reports};
    CREATE OR REPLACE TABLE left_out (r BIGINT, reason VARCHAR);
    CREATE OR REPLACE VIEW standing_trades AS
      SELECT * FROM trade_reports t WHERE action IN ('trade', 'correction') AND price IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM left_out l WHERE l.r = t.r)`)
  for (const { reason, sql } of tradeSteps)
    await db.run(`INSERT INTO left_out SELECT DISTINCT r, '${reason}' FROM (${sql})`)
}

/**
 * As `cleanTrades` and `findSlips`, for the trades that the latest price of each bond depends on. A price depends on
 * the reports of its bond and day, and on those that cancel or correct them. It also depends on all prices of the bond if
 * those vary widely (see `findSlips`), and the yield of a bond known from holdings lists on all prices of its day (see
 * `deriveYieldFlags`). A bond whose newest days are all excluded is read whole.
 */
async function cleanRecentTrades(db: Database): Promise<void> {
  await db.run('CREATE OR REPLACE TABLE read_whole (bond_id VARCHAR)')
  let added: unknown[]
  do {
    await chooseTradedDays(db)
    // Numbered before the others are left out, as when all are read.
    await cleanTrades(
      db,
      `SELECT * FROM (${ALL_REPORTS}) t SEMI JOIN (SELECT * FROM traded_days WHERE is_read) d ON d.bond_id = t.bond_id AND d.date = t.date`,
    )
    await findSlips(db)
    added = await db.rows(`
      INSERT INTO read_whole
      SELECT bond_id FROM (SELECT bond_id FROM traded_days GROUP BY bond_id HAVING bool_or(NOT is_read))
      WHERE bond_id NOT IN (
        SELECT t.bond_id FROM standing_trades t JOIN traded_days d ON d.bond_id = t.bond_id AND d.date = t.date
        WHERE d.nth <= ${RECENT_DAYS})
      RETURNING bond_id`)
  } while (added.length > 0)
}

/** The newest days of each bond on which it was traded, one of which usually has a price. */
const RECENT_DAYS = 3

/**
 * `traded_days(bond_id, date, nth, is_read)`: the days on which each bond was traded, numbered from the newest, and
 * whether their reports are read: see `cleanRecentTrades`.
 */
const chooseTradedDays = (db: Database): Promise<void> =>
  db.run(`
    CREATE OR REPLACE TABLE traded_days AS
    WITH days AS (
      SELECT ${instrumentId()} AS bond_id, trade_date AS date, bool_or(coalesce(action, 'trade') <> 'trade') AS is_changed,
        min(price) AS low, max(price) AS high
      FROM in_trades GROUP BY ALL HAVING bond_id IS NOT NULL),
    numbered AS (SELECT *, row_number() OVER (PARTITION BY bond_id ORDER BY date DESC) AS nth FROM days),
    wide AS (
      SELECT bond_id FROM (SELECT bond_id, low, high FROM days UNION ALL SELECT ${instrumentId()}, price, price FROM listed_prices)
      GROUP BY bond_id HAVING ${varyWidely('low', 'high')}),
    changes AS (
      SELECT ${instrumentId()} AS bond_id, original_trade_id AS trade_id FROM in_trades
      WHERE coalesce(action, 'trade') <> 'trade' AND original_trade_id IS NOT NULL),
    changed AS (
      SELECT DISTINCT t.bond_id, t.date FROM (SELECT ${instrumentId()} AS bond_id, trade_date AS date, trade_id FROM in_trades) t
      SEMI JOIN changes c ON c.bond_id = t.bond_id AND c.trade_id = t.trade_id),
    compared AS (
      SELECT n.date FROM numbered n JOIN bonds_base b ON b.id = n.bond_id
      WHERE b.is_sparse AND (n.nth <= ${RECENT_DAYS} OR n.bond_id IN (SELECT bond_id FROM read_whole))
      UNION SELECT p.price_date FROM listed_prices p JOIN bonds_base b ON b.id = ${instrumentId('p.')} WHERE b.is_sparse)
    SELECT n.bond_id, n.date, n.nth, n.nth <= ${RECENT_DAYS} OR n.is_changed OR c.date IS NOT NULL
      OR n.bond_id IN (SELECT bond_id FROM wide) OR n.bond_id IN (SELECT bond_id FROM read_whole)
      OR n.date IN (SELECT date FROM compared) AS is_read
    FROM numbered n LEFT JOIN changed c ON c.bond_id = n.bond_id AND c.date = n.date`)

/** Whether the prices of a bond need to be checked for slips. */
const varyWidely = (low: string, high: string): string =>
  `max(${high}) > 5 * min(${low}) OR min(${low}) < 2 OR max(${high}) > 350`

/**
 * `price_slips` among the standing trades and all other prices of some bonds; slips among trades are excluded too. Only
 * bonds whose prices vary widely, or are far from par, need checking.
 */
async function findSlips(db: Database, has: TradePart['has'] = () => 'TRUE'): Promise<void> {
  await db.run(`
    CREATE OR REPLACE VIEW seen_prices AS
    SELECT 'trade' AS kind, r, bond_id, date, time, price, price_source, quantity, trade_id, source, known_from,
      CAST(NULL AS TIMESTAMP) AS ingested_at FROM standing_trades
    UNION ALL BY NAME
    SELECT 'mark' AS kind, ${instrumentId()} AS bond_id, price_date AS date, price, price_source, source, known_from, ingested_at
    FROM listed_prices WHERE ${has(instrumentId())};
    CREATE OR REPLACE TABLE price_slips AS
    WITH suspects AS (
      SELECT bond_id FROM seen_prices GROUP BY bond_id HAVING ${varyWidely('price', 'price')}),
    seen AS (
      SELECT * FROM seen_prices WHERE bond_id IN (SELECT bond_id FROM suspects)
      QUALIFY kind = 'trade' OR row_number() OVER (PARTITION BY kind, bond_id, date, price_source
        ORDER BY known_from DESC NULLS LAST, ingested_at DESC NULLS LAST, source, ${tieBreak('seen_prices')}) = 1)
    SELECT CAST(row_number() OVER (ORDER BY bond_id, date, kind, time NULLS FIRST, price_source, trade_id, source, r) - 1 AS INTEGER) AS n,
      * EXCLUDE ingested_at, CAST(NULL AS DOUBLE) AS factor, CAST(NULL AS DOUBLE) AS reference_price, CAST(NULL AS DATE) AS reference_date
    FROM seen`)
  const rows: Float64Array[][] = []
  for await (const { columns } of db.numbers(`
    SELECT CAST(dense_rank() OVER (ORDER BY p.bond_id) AS INTEGER), CAST(${dayNumber('p.date')} AS INTEGER), p.price,
      CAST(coalesce(b.status = 'defaulted' AND p.date >= b.defaulted_from, FALSE) AS INTEGER)
    FROM price_slips p LEFT JOIN bonds_base b ON b.id = p.bond_id ORDER BY p.n`))
    rows.push(columns)
  const [bond, day, price, isDefaulted] = joinedColumns(rows, 4)
  const { factor, reference, referenceDay } = priceSlips({
    bond: Int32Array.from(bond!),
    day: Int32Array.from(day!),
    price: price!,
    isDefaulted: Uint8Array.from(isDefaulted!),
  })
  await db.run(
    'CREATE OR REPLACE TABLE slips (n INTEGER, factor DOUBLE, reference DOUBLE, reference_day INTEGER)',
  )
  const slipped = [...factor.keys()].filter(i => !Number.isNaN(elementAt(factor, i)))
  await db.append(
    'slips',
    [
      Int32Array.from(slipped),
      Float64Array.from(slipped, i => elementAt(factor, i)),
      Float64Array.from(slipped, i => elementAt(reference, i)),
      Int32Array.from(slipped, i => elementAt(referenceDay, i)),
    ],
    slipped.length,
  )
  await db.run(`
    DELETE FROM price_slips WHERE n NOT IN (SELECT n FROM slips);
    UPDATE price_slips p SET factor = s.factor, reference_price = s.reference,
      reference_date = CASE WHEN s.reference_day <> ${NO_REFERENCE} THEN DATE '1970-01-01' + s.reference_day END
    FROM slips s WHERE s.n = p.n;
    INSERT INTO left_out SELECT r, 'price_slip' FROM price_slips WHERE kind = 'trade'`)
}
