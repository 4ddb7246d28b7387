import type { IncomingHttpHeaders } from 'node:http'
import { invalid } from '../../engine/base/errors.ts'
import { memoize } from '../../engine/base/memoize.ts'
import { type FormatName, formatNames } from '../../engine/encode/formats.ts'
import { type Input, parseParams } from '../../engine/schema/params.ts'
import { negotiate } from '../http/negotiate.ts'
import { formParams, isList, usualFormat } from './endpoints.ts'
import type { Endpoint } from './operations/endpoint.ts'

/** Rows that a form other than JSON has where the caller does not say. */
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
}

const formsOf = memoize((endpoint: Endpoint) => {
  const list = isList(endpoint)
  const usual = usualFormat(endpoint)
  const offered = list
    ? [usual, ...formatNames.filter(name => name !== usual)]
    : (endpoint.formats ?? [usual])
  return { list, offered }
})

/** Reads what came in the path, the query or the body of a request. */
export function parseRequest(
  endpoint: Endpoint,
  given: Input,
  named: Readonly<Record<string, string>>,
  headers: IncomingHttpHeaders,
): ParsedRequest {
  const inPath = Object.keys(named)
  for (const name of inPath)
    if (Object.hasOwn(given, name))
      throw invalid(name, null, `${name} stands in the path: leave it out of the query`)
  const all = inPath.length > 0 ? { ...given, ...named } : given
  const args: Record<string, unknown> = parseParams(endpoint.params, all)
  endpoint.check?.(args)
  const { list, offered } = formsOf(endpoint)
  const format = (args['format'] as FormatName | undefined) ?? negotiate(headers.accept, offered)
  // Told by a header or by name, the form is the same.
  if (list || endpoint.formats) args['format'] = format
  const whole = list && format !== 'json' && endpoint.name !== 'export' && !isGiven(all['limit'])
  const limit = whole ? ROWS_OF_A_FILE : ((args['limit'] as number | undefined) ?? null)
  return {
    args,
    format,
    safe: args['csv_safe'] !== false,
    input() {
      if (!list) return all
      const written = Object.entries(all).filter(([name]) => !Object.hasOwn(formParams, name))
      return Object.fromEntries(whole ? [...written, ['limit', limit]] : written)
    },
    limit: list ? limit : null,
    bounded: !whole,
  }
}

const isGiven = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(isGiven)
    : value !== undefined && value !== null && String(value).trim() !== ''
