import { createHash } from 'node:crypto'
import { sqlType } from '../column.ts'
import { tables } from './tables.ts'

/** Changes with the tables' columns: a snapshot with another value was built by another version of the program. */
export const layout: string = createHash('sha256')
  .update(
    JSON.stringify(
      tables.map(t => [t.table, Object.entries(t.columns).map(([name, column]) => [name, sqlType(column)])]),
    ),
  )
  .digest('hex')
  .slice(0, 12)
