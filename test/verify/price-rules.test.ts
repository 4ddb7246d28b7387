import t from 'tap'
import { bond, cleanPrice } from '../../engine/credit/bond.ts'
import { parseDay, settlementDay } from '../../engine/credit/calendar.ts'
import { cusipCheckDigit } from '../../engine/credit/identifiers.ts'
import { open } from '../../engine/engine.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import type { Difference } from '../../engine/verify/recomputation.ts'
import { verifyFigures } from '../../engine/verify/verify.ts'
import { builtLake } from '../built-lake.ts'
import type { Rows } from '../make-lake.ts'

const [EARLIER, DAY] = ['2025-05-30', '2025-06-02']
const CUSIPS = ['AA', 'BB', 'CC', 'DD', 'EE', 'FF'].map(
  end => `000000${end}${cusipCheckDigit(`000000${end}`)}`,
)
const LISTED = 'MAKER CORP|3|2026-09-02'

const curve = (date: string, ...tenors: number[]) =>
  tenors.map(tenor_months => ({ date, tenor_months, rate: 4, publisher: 'fred', known_from: date }))

/** Name, coupon, maturity, the day to which a buyer prices it, and the spread to it. */
const bonds = [
  ['Bank bullet 2028', 4.95, '2028-06-02', '2028-06-02', 100],
  ['Bank bullet 2033', 5, '2033-06-02', '2033-06-02', 100],
  ['Bank floats from 2028', 1.578, '2029-06-02', '2028-06-02', 100],
  ['Maker 2055', 5, '2055-06-02', '2055-06-02', 150],
  ['Oil under sanctions', 6, '2029-06-02', '2029-06-02', 9000],
  ['Maker bills', 3, '2026-09-02', '2026-09-02', -120],
] as const

const priceOf = ([, coupon, , redeemed, spread]: (typeof bonds)[number]) =>
  cleanPrice(bond({ coupon, maturity: parseDay(redeemed) }), 4 + spread / 100, settlementDay(parseDay(DAY)))

const issuerOf = (name: string) =>
  name.startsWith('Bank') ? 'First Bank Corp' : name.startsWith('Oil') ? 'Oil Corp' : 'Maker Corp'

const rows: Rows = {
  bonds: [
    ...bonds.map(([name, coupon_rate, maturity_date], i) => ({
      cusip: CUSIPS[i],
      name,
      issuer_name: issuerOf(name),
      coupon_rate,
      maturity_date,
      rate_type: 'fixed',
      currency: 'USD',
      known_from: EARLIER,
    })),
    {
      bond_id: LISTED,
      name: 'MAKER CORP',
      issuer_name: 'MAKER CORP',
      coupon_rate: 3,
      maturity_date: '2026-09-02',
      known_from: DAY,
    },
  ],
  prices: [
    ...bonds.map((each, i) => ({
      cusip: CUSIPS[i],
      price_date: DAY,
      price: priceOf(each),
      price_source: 'fund_mark',
      list_name: 'Made Up ETF',
      known_from: DAY,
    })),
    {
      bond_id: LISTED,
      price_date: EARLIER,
      price: 99,
      price_source: 'fund_mark',
      published_ytm: 3.8,
      known_from: EARLIER,
    },
  ],
  // The second day has one tenor, and uses the first day's curve, which ends at ten years.
  treasury_yields: [...curve(EARLIER, 12, 24, 60, 120), ...curve(DAY, 120)],
}

t.test('both computations agree on price and curve rules', async t => {
  const lake = await builtLake(t.teardown, rows)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const priced = await engine.call('search.pricing', {
    fields: ['bond_name', 'yield_null_because', 'spread_null_because'],
    sort: ['bond_name'],
  })
  t.strictSame(
    priced.data.map(row => Object.values(row)),
    [
      ['FIRST BANK 1.578 06/02/29', null, null],
      ['FIRST BANK 4.95 06/02/28', null, null],
      ['FIRST BANK 5 06/02/33', null, null],
      ['MAKER 3 09/02/26', 'below_treasury', 'below_treasury'],
      ['MAKER 5 06/02/55', null, 'outside_curve'],
      ['OIL 6 06/02/29', 'priced_for_default', 'priced_for_default'],
    ],
  )
  const { data } = await engine.call('search.bonds', {
    fields: ['name', 'rate_structure', 'last_fixed_date', 'other_ids'],
    cusip: [CUSIPS[2]!, CUSIPS[5]!],
    sort: ['cusip'],
  })
  t.strictSame(data, [
    {
      name: 'Bank floats from 2028',
      rate_structure: 'fixed_to_float',
      last_fixed_date: '2028-06-02',
      other_ids: null,
    },
    { name: 'MAKER CORP', rate_structure: 'fixed', last_fixed_date: null, other_ids: [LISTED] },
  ])
  const differences: Difference[] = []
  await verifyFigures(lake, await currentManifest(lake), {
    found: difference => void differences.push(difference),
  })
  t.strictSame(differences, [])
})
