import type { Request, Response } from 'express'
import type { OpenedSession } from '../state/accounts.ts'

/** Over TLS the cookie's name binds it to this host: no other host of the domain can set it. */
const nameFor = (secure: boolean): string => `${secure ? '__Host-' : ''}tranche_session`

const flags = (secure: boolean) => ({ httpOnly: true, sameSite: 'strict', secure, path: '/' }) as const

/** The session token of a request; null if there is none, or several. */
export const sessionToken = (request: Request, secure: boolean): string | null =>
  cookieOf(request, nameFor(secure))

/** A cookie of a request; null if there is none, or several of the name. */
export function cookieOf(request: Request, name: string): string | null {
  const start = `${name}=`
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(start))
  const [only, ...others] = found
  return only !== undefined && others.length === 0 ? only.slice(start.length) : null
}

/** Sets the session cookie; null clears it. */
export function setSession(response: Response, secure: boolean, opened: OpenedSession | null): void {
  if (!opened) response.clearCookie(nameFor(secure), flags(secure))
  else
    response.cookie(nameFor(secure), opened.token, {
      ...flags(secure),
      expires: new Date(opened.endsAt),
    })
}
