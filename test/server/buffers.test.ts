import t from 'tap'
import { joinPooled, releasePooled } from '../../server/http/buffers.ts'
import { responseCache } from '../../server/v1/answers.ts'

const pieces = (letter: string) => [Buffer.alloc(20_000, letter), Buffer.alloc(20_000, letter)]

t.test('memory is reused once returned, and not before', t => {
  const first = joinPooled(pieces('a'))
  const second = joinPooled(pieces('b'))
  t.not(first.buffer, second.buffer)
  t.ok(first.equals(Buffer.alloc(40_000, 'a')), 'the second left the first alone')
  releasePooled(first)
  releasePooled(first)
  const third = joinPooled(pieces('c'))
  const fourth = joinPooled(pieces('d'))
  t.equal(third.buffer, first.buffer)
  t.not(fourth.buffer, first.buffer, 'what is given back twice is lent once')
  t.ok(third.equals(Buffer.alloc(40_000, 'c')))
  t.end()
})

t.test('small and very large answers have their own memory', t => {
  for (const size of [0, 100, 1 << 20]) {
    const own = joinPooled([Buffer.alloc(size, 'x')])
    releasePooled(own)
    t.ok(own.equals(Buffer.alloc(size, 'x')))
  }
  t.end()
})

t.test('an answer repeated within two thousand others is recognised, beyond four thousand it is not', t => {
  const answers = responseCache(1 << 20)
  const keep = (tag: string) => answers.keep(tag, [Buffer.from(tag)])
  const others = (n: number) => {
    for (let i = 0; i < n; i++) keep(crypto.randomUUID())
  }
  for (const [tag, between] of [
    ['soon', 10],
    ['later', 2000],
    ['too late', 4100],
  ] as const) {
    keep(tag)
    others(between)
    keep(tag)
  }
  t.ok(answers.get('soon'))
  t.ok(answers.get('later'))
  t.equal(answers.get('too late'), undefined)
  t.end()
})

t.test('an answer is cached on its second request, and the oldest are evicted first', t => {
  const answers = responseCache(2000)
  const twice = (tag: string) => {
    for (const _ of [1, 2]) answers.keep(tag, [Buffer.alloc(50, tag), Buffer.alloc(50, tag)])
  }
  answers.keep('a', [Buffer.alloc(100)])
  t.equal(answers.get('a'), undefined, 'once is not enough')
  for (let i = 0; i < 20; i++) twice(String.fromCharCode(98 + i))
  t.ok(answers.get('b')?.equals(Buffer.alloc(100, 'b')), 'and is the one that was used last')
  twice('z')
  t.equal(answers.get('c'), undefined)
  t.ok(answers.get('b'))
  const none = responseCache(0)
  for (const _ of [1, 2]) none.keep('a', [Buffer.alloc(1)])
  t.equal(none.get('a'), undefined)
  t.end()
})
