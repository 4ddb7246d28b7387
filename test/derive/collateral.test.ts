import t from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'

t.test('what reports repeat of one instrument is listed as the newest tells it', async t => {
  const told = (day: string, description: string, more: Readonly<Record<string, unknown>> = {}) => ({
    ticker: 'ALFA',
    instrument_name: 'Senior Credit Facility',
    type: 'real_estate',
    description,
    rule: 'secured_by',
    source_document_date: day,
    known_from: day,
    ...more,
  })
  const lake = await makeLake(t.teardown, {
    ...twoIssuers,
    collateral: [
      told('2022-02-20', 'secured by a mortgage on two mills'),
      told('2023-02-20', 'secured by a mortgage on three mills'),
      told('2024-02-20', 'secured by a mortgage on four mills'),
      told('2024-02-20', 'secured by its warehouses'),
      told('2022-02-20', 'secured by its presses', { type: 'equipment' }),
      told('2022-02-20', 'secured by a dam', { instrument_name: 'Mortgage Loan' }),
      told('2022-02-20', 'pledged its office', { instrument_name: null }),
      told('2024-02-20', 'pledged its laboratory', { instrument_name: null }),
      told('2022-02-20', 'loaded by hand', { rule: null }),
    ],
  })
  await build(lake, { as_of: '2024-06-03' })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const listed = async (input: Record<string, unknown> = {}) =>
    (await engine.call('search.collateral', { fields: ['description'], ...input })).data
      .map(row => row.description)
      .sort()
  t.strictSame(await listed(), [
    'loaded by hand',
    'pledged its laboratory',
    'pledged its office',
    'secured by a dam',
    'secured by a mortgage on four mills',
    'secured by its presses',
    'secured by its warehouses',
  ])
  t.strictSame(
    (await listed({ as_of: '2023-06-01' })).filter(each => each?.includes('mills')),
    ['secured by a mortgage on three mills'],
    'as of an earlier day the newest of then',
  )
})
