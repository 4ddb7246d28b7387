import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { QueryError } from '../../engine/base/errors.ts'
import { escapedAttribute } from '../http/html.ts'
import type { Page } from '../http/page.ts'
import { type File, prefixedFile, sendImmutable, sendTagged } from '../http/static-file.ts'
import { openapi } from '../openapi/openapi.ts'
import type { Endpoint } from '../v1/operations/endpoint.ts'

/** Loads only from this server, and runs nothing written into the page. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const start = `const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()
SwaggerUIBundle({
  url: document.querySelector('meta[name=api]').content,
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  syntaxHighlight: { activated: false },
  validatorUrl: null,
})
`

const style = `body { margin: 0 }
html.dark-mode { color-scheme: dark }
html.dark-mode body { background: #1c2022 }
.swagger-ui .scheme-container { box-shadow: none }
`

const types = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  png: 'image/png',
} as const

/** Assets with content hashes in their names, so that browsers can cache them permanently. */
function openAssets() {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const shipped = (name: string) => readFileSync(join(folder, name))
  const bodies = {
    'swagger-ui-bundle.js': shipped('swagger-ui-bundle.js'),
    'swagger-ui.css': shipped('swagger-ui.css'),
    'favicon-32x32.png': shipped('favicon-32x32.png'),
    'start.js': Buffer.from(start),
    'style.css': Buffer.from(style),
  }
  const files = new Map<string, File>()
  const hashed = (name: keyof typeof bodies): string => {
    const body = bodies[name]
    const [, stem, extension] = /^(.*)\.(\w+)$/.exec(name)!
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 12)
    files.set(`${stem}.${hash}.${extension}`, { type: types[extension as keyof typeof types], body })
    return `/docs/assets/${stem}.${hash}.${extension}`
  }
  const names = {
    icon: hashed('favicon-32x32.png'),
    swaggerStyle: hashed('swagger-ui.css'),
    style: hashed('style.css'),
    swagger: hashed('swagger-ui-bundle.js'),
    start: hashed('start.js'),
  }
  return { names, files }
}

function pageOf(names: ReturnType<typeof openAssets>['names'], prefix: string): File {
  const at = (path: string) => escapedAttribute(prefix + path)
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="api" content="${at('/v1/openapi.json')}">
<title>Tranche API</title>
<link rel="icon" href="${at(names.icon)}">
<link rel="stylesheet" href="${at(names.swaggerStyle)}">
<link rel="stylesheet" href="${at(names.style)}">
</head>
<body>
<div id="api"></div>
<noscript>The API is described by <a href="${at('/v1/openapi.json')}">/v1/openapi.json</a>.</noscript>
<script src="${at(names.swagger)}" defer></script>
<script src="${at(names.start)}" defer></script>
</body>
</html>
`
  return { type: 'text/html; charset=utf-8', body: Buffer.from(page) }
}

/** `/docs` with its assets, all from this machine, and the document it shows. */
export function docsPages(endpoints: readonly Endpoint[]): readonly Page[] {
  const described = openapi(endpoints)
  const document = prefixedFile(prefix => ({
    type: 'application/json; charset=utf-8',
    body: Buffer.from(
      JSON.stringify(prefix === '' ? described : { ...described, servers: [{ url: prefix }] }),
    ),
  }))
  let opened: ReturnType<typeof openAssets> | null = null
  const assets = () => {
    opened ??= openAssets()
    return opened
  }
  const page = prefixedFile(prefix => pageOf(assets().names, prefix))
  const tagged =
    (file: (prefix: string) => File): Page['handle'] =>
    exchange =>
      sendTagged(exchange, file(exchange.prefix), policy)
  return [
    { method: 'GET', path: '/v1/openapi.json', handle: tagged(document) },
    { method: 'GET', path: '/docs', handle: tagged(page) },
    {
      method: 'GET',
      path: '/docs/assets/{file}',
      handle(exchange, { file = '' }) {
        const found = assets().files.get(file)
        if (!found) throw new QueryError('NOT_FOUND', 'no such file', {})
        sendImmutable(exchange, found, policy)
      },
    },
  ]
}
