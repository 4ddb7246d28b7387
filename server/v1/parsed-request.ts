import type { IncomingHttpHeaders } from 'node:http'
import { invalid } from '../../engine/base/errors.ts'
import { memoize } from '../../engine/base/memoize.ts'
import { type FormatName, formatNames } from '../../engine/encode/formats.ts'
import { type Input, type Params, parseParams, unknownNames } from '../../engine/schema/params.ts'
import { negotiate } from '../http/negotiate.ts'
import type { UnknownParams } from '../http/unknown-params.ts'
import { formParams, isList, usualFormat } from './endpoints.ts'
import type { Endpoint } from './operations/endpoint.ts'

/** Rows of a page in a form other than JSON: where the caller does not say, and at most. */
const ROWS_OF_A_FILE = 1000

/** What a request asks for, checked. */
export interface ParsedRequest {
  readonly args: Readonly<Record<string, unknown>>
  readonly format: FormatName
  /** Put `'` before text that a spreadsheet would run. */
  readonly safe: boolean
  /** As the engine takes it: what was written, without what is for the server alone. */
  readonly input: () => Input
  /** Rows to return at most; null where the answer is no list. */
  readonly limit: number | null
  /** `limit` keeps the maximum that its declaration says. */
  readonly bounded: boolean
  /** Parameters that nobody declares, where the server leaves them out and does not refuse them. */
  readonly ignored: readonly string[]
}

const formsOf = memoize((endpoint: Endpoint) => {
  const list = isList(endpoint)
  const usual = usualFormat(endpoint)
  const offered = list
    ? [usual, ...formatNames.filter(name => name !== usual)]
    : (endpoint.formats ?? [usual])
  const isPaged = list && !endpoint.bulk
  return { list, offered, isPaged, fileParams: isPaged ? paramsOfFile(endpoint.params) : endpoint.params }
})

/** The parameters of a list in another form than JSON, whose pages may be longer. */
const paramsOfFile = ({ limit, ...others }: Params): Params =>
  limit ? { ...others, limit: { ...limit, max: Math.max(limit.max ?? 0, ROWS_OF_A_FILE) } } : others

/** True unless the answer is certainly JSON: the form may be named, or be left to the Accept header. */
const mayBeFile = (format: unknown, accept: string | undefined): boolean =>
  isGiven(format)
    ? !/^json$/i.test(String(format).trim())
    : accept !== undefined && !/^[*]\/[*]$/.test(accept.trim())

/** Reads what came in the path, the query or the body of a request. */
export function parseRequest(
  endpoint: Endpoint,
  given: Input,
  named: Readonly<Record<string, string>>,
  headers: IncomingHttpHeaders,
  unknown: UnknownParams = 'error',
): ParsedRequest {
  const inPath = Object.keys(named)
  for (const name of inPath)
    if (Object.hasOwn(given, name))
      throw invalid(name, null, `${name} stands in the path: leave it out of the query`)
  const written = inPath.length > 0 ? { ...given, ...named } : given
  const ignored = unknown === 'ignore' ? unknownNames(endpoint.params, written) : []
  const all = ignored.length > 0 ? without(written, ignored) : written
  const { list, offered, isPaged, fileParams } = formsOf(endpoint)
  const isLoose = isPaged && mayBeFile(all['format'], headers.accept)
  const args: Record<string, unknown> = parseParams(isLoose ? fileParams : endpoint.params, all)
  endpoint.check?.(args)
  const format = (args['format'] as FormatName | undefined) ?? negotiate(headers.accept, offered)
  const isFile = isPaged && format !== 'json'
  // The Accept header chose JSON after all, whose pages are shorter.
  if (isLoose && !isFile) parseParams(endpoint.params, all)
  // Told by a header or by name, the form is the same.
  if (list || endpoint.formats) args['format'] = format
  const whole = isFile && !isGiven(all['limit'])
  const limit = whole ? ROWS_OF_A_FILE : ((args['limit'] as number | undefined) ?? null)
  return {
    args,
    format,
    safe: args['csv_safe'] !== false,
    input() {
      if (!list) return all
      const asked = Object.entries(all).filter(([name]) => !Object.hasOwn(formParams, name))
      return Object.fromEntries(whole ? [...asked, ['limit', limit]] : asked)
    },
    limit: list ? limit : null,
    bounded: !isFile,
    ignored,
  }
}

const without = (input: Input, names: readonly string[]): Input =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)))

const isGiven = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(isGiven)
    : value !== undefined && value !== null && String(value).trim() !== ''
