import t, { type Test } from 'tap'
import { parseDay } from '../../engine/credit/calendar.ts'
import { callsIn, redemptionsAhead } from '../../engine/credit/calls.ts'
import { Database } from '../../engine/database/database.ts'
import { pointsAround } from '../../engine/derive/bonds/latest-figures.ts'
import { Derivation } from '../../engine/derive/derive.ts'
import { batchFiles } from '../../engine/lake/imports.ts'
import { inLake } from '../../engine/lake/lake.ts'
import { makeLake, type Rows } from '../make-lake.ts'

const DAY = '2025-06-02'

const curve = [3, 12, 24, 60, 120].map(tenor_months => ({
  date: DAY,
  tenor_months,
  rate: 4,
  publisher: 'treasury',
  known_from: DAY,
}))

/** A bond known by the source's own id, with its price of the day. */
function priced(bond_id: string, price: number, values: Record<string, unknown>) {
  return {
    bond: {
      bond_id,
      name: bond_id,
      maturity_date: '2030-06-03',
      currency: 'USD',
      known_from: DAY,
      ...values,
    },
    price: { bond_id, price_date: DAY, price, price_source: 'vendor', known_from: DAY },
  }
}

async function pricing(t: Test, those: readonly ReturnType<typeof priced>[], columns: string) {
  const rows: Rows = {
    bonds: those.map(p => p.bond),
    prices: those.map(p => p.price),
    treasury_yields: curve,
  }
  const lake = await makeLake(t.teardown, rows)
  const batches = await batchFiles(lake)
  const db = await Database.create()
  t.teardown(() => db.close())
  const files = async (dataset: string) => (batches.get(dataset) ?? []).map(({ path }) => inLake(lake, path))
  await new Derivation(db, files, { asOf: DAY, undated: false, assumeSeniority: null }).make('pricing')
  return db.rows<Record<string, unknown>>(`SELECT bond_id, ${columns} FROM pricing ORDER BY bond_id`)
}

t.test('yield to worst is to a call, to maturity, or unknown', async t => {
  const fixed = { coupon_rate: 6, rate_type: 'fixed', seniority: 'senior_unsecured' }
  const found = await pricing(
    t,
    [
      priced('called', 105, { ...fixed, call_schedule: '[{"date":"2026-06-03","price":101}]' }),
      priced('held', 105, { ...fixed, callable: false }),
      priced('unknown', 105, fixed),
    ],
    'round(ytm, 2) AS ytm, round(ytw, 2) AS ytw, CAST(ytw_date AS VARCHAR) AS ytw_date, ytw_null_because',
  )
  t.strictSame(found, [
    { bond_id: 'called', ytm: 4.86, ytw: 1.92, ytw_date: '2026-06-03', ytw_null_because: null },
    { bond_id: 'held', ytm: 4.86, ytw: 4.86, ytw_date: '2030-06-03', ytw_null_because: null },
    { bond_id: 'unknown', ytm: 4.86, ytw: null, ytw_date: null, ytw_null_because: 'no_call_terms' },
  ])
})

t.test('a yield to call above 50% is withheld with the reason, and the yield to worst stays', async t => {
  const fixed = { coupon_rate: 6, rate_type: 'fixed', seniority: 'senior_unsecured' }
  const inForce = { ...fixed, call_schedule: '[{"date":"2025-01-03","price":101}]' }
  const found = await pricing(
    t,
    [
      priced('cheap', 80, inForce),
      priced('near', 100.5, inForce),
      priced('bullet', 80, { ...fixed, callable: false }),
      priced('past', 80, { ...fixed, call_schedule: '[]' }),
      priced('unknown', 80, fixed),
    ],
    'round(ytc, 2) AS ytc, ytc_null_because, round(ytw, 2) AS ytw, round(ytm, 2) AS ytm',
  )
  const maturity = { ytw: 11.35, ytm: 11.35 }
  t.strictSame(found, [
    { bond_id: 'bullet', ytc: null, ytc_null_because: 'noncallable', ...maturity },
    { bond_id: 'cheap', ytc: null, ytc_null_because: 'above_50_percent', ...maturity },
    { bond_id: 'near', ytc: 11.94, ytc_null_because: null, ytw: 5.88, ytm: 5.88 },
    { bond_id: 'past', ytc: null, ytc_null_because: 'no_call_ahead', ...maturity },
    { bond_id: 'unknown', ytc: null, ytc_null_because: 'no_call_terms', ytw: null, ytm: 11.35 },
  ])
})

t.test("a call already in force is at thirty days' notice, at the current call price", async t => {
  const settle = parseDay('2025-06-03')
  const calls = callsIn(
    '[{"date":"2026-01-01","price":101},{"date":"2025-01-01","price":102.5},{"date":"2027-01-01"}]',
  )!
  t.strictSame(redemptionsAhead(calls, settle, parseDay('2030-01-01')), [
    { day: parseDay('2025-07-03'), price: 102.5 },
    { day: parseDay('2026-01-01'), price: 101 },
    { day: parseDay('2027-01-01'), price: 100 },
  ])
  t.strictSame(redemptionsAhead(calls, settle, parseDay('2025-06-20')), [])
  t.equal(callsIn('{"date":"2026-01-01"}'), null)
  t.equal(callsIn('[{"price":101}]'), null)
  t.equal(callsIn('[{"date":"2026-02-30","price":101}]'), null, 'there is no such day')
})

t.test('a floating-rate note at par has its own margin, and a note without one a reason', async t => {
  const floating = { rate_type: 'floating', benchmark: 'SOFR' }
  const found = await pricing(
    t,
    [
      priced('cheap', 98, { ...floating, spread_bps: 150 }),
      priced('par', 100, { ...floating, spread_bps: 150 }),
      priced('unsaid', 100, floating),
    ],
    'ytm, round(discount_margin) AS margin, margin_null_because, yield_null_because',
  )
  const reason = { yield_null_because: 'floating', ytm: null }
  t.match(found, [
    { ...reason, margin: 196, margin_null_because: null },
    { ...reason, margin: 150, margin_null_because: null },
    { ...reason, margin: null, margin_null_because: 'no_margin' },
  ])
})

t.test('a fixed-to-float bond past its last fixed day floats and has no yield', async t => {
  const terms = {
    coupon_rate: 5,
    rate_type: 'fixed',
    rate_structure: 'fixed_to_float',
    maturity_date: '2026-03-01',
  }
  const found = await pricing(
    t,
    [
      priced('later', 100, { ...terms, last_fixed_date: '2025-09-01' }),
      priced('now', 100, { ...terms, last_fixed_date: '2025-03-01' }),
    ],
    'yield_null_because',
  )
  t.strictSame(
    found.map(row => row['yield_null_because']),
    [null, 'floating'],
  )
})

t.test("a yield far from the issuer's curve is withheld, and shown with its peers", async t => {
  const list = { coupon_rate: 5, rate_type: 'fixed' }
  const market = Array.from({ length: 12 }, (_, i) =>
    priced(`m${i + 10}`, 100, { ...list, issuer_name: `Maker ${i} Corp` }),
  )
  const found = await pricing(
    t,
    [
      ...market,
      priced('perpetual', 70, { ...list, issuer_name: 'Lessor Corp', maturity_date: '2026-12-15' }),
      priced('senior', 99, { ...list, issuer_name: 'Lessor Corp' }),
      priced('ranked', 70, {
        ...list,
        issuer_name: 'Sick Corp',
        maturity_date: '2026-12-15',
        seniority: 'subordinated',
      }),
    ],
    'ytm, round(ytm_withheld) AS withheld, yield_null_because AS because, compared_with, compared_bonds',
  )
  const one = (id: string) => found.find(row => row['bond_id'] === id)!
  t.match(one('perpetual'), {
    ytm: null,
    withheld: 31,
    because: 'far_from_issuer_curve',
    compared_with: 'issuer',
    compared_bonds: 1,
  })
  t.match(one('senior'), { because: null, withheld: null }, 'the good bond is not judged by the bad one')
  t.match(one('ranked'), { because: null, withheld: null }, 'terms that a source states are believed')
})

t.test('a par yield is read between two tenors, at one, or beyond them', async t => {
  const par = { tenorYears: [1, 2, 5], ratePct: [4, 4.1, 4.4] }
  t.strictSame(
    [0.5, 2, 3, 9].map(years => pointsAround(par, years).map(p => p.years)),
    [[1], [2], [2, 5], [5]],
  )
})
