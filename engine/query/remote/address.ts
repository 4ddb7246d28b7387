import { invalid } from '../../base/errors.ts'

/** A Trino server, and the schemas in it that hold snapshots. */
export interface RemoteAddress {
  /** Of its HTTP interface. */
  readonly origin: string
  readonly user: string
  readonly password: string | null
  readonly catalog: string
  /** A snapshot's schema is named by this and its id. */
  readonly prefix: string
}

const FORM = 'trino://HOST:PORT/CATALOG/SCHEMA, or trino+https://USER:PASSWORD@HOST/CATALOG/SCHEMA'

/** Reads `trino://user@host:8080/catalog/schema`. An error never repeats it: it may hold a password. */
export function parseRemote(text: string, parameter = 'remote'): RemoteAddress {
  const refused = (why: string) => invalid(parameter, null, `${parameter} ${why}`, { allowed: FORM })
  const match = /^trino(\+https)?:\/\/(.*)$/s.exec(text.trim())
  const isSecure = match?.[1] !== undefined
  const address = `${isSecure ? 'https' : 'http'}://${match?.[2] ?? ''}`
  if (match === null || !URL.canParse(address)) throw refused(`must be ${FORM}`)
  const url = new URL(address)
  const [catalog = '', prefix = '', ...others] = url.pathname.split('/').slice(1)
  if (!isName(catalog) || !isName(prefix) || others.length > 0 || url.search !== '' || url.hash !== '')
    throw refused(`must name a catalog and a schema in small letters, digits and underscores: ${FORM}`)
  const password = url.password === '' ? null : decodeURIComponent(url.password)
  if (password !== null && !isSecure)
    throw refused('sends a password over trino+https:// alone: use that, or leave the password out')
  const port = url.port || (isSecure ? '443' : '8080')
  return {
    origin: `${url.protocol}//${url.hostname}:${port}`,
    user: decodeURIComponent(url.username) || 'tranche',
    password,
    catalog,
    prefix,
  }
}

const isName = (text: string): boolean => /^[a-z][a-z0-9_]*$/.test(text)

/** The schema of a snapshot: `lake_20260301t120000z_0a1b2c3d`. */
export const schemaOf = ({ prefix }: RemoteAddress, snapshot: string): string =>
  `${prefix}_${snapshot.toLowerCase().replaceAll('-', '_')}`
