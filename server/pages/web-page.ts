import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { QueryError } from '../../engine/base/errors.ts'
import { version } from '../../engine/base/version.ts'
import { escapedAttribute } from '../http/html.ts'
import type { Page } from '../http/page.ts'
import { type File, prefixedFile, sendImmutable, sendTagged } from '../http/static-file.ts'
import type { Limits } from '../sql/limits.ts'
import { builtFolder } from './built-folder.ts'
import { pagePolicy } from './page-policy.ts'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

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
    .replaceAll(/(?<=(?:src|href)=")\.?(?=\/(?:assets\/|(?:docs|guide)"))/g, () => escapedAttribute(prefix))
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
export function webPages(sql: Limits | null, folder: string = builtFolder('web')): readonly Page[] {
  if (!existsSync(join(folder, 'index.html'))) return []
  const { page, assets } = openFiles(folder, { version, sql })
  return [
    { method: 'GET', path: '/', handle: exchange => sendTagged(exchange, page(exchange.prefix), pagePolicy) },
    {
      method: 'GET',
      path: '/assets/{file}',
      handle(exchange, { file = '' }) {
        const found = assets.get(file)
        if (!found) throw new QueryError('NOT_FOUND', 'there is no such file', {})
        sendImmutable(exchange, found, pagePolicy)
      },
    },
  ]
}
