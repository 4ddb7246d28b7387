import fc from 'fast-check'
import t, { type Test } from 'tap'
import { Database, literal, quote } from '../../../engine/database/database.ts'
import type { Chunk } from '../../../engine/database/results.ts'
import { stored } from '../../../engine/database/views.ts'
import type { Source } from '../../../engine/query/choose-lane.ts'
import { HotLane } from '../../../engine/query/memory/lane.ts'
import { HotMemory } from '../../../engine/query/memory/memory.ts'
import { countRows, type PageJson, pageChunks, pageJson, pageValues } from '../../../engine/query/page.ts'
import { isOfSeries, type Metric, metrics, type Plan } from '../../../engine/query/plan/plan.ts'
import { copyColumns, TENTHS } from '../../../engine/query/spread-copies.ts'
import { type Column, type Columns, sqlType } from '../../../engine/schema/column.ts'
import type { Condition } from '../../../engine/schema/filter.ts'
import type { Resource } from '../../../engine/schema/resource.ts'
import { spreads } from '../../../engine/schema/resources/spreads.ts'
import { tables } from '../../../engine/schema/resources/tables.ts'
import { parseSort, type Sort, totalOrder } from '../../../engine/schema/sort.ts'

const textOf = ({ rows, total }: PageJson): [string, number] => [Buffer.concat(rows).toString(), total]

const ROWS = 400
/** Enough rows for ranges to be looked up in orders of their own. */
const MANY_ROWS = 5000
/** Plans tried on each table: `TRANCHE_LANE_CASES=600` for a long run. */
const CASES = Number(process.env['TRANCHE_LANE_CASES'] ?? 30)
t.setTimeout(Math.max(15, CASES) * 60_000)

const words = [
  '',
  'a',
  'A',
  'Ä',
  'ä',
  'ß',
  'SS',
  'İ',
  'ı',
  'i',
  'ΟΔΟΣ',
  'οδος',
  'οδοσ',
  '💣',
  '\uffee',
  'z',
  ' z',
]
const texts = [...words, "o'hara", '"', '\\', 'a\nb', 'x'.repeat(300), '\u2028', '0', '10', '9']
const numbers = [0, -0, 0.1, -0.1, 1, 4.5, 1e300, -1e-300, 5e-324, 123456.789, 2 ** 53, -3]
const tenths = [0, 10.7, -200, 3276.7, 99.9, 100, 0.1, -0.1]
const wholes = [0, 1, -1, 2, 30, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, -(2 ** 53) + 1]
const days = [
  '1969-12-31',
  '1970-01-01',
  '2024-02-29',
  '2025-01-01',
  '2025-01-02',
  '0001-01-01',
  '9999-12-31',
]
const instants = ['2025-01-01T00:00:00Z', '2025-01-01T00:00:00.5Z', '1969-12-31T23:59:59.999999Z']

/** Values that a column may hold, as SQL. */
function pool(column: Column): string[] {
  const cast = (values: readonly (string | number)[]) =>
    values.map(v => `CAST(${literal(Object.is(v, -0) ? '-0.0' : String(v))} AS ${sqlType(column)})`)
  switch (column.kind) {
    case 'text':
      return texts.map(literal)
    case 'enum':
      return column.values!.map(literal)
    case 'date':
      return cast(days)
    case 'timestamp':
      return cast(instants)
    case 'boolean':
      return ['TRUE', 'FALSE']
    case 'list':
      return ["['a', 'b']", "['A']", '[]::VARCHAR[]', "['\"', '💣']"]
    case 'json':
      return [`'{"a": [1, 2.50]}'`, "'[]'", `'"x"'`]
    case 'bps':
      return cast(tenths)
    case 'cents':
    case 'integer':
      return cast(wholes)
    default:
      return cast(numbers)
  }
}

/** A table of a resource: values of every kind, nulls, and many duplicates except in the key. */
async function fill(database: Database, { table, columns, key }: Resource, rows: number): Promise<void> {
  const unique = key.find(name => columns[name]!.kind === 'text')!
  const selected = Object.entries(columns).map(([name, column]) => {
    const values = pool(column)
    const chosen = `[${values.join(', ')}][1 + CAST(hash(i, ${literal(name)}) % ${values.length} AS BIGINT)]`
    if (name === unique) return `${chosen} || i AS ${quote(name)}`
    return `CASE WHEN hash(${literal(name)}, i) % 5 > 0 THEN ${chosen} END AS ${quote(name)}`
  })
  await database.run(
    `CREATE TABLE ${stored(table)} AS SELECT ${selected.join(', ')} FROM range(${rows}) r(i) ORDER BY hash(i)`,
  )
}

function asked(column: Column): fc.Arbitrary<string | number | boolean> {
  switch (column.kind) {
    case 'text':
      return fc.constantFrom(...texts, ...texts.map(w => w.toUpperCase()), ...texts.map(w => w.toLowerCase()))
    case 'enum':
      return fc.constantFrom(...column.values!)
    case 'date':
      return fc.constantFrom(...days, '2025-01-03')
    case 'boolean':
      return fc.boolean()
    case 'bps':
      return fc.constantFrom(...tenths, 10.65, 10.75, 1e9, -1e9)
    case 'cents':
    case 'integer':
      return fc.constantFrom(...wholes, 0.5, -0.5, 1e300)
    default:
      return fc.constantFrom(...numbers, 4.4999999, -1e300)
  }
}

const conditions = ({
  columns,
  filters,
}: Resource): fc.Arbitrary<{ stage: 'row' | 'picked'; found: Condition[] }> =>
  fc
    .nat()
    .map(n => Object.values(filters)[n % Object.keys(filters).length]!)
    .chain(filter => {
      const column = filter.param ?? columns[filter.column]!
      const value =
        filter.op === 'has' ? fc.boolean() : asked(filter.op === 'company' ? columns[filter.column]! : column)
      const most = ['any_of', 'company', 'custom'].includes(filter.op) && column.kind !== 'boolean' ? 12 : 1
      return fc
        .array(value, { minLength: 1, maxLength: most })
        .map(values => ({ stage: filter.stage ?? 'row', found: filter.conditions(values) }))
    })

function plans(resource: Resource): fc.Arbitrary<Plan> {
  const { columns, key, newest, filters } = resource
  const names = Object.keys(columns)
  const aliases = new Map(
    Object.entries(columns).flatMap(([name, column]) => (column.aliases ?? []).map(alias => [alias, name])),
  )
  const sortable = names.filter(n => columns[n]!.kind !== 'json' && columns[n]!.kind !== 'list')
  const sort = fc.record({ column: fc.constantFrom(...sortable), descending: fc.boolean() })
  return fc
    .record({
      shown: fc.subarray([...names, ...aliases.keys()], { minLength: 1 }),
      given: fc.array(conditions(resource), { maxLength: Object.keys(filters).length ? 3 : 0 }),
      sorts: fc.uniqueArray(sort, { maxLength: 2, selector: s => s.column }),
      picks: fc.boolean(),
      limit: fc.constantFrom(1, 7, 50, 1000),
      offset: fc.constantFrom(0, 0, 0, 3, 60, 399, 400, 1e6),
    })
    .map(({ shown, given, sorts, picks, limit, offset }) => {
      const pick = newest && picks
      const found = (stage: 'row' | 'picked') => given.filter(g => g.stage === stage).flatMap(g => g.found)
      return {
        table: resource.table,
        columns: shown.map(name => {
          const from = aliases.get(name)
          return from ? { name, column: columns[from]!, from } : { name, column: columns[name]! }
        }),
        where: pick ? found('row') : [...found('row'), ...found('picked')],
        after: pick ? found('picked') : [],
        ...(pick && { pick: { per: newest.per, by: totalOrder(newest.by.map(parseSort), key) } }),
        order: totalOrder(sorts as Sort[], key),
        limit,
        offset,
      }
    })
}

const large = new Set(['companies', 'bonds', 'spreads', 'financials'])

for (const [resource, rows] of tables.flatMap(r => [
  [r, ROWS] as const,
  ...(large.has(r.table) ? [[r, MANY_ROWS] as const] : []),
]))
  t.test(`${rows} ${resource.table}: memory and DuckDB answer with the same bytes`, async t => {
    const database = await Database.create({ threads: 1 })
    t.teardown(() => database.close())
    await database.run('CREATE SCHEMA stored')
    await fill(database, resource, rows)
    const answered = await compare(t, database, resource.columns, plans(resource))
    t.ok(answered > CASES / 4, `${answered} of ${CASES} were answered from memory`)
  })

/** Chunks as one, column by column. */
async function sent(chunks: AsyncIterable<Chunk>, width: number): Promise<unknown[][]> {
  const columns: unknown[][] = Array.from({ length: width }, () => [])
  for await (const chunk of chunks)
    for (const [j, values] of chunk.columns.entries()) columns[j]!.push(...values)
  return columns
}

/** How many rows a plan reads, once memory has what it takes. */
async function counted(source: Source, { group: _, ...plan }: Plan, kinds: Columns): Promise<number> {
  await source.hot.warm({ ...plan, columns: [], order: [], limit: 0, offset: 0 }, kinds)
  return countRows(source, plan, kinds)
}

/** Runs the plan in both lanes, and records how often memory answered. */
async function compare(
  t: Test,
  database: Database,
  kinds: Columns,
  asked: fc.Arbitrary<Plan>,
): Promise<number> {
  const memory = new HotLane(database, new HotMemory(2 ** 30))
  const duckdb = new HotLane(database, new HotMemory(0))
  let answered = 0
  await fc.assert(
    fc.asyncProperty(asked, async plan => {
      await memory.warm(plan, kinds)
      if (memory.choose(plan, kinds).lane === 'memory') answered++
      const [a, b] = await Promise.all(
        [memory, duckdb].map(async hot => ({
          json: textOf(await pageJson({ database, hot }, plan, kinds, {})),
          values: Object.values(await pageValues({ database, hot }, plan, kinds, {})),
          count: await counted({ database, hot }, plan, kinds),
        })),
      )
      if (!plan.group) {
        const chunks = await sent(pageChunks({ database, hot: memory }, plan, kinds, {}), plan.columns.length)
        if (JSON.stringify(chunks) !== JSON.stringify(a!.values[0])) {
          t.strictSame(chunks, a!.values[0])
          return false
        }
      }
      if (JSON.stringify(a) === JSON.stringify(b)) return true
      t.strictSame(a, b)
      return false
    }),
    { seed: Number(process.env['TRANCHE_LANE_SEED'] ?? 20251121), numRuns: CASES },
  )
  return answered
}

const keys = ['spread_date', 'week', 'month', 'tenor', 'sector', 'rating_bucket', 'ticker'] as const
const kindOf = (name: string): Column =>
  spreads.columns[name as 'tenor'] ?? {
    kind: name === 'week' || name === 'month' ? 'date' : 'number',
    doc: '',
    nullable: true,
  }

/** Plans that group spreads by any keys. */
const groupings = plans(spreads as unknown as Resource).chain(plan =>
  fc
    .record({
      by: fc.subarray([...keys], { minLength: 1, maxLength: 3 }),
      asked: fc.subarray([...metrics], { minLength: 1 }),
      sorts: fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 2 }),
      tenths: fc.boolean(),
    })
    .map(({ by, asked, sorts, tenths }): Plan => {
      const { pick: _, ...rest } = plan
      const found = asked.filter(metric => by.includes('spread_date') || !isOfSeries(metric))
      const names = [...by, ...(found.length ? found : (['count'] as const))]
      const order = sorts.map(([n, descending]) => ({ column: names[n % names.length]!, descending }))
      return {
        ...rest,
        columns: names.map(name => ({ name, column: kindOf(name) })),
        group: {
          by: by.map(name =>
            name === 'week' || name === 'month'
              ? { name, column: 'spread_date', cut: name }
              : { name, column: name },
          ),
          ...(tenths ? { value: 'spread_tenths', scale: TENTHS } : { value: 'spread_bps' }),
          time: 'spread_date',
          company: 'company_id',
          metrics: names.slice(by.length) as Metric[],
        },
        order: totalOrder(order, by),
      }
    }),
)

const seen = `(CAST(hash(i, 'tail') % 1000 AS BIGINT) - 20)`
const byTenor = 'tenor, spread_date, ticker, i'
for (const [what, spread, order] of [
  ['of 16 bits', `${seen} / 10`, byTenor],
  ['of 32 bits', `${seen} * 9.7`, byTenor],
  ['of few values', `(i % 3) / 10`, byTenor],
  ['of few values, companies together', `(i % 3) / 10`, 'ticker, i'],
  // Runs read two values at a time, with halves far apart, and more values than one count can distinguish.
  ['of companies together', `(${seen} + (i % 2) * 20000) / 10`, 'ticker, tenor, spread_date, i'],
] as const)
  t.test(`groups of spreads ${what}: memory and DuckDB answer with the same bytes`, async t => {
    const database = await Database.create({ threads: 1 })
    t.teardown(() => database.close())
    await database.run('CREATE SCHEMA stored')
    await database.run(`
      CREATE TABLE stored.spreads AS SELECT 'C' || i % 7 AS company_id, nullif('T' || i % 7, 'T3') AS ticker, 'x' AS company_name,
        DATE '2024-12-20' + CAST(i // 23 AS INTEGER) AS spread_date, ['1Y', '3Y', '5Y'][1 + i % 3] AS tenor,
        CAST(round(${spread}, 1) AS DOUBLE) AS spread_bps, CAST(round(${spread} * 10) AS INTEGER) AS spread_tenths, i AS trade_count, i AS bond_count,
        ['bond_spread_proxy', 'settlement_price'][1 + CAST(hash(i) % 2 AS BIGINT)] AS source,
        ['Energy', 'energy', NULL, 'Tech'][1 + i % 4] AS sector, 'y' AS industry, ['IG', 'HY-B', NULL][1 + i % 3] AS rating_bucket,
        'standard' AS coverage, DATE '2025-01-01' AS known_from
      FROM range(2300) r(i) ORDER BY ${order}`)
    const answered = await compare(t, database, { ...spreads.columns, ...copyColumns }, groupings)
    t.ok(answered > CASES * 0.9, `${answered} of ${CASES} were answered from memory`)
  })
