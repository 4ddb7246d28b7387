import t from 'tap'
import { Database, literal } from '../../engine/database/database.ts'

const db = await Database.create()
t.teardown(() => db.close())

t.test('texts are returned unchanged, however long or repeated', async t => {
  const words = [
    '',
    'a',
    'a\0',
    'twelve bytes',
    'thirteen byte',
    'é',
    '💣💣💣',
    'thirteen bytes and more',
    'thirteen bytes and less',
    'a\0b',
  ]
  const rows = 5000
  const wanted = Array.from({ length: rows }, (_, i) => {
    if (i % 7 === 3) return null
    if (i % 5 === 0) return `only ${i}${'.'.repeat(i % 20)}`
    // Twelve bytes that differ in the first four, or the last.
    const number = String(i).padStart(4, '0')
    if (i % 5 < 3) return i % 5 === 1 ? `letters ${number}` : `${number} letters`
    return words[Math.floor(i / 5) % words.length]!
  })
  await db.run('CREATE TABLE texts (i INTEGER, word VARCHAR)')
  await db.append('texts', [Int32Array.from({ length: rows }, (_, i) => i), wanted], rows)
  const { columns } = await db.columns('SELECT word FROM texts ORDER BY i')
  t.strictSame(columns[0], wanted)
})

t.test('a leading U+FEFF is kept in columns, lists, structs, maps and functions', async t => {
  const mark = '\uFEFF'
  const texts = [
    mark,
    `${mark}short`,
    `${mark}${mark}twice`,
    `${mark}thirteen bytes and more`,
    `in${mark}side`,
    null,
  ]
  await db.run('CREATE TABLE marked (i INTEGER, word VARCHAR)')
  await db.append('marked', [Int32Array.from(texts.keys()), texts], texts.length)
  await db.define({ name: 'as_is', takes: ['VARCHAR'], gives: 'VARCHAR', compute: ([words]) => words! })
  const { columns } = await db.columns('SELECT word, as_is(word) FROM marked ORDER BY i')
  t.strictSame(columns, [texts, texts])
  const [nested] = await db.rows('SELECT [$1, NULL] AS l, {a: $1} AS s, MAP {$1: $1} AS m', [`${mark}a`])
  t.strictSame(nested, { l: [`${mark}a`, null], s: { a: `${mark}a` }, m: { [`${mark}a`]: `${mark}a` } })
})

t.test('whole numbers are numbers while exact, and missing values null', async t => {
  const edge = 2n ** 53n
  const wanted = [
    ...[0, 1, -1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, -(2 ** 32), 2 ** 53 - 1, 1 - 2 ** 53, null],
    ...[edge, -edge, edge + 1n, 2n ** 63n - 1n, -(2n ** 63n)],
  ]
  const values = wanted.map((value, i) => `(${i}, ${value})`).join(', ')
  const { columns, types } = await db.columns(
    `SELECT CAST(n AS BIGINT) AS n FROM (VALUES ${values}) t(i, n) ORDER BY i`,
  )
  t.strictSame(types, ['BIGINT'])
  t.strictSame(columns[0], wanted)
})

t.test('lists, structs, maps and unions are returned as they are, missing values as null', async t => {
  const { columns } = await db.columns(
    `SELECT CASE WHEN i > 0 THEN ['a', NULL] END, CASE WHEN i > 0 THEN {'a': 1::BIGINT, 'b': NULL} END,
       CASE WHEN i > 0 THEN MAP {'a': 1, 'b': NULL} END, CASE WHEN i > 0 THEN union_value(a := 1) END
     FROM range(2) r(i) ORDER BY i`,
  )
  t.strictSame(
    columns.map(values => values[0]),
    [null, null, null, null],
  )
  t.strictSame(
    columns.slice(0, 3).map(values => values[1]),
    [['a', null], { a: 1, b: null }, { a: 1, b: null }],
  )
})

t.test('other work runs while a large result is converted', async t => {
  /** Maximum share of the time during which nothing else ran. */
  const longestShare = async () => {
    let longest = 0
    let last = performance.now()
    const seen = () => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }
    const others = setInterval(seen, 0)
    const start = last
    const rows = await db.rows<{ i: number }>('SELECT i::INTEGER AS i, i * 1.5 AS x FROM range(500_000) r(i)')
    seen()
    clearInterval(others)
    t.equal(rows.length, 500_000)
    t.strictSame([rows[0]!.i, rows[2048]!.i, rows.at(-1)!.i], [0, 2048, 499_999])
    return longest / (last - start)
  }
  // A busy machine may stop this process for long, but not each time.
  let share = 1
  for (let i = 0; i < 10 && share >= 0.5; i++) share = await longestShare()
  t.ok(share < 0.5, `${(100 * share).toFixed()} % of the time without a turn`)
})

t.test('nulls of every type are read in any row of a chunk', async t => {
  const types = ['DOUBLE', 'FLOAT', 'INTEGER', 'SMALLINT', 'UTINYINT', 'BOOLEAN', 'DATE', 'TIMESTAMP']
  const value = (type: string) =>
    type === 'DATE' ? "DATE '2024-02-29'" : type === 'TIMESTAMP' ? "TIMESTAMP '2024-02-29 10:00:00'" : '1'
  const selected = types.map(type => `CASE WHEN i % 3 > 0 THEN CAST(${value(type)} AS ${type}) END`)
  const { columns } = await db.columns(`SELECT ${selected.join(', ')}, i FROM range(3000) r(i) ORDER BY i`)
  const plain = [1, 1, 1, 1, 1, true, '2024-02-29', '2024-02-29T10:00:00.000Z']
  for (const [j, type] of types.entries())
    t.ok(
      columns[j]!.every((found, i) => found === (i % 3 > 0 ? plain[j] : null)),
      type,
    )
})

t.test('whole numbers beyond 32 bits are appended and read as numbers', async t => {
  const wanted = [0, 2 ** 31, Number.NaN, Number.MAX_SAFE_INTEGER]
  await db.run('CREATE TABLE row_numbers (n BIGINT, half DOUBLE)')
  await db.append(
    'row_numbers',
    [Float64Array.from(wanted), Float64Array.from(wanted, n => n / 2)],
    wanted.length,
  )
  const read = []
  for await (const { columns } of db.numbers('SELECT n, half FROM row_numbers')) read.push(...columns)
  t.strictSame(
    read.map(column => [...column]),
    [wanted, wanted.map(n => n / 2)],
  )
  t.strictSame(await db.rows('SELECT n FROM row_numbers WHERE n > 1'), [
    { n: 2 ** 31 },
    { n: Number.MAX_SAFE_INTEGER },
  ])
})

t.test('numbers are copied alike from stored and streamed results', async t => {
  const rows = 100_003
  const fill = async (atOnce?: number) => {
    const into = [new Int32Array(rows), new Float64Array(rows), new Uint8Array(rows)] as const
    const sql = `SELECT ((i * 7919) % 1000003)::INTEGER, i / 3, (i % 251)::UTINYINT FROM range(${rows}) r(i)`
    await db.session(session => session.fill(sql, into, atOnce), {})
    return into
  }
  const [held, handed] = [await fill(), await fill(0)]
  for (const [j, values] of held.entries())
    t.ok(Buffer.from(values.buffer).equals(Buffer.from(handed[j]!.buffer)))
  t.equal(held[1][rows - 1], (rows - 1) / 3)
  t.equal(held[2][rows - 1], (rows - 1) % 251)
})

t.test('any text is itself as a literal', async t => {
  const database = await Database.create({ threads: 1 })
  t.teardown(() => database.close())
  for (const text of ["it's", '', '\0', "a\0'b\0", '\n\\', '💣\u202e'])
    t.strictSame(
      await database.rows(`SELECT ${literal(text)} AS text, ${literal(text)} = ? AS same`, [text]),
      [{ text, same: true }],
      JSON.stringify(text),
    )
})

t.test('many statements at once share a signal without a warning of leaks', async t => {
  const warnings: Error[] = []
  const heard = (warning: Error) => warnings.push(warning)
  process.on('warning', heard)
  t.teardown(() => process.off('warning', heard))
  const { signal } = new AbortController()
  const rows = await Promise.all(
    Array.from({ length: 40 }, (_, i) => db.rows(`SELECT ${i} AS i`, [], { signal })),
  )
  t.strictSame(
    rows.flat(),
    Array.from({ length: 40 }, (_, i) => ({ i })),
  )
  // Warnings are emitted in a later tick.
  await new Promise(resolve => setImmediate(resolve))
  t.strictSame(warnings, [])
})
