import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { QueryError } from '../../engine/base/errors.ts'
import { version } from '../../engine/base/version.ts'
import { escapedAttribute } from '../http/html.ts'
import type { Page } from '../http/page.ts'
import { type File, prefixedFile, sendImmutable, sendTagged } from '../http/static-file.ts'
import type { Limits } from '../sql/limits.ts'

/** Loads only from this server, and runs nothing written into the page. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ')

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Where the build puts the explorer: beside this file, or in `dist` when running from source. */
const built = fileURLToPath(
  new URL(extname(import.meta.url) === '.ts' ? '../../dist/web/' : '../../web/', import.meta.url),
)

/** What the page must know about its server before its first call. */
export interface PageSettings {
  readonly version: string
  /** Limits of SQL; null if disabled. */
  readonly sql: Limits | null
  /** The path under which the server is mounted; the root if absent. */
  readonly prefix?: string
}

/** The page as built, with its settings and, under a prefix, with links adjusted. */
function pageOf(built: string, settings: PageSettings, prefix: string): File {
  const content = JSON.stringify(prefix === '' ? settings : { ...settings, prefix })
  const page = built
    .replace(
      '<meta name="server" content="{}">',
      () => `<meta name="server" content="${escapedAttribute(content)}">`,
    )
    .replaceAll(/(?<=(?:src|href)=")\.?(?=\/(?:assets\/|docs"))/g, () => escapedAttribute(prefix))
  return { type: 'text/html; charset=utf-8', body: Buffer.from(page) }
}

function openFiles(folder: string, settings: PageSettings) {
  const built = readFileSync(join(folder, 'index.html'), 'utf8')
  const assets = new Map<string, File>()
  for (const name of readdirSync(join(folder, 'assets')))
    assets.set(name, {
      type: types[extname(name)] ?? 'application/octet-stream',
      body: readFileSync(join(folder, 'assets', name)),
    })
  return { page: prefixedFile(prefix => pageOf(built, settings, prefix)), assets }
}

/** The explorer at `/`, as built by `npm run build`; empty if it was not built. */
export function webPages(sql: Limits | null, folder: string = built): readonly Page[] {
  if (!existsSync(join(folder, 'index.html'))) return []
  const { page, assets } = openFiles(folder, { version, sql })
  return [
    { method: 'GET', path: '/', handle: exchange => sendTagged(exchange, page(exchange.prefix), policy) },
    {
      method: 'GET',
      path: '/assets/{file}',
      handle(exchange, { file = '' }) {
        const found = assets.get(file)
        if (!found) throw new QueryError('NOT_FOUND', 'there is no such file', {})
        sendImmutable(exchange, found, policy)
      },
    },
  ]
}
