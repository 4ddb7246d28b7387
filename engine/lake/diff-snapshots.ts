import { Database, literal, quote } from '../database/database.ts'
import type { Lake } from './lake.ts'
import { type Manifest, readManifest, type StoredTable, verifiedFile } from './snapshot.ts'

export interface TableDiff {
  readonly table: string
  readonly rows_before: number
  readonly rows_after: number
  readonly added: number
  readonly removed: number
  /** Rows with a common key and different other columns; null if the table has no key. */
  readonly changed: number | null
  readonly columns_added: readonly string[]
  readonly columns_removed: readonly string[]
}

/**
 * The differences between two snapshots, table by table.
 * @param keys primary key of each table; tables without one are compared by whole row
 */
export async function diffSnapshots(
  lake: Lake,
  before: string,
  after: string,
  keys: Readonly<Record<string, readonly string[]>>,
): Promise<TableDiff[]> {
  const [a, b] = [await readManifest(lake, before), await readManifest(lake, after)]
  const names = [...new Set([...a.tables, ...b.tables].map(table => table.name))].sort()
  const database = await Database.create()
  try {
    const diffs: TableDiff[] = []
    for (const name of names) {
      const [was, is] = [a, b].map(m => m.tables.find(table => table.name === name))
      const from = async (manifest: Manifest, table: StoredTable) =>
        `read_parquet(${literal(await verifiedFile(lake, manifest, table))})`
      const counted =
        was && is && was.sha256 !== is.sha256
          ? await compare(database, await from(a, was), await from(b, is), common(was, is), keys[name] ?? [])
          : { added: was ? 0 : is!.rows, removed: is ? 0 : was!.rows, changed: keys[name] ? 0 : null }
      diffs.push({
        table: name,
        rows_before: was?.rows ?? 0,
        rows_after: is?.rows ?? 0,
        ...counted,
        columns_added: was && is ? missing(is, was) : [],
        columns_removed: was && is ? missing(was, is) : [],
      })
    }
    return diffs
  } finally {
    database.close()
  }
}

const columnNames = (table: StoredTable) => table.columns.map(column => column.name)

const common = (a: StoredTable, b: StoredTable) =>
  columnNames(a).filter(name => columnNames(b).includes(name))

const missing = (a: StoredTable, b: StoredTable) =>
  columnNames(a).filter(name => !columnNames(b).includes(name))

async function compare(
  database: Database,
  a: string,
  b: string,
  columns: readonly string[],
  key: readonly string[],
): Promise<Pick<TableDiff, 'added' | 'removed' | 'changed'>> {
  const all = columns.map(quote).join(', ')
  if (key.length === 0 || key.some(name => !columns.includes(name))) {
    const only = (x: string, y: string) =>
      `(select count(*) from (select ${all} from ${x} except all select ${all} from ${y}))`
    const [row] = await database.rows<{ added: number; removed: number }>(
      `select ${only(b, a)} as added, ${only(a, b)} as removed`,
    )
    return { ...row!, changed: null }
  }
  const packed = columns.map(name => `${literal(name)}: ${quote(name)}`).join(', ')
  const side = (from: string) =>
    `(select ${key.map(quote).join(', ')}, {${packed}} as _row, true as _here from ${from})`
  const on = key.map(name => `a.${quote(name)} is not distinct from b.${quote(name)}`).join(' and ')
  const [row] = await database.rows<{ added: number; removed: number; changed: number }>(
    `select count(*) filter (a._here is null) as added, count(*) filter (b._here is null) as removed,
       count(*) filter (a._here and b._here and a._row is distinct from b._row) as changed
     from ${side(a)} a full join ${side(b)} b on ${on}`,
  )
  return row!
}
