import t from 'tap'
import { fred } from '../../engine/ingest/readers/fred.ts'
import { treasury } from '../../engine/ingest/readers/treasury.ts'
import { reading, rowsFor, sourceOf } from './reading.ts'

const curve = (text: string) =>
  reading(treasury, text).then(r =>
    rowsFor(r, 'treasury_yields').map(v => [v['date'], v['tenor_months'], v['rate']]),
  )

t.test("a year's header decides its tenors, quoted or not, with any form of date", async t => {
  t.strictSame(await curve('Date,1 Mo,2 Mo,1 Yr\n2021-12-31,0.06,0.05,0.39\n'), [
    ['2021-12-31', 1, 0.06],
    ['2021-12-31', 2, 0.05],
    ['2021-12-31', 12, 0.39],
  ])
  t.strictSame(await curve('Date,"1 Mo","1.5 Month","4 Mo","30 Yr"\n07/11/2025,4.37,4.39,4.42,4.96\n'), [
    ['2025-07-11', 1, 4.37],
    ['2025-07-11', 1.5, 4.39],
    ['2025-07-11', 4, 4.42],
    ['2025-07-11', 360, 4.96],
  ])
  t.strictSame(
    await curve('Id,NEW_DATE,BC_1MONTH,BC_10YEAR,BC_30YEARDISPLAY\n1,2020-01-02T00:00:00,1.53,1.88,0\n'),
    [
      ['2020-01-02', 1, 1.53],
      ['2020-01-02', 120, 1.88],
    ],
  )
})

t.test("the Treasury's feed gives the rows of its CSV file", async t => {
  const entry = (day: string, ...cells: string[]) =>
    `<entry><m:properties><d:NEW_DATE m:type="Edm.DateTime">${day}T00:00:00</d:NEW_DATE>${cells.join('')}</m:properties></entry>`
  const rate = (name: string, value: number) => `<d:${name} m:type="Edm.Double">${value}</d:${name}>`
  const feed = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>DailyTreasuryYieldCurveRateData</title>
${entry('2025-02-14', rate('BC_1MONTH', 4.37), '<d:BC_1_5MONTH m:type="Edm.Double" m:null="true" />', rate('BC_10YEAR', 4.47))}
${entry('2025-02-18', rate('BC_1MONTH', 4.36), rate('BC_1_5MONTH', 4.38), rate('BC_10YEAR', 4.55), rate('BC_30YEARDISPLAY', 0))}
</feed>
`
  t.ok(treasury.recognises(sourceOf(feed)))
  t.strictSame(await curve(feed), [
    ['2025-02-14', 1, 4.37],
    ['2025-02-14', 120, 4.47],
    ['2025-02-18', 1, 4.36],
    ['2025-02-18', 1.5, 4.38],
    ['2025-02-18', 120, 4.55],
  ])
  await t.rejects(curve(feed.slice(0, -20)), { name: 'Refused', message: /feed is truncated/ })
  const real = feed.replaceAll('BC_', 'TC_')
  t.notOk(treasury.recognises(sourceOf(real)), 'real yields have other names')
})

t.test('the H.15 release is read by its series, and ND is a holiday', async t => {
  const h15 = (unit: string, series = 'RIFLGFCY10_N.B') =>
    [
      '"Series Description","a","b","c","d"',
      `"Unit:","Percent:_Per_Year","${unit}","Percent:_Per_Year","Percent:_Per_Year"`,
      '"Multiplier:","1","1","1","1"',
      '"Currency:","NA","NA","NA","NA"',
      '"Unique Identifier: ","H15/H15/RIFLGFCM03_N.B","H15/H15/y","H15/H15/z","H15/H15/w"',
      `"Time Period","RIFLGFCM03_N.B","${series}","RIFLGFCY10_XII_N.B","RIFSPFF_N.D"`,
      '2025-07-03,4.42,4.35,1.9,4.33',
      '2025-07-04,ND,ND,ND,4.33',
      '2025-07-07,,4.40,1.9,4.33',
      '',
    ].join('\n')
  const text = h15('Percent:_Per_Year')
  t.ok(fred.recognises(sourceOf(text)))
  const r = await reading(fred, text)
  t.strictSame(
    rowsFor(r, 'treasury_yields').map(v => [v['date'], v['tenor_months'], v['rate'], v['publisher']]),
    [
      ['2025-07-03', 3, 4.42, 'fred'],
      ['2025-07-03', 120, 4.35, 'fred'],
      ['2025-07-07', 120, 4.4, 'fred'],
    ],
  )
  t.match(r.refused, [{ at: 'row 8', reason: 'no value (holiday)' }])
  t.strictSame(r.notes, ['not Treasury par yields, ignored: RIFLGFCY10_XII_N.B, RIFSPFF_N.D'])
  await t.rejects(reading(fred, h15('Number')), { name: 'Refused', message: /RIFLGFCY10_N.B is in Number/ })
  t.match(
    (await reading(fred, h15('Number', 'RIFLGFCY10_N.M'))).notes,
    [/RIFLGFCY10_N.M/],
    'averages are others',
  )
  const short = 'Time Period,RIFSPFF_N.D\n1954-07-01,1.13\n'
  await t.rejects(reading(fred, short), {
    name: 'Refused',
    message: /RIFSPFF_N.D is not a Treasury par yield/,
  })
  const cut = text.split('\n').slice(0, 5).join('\n')
  await t.rejects(reading(fred, cut), { name: 'Refused', message: /no row of series/ })
})

t.test('an unpublished tenor is absent, never zero; a day without any is refused', async t => {
  const r = await reading(
    treasury,
    'Date,1 Mo,4 Mo\n2022-10-18,3.5,\n2022-10-19,3.4,4.1\n2022-10-20,,N/A\nx,1,2\n2022-10-21,a,1\n',
  )
  t.strictSame(
    rowsFor(r, 'treasury_yields').map(v => [v['date'], v['tenor_months'], v['rate'], v['publisher']]),
    [
      ['2022-10-18', 1, 3.5, 'treasury'],
      ['2022-10-19', 1, 3.4, 'treasury'],
      ['2022-10-19', 4, 4.1, 'treasury'],
    ],
  )
  t.strictSame(r.refused, [
    { at: 'row 4', raw: '2022-10-20,,N/A', reason: 'no rate for any tenor' },
    { at: 'row 5', raw: 'x,1,2', reason: '"x" is not a date' },
    { at: 'row 6', raw: '2022-10-21,a,1', reason: '1 Mo: "a" is not a rate' },
  ])
})

t.test('the real yield curve has the same labels and is not read as par yields', t =>
  t.rejects(curve('Date,"5 YR","7 YR","10 YR","20 YR","30 YR"\n07/11/2025,1.5,1.7,2,2.3,2.5\n'), {
    name: 'Refused',
    message: /real yields/,
  }),
)

t.test('rates as fractions are refused: spreads would be hundreds of basis points too wide', async t => {
  const fractions = { name: 'Refused', message: /rates are fractions \(30 Yr is 0.0483 at most\)/ }
  await t.rejects(curve('Date,1 Mo,10 Yr,30 Yr\n2025-12-17,0.0373,0.0416,0.0483\n'), fractions)
  await t.rejects(reading(fred, 'observation_date,DGS10\n2025-12-17,0.0416\n'), { name: 'Refused' })
  t.equal((await curve('Date,1 Mo,2 Yr,10 Yr\n2020-08-04,0.08,0.11,0.52\n')).length, 3, 'low rates stand')
})

t.test('FRED series are read in both forms, holidays are refused', async t => {
  const r = await reading(fred, 'observation_date,DGS3MO\n2005-01-03,2.32\n2005-01-17,\n2005-01-18,.\n')
  t.strictSame(rowsFor(r, 'treasury_yields'), [
    { date: '2005-01-03', tenor_months: 3, rate: 2.32, publisher: 'fred' },
  ])
  t.strictSame(
    r.refused.map(({ at, reason }) => [at, reason]),
    [
      ['row 3', 'no value (holiday)'],
      ['row 4', 'no value (holiday)'],
    ],
  )
  const old = await reading(fred, 'DATE,DGS10,DGS30\n2005-01-03,4.23,4.85\n')
  t.strictSame(
    rowsFor(old, 'treasury_yields').map(v => [v['tenor_months'], v['rate']]),
    [
      [120, 4.23],
      [360, 4.85],
    ],
  )
})

t.test('a FRED series that is no Treasury par yield is refused by name', t =>
  t.rejects(reading(fred, 'observation_date,BAMLH0A0HYM2\n2024-01-02,3.4\n'), {
    message: /BAMLH0A0HYM2 is not/,
  }),
)

t.test('each form is recognised only as itself', async t => {
  const kinds = (text: string) => [treasury, fred].filter(r => r.recognises(sourceOf(text))).map(r => r.kind)
  t.strictSame(kinds('Date,1 Mo,2 Mo\n'), ['treasury'])
  t.strictSame(kinds('observation_date,DGS10\n'), ['fred'])
  t.strictSame(kinds('DATE,DGS10\n'), ['fred'])
  t.strictSame(kinds('date,price\n'), [])
  t.strictSame(kinds('date,tenor_months,rate,publisher\n'), [])
  t.strictSame(kinds('<html>'), [])
})
