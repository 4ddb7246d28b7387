import t, { type Test } from 'tap'
import { QueryError } from '../../engine/base/errors.ts'
import { open } from '../../engine/engine.ts'
import { operations } from '../../engine/operations/api.ts'
import type { Operation } from '../../engine/operations/operation.ts'
import { builtLake } from '../built-lake.ts'
import { byNight } from '../by-night.ts'
import { seededRandom } from '../ingest/mutations.ts'
import { twoIssuers } from '../make-lake.ts'
import { requiredInput } from './required-input.ts'

/** JSON that has broken somebody's code: objects without a text form, with the names of methods, or that look like others. */
const shapes: readonly unknown[] = [
  ...[
    '{"toString":1,"valueOf":1}',
    '{"__proto__":{"toString":1}}',
    '{"constructor":{"prototype":1}}',
    '{"length":1e9}',
    '{"0":1,"length":1}',
    '{"then":1}',
    '{"toJSON":1}',
    '[{"toString":1}]',
    '[[[1]]]',
    '[null]',
    '{"":{"":{}}}',
    '{"type":{"toString":1},"id":{"toString":1}}',
    '[{"cusip":{"toString":1},"weight":{"toString":1}}]',
    '"\\ud800"',
    '"\\u0000"',
    '"\\u202e\\u001b[2J"',
    '"__proto__"',
    '"__proto__:1"',
    '"constructor,toString"',
    '"-"',
    'true',
  ].map(text => JSON.parse(text)),
  'x'.repeat(100_000),
  ','.repeat(50_000),
]

const numbers: readonly unknown[] = [
  0,
  -0,
  1e308,
  -1e308,
  5e-324,
  -1,
  1e-9,
  100,
  -100,
  -99.99,
  1e6,
  2 ** 53 + 2,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  10n ** 400n,
  '1e400',
  '0x10',
  '１０',
  '9'.repeat(80_000),
]

const engine = await open(await builtLake(t.teardown, twoIssuers))
t.teardown(() => engine.close())

/** A prime, so that the turn is another at each parameter. */
const ONE_OF = byNight ? 1 : 7

/** Paths of numbers in an answer that JSON cannot hold. */
function notNumbers(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => notNumbers(member, `${path}.${name}`))
}

const words = (input: object): string =>
  JSON.stringify(input, (_, v) => (typeof v === 'bigint' || typeof v === 'number' ? String(v) : v)).slice(
    0,
    300,
  )

/** An answer in plain numbers, or an error that says what is wrong with the request. */
async function isClear(t: Test, { name }: Operation, input: Record<string, unknown>): Promise<void> {
  try {
    const answer = await engine.call(name as 'search.bonds', input as object)
    const wrong = notNumbers(answer).filter(path => !path.startsWith('.meta.filters_applied'))
    if (wrong.length > 0) t.fail(`${name} ${words(input)}: ${wrong.slice(0, 5)}`)
  } catch (error) {
    if (!(error instanceof QueryError) || error.kind === 'bug') t.fail(`${name} ${words(input)}: ${error}`)
  }
}

t.test('every parameter of every operation takes any value, or says what is wrong', async t => {
  let [asked, turn] = [0, 0]
  for (const operation of operations)
    for (const param of Object.keys(operation.params))
      for (const value of [...shapes, ...numbers]) {
        // One of them in turn: each value meets every kind of parameter.
        if (turn++ % ONE_OF > 0) continue
        await isClear(t, operation, { ...requiredInput(operation), [param]: value })
        asked++
      }
  t.ok(asked * ONE_OF > 15_000, `${asked}`)
})

t.test('parameters that are extreme together give numbers, or none', async t => {
  const random = seededRandom(16)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const extremes = numbers.filter(n => typeof n === 'number' && Number.isFinite(n))
  for (const operation of operations) {
    const numeric = Object.entries(operation.params).filter(([, { column }]) =>
      ['number', 'cents', 'integer'].includes(column.kind),
    )
    if (numeric.length < 2) continue
    for (let i = 0; i < (byNight ? 60 : 25); i++) {
      const given = numeric
        .filter(() => random() < 3 / numeric.length)
        .map(([name]) => [name, pick(extremes)])
      await isClear(t, operation, { ...requiredInput(operation), ...Object.fromEntries(given) })
    }
  }
  t.pass()
})
