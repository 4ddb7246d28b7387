/** The page to set a password. What follows `#` is never sent to a server or logged. */
export const linkTo = (origin: string, token: string): string => `${origin}/#/welcome?token=${token}`
