import t, { type Test } from 'tap'
import { open } from '../../engine/engine.ts'
import { marketScenario } from '../../engine/operations/scenario.ts'
import { build } from '../../engine/snapshot/build.ts'
import { addRows, makeLake, type Rows } from '../make-lake.ts'

const DAY = '2025-06-13'
const known = { known_from: '2024-01-10' }
const issuer = {
  ticker: 'ALFA',
  company_name: 'Alfa Corp',
  currency: 'USD',
  rate_type: 'fixed',
  rate_structure: 'fixed',
}

const note = (cusip: string, more: Readonly<Record<string, unknown>> = {}) => ({
  ...issuer,
  cusip,
  name: cusip,
  coupon_rate: 7.25,
  maturity_date: '2031-09-01',
  issue_date: '2023-09-01',
  ...known,
  ...more,
})

const schedule = JSON.stringify([
  { date: '2026-09-01', price: 103.625 },
  { date: '2027-09-01', price: 101.8125 },
  { date: '2028-09-01', price: 100 },
])
const cusips = {
  callable: '000000AA7',
  bullet: '000000AB5',
  unknown: '000000AC3',
  undated: '000000AD1',
  unpriced: '000000AE9',
  defaulted: '000000AF6',
  floater: '000000AG4',
  fixedToFloat: '000000AH2',
  filed: '000000AJ8',
  puttable: '000000BA6',
  unreadablePuts: '000000BB4',
}
const puts = [{ date: '2027-09-01', price: 100 }]
const beta = { ticker: 'BETA', company_name: 'Beta Corp', callable: false, coupon_rate: 4 }

const price = (cusip: string, value: number, price_date = '2025-06-13') => ({
  cusip,
  price_date,
  price: value,
  price_source: 'vendor',
  known_from: price_date,
})

const curve = (date: string, up = 0) =>
  [3, 6, 12, 24, 36, 60, 84, 120, 240, 360].map((tenor_months, i) => ({
    date,
    tenor_months,
    rate: [4.4, 4.3, 4.1, 3.9, 3.9, 4, 4.2, 4.4, 4.9, 4.9][i]! + up,
    publisher: 'treasury',
    known_from: date,
  }))

const rows: Rows = {
  companies: [
    { ticker: 'ALFA', name: 'Alfa Corp', sector: 'Energy', ...known },
    { ticker: 'BETA', name: 'Beta Corp', sector: 'Retail', ...known },
  ],
  bonds: [
    note(cusips.callable, { callable: true, call_schedule: schedule }),
    note(cusips.bullet, { callable: false }),
    note(cusips.unknown, { coupon_rate: 6 }),
    note(cusips.undated, { coupon_rate: 6.5, callable: true }),
    note(cusips.unpriced, { coupon_rate: 5.5, callable: false }),
    note(cusips.defaulted, { coupon_rate: 5, status: 'defaulted' }),
    note(cusips.floater, {
      rate_type: 'floating',
      rate_structure: 'floating',
      coupon_rate: null,
      spread_bps: 180,
      coupon_frequency: 4,
      callable: false,
    }),
    note(cusips.fixedToFloat, {
      coupon_rate: 4.75,
      rate_structure: 'fixed_to_float',
      last_fixed_date: '2030-09-01',
      call_schedule: JSON.stringify([{ date: '2030-09-01', price: 100 }]),
    }),
    note(cusips.filed, { coupon_rate: 6.75 }),
    note(cusips.puttable, { ...beta, put_schedule: JSON.stringify(puts) }),
    note(cusips.unreadablePuts, { ...beta, put_schedule: '{"date":"2027-09-01"}' }),
  ],
  instruments: [
    {
      ticker: 'ALFA',
      name: 'Notes due 2031',
      cusip: cusips.filed,
      par_call_date: '2029-09-01',
      principal: 1e10,
      ...known,
    },
  ],
  prices: [
    price(cusips.callable, 102.5),
    price(cusips.bullet, 102.5),
    price(cusips.unknown, 99),
    price(cusips.undated, 99),
    price(cusips.floater, 99.5),
    price(cusips.fixedToFloat, 98),
    price(cusips.filed, 103),
    price(cusips.defaulted, 40),
    price(cusips.puttable, 94),
    price(cusips.unreadablePuts, 94),
  ],
  treasury_yields: curve('2025-06-13'),
}

const engineOf = async (t: Test, more: Rows = {}) => {
  const lake = await makeLake(t.teardown, rows)
  if (Object.keys(more).length > 0) await addRows(lake, more)
  await build(lake)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  return engine
}

const opened = async (t: Test, more: Rows = {}) => {
  const engine = await engineOf(t, more)
  return async (cusip: string, args: Readonly<Record<string, unknown>> = {}) =>
    (await engine.call('bond.risk', { cusip, as_of: DAY, ...args })).data
}

const near = (t: Test, a: number | null, b: number, within: number, says: string) =>
  t.ok(a !== null && Math.abs(a - b) <= within, `${says}: ${a} and ${b}`)

t.test('the risk of a bond says what it is computed from, and null with a reason otherwise', async t => {
  const risk = await opened(t)

  await t.test('a call costs its holder spread and duration', async t => {
    const [callable, bullet] = [await risk(cusips.callable), await risk(cusips.bullet)]
    t.match(callable, {
      price: 102.5,
      price_from: 'latest',
      price_date: '2025-06-13',
      settlement_date: '2025-06-16',
      curve_date: '2025-06-13',
      flows_to: '2031-09-01',
      options: 'bond',
      exercise: 'american',
      volatility: 100,
      reversion: 0.03,
      null_because: null,
      calls: [
        { date: '2026-09-01', price: 103.625 },
        { date: '2027-09-01' },
        { date: '2028-09-01', price: 100 },
      ],
      puts: [],
      notes: ['make-whole calls are left out'],
    })
    t.match(bullet, { options: 'none', option_value: 0, volatility: null, steps: null, calls: [], notes: [] })
    t.equal(bullet.oas, bullet.z_spread)
    near(t, callable.z_spread, bullet.z_spread!, 1e-3, 'the same flows')
    t.ok(callable.oas! < callable.z_spread! - 20)
    t.ok(callable.option_value! > 1)
    t.ok(callable.effective_duration! < bullet.effective_duration! - 1)
    t.ok(callable.effective_convexity! < 0 && bullet.effective_convexity! > 0)
    for (const each of [callable, bullet]) {
      const sum = each.key_rate_durations!.reduce((all, { duration }) => all + duration, 0)
      near(t, sum, each.effective_duration!, 1e-5, 'key rates')
      near(t, each.spread_duration, each.effective_duration!, 1e-6, 'fixed coupons')
      near(t, each.cs01, each.spread_duration! * (each.price! + each.accrued!) * 0.01, 1e-4, 'CS01')
      near(t, each.dts, each.spread_duration! * each.oas!, 0.01, 'DTS')
    }
  })

  await t.test('the price at the OAS of a price is the price', async t => {
    const at = await risk(cusips.callable, { price: 101 })
    t.match(at, { price_from: 'given', price_date: null, settlement_date: '2025-06-16' })
    const back = await risk(cusips.callable, { oas: at.oas })
    t.equal(back.price_from, 'oas')
    near(t, back.price, 101, 1e-5, 'price')
    await t.rejects(risk(cusips.callable, { oas: 100, price: 100 }), { code: 'INVALID_PARAMETER' })
  })

  await t.test(
    'a callable bond is the bond without its call less the option, and a put raises it',
    async t => {
      const callable = await risk(cusips.callable, { oas: 300 })
      const free = await risk(cusips.callable, { oas: 300, calls: 'none' })
      t.match(free, { options: 'given', option_value: 0, calls: [] })
      near(t, free.price! - callable.price!, callable.option_value!, 1e-4, 'option')
      const puttable = await risk(cusips.bullet, { oas: 500, puts: '2027-09-01:100' })
      t.ok(puttable.option_value! < -1)
      near(
        t,
        (await risk(cusips.bullet, { oas: 500 })).price! - puttable.price!,
        puttable.option_value!,
        1e-4,
        'put',
      )
      t.match(puttable.puts, [{ date: '2027-09-01', price: 100 }])
    },
  )

  await t.test('more volatility and more days to call make a call dearer', async t => {
    const value = async (args: Readonly<Record<string, unknown>>) =>
      (await risk(cusips.callable, { oas: 250, ...args })).option_value!
    t.ok((await value({ volatility: 200 })) > (await value({})))
    t.ok((await value({ exercise: 'bermudan' })) < (await value({})))
    t.ok((await value({ exercise: 'european' })) < (await value({ exercise: 'bermudan' })))
  })

  await t.test('a put of the bond protects its holder, as one that is given', async t => {
    const puttable = await risk(cusips.puttable)
    t.match(puttable, { options: 'none', puts, calls: [], exercise: 'american' })
    const without = await risk(cusips.puttable, { puts: 'none' })
    t.ok(puttable.option_value! < -1, `${puttable.option_value}`)
    t.ok(puttable.oas! > without.oas!)
    t.ok(puttable.effective_duration! < without.effective_duration! - 1)
    t.strictSame({ ...(await risk(cusips.puttable, { puts: '2027-09-01:100' })) }, puttable)
    t.match(await risk(cusips.unreadablePuts), { oas: null, null_because: 'no_put_schedule' })
    t.match((await risk(cusips.puttable, { explain: true }))._explain, { terms: { put_schedule: puts } })
  })

  await t.test('unknown call terms leave the OAS null and figures to maturity', async t => {
    const unknown = await risk(cusips.unknown)
    t.match(unknown, {
      oas: null,
      oas_null_because: 'no_call_terms',
      option_value: null,
      options: 'unknown',
      null_because: null,
      notes: ['no source tells its call terms: figures are of the flows to maturity'],
    })
    t.ok(unknown.z_spread! > 0 && unknown.effective_duration! > 4)
    t.match(await risk(cusips.unknown, { calls: '2027-06-01:102' }), { options: 'given', oas: Number })
  })

  await t.test('what cannot be known is null with a reason', async t => {
    const missing = {
      oas: null,
      z_spread: null,
      effective_duration: null,
      key_rate_durations: null,
      notes: [],
    }
    t.match(await risk(cusips.undated), { ...missing, null_because: 'no_call_schedule' })
    t.match(await risk(cusips.unpriced), { ...missing, null_because: 'no_price' })
    t.match(await risk(cusips.defaulted), { ...missing, null_because: 'defaulted' })
    t.match(await risk(cusips.floater, { calls: '2027-06-01' }), {
      ...missing,
      null_because: 'floating_with_option',
    })
    t.match(await risk(cusips.bullet, { as_of: '2025-06-13', price: 100 }), { null_because: null })
    await t.rejects(risk('000000AK5'), { code: 'INVALID_CUSIP' })
    await t.rejects(risk(cusips.callable, { calls: '2027-13-01:102' }), { code: 'INVALID_PARAMETER' })
  })

  await t.test('the spread of a floating-rate note has a duration that rates do not', async t => {
    const floater = await risk(cusips.floater)
    t.ok(floater.spread_duration! > 4)
    t.ok(floater.effective_duration! < 0.3)
    t.ok(floater.oas! > 150)
  })

  await t.test(
    'a fixed-to-float bond is valued to its last fixed day, a filed par call from its day',
    async t => {
      t.match(await risk(cusips.fixedToFloat), { flows_to: '2030-09-01', options: 'bond', option_value: 0 })
      t.match(await risk(cusips.filed), {
        options: 'instrument',
        calls: [{ date: '2029-09-01', price: 100 }],
        oas: Number,
      })
      const { _explain } = await risk(cusips.filed, { explain: true })
      t.match(_explain, { from_filing: { source: 'test' }, terms: { coupon_rate: 6.75 } })
    },
  )
})

t.test('later prices, curves and schedules do not reach an earlier day', async t => {
  const wanted = await (await opened(t))(cusips.callable)
  const later = '2025-06-20'
  const risk = await opened(t, {
    prices: [price(cusips.callable, 95, later)],
    treasury_yields: curve(later, 1),
    bonds: [
      note(cusips.callable, {
        callable: true,
        call_schedule: JSON.stringify([{ date: '2025-09-01' }]),
        known_from: later,
      }),
    ],
  })
  t.strictSame(await risk(cusips.callable), wanted)
  const after = await risk(cusips.callable, { as_of: later })
  t.match(after, { price: 95, curve_date: later, calls: [{ date: '2025-09-01', price: 100 }] })
})

t.test('a scenario values bonds in full beside the estimate, and sums them by weight', async t => {
  const engine = await engineOf(t)
  const scenario = async (args: Readonly<Record<string, unknown>>) => {
    const { data, meta } = await engine.call('market.scenario', { as_of: DAY, ...args })
    return {
      rows: new Map(data.map(row => [row.cusip, row])),
      meta,
      totals: meta['totals'] as Record<string, number>,
    }
  }

  await t.test('sums over bonds without figures are null, as declared', async t => {
    const { totals } = await scenario({ cusip: cusips.unpriced, shift: 100 })
    t.match(totals, { bonds: 1, valued: 0, change_percent: null, effective_duration: null })
    const declared = marketScenario.meta!['totals'] as { properties: Record<string, { type: unknown }> }
    for (const [name, value] of Object.entries(totals))
      if (value === null) t.strictSame(declared.properties[name]!.type, ['number', 'null'], name)
  })

  await t.test('rates and spreads alone, both together, and what is left out', async t => {
    const { rows, totals, meta } = await scenario({ ticker: 'ALFA', shift: 100, spread_shock: 50 })
    t.equal(rows.size, 9)
    const [callable, bullet] = [rows.get(cusips.callable)!, rows.get(cusips.bullet)!]
    t.ok(bullet.change_percent! < -5)
    near(t, bullet.change_percent, bullet.estimate_percent!, 0.02, 'estimate')
    near(t, bullet.change_percent, bullet.rates_percent! + bullet.spread_percent!, 0.2, 'parts')
    t.ok(callable.change_percent! > bullet.change_percent!)
    t.match(rows.get(cusips.undated), {
      change_percent: null,
      weight: null,
      null_because: 'no_call_schedule',
    })
    t.match(totals, { bonds: 9, valued: 6 })
    near(t, totals['weight_valued']!, 600 / 9, 1e-4, 'weight valued')
    const valued = [...rows.values()].filter(row => row.null_because === null)
    near(
      t,
      totals['change_percent']!,
      valued.reduce((sum, row) => sum + row.change_percent! / 6, 0),
      1e-5,
      'sum',
    )
    t.match(meta, { filters_applied: { shift: 100, spread_shock: 50 } })
    const risk = (await engine.call('bond.risk', { cusip: cusips.bullet, as_of: DAY })).data
    near(t, bullet.effective_duration, risk.effective_duration!, 1e-5, 'duration')
    near(t, bullet.spread, risk.oas!, 1e-3, 'spread')
  })

  await t.test('a put holds the value of its bond', async t => {
    const { rows } = await scenario({ ticker: 'BETA', shift: 200 })
    const puttable = rows.get(cusips.puttable)!
    t.ok(puttable.change_percent! > -6, `${puttable.change_percent}`)
    t.equal(rows.get(cusips.unreadablePuts)!.null_because, 'no_put_schedule')
  })

  await t.test('weights, shocks by rating and sector', async t => {
    const cusip = [cusips.bullet, cusips.unknown]
    const { rows, totals, meta } = await scenario({
      cusip,
      weights: [3, 1],
      sector_shocks: 'energy:100,Retail:50',
      rating_shocks: 'HY-B:75',
    })
    t.match(rows.get(cusips.bullet), { weight: 75, spread_shock: 100, rates_percent: 0 })
    const [a, b] = cusip.map(each => rows.get(each)!.change_percent!)
    near(t, totals['change_percent']!, (3 * a! + b!) / 4, 1e-5, 'weighted')
    t.strictSame(meta['unused_shocks'], ['HY-B', 'retail'])
    await t.rejects(scenario({ cusip, weights: 1 }), { code: 'INVALID_PARAMETER' })
    await t.rejects(scenario({ cusip: '000000AK5' }), { code: 'INVALID_CUSIP' })
    await t.rejects(scenario({ rating_shocks: 'B:75' }), { code: 'INVALID_PARAMETER' })
    const skipped = await scenario({ cusip: ['000000AK5', cusips.bullet], on_unknown: 'skip', twist: 50 })
    t.strictSame(skipped.meta['unknown'], ['000000AK5'])
  })
})
