import type { PageSettings } from '../../pages/web-page.ts'

/** What the server wrote into the page about itself. */
export const server: Partial<PageSettings> = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name=server]')?.content ?? '{}',
)

/** The path under which the server is mounted; '' at the root. */
export const prefix = server.prefix ?? ''
