import { type FormatName, formatNames } from '../../engine/encode/formats.ts'
import { operations } from '../../engine/operations/api.ts'
import type { Operation } from '../../engine/operations/operation.ts'
import { boolean, oneOf } from '../../engine/schema/column.ts'
import { fallback, one, type Params } from '../../engine/schema/params.ts'
import type { SqlRunner } from '../sql/runner.ts'
import { alternatives } from './operations/access.ts'
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

/** An answer with a sort order is a list of rows; any other is one object. */
export const isList = ({ params }: Pick<Endpoint, 'params'>): boolean => Object.hasOwn(params, 'sort')

/** Defaults of a list. */
export const usualFormat = ({ name }: Pick<Endpoint, 'name'>): FormatName =>
  name === 'export' ? 'csv' : 'json'

function endpointOf({ run: _run, out: _out, command: _command, ...declared }: Operation): Endpoint {
  const alternative = alternatives[declared.name]
  return {
    ...declared,
    ...(isList(declared) && { params: { ...declared.params, ...formParams } }),
    ...(declared.method === 'POST' && { body: true }),
    ...(alternative !== undefined && { alternative }),
  }
}

/** Every route that requires a key: the engine's operations, then the server's own. */
export const endpoints: readonly Endpoint[] = [
  ...operations.map(endpointOf),
  authMe,
  usageAnalytics,
  requestCoverage,
  batch,
]

/** Including SQL if enabled. */
export const endpointsWith = (sql?: SqlRunner): readonly Endpoint[] =>
  sql ? [...endpoints, sqlEndpoint(sql)] : endpoints
