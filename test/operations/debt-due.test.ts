import t from 'tap'
import { open } from '../../engine/engine.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { build } from '../../engine/snapshot/build.ts'
import { verifyFigures } from '../../engine/verify/verify.ts'
import { makeLake, type Rows } from '../make-lake.ts'

const MILLION = 1_000_000_00
const known = { known_from: '2024-06-10' }

const rows: Rows = {
  companies: ['SINK', 'ODDS'].map(ticker => ({
    ticker,
    name: `${ticker} Corp`,
    sector: 'Utilities',
    ...known,
  })),
  bonds: [
    {
      ticker: 'SINK',
      bond_id: 'SINK-30',
      name: '6% first mortgage bonds due 2030',
      coupon_rate: 6,
      rate_type: 'fixed',
      maturity_date: '2030-06-15',
      currency: 'USD',
      // A fifth of 1,000 was repaid in 2024.
      outstanding: 800 * MILLION,
      sinking_schedule: JSON.stringify([
        { date: '2028-06-15', percent: 20 },
        { date: '2024-06-15', percent: 20 },
        { date: '2026-06-15', percent: 20 },
        { date: '2027-06-15', percent: 20 },
      ]),
      ...known,
    },
    // A schedule that repays more than all is not used.
    {
      ticker: 'ODDS',
      bond_id: 'ODDS-30',
      name: '5% notes due 2030',
      coupon_rate: 5,
      rate_type: 'fixed',
      maturity_date: '2030-06-15',
      currency: 'USD',
      outstanding: 500 * MILLION,
      sinking_schedule: JSON.stringify([
        { date: '2026-06-15', percent: 70 },
        { date: '2027-06-15', percent: 70 },
      ]),
      ...known,
    },
  ],
}

const lake = await makeLake(t.teardown, rows)
await build(lake, { as_of: '2025-06-30' })
const engine = await open(lake)
t.teardown(() => engine.close())

type Row = Readonly<Record<string, number | string | null>>
const wall = async (ticker: string) =>
  ((await engine.call('search.maturities', { ticker })).data as unknown as Row[]).map(row => [
    row['year'],
    (row['due'] as number) / MILLION,
  ])

t.test('a sinking bond falls due in the parts of its schedule, the rest at maturity', async t => {
  t.strictSame(await wall('SINK'), [
    [2025, 0],
    [2026, 200],
    [2027, 200],
    [2028, 200],
    [2029, 0],
    [2030, 200],
    [2031, 0],
  ])
  const { data } = await engine.call('search.liquidity', { ticker: 'SINK', explain: true })
  t.match(data[0], { due_12m: 200 * MILLION, due_24m: 400 * MILLION, due_source: 'bonds' })
  const explained = (data[0] as unknown as { _explain: { due_12m: { formula: string; inputs: Row[] } } })
    ._explain.due_12m
  t.match(explained.formula, /what sinking bonds repay/)
  t.match(explained.inputs, [{ bond_id: 'SINK-30', sinking_schedule: [{ percent: 20 }, {}, {}, {}] }])
})

t.test('a schedule that repays more than was issued leaves a bond whole at maturity', async t => {
  t.strictSame(
    (await wall('ODDS')).filter(([, due]) => due !== 0),
    [[2030, 500]],
  )
})

t.test('debt due of sinking bonds is recomputed', async t => {
  const companies = await engine.sql(
    'SELECT ticker, debt_due_1yr, debt_due_2yr, debt_due_3yr FROM companies ORDER BY ticker',
  )
  t.strictSame(companies, [
    { ticker: 'ODDS', debt_due_1yr: 0, debt_due_2yr: 0, debt_due_3yr: 0 },
    { ticker: 'SINK', debt_due_1yr: 200 * MILLION, debt_due_2yr: 400 * MILLION, debt_due_3yr: 600 * MILLION },
  ])
  const differences: unknown[] = []
  await verifyFigures(lake, await currentManifest(lake), { found: each => void differences.push(each) })
  t.strictSame(differences, [])
})
