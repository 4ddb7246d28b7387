import t from 'tap'
import { QueryError } from '../../engine/base/errors.ts'
import { parseObject } from '../../server/http/json-body.ts'

const refusal = (text: string | Uint8Array): string | null => {
  try {
    parseObject(typeof text === 'string' ? Buffer.from(text) : text)
    return null
  } catch (error) {
    return error instanceof QueryError && error.code === 'INVALID_JSON' ? error.message : `not ours: ${error}`
  }
}

t.test('a body is one JSON object', async t => {
  t.strictSame(parseObject(Buffer.from('{"a":{"b":[1,{"b":2}]},"b":"\\"{[:"}')), {
    a: { b: [1, { b: 2 }] },
    b: '"{[:',
  })
  for (const text of ['', '[]', 'null', '"x"', '1', '{', '{"a":}', '{a:1}', '{"a":1}{', 'NaN'])
    t.match(refusal(text), /not a JSON object/, text)
})

t.test('numbers are not rounded, and invalid ones are refused', async t => {
  t.strictSame(parseObject(Buffer.from('{"a":9007199254740993,"b":[1.5,"90071992547409930"],"c":1e300}')), {
    a: 9_007_199_254_740_993n,
    b: [1.5, '90071992547409930'],
    c: 1e300,
  })
  for (const text of ['12345678901234567890-5', '12345678901234567.1.2', '-', '00000000000000000001'])
    t.match(refusal(`{"a":${text}}`), /not a JSON object/, text)
})

t.test('a duplicate member is refused, however it is written', async t => {
  t.match(refusal('{"a":1,"a":2}'), /names a twice/)
  t.match(refusal('{"a":1,"\\u0061":2}'), /names a twice/)
  t.match(refusal('{"x":[{"k":1},{"k":1,"l":{"k":1},"k":2}]}'), /names k twice/)
  t.equal(refusal('{"x":[{"k":"a:b"},{"k":":"}],"k":1}'), null)
})

t.test('depth, invalid UTF-8 and a hundred thousand brackets are refused quickly', async t => {
  t.match(refusal(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`), /nests deeper/)
  t.match(refusal('{"a":'.repeat(100_000)), /nests deeper/)
  const members = (n: number) => `{${Array.from({ length: n }, (_, i) => `"m${i}":":"`)}}`
  t.equal(refusal(members(2000)), null)
  t.match(refusal(members(2001)), /more than 2000 members/)
  t.match(refusal(Uint8Array.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])), /not UTF-8/)
  const long = Buffer.from(`{"a":"${'\\"'.repeat(400_000)}"}`)
  const started = performance.now()
  t.equal(refusal(long), null)
  t.ok(performance.now() - started < 20_000)
})

t.test('a member named __proto__ stays a member and changes nothing else', async t => {
  const body = parseObject(Buffer.from('{"__proto__":{"polluted":true}}'))
  t.ok(Object.hasOwn(body, '__proto__'))
  t.equal(({} as Record<string, unknown>)['polluted'], undefined)
})
