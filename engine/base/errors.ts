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

/** What is known of a code, for programs and for the reference. */
interface CodeInfo {
  readonly kind: Kind
  readonly status: number
  /** Of commands that only run beside the lake: no server answers with it. */
  readonly isLocal?: true
  readonly when: string
  /** What the caller does about it, then what the operator does. */
  readonly fix: string
}

/** The one table of error codes: one code per cause. */
export const codes = {
  INVALID_PARAMETER: {
    kind: 'invalid',
    status: 400,
    when: 'A parameter is unknown, of the wrong type, or outside what is allowed; or a day is later than the data.',
    fix: 'Correct `details.parameter`; `allowed`, `min`, `max` or `suggestion` say how.',
  },
  MISSING_PARAMETER: {
    kind: 'invalid',
    status: 400,
    when: 'A required parameter is absent.',
    fix: 'Give `details.parameter`.',
  },
  INVALID_JSON: {
    kind: 'invalid',
    status: 400,
    when: 'The body is not a JSON object, has a member twice, or is too deep.',
    fix: 'Send one JSON object of at most 2,000 members.',
  },
  RESULT_TOO_LARGE: {
    kind: 'invalid',
    status: 400,
    when: 'The result of a statement is above its limit of rows or bytes.',
    fix: 'Add a `limit`, or select less.',
  },
  INVALID_SQL: {
    kind: 'invalid',
    status: 400,
    when: 'The statement is not one SELECT, or DuckDB (with `--remote` Trino) refuses it.',
    fix: 'Correct the statement: the message quotes the reason.',
  },
  INVALID_REQUEST: {
    kind: 'invalid',
    status: 400,
    when: 'The request is not valid HTTP, or cannot be understood safely.',
    fix: 'Correct the client: the message names the part.',
  },
  UNAUTHORIZED: {
    kind: 'unauthenticated',
    status: 401,
    when: 'The key is missing, malformed, unknown or revoked.',
    fix: 'Send an active key in `X-API-Key`.',
  },
  INSUFFICIENT_CREDITS: {
    kind: 'unpaid',
    status: 402,
    when: 'The balance is below the cost of the call.',
    fix: 'Buy credits: `details` has `required` and `remaining`.',
  },
  TIER_RESTRICTED: {
    kind: 'forbidden',
    status: 403,
    when: 'The tier of the key does not include the endpoint or the company.',
    fix: 'Use `details.alternative`, or a key of `details.required_tier`.',
  },
  FORBIDDEN: {
    kind: 'forbidden',
    status: 403,
    when: 'The caller may not do this: role, origin, token or number of keys; or a publisher refuses a download.',
    fix: 'See `details.reason` and the message.',
  },
  INVALID_TICKER: {
    kind: 'missing',
    status: 404,
    when: 'No covered company has the ticker.',
    fix: 'Correct it (`details.suggestion`), or leave unknown ones out with `on_unknown=skip`.',
  },
  INVALID_CUSIP: {
    kind: 'missing',
    status: 404,
    when: 'No bond has the CUSIP.',
    fix: 'Look it up with `resolve`.',
  },
  NOT_FOUND: {
    kind: 'missing',
    status: 404,
    when: 'There is no such path, record or file.',
    fix: 'Check the path and the id.',
  },
  NO_SNAPSHOT: {
    kind: 'missing',
    status: 404,
    when: 'The day is before anything in the lake was known.',
    fix: 'Ask for a day from `details.earliest` on.',
  },
  METHOD_NOT_ALLOWED: {
    kind: 'unsupported',
    status: 405,
    when: 'The path does not take the method.',
    fix: 'Use a method of the header `Allow`.',
  },
  NOT_ACCEPTABLE: {
    kind: 'unsupported',
    status: 406,
    when: 'No format of the endpoint is acceptable to the client.',
    fix: 'Send `Accept: application/json`, or `format`.',
  },
  REQUEST_TIMEOUT: {
    kind: 'unsupported',
    status: 408,
    when: 'The request did not arrive whole in time.',
    fix: 'Send it again, faster.',
  },
  SNAPSHOT_GONE: {
    kind: 'missing',
    status: 410,
    when: 'The snapshot named by `snapshot` is no longer kept, or another version built it.',
    fix: 'Begin again without `snapshot`, or with one of `details.available`.',
  },
  PAYLOAD_TOO_LARGE: {
    kind: 'unsupported',
    status: 413,
    when: 'The body is above its limit.',
    fix: 'Send less at a time.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    kind: 'unsupported',
    status: 415,
    when: 'The body has another type, or an encoding.',
    fix: 'Send `Content-Type: application/json` without `Content-Encoding`.',
  },
  MISDIRECTED_REQUEST: {
    kind: 'unsupported',
    status: 421,
    when: 'The request names another server.',
    fix: 'Send it to the address that it names.',
  },
  RATE_LIMITED: {
    kind: 'throttled',
    status: 429,
    when: 'The limit of the key, of sign-in attempts or of unknown keys is reached.',
    fix: 'Wait the seconds of `Retry-After`.',
  },
  HEADERS_TOO_LARGE: {
    kind: 'unsupported',
    status: 431,
    when: 'The headers are above 32 kB, or more than 100.',
    fix: 'Send fewer.',
  },
  INTERNAL_ERROR: {
    kind: 'bug',
    status: 500,
    when: 'A bug of Tranche.',
    fix: 'Try again; report the `request_id`, which the log has too.',
  },
  NOT_READY: {
    kind: 'busy',
    status: 503,
    when: 'There is no snapshot to answer from: none built or copied yet, built by another version, or the server starts or stops.',
    fix: 'Try again after `Retry-After`. Operators: `tranche build`, or `tranche push` where the lake is built.',
  },
  OVERLOADED: {
    kind: 'busy',
    status: 503,
    when: 'The queue is full, or another process is writing the lake or the store.',
    fix: 'Try again after `Retry-After`; a command, when the other has ended.',
  },
  MEMORY_LIMIT: {
    kind: 'busy',
    status: 503,
    when: 'A statement needs more memory than it may have.',
    fix: 'Ask for less. Operators: more `--memory`.',
  },
  QUERY_TIMEOUT: {
    kind: 'busy',
    status: 504,
    when: 'The time of the request, from its arrival, is over.',
    fix: 'Ask for less. Operators: a longer `--timeout` or `--sql-timeout`.',
  },
  SOURCE_UNAVAILABLE: {
    kind: 'busy',
    status: 503,
    isLocal: true,
    when: 'A publisher that `tranche fetch` asks does not answer as it should.',
    fix: 'Run it again later: it continues.',
  },
  REMOTE_UNAVAILABLE: {
    kind: 'busy',
    status: 503,
    when: 'Trino does not answer, breaks off, refuses the credentials or fails.',
    fix: 'Try again after `Retry-After`, or without `lane`. Operators: the log has the reason.',
  },
  REMOTE_SNAPSHOT_MISSING: {
    kind: 'busy',
    status: 503,
    when: 'Trino does not hold the snapshot of the answer, or not whole.',
    fix: 'Try again after `Retry-After`, or without `lane`. Operators: register the snapshot there.',
  },
  EMBEDDER_UNAVAILABLE: {
    kind: 'busy',
    status: 503,
    when: 'The model that the search index was built with cannot be loaded.',
    fix: 'Search with `mode=keyword`. Operators: install the model, or build again with `--embedder`.',
  },
  STORAGE_FAILED: {
    kind: 'busy',
    status: 503,
    when: 'The disk or the bucket fails, is full, or may not be read or written.',
    fix: 'Try again after `Retry-After`. Operators: free space, mend permissions or credentials, as the log and the message say.',
  },
  STATE_UNAVAILABLE: {
    kind: 'busy',
    status: 503,
    when: 'The database of keys and limits is unreachable, locked, deleted or replaced.',
    fix: 'Try again after `Retry-After`. Operators: see `details.reason`.',
  },
  GATE_FAILED: {
    kind: 'damaged',
    status: 503,
    isLocal: true,
    when: 'A build breaks the rules of its gate: it is kept, not published.',
    fix: 'Mend the source, or publish it after all with `tranche snapshots use ID`.',
  },
  DATA_DAMAGED: {
    kind: 'damaged',
    status: 503,
    when: 'Files of the lake, of a copy or of a store are missing or changed.',
    fix: 'Operators: `tranche snapshots verify` names them; build, or pull, again.',
  },
  STATE_DAMAGED: {
    kind: 'damaged',
    status: 503,
    when: 'The database of keys and limits is corrupt, or of a newer version.',
    fix: 'Operators: restore its backup, or upgrade.',
  },
} as const satisfies Record<string, CodeInfo>

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
