import { access, constants } from 'node:fs/promises'
import { QueryError } from '../../engine/base/errors.ts'
import type { Lake } from '../../engine/lake/lake.ts'
import { lockHolder } from '../../engine/lake/lock.ts'

/** DuckDB's memory while one row is written. */
export const MEMORY = '300MB'

/** The server may run on a copy of the lake that it must not change. */
export const isWritable = (lake: Lake): Promise<boolean> =>
  access(lake.root, constants.W_OK).then(
    () => true,
    () => false,
  )

/** Refuses a change of a lake that is read-only, which `instead` can make, or is being written. */
export async function checkMayWrite(lake: Lake, instead: string): Promise<void> {
  if (!(await isWritable(lake)))
    throw new QueryError('FORBIDDEN', `this server may not write to the lake: ${instead}`, {
      reason: 'read_only',
    })
  if (await lockHolder(lake))
    throw new QueryError('OVERLOADED', 'the lake is being written: try again when the build has ended')
}
