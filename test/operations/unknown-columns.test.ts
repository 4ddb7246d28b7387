import t from 'tap'
import { open } from '../../engine/engine.ts'
import { operations } from '../../engine/operations/api.ts'
import { twoIssuers } from '../make-lake.ts'
import { builtLake } from '../server/start.ts'

/** What an operation needs beside `sort` and `fields`. */
const required: Readonly<Record<string, unknown>> = {
  cusip: '000000AA7',
  ticker: 'ALFA',
  q: 'debt',
  resource: 'bonds',
  data_type: 'bonds',
  start: { type: 'company', id: 'ALFA' },
  relationships: ['subsidiaries'],
  dates: ['2024-06-30'],
  from: '2024-01-01',
}

const engine = await open(await builtLake(t.teardown, twoIssuers))
t.teardown(() => engine.close())

for (const param of ['sort', 'fields'])
  t.test(`an unknown column in ${param} is refused by every operation that has it`, async t => {
    const having = operations.filter(({ params }) => Object.hasOwn(params, param))
    t.ok(having.length > 15)
    for (const { name, params } of having) {
      const input = Object.fromEntries(
        Object.entries(params)
          .filter(([key, given]) => given.required || (name === 'panel' && key === 'dates'))
          .map(([key]) => [key, required[key]]),
      )
      await t.rejects(
        engine.call(name as 'search.bonds', { ...input, [param]: ['nonsense'] } as object),
        { code: 'INVALID_PARAMETER', details: { parameter: param } },
        name,
      )
    }
  })
