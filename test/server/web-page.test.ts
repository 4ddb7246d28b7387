import t from 'tap'
import { webPages } from '../../server/pages/web-page.ts'
import { testFolder } from '../folder.ts'
import { start } from './start.ts'

t.test('the explorer is served as built, under a policy that runs only its own files', async t => {
  const folder = `${testFolder(t, {
    'index.html':
      '<!doctype html><meta name="server" content="{}"><script type="module" src="/assets/a-1.js"></script>',
    assets: { 'a-1.js': 'export {}' },
  })}/`
  const limits = { rows: 10, bytes: 10, timeout: 1000, memory: '1MB' } as never
  const { ask } = await start(t, { pages: webPages(limits, folder) })
  const page = await ask('/', { key: null })
  t.equal(page.status, 200)
  t.match(page.text, '&quot;rows&quot;:10', 'it says what the server can do')
  const policy = String(page.headers['content-security-policy'])
  t.match(policy, "script-src 'self';")
  t.notMatch(policy, /unsafe|https?:/)
  t.match(page.headers['cache-control'], 'must-revalidate')
  const squeezed = await ask('/', { key: null, headers: { 'Accept-Encoding': 'gzip' } })
  t.equal(squeezed.headers['content-security-policy'], policy, 'whether or not it may be compressed')
  t.match(squeezed.headers.vary, 'X-API-Key')
  const again = await ask('/', { key: null, headers: { 'If-None-Match': page.headers.etag! } })
  t.equal(again.status, 304)

  const asset = await ask('/assets/a-1.js', { key: null })
  t.equal(asset.text, 'export {}')
  t.match(asset.headers, { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': /immutable/ })
  t.equal((await ask('/assets/..%2findex.html', { key: null })).status, 400)
})

t.test('without a build there is no page', t => {
  t.strictSame(webPages(null, `${testFolder(t)}/`), [])
  t.end()
})
