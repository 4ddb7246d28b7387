import t from 'tap'
import { holdings } from '../../engine/ingest/readers/holdings.ts'
import { reading, rowsFor, sourceOf } from './reading.ts'

const HEADER =
  'Name,Sector,Asset Class,Market Value,Weight (%),Notional Value,Par Value,CUSIP,ISIN,SEDOL,Price,Location,Exchange,Currency,Duration,YTM (%),FX Rate,Maturity,Coupon (%),Mod. Duration,Yield to Call (%),Yield to Worst (%),Real Duration,Real YTM (%),Market Currency,Accrual Date,Effective Date'
const bond = (cusip = '037833100', isin = 'US0378331005', price = '98.26', sector = 'Technology') =>
  `ACME INC,${sector},Fixed Income,"99,187,000.00",0.1,"99,187,000.00","100,000,000.00",${cusip},${isin},-,${price},United States,-,USD,3.86,4.32,1,"Apr 15, 2030",3.88,3.91,-,4.31,3.91,4.32,USD,"Apr 15, 2021","May 21, 2021"`
const CASH =
  'CASH FUND,Cash and/or Derivatives,Money Market,"293,190,000.23",0.94,"293,190,000.23","293,190,000.00",66922477,US0669224778,6922477,1,United States,-,USD,0.09,3.82,1,-,3.65,0.11,-,3.82,0.11,3.82,USD,-,"Feb 04, 2009"'
const file = (...lines: string[]) => `${[HEADER, ...lines].join('\n')}\n`

t.test("a fund's bond is read with its mark, accrued interest and published figures", async t => {
  const r = await reading(holdings, file(bond()), { date: '2025-12-19' })
  const id = { cusip: '037833100', isin: 'US0378331005', bond_id: null }
  t.strictSame(rowsFor(r, 'bonds'), [
    {
      ...id,
      name: 'ACME INC',
      issuer_name: 'ACME INC',
      sector: 'Technology',
      coupon_rate: 3.88,
      coupon_rounded: true,
      maturity_date: '2030-04-15',
      accrual_date: '2021-04-15',
      currency: 'USD',
      known_from: '2025-12-22',
    },
  ])
  t.strictSame(rowsFor(r, 'prices'), [
    {
      ...id,
      price_date: '2025-12-19',
      price: 98.26,
      price_basis: 'clean',
      price_source: 'fund_mark',
      accrued: 0.927,
      trade_count: 0,
      currency: 'USD',
      published_ytm: 4.32,
      published_ytw: 4.31,
      published_duration: 3.91,
      published_spread: null,
      list_name: 'made_up',
      known_from: '2025-12-22',
    },
  ])
})

t.test('cash, other sectors, bad figures and legal text are refused, each row once', async t => {
  const r = await reading(
    holdings,
    file(
      CASH,
      bond(),
      bond(undefined, undefined, '9x'),
      bond(undefined, undefined, '99', 'Treasuries'),
      ' ',
      'Holdings subject to change.',
      'Prices, as shown, "are" legal.',
    ),
    { date: '2025-12-17' },
  )
  t.strictSame(
    r.refused.map(({ at, reason }) => [at, reason]),
    [
      ['row 2', 'not a bond: asset class Money Market'],
      ['row 4', 'Price: "9x" is not a number'],
      ['row 5', 'not corporate debt: sector Treasuries'],
      ['row 7', 'not a holding: text of the publisher'],
      ['row 8', 'not a holding: text of the publisher'],
    ],
  )
  t.strictSame(
    r.taken.map(row => row.at),
    ['row 3'],
  )
})

t.test('the day comes from the preamble, else --date, else the file is refused', async t => {
  const text = `Made Up Bond ETF\nFund Holdings as of,"Dec 17, 2025"\nInception Date,"Jul 22, 2002"\n\u00a0\n${file(bond())}`
  t.ok(holdings.recognises(sourceOf(text)))
  const r = await reading(holdings, text, { date: '2025-01-01' })
  t.strictSame(
    rowsFor(r, 'prices').map(v => [v['price_date'], v['known_from']]),
    [['2025-12-17', '2025-12-18']],
  )
  t.match(r.notes, [/--date 2025-01-01 is ignored/, /holdings of 2025-12-17/])
  await t.rejects(reading(holdings, file(bond())), { name: 'Refused', message: /--date YYYY-MM-DD/ })
})

t.test('a CUSIP that a spreadsheet read as a number or a date is restored from the ISIN', async t => {
  const r = await reading(
    holdings,
    file(bond('3.45E+71', 'US345397E664'), bond('88732Jan8', 'US88732JAN81')),
    {
      date: '2025-12-17',
    },
  )
  t.strictSame(
    rowsFor(r, 'bonds').map(v => v['cusip']),
    ['345397E66', '88732JAN8'],
  )
})

t.test('a bond without a price is taken without one', async t => {
  const r = await reading(holdings, file(bond(undefined, undefined, '-')), { date: '2025-12-17' })
  t.strictSame([rowsFor(r, 'bonds').length, rowsFor(r, 'prices').length], [1, 0])
})

t.test('an equity fund, and text that mentions the header, are not bond holdings', async t => {
  const equity =
    'Ticker,Name,Sector,Asset Class,Market Value,Weight (%),Price\nAAPL,APPLE INC,IT,Equity,1,1,1\n'
  await t.rejects(reading(holdings, equity, { date: '2025-12-17' }), {
    message: /not a bond fund's holdings/,
  })
  t.notOk(holdings.recognises(sourceOf(`# Source\n\nThe header:\n\n${file(bond())}`)))
})
