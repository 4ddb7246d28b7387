import type { Request, Response } from 'express'
import type { Opened } from './state/accounts.ts'

/** Over TLS the name itself binds a cookie to this host: no other host of the domain can plant one. */
const nameFor = ({ secure }: Request): string => `${secure ? '__Host-' : ''}tranche_session`

const flags = ({ secure }: Request) => ({ httpOnly: true, sameSite: 'strict', secure, path: '/' }) as const

/** The token of the session that a request comes with; null where there is none, or several. */
export function sessionToken(request: Request): string | null {
  const start = `${nameFor(request)}=`
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(start))
  return found.length === 1 ? found[0]!.slice(start.length) : null
}

/** Hands a session to the browser; null takes it away. */
export function setSession(request: Request, response: Response, opened: Opened | null): void {
  if (!opened) response.clearCookie(nameFor(request), flags(request))
  else
    response.cookie(nameFor(request), opened.token, {
      ...flags(request),
      expires: new Date(opened.endsAt),
    })
}
