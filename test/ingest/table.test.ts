import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { ingest } from '../../engine/ingest/ingest.ts'
import { factor, parseMapping } from '../../engine/ingest/mapping.ts'
import { blankRows, datasetOfHeader } from '../../engine/ingest/table.ts'
import { testFolder } from '../folder.ts'
import { makeFolder, refusedIn, rowsOf } from './lake-rows.ts'

const bondColumns =
  'cusip, isin, coupon_rate, maturity_date, seniority, currency, outstanding, source, known_from'

t.test('a table of bonds is read by column names, and bad rows have position and reason', async t => {
  const { lake, put } = await makeFolder(t)
  const path = await put(
    'bonds.csv',
    [
      '\uFEFFcusip,isin,coupon_rate,maturity_date,currency,outstanding,seniority,known_from',
      '037833100,us0378331005,5.25,2030-02-28,usd,100000,Senior_Secured,2024-01-02',
      '037833101,,5,2030-02-28,usd,1,senior_secured,',
      '037833100,,1_0,2030-02-28,usd,1,senior_secured,',
      '',
      '037833100,,5,2030-02-30,usd,1,senior_secured,',
      '037833100,,5,2030-02-28,usd,1.5,senior_secured,',
      '037833100,,5,2030-02-28,usd,9007199254740993,senior_secured,',
      '037833100,,5,2030-02-28,usd,-1,senior_secured,',
      '037833100,,5,2030-02-28,dollars,1,senior_secured,',
      ',,5,2030-02-28,usd,1,senior_secured,',
      '037833100,,5,2030-02-28',
      '"594918104 ",," 4.125 ",2031-08-15 00:00:00,USD,2500.0,SUBORDINATED,',
      '037833100,,5,2030-02-28,usd,1,junior,',
      '037833100,,5,2030-02-28,usd,1,senior_secured,soon',
      '037833100,,inf,2030-02-28,usd,1,senior_secured,',
    ].join('\r\n'),
  )
  const { files, totals } = await ingest(lake, [path])
  t.match(files, [
    { status: 'taken', kinds: ['table of bonds'], read: 14, accepted: 2, duplicate: 0, rejected: 12 },
  ])
  t.strictSame(totals.added, { bonds: 2 })
  t.strictSame(await rowsOf(lake, 'bonds', bondColumns), [
    {
      cusip: '594918104',
      isin: null,
      coupon_rate: 4.125,
      maturity_date: '2031-08-15',
      seniority: 'subordinated',
      currency: 'USD',
      outstanding: 2500,
      source: `${path}:row 13`,
      known_from: null,
    },
    {
      cusip: '037833100',
      isin: 'US0378331005',
      coupon_rate: 5.25,
      maturity_date: '2030-02-28',
      seniority: 'senior_secured',
      currency: 'USD',
      outstanding: 100000,
      source: `${path}:row 2`,
      known_from: '2024-01-02',
    },
  ])
  t.strictSame(await refusedIn(lake), [
    'row 3: cusip 037833101 must be a CUSIP: 9 characters with a valid check digit',
    'row 4: coupon_rate 1_0 must be a finite number in percent',
    'row 6: maturity_date 2030-02-30 must be a day, YYYY-MM-DD, from 1800 to 9999; a --map file reads other formats, by date_format',
    'row 7: outstanding 1.5 must be a whole number of cents below 2^53',
    'row 8: outstanding 9007199254740993 must be a whole number of cents below 2^53',
    'row 9: outstanding -1 must not be negative',
    'row 10: currency dollars must be an ISO currency of 3 letters',
    'row 11: needs one of cusip, isin, bond_id',
    'row 12: has too few cells',
    'row 14: seniority junior must be one of senior_secured, senior_unsecured, subordinated',
    'row 15: known_from soon must be a day, YYYY-MM-DD, from 1800 to 9999; a --map file reads other formats, by date_format',
    'row 16: coupon_rate inf must be a finite number in percent',
  ])
})

const spreads = [
  { ticker: 'AAPL', spread_date: '2024-01-02', tenor: '5Y', spread_bps: 61.5, trade_count: 3 },
  { ticker: 'BRK.B', spread_date: '2024-01-02', tenor: '10Y', spread_bps: -2, trade_count: null },
]
const select = `SELECT * FROM (VALUES ('AAPL', DATE '2024-01-02', '5Y', 61.5::DOUBLE, 3), ('BRK.B', DATE '2024-01-02', '10Y', -2, NULL)) t(ticker, spread_date, tenor, spread_bps, trade_count)`
const lines = (mark: string) =>
  ['ticker', 'AAPL', 'BRK.B']
    .map((first, i) =>
      [
        first,
        ...[
          ['spread_date', 'tenor', 'spread_bps', 'trade_count'],
          ['2024-01-02', '5y', '61.5', '3'],
          ['2024-01-02', '10Y', '-2.0', ''],
        ][i]!,
      ].join(mark),
    )
    .join('\n')

t.test('the same rows in any format give the same rows', async t => {
  const { lake, put, parquet } = await makeFolder(t)
  const paths = [
    await put('a.csv', lines(',')),
    await put('b.tsv', lines('\t')),
    await put('c.txt', lines(';')),
    await put('d.txt', `${lines('|')}\n`),
    await put('e.json', JSON.stringify(spreads)),
    await put('f.ndjson', spreads.map(row => JSON.stringify(row)).join('\n')),
    await parquet('g.parquet', select),
  ]
  const { files } = await ingest(lake, paths)
  t.strictSame(
    files.map(f => [f.status, f.accepted, f.duplicate, f.rejected]),
    [['taken', 2, 0, 0], ...paths.slice(1).map(() => ['unchanged', 0, 2, 0])],
  )
  t.strictSame(
    await rowsOf(lake, 'spreads', 'ticker, spread_date, tenor, spread_bps, trade_count', 'ticker'),
    spreads,
  )
})

t.test('a mapping renames, converts units, reads dates and words, and fills constants', async t => {
  const { lake, put } = await makeFolder(t)
  const map = await put(
    'map.json',
    JSON.stringify({
      dataset: 'bonds',
      columns: {
        cusip: 'Identifier',
        coupon_rate: { from: 'Cpn', unit: 'fraction' },
        maturity_date: { from: 'Mty', date_format: '%m/%d/%Y' },
        outstanding: { from: 'Amt (mm)', unit: 'millions' },
        spread_bps: { from: 'Margin', unit: 'percent' },
        seniority: { from: 'Rank', values: { SRSEC: 'senior_secured', UNS: 'senior_unsecured', NA: null } },
        rate_type: { constant: 'floating' },
      },
      constants: { callable: true },
      ignore: ['internal'],
      nulls: ['--'],
    }),
  )
  const path = await put(
    'vendor.csv',
    [
      'Identifier,Cpn,Mty,Amt (mm),Margin,Rank,internal,Currency,Desk',
      '037833100,0.0525,12/31/2030,19.99,3.25,SRSEC,x,USD,a',
      '594918104,0.07,1/5/2031,--,0.1,NA,x,,a',
      '88160R101,--,13/31/2030,2,1,UNS,x,USD,a',
      '88160R101,five,12/31/2030,2,1,UNS,x,USD,a',
      '88160R101,0.05,12/31/2030,2,1,???,x,USD,a',
      '88160R101,0.05,12/31/2030,1e12,1,UNS,x,USD,a',
      '88160R101,0.05,12/31/2030,1000,1,UNS,x,JPY,a',
    ].join('\n'),
  )
  const { files } = await ingest(lake, [path], { map })
  t.match(files[0], { accepted: 3, rejected: 4 })
  t.match(files[0]!.notes, [/were ignored: Desk$/, /"Currency" as currency/])
  t.strictSame(
    await rowsOf(
      lake,
      'bonds',
      'cusip, coupon_rate, maturity_date, outstanding, spread_bps, seniority, rate_type, callable',
      'cusip',
    ),
    [
      {
        cusip: '037833100',
        coupon_rate: 5.25,
        maturity_date: '2030-12-31',
        outstanding: 1_999_000_000,
        spread_bps: 325,
        seniority: 'senior_secured',
        rate_type: 'floating',
        callable: true,
      },
      {
        cusip: '594918104',
        coupon_rate: 7,
        maturity_date: '2031-01-05',
        outstanding: null,
        spread_bps: 10,
        seniority: null,
        rate_type: 'floating',
        callable: true,
      },
      // A yen has no hundredths: a thousand million of them are as many minor units.
      {
        cusip: '88160R101',
        coupon_rate: 5,
        maturity_date: '2030-12-31',
        outstanding: 1_000_000_000,
        spread_bps: 100,
        seniority: 'senior_unsecured',
        rate_type: 'floating',
        callable: true,
      },
    ],
  )
  t.match(await refusedIn(lake), [
    /^row 4: maturity_date 13\/31\/2030 must be a day/,
    /^row 5: coupon_rate five must be/,
    /^row 6: seniority \?\?\? must be one of/,
    /^row 7: outstanding 1e\+?20 must be a whole number of cents below 2\^53/,
  ])
})

t.test('units are converted in decimals, never in binary fractions', async t => {
  const { lake, put } = await makeFolder(t)
  const cents = Array.from({ length: 500 }, (_, i) => i * 7919 + 1)
  const map = await put(
    'map.json',
    '{"dataset":"bonds","columns":{"outstanding":{"from":"usd","unit":"dollars"}}}',
  )
  const path = await put(
    'x.csv',
    ['bond_id,usd', ...cents.map((c, i) => `b${i},${(c / 100).toFixed(2)}`)].join('\n'),
  )
  await ingest(lake, [path], { map })
  const rows = await rowsOf<{ outstanding: number }>(lake, 'bonds', 'outstanding', 'outstanding')
  t.strictSame(
    rows.map(row => row.outstanding),
    cents,
  )
})

t.test('a mistake in a mapping is reported with its place', async t => {
  const wrong: [unknown, RegExp][] = [
    ['{', /is not JSON/],
    [[], /must be a JSON object/],
    [{}, /dataset is missing/],
    [{ dataset: 'bond' }, /no dataset "bond", did you mean bonds\?/],
    [{ dataset: 'bonds', colums: {} }, /colums is unknown/],
    [
      { dataset: 'bonds', columns: { coupn_rate: 'x' } },
      /columns.coupn_rate is not a column of bonds, did you mean coupon_rate\?/,
    ],
    [{ dataset: 'bonds', columns: { cusip: 7 } }, /columns.cusip must be a JSON object/],
    [{ dataset: 'bonds', columns: { cusip: { form: 'x' } } }, /columns.cusip.form is unknown/],
    [
      { dataset: 'bonds', columns: { coupon_rate: { from: 'c', unit: 'percents' } } },
      /unit must be one of cents/,
    ],
    [
      { dataset: 'bonds', columns: { coupon_rate: { from: 'c', unit: 'dollars' } } },
      /does not fit coupon_rate, which is in percent: use fraction, decimal, percent, bps/,
    ],
    [
      { dataset: 'bonds', columns: { name: { from: 'c', unit: 'dollars' } } },
      /does not fit name, which is text/,
    ],
    [{ dataset: 'bonds', columns: { name: { from: 'c', date_format: '%d' } } }, /does not fit name/],
    [
      { dataset: 'bonds', columns: { issue_date: { from: 'c', date_format: 'DD.MM.YYYY' } } },
      /must be a format like/,
    ],
    [{ dataset: 'bonds', columns: { cusip: { constant: 'x', from: 'y' } } }, /takes nothing else/],
    [
      { dataset: 'bonds', columns: { cusip: 'x' }, constants: { cusip: 'y' } },
      /constants.cusip is also under columns/,
    ],
    [
      { dataset: 'bonds', constants: { currency: ['USD'] } },
      /constants.currency must be a string, number or boolean/,
    ],
    [{ dataset: 'bonds', ignore: 'x' }, /ignore must be a list of strings/],
  ]
  for (const [map, message] of wrong)
    t.throws(() => parseMapping(typeof map === 'string' ? map : JSON.stringify(map)), {
      code: 'INVALID_PARAMETER',
      message,
    })
  t.throws(() => parseMapping('{"dataset":"bonds"}', 'prices'), { message: /--dataset says prices/ })
})

t.test("each unit has its column's factor", async t => {
  const column = (kind: 'cents' | 'percent' | 'bps' | 'ratio' | 'number' | 'text', unit?: string) => ({
    kind,
    doc: '',
    nullable: true,
    ...(unit ? { unit } : {}),
  })
  t.equal(factor(column('cents'), 'millions'), '100000000')
  t.equal(factor(column('percent'), 'bps'), '0.01')
  t.equal(factor(column('bps'), 'decimal'), '10000')
  t.equal(factor(column('ratio'), 'percent'), '0.01')
  t.equal(factor(column('number', 'percent of par'), 'fraction'), '100')
  t.equal(factor(column('number', 'percent of par'), 'millions'), undefined)
  t.equal(factor(column('text'), 'cents'), undefined)
})

t.test(
  'a probably misspelt column refuses the file, other unknown columns are skipped with a note',
  async t => {
    const { lake, put } = await makeFolder(t)
    const slip = await put('slip.csv', 'cusip,coupn_rate\n037833100,5')
    const extra = await put('extra.csv', 'cusip,coupon_rate,desk\n037833100,5,x')
    const twice = await put('twice.csv', 'cusip,Coupon Rate,coupon_rate\n037833100,5,5')
    const none = await put('none.csv', 'coupon_rate\n5')
    const { files } = await ingest(lake, [slip, extra, twice, none], { dataset: 'bonds' })
    t.match(files, [
      { status: 'refused', reason: /column "coupn_rate": did you mean coupon_rate\?/ },
      { status: 'taken', accepted: 1, notes: [/were ignored: desk/] },
      { status: 'refused', reason: /two columns "Coupon Rate" and "coupon_rate"/ },
      { status: 'refused', reason: /none of the columns cusip, isin, bond_id/ },
    ])
    const prices = await put('prices.csv', 'cusip,price_date\n037833100,2024-01-02')
    t.match((await ingest(lake, [prices], { dataset: 'prices' })).files, [
      { status: 'refused', reason: /has no column price, price_source, which prices needs/ },
    ])
    const vendor = await put('vendor.csv', 'Cusip9 Code,Date,Clean Price,Venue\n037833100,2024-01-02,99.5,x')
    const begun = '{"dataset":"prices","constants":{"currency":"USD"},"ignore":["Venue"]}'
    const { files: refused } = await ingest(lake, [vendor], { map: await put('begun.json', begun) })
    const suggested = refused[0]!.reason!.split('a --map file such as ')[1]!
    t.strictSame(JSON.parse(suggested), {
      dataset: 'prices',
      columns: { cusip: 'Cusip9 Code', price_date: 'Date', price: 'Clean Price' },
      constants: { currency: 'USD', price_source: 'one of trade, vendor, fund_mark, estimated' },
      ignore: ['Venue'],
    })
    const whole = suggested.replace(/one of [^"]*/, 'vendor')
    t.match((await ingest(lake, [vendor], { map: await put('whole.json', whole) })).files, [
      { status: 'taken', accepted: 1 },
    ])
    const map = await put('map.json', '{"dataset":"bonds","columns":{"cusip":"CUSIP9"}}')
    t.match((await ingest(lake, [extra], { map })).files, [
      { status: 'refused', reason: /no column "CUSIP9"/ },
    ])
  },
)

t.test('a header selects its dataset only if one fits', async t => {
  const name = (...columns: string[]) => datasetOfHeader(columns)?.name
  t.equal(name('ticker', 'spread_date', 'tenor', 'spread_bps'), 'spreads')
  t.equal(name('ticker', 'spread_date', 'tenor', 'spread_bps', 'source'), 'spreads')
  t.equal(name('cusip', 'price_date', 'price', 'price_source'), 'prices')
  t.equal(name('cusip', 'coupon_rate', 'maturity_date'), 'bonds')
  t.equal(name('ISIN', 'Coupon Rate', 'Maturity Date', 'x'), 'bonds')
  t.equal(name('a', 'b', 'c'), undefined)
  t.equal(name('ticker', 'a', 'b', 'c', 'd', 'e', 'f', 'g'), undefined)
})

t.test('malformed lines are rejected by line, and the rest is read', async t => {
  const { lake, put } = await makeFolder(t)
  const path = await put(
    'x.csv',
    Buffer.concat([
      Buffer.from(
        'bond_id,name,coupon_rate\na,"A ""B"" Corp",5\n\nb,two\nc,too,3,many\n"d\nd",line,1\n"e" x,bad quote,1\nf,',
      ),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(',1\ng,good,1\nh,"never closed,1\ni,swallowed,1\n'),
    ]),
  )
  const { files } = await ingest(lake, [path], { dataset: 'bonds' })
  t.match(files, [{ read: 8, accepted: 3, rejected: 5 }])
  t.strictSame(
    await rowsOf(lake, 'bonds', `bond_id, name, replace(source, '${path}', '') AS at`, 'bond_id'),
    [
      { bond_id: 'a', name: 'A "B" Corp', at: ':row 2' },
      { bond_id: 'd\nd', name: 'line', at: ':row 6' },
      { bond_id: 'g', name: 'good', at: ':row 9' },
    ],
  )
  t.strictSame(await refusedIn(lake), [
    'row 4: has too few cells',
    'row 5: has too many cells',
    'row 7: has a quote that does not close, or text after it',
    'row 8: is not UTF-8: save the file as UTF-8',
    'row 10: has a quote that does not close, or text after it',
  ])
})

t.test(
  'NDJSON lines that are not objects are rejected, and lists and keys with any name are read',
  async t => {
    const { lake, put } = await makeFolder(t)
    const map = await put(
      'map.json',
      JSON.stringify({ dataset: 'companies', columns: { name: 'a/b~"c', former_names: 'former' } }),
    )
    const path = await put(
      'x.ndjson',
      [
        JSON.stringify({ 'a/b~"c': 'Acme', former: ['Acme Old', 'Acme; Older'], ticker: 'acme' }),
        '',
        '{"a/b~"c":',
        '[1]',
        JSON.stringify({ 'a/b~"c': 'Beta', former: 'One; Two', extra: { a: 1 } }),
        JSON.stringify({ 'a/b~"c': null, ticker: 'X' }),
      ].join('\n'),
    )
    const { files } = await ingest(lake, [path], { map })
    t.match(files, [{ read: 5, accepted: 2, rejected: 3, notes: [/were ignored: extra/] }])
    t.strictSame(await rowsOf(lake, 'companies', 'name, ticker, former_names', 'name'), [
      { name: 'Acme', ticker: 'ACME', former_names: ['Acme Old', 'Acme; Older'] },
      { name: 'Beta', ticker: null, former_names: ['One', 'Two'] },
    ])
    t.strictSame(await refusedIn(lake), [
      'row 3: is not JSON',
      'row 4: is not a JSON object',
      'row 6: name is missing',
    ])
  },
)

t.test('Parquet with wrong types, NaN, null keys or no rows is refused by row, or gives nothing', async t => {
  const { lake, put, parquet } = await makeFolder(t)
  const mixed = await parquet(
    'mixed.parquet',
    `SELECT * FROM (VALUES ('AAPL', TIMESTAMP '2024-01-02', '5Y', 'NaN'::DOUBLE), ('AAPL', TIMESTAMP '2024-01-02 10:00:00', '5Y', 1),
     (NULL, TIMESTAMP '2024-01-03', '5Y', 1), ('AAPL', TIMESTAMP '2024-01-04', '5Y', 'inf'::DOUBLE), ('AAPL', TIMESTAMP '2024-01-05', '5Y', 7)) t(ticker, spread_date, tenor, spread_bps)`,
  )
  const types = await parquet(
    'types.parquet',
    `SELECT [1, 2] AS ticker, 7 AS spread_date, true AS tenor, 'x' AS spread_bps`,
  )
  const empty = await parquet('empty.parquet', `${select} WHERE false`)
  const { files } = await ingest(lake, [mixed, types, empty], { dataset: 'spreads' })
  t.match(files, [
    { status: 'taken', read: 5, accepted: 1, rejected: 4 },
    { status: 'refused', read: 1, rejected: 1, reason: /none of its rows/ },
    { status: 'unchanged', read: 0 },
  ])
  t.match(await refusedIn(lake), [
    /^row 1: ticker \[1,2\] must be a ticker/,
    /^row 1: spread_bps nan must be a finite number in basis points/,
    /^row 2: spread_date 2024-01-02 10:00:00 must be a day/,
    /^row 3: ticker is missing/,
    /^row 4: spread_bps inf/,
  ])
  const cut = await put('cut.parquet', Buffer.from('PAR1 not really a file'))
  const wide = await put('wide.csv', `cusip,${Array.from({ length: 10_000 }, (_, i) => `c${i}`).join(',')}\n`)
  t.match((await ingest(lake, [cut, wide], { dataset: 'spreads' })).files, [
    { status: 'refused', reason: /cannot be read/ },
    { status: 'refused', reason: /10001 columns, more than 2000/ },
  ])
})

t.test('a header without rows is fine; a file without a header is not', async t => {
  const { lake, put } = await makeFolder(t)
  const header = await put('header.csv', 'cusip,coupon_rate\n')
  const nothing = await put('nothing.csv', ' \n')
  const none = await put('none.json', '[ ]')
  const one = await put('one.json', '{\n  "data": [{ "cusip": "037833100" }]\n}')
  const { files } = await ingest(lake, [header, nothing, none, one], { dataset: 'bonds' })
  t.match(files, [
    { status: 'unchanged', read: 0, kinds: ['table of bonds'] },
    { status: 'refused', reason: /is empty/ },
    { status: 'unchanged', read: 0 },
    { status: 'refused', reason: /is one JSON object: a table is/ },
  ])
})

t.test('blank lines are counted as in a spreadsheet', async t => {
  const path = join(testFolder(t), 'x.csv')
  const blanks = async (text: string) => {
    await writeFile(path, text)
    return blankRows(path)
  }
  t.strictSame(await blanks('a\n1\n2\n'), [])
  t.strictSame(await blanks('a\n\n1\n\n\n2\n\n\n'), [2, 4, 5])
  t.strictSame(await blanks('a\r\n\r\n"x\n\ny"\r\n\r\nz'), [2, 4])
})

t.test('every row of any table is accounted for, without other errors', async t => {
  const { lake, put } = await makeFolder(t)
  const cell = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      '037833100',
      'US0378331005',
      '5.25',
      '2030-02-28',
      '',
      'null',
      '-0',
      '1e308',
      '=1+1',
      "'; DROP TABLE x; --",
      '\u202e',
      '"',
    ),
  )
  let n = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell, cell), { maxLength: 12 }), async rows => {
      const quoted = (text: string) => `"${text.replaceAll('"', '""').replaceAll('\0', '')}"`
      const text = [
        'cusip,bond_id,coupon_rate,maturity_date',
        ...rows.map(row => row.map(quoted).join(',')),
      ].join('\n')
      const path = await put(`f${n++}.csv`, text)
      const { files } = await ingest(lake, [path], { dataset: 'bonds' })
      const { read, accepted, duplicate, rejected } = files[0]!
      return read === rows.length && accepted + duplicate + rejected === read
    }),
    { numRuns: 20, seed: 11 },
  )
})
