import t from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'

const asset = (ticker: string, instrument_name: string, day: string) => ({
  ticker,
  type: 'equipment',
  instrument_name,
  description: `Presses of the ${instrument_name}`,
  rule: 'secured_by',
  document_type: '10-K',
  source_document_date: day,
  known_from: day,
})

t.test('a list of collateral counts what it leaves out as not repeated', async t => {
  const lake = await makeLake(t.teardown, {
    ...twoIssuers,
    collateral: [
      asset('ALFA', 'Mill Loan', '2022-02-20'),
      asset('ALFA', 'Barge Loan', '2022-02-20'),
      asset('ALFA', 'Line of Credit', '2024-02-20'),
      asset('BETA', 'Crane Loan', '2021-02-20'),
      asset('BETA', 'Line of Credit', '2022-02-20'),
      { ...asset('BETA', 'Line of Credit', '2023-02-20'), rule: null, ended_on: '2023-05-01' },
    ],
  })
  await build(lake, { as_of: '2024-06-03' })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const warned = async (input: Record<string, unknown> = {}) =>
    (await engine.call('search.collateral', input)).meta['warnings']
  const message =
    '3 pledged assets are left out only because a later annual report does not repeat them, which is no proof of an end: list them with ended_because=not_repeated'
  t.strictSame(await warned(), [message])
  t.strictSame(await warned({ in_force: true }), [message])
  t.match(await warned({ ticker: 'BETA' }), [/^1 pledged asset is left out only because .* repeat it/])
  t.match(await warned({ as_of: '2023-06-01' }), [/^1 pledged asset is/], 'as of a day')
  t.notOk(await warned({ as_of: '2021-06-01' }))
  t.notOk(await warned({ in_force: false }), 'it lists them')
  t.notOk(await warned({ ended_because: 'not_repeated' }))
  t.notOk(await warned({ collateral_type: 'inventory' }), 'of those that the other filters pass')
})
