import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { Exchange } from '../../server/http/exchange.ts'
import { openapi } from '../../server/openapi/openapi.ts'
import { docsPages } from '../../server/pages/docs-page.ts'
import { endpoints } from '../../server/v1/endpoints.ts'
import { routes } from '../../server/v1/routes.ts'

const find = routes([], docsPages(endpoints))

const server = createServer(async (request, response) => {
  const found = find(request.method!, request.url!)
  try {
    if (found.kind !== 'found' || !('page' in found.route)) throw new Error('no page')
    const exchange = { request, response, prefix: '', headers: {}, common: { defaults: [], fixed: {} } }
    await found.route.page.handle(exchange as unknown as Exchange, found.named)
  } catch {
    response.writeHead(404).end()
  }
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
t.teardown(() => server.close())

t.test('the document is served whole, and as 304 to clients that have it', async t => {
  const first = await fetch(`${base}/v1/openapi.json`)
  t.match(first.headers.get('content-type'), /^application\/json/)
  t.strictSame(await first.json(), JSON.parse(JSON.stringify(openapi(endpoints))))
  const tag = first.headers.get('etag')!
  const again = await fetch(`${base}/v1/openapi.json`, { headers: { 'If-None-Match': tag } })
  t.equal(again.status, 304)
  t.equal(await again.text(), '')
})

t.test('the page loads nothing from elsewhere and runs no inline script', async t => {
  const response = await fetch(`${base}/docs`)
  const page = await response.text()
  t.match(
    response.headers.get('content-security-policy'),
    /default-src 'none'; script-src 'self'; style-src 'self'/,
  )
  t.notMatch(page, /https?:|<script>|style=|onload/)
  const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(m => m[1]!)
  t.equal(files.length, 6)
  for (const file of files) {
    const asset = await fetch(`${base}${file}`)
    t.equal(asset.status, 200, file)
    t.ok((await asset.arrayBuffer()).byteLength > 20)
    if (file.startsWith('/docs/')) t.match(asset.headers.get('cache-control'), /immutable/)
  }
})

t.test('no other file of the package or the machine is served', async t => {
  for (const file of [
    'package.json',
    '..%2fpackage.json',
    '%2e%2e/%2e%2e/etc/passwd',
    'swagger-ui-bundle.js',
    '__proto__',
  ])
    t.equal((await fetch(`${base}/docs/assets/${file}`)).status, 404, file)
})
