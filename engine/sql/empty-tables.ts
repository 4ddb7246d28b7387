import { quote } from '../database/database.ts'
import { emptyRowsSql, nestedSql, stored } from '../database/views.ts'
import { inputColumns } from '../derive/inputs.ts'
import type { Columns } from '../schema/column.ts'
import { datasetNamed } from '../schema/datasets/datasets.ts'
import { rawViews, tables } from '../schema/resources/tables.ts'

/** The views of a table without rows, unless it has views already. */
function emptySql(table: string, columns: Columns, shown: readonly string[]): string {
  return `CREATE VIEW IF NOT EXISTS ${stored(table)} AS ${emptyRowsSql(columns)};
    CREATE VIEW IF NOT EXISTS main.${quote(table)} AS SELECT ${shown.join(', ')} FROM ${stored(table)}`
}

/** For statements that list tables or columns: the views of all tables but some, without rows. */
export const emptyTablesSql = (except: readonly string[] = []): readonly string[] => [
  ...tables
    .filter(({ table }) => !except.includes(table))
    .map(({ table, columns }) => emptySql(table, columns, nestedSql(columns))),
  ...rawViews
    .filter(name => !except.includes(name))
    .map(name => emptySql(name, inputColumns(datasetNamed(name)!), ['*'])),
]
