import t from 'tap'
import { hasDotSegment, matcher, segmentsOf } from '../../server/http/match.ts'

const find = matcher([
  { method: 'GET', path: '/v1/bonds', is: 'bonds' },
  { method: 'GET', path: '/v1/bonds/resolve', is: 'resolve' },
  { method: 'GET', path: '/v1/bonds/{cusip}/pricing/history', is: 'history' },
  { method: 'POST', path: '/v1/batch', is: 'batch' },
])

const named = (method: string, path: string) => {
  const found = find(method, path)
  return found.kind === 'found' ? [found.route.is, found.named] : found
}

t.test('every spelling of a path finds the same route', async t => {
  for (const path of [
    '/v1/bonds/resolve',
    '/v1/bonds/resolve/',
    '//v1//bonds///resolve//',
    '/V1/Bonds/RESOLVE',
    '/v1/%62onds/%72esolve',
    '/v1/%62ONDS/%52esolve/',
  ])
    t.strictSame(named('GET', path), ['resolve', {}], path)
})

t.test('a value in the path keeps its case and may contain %2F', async t => {
  t.strictSame(named('GET', '/v1/bonds/998xsra10/Pricing/History'), ['history', { cusip: '998xsra10' }])
  t.strictSame(named('HEAD', '/v1/bonds/a%2Fb/pricing/history'), ['history', { cusip: 'a/b' }])
  t.strictSame(find('GET', '/v1%2Fbonds'), { kind: 'none' })
})

t.test('a known path with another method lists the allowed ones', async t => {
  t.strictSame(find('POST', '/v1/bonds'), { kind: 'method', allow: ['GET', 'HEAD', 'OPTIONS'] })
  t.strictSame(find('HEAD', '/v1/batch'), { kind: 'method', allow: ['POST', 'OPTIONS'] })
})

t.test('invalid paths are not found', async t => {
  for (const path of ['/v1/bonds/%zz', '/v1/bonds/%ff', '/v1/bond', '/', '*', '/v1/bonds/x/pricing'])
    t.strictSame(find('GET', path), { kind: 'none' }, path)
  t.equal(segmentsOf('/a/%c3%28'), null)
  t.equal(segmentsOf(`/${'a'.repeat(1999)}`)?.length, 1)
  t.equal(segmentsOf(`/${'a'.repeat(2000)}`), null, 'longer than any path is')
})

t.test('dot segments are recognised in every encoding', t => {
  for (const path of ['/.', '/a/..', '/a/%2e/b', '/%2E%2e', '/.%2e/', '/a%2f..', '/..%5cb', '/..\\b'])
    t.ok(hasDotSegment(path), path)
  for (const path of ['/', '/a.b', '/...', '/.well-known', '/a/..b', '/%252e%252e', '/a%2fb', '/%zz/x'])
    t.notOk(hasDotSegment(path), path)
  t.strictSame(segmentsOf('/a/../b/.'), ['a', '..', 'b', '.'])
  t.end()
})
