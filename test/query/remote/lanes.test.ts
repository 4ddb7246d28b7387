import t, { type Test } from 'tap'
import type { Engine } from '../../../engine/engine.ts'
import { open } from '../../../engine/main.ts'
import { operations } from '../../../engine/operations/api.ts'
import type { Operation } from '../../../engine/operations/operation.ts'
import { metrics } from '../../../engine/query/plan/plan.ts'
import type { Filter } from '../../../engine/schema/filter.ts'
import type { Input } from '../../../engine/schema/params.ts'

// Needs a Trino server that holds the current snapshot of a lake: see scripts/trino.mjs, or run `.ci/nightly trino`.
const remote = process.env['TRANCHE_TRINO_URL']
const lake = process.env['TRANCHE_TRINO_LAKE']
const isHere = remote !== undefined && lake !== undefined
t.setTimeout(4 * 3_600_000)

/** The lists that the remote lane answers, with the resource of each. */
const lists = (operations as readonly Operation[]).filter(
  ({ params, resource }) => params['lane'] !== undefined && resource !== undefined && !params['metrics'],
)

/** Dotted members of a row. */
function flat(row: object, path = ''): [string, unknown][] {
  return Object.entries(row).flatMap(([name, value]) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? flat(value, `${path}${name}.`)
      : [[`${path}${name}`, value] as [string, unknown]],
  )
}

/** Values of each column in some rows, in order. */
function valuesIn(rows: readonly object[]): Map<string, (string | number)[]> {
  const found = new Map<string, Set<string | number>>()
  for (const row of rows)
    for (const [name, value] of flat(row)) {
      if (typeof value !== 'string' && typeof value !== 'number') continue
      found.set(name, (found.get(name) ?? new Set()).add(value))
    }
  return new Map([...found].map(([name, values]) => [name, [...values]]))
}

/** Some values of a filter, of those that rows have. */
function asked({ op, column, param }: Filter, values: readonly (string | number)[]): unknown[] {
  if (op === 'has' || op === 'is' || param?.kind === 'boolean') return [true, false]
  const middle = values[Math.floor(values.length / 2)]
  if (op === 'at_least' || op === 'at_most') return middle === undefined ? [] : [middle]
  if (param?.values) return [param.values.slice(0, 2).join(',')]
  if (values.length > 0) return [values.slice(0, 3).join(',')]
  return param?.example === undefined ? [] : [param.example, column].slice(0, 1)
}

/** An answer without what names the request, or its error. */
const answer = (engine: Engine, name: string, input: Input): Promise<unknown> =>
  engine.ask(name, input).catch(error => {
    if (error.code === undefined) throw error
    return { code: error.code, message: error.message }
  })

t.test('three lanes answer with equal rows', { skip: isHere ? false : 'needs a Trino server' }, async t => {
  const duckdb = await open(lake!, { hotMemory: '0' })
  const memory = await open(lake!, { hotMemory: '2GB' })
  const trino = await open(lake!, { hotMemory: '0', remote: remote! })
  t.teardown(() => {
    for (const engine of [duckdb, memory, trino]) engine.close()
  })
  const isSame = async (t: Test, name: string, input: Input) => {
    await memory.warm(name, input).catch(() => {})
    const [expected, loaded, far] = await Promise.all([
      answer(duckdb, name, input),
      answer(memory, name, input),
      answer(trino, name, { ...input, lane: 'remote' }),
    ])
    const question = `${name} ${JSON.stringify(input)}`
    if (JSON.stringify(far) === JSON.stringify(expected)) t.pass(question)
    else t.strictSame(far, expected, question)
    if (JSON.stringify(loaded) !== JSON.stringify(expected)) t.strictSame(loaded, expected, question)
  }
  const where = await trino.ask('search.bonds', { lane: 'remote', explain: true, limit: 1 })
  t.match(where['meta'], { lane: { lane: 'remote' } })

  const { data: priced } = await duckdb.call('search.pricing', { limit: 1 } as never)
  const required = (name: string): Input =>
    name === 'history.pricing' ? { cusip: (priced[0] as { cusip: string }).cusip } : {}

  for (const { name, envelope, params, resource } of lists)
    t.test(name, async t => {
      const rows = (await duckdb.ask(name, { limit: 400, ...required(name) }))[envelope] as object[]
      const values = valuesIn(rows)
      const columns = Object.entries(resource!.columns)
        .filter(([, { kind, on_request }]) => kind !== 'json' && kind !== 'list' && !on_request)
        .map(([column]) => column)
      const page = { limit: 40, ...required(name) }
      await isSame(t, name, page)
      await isSame(t, name, { ...page, offset: 37, limit: 5 })
      await isSame(t, name, { ...page, offset: 1_000_000 })
      let turn = 0
      const sorted = () => {
        const [a, b] = [columns[turn % columns.length]!, columns[(turn * 7 + 3) % columns.length]!]
        return { sort: turn++ % 2 === 0 || a === b ? `-${a}` : `${a},-${b}` }
      }
      if (params['latest'] ?? params['latest_only'])
        await isSame(t, name, { ...page, ...sorted(), [params['latest'] ? 'latest' : 'latest_only']: true })
      for (const [filter, declared] of Object.entries(resource!.filters))
        if (params[filter])
          for (const value of asked(declared, values.get(declared.column) ?? []))
            await isSame(t, name, { ...page, ...sorted(), [filter]: value })
    })

  t.test('groups of spreads', async t => {
    const name = 'aggregate.spreads'
    const keys = ['spread_date', 'week', 'month', 'tenor', 'sector', 'industry', 'rating_bucket', 'ticker']
    for (const key of keys) {
      const ofDay = key === 'spread_date'
      const all = metrics.filter(metric => ofDay || !/^average_|_rank$/.test(metric))
      await isSame(t, name, { group_by: key, metrics: all.join(','), limit: 1000 })
      await isSame(t, name, {
        group_by: `${key === 'tenor' ? 'sector' : 'tenor'},${key}`,
        sort: '-median',
        source: 'all',
      })
    }
    const series = 'percentile_rank,average_5d,average_60d,change'
    await isSame(t, name, { group_by: 'spread_date,tenor,rating_bucket', metrics: series, limit: 1000 })
    await isSame(t, name, { group_by: 'sector', tenor: '5Y', metrics: 'p90,stddev,change', sort: '-change' })
  })

  t.test('text that needs care in a statement', async t => {
    for (const sector of ["o'hara", "''", '"', '\\', 'Ä', 'İ', '💣', '--', '/*', '?', '\u0001', 'a\nb'])
      await isSame(t, 'search.companies', { sector })
    await isSame(t, 'search.companies', { sector: 'eNeRgY,UTILITIES' })
    await isSame(t, 'search.companies', { min_leverage: 1e300 })
    await isSame(t, 'search.bonds', { min_ytm: -1e-300, max_ytm: 7.25 })
  })

  t.test('every format has the same rows', async t => {
    const { csv } = await import('../../../engine/encode/csv.ts')
    const written = (engine: Engine, lane: object) =>
      engine.stream('search.spreads', { ...lane, limit: 20_000 }, {}, async stream => {
        const pieces: Uint8Array[] = []
        for await (const piece of csv(stream)) pieces.push(Buffer.from(piece as Uint8Array))
        return Buffer.concat(pieces).toString()
      })
    t.equal(await written(trino, { lane: 'remote' }), await written(duckdb, {}))
  })
})
