import type { Columns } from '../../../../engine/schema/column.ts'
import { tables } from '../../../../engine/schema/resources/tables.ts'

/** Tables visible to SQL, with their columns. */
export const schema: Readonly<Record<string, Columns>> = Object.fromEntries(
  tables.map(({ table, columns }) => [table, columns]),
)
