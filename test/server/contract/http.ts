import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Test } from 'tap'
import type { Service } from './service.ts'

export function walkHttp(t: Test, service: Service) {
  t.test('Headers: a request id of the caller is kept, another is made', async t => {
    const { headers, body } = await service.ask('/v1/companies?limit=1', {
      headers: { 'X-Request-Id': 'desk-17' },
    })
    t.strictSame([headers['x-request-id'], body.meta.request_id], ['desk-17', 'desk-17'])
    const ids = await Promise.all([1, 2].map(() => service.ask('/v1/companies?limit=1')))
    t.equal(new Set(ids.map(a => a.headers['x-request-id'])).size, 2)
    for (const strange of ['a b', 'x'.repeat(500), '<script>'])
      t.not(
        (await service.ask('/v1/companies?limit=1', { headers: { 'X-Request-Id': strange } })).headers[
          'x-request-id'
        ],
        strange,
      )
  })

  t.test('ETag: an answer at hand is not sent again, and another question has another tag', async t => {
    for (const path of [
      '/v1/companies?limit=2',
      '/v1/ratings?format=csv',
      '/v1/covenants/compare?ticker=AMBRA,AMBRR&on_unknown=skip',
      '/v1/export?data_type=ratings',
    ]) {
      const { status, headers } = await service.ask(path)
      t.equal(status, 200, path)
      const same = await service.ask(path, { headers: { 'If-None-Match': headers.etag! } })
      t.strictSame([same.status, same.headers.etag], [304, headers.etag], path)
      t.equal((await service.ask(path, { headers: { 'If-None-Match': 'W/"other"' } })).status, 200, path)
      t.not((await service.ask(`${path}&fields=ticker`)).headers.etag, headers.etag, path)
    }
    const refused = ['limit=0', 'fields=nonsense', 'sort=nonsense', 'min_debt=2&max_debt=1']
    for (const query of refused) {
      const { status } = await service.ask(`/v1/companies?${query}`, { headers: { 'If-None-Match': '*' } })
      t.equal(status, 400, `${query} is looked at before the tag`)
    }
  })

  t.test('HEAD is GET without a body, OPTIONS tells the methods', async t => {
    for (const path of ['/v1/companies?limit=2', '/v1/bonds?format=csv', '/v1/auth/me', '/v1/nowhere']) {
      const get = await service.ask(path)
      const head = await service.ask(path, { method: 'HEAD' })
      t.equal(head.status, get.status, path)
      for (const name of ['etag', 'content-type', 'x-total-count', 'x-truncated'])
        t.equal(head.headers[name], get.headers[name], `${path} ${name}`)
    }
    const { status, headers } = await service.ask('/v1/companies', { method: 'OPTIONS' })
    t.strictSame([status, headers.allow], [204, 'GET, HEAD, OPTIONS'])
  })

  t.test('Compression: gzip and brotli when asked for', async t => {
    const path = '/v1/companies?limit=100'
    const how = (encoding: string) => ({ headers: { 'Accept-Encoding': encoding, 'X-Request-Id': 'same' } })
    const plain = await service.ask(path, how('identity'))
    const zipped = await service.ask(path, how('gzip'))
    t.equal(zipped.headers['content-encoding'], 'gzip')
    t.equal(gunzipSync(zipped.bytes).toString(), plain.text)
    const brotli = await service.ask(path, how('br'))
    t.equal(brotliDecompressSync(brotli.bytes).toString(), plain.text)
    t.ok(zipped.bytes.length < plain.bytes.length / 3)
    const bulk = await service.ask('/v1/export?data_type=spreads&limit=50000', how('gzip'))
    t.equal(gunzipSync(bulk.bytes).toString().split('\r\n').length, 50_002)
  })

  t.test('Formats: Accept chooses the same as format', async t => {
    const types = {
      csv: 'text/csv',
      ndjson: 'application/x-ndjson',
      arrow: 'application/vnd.apache.arrow.stream',
      parquet: 'application/vnd.apache.parquet',
    }
    for (const [format, type] of Object.entries(types)) {
      const asked = await service.ask(`/v1/ratings?format=${format}&limit=3`)
      const accepted = await service.ask('/v1/ratings?limit=3', { headers: { Accept: type } })
      for (const { status, headers } of [asked, accepted]) {
        t.equal(status, 200)
        t.ok(headers['content-type']!.startsWith(type), format)
        t.strictSame([headers['x-total-count'], headers['x-truncated']], ['607', 'true'])
      }
      t.equal(asked.headers.etag, accepted.headers.etag)
    }
  })

  t.test(
    'Open to all: document, docs, health and metrics; everything else of the index needs a key',
    async t => {
      for (const path of ['/v1/openapi.json', '/docs', '/healthz', '/readyz', '/metrics']) {
        const { status } = await fetch(`${service.url}${path}`)
        t.equal(status, 200, path)
      }
      for (const [path, methods] of Object.entries<object>(service.document['paths']))
        for (const method of Object.keys(methods)) {
          if (path === '/v1/openapi.json') continue
          const sent = path.replace('{ticker}', 'AMBRA').replace('{cusip}', '000000AB5')
          const { status } = await service.ask(sent, { key: null, method: method.toUpperCase() })
          t.equal(status, 401, `${method} ${path}`)
        }
    },
  )

  t.test('Index: every endpoint of SPEC is in the document, with its method', async t => {
    const { paths } = service.document
    const index = [
      'GET /v1/auth/me',
      'GET /v1/companies',
      'GET /v1/companies/{ticker}/changes',
      'GET /v1/bonds',
      'GET /v1/bonds/resolve',
      'GET /v1/pricing',
      'GET /v1/financials',
      'GET /v1/collateral',
      'GET /v1/covenants',
      'GET /v1/covenants/compare',
      'GET /v1/ratings',
      'GET /v1/market/cds',
      'POST /v1/entities/traverse',
      'POST /v1/batch',
      'POST /v1/coverage/request',
      'GET /v1/bonds/{cusip}/pricing/history',
      'GET /v1/export',
      'GET /v1/usage/analytics',
      // Beyond SPEC.
      'GET /v1/market/cds/aggregate',
      'POST /v1/sql',
    ]
    for (const line of index) {
      const [method = '', path = ''] = line.split(' ')
      t.ok(paths[path]?.[method.toLowerCase()], line)
    }
  })
}
