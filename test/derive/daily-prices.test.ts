import t, { type Test } from 'tap'
import { Database } from '../../engine/database/database.ts'
import { Derivation } from '../../engine/derive/derive.ts'
import { batchFiles } from '../../engine/lake/imports.ts'
import { inLake } from '../../engine/lake/lake.ts'
import { makeLake, type Rows } from '../make-lake.ts'

const CUSIP = '000000AA7'
const terms = {
  cusip: CUSIP,
  name: 'Alfa 6% 2030',
  coupon_rate: 6,
  rate_type: 'fixed',
  maturity_date: '2030-06-15',
}

/** Tables derived as of a day, from a lake with one bond and these rows. */
async function derived(t: Test, rows: Rows, asOf = '2025-12-31') {
  const lake = await makeLake(t.teardown, { bonds: [{ ...terms, known_from: '2020-06-15' }], ...rows })
  const batches = await batchFiles(lake)
  const db = await Database.create()
  t.teardown(() => db.close())
  const files = async (dataset: string) => (batches.get(dataset) ?? []).map(({ path }) => inLake(lake, path))
  const derivation = new Derivation(db, files, { asOf, undated: false, assumeSeniority: null })
  return async (table: string, columns: string) => {
    await derivation.make(table)
    return db.rows<Record<string, unknown>>(`SELECT ${columns} FROM ${table} ORDER BY ALL`)
  }
}

/** A trade known on the day of its report. */
const trade = (values: Record<string, unknown>) => ({
  cusip: CUSIP,
  action: 'trade',
  trade_date: '2025-06-02',
  reported_date: '2025-06-02',
  price: 100,
  quantity: 1_000_000_00,
  known_from: values['reported_date'] ?? '2025-06-02',
  ...values,
})

const left = 'trade_id, reason'

t.test('a day has its last trade, and a volume-weighted price with capped sizes flagged', async t => {
  const from = await derived(t, {
    trades: [
      trade({ trade_id: '1', trade_time: '09:30:00', price: 99, quantity: 3_000_000_00 }),
      trade({ trade_id: '2', trade_time: '15:00:00', price: 101 }),
      trade({
        trade_id: '3',
        trade_time: '11:00:00',
        price: 103,
        quantity: 5_000_000_00,
        quantity_capped: true,
      }),
      trade({ trade_id: '4', trade_time: '12:00:00', price: 50, trade_date: '2025-06-03', quantity: null }),
    ],
  })
  t.strictSame(await from('pricing_history', 'last_price, vwap, volume, volume_capped, trade_count'), [
    { last_price: 50, vwap: null, volume: null, volume_capped: false, trade_count: 1 },
    // (99 x 3 + 101 x 1 + 103 x 5) / 9
    { last_price: 101, vwap: 101.444444, volume: 9_000_000_00, volume_capped: true, trade_count: 3 },
  ])
})

const undone = {
  trades: [
    trade({ trade_id: 'a', price: 98, trade_time: '10:00:00' }),
    trade({ trade_id: 'b', price: 120, trade_time: '11:00:00' }),
    trade({
      trade_id: 'b',
      price: 120,
      action: 'cancel',
      original_trade_id: 'b',
      reported_date: '2025-06-04',
    }),
    trade({ trade_id: 'c', price: 97, trade_time: '09:00:00' }),
    trade({
      trade_id: 'd',
      price: 99,
      trade_time: '12:00:00',
      action: 'correction',
      original_trade_id: 'c',
      reported_date: '2025-06-05',
    }),
    trade({ trade_id: 'e', price: 96, trade_time: '13:00:00', side: 'sell' }),
    // As the old system reported reversals: no number, but the same trade again.
    trade({
      trade_id: 'f',
      price: 96,
      trade_time: '13:00:00',
      side: 'sell',
      action: 'reversal',
      reported_date: '2025-06-06',
    }),
  ],
}

t.test('cancels, corrections and reversals take effect from their own report', async t => {
  const seen = async (asOf: string) => {
    const from = await derived(t, undone, asOf)
    const [price] = await from('pricing_history', 'last_price')
    return [
      price!['last_price'],
      (await from('excluded_prices', left)).map(row => Object.values(row).join(' ')),
    ]
  }
  t.strictSame(await seen('2025-06-03'), [96, []])
  t.strictSame(await seen('2025-06-04'), [96, ['b cancelled']])
  t.strictSame(await seen('2025-06-05'), [96, ['b cancelled', 'c corrected']])
  t.strictSame(await seen('2025-06-06'), [99, ['b cancelled', 'c corrected', 'e reversed']])
})

t.test('a cancel whose price differs from its report has no effect', async t => {
  const from = await derived(t, {
    trades: [
      trade({ trade_id: '5', price: 101 }),
      trade({ trade_id: '5', price: 88, action: 'cancel', original_trade_id: '5' }),
    ],
  })
  t.strictSame(await from('excluded_prices', left), [])
})

t.test('inter-dealer trades count once; agency copies and when-issued trades do not count', async t => {
  const from = await derived(t, {
    trades: [
      trade({ trade_id: '1', side: 'sell', counterparty: 'dealer', price: 99 }),
      trade({ trade_id: '2', side: 'buy', counterparty: 'dealer', price: 99 }),
      trade({ trade_id: '3', side: 'buy', counterparty: 'dealer', price: 98 }),
      trade({
        trade_id: '4',
        side: 'sell',
        counterparty: 'customer',
        is_agency: true,
        has_commission: false,
      }),
      trade({
        trade_id: '5',
        side: 'sell',
        counterparty: 'customer',
        is_agency: true,
        has_commission: true,
      }),
      trade({ trade_id: '6', when_issued: true }),
      trade({ trade_id: '7', special_price: true }),
    ],
  })
  t.strictSame(await from('excluded_prices', left), [
    { trade_id: '2', reason: 'interdealer_duplicate' },
    { trade_id: '4', reason: 'agency_duplicate' },
    { trade_id: '6', reason: 'when_issued' },
    { trade_id: '7', reason: 'special_price' },
  ])
  t.strictSame(await from('pricing_history', 'trade_count'), [{ trade_count: 3 }])
})

t.test('the mark of a report that says the bond is in default has no yield', async t => {
  const mark = (date: string, known_from: string, price: number) => ({
    cusip: CUSIP,
    price_date: date,
    price,
    price_source: 'fund_mark',
    known_from,
  })
  const rows = {
    bonds: [
      { ...terms, known_from: '2020-06-15' },
      { ...terms, status: 'defaulted', status_date: '2025-06-30', known_from: '2025-08-29' },
    ],
    prices: [mark('2025-03-31', '2025-05-30', 97), mark('2025-06-30', '2025-08-29', 45)],
  }
  const columns = 'date, last_price, ytm IS NULL AS without, yield_null_because'
  t.strictSame(await (await derived(t, rows))('pricing_history', columns), [
    { date: '2025-03-31', last_price: 97, without: false, yield_null_because: null },
    { date: '2025-06-30', last_price: 45, without: true, yield_null_because: 'defaulted' },
  ])
  t.strictSame(await (await derived(t, rows, '2025-08-28'))('pricing_history', columns), [
    { date: '2025-03-31', last_price: 97, without: false, yield_null_because: null },
  ])
})

t.test('a hundredfold price is excluded, even if it is the only one of its day', async t => {
  const mark = (price_date: string, price: number) => ({
    cusip: CUSIP,
    price_date,
    price,
    price_source: 'vendor',
    known_from: price_date,
  })
  const from = await derived(t, {
    prices: [mark('2025-06-02', 98.5), mark('2025-06-03', 0.984), mark('2025-06-04', 98.3)],
    trades: [
      trade({ trade_id: '1', trade_date: '2025-06-05', price: 983, trade_time: '16:00:00' }),
      trade({ trade_id: '2', trade_date: '2025-06-05', price: 98.2, trade_time: '10:00:00' }),
    ],
  })
  t.strictSame(await from('pricing_history', 'CAST(date AS VARCHAR) AS date, last_price'), [
    { date: '2025-06-02', last_price: 98.5 },
    { date: '2025-06-04', last_price: 98.3 },
    { date: '2025-06-05', last_price: 98.2 },
  ])
  t.strictSame(
    await from('excluded_prices', 'CAST(date AS VARCHAR) AS date, price, reason, factor, reference_price'),
    [
      { date: '2025-06-03', price: 0.984, reason: 'price_slip', factor: 0.01, reference_price: 98.5 },
      { date: '2025-06-05', price: 983, reason: 'price_slip', factor: 10, reference_price: 98.3 },
    ],
  )
})

t.test('the best kind of price is used, and within a kind the newest known', async t => {
  const price = (price_source: string, value: number, known_from: string) => ({
    cusip: CUSIP,
    price_date: '2025-06-02',
    price: value,
    price_source,
    known_from,
  })
  const from = await derived(t, {
    prices: [
      price('estimated', 90, '2025-06-02'),
      price('fund_mark', 97, '2025-06-02'),
      price('fund_mark', 96, '2025-07-02'),
    ],
  })
  t.strictSame(await from('pricing_history', 'last_price, price_source'), [
    { last_price: 96, price_source: 'fund_mark' },
  ])
})

t.test(
  'a bond that fell due is matured, in default it stays defaulted; a history says why it has no yield to worst',
  async t => {
    const trades = [trade({})]
    const statusOf = async (asOf: string, status?: string) => {
      const bonds = [{ ...terms, ...(status ? { status } : {}), known_from: '2020-06-15' }]
      return (await derived(t, { bonds, trades }, asOf))('bonds', 'status, is_active')
    }
    t.strictSame(await statusOf('2030-06-14'), [{ status: 'active', is_active: true }])
    t.strictSame(await statusOf('2030-06-15'), [{ status: 'matured', is_active: false }])
    t.strictSame(await statusOf('2030-06-15', 'defaulted'), [{ status: 'defaulted', is_active: false }])
    t.strictSame(await statusOf('2030-06-15', 'retired'), [{ status: 'retired', is_active: false }])
    const why = 'ytw_null_because, ytc_null_because, margin_null_because'
    t.strictSame(await (await derived(t, { trades }))('pricing_history', `ytm IS NULL AS hidden, ${why}`), [
      {
        hidden: false,
        ytw_null_because: 'latest_price_only',
        ytc_null_because: 'latest_price_only',
        margin_null_because: 'latest_price_only',
      },
    ])
    const floating = [{ ...terms, rate_type: 'floating', known_from: '2020-06-15' }]
    t.strictSame(await (await derived(t, { bonds: floating, trades }))('pricing_history', why), [
      {
        ytw_null_because: 'no_yield',
        ytc_null_because: 'no_yield',
        margin_null_because: 'latest_price_only',
      },
    ])
  },
)
