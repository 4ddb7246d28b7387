import t from 'tap'
import { open } from '../../engine/engine.ts'
import { builtLake } from '../built-lake.ts'
import { type Rows, twoIssuers } from '../make-lake.ts'

const covenant = (id: string, metric: string, value: number | null, type: string, instrument: string) => ({
  id,
  ticker: 'ALFA',
  covenant_type: 'financial',
  covenant_name: `Test ${id}`,
  test_metric: metric,
  threshold_value: value,
  threshold_type: type,
  test_frequency: 'quarterly',
  instrument_name: instrument,
  known_from: '2024-03-01',
})

const rows: Rows = {
  ...twoIssuers,
  covenants: [
    covenant('a', 'leverage_ratio', 5, 'maximum', 'Revolver'),
    covenant('b', 'leverage_ratio', 4.5, 'maximum', 'Term Loan B'),
    covenant('c', 'leverage_ratio', 4.5, 'maximum', 'Term Loan A'),
    covenant('d', 'leverage_ratio', null, 'maximum', 'Notes'),
    covenant('e', 'interest_coverage', 2.5, 'minimum', 'Revolver'),
    covenant('f', 'interest_coverage', 3, 'minimum', 'Term Loan B'),
    covenant('g', 'net_leverage_ratio', 4, 'maximum', 'Revolver'),
  ],
}

t.test('the tightest of several levels is compared, with their number and instruments', async t => {
  const lake = await builtLake(t.teardown.bind(t), rows)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const compared = await engine.call('compare.covenants', { ticker: 'ALFA,BETA', explain: true })
  const cell = (metric: string) => compared.comparison_matrix.find(row => row.metric === metric)!['ALFA']
  t.strictSame(cell('leverage_ratio'), {
    threshold_value: 4.5,
    threshold_type: 'maximum',
    test_frequency: 'quarterly',
    levels: 4,
    instruments: ['Term Loan A', 'Term Loan B'],
  })
  t.match(cell('interest_coverage'), { threshold_value: 3, levels: 2, instruments: ['Term Loan B'] })
  t.strictSame(cell('net_leverage_ratio'), {
    threshold_value: 4,
    threshold_type: 'maximum',
    test_frequency: 'quarterly',
  })
  t.strictSame(
    compared._explain!['ALFA']!.filter(({ in_matrix }) => in_matrix).map(({ id }) => id),
    ['b', 'f', 'g'],
  )
})
