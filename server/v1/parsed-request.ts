import type { IncomingHttpHeaders } from 'node:http'
import { invalid } from '../../engine/base/errors.ts'
import { memoize } from '../../engine/base/memoize.ts'
import { type FormatName, formatNames } from '../../engine/encode/formats.ts'
import { type Input, type Params, parseParams, unknownNames } from '../../engine/schema/params.ts'
import { negotiate } from '../http/negotiate.ts'
import type { UnknownParams } from '../http/unknown-params.ts'
import { ROWS_OF_A_FILE } from '../limits/rows-of-a-file.ts'
import { formParams, isList, usualFormat } from './endpoints.ts'
import type { Endpoint } from './operations/endpoint.ts'

/** How a server reads requests. */
export interface Reading {
  readonly unknownParams: UnknownParams
  /** Default and maximum rows of a page in a format other than JSON. */
  readonly fileRows: number
}

export const usualReading: Reading = { unknownParams: 'error', fileRows: ROWS_OF_A_FILE }

/** A validated request. */
export interface ParsedRequest {
  readonly args: Readonly<Record<string, unknown>>
  readonly format: FormatName
  /** Prefix `'` to text that a spreadsheet would run as a formula. */
  readonly safe: boolean
  /** For the engine: the input without the server's own parameters. */
  readonly input: () => Input
  /** Maximum rows to return; null if the answer is not a list. */
  readonly limit: number | null
  /** Enforce the declared maximum of `limit`. */
  readonly bounded: boolean
  /** Unknown parameters, if the server ignores them. */
  readonly ignored: readonly string[]
}

const formsOf = memoize((endpoint: Endpoint) => {
  const list = isList(endpoint)
  const usual = usualFormat(endpoint)
  const offered = list
    ? [usual, ...formatNames.filter(name => name !== usual)]
    : (endpoint.formats ?? [usual])
  return { list, offered, isPaged: list && !endpoint.bulk }
})

/** The parameters of a list in a format other than JSON, with larger pages. */
const paramsOfFile = ({ limit, ...others }: Params, rows: number): Params =>
  limit ? { ...others, limit: { ...limit, max: Math.max(limit.max ?? 0, rows) } } : others

/** True unless the answer is certainly JSON: the format may be given, or left to the Accept header. */
const mayBeFile = (format: unknown, accept: string | undefined): boolean =>
  isGiven(format)
    ? !/^json$/i.test(String(format).trim())
    : accept !== undefined && !/^[*]\/[*]$/.test(accept.trim())

/** Parses the path, query or body of a request. */
export function parseRequest(
  endpoint: Endpoint,
  given: Input,
  named: Readonly<Record<string, string>>,
  headers: IncomingHttpHeaders,
  { unknownParams, fileRows }: Reading = usualReading,
): ParsedRequest {
  const inPath = Object.keys(named)
  for (const name of inPath)
    if (Object.hasOwn(given, name))
      throw invalid(name, null, `${name} is in the path: drop it from the query`)
  const written = inPath.length > 0 ? { ...given, ...named } : given
  const ignored = unknownParams === 'ignore' ? unknownNames(endpoint.params, written) : []
  const all = ignored.length > 0 ? without(written, ignored) : written
  const { list, offered, isPaged } = formsOf(endpoint)
  const isLoose = isPaged && mayBeFile(all['format'], headers.accept)
  const args: Record<string, unknown> = parseParams(
    isLoose ? paramsOfFile(endpoint.params, fileRows) : endpoint.params,
    all,
  )
  endpoint.check?.(args)
  const format = (args['format'] as FormatName | undefined) ?? negotiate(headers.accept, offered)
  const isFile = isPaged && format !== 'json'
  // The Accept header chose JSON after all, with smaller pages.
  if (isLoose && !isFile) parseParams(endpoint.params, all)
  // By header or by name, the format is the same.
  if (list || endpoint.formats) args['format'] = format
  const whole = isFile && !isGiven(all['limit'])
  const limit = whole ? fileRows : ((args['limit'] as number | undefined) ?? null)
  return {
    args,
    format,
    safe: args['csv_safe'] !== false,
    input() {
      if (!list) return all
      const others = Object.entries(all).filter(([name]) => !Object.hasOwn(formParams, name))
      return Object.fromEntries(whole ? [...others, ['limit', limit]] : others)
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
    : value !== undefined && value !== null && (typeof value !== 'string' || value.trim() !== '')
