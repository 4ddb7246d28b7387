import type { Request } from 'express'
import { QueryError } from '../../engine/base/errors.ts'
import { sameHash } from '../state/secret.ts'

/**
 * Whether a browser reports that a page of another origin sent the request. Our origin is the configured one, or the
 * request's Host, which a page of another site cannot change.
 */
export function isFromElsewhere(
  { headers, host, protocol }: Pick<Request, 'headers' | 'host' | 'protocol'>,
  publicUrl: string | null,
): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  if (origin === undefined) return false
  if (!URL.canParse(origin)) return true
  const from = new URL(origin)
  if (from.origin === publicUrl) return false
  // The request may have reached a proxy over TLS without a header that says so.
  return from.host !== host || (protocol === 'https' && from.protocol !== 'https:')
}

export function checkOrigin(request: Request, publicUrl: string | null): void {
  if (isFromElsewhere(request, publicUrl))
    throw new QueryError('FORBIDDEN', 'this request came from a page of another site', {
      reason: 'cross_origin',
    })
}

const safe = new Set(['GET', 'HEAD'])

/** Requests that change something must repeat the session's token, which no other site can read. */
export function checkCsrf({ method, headers }: Request, csrf: string): void {
  const given = headers['x-csrf-token']
  if (safe.has(method) || (typeof given === 'string' && sameHash(given, csrf))) return
  throw new QueryError('FORBIDDEN', 'send the csrf token from GET /session in the X-CSRF-Token header', {
    reason: 'csrf',
  })
}
