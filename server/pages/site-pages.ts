import type { Page } from '../http/page.ts'
import type { SqlRunner } from '../sql/runner.ts'
import { endpointsWith } from '../v1/endpoints.ts'
import { guidePages } from './guide-page.ts'
import { openapiPage } from './openapi-page.ts'
import { webPages } from './web-page.ts'

/** The explorer at `/`, the guide at `/guide`, and the HTTP API at `/docs` with its document. */
export const sitePages = (sql?: SqlRunner): readonly Page[] => [
  openapiPage(endpointsWith(sql)),
  ...guidePages(),
  ...webPages(sql?.limits ?? null),
]
