import { deepStrictEqual } from 'node:assert/strict'
import { tableFromIPC } from 'apache-arrow'
import fc from 'fast-check'
import t from 'tap'
import { cents, date, list, nullable, text } from '../../engine/schema/column.ts'
import { bondColumns, bonds, bytesOf, rowsOf } from './rows.ts'

const table = async (...args: Parameters<typeof rowsOf>) =>
  tableFromIPC(await bytesOf('arrow', rowsOf(...args)))

t.test('a column has its unit and description as metadata', async t => {
  const about = { snapshot: 's1' }
  const { schema } = tableFromIPC(await bytesOf('arrow', rowsOf(bondColumns, bonds), { about }))
  t.strictSame(schema.metadata, new Map([['snapshot', 's1']]))
  const field = (name: string) => schema.fields.find(f => f.name === name)!
  t.strictSame(
    field('outstanding').metadata,
    new Map([
      ['unit', 'cents'],
      ['description', 'Amount outstanding.'],
    ]),
  )
  t.strictSame(
    field('pricing.last_price').metadata,
    new Map([
      ['unit', 'percent of par'],
      ['description', 'Last price.'],
    ]),
  )
  t.strictSame(field('cusip').metadata, new Map([['description', 'CUSIP, 9 characters.']]))
  t.strictSame(
    schema.fields.map(f => String(f.type)),
    [
      'Utf8',
      'Utf8',
      'Float64',
      'Date32<DAY>',
      'Int64',
      'Int64',
      'Bool',
      'Float64',
      'Float64',
      'List<Utf8>',
      'Timestamp<MICROSECOND, UTC>',
      'Utf8',
    ],
  )
})

t.test('bonds survive a round trip through Arrow', async t => {
  const read = await table(bondColumns, bonds)
  t.equal(read.numRows, 4)
  const column = (name: string) => [...read.getChild(name)!]
  t.strictSame(
    column('name'),
    bonds.map(b => b[1]),
  )
  t.strictSame(column('outstanding'), [6_100_000_000n, null, 9_007_199_254_740_991n, -5n])
  t.strictSame(
    column('maturity_date').map(ms => ms && new Date(ms).toISOString().slice(0, 10)),
    bonds.map(b => b[3]),
  )
  t.strictSame(column('callable'), [true, null, false, false])
  t.strictSame(
    column('assets').map(a => a && [...a]),
    bonds.map(b => b[9]),
  )
  t.strictSame(column('detail'), [bonds[0]![11], null, '{"a":[],"b":"line"}', '{"a":[]}'])
})

t.test('an empty result is a table with columns and no rows', async t => {
  const read = await table(bondColumns, [])
  t.equal(read.numRows, 0)
  t.equal(read.numCols, 12)
})

t.test('many rows are split into batches without loss', async t => {
  const rows = Array.from({ length: 100_000 }, (_, i) => [
    i % 7 ? `BOND ${i}` : null,
    i,
    i % 3 ? ['a'] : null,
  ])
  const read = await table(
    { name: nullable(text('')), outstanding: cents(''), assets: nullable(list('')) },
    rows,
    2048,
  )
  t.ok(read.batches.length > 2)
  t.equal(read.numRows, rows.length)
  const [name, outstanding] = [read.getChild('name')!, read.getChild('outstanding')!]
  for (const i of [0, 1, 32_767, 32_768, 65_536, 99_999]) {
    t.equal(name.get(i), rows[i]![0])
    t.equal(outstanding.get(i), BigInt(i))
  }
})

t.test('texts, whole numbers and days survive a round trip', async () => {
  const columns = {
    name: nullable(text('')),
    outstanding: nullable(cents('')),
    maturity_date: nullable(date('')),
  }
  const day = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  const row = fc.tuple(
    fc.option(fc.string({ unit: 'binary' })),
    fc.option(fc.maxSafeInteger()),
    fc.option(day.map(d => d.toISOString().slice(0, 10))),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async rows => {
      const read = await table(columns, rows)
      const back = Array.from({ length: read.numRows }, (_, i) => {
        const { name, outstanding, maturity_date } = read.get(i)!.toJSON()
        return [
          name,
          outstanding === null ? null : Number(outstanding),
          maturity_date === null ? null : new Date(maturity_date).toISOString().slice(0, 10),
        ]
      })
      deepStrictEqual(back, rows)
    }),
    { numRuns: 100 },
  )
})

t.test('a fractional number of cents is an error, not rounded', async t => {
  await t.rejects(table({ outstanding: cents('') }, [[1.5]]), RangeError)
})
