import t from 'tap'
import { matches } from '../../server/http/etag.ts'
import { negotiate } from '../../server/http/negotiate.ts'
import { readQuery } from '../../server/http/query.ts'
import { throttle } from '../../server/limits/throttle.ts'

const all = ['json', 'ndjson', 'csv', 'arrow', 'parquet'] as const

t.test('Accept chooses the form by weight, then by specificity', async t => {
  const chosen = (accept: string | undefined) => negotiate(accept, all)
  t.equal(chosen(undefined), 'json')
  t.equal(chosen('*/*'), 'json')
  t.equal(chosen('text/csv'), 'csv')
  t.equal(chosen('text/*'), 'csv')
  t.equal(chosen('*/*, text/csv'), 'csv')
  t.equal(chosen('text/csv;q=0.2, application/json;q=0.9'), 'json')
  t.equal(chosen('text/csv;q=0.9, application/json;q=0.2'), 'csv')
  t.equal(chosen('application/json;q=0, */*;q=0.1'), 'ndjson')
  t.equal(chosen('text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8'), 'json')
  t.equal(chosen('APPLICATION/VND.APACHE.PARQUET'), 'parquet')
  t.equal(chosen('application/vnd.apache.arrow.stream; q=1'), 'arrow')
  t.equal(chosen('text/csv;q=0.1, text/*;q=0.9, */*;q=0.8'), 'json', 'the weight of the exact name counts')
  t.equal(chosen('text/csv; header=present; q=0.9, application/json; charset=utf-8; q=0.5'), 'csv')
  t.equal(negotiate('*/*', ['csv', 'json']), 'csv')
  for (const accept of ['image/png', 'text/csv;q=0', 'nonsense'])
    t.throws(() => chosen(accept), { code: 'NOT_ACCEPTABLE' }, accept)
  t.throws(() => negotiate('text/csv', ['json']), { code: 'NOT_ACCEPTABLE' })
})

t.test('If-None-Match compares weakly, in a list, or with *', async t => {
  const tag = 'W/"abc"'
  for (const header of ['W/"abc"', '"abc"', '*', ' * ', '"x", W/"abc"', '"x","abc"'])
    t.ok(matches(header, tag), header)
  for (const header of ['', '"ab"', 'W/"abcd"', 'abc', '"a", "b"']) t.notOk(matches(header, tag), header)
})

t.test('a query is read as written: repeated, empty, encoded', async t => {
  t.strictSame(
    { ...readQuery('a=1&a=2&b=&c&d=x%20y+z&sort[a]=b&&e=%E2%82%AC') },
    {
      a: ['1', '2'],
      b: '',
      c: '',
      d: 'x y z',
      'sort[a]': 'b',
      e: '€',
    },
  )
  t.strictSame(Object.keys(readQuery('__proto__=1&constructor=2')), ['__proto__', 'constructor'])
  for (const bad of ['a=%zz', 'a=%', '%ff=1', 'a=%c3%28'])
    t.throws(() => readQuery(bad), { code: 'INVALID_PARAMETER' }, bad)
})

t.test('an address over its limit must wait, and few addresses are remembered', async t => {
  const count = throttle({ allowed: 2, windowMs: 10_000, most: 3 })
  t.strictSame(
    [1, 2, 3].map(() => count('10.0.0.1', 1000)),
    [0, 0, 10],
  )
  t.equal(count('10.0.0.2', 1000), 0)
  t.equal(count('10.0.0.1', 10_900), 1)
  t.equal(count('10.0.0.1', 11_000), 0, 'the window is over')
  t.strictSame(
    ['2001:db8:0:1::1', '2001:db8:0:1::2', '2001:db8:0:1:9::3'].map(a => count(a, 0)),
    [0, 0, 10],
    'a /64 counts as one',
  )
  t.equal(count('2001:db8:0:2::1', 0), 0)
  t.equal(count('::ffff:10.0.0.9', 0), 0)
  t.equal(count('10.0.0.9', 0), 0)
  t.equal(count('::ffff:10.0.0.9', 0), 10)
})
