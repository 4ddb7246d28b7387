import { type Code, QueryError } from '../../base/errors.ts'

/** A failure as Trino reports it. */
export interface TrinoFailure {
  readonly message?: string
  readonly errorName?: string
  readonly errorType?: string
}

/** The remote at an address does not answer as it should. Callers of a server are not told where it is. */
export const unavailable = (host: string, why: string, advice = 'retry later'): QueryError =>
  new QueryError('REMOTE_UNAVAILABLE', `the remote engine at ${host} ${why}: ${advice}`)

/** Thrown for what a statement names and the remote does not have. */
export class MissingOnRemote extends Error {}

/** A statement that the caller wrote, or the one of a plan, did not compile or run. */
export class RefusedByRemote extends Error {}

const MISSING: ReadonlySet<string> = new Set([
  'TABLE_NOT_FOUND',
  'SCHEMA_NOT_FOUND',
  'CATALOG_NOT_FOUND',
  'MISSING_SCHEMA_NAME',
  'COLUMN_NOT_FOUND',
])

const TIMEOUTS: ReadonlySet<string> = new Set(['EXCEEDED_TIME_LIMIT', 'EXCEEDED_CPU_LIMIT'])
const MEMORY: ReadonlySet<string> = new Set([
  'EXCEEDED_GLOBAL_MEMORY_LIMIT',
  'EXCEEDED_LOCAL_MEMORY_LIMIT',
  'EXCEEDED_SPILL_LIMIT',
  'CLUSTER_OUT_OF_MEMORY',
])
const BUSY: ReadonlySet<string> = new Set([
  'QUERY_QUEUE_FULL',
  'QUERY_REJECTED',
  'CLUSTER_HAS_TOO_MANY_RUNNING_QUERIES',
])

/** The error of a statement that failed on the remote. */
export function failedStatement(
  { message = '', errorName = '', errorType }: TrinoFailure,
  timeout: number,
): Error {
  if (MISSING.has(errorName)) return new MissingOnRemote(message)
  if (errorType === 'USER_ERROR' && !TIMEOUTS.has(errorName)) return new RefusedByRemote(message)
  const failed = (code: Code, text: string, details: Record<string, unknown> = {}) =>
    new QueryError(code, text, { ...details, remote_error: errorName })
  if (TIMEOUTS.has(errorName))
    return failed(
      'QUERY_TIMEOUT',
      'the statement exceeded the time limit of the remote engine and was stopped',
      {
        timeout_ms: timeout,
      },
    )
  if (MEMORY.has(errorName))
    return failed(
      'MEMORY_LIMIT',
      'the statement exceeded the memory limit of the remote engine: request less at a time',
    )
  if (BUSY.has(errorName))
    return failed('OVERLOADED', 'the remote engine takes no more statements: retry later')
  return failed(
    'REMOTE_UNAVAILABLE',
    `the remote engine failed (${errorName || 'no reason given'}): retry later`,
  )
}
