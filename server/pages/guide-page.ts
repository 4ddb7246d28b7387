import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { QueryError } from '../../engine/base/errors.ts'
import { escapedAttribute } from '../http/html.ts'
import type { Page } from '../http/page.ts'
import { type File, prefixedFile, sendTagged } from '../http/static-file.ts'
import { builtFolder } from './built-folder.ts'
import { pagePolicy } from './page-policy.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
}

/** What `/guide` and `/docs` say where the site was not built. */
const unbuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Tranche guide</title></head>
<body>
<p>The guide is not built here: <code>npm run build</code>. Its pages are in the folder <code>docs</code>.</p>
<ul><li><a href="/">Explorer</a></li><li><a href="/v1/openapi.json">OpenAPI document</a></li><li><a href="/healthz">Health</a></li></ul>
</body>
</html>
`

/** The name of each file of the site by the path that asks for it: `guide/start` for `guide/start.html`. */
function namesIn(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length).split(sep).join('/'))
  return new Map(files.map(name => [name.replace(/\.html$/, ''), name]))
}

/** A page under the path that the server is mounted at. */
const pageUnder = (text: string, prefix: string): File => ({
  type: types['.html']!,
  body: Buffer.from(
    prefix === '' ? text : text.replaceAll(/(?<=\s(?:src|href)=")(?=\/)/g, () => escapedAttribute(prefix)),
  ),
})

/** The guide at `/guide` and the HTTP API at `/docs`, as written by `npm run build`. */
export function guidePages(folder: string = builtFolder('guide')): readonly Page[] {
  let names: ReadonlyMap<string, string> | undefined
  const opened = new Map<string, (prefix: string) => File>()

  function open(path: string): ((prefix: string) => File) | undefined {
    names ??= existsSync(folder) ? namesIn(folder) : new Map()
    const name = names.get(path)
    const known = opened.get(path)
    if (known || (name === undefined && names.size > 0)) return known
    if (name === undefined) return prefixedFile(prefix => pageUnder(unbuilt, prefix))
    const body = readFileSync(join(folder, name))
    const type = extname(name)
    const file =
      type === '.html'
        ? prefixedFile(prefix => pageUnder(body.toString(), prefix))
        : () => ({ type: types[type] ?? 'application/octet-stream', body })
    opened.set(path, file)
    return file
  }

  return ['/guide', '/guide/{page}', '/guide/{part}/{page}', '/docs', '/docs/{page}'].map(path => ({
    method: 'GET',
    path,
    handle(exchange, named) {
      const asked = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => named[name] ?? '').slice(1)
      const file = open(asked)
      if (!file) throw new QueryError('NOT_FOUND', 'the guide has no such page: see /guide', {})
      sendTagged(exchange, file(exchange.prefix), pagePolicy)
    },
  }))
}
