import Negotiator from 'negotiator'
import { firstOf } from '../../engine/base/elements.ts'
import { QueryError } from '../../engine/base/errors.ts'
import { type FormatName, formats } from '../../engine/encode/formats.ts'

const mediaType = (name: FormatName): string => formats[name].type.split(';')[0]!.trim().toLowerCase()

/** Forms are offered without parameters, so only the weight of a media range counts (`text/csv; header=present`). */
const withoutParameters = (accept: string): string => accept.replace(/;(?!\s*q=)[^;,]*/gi, '')

/** The form that an Accept header prefers among `offered`, whose first is the default. */
export function negotiate(accept: string | undefined, offered: readonly FormatName[]): FormatName {
  if (accept === undefined || accept.trim() === '' || accept.trim() === '*/*') return firstOf(offered)
  const types = offered.map(mediaType)
  const negotiator = new Negotiator({ headers: { accept: withoutParameters(accept) } })
  const [preferred] = negotiator.mediaTypes(types)
  if (preferred !== undefined) return offered[types.indexOf(preferred)]!
  throw new QueryError(
    'NOT_ACCEPTABLE',
    `no type in the Accept header is available here: accept ${types.join(', ')}`,
    { allowed: types },
  )
}
