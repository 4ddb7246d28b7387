import t from 'tap'
import { listNameOf } from '../../engine/ingest/readers/list-name.ts'
import { priceList } from '../../engine/ingest/readers/price-list.ts'
import { readers } from '../../engine/ingest/readers.ts'
import { reading, rowsFor, sourceOf } from './reading.ts'

const HEADER = 'etf,date_of_pull,created_at,name,location,sector,maturity,weight_pct,ytm_pct,price'
const line = (
  pull: string,
  name: string,
  price: number,
  { etf = 'EMCO', sector = 'Industrial', location = 'Mexico', maturity = '"Jan 15, 2030"' } = {},
) => `${etf},${pull},${pull} 23:00:00,${name},${location},${sector},${maturity},0.1,5.25,${price}`
const file = (...lines: string[]) => `${[HEADER, ...lines].join('\n')}\n`

t.test('a list of several retrievals gives the close before each, except where no price changed', async t => {
  const pulls = {
    '2026-02-26': [99.1, 101.2],
    '2026-02-27': [99.3, 101.1],
    // Saturday's list still shows Thursday's close; Sunday's shows Friday's, as does Monday's.
    '2026-02-28': [99.3, 101.1],
    '2026-03-01': [99.2, 101.4],
    '2026-03-02': [99.2, 101.4],
  }
  const text = file(
    ...Object.entries(pulls).flatMap(([day, [one, two]]) => [
      line(day, 'ALFA SA', one!),
      line(day, 'BETA SA', two!),
    ]),
  )
  t.equal(
    readers.find(reader => reader.recognises(sourceOf(text))),
    priceList,
  )
  const r = await reading(priceList, text)
  t.strictSame(
    rowsFor(r, 'prices')
      .filter(row => row['bond_id'] === 'ALFA SA||2030-01-15')
      .map(row => [row['price_date'], row['price'], row['known_from']]),
    [
      ['2026-02-25', 99.1, '2026-02-26'],
      ['2026-02-26', 99.3, '2026-02-27'],
      ['2026-02-26', 99.3, '2026-02-27'],
      ['2026-02-27', 99.2, '2026-03-01'],
      ['2026-02-27', 99.2, '2026-03-01'],
    ],
  )
  t.match(rowsFor(r, 'prices')[0], {
    published_ytm: 5.25,
    list_name: 'EMCO',
    price_source: 'fund_mark',
    cusip: null,
  })
  t.strictSame(
    rowsFor(r, 'bonds').map(row => [
      row['name'],
      row['coupon_rate'],
      row['maturity_date'],
      row['known_from'],
    ]),
    [
      ['ALFA SA', null, '2030-01-15', '2026-02-26'],
      ['BETA SA', null, '2030-01-15', '2026-02-26'],
    ],
  )
  t.match(r.notes, [/5 retrievals show 3 closes/, /no coupons/, /state-owned/])
})

t.test('states, cash and indistinguishable bonds are refused, each line once', async t => {
  const day = '2026-02-26'
  const r = await reading(
    priceList,
    file(
      line(day, 'BLK CASH FUND', 1, { sector: 'Cash and/or Derivatives', maturity: '-' }),
      line(day, 'COLOMBIA (REPUBLIC OF)', 84, { sector: 'Sovereign' }),
      line(day, 'STATE OIL SA', 95, { sector: 'Agency', location: 'Saudi Arabia' }),
      line(day, 'FEDERAL HOME LOAN BANKS', 99, { sector: 'Agency', location: 'United States' }),
      line(day, 'TWIN SA', 98),
      line(day, 'TWIN SA', 97),
      line(day, 'FOR EVER SA', 99, { maturity: '"Dec 31, 2079"' }),
      line('soon', 'ALFA SA', 99),
    ),
  )
  t.strictSame(
    r.refused.map(({ at, reason }) => [at, reason.slice(0, 44)]),
    [
      ['row 2', 'not corporate debt: sector Cash and/or Deriv'],
      ['row 3', 'not corporate debt: sector Sovereign'],
      ['row 5', 'not corporate debt: sector Agency'],
      ['row 6', 'several lines of this day have the same name'],
      ['row 7', 'several lines of this day have the same name'],
      ['row 9', 'the day "soon" is not a date'],
    ],
  )
  t.strictSame(
    rowsFor(r, 'bonds').map(row => [row['name'], row['maturity_date']]),
    [
      ['STATE OIL SA', '2030-01-15'],
      ['FOR EVER SA', null],
    ],
  )
})

t.test('a list of one day with coupons and spreads needs no retrieval date', async t => {
  const text =
    'Issuer,Coupon,Maturity Date,Clean Price,Yield,Spread (bp)\nACME INC,5.125,2030-01-15,99.5,5.25,118\n'
  await t.rejects(reading(priceList, text), { name: 'Refused', message: /--date/ })
  const r = await reading(priceList, text, { date: '2025-12-17' })
  t.match(rowsFor(r, 'bonds'), [
    { bond_id: 'ACME INC|5.125|2030-01-15', coupon_rate: 5.125, issuer_name: 'ACME INC' },
  ])
  t.match(rowsFor(r, 'prices'), [
    {
      price_date: '2025-12-17',
      known_from: '2025-12-18',
      published_ytm: 5.25,
      published_spread: 118,
      list_name: 'made_up',
    },
  ])
})

t.test('a table with identifiers, and one without prices, are not price lists', t => {
  for (const header of ['cusip,name,maturity,price', 'name,maturity_date,coupon_rate', 'Name,Price'])
    t.notOk(priceList.recognises(sourceOf(`${header}\na,b,c,d\n`)), header)
  t.end()
})

t.test('the files of several days are one list', t => {
  const names = [
    'data/LQD_holdings-2025-12-17.csv',
    'LQD_holdings_2025-12-18.csv.gz',
    'all.zip!x/LQD_holdings.csv',
  ]
  t.strictSame(
    names.map(listNameOf),
    names.map(() => 'LQD_holdings'),
  )
  t.end()
})
