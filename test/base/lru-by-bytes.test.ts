import t from 'tap'
import { LruByBytes } from '../../engine/base/lru-by-bytes.ts'

t.test('values are dropped, the least recently used first, when they take too many bytes', async t => {
  const cache = new LruByBytes<string, string>(10, value => value.length)
  const found = () => ['a', 'b', 'c', 'd'].map(key => cache.find(key))
  cache.keep('a', 'aaaa')
  cache.keep('b', 'bbbb')
  t.equal(cache.find('a'), 'aaaa')
  cache.keep('c', 'cccc')
  t.strictSame(found(), ['aaaa', undefined, 'cccc', undefined])
  cache.keep('c', 'c')
  cache.keep('d', 'dddd')
  t.strictSame(found(), ['aaaa', undefined, 'c', 'dddd'], 'a value that is replaced no longer counts')
  cache.keep('b', 'b'.repeat(100))
  t.strictSame(found(), [undefined, 'b'.repeat(100), undefined, undefined])
})

t.test('a value is made once', async t => {
  const cache = new LruByBytes<string, string>(10, value => value.length)
  t.equal(
    cache.get('a', () => 'first'),
    'first',
  )
  t.equal(
    cache.get('a', () => 'second'),
    'first',
  )
})
