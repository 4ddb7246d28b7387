import t from 'tap'
import { open } from '../../engine/engine.ts'
import { operations } from '../../engine/operations/api.ts'
import { builtLake } from '../built-lake.ts'
import { twoIssuers } from '../make-lake.ts'
import { requiredInput } from './required-input.ts'

const engine = await open(await builtLake(t.teardown, twoIssuers))
t.teardown(() => engine.close())

for (const param of ['sort', 'fields'])
  t.test(`an unknown column in ${param} is refused by every operation that has it`, async t => {
    const having = operations.filter(({ params }) => Object.hasOwn(params, param))
    t.ok(having.length > 15)
    for (const operation of having) {
      const { name } = operation
      const input = requiredInput(operation)
      await t.rejects(
        engine.call(name as 'search.bonds', { ...input, [param]: ['nonsense'] } as object),
        { code: 'INVALID_PARAMETER', details: { parameter: param } },
        name,
      )
    }
  })

t.test('a column that begins one letter off is suggested before one that looks alike', async t => {
  const meant = { leverge: 'leverage_ratio', net_levrage: 'net_leverage_ratio', covrage: 'coverage' }
  for (const [sort, suggestion] of Object.entries(meant))
    await t.rejects(
      engine.call('search.companies', { sort } as object),
      { code: 'INVALID_PARAMETER', details: { suggestion } },
      sort,
    )
})
