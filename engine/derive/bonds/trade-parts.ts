import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, literal } from '../../database/database.ts'
import { instrumentId } from './instruments.ts'

/** Trade reports that are cleaned at a time: about a gigabyte. */
const REPORTS_AT_A_TIME = 4_000_000

/** The columns of `trade_reports`; `r` numbers the reports in the order of their import. */
export const reportsSql = (rows: string) => `
  SELECT row_number() OVER () AS r, ${instrumentId()} AS bond_id, coalesce(action, 'trade') AS action, trade_id, original_trade_id,
    trade_date AS date, trade_time AS time, coalesce(reported_date, trade_date) AS reported_date, price, quantity,
    coalesce(quantity_capped, FALSE) AS quantity_capped, side, counterparty, coalesce(when_issued, FALSE) AS when_issued,
    is_agency, has_commission, special_price, CASE WHEN price_estimated THEN 'estimated' ELSE 'trade' END AS price_source,
    source, known_from
  FROM ${rows}`

/** All trade reports of the lake. */
export const ALL_REPORTS = reportsSql('in_trades')

/** Some bonds: their trade reports, and a condition on the ids of the bonds. */
export interface TradePart {
  readonly reports: string
  readonly has: (bondId: string) => string
}

export interface PartOptions {
  /** Folder for files of a step that has more rows than memory; without it DuckDB spills. */
  readonly scratch?: string | undefined
  readonly reportsAtATime?: number | undefined
  /** The reports to divide; default all. */
  readonly reports?: string
}

/**
 * Calls `work` with the trade reports of some bonds after the other: what cleans them compares reports of one bond alone.
 * Many reports are divided once, in files, so that memory and time by report are the same however many there are.
 */
export async function eachTradePart(
  db: Database,
  { scratch, reportsAtATime = REPORTS_AT_A_TIME, reports = ALL_REPORTS }: PartOptions,
  work: (part: TradePart) => Promise<void>,
): Promise<void> {
  const count = scratch === undefined ? 0 : await countReports(db, reports)
  const parts = Math.ceil(count / reportsAtATime)
  if (scratch === undefined || parts <= 1) return work({ reports, has: () => 'TRUE' })
  const folder = join(scratch, 'trade-parts')
  const partOf = (bondId: string) => `hash(${bondId}) % ${parts}`
  try {
    await mkdir(folder, { recursive: true })
    await db.run(`COPY (SELECT *, ${partOf('bond_id')} AS part FROM (${reports}))
      TO ${literal(folder)} (FORMAT parquet, PARTITION_BY (part), OVERWRITE_OR_IGNORE)`)
    for (let part = 0; part < parts; part++) {
      const files = literal(join(folder, `part=${part}`, '*.parquet'))
      const [found] = await db.rows<{ n: number }>(`SELECT count(*) AS n FROM glob(${files})`)
      await work({
        reports:
          found!.n === 0
            ? `${reports} LIMIT 0`
            : `SELECT * FROM read_parquet(${files}, hive_partitioning = false)`,
        has: bondId => `${partOf(bondId)} = ${part}`,
      })
      await rm(join(folder, `part=${part}`), { recursive: true, force: true })
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function countReports(db: Database, reports: string): Promise<number> {
  const [row] = await db.rows<{ n: number }>(`SELECT count(*) AS n FROM (${reports})`)
  return row!.n
}
