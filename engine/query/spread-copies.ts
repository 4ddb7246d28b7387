import { type Database, quote } from '../database/database.ts'
import { bps, type Columns, integer } from '../schema/column.ts'
import { spreads } from '../schema/resources/spreads.ts'
import { parseSort } from '../schema/sort.ts'
import type { Plan } from './plan/plan.ts'
import { writeTable } from './write-table.ts'

/**
 * How a snapshot stores spreads in its copies: in tenths of a basis point if all are whole tenths, else unchanged.
 */
export type SpreadWidth = 'INT16' | 'INT32' | 'DOUBLE'

const { columns: copied, byDay, byCompany } = spreads.copies!

/** The copies of the spreads. Each order has the key of the table in it and is total. */
export const spreadCopies = [byDay, byCompany].map(({ table, order }) => ({ name: table, order }))

/** Per basis point. */
export const TENTHS = 10

export const copyColumns: Columns = {
  ...Object.fromEntries(copied.map(name => [name, (spreads.columns as Columns)[name]!])),
  spread_tenths: integer('Spread.', { unit: 'tenths of a basis point' }),
  spread_bps: bps('Spread.'),
}

/** The tables that groups of spreads are read from: the copies, if the snapshot has them. */
export const groupedTables = (width: SpreadWidth | null): readonly string[] =>
  width === null ? [spreads.table] : spreadCopies.map(copy => copy.name)

/** A plan of groups of spreads over the copy that suits it, in tenths; unchanged if there are no copies. */
export function overCopies(plan: Plan, width: SpreadWidth | null): { plan: Plan; kinds: Columns } {
  if (width === null) return { plan, kinds: spreads.columns }
  const group = { ...plan.group!, value: 'spread_tenths', scale: TENTHS }
  const narrow = { ...plan, table: copyFor(plan), ...(width !== 'DOUBLE' && { group }) }
  return { plan: narrow, kinds: copyColumns }
}

/** The copy in which the groups of a plan lie in the longest runs. */
function copyFor({ where, group }: Plan): string {
  if (where.some(condition => condition.column === spreads.company)) return byCompany.table
  const by = group!.by.map(key => key.column)
  const isByDay =
    where.some(condition => byDay.of.includes(condition.column)) ||
    by.includes(byDay.day) ||
    by.every(column => byDay.of.includes(column))
  return isByDay ? byDay.table : byCompany.table
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
      `SELECT ${copied.map(quote).join(', ')}, ${value} FROM spreads`,
      order.map(parseSort),
      fileOf(name),
    )
  return width
}
