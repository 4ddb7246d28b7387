import { type Database, literal } from '../../database/database.ts'
import {
  type CachedStep,
  type DerivationCache,
  fingerprintOf,
  insertCached,
  keepDerived,
} from '../cache/derivation-cache.ts'
import { instrumentId } from './instruments.ts'
import { ALL_REPORTS, reportsSql } from './trade-parts.ts'

/** The quarter of a day, as a text like `2024-3`. */
export const quarterOf = (day: string): string => `concat(year(${day}), '-', quarter(${day}))`

/** Trade reports cleaned by quarters: prices, what was left out, and the range of a bond's standing prices. */
export const CLEANED: CachedStep = {
  step: 'cleaned-trades',
  tables: ['cleaned_prices', 'cleaned_left_out', 'cleaned_ranges'],
  by: 'quarter',
}

/** Some quarters: their trade reports, with those of other quarters that these refer to, and a condition on a day. */
export interface QuarterPart {
  readonly reports: string
  readonly has: (day: string) => string
}

/**
 * Fills the tables of `CLEANED` from the quarters that an earlier derivation cleaned, and calls `clean` for the others, to add
 * theirs. Cleaning compares reports of one bond and day, and with those that a cancel, correction or reversal names, on
 * whatever day: what a quarter depends on is its own reports and the named and naming ones of others.
 */
export async function cleanByQuarter(
  db: Database,
  cache: DerivationCache,
  clean: (part: QuarterPart) => Promise<void>,
): Promise<void> {
  const keys = await quarterKeys(db)
  const found = await insertCached(db, cache, CLEANED, keys)
  const missing = new Map([...keys].filter(([quarter]) => !found.has(quarter)))
  if (missing.size > 0) {
    const list = [...missing.keys()].map(literal).join(', ')
    const has = (day: string) => `${quarterOf(day)} IN (${list})`
    const reports =
      found.size === 0
        ? ALL_REPORTS
        : reportsSql(`(SELECT * FROM in_trades WHERE ${has('trade_date')} UNION ALL BY NAME
          SELECT * FROM far_reports WHERE of_quarter IN (${list}) AND NOT ${has('trade_date')})`)
    await clean({ reports, has })
    await keepDerived(db, cache, CLEANED, missing)
  }
  await db.run('DROP TABLE far_reports')
}

/**
 * What the cleaned reports of each quarter depend on; and `far_reports`, the reports of other quarters that are named by
 * those of a quarter (`of_quarter`), or name them. Rows of a lake keep their order, so it is not compared.
 */
async function quarterKeys(db: Database): Promise<Map<string, string>> {
  const placed = `*, ${instrumentId()} AS instrument, ${quarterOf('trade_date')} AS quarter`
  await db.run(`
    CREATE OR REPLACE TABLE far_reports AS
    WITH changes AS (
      SELECT ${placed} FROM in_trades WHERE coalesce(action, 'trade') <> 'trade' AND original_trade_id IS NOT NULL),
    named AS (
      SELECT t.* FROM (SELECT ${placed} FROM in_trades WHERE trade_id IS NOT NULL) t
      SEMI JOIN changes c ON c.instrument = t.instrument AND c.original_trade_id = t.trade_id)
    SELECT n.quarter AS of_quarter, c.* EXCLUDE (instrument, quarter) FROM changes c
    JOIN named n ON n.instrument = c.instrument AND n.trade_id = c.original_trade_id AND n.quarter <> c.quarter
    UNION ALL
    SELECT c.quarter AS of_quarter, n.* EXCLUDE (instrument, quarter) FROM changes c
    JOIN named n ON n.instrument = c.instrument AND n.trade_id = c.original_trade_id AND n.quarter <> c.quarter`)
  const rows = await db.rows<{ quarter: string; rows: string; far: string | null; duckdb: string }>(`
    SELECT o.quarter, o.content AS rows, f.content AS far, version() AS duckdb
    FROM (SELECT ${quarterOf('trade_date')} AS quarter, ${fingerprintOf('input')} AS content FROM in_trades input GROUP BY 1) o
    LEFT JOIN (SELECT of_quarter, ${fingerprintOf('input')} AS content FROM far_reports input GROUP BY 1) f ON f.of_quarter = o.quarter
    ORDER BY o.quarter`)
  return new Map(
    rows.map(({ quarter, ...content }) => [quarter, [quarter, ...Object.values(content)].join(' ')]),
  )
}
