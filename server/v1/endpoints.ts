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

/** What a list is asked over HTTP beside what the engine is asked. */
export const formParams = {
  format: one(oneOf(formatNames, 'Form of the answer; the Accept header chooses it if not said.')),
  csv_safe: fallback(
    one(boolean("CSV: put `'` before text that a spreadsheet would run as a formula.")),
    true,
  ),
} satisfies Params

/** An answer that can be sorted is a list of rows; any other is one object. */
export const isList = ({ params }: Pick<Endpoint, 'params'>): boolean => Object.hasOwn(params, 'sort')

/** What a list answers with where the caller does not say. */
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

/** Every route that asks for a key: the engine's operations, then the server's own. */
export const endpoints: readonly Endpoint[] = [
  ...operations.map(endpointOf),
  authMe,
  usageAnalytics,
  requestCoverage,
  batch,
]

/** With SQL where the operator has turned it on. */
export const endpointsWith = (sql?: SqlRunner): readonly Endpoint[] =>
  sql ? [...endpoints, sqlEndpoint(sql)] : endpoints
