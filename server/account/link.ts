/** Where somebody sets their password. What follows `#` is never sent to a server, nor to its log. */
export const linkTo = (origin: string, token: string): string => `${origin}/#/welcome?token=${token}`
