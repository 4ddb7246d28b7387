import { deepStrictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { Database, literal } from '../../engine/database/database.ts'
import { type Columns, cents, json, list, nullable, number, text } from '../../engine/schema/column.ts'
import { nest } from '../../engine/schema/nested-rows.ts'
import { testFolder } from '../folder.ts'
import { bondColumns, bonds, rowsOf, textOf, writeTo } from './rows.ts'

const lines = (ndjson: string): unknown[] =>
  ndjson
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))

const nested = (columns: Columns, rows: readonly (readonly unknown[])[]) =>
  nest(
    Object.entries(columns).map(([name, column]) => ({ name, column })),
    Object.keys(columns).map((_, j) => rows.map(row => row[j])),
    rows.length,
  )

t.test('a line of NDJSON equals the bond in the API', async t => {
  t.strictSame(lines(await textOf('ndjson', rowsOf(bondColumns, bonds))), nested(bondColumns, bonds))
})

t.test('an empty result is an empty array in the envelope, and no lines of NDJSON', async t => {
  t.equal(await textOf('json', rowsOf(bondColumns, [])), '{"data":[]}')
  t.equal(await textOf('ndjson', rowsOf(bondColumns, [])), '')
})

t.test('the envelope has rows under the requested name, and meta computed after the last row', async t => {
  let read = 0
  const source = rowsOf(bondColumns, bonds)
  const rows = {
    columns: source.columns,
    chunks: (async function* () {
      for await (const chunk of source.chunks) {
        read += chunk.rowCount
        yield chunk
      }
    })(),
    meta: async () => ({ total: read }),
  }
  const whole = JSON.parse(await textOf('json', rows, { envelope: 'ratings' }))
  t.strictSame(whole, { ratings: nested(bondColumns, bonds), meta: { total: 4 } })
})

t.test('an unpriced bond has null pricing, at any depth', async t => {
  const columns = {
    cusip: text(''),
    'pricing.ytm': nullable(number('')),
    'pricing.best.bid': nullable(number('')),
    coupon: nullable(number('')),
    'pricing.best.ask': nullable(number('')),
  }
  t.equal(
    await textOf(
      'ndjson',
      rowsOf(columns, [
        ['A', null, null, 5, null],
        ['B', null, null, null, 101],
      ]),
    ),
    '{"cusip":"A","pricing":null,"coupon":5}\n' +
      '{"cusip":"B","pricing":{"ytm":null,"best":{"bid":null,"ask":101}},"coupon":null}\n',
  )
})

t.test("a dotted name beside a column of its parent's name is kept", async t => {
  const columns = { pricing: text(''), 'pricing.ytm': number('') }
  t.equal(await textOf('ndjson', rowsOf(columns, [['clean', 5]])), '{"pricing":"clean","pricing.ytm":5}\n')
})

t.test('numbers are never NaN, and large amounts keep their digits', async t => {
  const columns = { ytm: nullable(number('')), outstanding: cents(''), detail: json('') }
  const rows = [
    [Number.NaN, 9_007_199_254_740_993n, '{"total":9007199254740993}'],
    [Infinity, -0, 'null'],
    [null, 5, '{\n  "rates": [1.50, 12345678901234567890],\r\n  "note": "a\\n  b"\n}'],
  ]
  t.equal(
    await textOf('ndjson', rowsOf(columns, rows)),
    '{"ytm":null,"outstanding":9007199254740993,"detail":{"total":9007199254740993}}\n' +
      '{"ytm":null,"outstanding":0,"detail":null}\n' +
      '{"ytm":null,"outstanding":5,"detail":{"rates":[1.50,12345678901234567890],"note":"a\\n  b"}}\n',
  )
})

t.test('any text is one line and survives a round trip', async () => {
  const columns = { name: nullable(text('')), aliases: nullable(list('')), detail: nullable(json('')) }
  const anyText = fc.string({ unit: 'binary' })
  const row = fc.tuple(
    fc.option(anyText),
    fc.option(fc.array(anyText, { maxLength: 3 })),
    fc.option(fc.json().map(j => JSON.stringify(JSON.parse(j), null, 2))),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 5 }), async rows => {
      deepStrictEqual(
        lines(await textOf('ndjson', rowsOf(columns, rows))),
        rows.map(([name, aliases, detail]) => ({ name, aliases, detail: detail && JSON.parse(detail) })),
      )
    }),
    { numRuns: 200 },
  )
})

t.test('DuckDB reads bonds back from NDJSON', async t => {
  const file = `${testFolder(t)}/bonds.ndjson`
  await writeTo(file, 'ndjson', rowsOf(bondColumns, bonds))
  const db = await Database.create()
  t.teardown(() => db.close())
  const read = await db.rows(
    `SELECT cusip, name, outstanding, pricing.ytm AS ytm, assets FROM read_json(${literal(file)}, format = 'nd')`,
  )
  t.strictSame(
    read,
    bonds.map(([cusip, name, , , outstanding, , , , ytm, assets]) => ({
      cusip,
      name,
      outstanding,
      ytm,
      assets,
    })),
  )
})

t.test('long sections are sent in pieces', async t => {
  const content = 'covenant '.repeat(55_000)
  const rows = rowsOf(
    { content: text('') },
    Array.from({ length: 8 }, () => [content]),
    8,
  )
  const { encode } = await import('../../engine/encode/encode.ts')
  let pieces = 0
  for await (const piece of encode('ndjson', rows)) {
    pieces++
    t.ok(piece.length < 2 * content.length)
  }
  t.equal(pieces, 8)
})
