/** What went wrong, from the caller's side. The server maps a kind to a status, the CLI to an exit code. */
export type Kind =
  | 'invalid'
  | 'unauthenticated'
  | 'unpaid'
  | 'forbidden'
  | 'missing'
  | 'unsupported'
  | 'throttled'
  | 'busy'
  | 'damaged'
  | 'bug'

/**
 * The one table of error codes: one code per cause. Those that are easily confused:
 *
 *     NO_SNAPSHOT           a day before anything in the lake was known (`as_of`, `since`)
 *     SNAPSHOT_GONE         a snapshot asked for by its id that is no longer kept
 *     NOT_READY             no snapshot to answer from: none built, or built by another version
 *     DATA_DAMAGED          files of the lake are gone or changed
 *     STORAGE_FAILED        the disk: full, read-only, no permission, failing
 *     STATE_UNAVAILABLE     the state store cannot be used: unreachable, locked, deleted or replaced
 *     STATE_DAMAGED         the state store is no database, is corrupt, or was made by a newer version
 *     GATE_FAILED           a build that breaks the rules of its gate: kept, not published
 *     SOURCE_UNAVAILABLE    a publisher of data that "tranche fetch" asks does not answer as it should
 *     REMOTE_UNAVAILABLE    the distributed engine of a server's lists does not answer, or fails
 *     REMOTE_SNAPSHOT_MISSING  it does not hold the snapshot that the answer is from, or not whole
 *     EMBEDDER_UNAVAILABLE  the model that the search index was built with cannot be loaded
 */
export const codes = {
  INVALID_PARAMETER: { kind: 'invalid', status: 400 },
  MISSING_PARAMETER: { kind: 'invalid', status: 400 },
  INVALID_JSON: { kind: 'invalid', status: 400 },
  RESULT_TOO_LARGE: { kind: 'invalid', status: 400 },
  INVALID_SQL: { kind: 'invalid', status: 400 },
  INVALID_REQUEST: { kind: 'invalid', status: 400 },
  UNAUTHORIZED: { kind: 'unauthenticated', status: 401 },
  INSUFFICIENT_CREDITS: { kind: 'unpaid', status: 402 },
  TIER_RESTRICTED: { kind: 'forbidden', status: 403 },
  FORBIDDEN: { kind: 'forbidden', status: 403 },
  INVALID_TICKER: { kind: 'missing', status: 404 },
  INVALID_CUSIP: { kind: 'missing', status: 404 },
  NOT_FOUND: { kind: 'missing', status: 404 },
  NO_SNAPSHOT: { kind: 'missing', status: 404 },
  METHOD_NOT_ALLOWED: { kind: 'unsupported', status: 405 },
  NOT_ACCEPTABLE: { kind: 'unsupported', status: 406 },
  REQUEST_TIMEOUT: { kind: 'unsupported', status: 408 },
  SNAPSHOT_GONE: { kind: 'missing', status: 410 },
  PAYLOAD_TOO_LARGE: { kind: 'unsupported', status: 413 },
  UNSUPPORTED_MEDIA_TYPE: { kind: 'unsupported', status: 415 },
  MISDIRECTED_REQUEST: { kind: 'unsupported', status: 421 },
  RATE_LIMITED: { kind: 'throttled', status: 429 },
  HEADERS_TOO_LARGE: { kind: 'unsupported', status: 431 },
  INTERNAL_ERROR: { kind: 'bug', status: 500 },
  NOT_READY: { kind: 'busy', status: 503 },
  OVERLOADED: { kind: 'busy', status: 503 },
  MEMORY_LIMIT: { kind: 'busy', status: 503 },
  QUERY_TIMEOUT: { kind: 'busy', status: 504 },
  SOURCE_UNAVAILABLE: { kind: 'busy', status: 503, isLocal: true },
  REMOTE_UNAVAILABLE: { kind: 'busy', status: 503 },
  REMOTE_SNAPSHOT_MISSING: { kind: 'busy', status: 503 },
  EMBEDDER_UNAVAILABLE: { kind: 'busy', status: 503 },
  STORAGE_FAILED: { kind: 'busy', status: 503 },
  STATE_UNAVAILABLE: { kind: 'busy', status: 503 },
  GATE_FAILED: { kind: 'damaged', status: 503, isLocal: true },
  DATA_DAMAGED: { kind: 'damaged', status: 503 },
  STATE_DAMAGED: { kind: 'damaged', status: 503 },
} as const satisfies Record<string, { kind: Kind; status: number; isLocal?: true }>

export type Code = keyof typeof codes

/** The codes that a server answers with; the others are of commands that only run beside the lake. */
export const servedCodes = (Object.keys(codes) as Code[]).filter(code => !('isLocal' in codes[code]))

/** An error the caller can fix; the message says how. Anything else that is thrown is a bug. */
export class QueryError extends Error {
  readonly code: Code
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: Code, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.name = 'QueryError'
    this.code = code
    this.details = details
  }

  get kind(): Kind {
    return codes[this.code].kind
  }
}

export const invalid = (parameter: string, value: unknown, message: string, details: object = {}) =>
  new QueryError('INVALID_PARAMETER', message, { parameter, value, ...details })

/** The lake or one of its files is damaged; no query is answered from it. */
export const damaged = (file: string, reason: string) =>
  new QueryError('DATA_DAMAGED', `${file}: ${reason}`, { file, reason })
