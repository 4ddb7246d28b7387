import type { Columns } from '../../../../engine/column.ts'
import { tables } from '../../../../engine/tables.ts'

/** Tables that SQL sees, with their columns. */
export const schema: Readonly<Record<string, Columns>> = Object.fromEntries(
  tables.map(({ table, columns }) => [table, columns]),
)
