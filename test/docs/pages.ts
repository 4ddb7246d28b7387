/** Pages with runnable blocks, in reading order, in the two halves that run in parallel. */
export const guides = [
  'docs/start.md',
  'docs/data.md',
  'docs/extraction.md',
  'docs/fetch.md',
  'docs/screens.md',
  'docs/point-in-time.md',
  'docs/search.md',
] as const

export const interfaces = [
  'docs/library.md',
  'docs/mcp.md',
  'docs/server.md',
  'docs/stores.md',
  'docs/open-tables.md',
  'docs/scale.md',
  'docs/reference.md',
  'README.md',
] as const

export const pages = [...guides, ...interfaces] as const
