import { join } from 'node:path'
import t, { type Test } from 'tap'
import { exampleInput } from '../../engine/schema/examples.ts'
import { accountOperations } from '../../server/account/operations.ts'
import type { AppOptions } from '../../server/app/app.ts'
import { originOfSocket, parsePublicUrl } from '../../server/http/public-url.ts'
import { guidePages } from '../../server/pages/guide-page.ts'
import { healthPages } from '../../server/pages/health.ts'
import { openapiPage } from '../../server/pages/openapi-page.ts'
import { openState } from '../../server/state/open.ts'
import { endpoints } from '../../server/v1/endpoints.ts'
import { testFolder } from '../folder.ts'
import { browser, PASSWORD, signedUp } from './browser.ts'
import { start } from './start.ts'

t.setTimeout(200_000)

const PUBLIC = 'https://debt.example.com'
const FALSE_NAMES = {
  Host: 'evil.example',
  'X-Forwarded-Host': 'evil.example',
  Forwarded: 'host=evil.example;proto=https',
  'X-Original-Host': 'evil.example',
}

async function startWith(t: Test, options: Partial<AppOptions> = {}) {
  const state = await openState(join(testFolder(t), 'state.db'))
  t.teardown(() => state.close())
  const running = await start(t, { state, accounts: state, ...options })
  const { token } = await state.createAccount({ email: 'ana@fund.example', tier: 'business' })
  return { ...running, ana: await signedUp(running.url, token) }
}

t.test('a public URL must be an origin', t => {
  for (const [given, origin] of [
    ['https://debt.example.com', 'https://debt.example.com'],
    ['https://debt.example.com/', 'https://debt.example.com'],
    ['HTTP://Debt.Example.com:8787', 'http://debt.example.com:8787'],
    ['http://[::1]:80', 'http://[::1]'],
  ] as const)
    t.equal(parsePublicUrl(given), origin)
  for (const given of [
    '',
    'debt.example.com',
    'ftp://debt.example.com',
    'javascript:alert(1)',
    'https://debt.example.com/path',
    'https://debt.example.com?x=1',
    'https://debt.example.com/#x',
    'https://',
    'https://user:hidden@debt.example.com',
  ])
    t.throws(() => parsePublicUrl(given), {
      code: 'INVALID_PARAMETER',
      message: /^(?!.*hidden)public_url must be only scheme and host/,
      details: { parameter: 'public_url', value: /^(?!.*hidden)/ },
    })
  t.end()
})

t.test("a connection's address is written as browsers write it", t => {
  const socket = (localAddress: string, localPort: number, encrypted = false) =>
    originOfSocket({ localAddress, localPort, encrypted } as never)
  t.equal(socket('127.0.0.1', 8787), 'http://127.0.0.1:8787')
  t.equal(socket('::ffff:10.0.0.5', 80), 'http://10.0.0.5')
  t.equal(socket('::1', 8443, true), 'https://[::1]:8443')
  t.end()
})

t.test("links use the public URL, else the connection's address, whatever Host says", async t => {
  for (const [options, origin] of [
    [{}, null],
    [{ trustProxy: 1 }, null],
    [{ publicUrl: PUBLIC }, PUBLIC],
    [{ publicUrl: PUBLIC, trustProxy: 1 }, PUBLIC],
  ] as const) {
    const { url, ana } = await startWith(t, options)
    const { status, body } = await ana.send(
      'POST',
      '/account/seats',
      { email: 'bo@fund.example' },
      { ...FALSE_NAMES, 'X-Forwarded-Proto': 'http' },
    )
    t.equal(status, 201)
    t.ok(body.data.link.startsWith(`${origin ?? url}/#/welcome?token=`), body.data.link)
  }
})

t.test('no answer repeats the Host header', { timeout: 150_000 }, async t => {
  const { engine, state, keys, ana, ask } = await startWith(t, { trustProxy: 1 })
  const pages = [
    ...healthPages({ isDraining: () => false, engine, state, metrics: async () => '' }),
    openapiPage(endpoints),
    ...guidePages(),
  ]
  const second = await startWith(t, { trustProxy: 1, pages })
  const check = (name: string, { text, headers }: Awaited<ReturnType<typeof ask>>) =>
    t.notMatch(JSON.stringify(headers) + text, /evil\.example/, name)
  for (const endpoint of endpoints) {
    const input =
      endpoint.examples[0] === undefined ? {} : (exampleInput(endpoint, endpoint.examples[0]) ?? {})
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name) => String(input[name]))
    const how = { key: keys.business, headers: FALSE_NAMES }
    check(endpoint.name, await ask(path, endpoint.body ? { ...how, body: input } : how))
  }
  for (const { path } of pages.filter(page => !page.path.includes('{')))
    check(path, await second.ask(path, { headers: FALSE_NAMES }))
  for (const { path } of accountOperations.filter(one => one.method === 'GET'))
    check(path, await ana.get(path, FALSE_NAMES))
  for (const path of ['/v1/none', '/mcp', '/'])
    check(path, await ask(path, { headers: FALSE_NAMES, key: keys.business }))
})

t.test('pages of the public URL may call behind a proxy that changes Host, others may not', async t => {
  const { url } = await startWith(t, { publicUrl: PUBLIC })
  const own = browser(url)
  const signIn = (origin: string) =>
    own.send(
      'POST',
      '/session',
      { email: 'ana@fund.example', password: PASSWORD },
      {
        Host: 'upstream:8787',
        Origin: origin,
      },
    )
  for (const origin of [
    'https://evil.example',
    'http://debt.example.com',
    'https://debt.example.com.evil.example',
    'null',
  ])
    t.match(
      await signIn(origin),
      { status: 403, body: { error: { details: { reason: 'cross_origin' } } } },
      origin,
    )
  const { status, headers } = await signIn(PUBLIC)
  t.equal(status, 200)
  t.match(headers['set-cookie']![0], /^__Host-tranche_session=.*; Secure;/, 'the browser speaks TLS')
  t.equal((await own.get('/session')).status, 200)
})
