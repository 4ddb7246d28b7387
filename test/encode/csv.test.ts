import { deepStrictEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { Database, literal } from '../../engine/database/database.ts'
import { cents, integer, list, nullable, number, text } from '../../engine/schema/column.ts'
import { testFolder } from '../folder.ts'
import { bondColumns, bonds, rowsOf, textOf, writeTo } from './rows.ts'

/** A reader of RFC 4180 that shares no code with the writer: cells are text, with whether they were quoted. */
function parse(csv: string): { text: string; quoted: boolean }[][] {
  const rows: { text: string; quoted: boolean }[][] = []
  for (let at = 0; at < csv.length; ) {
    const row: { text: string; quoted: boolean }[] = []
    for (;;) {
      const quoted = csv[at] === '"'
      let held = ''
      if (quoted) {
        for (at++; csv[at] !== '"' || csv[at + 1] === '"'; at++) {
          if (csv[at] === '"') at++
          held += csv[at]
        }
        at++
      } else for (; at < csv.length && csv[at] !== ',' && csv[at] !== '\r'; at++) held += csv[at]
      row.push({ text: held, quoted })
      if (csv[at] !== ',') break
      at++
    }
    if (csv.slice(at, at + 2) !== '\r\n') throw new Error(`no line end at ${at}`)
    at += 2
    rows.push(row)
  }
  return rows
}

const names = { name: nullable(text('')), amount: nullable(integer('')) }

t.test('the header is written even without rows', async t => {
  t.equal(await textOf('csv', rowsOf(names, [])), 'name,amount\r\n')
})

t.test('a missing name is an empty cell, an empty name is quoted', async t => {
  t.equal(
    await textOf(
      'csv',
      rowsOf(names, [
        [null, 1],
        ['', null],
      ]),
    ),
    'name,amount\r\n,1\r\n"",\r\n',
  )
})

t.test('a null in the only column still has its own line', async t => {
  t.equal(await textOf('csv', rowsOf({ name: names.name }, [[null], ['Ford']])), 'name\r\n""\r\nFord\r\n')
})

t.test('formulas are escaped on request, and negative spreads stay numbers', async t => {
  const columns = { name: text(''), spread: number(''), flags: list('') }
  const rows = [
    ['=1+1', -12.5, ['=x']],
    ['-cmd|x', -3, []],
    ['\tTab', 0, []],
    ["'quoted", 1, []],
    ['@a,b', 2, []],
  ]
  t.equal(
    await textOf('csv', rowsOf(columns, rows), { safe: true }),
    'name,spread,flags\r\n' +
      '\'=1+1,-12.5,"[""=x""]"\r\n' +
      "'-cmd|x,-3,[]\r\n" +
      "'\tTab,0,[]\r\n" +
      "'quoted,1,[]\r\n" +
      '"\'@a,b",2,[]\r\n',
  )
  t.match(await textOf('csv', rowsOf(columns, rows)), /\r\n=1\+1,-12\.5,/, 'and raw where it is not')
})

const odd = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        ',',
        '\r',
        '\n',
        '\r\n',
        '=',
        '+',
        '-',
        '@',
        '\t',
        "'",
        ' ',
        '\0',
        '\ufeff',
        '🏦',
        'é',
        ';',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 6 },
  )
  .map(parts => parts.join(''))

t.test('names in any script survive a round trip', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.option(odd), fc.option(fc.maxSafeInteger())), { maxLength: 8 }),
      async rows => {
        const [, ...read] = parse(await textOf('csv', rowsOf(names, rows)))
        const back = read.map(([name, amount]) => [
          name!.text === '' && !name!.quoted ? null : name!.text,
          amount!.text === '' ? null : Number(amount!.text),
        ])
        deepStrictEqual(back, rows)
      },
    ),
    { numRuns: 300 },
  )
})

t.test('escaped text never begins as a formula, and nothing else is changed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(odd, fc.double({ noNaN: true })), { maxLength: 8 }), async rows => {
      const columns = { name: text(''), ytm: number('') }
      const [, ...read] = parse(await textOf('csv', rowsOf(columns, rows), { safe: true }))
      for (const [i, [name, ytm]] of read.entries()) {
        const [was, yielded] = rows[i]!
        equal(name!.text, /^[=+\-@\t\r]/.test(was) ? `'${was}` : was)
        equal(ytm!.quoted, false)
        equal(Number(ytm!.text), yielded === 0 ? 0 : yielded)
      }
    }),
    { numRuns: 300 },
  )
})

t.test('cents are exact to 2^53, and beyond as big integers', async t => {
  const amounts = [
    Number.MAX_SAFE_INTEGER,
    -Number.MAX_SAFE_INTEGER,
    9_007_199_254_740_993n,
    100_000_000_000_000_000,
  ]
  const rows = rowsOf(
    { outstanding: cents('') },
    amounts.map(a => [a]),
  )
  t.equal(
    await textOf('csv', rows),
    'outstanding\r\n9007199254740991\r\n-9007199254740991\r\n9007199254740993\r\n100000000000000000\r\n',
  )
})

t.test('DuckDB reads bonds back from CSV', async t => {
  const file = `${testFolder(t)}/bonds.csv`
  await writeTo(file, 'csv', rowsOf(bondColumns, bonds))
  const db = await Database.create()
  t.teardown(() => db.close())
  const read = await db.rows(
    `SELECT cusip, name, coupon_rate, CAST(maturity_date AS VARCHAR) AS maturity_date, outstanding, callable
     FROM read_csv(${literal(file)}, all_varchar = false, types = {'cusip': 'VARCHAR'}) ORDER BY ALL`,
  )
  const wanted = bonds.map(([cusip, name, coupon_rate, maturity_date, outstanding, , callable]) => ({
    cusip,
    name,
    coupon_rate,
    maturity_date,
    outstanding,
    callable,
  }))
  t.strictSame(
    read,
    wanted.sort((a, b) => ((a.cusip as string) < (b.cusip as string) ? -1 : 1)),
  )
})
