import t, { type Test } from 'tap'
import { bond } from '../../engine/credit/bond.ts'
import { parseDay } from '../../engine/credit/calendar.ts'
import { promisedFlows } from '../../engine/credit/options/promised.ts'
import { averageLife, repaymentsIn, sinkingFlows } from '../../engine/credit/options/sinking.ts'
import { open } from '../../engine/engine.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import type { Difference } from '../../engine/verify/recomputation.ts'
import { verifyFigures } from '../../engine/verify/verify.ts'
import { builtLake } from '../built-lake.ts'
import type { Rows } from '../make-lake.ts'

const START = '2026-05-29'
const END = '2026-06-30'
const known = { known_from: '2020-06-10' }
const [SINKING, CALLED, BULLET, UNUSABLE, FLOATER, NO_DAY, NO_CALL_DAY] = [
  '000000AA7',
  '000000AB5',
  '000000AC3',
  '000000AD1',
  '000000AE9',
  '000000AF6',
  '000000AG4',
] as const

/** A fifth of the issue was repaid; of the rest a quarter is on each of three coupon days, and on the maturity. */
const schedule = [
  { date: '2024-06-15', percent: 20 },
  { date: '2028-06-15', percent: 20 },
  { date: '2026-06-15', percent: 20 },
  { date: '2027-06-15', percent: 20 },
]

const note = (cusip: string, more: Readonly<Record<string, unknown>> = {}) => ({
  ticker: 'SINK',
  company_name: 'Sink Corp',
  cusip,
  name: cusip,
  coupon_rate: 6,
  rate_type: 'fixed',
  rate_structure: 'fixed',
  maturity_date: '2030-06-15',
  issue_date: '2020-06-15',
  currency: 'USD',
  callable: false,
  seniority: 'senior_unsecured',
  ...known,
  ...more,
})

const sinking_schedule = JSON.stringify(schedule)
const rows: Rows = {
  companies: [{ ticker: 'SINK', name: 'Sink Corp', sector: 'Utilities', ...known }],
  bonds: [
    note(SINKING, { sinking_schedule }),
    note(CALLED, {
      sinking_schedule,
      callable: true,
      call_schedule: JSON.stringify([{ date: '2027-12-15', price: 101 }]),
    }),
    note(BULLET),
    note(UNUSABLE, { sinking_schedule: JSON.stringify([{ date: '2027-07-01', percent: 20 }]) }),
    note(NO_DAY, { sinking_schedule: JSON.stringify([{ date: '2027-02-30', percent: 20 }]) }),
    note(NO_CALL_DAY, {
      callable: null,
      call_schedule: JSON.stringify([{ date: '2027-13-15', price: 101 }]),
    }),
    note(FLOATER, {
      sinking_schedule,
      coupon_rate: null,
      rate_type: 'floating',
      rate_structure: 'floating',
      spread_bps: 200,
    }),
  ],
  prices: [
    [SINKING, START, 98],
    [SINKING, END, 99],
    [CALLED, START, 104],
    [BULLET, START, 98],
    [UNUSABLE, START, 98],
    [UNUSABLE, END, 98],
    [FLOATER, START, 98],
    [NO_DAY, START, 98],
    [NO_CALL_DAY, START, 98],
  ].map(([cusip, price_date, price]) => ({
    cusip,
    price_date,
    price,
    price_source: 'vendor',
    known_from: price_date,
  })),
  treasury_yields: [START, END].flatMap(date =>
    [3, 6, 12, 24, 36, 60, 84, 120].map(tenor_months => ({
      date,
      tenor_months,
      rate: 4,
      publisher: 'treasury',
      known_from: date,
    })),
  ),
}

const FIELDS = [
  'last_price',
  'ytm',
  'spread',
  'duration',
  'z_spread',
  'ytw',
  'ytw_date',
  'ytc',
  'remaining_years',
  'yield_null_because',
] as const
type Figures = {
  readonly [F in (typeof FIELDS)[number]]: F extends `${string}_date` ? string | null : number | null
}

/** 166 days of 180 have accrued at settlement on 1 June, 16 at that on 1 July. */
const FIRST_PERIOD = 14 / 180
const ACCRUED = (6 * 166) / 360

/** What 100 outstanding pay, on the coupon days from 15 June 2026 to the maturity. */
const PAYMENTS = [28, 2.25, 27.25, 1.5, 26.5, 0.75, 0.75, 0.75, 25.75]

/** The dirty price of payments on the coupon days from 15 June 2026 on, at a yield in percent. */
const worth = (payments: readonly number[], yieldPct: number): number =>
  payments.reduce((sum, paid, i) => sum + paid / (1 + yieldPct / 200) ** (FIRST_PERIOD + i), 0)

const near = (test: Test, a: unknown, b: number, within: number, says: string) =>
  test.ok(typeof a === 'number' && Math.abs(a - b) <= within, `${says}: ${a} and ${b}`)

t.test('a schedule is in percent of the issue, and flows are of what is left', t => {
  const own = bond({ coupon: 6, maturity: parseDay('2030-06-15') })
  const settle = parseDay('2026-06-01')
  const flows = sinkingFlows(own, settle, repaymentsIn(sinking_schedule)!)!
  t.strictSame(flows.amounts, PAYMENTS)
  t.strictSame(flows.balances, [100, 75, 75, 50, 50, 25, 25, 25, 25])
  near(t, averageLife(flows), (25 * (14 + 379 + 745 + 1475)) / 36_525, 1e-12, 'average life')
  t.strictSame(promisedFlows(own, settle), sinkingFlows(own, settle, []))
  t.equal(sinkingFlows(own, settle, [{ day: parseDay('2027-06-14'), percent: 5 }]), null, 'no coupon day')
  t.equal(sinkingFlows(own, settle, [{ day: parseDay('2027-06-15'), percent: 100 }]), null, 'nothing left')
  t.equal(sinkingFlows(own, settle, [{ day: parseDay('2025-06-15'), percent: 100 }]), null, 'repaid before')
  t.equal(repaymentsIn('[{"date":"2027-06-15","percent":60},{"date":"2028-06-15","percent":60}]'), null)
  t.equal(repaymentsIn('[{"date":"2027-06-15","amount":60}]'), null)
  t.equal(repaymentsIn('{}'), null)
  t.end()
})

t.test('a sinking bond is valued by its own flows, or not at all', async t => {
  const lake = await builtLake(t.teardown, rows, { asOf: END })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const priced = async (cusip: string) => {
    const found = await engine.call('search.pricing', { cusip, as_of: START, fields: [...FIELDS] })
    return found.data[0] as Figures
  }
  const risk = async (cusip: string, more = {}) =>
    (await engine.call('bond.risk', { cusip, as_of: START, ...more })).data

  await t.test(
    'yield, spread and duration are of the flows, the curve is read at the average life',
    async t => {
      const [sinking, bullet] = [await priced(SINKING), await priced(BULLET)]
      near(t, worth(PAYMENTS, sinking.ytm!), 98 + ACCRUED, 1e-5, 'price of the yield')
      t.equal(sinking.spread, Math.round(100 * (sinking.ytm! - 4)))
      near(t, sinking.remaining_years, 1.7885, 1e-4, 'average life')
      const step = 0.001
      const slope = (worth(PAYMENTS, sinking.ytm! - step) - worth(PAYMENTS, sinking.ytm! + step)) / (2 * step)
      near(t, sinking.duration, (100 * slope) / (98 + ACCRUED), 1e-4, 'duration')
      t.ok(sinking.duration! < bullet.duration! - 1.5)
      t.ok(sinking.ytm! > bullet.ytm! + 0.3, 'a discount is earned sooner')
      near(t, sinking.ytw, sinking.ytm!, 1e-6, 'no call')
      t.equal(sinking.ytw_date, '2030-06-15')
    },
  )

  await t.test('a call redeems what is outstanding', async t => {
    const called = await priced(CALLED)
    near(
      t,
      worth([28, 2.25, 27.25, 1.5 + 50.5], called.ytw!),
      104 + ACCRUED,
      1e-5,
      'price of the yield to worst',
    )
    t.match(called, { ytw_date: '2027-12-15', ytc: called.ytw })
    t.ok(called.ytw! < called.ytm!)
  })

  await t.test('risk and scenarios use the same flows', async t => {
    const [sinking, bullet] = [await risk(SINKING), await risk(BULLET)]
    near(t, sinking.z_spread, (await priced(SINKING)).z_spread!, 0.01, 'Z-spread')
    near(t, sinking.effective_duration, (await priced(SINKING)).duration!, 0.02, 'duration')
    t.ok(sinking.effective_duration! < bullet.effective_duration! - 1.5)
    t.match(sinking.notes, [/per 100 outstanding/])
    t.match(await risk(CALLED), { options: 'bond', oas: Number, null_because: null })
    const { data } = await engine.call('market.scenario', {
      cusip: [SINKING, BULLET],
      shift: 100,
      as_of: START,
    })
    const change = (cusip: string) => data.find(row => row.cusip === cusip)!.change_percent!
    near(t, change(SINKING), -sinking.effective_duration!, 0.05, 'change')
    t.ok(change(SINKING) > change(BULLET) + 1.5)
    const { _explain } = await risk(SINKING, { explain: true })
    t.match(_explain, { terms: { sinking_schedule: schedule } })
  })

  await t.test('a repayment is received at par, and the rest is held', async t => {
    const month = async (cusip: string, match: 'duration' | 'cash_flows' = 'duration') => {
      const { data } = await engine.call('search.returns', { cusip, match, date_from: START, date_to: END })
      const rows = await engine.call('search.returns', {
        cusip,
        match,
        date_from: START,
        date_to: END,
        fields: ['coupons', 'repaid'],
      })
      return { ...data[0]!, ...rows.data[0]! }
    }
    const held = 0.75 * (99 + (6 * 16) / 360)
    const sinking = await month(SINKING)
    t.match(sinking, { coupons: 3, repaid: 25, null_because: null })
    near(t, sinking.total_return, 100 * ((held + 3 + 25) / (98 + ACCRUED) - 1), 1e-9, 'total return')
    near(t, sinking.price_return, 100 / 98, 1e-9, 'price return')
    const matched = await month(SINKING, 'cash_flows')
    // Zeros at a flat 4%, from 1 June to 1 July: what is paid on 15 June waits.
    const years = PAYMENTS.map(
      (_, i) =>
        (parseDay(i % 2 ? `${2026 + (i - 1) / 2}-12-15` : `${2026 + i / 2}-06-15`) - parseDay('2026-06-01')) /
        365,
    )
    const value = (from: number) =>
      PAYMENTS.reduce((sum, paid, i) => sum + paid / 1.02 ** (2 * Math.max(0, years[i]! - from)), 0)
    near(
      t,
      matched.treasury_return,
      100 * (value(30 / 365) / value(0) - 1),
      1e-3,
      'Treasuries of the same flows',
    )
    t.match(await month(UNUSABLE), { total_return: null, null_because: 'unusable_sinking_schedule' })
  })

  await t.test('a schedule that does not fit gives no figures, nor do floating repayments', async t => {
    t.match(await priced(UNUSABLE), {
      last_price: 98,
      ytm: null,
      spread: null,
      duration: null,
      yield_null_because: 'unusable_sinking_schedule',
    })
    t.match(await priced(NO_DAY), { ytm: null, yield_null_because: 'unusable_sinking_schedule' })
    t.match(await priced(NO_CALL_DAY), { ytm: Number, ytw: null })
    t.match(await risk(UNUSABLE), { oas: null, null_because: 'unusable_sinking_schedule' })
    t.match(await risk(FLOATER), { oas: null, null_because: 'floating_with_sinking' })
  })

  await t.test('the recomputation by a portfolio of bonds agrees', async t => {
    const differences: Difference[] = []
    await verifyFigures(lake, await currentManifest(lake), {
      tables: ['bonds', 'pricing', 'pricing_history'],
      found: difference => void differences.push(difference),
    })
    t.strictSame(differences, [])
  })
})
