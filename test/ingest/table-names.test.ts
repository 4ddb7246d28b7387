import t from 'tap'
import { ingest } from '../../engine/ingest/ingest.ts'
import { makeFolder, rowsOf } from './lake-rows.ts'

t.test('columns that others call by another usual name are never left out unnoticed', async t => {
  const { lake, put } = await makeFolder(t)
  const refusal = async (name: string, header: string, dataset: string) => {
    const { files } = await ingest(lake, [await put(name, `${header}\n`)], { dataset })
    t.equal(files[0]?.status, 'refused')
    const [says = '', map = '{}'] = (files[0]?.reason ?? '').split(' --map file such as ')
    return [says, JSON.parse(map.split(', where')[0]!).columns]
  }
  t.strictSame(await refusal('a.csv', 'cusip,Coupon,Maturity,Issuer,Amount Outstanding,rating', 'bonds'), [
    'has "Coupon" and no coupon_rate, "Maturity" and no maturity_date, "Issuer" and no issuer_name, ' +
      '"Amount Outstanding" and no outstanding: rename them, or give a',
    {
      coupon_rate: 'Coupon',
      maturity_date: 'Maturity',
      issuer_name: 'Issuer',
      outstanding: {
        from: 'Amount Outstanding',
        unit: 'one of cents, dollars, thousands, millions, billions',
      },
    },
  ])
  t.strictSame((await refusal('b.csv', 'cusip,date,price,size', 'trades'))[1], {
    quantity: { from: 'size', unit: 'one of cents, dollars, thousands, millions, billions' },
    trade_date: 'date',
  })
  const map = await put(
    'map.json',
    '{"dataset":"bonds","columns":{"coupon_rate":"cpn"},"ignore":["Maturity"]}',
  )
  const path = await put('c.csv', 'cusip,cpn,coupon,maturity,outstanding\n037833100,5,4,2030,100')
  t.match((await ingest(lake, [path], { map })).files, [
    {
      status: 'taken',
      accepted: 1,
      notes: [/were ignored: coupon$/, 'read in cents: outstanding; a --map file gives another unit'],
    },
  ])
})

t.test('percentages that look like fractions refuse a table, unless its map says their unit', async t => {
  const { lake, put } = await makeFolder(t)
  const rows = (header: string, ...values: (readonly [string, number])[]) =>
    [header, ...values.map(([id, value]) => `${id},${value}`)].join('\n')
  const ids = ['a', 'b', 'c', 'd', 'e']
  const coupons = rows('bond_id,coupon_rate', ...ids.map((id, i) => [id, 0.02 + i / 100] as const))
  const path = await put('coupons.csv', coupons)
  const { files } = await ingest(lake, [path], { dataset: 'bonds' })
  t.match(files, [
    {
      status: 'refused',
      reason: /^coupon_rate is read in percent, and no value of the file is above 0\.06:/,
    },
  ])
  const suggested = files[0]!.reason!.split('such as ')[1]!.split(', else')[0]!
  for (const [unit, stored] of [
    ['fraction', 6],
    ['percent', 0.06],
  ] as const) {
    const map = await put(`${unit}.json`, suggested.replace('"fraction"', `"${unit}"`))
    const own = await put(`${unit}.csv`, coupons.replaceAll('\n', `\n${unit}-`))
    t.match((await ingest(lake, [own], { map })).files, [{ status: 'taken', accepted: 5 }])
    const [row] = await rowsOf<{ most: number }>(
      lake,
      'bonds',
      `max(coupon_rate) FILTER (lower(bond_id) LIKE '${unit}-%') AS most`,
      'most',
    )
    t.equal(row?.most, stored)
  }
  const taken = [
    ['four.csv', rows('bond_id,coupon_rate', ...ids.slice(1).map(id => [id, 0.02] as const))],
    ['same.csv', rows('bond_id,coupon_rate', ...ids.map((_, i) => ['a', 0.02 + i / 100] as const))],
    ['high.csv', rows('bond_id,coupon_rate', ...ids.map((id, i) => [id, i / 10] as const))],
    // Only the row without a number is rejected.
    ['nan.csv', `${rows('bond_id,coupon_rate', ...ids.map(id => [id, 4.5] as const))}\nf,NaN`],
  ] as const
  for (const [name, text] of taken)
    t.match((await ingest(lake, [await put(name, text)], { dataset: 'bonds' })).files, [{ status: 'taken' }])
  // Nor does one hide that the others are fractions.
  const hidden = `${rows('bond_id,coupon_rate', ...ids.map(id => [`g${id}`, 0.02] as const))}\nf,NaN`
  t.match((await ingest(lake, [await put('hidden.csv', hidden)], { dataset: 'bonds' })).files, [
    { status: 'refused', reason: /no value of the file is above 0\.02:/ },
  ])
  const marks = ids.map(
    id => `{"bond_id":"${id}","price_date":"2024-01-02","price_source":"vendor","price":0.98}`,
  )
  t.match((await ingest(lake, [await put('p.ndjson', marks.join('\n'))], { dataset: 'prices' })).files, [
    { status: 'refused', reason: /^price is read in percent, and no value of the file is above 0\.98:/ },
  ])
  const curve = ids.map((_, i) => `2024-01-0${i + 1},120,0.04,fred`).join('\n')
  t.match(
    (await ingest(lake, [await put('y.csv', `date,tenor_months,rate,publisher\n${curve}`)], {})).files,
    [{ status: 'refused', reason: /^rate is read in percent/ }],
  )
})
