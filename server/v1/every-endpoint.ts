import { defaultLimits } from '../sql/limits.ts'
import { endpoints } from './endpoints.ts'
import type { Endpoint } from './operations/endpoint.ts'
import { sqlEndpoint } from './operations/sql.ts'

/** Every endpoint there is, for documents: also those that an operator has to turn on. Not for asking. */
export const everyEndpoint: readonly Endpoint[] = [
  ...endpoints,
  sqlEndpoint({ limits: defaultLimits, run: () => Promise.reject(new Error('SQL is not turned on')) }),
]
