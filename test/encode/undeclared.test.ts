import t from 'tap'
import { Database } from '../../engine/database/database.ts'
import { undeclared } from '../../engine/encode/undeclared.ts'
import { bytesOf, textOf } from './rows.ts'

const db = await Database.create()
t.teardown(() => db.close())

const rows = (sql: string) => undeclared(db.stream(sql))

t.test("column kinds are read from the statement's types", async t => {
  const { columns } = await rows(
    `SELECT 'F' AS ticker, 5.25::DOUBLE AS ytm, 1::BIGINT AS n, 1.5::DECIMAL(9, 2) AS price, DATE '2026-01-02' AS day,
       TIMESTAMP '2026-01-02 03:04:05' AS at, true AS callable, ['a'] AS tags, [1] AS ranks, sum(2) AS total, uuid() AS id`,
  )
  t.strictSame(
    columns.map(c => [c.name, c.column.kind]),
    [
      ['ticker', 'text'],
      ['ytm', 'number'],
      ['n', 'integer'],
      ['price', 'number'],
      ['day', 'date'],
      ['at', 'timestamp'],
      ['callable', 'boolean'],
      ['tags', 'list'],
      ['ranks', 'json'],
      ['total', 'number'],
      ['id', 'text'],
    ],
  )
})

t.test('a struct becomes members under dotted names, and is nested again in NDJSON', async t => {
  const sql = `SELECT * FROM (VALUES
    ('A', {'ytm': 5.5::DOUBLE, 'b, "c': {'d': [1, 2], 'e': 'x'::ENUM('x', 'y')}}), ('B', NULL)) v(cusip, pricing)`
  t.equal(
    await textOf('csv', await rows(sql)),
    'cusip,pricing.ytm,"pricing.b, ""c.d","pricing.b, ""c.e"\r\nA,5.5,"[1,2]",x\r\nB,,,\r\n',
  )
  t.equal(
    await textOf('ndjson', await rows(sql)),
    '{"cusip":"A","pricing":{"ytm":5.5,"b, \\"c":{"d":[1,2],"e":"x"}}}\n{"cusip":"B","pricing":null}\n',
  )
})

t.test('two columns with the same name are both kept', async t => {
  const sql = `SELECT 1 AS a, 2 AS A, 3 AS a, 'x' AS "a_1"`
  t.equal(await textOf('csv', await rows(sql)), 'a,A_1,a_2,a_1_1\r\n1,2,3,x\r\n')
  t.equal((await bytesOf('parquet', await rows(sql))).subarray(0, 4).toString(), 'PAR1')
})

t.test('a statement without rows still has its columns', async t => {
  t.equal(await textOf('csv', await rows('SELECT 1 AS a, 2 AS b WHERE false')), 'a,b\r\n')
})

t.test('all rows of several chunks are returned, and a reader may stop early', async t => {
  const text = await textOf('csv', await rows('SELECT range AS n FROM range(10000)'))
  t.equal(text.split('\r\n').length, 10_002)
  for await (const _ of (await rows('SELECT range AS n FROM range(1000000)')).chunks) break
  t.strictSame(await db.rows('SELECT 1 AS still'), [{ still: 1 }])
})
