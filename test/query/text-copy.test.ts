import fc from 'fast-check'
import t from 'tap'
import { Database, literal, quote } from '../../engine/database/database.ts'
import { ExportFolder } from '../../engine/database/export-folder.ts'
import { stored } from '../../engine/database/views.ts'
import { encode } from '../../engine/encode/encode.ts'
import type { CopyForm, EncodableRows, EncodeOptions } from '../../engine/encode/row-stream.ts'
import { open } from '../../engine/engine.ts'
import { pageCopy } from '../../engine/query/page.ts'
import type { Plan } from '../../engine/query/plan/plan.ts'
import { pageSql } from '../../engine/query/plan/plan-sql.ts'
import {
  type Column,
  type Columns,
  integer,
  json,
  list,
  number,
  sqlType,
  text,
} from '../../engine/schema/column.ts'
import { tables } from '../../engine/schema/resources/tables.ts'
import { builtLake } from '../built-lake.ts'
import { firstOf } from '../by-night.ts'
import { bondColumns } from '../encode/rows.ts'
import { type Rows as Made, twoIssuers } from '../make-lake.ts'

const folder = new ExportFolder()
const database = await Database.create({ threads: 2 })
t.teardown(() => database.close())
await database.run('CREATE SCHEMA stored')

async function textOf(
  format: 'csv' | 'ndjson',
  rows: EncodableRows,
  options: EncodeOptions,
): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of encode(format, rows, options)) pieces.push(Buffer.from(piece as string))
  return Buffer.concat(pieces).toString()
}

const planOf = (table: string, columns: Columns): Plan => ({
  table,
  columns: Object.entries(columns).map(([name, column]) => ({ name, column })),
  where: [],
  after: [],
  order: [],
  limit: null,
  offset: 0,
})

/** What DuckDB would write differently from JavaScript, by form. */
async function differences(plan: Plan, columns: Columns): Promise<unknown[]> {
  const forms: readonly (readonly ['csv' | 'ndjson', EncodeOptions])[] = [
    ['ndjson', {}],
    ['csv', {}],
    ['csv', { safe: true }],
  ]
  const found: unknown[] = []
  for (const [format, options] of forms) {
    const { text, values } = pageSql(plan, columns, false)
    const rows = { columns: plan.columns, chunks: database.stream(text, values) }
    const copy = (form: CopyForm) => pageCopy({ database }, plan, columns, {}, folder, form)
    const said = await textOf(format, rows, options)
    const copied = await textOf(format, { ...rows, copy }, options)
    if (said === copied) continue
    let at = 0
    while (said[at] === copied[at]) at++
    const part = (of: string) => of.slice(Math.max(0, at - 30), at + 30)
    found.push({ format, options, said: part(said), copied: part(copied) })
  }
  return found
}

/** Any text as SQL, including text that no statement can contain. */
const textSql = (text: string): string =>
  `decode(unhex('${Buffer.from(text.toWellFormed()).toString('hex')}'))`

const controls = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code))
const blanks = [
  '\u00a0',
  '\u1680',
  '\u2000',
  '\u2009',
  '\u2028',
  '\u2029',
  '\u202f',
  '\u205f',
  '\u3000',
  '\ufeff',
]
const marks = [
  '"',
  ',',
  "'",
  '\\',
  '/',
  ' ',
  '\r\n',
  '=',
  '+',
  '-',
  '@',
  '#',
  '\\u001F',
  'null',
  '\x7f',
  '\x85',
]
const letters = ['a', 'é', '债', '🏦', 'Ä', 'n']
const special = [...controls, ...blanks, ...marks]
const texts = [
  '',
  'Transocean 6.8%, "2038"',
  ...special,
  ...special.flatMap(mark => [`${mark}a`, `a${mark}`, `a${mark}b`, `${mark}é${mark}`]),
  '\\\\u001F',
  '\\\x1f\\\\\x1f"',
  // DuckDB's client drops a byte order mark at the beginning of a text, and only there.
].filter(text => !text.startsWith('\ufeff'))

const wholes = [0, 1, -1, 100, 9_007_199_254_740_991, -9_007_199_254_740_991]
const numbers = [
  ...[
    0,
    -0,
    0.1,
    -0.1,
    1,
    -1,
    100,
    4.5,
    88.125,
    1 / 3,
    0.1 + 0.2,
    123456.789,
    1e15,
    1e16,
    2 ** 53,
    2 ** 53 + 2,
  ],
  ...[999999999999999900000, 1e20, 1e21, 1.05e21, 1.2345e300, -1e21, 1e308, 1.7976931348623157e308],
  ...[1e-5, 1e-6, 1.5e-6, 1e-7, 1.25e-7, -1e-7, 5e-324, 2.2250738585072014e-308, 2.5e-310],
]
const odd = ['nan', 'infinity', '-infinity']
const days = ['1800-01-01', '1969-12-31', '2024-02-29', '9999-12-31']
const instants = [
  ...['1969-12-31 23:59:59.999', '2026-01-02 03:04:05', '2026-01-02 03:04:05.6'],
  ...['2026-01-02 03:04:05.000001', '1800-01-01 00:00:00.123456', '9999-12-31 23:59:59.999999'],
]
const jsons = [
  ...[
    '{"a":[1,2.50],"b":null}',
    '[]',
    '"x"',
    'null',
    '{"a" : "x  y"}',
    '"\\u001F, \\u001f"',
    '12345678901234567890',
  ],
  ...[
    '[\n  {"date":"2027-06-01",\r\n "price":102.50}\n]',
    '\n{"a\\" b" : "\\\\" ,\t"c d":"é 债"}\n',
    '\nnull',
  ],
]

function pool(column: Column): readonly string[] {
  const cast = (values: readonly (string | number)[]) =>
    values.map(
      value => `CAST(${literal(Object.is(value, -0) ? '-0.0' : String(value))} AS ${sqlType(column)})`,
    )
  switch (column.kind) {
    case 'text':
    case 'enum':
      return texts.map(textSql)
    case 'date':
      return cast(days)
    case 'timestamp':
      return cast(instants)
    case 'boolean':
      return ['TRUE', 'FALSE']
    case 'list':
      return ['[]::VARCHAR[]', '[NULL]::VARCHAR[]', ...texts.map(each => `[${textSql(each)}, NULL, 'b']`)]
    case 'json':
      return jsons.map(literal)
    case 'cents':
    case 'integer':
      return cast(wholes)
    default:
      return cast([...numbers, ...odd])
  }
}

const ROWS = 600

/** A table of these columns with every value in each, and as many rows again that are mostly null. */
async function fill(name: string, columns: Columns): Promise<void> {
  const selected = Object.entries(columns).map(([name, column], j) => {
    const values = pool(column)
    const chosen = `[${values.join(', ')}][1 + (i * ${1 + (j % 3)}) % ${values.length}]`
    return `CASE WHEN i < ${ROWS / 2} OR hash(i, ${j}) % 5 = 0 THEN ${chosen} END AS ${quote(name)}`
  })
  await database.run(
    `CREATE OR REPLACE TABLE ${stored(name)} AS SELECT ${selected.join(', ')} FROM range(${ROWS}) r(i) ORDER BY hash(i)`,
  )
}

for (const { table, columns } of tables)
  t.test(`${table}: DuckDB writes the same lines as JavaScript`, async t => {
    await fill(table, columns)
    t.strictSame(await differences(planOf(table, columns), columns), [])
  })

t.test('columns of every kind, nested and quoted names are written alike', async t => {
  const columns: Columns = {
    ...bondColumns,
    'a "quoted", name': text(''),
    'deep.er.number': number(''),
    'deep.er.json': json(''),
    'deep.list': list(''),
    clash: integer(''),
    'clash.under': integer(''),
  }
  await fill('odd', columns)
  t.strictSame(await differences(planOf('odd', columns), columns), [])
  for (const [name, column] of Object.entries(columns))
    t.strictSame(await differences(planOf('odd', { [name]: column }), columns), [], `${name} alone`)
})

t.test('numbers with any bits and texts with any letters are written alike', async t => {
  const letter = fc.constantFrom(...special, ...letters)
  const [doubles] = fc.sample(fc.array(fc.double(), { minLength: 20_000, maxLength: 20_000 }), {
    numRuns: 1,
    seed: 1,
  })
  const [words] = fc.sample(
    fc.array(fc.string({ unit: letter, maxLength: 8 }), { minLength: 5000, maxLength: 5000 }),
    { numRuns: 1, seed: 2 },
  )
  await database.run(
    `CREATE TABLE ${stored('any')} (x DOUBLE, word VARCHAR); CREATE TABLE given (hex VARCHAR, x DOUBLE)`,
  )
  const hex = doubles!.map((_, i) =>
    Buffer.from(words![i % words!.length]!.replace(/^\ufeff+/, '')).toString('hex'),
  )
  await database.append('given', [hex, doubles!], doubles!.length)
  await database.run(`INSERT INTO ${stored('any')} SELECT x, decode(unhex(hex)) FROM given`)
  const columns = { x: number(''), word: text('') }
  t.strictSame(await differences(planOf('any', columns), columns), [])
})

t.test('rows keep their order over threads and pages, and are counted', async t => {
  await database.run(
    `CREATE TABLE ${stored('numbers')} AS
     SELECT range AS id, 'word ' || hash(range) AS word FROM range(130000) ORDER BY hash(range)`,
  )
  const columns = { id: integer(''), word: text('') }
  const plan: Plan = {
    ...planOf('numbers', columns),
    where: [{ op: 'ge', column: 'id', value: 10 }],
    order: [{ column: 'id', descending: true }],
    limit: 125_000,
    offset: 5,
  }
  t.strictSame(await differences(plan, columns), [])
  const { bytes, rowCount } = await pageCopy({ database }, plan, columns, {}, folder, { format: 'ndjson' })
  t.equal(rowCount, 125_000)
  let lines = 0
  for await (const piece of bytes) for (const byte of piece) if (byte === 10) lines++
  t.equal(lines, 125_000)
})

t.test('many rows are written to files by DuckDB, few are sent in chunks', async t => {
  const many = Array.from({ length: 10_001 }, (_, i) => ({
    ...twoIssuers['ratings']![0]!,
    effective_date: new Date(86_400_000 * (i - 10_000)).toISOString().slice(0, 10),
    known_from: '1970-01-02',
    outlook: i % 3 ? `"${i}",\u001f` : null,
  }))
  const made: Made = { ...twoIssuers, ratings: many }
  const lake = await builtLake(t.teardown, made)
  // Tables in memory, as they are once they were asked for several times, are sent in chunks however many rows.
  const engine = await open(lake, { hotMemory: '0' })
  t.teardown(() => engine.close())
  const cases = [
    [{ limit: 20_000 }, true],
    [{ limit: 20_000, offset: 2 }, false],
    [{ limit: 10_000 }, false],
    [{ limit: 20_000, ticker: 'BETA' }, false],
  ] as const
  const formats = ['csv', 'ndjson'] as const
  for (const [i, [input, isMany]] of cases.entries())
    for (const format of firstOf(1, i % 2 ? formats : formats.toReversed())) {
      const asked = { data_type: 'ratings', sort: 'effective_date', ...input }
      const stream = (use: (rows: EncodableRows) => Promise<string>) =>
        engine.stream('export', asked, {}, use)
      let isCopied = false
      const said = await stream(({ copy, ...rows }) => textOf(format, rows, {}))
      const copied = await stream(({ copy, ...rows }) => {
        const watched: EncodableRows['copy'] = async form => {
          const file = await copy!(form)
          isCopied = file !== null
          return file
        }
        return textOf(format, { ...rows, copy: watched }, {})
      })
      t.equal(isCopied, isMany, `${format} of ${JSON.stringify(input)}`)
      t.ok(said === copied)
    }
})
