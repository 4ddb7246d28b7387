import { type Code, codes, QueryError } from '../../engine/base/errors.ts'
import type { Tier } from '../limits/tiers.ts'
import type { Unavailable } from '../state/store.ts'

export interface Problem {
  readonly status: number
  readonly code: Code
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Needs attention: a bug, damage, or an unavailable store or engine. */
  readonly grave: boolean
}

const GRAVE: ReadonlySet<Code> = new Set([
  'STORAGE_FAILED',
  'STATE_UNAVAILABLE',
  'REMOTE_UNAVAILABLE',
  'REMOTE_SNAPSHOT_MISSING',
])

/** What the caller of a failed request sees: nothing about this machine or a key. */
export function problemOf(error: unknown, { requestId, tier }: { requestId: string; tier?: Tier }): Problem {
  const known = error instanceof QueryError ? error : null
  const code = known && codes[known.code].kind !== 'bug' ? known.code : 'INTERNAL_ERROR'
  const { status, kind } = codes[code]
  const { message, details } = told(known, code, tier)
  const text = JSON.stringify({ error: { code, message, details, request_id: requestId } })
  return {
    status,
    code,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      ...headersOf(code, details),
    },
    body: Buffer.from(withoutKeys(text)),
    grave: kind === 'bug' || kind === 'damaged' || GRAVE.has(code),
  }
}

/** Code, message and details of one operation's error inside a batch. */
export function memberError(error: unknown, tier: Tier) {
  const known = error instanceof QueryError ? error : null
  const code = known && codes[known.code].kind !== 'bug' ? known.code : 'INTERNAL_ERROR'
  return { code, ...told(known, code, tier) }
}

const unavailable: Readonly<Record<Unavailable, string>> = {
  unreachable: 'does not respond: try again later',
  refused: 'refuses the login of this server: its operator must fix it',
  locked: 'is locked by another process: try again later',
  missing: 'was deleted: its operator must put it back, or restart the server',
  replaced: 'was replaced: its operator must restart the server',
}

/** A failure in words for anybody: no path, host or file. */
export function publicMessage(error: unknown): string {
  const known = error instanceof QueryError && codes[error.code].kind !== 'bug' ? error : null
  return told(known, known?.code ?? 'INTERNAL_ERROR').message
}

function told(
  error: QueryError | null,
  code: Code,
  tier?: Tier,
): { message: string; details: Readonly<Record<string, unknown>> } {
  if (!error || code === 'INTERNAL_ERROR')
    return { message: 'internal error: try again, and report the request id', details: {} }
  if (code === 'DATA_DAMAGED')
    return {
      message: 'the data behind this answer is damaged: its operator must rebuild it',
      details: {},
    }
  if (code === 'STORAGE_FAILED')
    return { message: 'the server cannot read or write its disk: try again later', details: {} }
  if (code === 'STATE_DAMAGED')
    return {
      message: 'the database of keys and limits is damaged: its operator must restore it',
      details: {},
    }
  if (code === 'STATE_UNAVAILABLE') {
    const reason = error.details['reason'] as Unavailable
    return { message: `the database of keys and limits ${unavailable[reason]}`, details: { reason } }
  }
  if (code === 'EMBEDDER_UNAVAILABLE')
    return {
      message: 'the model of the search index cannot be loaded: use mode=keyword, or ask the operator',
      details: {},
    }
  if (code === 'REMOTE_UNAVAILABLE')
    return {
      message: 'the distributed engine does not answer, or failed: try again later, or without lane',
      details: {},
    }
  if (code === 'REMOTE_SNAPSHOT_MISSING')
    return {
      message: 'the distributed engine does not hold this snapshot yet: try again later, or without lane',
      details: { snapshot: error.details['snapshot'] },
    }
  // The folder without a snapshot is the operator's business.
  if (code === 'NOT_READY') return { message: error.message, details: {} }
  // Parameters are the engine's, key and tier the server's.
  if (code === 'TIER_RESTRICTED')
    return { message: error.message, details: { ...error.details, current_tier: tier ?? null } }
  return { message: error.message, details: error.details }
}

/** Seconds after which to retry a temporary error. */
const retryAfter: Partial<Record<Code, number>> = {
  NOT_READY: 5,
  OVERLOADED: 1,
  MEMORY_LIMIT: 5,
  EMBEDDER_UNAVAILABLE: 300,
  REMOTE_UNAVAILABLE: 5,
  REMOTE_SNAPSHOT_MISSING: 30,
  STORAGE_FAILED: 30,
  STATE_UNAVAILABLE: 5,
  DATA_DAMAGED: 300,
  STATE_DAMAGED: 300,
}

function headersOf(code: Code, details: Readonly<Record<string, unknown>>): Record<string, string> {
  const wait = details['retry_after'] ?? retryAfter[code]
  return {
    ...(wait !== undefined && { 'Retry-After': String(wait) }),
    ...(code === 'UNAUTHORIZED' && { 'WWW-Authenticate': 'ApiKey header="X-API-Key"' }),
    ...(code === 'METHOD_NOT_ALLOWED' && { Allow: (details['allowed'] as string[]).join(', ') }),
  }
}

const KEY_DIGITS = /_[0-9a-fA-F]{32}/g

const isLetterOrDigit = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)

/** A key in the wrong place is not repeated: neither its digits, nor the prefix before them. */
export function withoutKeys(text: string): string {
  let safe = ''
  let from = 0
  for (const { index, 0: digits } of text.matchAll(KEY_DIGITS)) {
    let start = index
    while (start > from && isLetterOrDigit(text.charCodeAt(start - 1))) start--
    if (start === index) continue
    safe += `${text.slice(from, start)}[key]`
    from = index + digits.length
  }
  return from === 0 ? text : safe + text.slice(from)
}
