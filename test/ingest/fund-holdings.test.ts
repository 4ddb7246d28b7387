import t from 'tap'
import { cusipCheckDigit, isinCheckDigit } from '../../engine/credit/identifiers.ts'
import { holdings } from '../../engine/ingest/readers/holdings.ts'
import { readers } from '../../engine/ingest/readers.ts'
import { reading, rowsFor, sourceOf } from './reading.ts'

const cusip = (base: string) => `${base}${cusipCheckDigit(base)}`
const isin = (base: string) => `${base}${isinCheckDigit(base)}`
const [ACME, BRAVO, CELIA] = [cusip('998ACM1A'), cusip('998BRV1A'), cusip('998CEL1A')]
const ACME_ISIN = isin(`US${ACME}`)
const EURO_ISIN = isin('XS998000001')

const lines = (...all: string[]) => `${all.join('\n')}\n`

/** What was taken, and why rows were not. */
async function read(text: string, options = {}) {
  t.equal(readers.find(reader => reader.recognises(sourceOf(text)))?.kind, 'holdings')
  const r = await reading(holdings, text, options)
  return {
    bonds: rowsFor(r, 'bonds'),
    prices: rowsFor(r, 'prices'),
    refused: r.refused.map(({ reason }) => reason),
    notes: r.notes,
  }
}
const few = (row: Record<string, unknown> | undefined, ...names: string[]) => names.map(name => row?.[name])

t.test('a bond fund of Invesco gives prices by value over par, without Treasuries and cash', async t => {
  const { bonds, prices, refused, notes } = await read(
    lines(
      'Fund Ticker,Security Identifier,Holding Ticker,Name,PercentageOfFund,Shares/Par Value,Market Value,CouponRate,MaturityDate,Rating,PositionDate',
      `ZZBF,${ACME},--,ACME CORP,1.10,"1,000,000","1,050,120",5.200,03/15/2033,A,08/21/2026`,
      `ZZBF,912810ZZ9,--,US TREASURY NTS,2.50,"5,000,000","5,100,000",4.125,05/15/2028,AAA,08/21/2026`,
      'ZZBF,CASHUSD00,--,Cash and Cash Equivalents,0.10,"100,000","100,000",0,,,08/21/2026',
    ),
  )
  t.strictSame(bonds.length, 1)
  t.strictSame(few(bonds[0], 'cusip', 'name', 'coupon_rate', 'maturity_date', 'known_from'), [
    ACME,
    'ACME CORP',
    5.2,
    '2033-03-15',
    '2026-08-24',
  ])
  t.strictSame(few(prices[0], 'price', 'price_basis', 'price_date', 'list_name', 'accrued'), [
    105.012,
    'clean',
    '2026-08-21',
    'ZZBF',
    null,
  ])
  t.strictSame(refused, ['not corporate debt: a government or agency', 'not a bond: cash'])
  t.match(notes, [/days in its rows/, /no prices: they are market value over par/])
})

t.test('a fund of SPDR is read below its title lines, by CUSIP or ISIN', async t => {
  const { bonds, prices, refused } = await read(
    lines(
      'Fund Name:,Zed Short Term Corporate Bond ETF',
      'Ticker Symbol:,ZZSB',
      'Holdings:,As of 25-Nov-2024',
      '',
      'Name,Identifier,SEDOL,Weight,Coupon,Par Value,Market Value,Local Currency,Maturity',
      `ACME CORP COMPANY GUAR 03/28 4.35,${ACME_ISIN},BXXXXX1,0.21,4.35,13500000,13462470,USD,03/15/2028`,
      `BRAVO INC SR UNSECURED 01/27 3.1,${BRAVO},BXXXXX2,0.10,3.1,2000000,1990000,USD,01/15/2027`,
      `CELIA SA SR UNSECURED 01/27 3.1,${EURO_ISIN},BXXXXX3,0.10,3.1,2000000,2100000,EUR,01/15/2027`,
      'SSI US GOV MONEY MARKET CLASS,9990000,,0.5,4.6,1000000,1000000,USD,',
      '',
      'Past performance is not a guarantee of future results.',
    ),
  )
  t.strictSame(
    bonds.map(row => few(row, 'cusip', 'isin', 'coupon_rate', 'currency')),
    [
      [ACME, ACME_ISIN, 4.35, 'USD'],
      [BRAVO, null, 3.1, 'USD'],
      [null, EURO_ISIN, 3.1, 'EUR'],
    ],
  )
  t.strictSame(
    prices.map(row => few(row, 'price', 'price_date', 'list_name')),
    [
      [99.722, '2024-11-25', 'Zed Short Term Corporate Bond ETF'],
      [99.5, '2024-11-25', 'Zed Short Term Corporate Bond ETF'],
    ],
    'the value of a bond in another currency gives no price',
  )
  t.strictSame(refused, ['not a bond: cash', 'not a holding: text of the publisher'])
})

t.test('a weight may be a percentage of assets', async t => {
  const { bonds, prices } = await read(
    lines(
      'Fund Name,As Of Date,Symbol,Security Name,CUSIP,Coupon Rate,Maturity Date,Par Value,Market Value,Percent of Assets',
      `"Zed Corporate Bond ETF",11/20/2026,ZZCB,"ACME CORP",${ACME},5.468%,1/23/2035,"$1,500,000.00","$1,552,350.00",0.85%`,
    ),
  )
  t.strictSame(few(bonds[0], 'cusip', 'coupon_rate', 'maturity_date', 'currency', 'known_from'), [
    ACME,
    5.468,
    '2035-01-23',
    'USD',
    '2026-11-23',
  ])
  t.strictSame(few(prices[0], 'price', 'price_date', 'list_name'), [
    103.49,
    '2026-11-20',
    'Zed Corporate Bond ETF',
  ])
})

t.test('holdings of Vanguard and VanEck are read with signs, percent and long names of months', async t => {
  const vanguard = await read(
    lines(
      'Zed Intermediate-Term Corporate Bond ETF',
      'Holding details as of 10/31/2024',
      'Holding name,CUSIP,SEDOL,% of fund,Face amount,Coupon/Yield,Maturity/expiration,Market value',
      `Acme Corp.,${ACME},-,0.31 %,"$2,000,000",4.35 %,03/15/2028,"$1,994,440.00"`,
      'CMT Market Liquidity Fund,-,-,0.10 %,"$1,000",4.8 %,--,"$1,000.00"',
    ),
  )
  t.strictSame(few(vanguard.prices[0], 'price', 'currency', 'price_date', 'list_name'), [
    99.722,
    'USD',
    '2024-10-31',
    'Zed Intermediate-Term Corporate Bond ETF',
  ])
  t.strictSame(vanguard.refused, ['not a bond: cash'])
  const vaneck = await read(
    lines(
      'Zed Fallen Angel Bond ETF',
      'Daily Holdings (%) as of November 25 2024',
      'Number,Holding Name,Ticker,FIGI,Asset Class,Coupon,Maturity,Shares / Par Value,Market Value (US$),Notional Value,% of Net Assets',
      '1,Acme Corp,ACM,BBG000000001,Bond,4.350,03/15/2028,"2,000,000","$1,994,440.00","$1,994,440.00",1.31%',
      '2,Other/Cash,-,-,Cash,0,,1000,"$1,000.00",,0.1%',
    ),
    { date: '2024-11-25' },
  )
  t.strictSame(few(vaneck.bonds[0], 'bond_id', 'coupon_rate', 'currency'), [
    'ACME CORP|4.35|2028-03-15',
    4.35,
    'USD',
  ])
  t.strictSame(vaneck.refused, ['not a bond: asset class Cash'])
})

t.test('iShares in German is read with decimal commas, joined dates and its asset classes', async t => {
  const { bonds, prices, refused, notes } = await read(
    lines(
      '\uFEFFFondsposition per,"19.Juni2026"',
      ' ',
      'Emittententicker,Name,Sektor,Anlageklasse,Marktwert,Gewichtung (%),Nominalwert,Nominale,ISIN,Kurs,Standort,Börse,Duration,Fälligkeit,Kupon (%),Marktwährung',
      `"ACM","ACME CORP","Industrie","Anleihen","1.014.250,00","1,23","1.014.250,00","1.000.000,00","${EURO_ISIN}","100,15","Frankreich","-","3,10","15.März2030","3,50","EUR"`,
      '"BND","BUNDESREPUBLIK","Staatsanleihen","Anleihen","1.000,00","1,23","1.000,00","1.000,00","-","99,15","Deutschland","-","3,10","15.Dez.2030","2,50","EUR"',
      '"EUR","EUR CASH","Cash und/oder Derivate","Cash","2.000,00","0,25","2.000,00","2.000,00","-","100,00","-","-","0,00","-","0,00","EUR"',
      '"FGBM","EURO-BOBL FUTURE","Cash und/oder Derivate","Futures","0,00","0,00","1,00","9,00","-","117,75","-","-","0,00","-","0,00","EUR"',
      '\u00a0',
    ),
  )
  t.strictSame(few(bonds[0], 'isin', 'coupon_rate', 'maturity_date', 'currency', 'sector'), [
    EURO_ISIN,
    3.5,
    '2030-03-15',
    'EUR',
    'Industrie',
  ])
  t.strictSame(few(prices[0], 'price', 'accrued', 'price_date'), [100.15, 1.275, '2026-06-19'])
  t.strictSame(refused.slice(0, 3), [
    'not corporate debt: sector Staatsanleihen',
    'not a bond: asset class Cash',
    'not a bond: asset class Futures',
  ])
  t.match(notes.join(), /decimal comma/)
})

t.test('semicolons, French names of columns, blanks and apostrophes in numbers are read', async t => {
  const { bonds, prices } = await read(
    lines(
      'Positions du fonds au;"29/nov./2024"',
      'Nom;Secteur;Classe d’actifs;Valeur de marché;Pondération (%);Valeur nominale;ISIN;Cours;Échéance;Coupon (%);Devise du marché',
      `ACME SA;Industrie;Obligations;1 014 250,00;1,23;1 000 000,00;${EURO_ISIN};100,15;15/févr./2030;3,50;EUR`,
    ),
  )
  t.strictSame(few(bonds[0], 'coupon_rate', 'maturity_date'), [3.5, '2030-02-15'])
  t.strictSame(few(prices[0], 'price', 'price_date', 'currency'), [100.15, '2024-11-29', 'EUR'])
  const swiss = await read(
    lines(
      'Stichtag;30.11.2024',
      'Name;ISIN;Marktwert;Gewichtung (%);Nominalwert;Kurs;Fälligkeit;Kupon (%);Währung',
      `ACME AG;${EURO_ISIN};1’014’250.00;1.23;1’000’000.00;100.15;15.02.2030;3.50;CHF`,
    ),
  )
  t.strictSame(few(swiss.prices[0], 'price', 'accrued', 'price_date', 'currency'), [
    100.15,
    1.275,
    '2024-11-30',
    'CHF',
  ])
})

const many = (rows: readonly (readonly [price: string, value: string, coupon: string])[]) =>
  lines(
    'Name,CUSIP,Par Value,Market Value,Weight,Price,Coupon,Maturity,As of Date',
    ...rows.map(
      ([price, value, coupon], i) =>
        `ISSUER ${i},${cusip(`998ISS${String(i).padStart(2, '0')}`)},100000,${value},0.1,${price},${coupon},03/15/2031,11/25/2024`,
    ),
  )

t.test('prices of a whole file in fractions of par, or per 1,000, are read as percent', async t => {
  const fractions = await read(many(Array.from({ length: 6 }, (_, i) => [`0.98${i}`, `98${i}00`, '5'])))
  t.strictSame(
    fractions.prices.map(row => row['price']),
    [98, 98.1, 98.2, 98.3, 98.4, 98.5],
  )
  t.match(fractions.notes.join(), /prices are fractions of par/)
  const thousands = await read(many(Array.from({ length: 6 }, (_, i) => [`98${i}.5`, `98${i}50`, '5'])))
  t.strictSame(thousands.prices[0]?.['price'], 98.05)
  t.match(thousands.notes.join(), /per 1,000 of par/)
  const one = await read(many([['0.987', '98700', '5']]))
  t.strictSame(one.prices[0]?.['price'], 98.7, 'one price is confirmed by its value over par')
  const distressed = await read(many([['0.987', '987', '5']]))
  t.strictSame(distressed.prices[0]?.['price'], 0.987, 'a bond that is worth nothing keeps its price')
})

t.test('coupons of a whole file in fractions are read as percent', async t => {
  const { bonds } = await read(many(Array.from({ length: 10 }, (_, i) => ['98', '98000', `0.05${i}5`])))
  t.strictSame([bonds[0]?.['coupon_rate'], bonds[0]?.['coupon_rounded']], [5.05, true])
})

t.test('prices in no unit that is known refuse the file', async t => {
  const text = many(Array.from({ length: 6 }, () => ['98000', '98000', '5']))
  await t.rejects(reading(holdings, text), {
    name: 'Refused',
    message: /neither in percent of par, nor fractions/,
  })
})

t.test('futures, swaps, forwards, repos and short positions are refused by their names', async t => {
  const { bonds, refused } = await read(
    lines(
      'Name,CUSIP,Par Value,Market Value,Weight,Coupon,Maturity,As of Date',
      `ACME CORP,${ACME},100000,98000,0.1,5,03/15/2031,11/25/2024`,
      'US 10YR NOTE FUT DEC24,-,100,1000,0.1,,12/19/2024,11/25/2024',
      'CDX NA HY SWAP,-,100,1000,0.1,5,12/20/2029,11/25/2024',
      'EUR/USD FX FORWARD CONTRACT,-,100,1000,0.1,,12/20/2024,11/25/2024',
      'TRI-PARTY REPO,-,100,1000,0.1,4.6,11/26/2024,11/25/2024',
      `BRAVO INC,${BRAVO},-100000,-98000,0.1,5,03/15/2031,11/25/2024`,
      `CELIA FORWARD AIR INC,${CELIA},100000,98000,0.1,5,03/15/2031,11/25/2024`,
      'SOME COMMON STOCK,-,100,1000,0.1,,,11/25/2024',
    ),
  )
  t.strictSame(
    bonds.map(row => row['name']),
    ['ACME CORP', 'CELIA FORWARD AIR INC'],
  )
  t.strictSame(refused, [
    'not a bond: a future',
    'not a bond: a swap',
    'not a bond: a currency forward',
    'not a bond: a repurchase agreement',
    'a short position',
    'not a bond: no maturity',
  ])
})

t.test('a fund in a fund of bonds is none, and the list of what it holds is read below', async t => {
  const header = 'Name,Sector,Asset Class,Market Value,Weight (%),Par Value,Price,Maturity,Coupon (%)'
  const list = (day: string) =>
    lines(
      'Fund Holdings as of,"Sep 17, 2026"',
      header,
      '"Zed Income Active ETF","ETFs","Fixed Income","5,600,000","99.9","78,000","71.78","-","0.00"',
      '"Zed Short Bond Fund","Other","Fixed Income","56,000","0.1","780","71.78","-","0.00"',
      '"ACME CORP PERP RegS","Corporates","Fixed Income","100,000","0.1","100,000","98.5","-","0.00"',
      ' ',
      `Fund Holdings as of,"${day}"`,
      ' ',
      header,
      '"BRAVO FUNDING LLC","Corporates","Fixed Income","4,000","0.7","107,000","-","May 8, 2031","6.18"',
    )
  const { bonds, prices, refused } = await read(list('Sep 17, 2026'))
  t.strictSame(
    bonds.map(row => few(row, 'name', 'coupon_rate', 'maturity_date', 'known_from')),
    [
      ['ACME CORP PERP RegS', 0, null, '2026-09-18'],
      ['BRAVO FUNDING LLC', 6.18, '2031-05-08', '2026-09-18'],
    ],
  )
  t.strictSame(
    prices.map(row => row['price']),
    [98.5],
  )
  t.strictSame(refused.toSorted(), [
    'not a bond: a fund',
    'not a bond: a fund',
    'not a holding: text of the publisher',
    'not a holding: the header of another list',
  ])
  // Values over par of a fund in a fund are in no unit, and nothing is made of them.
  const unpriced = await read(list('Sep 17, 2026').replace('"98.5"', '"-"'))
  t.strictSame([unpriced.bonds.length, unpriced.prices], [2, []])
  t.match(unpriced.notes, [/./, 'its column of prices is empty: bonds are taken without a price'])
  await t.rejects(reading(holdings, list('Sep 16, 2026')), {
    name: 'Refused',
    message: 'holds lists of two days, 2026-09-17 and 2026-09-16: save each as a file of its own',
  })
})

t.test('a description of a file, with its header and rows, is no holdings', t => {
  const file = [
    'Name,Asset Class,Market Value,Price,Coupon (%),Maturity',
    'ACME CORP,Fixed Income,100,99.5,5.2,"Mar 15, 2033"',
  ]
  const described = lines(
    '# Files',
    '- Date: the export has no "as of" line; 2025-12-17.',
    '```',
    ...file,
    '```',
  )
  t.equal(readers.find(reader => reader.recognises(sourceOf(described)))?.kind, undefined)
  const given = lines('Fund Holdings as of,"Dec 17, 2025"', ...file)
  t.equal(readers.find(reader => reader.recognises(sourceOf(given)))?.kind, 'holdings')
  t.end()
})
