import t from 'tap'
import { fred } from '../../engine/ingest/readers/fred.ts'
import { indexSpreads } from '../../engine/ingest/readers/index-spreads.ts'
import { readers } from '../../engine/ingest/readers.ts'
import { reading, rowsFor, sourceOf } from './reading.ts'

t.test('an option-adjusted series is read by day, without weekends', async t => {
  const text = 'DATE,BAMLC0A0CM\n2024-03-28,0.93\n2024-03-29,.\n2024-03-31,0.94\n2024-04-01,x\n'
  t.equal(
    readers.find(reader => reader.recognises(sourceOf(text))),
    indexSpreads,
  )
  const r = await reading(indexSpreads, text)
  t.strictSame(rowsFor(r, 'indices'), [
    {
      series: 'BAMLC0A0CM',
      index_name: 'US Corporate',
      rating_band: 'IG',
      maturity_band: null,
      index_date: '2024-03-28',
      option_adjusted_spread: 0.93,
    },
  ])
  t.strictSame(
    r.refused.map(({ at, reason }) => [at, reason]),
    [
      ['row 3', 'no value (holiday)'],
      ['row 4', 'a weekend, not a trading day'],
      ['row 5', 'BAMLC0A0CM: "x" is not a spread'],
    ],
  )
  await t.rejects(reading(indexSpreads, 'DATE,BAMLHE00EHYIOAS\n2024-03-28,3.1\n'), { name: 'Refused' })
})

t.test('a file of dates and values is the series in its name', t => {
  const file = (name: string) => ({ ...sourceOf('date,value\n2024-03-28,4.2\n'), name })
  const readerOf = (name: string) => readers.find(reader => reader.recognises(file(name)))?.kind
  t.equal(readerOf('treasury/DGS10.csv.gz'), fred.kind)
  t.equal(readerOf('index/BAMLC0A0CM_1996_2025.csv'), indexSpreads.kind)
  for (const name of ['DGS10X.csv', 'T10Y2Y.csv', 'value.csv']) t.equal(readerOf(name), undefined, name)
  t.end()
})

t.test('a file of rates has the tenor in its name', async t => {
  const r = await reading(fred, 'observation_date,DGS2\n2024-03-28,4.59\n')
  t.match(rowsFor(r, 'treasury_yields'), [{ date: '2024-03-28', tenor_months: 24, rate: 4.59 }])
})
