import { type Database, quote } from '../database/database.ts'
import { bps, type Columns, integer } from '../schema/column.ts'
import { spreads } from '../schema/resources/spreads.ts'
import { type Plan, parseSort } from './plan/plan.ts'
import { writeTable } from './write-table.ts'

/**
 * How a snapshot stores spreads in its copies: in tenths of a basis point if all are whole tenths, else unchanged.
 */
export type SpreadWidth = 'INT16' | 'INT32' | 'DOUBLE'

/**
 * Copies of the spreads beside the public table, for queries that read many of them: narrower, and in two orders.
 * Queries by company use the one sorted by company. Each order contains the table's key, so it is total.
 */
export const spreadCopies = [
  { name: 'spreads_by_tenor', order: ['tenor', 'spread_date', 'ticker', 'company_id', 'source'] },
  { name: 'spreads_by_ticker', order: ['ticker', 'company_id', 'tenor', 'spread_date', 'source'] },
] as const

const kept = [
  'company_id',
  'ticker',
  'spread_date',
  'tenor',
  'source',
  'sector',
  'industry',
  'rating_bucket',
  'coverage',
] as const

/** Of a basis point. */
export const TENTHS = 10

const isOfCompanies = ({ where }: Plan): boolean => where.some(c => c.column === 'company_id')

/** The copy in which the rows of a plan are contiguous. */
export const copyFor = (plan: Plan): string =>
  plan.table === 'spreads_by_tenor' && isOfCompanies(plan) ? 'spreads_by_ticker' : plan.table

const daysAndTenors: ReadonlySet<string> = new Set(['spread_date', 'tenor'])

/** The copy in which groups have the longest runs: the one by company, unless the query selects days or tenors. */
export function copyToGroup(plan: Plan): string {
  const by = plan.group!.by.map(key => key.column)
  const byTenor =
    plan.where.some(c => daysAndTenors.has(c.column)) ||
    by.includes('spread_date') ||
    by.every(column => daysAndTenors.has(column))
  return byTenor && !isOfCompanies(plan) ? 'spreads_by_tenor' : 'spreads_by_ticker'
}

export const copyColumns: Columns = {
  ...(Object.fromEntries(kept.map(name => [name, spreads.columns[name]])) as Columns),
  spread_tenths: integer('Spread.', { unit: 'tenths of a basis point' }),
  spread_bps: bps('Spread.'),
}

const sqlTypes: Record<SpreadWidth, string> = { INT16: 'SMALLINT', INT32: 'INTEGER', DOUBLE: 'DOUBLE' }

/** The narrowest width that represents every spread exactly. */
async function widthOf(db: Database): Promise<SpreadWidth> {
  const [seen] = await db.rows<{ whole: boolean | null; most: number | null }>(
    'SELECT bool_and(spread_bps = round(spread_bps * 10) / 10) AS whole, max(abs(spread_bps)) AS most FROM spreads',
  )
  const most = (seen!.most ?? 0) * 10
  if (seen!.whole === false) return 'DOUBLE'
  return most < 2 ** 15 ? 'INT16' : most < 2 ** 31 ? 'INT32' : 'DOUBLE'
}

/** Writes the copies; `fileOf` gives each one's file. */
export async function writeSpreadCopies(
  db: Database,
  fileOf: (name: string) => string,
): Promise<SpreadWidth> {
  const width = await widthOf(db)
  const value =
    width === 'DOUBLE' ? 'spread_bps' : `CAST(round(spread_bps * 10) AS ${sqlTypes[width]}) AS spread_tenths`
  for (const { name, order } of spreadCopies)
    await writeTable(
      db,
      `SELECT ${kept.map(quote).join(', ')}, ${value} FROM spreads`,
      order.map(parseSort),
      fileOf(name),
    )
  return width
}
