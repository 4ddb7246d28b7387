import type { Page } from '../http/page.ts'
import type { SqlRunner } from '../sql/runner.ts'
import { endpointsWith } from '../v1/endpoints.ts'
import { docsPages } from './docs-page.ts'
import { webPages } from './web-page.ts'

/** The explorer at `/` and the documentation at `/docs`. */
export const sitePages = (sql?: SqlRunner): readonly Page[] => [
  ...docsPages(endpointsWith(sql)),
  ...webPages(sql?.limits ?? null),
]
