import t from 'tap'
import { ingest } from '../../engine/ingest/ingest.ts'
import { fred } from '../../engine/ingest/readers/fred.ts'
import { makeFolder, refusedIn, rowsOf } from './lake-rows.ts'
import { reading } from './reading.ts'

const lines = (...rows: readonly string[]) => rows.map(row => `${row}\n`).join('')

/** Bonds with these coupons and amounts as written, with the coupons and amounts that are read, or `refused`. */
async function bondsOf(
  t: Parameters<typeof makeFolder>[0],
  cells: readonly [string, string][],
  separator = ';',
) {
  const { lake, put } = await makeFolder(t)
  const header = ['bond_id', 'name', 'coupon_rate', 'outstanding']
  const rows = cells.map(([coupon, amount], i) => [`b${i}`, `Acme ${i}`, coupon, amount].join(separator))
  const path = await put('bonds.csv', lines(header.join(separator), ...rows))
  const { files } = await ingest(lake, [path], { dataset: 'bonds' })
  const stored = await rowsOf<{ coupon_rate: number; outstanding: number }>(
    lake,
    'bonds',
    'coupon_rate, CAST(outstanding AS DOUBLE) AS outstanding',
    'bond_id',
  )
  return {
    read: stored.map(row => [row.coupon_rate, row.outstanding]),
    refused: await refusedIn(lake),
    notes: files[0]!.notes.filter(note => !note.startsWith('read in cents')),
  }
}

const COMMAS = 'numbers have decimal commas, by all numbers of the file'

t.test('a table with decimal commas and points between thousands is read as it is meant', async t => {
  t.strictSame(
    await bondsOf(t, [
      ['6,25', '50.000.000.000'],
      ['5,125', '500.000'],
      ['0,5', '1 250 000'],
      ['7', '12'],
    ]),
    {
      read: [
        [6.25, 50_000_000_000],
        [5.125, 500_000],
        [0.5, 1_250_000],
        [7, 12],
      ],
      refused: [],
      notes: [COMMAS],
    },
  )
})

t.test('percentages tell the mark even with three decimals', async t => {
  t.strictSame((await bondsOf(t, [['5,125', '500.000']])).read, [[5.125, 500_000]])
  t.strictSame((await bondsOf(t, [['5.125', '500.000']])).read, [[5.125, 500]])
})

t.test(
  'where nothing tells the mark, a whole number that may be a thousand times another is refused',
  async t => {
    const refused = (...amounts: string[]) =>
      amounts.map(
        (value, i) => `row ${i + 3}: outstanding ${value} must be a whole number of cents below 2^53`,
      )
    for (const separator of [';', '\t'])
      t.strictSame(
        await bondsOf(
          t,
          [
            ['5', '12'],
            ['5', '500.000'],
            ['6', '12.000'],
          ],
          separator,
        ),
        { read: [[5, 12]], refused: refused('500.000 (500 or 500000?)', '12.000 (12 or 12000?)'), notes: [] },
        separator,
      )
    t.strictSame(
      (await bondsOf(t, [['5', '500.000']], ',')).read,
      [[5, 500]],
      'commas between cells are no decimal marks',
    )
  },
)

t.test('where numbers have both marks, those with a comma are refused', async t => {
  const { read, refused, notes } = await bondsOf(t, [
    ['6,25', '50'],
    ['6.25', '60'],
  ])
  t.strictSame([read, notes], [[[6.25, 60]], []])
  t.strictSame(refused, ['row 2: coupon_rate 6,25 must be a finite number in percent'])
})

t.test('a mapping reads decimal commas before it converts units', async t => {
  const { lake, put } = await makeFolder(t)
  const path = await put(
    'vendor.csv',
    lines('CUSIP9;Bid;Size (mm)', '998XSRA10;101,25;2,5', '998XSRA10;101,500;1.234'),
  )
  const map = await put(
    'map.json',
    JSON.stringify({
      dataset: 'prices',
      columns: { cusip: 'CUSIP9', price: 'Bid', volume: { from: 'Size (mm)', unit: 'millions' } },
      constants: { price_source: 'vendor', price_date: '2025-07-18' },
    }),
  )
  await ingest(lake, [path], { map })
  t.strictSame(await rowsOf(lake, 'prices', 'price, CAST(volume AS DOUBLE) AS volume', 'price'), [
    { price: 101.25, volume: 250_000_000 },
    { price: 101.5, volume: 123_400_000_000 },
  ])
})

t.test(
  'a rate with a decimal comma is no number of public curves, rather than a thousand times itself',
  async t => {
    const r = await reading(fred, lines('observation_date,DGS10', '2025-07-18,"0,045"', '2025-07-17,4.5'))
    t.match(r.refused, [{ at: 'row 2', reason: 'DGS10: "0,045" is not a rate' }])
    t.match(r.taken, [{ outputs: [{ values: { rate: 4.5 } }] }])
  },
)
