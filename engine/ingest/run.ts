import { QueryError } from '../base/errors.ts'
import { storageError } from '../lake/durable.ts'
import { asRefusal } from './archive.ts'
import { Failed, Refused } from './readers/reader.ts'
import type { IngestRun } from './settle.ts'

/** A run of ingest: what its files share, and how to restart DuckDB. */
export interface Run extends IngestRun {
  readonly memory: string
  restartDatabase(): Promise<void>
}

export const needsMemory = (memory: string) =>
  `more than ${memory} of memory is needed and the lake's disk has no room to spill: free some space, or split the file`

/**
 * One file's failure as its refusal; undefined if every other file would fail too: the run was stopped, or the lake
 * or its disk failed.
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

/** DuckDB is unusable after such a failure. */
export const isDatabaseLost = (error: unknown): boolean =>
  error instanceof Error && /^(FATAL|INTERNAL) Error|database has been invalidated/i.test(error.message)
