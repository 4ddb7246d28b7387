import { QueryError } from '../base/errors.ts'
import { storageError } from '../lake/durable.ts'
import { asRefusal } from './archive.ts'
import { Failed, Refused } from './readers/reader.ts'
import type { IngestRun } from './settle.ts'

/** A run of ingest: what its files share, and what to do when DuckDB has to be started again. */
export interface Run extends IngestRun {
  readonly memory: string
  restartDatabase(): Promise<void>
}

export const needsMemory = (memory: string) =>
  `more than ${memory} of memory were needed and the disk of the lake has no room for the rest: free space there, or split the file`

/**
 * What went wrong with one file as the refusal of that file; undefined where no other file would fare better: the run was
 * stopped, or the lake or its disk failed.
 */
export function refusalOf(error: unknown, { options, memory }: Run): Refused | undefined {
  if (options.signal?.aborted) return undefined
  const known = asRefusal(error)
  if (known) return known
  const failure = storageError(error)
  if (!(failure instanceof QueryError)) return new Failed(error)
  if (failure.code === 'STORAGE_FAILED' || failure.code === 'DATA_DAMAGED') return undefined
  if (failure.code === 'MEMORY_LIMIT') return new Refused(needsMemory(memory))
  return new Refused(failure.message)
}

export function orThrow(error: unknown, intake: Run): Refused {
  const refusal = refusalOf(error, intake)
  if (!refusal) throw error
  return refusal
}

/** After such a failure DuckDB answers nothing any more. */
export const isDatabaseLost = (error: unknown): boolean =>
  error instanceof Error && /^(FATAL|INTERNAL) Error|database has been invalidated/i.test(error.message)
