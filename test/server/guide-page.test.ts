import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openapi } from '../../server/openapi/openapi.ts'
import { guidePages } from '../../server/pages/guide-page.ts'
import { openapiPage } from '../../server/pages/openapi-page.ts'
import { endpoints } from '../../server/v1/endpoints.ts'
import { testFolder } from '../folder.ts'
import { start } from './start.ts'

const folderOf = (own: Test): string =>
  `${testFolder(own, {
    'guide.html': '<a href="/guide/start">Start</a> <code>"/guide"</code>',
    'docs.html': '<a href="/v1/openapi.json">document</a>',
    'secret.txt': 'not of the site',
    guide: {
      'start.html': '<script src="/guide/theme.js"></script>',
      'theme.js': 'export {}',
      'search.json': '[]',
      reference: { 'search.bonds.html': 'bonds' },
      images: { 'screen.png': 'png' },
    },
    docs: { 'search.bonds.html': 'GET /v1/bonds' },
  })}/`

t.test('the document is served whole, and as 304 to clients that have it', async t => {
  const { ask } = await start(t, { pages: [openapiPage(endpoints)] })
  const first = await ask('/v1/openapi.json', { key: null })
  t.match(first.headers['content-type'], /^application\/json/)
  t.strictSame(first.body, JSON.parse(JSON.stringify(openapi(endpoints))))
  const headers = { 'If-None-Match': first.headers.etag! }
  const again = await ask('/v1/openapi.json', { key: null, headers })
  t.equal(again.status, 304)
  t.equal(again.text, '')
})

t.test('the guide is served as built, under a policy that loads only from this server', async t => {
  const { ask } = await start(t, { pages: guidePages(folderOf(t)) })
  for (const [path, type, text] of [
    ['/guide', 'text/html; charset=utf-8', '<a href="/guide/start">Start</a> <code>"/guide"</code>'],
    ['/guide/start', 'text/html; charset=utf-8', '<script src="/guide/theme.js"></script>'],
    ['/guide/theme.js', 'text/javascript; charset=utf-8', 'export {}'],
    ['/guide/search.json', 'application/json; charset=utf-8', '[]'],
    ['/guide/reference/search.bonds', 'text/html; charset=utf-8', 'bonds'],
    ['/guide/images/screen.png', 'image/png', 'png'],
    ['/docs', 'text/html; charset=utf-8', '<a href="/v1/openapi.json">document</a>'],
    ['/docs/search.bonds', 'text/html; charset=utf-8', 'GET /v1/bonds'],
  ] as const) {
    const answer = await ask(path, { key: null })
    t.strictSame([answer.status, answer.headers['content-type'], answer.text], [200, type, text], path)
    const policy = String(answer.headers['content-security-policy'])
    t.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/)
    t.notMatch(policy, /unsafe|https?:|data:/)
  }
})

t.test('no other file of the machine is served', async t => {
  const { ask } = await start(t, { pages: guidePages(folderOf(t)) })
  for (const [path, status] of [
    ['/guide/nothing', 404],
    ['/guide/secret.txt', 404],
    ['/guide/__proto__', 404],
    ['/docs/package.json', 404],
    ['/guide/..%2fsecret.txt', 400],
    ['/guide/%2e%2e/secret.txt', 400],
  ] as const)
    t.equal((await ask(path, { key: null })).status, status, path)
})

t.test('without a build it says how to make one, at /guide and at /docs', async t => {
  const { ask } = await start(t, { pages: guidePages(join(testFolder(t), 'none/')) })
  for (const path of ['/guide', '/docs']) t.match((await ask(path, { key: null })).text, /npm run build/)
})
