import t from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'

const covenant = (instrument_name: string, day: string, more: Readonly<Record<string, unknown>> = {}) => ({
  ticker: 'ALFA',
  instrument_name,
  covenant_type: 'negative',
  covenant_name: 'Limitation on Liens',
  description: `Liens under the ${instrument_name} are limited.`,
  source_document_date: day,
  known_from: day,
  ...more,
})

t.test('a list of covenants counts those in force that nothing tells of for five years', async t => {
  const lake = await makeLake(t.teardown, {
    ...twoIssuers,
    covenants: [
      covenant('1998 Indenture', '1998-09-24'),
      covenant('2019 Indenture', '2019-12-30'),
      covenant('2024 Indenture', '2024-03-01'),
      covenant('2024 Credit Agreement', '2024-03-01', { ticker: 'BETA' }),
    ],
  })
  await build(lake, { as_of: '2025-01-02' })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const warned = async (input: Record<string, unknown> = {}) =>
    (await engine.call('search.covenants', input)).meta['warnings']
  t.strictSame(await warned(), [
    '2 covenants in force are known only from documents of over five years before 2025-01-02 (last_stated): nothing says whether what they state has ended since',
  ])
  t.match(await warned({ as_of: '2023-01-02' }), [/^1 covenant in force is known only/])
  t.notOk(await warned({ ticker: 'BETA' }), 'of those that the filters pass')
  t.notOk(await warned({ in_force: false }))
})

t.test('so does a list of collateral', async t => {
  const asset = (description: string, day: string) => ({
    ticker: 'ALFA',
    type: 'equipment',
    description,
    source_document_date: day,
    known_from: day,
  })
  const lake = await makeLake(t.teardown, {
    ...twoIssuers,
    collateral: [asset('Presses', '1998-09-24'), asset('Lathes', '2024-03-01')],
  })
  await build(lake, { as_of: '2025-01-02' })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  t.strictSame((await engine.call('search.collateral', {})).meta['warnings'], [
    '1 pledged asset is known only from documents of over five years before 2025-01-02 (last_stated): nothing says whether what they state has ended since',
  ])
  t.notOk((await engine.call('search.collateral', { as_of: '2003-01-02' })).meta['warnings'])
})
