import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { Database } from '../../engine/database/database.ts'
import { measured, partsInOrder, rowsOfGroup } from '../../engine/query/table-parts.ts'
import { writeTable } from '../../engine/query/write-table.ts'
import { parseSort } from '../../engine/schema/sort.ts'
import { testFolder } from '../folder.ts'

const db = await Database.create()
t.teardown(() => db.close())

// Half of the rows are of one company, some of none; names hold quotes and sort before and after one another by bytes alone.
await db.run(`
  CREATE TABLE statements AS
  SELECT CASE WHEN i % 2 = 0 THEN 'BIG' WHEN i % 9 = 0 THEN NULL ELSE ['b', 'B''s', 'É', 'a', 'Z'][1 + i % 5] || i % 40 END AS ticker,
    CASE WHEN i % 17 > 0 THEN DATE '2020-03-31' + CAST(i * 7919 % 40 * 91 AS INTEGER) END AS period_end, CAST(i * 31 % 1000 AS SMALLINT) AS version,
    CASE WHEN i % 3 > 0 THEN i / 7 END AS leverage, i % 4 = 0 AS is_latest, CAST('{"revenue": [' || repeat('12,', i % 90) || '0]}' AS JSON) AS _explain,
    CASE WHEN i % 5 > 0 THEN [ticker, 'x'] END AS filings, make_timestamp(1700000000000000 + i) AS known_at,
    CAST(i AS HUGEINT) * 3 AS id
  FROM range(3000) r(i)`)
const query = 'SELECT * REPLACE (CAST(id AS BIGINT) AS id) FROM statements'
const orders = {
  'ticker, then newest first': ['ticker', '-period_end', 'id'],
  'newest first': ['-period_end', 'ticker', 'version', 'id'],
  'leverage, a fraction': ['leverage', 'id'],
  'latest last': ['is_latest', '-ticker', 'id'],
}
const sizes = [600_000, 60_000]

for (const [name, keys] of Object.entries(orders)) {
  const order = keys.map(parseSort)
  const sql = order.map(({ column, descending }) => `${column} ${descending ? 'DESC' : 'ASC'} NULLS LAST`)

  t.test(`parts by ${name} are the table in order, no row twice and none lost`, async t => {
    const sized = await measured(db, query)
    const whole = await db.rows(`SELECT * FROM (${query}) ORDER BY ${sql}`)
    for (const size of sizes) {
      const parts = await partsInOrder(db, sized, order, size)
      const rows: unknown[] = []
      for (const part of parts) {
        const of = `SELECT * FROM (${query}) WHERE ${part}`
        rows.push(...(await db.rows(`${of} ORDER BY ${sql}`)))
        const [found] = await db.rows<{ bytes: number }>(
          `SELECT CAST(sum(${sized.rowBytes}) AS BIGINT) AS bytes FROM (${of})`,
        )
        t.ok(found!.bytes <= 2 * size, `a part of ${found!.bytes} bytes for ${size}`)
      }
      t.ok(parts.length >= sized.bytes / size / 2, `${parts.length} parts`)
      t.strictSame(rows, whole, `${size} bytes at a time`)
    }
  })

  t.test(`a file by ${name} has the same bytes whether it is written in parts or at once`, async t => {
    const folder = testFolder(t)
    const write = async (bytesAtATime: number) => {
      const file = join(folder, `${bytesAtATime}.parquet`)
      await writeTable(db, query, order, file, { bytesAtATime })
      return createHash('sha256')
        .update(await readFile(file))
        .digest('hex')
    }
    const atOnce = await write(2 ** 40)
    for (const size of sizes) t.equal(await write(size), atOnce, `${size} bytes at a time`)
    t.equal((await readdir(folder)).length, 3, 'parts are removed')
  })
}

t.test('a table without rows is a file without rows', async t => {
  const file = join(testFolder(t), 'none.parquet')
  await writeTable(db, `${query} WHERE FALSE`, [parseSort('id')], file, { bytesAtATime: 1 })
  t.strictSame(await db.rows(`SELECT count(*) AS n FROM '${file}'`), [{ n: 0 }])
})

t.test('a write that fails leaves no parts', async t => {
  const folder = testFolder(t)
  const failing = `SELECT *, CASE WHEN id = 3 THEN error('a broken row') END AS note FROM (${query})`
  await t.rejects(
    writeTable(db, failing, [parseSort('id')], join(folder, 'broken.parquet'), { bytesAtATime: 20_000 }),
    /a broken row/,
  )
  t.strictSame(await readdir(folder), [])
})

t.test('a row group holds about 256 MB of long rows, and no more than 122,880 rows', async t => {
  t.equal(rowsOfGroup({ rows: 0, bytes: 0 }), 122_880)
  t.equal(rowsOfGroup({ rows: 5_000_000, bytes: 5_000_000 * 600 }), 122_880)
  t.equal(rowsOfGroup({ rows: 100_000, bytes: 100_000 * 14_000 }), 18_432)
  t.equal(rowsOfGroup({ rows: 3_000, bytes: 2 ** 35 }), 2_048)
  t.ok(rowsOfGroup({ rows: 13_664, bytes: 160_000_000 }) > 13_664, 'a smaller table is one group')
})
