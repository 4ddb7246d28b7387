import type { Request } from 'express'
import { QueryError } from '../../engine/base/errors.ts'
import { sameHash } from '../state/secret.ts'

/**
 * True where a browser says that a page of another origin sent this. Our own origin is the configured one, or the host
 * that the request names: a browser sends the name under which it found us, and a page of another site cannot change it.
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
  // What reaches us in the clear may have come to a proxy by TLS, which does not say so.
  return from.host !== host || (protocol === 'https' && from.protocol !== 'https:')
}

export function checkOrigin(request: Request, publicUrl: string | null): void {
  if (isFromElsewhere(request, publicUrl))
    throw new QueryError('FORBIDDEN', 'a page of another site sent this: only our own pages may', {
      reason: 'cross_origin',
    })
}

const safe = new Set(['GET', 'HEAD'])

/** What changes something has to repeat the session's token, which no other site can read. */
export function checkCsrf({ method, headers }: Request, csrf: string): void {
  const given = headers['x-csrf-token']
  if (safe.has(method) || (typeof given === 'string' && sameHash(given, csrf))) return
  throw new QueryError(
    'FORBIDDEN',
    'send the csrf token that GET /session answers with in the X-CSRF-Token header',
    { reason: 'csrf' },
  )
}
