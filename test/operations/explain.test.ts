import t from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'

const spread = (ticker: string, spread_date: string, spread_bps: number) => ({
  ticker,
  spread_date,
  tenor: '5Y',
  spread_bps,
  feed: 'settlement_price',
  known_from: spread_date,
})

t.test('operations explain their answers', async t => {
  const lake = await makeLake(t.teardown, {
    ...twoIssuers,
    spreads: [
      spread('BETA', '2025-05-01', 200),
      spread('BETA', '2025-05-02', 220),
      spread('ALFA', '2025-05-02', 400),
    ],
  })
  await build(lake)
  const engine = await open(lake)
  t.teardown(() => engine.close())

  t.test('an aggregate names its formulas, and the records and companies behind each group', async t => {
    const { data } = await engine.call('aggregate.spreads', {
      source: 'settlement_price',
      group_by: 'month',
      metrics: 'median,companies',
      explain: true,
    })
    t.strictSame(data, [
      {
        month: '2025-05-01',
        median: 220,
        companies: 2,
        _explain: {
          formulas: {
            median: 'middle spread, or the mean of the two middle ones',
            companies: 'distinct companies among the records',
          },
          records: 3,
          companies: 2,
          first_day: '2025-05-01',
          last_day: '2025-05-02',
          sources: ['settlement_price'],
          largest: [
            { company: 'BETA', records: 2, median: 210 },
            { company: 'ALFA', records: 1, median: 400 },
          ],
        },
      },
    ])
    const plain = await engine.call('aggregate.spreads', { group_by: 'month' })
    t.notOk('_explain' in plain.data[0]!)
  })

  t.test('a confidence is explained by the parts of the description, for and against the bond', async t => {
    const { data } = await engine.call('resolve.bond', { q: 'alfa 6 2031', explain: true })
    t.match(data.matches[0], {
      _explain: {
        formula: /^e\^score/,
        parts: [
          { asked: 'alfa', weight: 13, score: 13 },
          { asked: 6, weight: 6, score: 6 },
          { asked: '2031', weight: 3, score: -9 },
        ],
        score: 10,
      },
    })
    t.ok(data.matches[0]!.confidence < 0.5)
    const exact = await engine.call('resolve.bond', { cusip: '000000AA7', explain: true })
    t.match(exact.data.matches[0]!._explain, { formula: /^1: the identifier/ })
    t.notOk((await engine.call('resolve.bond', { q: 'alfa' })).data.matches[0]!._explain)
  })

  t.test('compared covenants have their sources', async t => {
    const compared = await engine.call('compare.covenants', { ticker: 'ALFA,BETA', explain: true })
    t.match(compared._explain, {
      ALFA: [{ id: 'c1', source: 'test', known_from: '2024-03-01', in_matrix: true }],
      BETA: [{ id: 'c2', source: 'test', in_matrix: false }],
    })
    t.notOk('_explain' in (await engine.call('compare.covenants', { ticker: 'ALFA,BETA' })))
  })
})
