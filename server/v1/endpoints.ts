import { type FormatName, formatNames } from '../../engine/encode/formats.ts'
import { operations } from '../../engine/operations/api.ts'
import type { Operation } from '../../engine/operations/operation.ts'
import { boolean, oneOf } from '../../engine/schema/column.ts'
import { fallback, one, type Params } from '../../engine/schema/params.ts'
import type { SqlRunner } from '../sql/runner.ts'
import { authMe } from './operations/auth-me.ts'
import { batch } from './operations/batch.ts'
import type { Endpoint } from './operations/endpoint.ts'
import { requestCoverage } from './operations/request-coverage.ts'
import { sqlEndpoint } from './operations/sql.ts'
import { usageAnalytics } from './operations/usage-analytics.ts'

/** Parameters of a list over HTTP beside the engine's. */
export const formParams = {
  format: one(oneOf(formatNames, 'Format of the answer; default chosen by the Accept header.')),
  csv_safe: fallback(
    one(boolean("CSV: put `'` before text that a spreadsheet would run as a formula.")),
    true,
  ),
} satisfies Params

/** Whether it answers with rows, which can be sent in any format. */
export const isList = ({ answers }: Pick<Endpoint, 'answers'>): boolean => answers === 'rows'

/** The default format of a list. */
export const usualFormat = ({ bulk }: Pick<Endpoint, 'bulk'>): FormatName => (bulk ? 'csv' : 'json')

const endpointOf = ({ run: _run, out: _out, command: _command, ...declared }: Operation): Endpoint => ({
  ...declared,
  ...(isList(declared) && { params: { ...declared.params, ...formParams } }),
  ...(declared.method === 'POST' && { body: true }),
})

const own = {
  'auth.me': authMe,
  'usage.analytics': usageAnalytics,
  'request.coverage': requestCoverage,
  batch,
}

/** The server's own endpoints by name. */
export type OwnEndpoints = typeof own & { readonly sql: ReturnType<typeof sqlEndpoint> }

/** Every route that requires a key: the engine's operations, then the server's own. */
export const endpoints: readonly Endpoint[] = [...operations.map(endpointOf), ...Object.values(own)]

/** Including SQL if enabled. */
export const endpointsWith = (sql?: SqlRunner): readonly Endpoint[] =>
  sql ? [...endpoints, sqlEndpoint(sql)] : endpoints
