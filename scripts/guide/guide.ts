import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiPages, type Forms } from './api-pages.ts'
import type { OpenapiDocument } from './openapi-document.ts'
import { readSources, type Sources } from './sources.ts'

/** The whole site: the pages of the project, and those of the HTTP API from its document. */
export function readGuide(root: string, forms: Forms): Sources {
  const sources = readSources(root)
  const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as OpenapiDocument
  return { ...sources, pages: [...sources.pages, ...apiPages(document, forms)] }
}
