import type { Page } from '../http/page.ts'
import { prefixedFile, sendTagged } from '../http/static-file.ts'
import { openapi } from '../openapi/openapi.ts'
import type { Endpoint } from '../v1/operations/endpoint.ts'
import { pagePolicy } from './page-policy.ts'

/** The OpenAPI document of the endpoints that this server has. */
export function openapiPage(endpoints: readonly Endpoint[]): Page {
  const described = openapi(endpoints)
  const document = prefixedFile(prefix => ({
    type: 'application/json; charset=utf-8',
    body: Buffer.from(
      JSON.stringify(prefix === '' ? described : { ...described, servers: [{ url: prefix }] }),
    ),
  }))
  return {
    method: 'GET',
    path: '/v1/openapi.json',
    handle: exchange => sendTagged(exchange, document(exchange.prefix), pagePolicy),
  }
}
