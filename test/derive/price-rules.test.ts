import t, { type Test } from 'tap'
import { bond, cleanPrice } from '../../engine/credit/bond.ts'
import { parseDay, settlementDay } from '../../engine/credit/calendar.ts'
import { Database } from '../../engine/database/database.ts'
import { identifiedBond } from '../../engine/derive/bonds/same-instruments.ts'
import { Derivation } from '../../engine/derive/derive.ts'
import { batchFiles } from '../../engine/lake/imports.ts'
import { inLake } from '../../engine/lake/lake.ts'
import { makeLake, type Rows } from '../make-lake.ts'

const DAY = '2025-06-02'

const curve = (date: string, ...tenors: number[]) =>
  tenors.map(tenor_months => ({ date, tenor_months, rate: 4, publisher: 'treasury', known_from: date }))
const fullCurve = curve(DAY, 1, 3, 6, 12, 24, 36, 60, 84, 120, 240, 360)

/** Tables of a lake with these rows, as of a day. */
async function derived(t: Test, rows: Rows, asOf = '2025-12-31') {
  const lake = await makeLake(t.teardown, rows)
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

const mark = (id: Record<string, unknown>, price: number, more: Record<string, unknown> = {}) => ({
  ...id,
  price_date: DAY,
  price,
  price_source: 'fund_mark',
  known_from: '2025-06-03',
  ...more,
})

t.test('a bond priced at a few points has a price and no yield', async t => {
  const list = { rate_type: 'fixed', currency: 'USD', known_from: DAY }
  const from = await derived(t, {
    bonds: [
      {
        ...list,
        cusip: '000000AA7',
        issuer_name: 'Sanctioned Oil',
        coupon_rate: 6,
        maturity_date: '2029-06-01',
      },
      { ...list, cusip: '000000BB4', issuer_name: 'Sound Zero', coupon_rate: 0, maturity_date: '2065-06-01' },
    ],
    prices: [mark({ cusip: '000000AA7' }, 4.5), mark({ cusip: '000000BB4' }, 13)],
    treasury_yields: fullCurve,
  })
  t.match(
    await from(
      'pricing',
      'last_price, ytm, spread, duration, yield_null_because, spread_null_because, ytw_null_because',
    ),
    [
      {
        last_price: 4.5,
        ytm: null,
        spread: null,
        duration: null,
        yield_null_because: 'priced_for_default',
        spread_null_because: 'priced_for_default',
        ytw_null_because: 'no_yield',
      },
      { last_price: 13, ytm: Number, yield_null_because: null },
    ],
  )
})

t.test('one tenor is no curve, and a thin curve gives no spread out of its reach', async t => {
  const terms = {
    rate_type: 'fixed',
    seniority: 'senior_unsecured',
    coupon_rate: 5,
    known_from: '2025-01-01',
  }
  const rows = (treasury_yields: Rows[string]): Rows => ({
    bonds: [
      { ...terms, cusip: '000000AA7', maturity_date: '2028-06-02' },
      { ...terms, cusip: '000000BB4', maturity_date: '2034-06-02' },
      { ...terms, cusip: '000000CC2', maturity_date: '2055-06-02' },
    ],
    prices: ['000000AA7', '000000BB4', '000000CC2'].map(cusip => mark({ cusip }, 99)),
    treasury_yields,
  })
  const because = async (...yields: Rows[string][number][]) =>
    (await (await derived(t, rows(yields)))('pricing', 'cusip, spread_null_because')).map(
      row => row['spread_null_because'],
    )
  t.strictSame(await because(...fullCurve), [null, null, null])
  t.strictSame(await because(...curve(DAY, 120)), ['no_curve', 'no_curve', 'no_curve'])
  t.strictSame(await because(...curve('2025-05-30', 12, 24, 60, 120), ...curve(DAY, 120)), [
    null,
    null,
    'outside_curve',
  ])
  t.strictSame(await because(...curve(DAY, 3, 120)), ['outside_curve', 'outside_curve', 'outside_curve'])
  t.strictSame(await because(...curve(DAY, 24, 120)), [null, null, 'outside_curve'])
})

t.test('published figures of a list are kept beside ours', async t => {
  const from = await derived(t, {
    bonds: [
      {
        cusip: '000000AA7',
        coupon_rate: 5,
        rate_type: 'fixed',
        maturity_date: '2030-06-02',
        known_from: DAY,
      },
    ],
    prices: [
      mark({ cusip: '000000AA7' }, 99, {
        published_ytm: 5.23,
        published_ytw: 5.1,
        published_duration: 4.4,
        published_spread: 118,
        list_name: 'Made Up ETF',
      }),
    ],
    treasury_yields: fullCurve,
  })
  t.strictSame(
    await from(
      'pricing',
      'round(ytm, 2) AS ytm, published_ytm, published_ytw, published_duration, published_spread, list_name',
    ),
    [
      {
        ytm: 5.23,
        published_ytm: 5.23,
        published_ytw: 5.1,
        published_duration: 4.4,
        published_spread: 118,
        list_name: 'Made Up ETF',
      },
    ],
  )
})

t.test('a deeply negative spread of a bond described only by a list is withheld', async t => {
  const list = { rate_type: 'fixed', coupon_rate: 3, known_from: DAY }
  const from = await derived(t, {
    bonds: [
      { ...list, cusip: '000000AA7', issuer_name: 'Listed Corp', maturity_date: '2026-09-02' },
      {
        ...list,
        cusip: '000000BB4',
        issuer_name: 'Stated Corp',
        maturity_date: '2026-09-02',
        seniority: 'senior_unsecured',
      },
    ],
    prices: [mark({ cusip: '000000AA7' }, 99.8), mark({ cusip: '000000BB4' }, 99.8)],
    treasury_yields: fullCurve,
  })
  t.match(await from('pricing', 'cusip, ytm, spread, spread_withheld, yield_null_because'), [
    {
      cusip: '000000AA7',
      ytm: null,
      spread: null,
      spread_withheld: Number,
      yield_null_because: 'below_treasury',
    },
    { cusip: '000000BB4', ytm: Number, spread: Number, spread_withheld: null, yield_null_because: null },
  ])
})

/** A price at a spread over the flat curve, to maturity or to an earlier redemption. */
const priceAt = (coupon: number, redeemed: string, spread: number) =>
  cleanPrice(bond({ coupon, maturity: parseDay(redeemed) }), 4 + spread / 100, settlementDay(parseDay(DAY)))

t.test(
  "fixed-to-float bonds in a list without yields are recognised from the bank's other bonds",
  async t => {
    const cusips = ['000000AA7', '000000BB4', '000000CC2', '000000DD0', '000000EE8', '000000FF5', '000000GG3']
    const bonds = [
      ['Bank bullet 2028', 4.95, '2028-06-02', '2028-06-02'],
      ['Bank bullet 2030', 5, '2030-06-02', '2030-06-02'],
      ['Bank bullet 2033', 2.25, '2033-06-02', '2033-06-02'],
      ['Bank floats from 2028', 1.578, '2029-06-02', '2028-06-02'],
      ['Bank floats from 2030', 2.699, '2031-06-02', '2030-06-02'],
      ['Bank at par', 4.998, '2030-06-02', '2029-06-02'],
      ['Maker bullet', 1.578, '2029-06-02', '2028-06-02'],
    ] as const
    const from = await derived(t, {
      bonds: bonds.map(([name, coupon_rate, maturity_date], i) => ({
        cusip: cusips[i],
        name,
        issuer_name: name.startsWith('Bank') ? 'First Bank Corp' : 'Maker Corp',
        coupon_rate,
        maturity_date,
        rate_type: 'fixed',
        known_from: DAY,
      })),
      prices: bonds.map(([, coupon, , redeemed], i) =>
        mark({ cusip: cusips[i] }, priceAt(coupon, redeemed, 100)),
      ),
      treasury_yields: fullCurve,
    })
    t.strictSame(
      (
        await from(
          'bonds',
          "name, rate_structure, json_extract_string(_explain, '$.terms.rate_structure_from') AS said_by",
        )
      ).map(row => Object.values(row)),
      [
        ['Bank at par', 'fixed_to_float', 'other bonds of the issuer'],
        ['Bank bullet 2028', 'fixed', 'rate type'],
        ['Bank bullet 2030', 'fixed', 'rate type'],
        ['Bank bullet 2033', 'fixed', 'rate type'],
        ['Bank floats from 2028', 'fixed_to_float', 'other bonds of the issuer'],
        ['Bank floats from 2030', 'fixed_to_float', 'other bonds of the issuer'],
        ['Maker bullet', 'fixed', 'rate type'],
      ],
    )
  },
)

t.test("a bank's bullets are not judged by bonds of its holding company abroad", async t => {
  // That float in their last year, at prices of another day: of the bank itself one price is known.
  const bonds = [
    ['First Bank SA bullet', 'First Bank SA', 2.746, '2027-08-02', '2027-08-02', null],
    [
      'First Bank USA floats from 2029',
      'First Bank Holdings USA Inc',
      6.174,
      '2030-06-02',
      '2029-06-02',
      'fixed_to_float',
    ],
    [
      'First Bank USA floats from 2030',
      'First Bank Holdings USA Inc',
      5.353,
      '2031-06-02',
      '2030-06-02',
      'fixed_to_float',
    ],
  ] as const
  const cusips = ['000000AA7', '000000BB4', '000000CC2']
  const from = await derived(t, {
    companies: [{ ticker: 'FBSA', name: 'First Bank SA', sector: 'Banks' }],
    bonds: bonds.map(([name, issuer_name, coupon_rate, maturity_date, , rate_structure], i) => ({
      cusip: cusips[i],
      name,
      issuer_name,
      coupon_rate,
      maturity_date,
      rate_type: 'fixed',
      ...(rate_structure && { rate_structure }),
      known_from: DAY,
    })),
    prices: bonds.map(([, , coupon, , redeemed, structure], i) =>
      mark(
        { cusip: cusips[i] },
        priceAt(coupon, redeemed, 100),
        structure ? {} : { price_date: '2025-05-30' },
      ),
    ),
    treasury_yields: [...fullCurve, ...fullCurve.map(row => ({ ...row, date: '2025-05-30' }))],
  })
  t.strictSame(
    (await from('bonds', 'name, company_ticker, rate_structure')).map(row => Object.values(row)),
    bonds.map(([name, , , , , structure]) => [name, 'FBSA', structure ?? 'fixed']),
  )
})

t.test('a coupon that a later list rounds to two decimals keeps the others', async t => {
  const coupons = [
    ['000000AA7', 3.577, 3.58],
    ['000000BB4', 4.875, 4.88],
    // Not that coupon rounded: it has stepped up.
    ['000000CC2', 5.125, 5.38],
  ] as const
  const from = await derived(t, {
    bonds: coupons.flatMap(([cusip, exact, rounded]) => [
      { cusip, coupon_rate: exact, known_from: '2024-01-02' },
      { cusip, coupon_rate: rounded, coupon_rounded: true, known_from: '2025-01-02' },
    ]),
  })
  t.strictSame(await from('bonds', 'cusip, coupon_rate'), [
    { cusip: '000000AA7', coupon_rate: 3.577 },
    { cusip: '000000BB4', coupon_rate: 4.875 },
    { cusip: '000000CC2', coupon_rate: 5.375 },
  ])
})

t.test(
  'a listed bond without identifiers is joined to the one bond with its issuer, coupon and maturity',
  async t => {
    const terms = {
      coupon_rate: 5.125,
      maturity_date: '2030-06-02',
      currency: 'USD',
      known_from: '2025-01-01',
    }
    const own = (name: string, coupon: string) => `${name}|${coupon}|2030-06-02`
    const listed = (name: string, coupon: number | null, more = {}) => ({
      bond_id: own(name, coupon === null ? '' : String(coupon)),
      name,
      issuer_name: name,
      coupon_rate: coupon,
      maturity_date: '2030-06-02',
      currency: 'USD',
      known_from: '2025-06-03',
      ...more,
    })
    const from = await derived(t, {
      bonds: [
        { ...terms, cusip: '000000AA7', issuer_name: 'Alfa Drilling Corp' },
        { ...terms, cusip: '000000BB4', issuer_name: 'Beta Networks Inc' },
        { ...terms, cusip: '000000CC2', issuer_name: 'Beta Networks Inc' },
        listed('ALFA DRILLING CORP', 5.13),
        listed('BETA NETWORKS INC', 5.13),
        listed('GAMMA PIPES INC', 5.13),
        listed('ALFA DRILLING CORP', 6.25),
      ],
      prices: [
        mark({ bond_id: own('ALFA DRILLING CORP', '5.13') }, 99),
        mark({ bond_id: own('GAMMA PIPES INC', '5.13') }, 98),
      ],
      treasury_yields: fullCurve,
    })
    t.strictSame(await from('bonds', 'id, other_ids'), [
      { id: '000000AA7', other_ids: ['ALFA DRILLING CORP|5.13|2030-06-02'] },
      { id: '000000BB4', other_ids: null },
      { id: '000000CC2', other_ids: null },
      { id: 'ALFA DRILLING CORP|6.25|2030-06-02', other_ids: null },
      { id: 'BETA NETWORKS INC|5.13|2030-06-02', other_ids: null },
      { id: 'GAMMA PIPES INC|5.13|2030-06-02', other_ids: null },
    ])
    t.strictSame(await from('pricing', 'bond_id, last_price'), [
      { bond_id: '000000AA7', last_price: 99 },
      { bond_id: 'GAMMA PIPES INC|5.13|2030-06-02', last_price: 98 },
    ])
  },
)

t.test("a list without coupons must publish the bond's yield; 144A and REG S distinguish two forms", t => {
  const maturity = parseDay('2030-06-02')
  const identified = (id: string, coupon: number, name = 'Digital Towers Ltd') => ({
    id,
    name,
    coupon,
    accrual: null,
    maturity,
    currency: 'USD',
  })
  const listed = (name: string, ytm: number | null) => ({
    name,
    coupon: null,
    maturity,
    currency: null,
    quote: ytm === null ? null : { day: parseDay(DAY), price: 100, ytm },
  })
  const both = [identified('25389JAA6', 6), identified('G2763RAA4', 6)]
  t.equal(identifiedBond(listed('DIGITAL TOWERS LTD 144A', 6), both), '25389JAA6')
  t.equal(identifiedBond(listed('DIGITAL TOWERS LTD RegS', 6), both), 'G2763RAA4')
  t.equal(identifiedBond(listed('DIGITAL TOWERS LTD', 6), both), null, 'nothing tells the two apart')
  t.equal(identifiedBond(listed('DIGITAL TOWERS LTD 144A', 6.4), both), null, 'another coupon')
  t.equal(identifiedBond(listed('DIGITAL TOWERS LTD 144A', null), both), null, 'nothing says the coupon')
  t.equal(identifiedBond(listed('DIGITAL TOYS LTD', 6), both.slice(0, 1)), null)
  t.end()
})
