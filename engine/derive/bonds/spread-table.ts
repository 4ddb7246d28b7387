import { elementAt } from '../../base/elements.ts'
import { REJECTIONS, spreadSeries, TENORS, tenorOf } from '../../credit/spread-series.ts'
import { type Database, literal } from '../../database/database.ts'
import { tieBreak } from '../../database/tie-break.ts'
import { dayNumber } from './instruments.ts'
import { joinedColumns } from './joined-columns.ts'

/** Step 1: fixed-rate senior unsecured bonds that have a price. */
const eligible = (assumeSeniority: string | null): string =>
  `coalesce(b.seniority, t.seniority, ${assumeSeniority ? literal(assumeSeniority) : 'NULL'}) = 'senior_unsecured'` +
  ` AND b.rate_structure = 'fixed' AND coalesce(b.currency, 'USD') = 'USD'`

// Over 80 lines: two long SQL statements around a short loop.
/**
 * `spreads`: the bond-derived series by the five steps of `credit/spread-series`, and series loaded by the operator.
 * A bond with a withheld yield has no spread either: its remaining life is not what its source says. Companies are
 * processed in ranges, so memory does not grow with the lake.
 */
export async function deriveSpreads(
  db: Database,
  { assumeSeniority }: { assumeSeniority: string | null },
): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TABLE spread_codes AS
      SELECT CAST(row_number() OVER (ORDER BY company_id) - 1 AS INTEGER) AS code, company_id
      FROM (SELECT DISTINCT b.company_id FROM bonds_base b JOIN companies_base c USING (company_id) LEFT JOIN filed_terms t ON t.id = b.id
        WHERE ${eligible(assumeSeniority)} ORDER BY 1);
    CREATE OR REPLACE TABLE spread_rows (code INTEGER, day INTEGER, tenor UTINYINT, spread_bps DOUBLE, bond_count INTEGER,
      trade_count INTEGER, known DOUBLE);
    CREATE OR REPLACE TABLE spread_outcomes (n BIGINT, tenor INTEGER, outcome UTINYINT)`)
  const [count] = await db.rows<{ n: number }>('SELECT count(*) AS n FROM spread_codes')
  const step = 2000
  for (let from = 0; from < count!.n; from += step) {
    const parts: Float64Array[][] = []
    for await (const part of db.numbers(
      `SELECT s.code, CAST(${dayNumber('p.date')} AS INTEGER), a.remaining_years, CASE WHEN f.n IS NULL THEN a.spread END, a.clean,
        CAST(p.price_source = 'estimated' AS INTEGER), CAST(p.trade_count AS INTEGER), p.n,
        CAST(${dayNumber('p.known_from')} AS INTEGER)
      FROM numbered_prices p POSITIONAL JOIN price_analytics a JOIN bonds_base b ON b.no = p.bond LEFT JOIN filed_terms t ON t.id = b.id
      JOIN spread_codes s ON s.company_id = b.company_id LEFT JOIN yield_flags f ON f.n = p.n
      WHERE ${eligible(assumeSeniority)} AND s.code >= ${from} AND s.code < ${from + step}
      ORDER BY s.code, p.date, p.bond`,
    ))
      parts.push(part.columns)
    const [code, day, years, spread, price, estimated, trades, n, known] = joinedColumns(parts, 9)
    const rowCount = code!.length
    if (rowCount === 0) continue
    const series = spreadSeries({
      ticker: Int32Array.from(code!),
      day: Int32Array.from(day!),
      remainingYears: years!,
      spreadBps: spread!,
      price: price!,
      isEstimated: Uint8Array.from(estimated!),
      tradeCount: Int32Array.from(trades!),
    })
    await db.append(
      'spread_rows',
      [
        series.ticker,
        series.day,
        series.tenor,
        series.spreadBps,
        series.bondCount,
        series.tradeCount,
        lastKnown(series.outputOfRow, known!, series.ticker.length),
      ],
      series.ticker.length,
    )
    const outcome = new Uint8Array(rowCount)
    for (const [i, row] of series.rejectedRow.entries()) outcome[row] = elementAt(series.rejectedReason, i)
    await db.append('spread_outcomes', [n!, Int32Array.from(years!, tenorOf), outcome], rowCount)
  }
  const names = TENORS.map(t => literal(t.tenor)).join(', ')
  const outcomes = REJECTIONS.map(r => literal(r)).join(', ')
  await db.run(`
    CREATE OR REPLACE TABLE spread_inputs AS
    SELECT c.ticker, p.date AS spread_date, CASE WHEN o.tenor >= 0 THEN [${names}][o.tenor + 1] END AS tenor, b.id AS bond_id, b.cusip, b.display_name AS bond_name,
      a.clean AS last_price, CASE WHEN f.n IS NULL THEN round(a.ytm, 6) END AS ytm,
      CASE WHEN f.n IS NULL THEN round(a.spread, 4) END AS spread_bps, round(a.remaining_years, 4) AS remaining_years,
      p.trade_count, [${outcomes}][o.outcome + 1] AS outcome, p.source, b.company_id, c.coverage, p.known_from
    FROM spread_outcomes o JOIN numbered_prices p USING (n) JOIN price_analytics a USING (n) LEFT JOIN yield_flags f USING (n)
    JOIN bonds_base b ON b.no = p.bond JOIN companies_base c ON c.company_id = b.company_id;
    CREATE OR REPLACE TABLE spreads AS
    WITH derived AS (
      SELECT s.company_id, DATE '1970-01-01' + r.day AS spread_date, [${names}][r.tenor + 1] AS tenor, r.spread_bps,
        r.trade_count, r.bond_count, 'bond_spread_proxy' AS source,
        if(isnan(r.known), NULL, DATE '1970-01-01' + CAST(r.known AS INTEGER)) AS known_from
      FROM spread_rows r JOIN spread_codes s USING (code)),
    loaded AS (
      SELECT l.company_id, s.spread_date, s.tenor, s.spread_bps, s.trade_count, s.bond_count,
        coalesce(s.source_feed, 'bond_spread_proxy') AS source, s.known_from
      FROM (SELECT * EXCLUDE (feed), feed AS source_feed FROM in_spreads
        QUALIFY row_number() OVER (PARTITION BY ticker, spread_date, tenor, feed
          ORDER BY known_from DESC NULLS LAST, ingested_at DESC, source DESC, ${tieBreak('in_spreads')}) = 1) s
      JOIN (SELECT DISTINCT ticker, company_id FROM mention_link WHERE name IS NULL AND cik IS NULL AND lei IS NULL) l
        ON l.ticker = s.ticker)
    SELECT c.ticker, c.name AS company_name, x.spread_date, x.tenor, x.spread_bps,
      CAST(x.trade_count AS BIGINT) AS trade_count, CAST(x.bond_count AS BIGINT) AS bond_count, x.source,
      c.sector, c.industry, r.rating_bucket, x.company_id, c.coverage, x.known_from
    FROM (SELECT * FROM derived UNION ALL BY NAME SELECT * FROM loaded) x
    JOIN companies_base c ON c.company_id = x.company_id
    LEFT JOIN company_ratings r ON r.company_id = x.company_id
    QUALIFY row_number() OVER (PARTITION BY x.company_id, x.spread_date, x.tenor, x.source ORDER BY x.bond_count DESC NULLS LAST, ${tieBreak('x')}) = 1`)
}

/** The day on which the last price behind each spread became known; NaN where one became known on no known day. */
function lastKnown(outputOfRow: Int32Array, known: Float64Array, outputs: number): Float64Array {
  const last = new Float64Array(outputs).fill(-Infinity)
  for (let i = 0; i < outputOfRow.length; i++) {
    const output = elementAt(outputOfRow, i)
    if (output >= 0) last[output] = Math.max(elementAt(last, output), elementAt(known, i))
  }
  return last
}
