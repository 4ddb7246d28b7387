import { quote } from '../database/database.ts'
import { nestedSql, stored } from '../database/views.ts'
import { inputColumns } from '../derive/inputs.ts'
import { type Columns, sqlType } from '../schema/column.ts'
import { datasetNamed } from '../schema/datasets/datasets.ts'
import { rawViews, tables } from '../schema/resources/tables.ts'

/** The views of a table without rows, unless it has views already. */
function emptySql(table: string, columns: Columns, shown: readonly string[]): string {
  const none = Object.entries(columns).map(
    ([name, column]) => `CAST(NULL AS ${sqlType(column)}) AS ${quote(name)}`,
  )
  return `CREATE VIEW IF NOT EXISTS ${stored(table)} AS SELECT ${none.join(', ')} WHERE FALSE;
    CREATE VIEW IF NOT EXISTS main.${quote(table)} AS SELECT ${shown.join(', ')} FROM ${stored(table)}`
}

/** For a statement that lists tables or columns: those of a day that no statement has named yet, without their rows. */
export const emptyTablesSql = (): string =>
  [
    ...tables.map(({ table, columns }) => emptySql(table, columns, nestedSql(columns))),
    ...rawViews.map(name => emptySql(name, inputColumns(datasetNamed(name)!), ['*'])),
  ].join('; ')
