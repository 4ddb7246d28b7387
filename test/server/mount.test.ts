import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type Express } from 'express'
import t, { type Test } from 'tap'
import { open } from '../../engine/engine.ts'
import { type AppOptions, createApp } from '../../server/main.ts'
import { sitePages } from '../../server/pages/site-pages.ts'
import { builtLake } from '../built-lake.ts'
import { twoIssuers } from '../make-lake.ts'
import { memoryState } from './memory-state.ts'
import { type Ask, ask } from './start.ts'

const lake = await builtLake(t.teardown, twoIssuers)

/** The server's application mounted in another Express application, under `prefix`. */
async function mounted(
  t: Test,
  prefix: string,
  { parent = express(), ...options }: { parent?: Express } & Partial<AppOptions> = {},
) {
  const engine = await open(lake)
  const state = memoryState()
  const { key } = await state.createKey({ email: 'desk@example.com', tier: 'business' })
  const app = createApp({ engine, state, pages: sitePages(), timeout: 300_000, ...options })
  parent.get('/about', (_request, response) => void response.send('somebody else'))
  parent.use(prefix || '/', app)
  parent.get('/after', (_request, response) => void response.send('after'))
  const server = createServer(parent)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  t.teardown(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
    await app.close()
    engine.close()
  })
  return { app, state, url, key, ask: (path: string, how: Ask = {}) => ask(url, path, { key, ...how }) }
}

const linksOf = (html: string): string[] => [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(m => m[1]!)

for (const prefix of ['', '/debt', '/desk/debt'])
  t.test(`another application mounts the server at ${prefix || 'its root'}`, async t => {
    const { ask } = await mounted(t, prefix)
    t.equal((await ask('/about')).text, 'somebody else', 'its own routes go on')

    const { status, headers, body } = await ask(`${prefix}/v1/companies?fields=ticker&sort=ticker`)
    t.equal(status, 200)
    t.strictSame(body.data, [{ ticker: 'ALFA' }, { ticker: 'BETA' }])
    t.match(headers, {
      'x-ratelimit-remaining': '499',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      vary: 'X-API-Key, Cookie, Accept, Accept-Encoding',
    })
    const batch = { operations: [{ primitive: 'search.companies', params: { ticker: 'ALFA' } }] }
    t.equal((await ask(`${prefix}/v1/batch`, { body: batch })).body.results[0].data.length, 1)
    const zipped = await ask(`${prefix}/v1/bonds`, { headers: { 'Accept-Encoding': 'gzip' } })
    t.equal(zipped.headers['content-encoding'], 'gzip')
    t.equal((await ask(`${prefix}/v1/companies`, { key: null })).status, 401)

    for (const page of ['/', '/docs', '/guide']) {
      const { status, text, headers } = await ask(prefix + page, { key: null })
      t.equal(status, 200, page)
      t.match(headers['content-type'], /^text\/html/)
      const links = linksOf(text)
      t.ok(links.length >= 3)
      for (const link of links)
        t.equal((await ask(link, { key: null })).status, 200, `${page} leads to ${link}`)
    }
    const described = (await ask(`${prefix}/v1/openapi.json`, { key: null })).body
    t.strictSame(described.servers, [{ url: prefix || '/' }])

    const lost = await ask(`${prefix}/v1/companys`)
    t.equal(lost.status, 404)
    t.match(lost.body.error, { code: 'NOT_FOUND', details: { suggestion: '/v1/companies' } })
    t.equal((await ask('/after')).status, prefix ? 200 : 404, 'the server answers all that reaches it')
  })

t.test("a request with a key bypasses Express's middleware, and any other passes through it", async t => {
  const { app, ask } = await mounted(t, '/debt')
  const passed: string[] = []
  const router = app.router as unknown as { handle: (request: { url: string }, ...rest: unknown[]) => void }
  const { handle } = router
  router.handle = (request, ...rest) => {
    passed.push(request.url)
    handle.call(router, request, ...rest)
  }
  t.equal((await ask('/debt/v1/companies')).status, 200)
  t.equal((await ask('/debt/v1/companies', { key: 'none' })).status, 401)
  t.strictSame(passed, [])
  t.equal((await ask('/debt/v1/companies', { key: null })).status, 401)
  t.equal((await ask('/debt/nowhere')).status, 404)
  t.strictSame(passed, ['/v1/companies', '/nowhere'])
})

t.test("the client's address follows the outer application's trusted proxies", async t => {
  const parent = express().set('trust proxy', 1)
  const { ask } = await mounted(t, '/debt', { parent, unauthorized: 1 })
  const from = (address: string, key: string | null) =>
    ask('/debt/v1/companies', { key, headers: { 'X-Forwarded-For': address } })
  t.equal((await from('192.0.2.1', 'wrong')).status, 401)
  t.equal((await from('192.0.2.2', null)).status, 401)
  t.equal((await from('192.0.2.2', 'wrong')).status, 429)
  t.equal((await from('192.0.2.1', null)).status, 429)
})

t.test('a prefix written by the client is text in the pages', async t => {
  const { ask } = await mounted(t, '/:desk')
  for (const page of ['/', '/docs', '/guide'])
    t.notMatch((await ask(`/a"onload="b${page}`, { key: null })).text, 'a"onload')
})
