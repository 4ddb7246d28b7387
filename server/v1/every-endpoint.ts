import { defaultLimits } from '../sql/limits.ts'
import { endpoints } from './endpoints.ts'
import type { Endpoint } from './operations/endpoint.ts'
import { sqlEndpoint } from './operations/sql.ts'

/** Every endpoint, for documents: including those an operator has to enable. Not for serving. */
export const everyEndpoint: readonly Endpoint[] = [
  ...endpoints,
  sqlEndpoint({ limits: defaultLimits, run: () => Promise.reject(new Error('SQL is not turned on')) }),
]
