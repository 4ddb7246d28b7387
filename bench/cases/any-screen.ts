import type { Random } from '../../cli/sample/random.ts'
import { elementAt, memberOf } from '../../engine/base/elements.ts'
import { isCusip as hasRightDigit } from '../../engine/credit/identifiers.ts'
import { quote } from '../../engine/database/database.ts'
import type { Resource } from '../../engine/schema/resource.ts'
import { bonds } from '../../engine/schema/resources/bonds.ts'
import { companies } from '../../engine/schema/resources/companies.ts'
import { spreads } from '../../engine/schema/resources/spreads.ts'
import { anyQuestion, formsOf, type Pools, poolSql, type Question } from '../any-question.ts'
import { answerOf, answerOfPage, difference, type Ground, type OwnCase, type Read } from '../case.ts'
import type { SizeName } from '../made-lake.ts'
import { ascending, BEST_DUCKDB, full, Mismatch, median, quantile, ratioOf } from '../measure.ts'
import type { Effort, Measured } from '../timing.ts'

/** Queries that take more than this share of DuckDB's time are listed. */
const WORTH_SAYING = 0.5
const MOST_CALLS = 20
/** Warm-up queries, which load the tables that the others read. */
const WARM_UP = 8

type Run = () => Promise<Read>

interface Asked {
  readonly resource: Resource
  readonly operation: string
}

async function poolsOf({ duck }: Ground, resource: Resource): Promise<Pools> {
  const pools = new Map<string, (string | number)[]>()
  for (const [column, sql] of poolSql(resource)) {
    const [values] = (await duck.columns(sql)) as (string | number)[][]
    // Identifiers of a generated lake are mere numbers, most without a valid check digit.
    const isCusip = memberOf(resource.columns, column).format === 'cusip'
    pools.set(column, isCusip ? values!.filter(value => hasRightDigit(String(value))) : values!)
  }
  return pools
}

/** All contestants of a query, ready to be timed. */
async function contestants(
  { engine, duck }: Ground,
  { resource, operation }: Asked,
  question: Question,
  random: Random,
): Promise<ReadonlyMap<string, Run>> {
  await engine.warm(operation, question.input)
  const { meta } = (await engine.ask(operation, question.input)) as { meta: { total: number } }
  const offset = random.chance(0.7) ? 0 : random.whole(0, Math.min(1000, Math.max(0, meta.total - 1)))
  const { shown } = question
  const page = async (sql: string): Promise<Run> => {
    const statement = await duck.prepare(sql)
    return async () => {
      const rows = await statement.rows()
      return () => answerOf(rows, shown)
    }
  }
  const both = async (paged: string, counted: string): Promise<Run> => {
    const [rowsOf, countOf] = [await duck.prepare(paged), await duck.prepare(counted)]
    return async () => {
      const rows = await rowsOf.rows()
      const [count] = await countOf.rows()
      return () => answerOf(rows, shown, count!['n'])
    }
  }
  const overFile = formsOf(resource, question, quote(resource.table), offset)
  const overTable = formsOf(resource, question, quote(heldName(resource)), offset)
  const input = { ...question.input, offset }
  return new Map<string, Run>([
    ['DuckDB, Parquet, count(*) over ()', await page(overFile.windowed)],
    ['DuckDB, Parquet, page and count', await both(overFile.paged, overFile.counted)],
    ['DuckDB, table, count(*) over ()', await page(overTable.windowed)],
    ['DuckDB, table, page and count', await both(overTable.paged, overTable.counted)],
    ...(overTable.joined ? [['DuckDB, table, row ids joined', await page(overTable.joined)] as const] : []),
    [
      ENGINE,
      async () => {
        const answer = await engine.ask(operation, input)
        return () => answerOfPage(answer, shown)
      },
    ],
  ])
}

const ENGINE = 'engine'
const heldName = (resource: Resource): string => `all_${resource.table}`

/** Times of each contestant by round, after comparing the first answers. */
async function timed(
  question: Question,
  runs: ReadonlyMap<string, Run>,
  { rounds, roundTime }: Effort,
): Promise<ReadonlyMap<string, number[][]>> {
  const times = new Map<string, number[][]>([...runs.keys()].map(name => [name, []]))
  const once = async (run: Run) => {
    const start = performance.now()
    const read = await run()
    return { time: performance.now() - start, read }
  }
  let wanted: Awaited<ReturnType<Read>> | undefined
  let slowest = 0
  for (const [name, run] of runs) {
    await run()
    const { time, read } = await once(run)
    slowest = Math.max(slowest, time)
    const given = await read()
    wanted ??= given
    const parted = difference(wanted, given)
    if (parted)
      throw new Mismatch(`for ${JSON.stringify(question.input)}, ${name} answers otherwise: ${parted}`)
  }
  const calls = Math.min(MOST_CALLS, Math.max(1, Math.floor(roundTime / 20 / slowest)))
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of runs) {
      const taken: number[] = []
      for (let i = 0; i < calls; i++) taken.push((await once(run)).time)
      times.get(name)!.push(taken)
    }
  return times
}

async function measureAny(asked: Asked, ground: Ground, effort: Effort, random: Random) {
  const { resource } = asked
  const pools = await poolsOf(ground, resource)
  await ground.duck.run(
    `CREATE TABLE IF NOT EXISTS ${quote(heldName(resource))} AS SELECT * FROM ${quote(resource.table)}`,
  )
  const asks = (label: string) =>
    anyQuestion(random.fork(`any screen of ${resource.name} ${label}`), resource, pools)
  // Long enough to be compiled.
  for (let [i, end] = [0, performance.now() + effort.warmUp]; performance.now() < end; i++) {
    const { input } = asks(`${i % WARM_UP} before`)
    await ground.engine.warm(asked.operation, input)
    for (let n = 0; n < MOST_CALLS; n++) await ground.engine.ask(asked.operation, input)
  }
  const own: number[] = []
  const best: number[] = []
  const ratios: number[] = []
  const notes: string[] = []
  for (let i = 0; i < (effort === full ? 24 : 4); i++) {
    const question = asks(`${i}`)
    const runs = await contestants(ground, asked, question, random.fork(`offset ${i}`))
    const times = await timed(question, runs, effort)
    const medians = new Map([...times].map(([name, taken]) => [name, taken.map(median)]))
    const mine = medians.get(ENGINE)!
    medians.delete(ENGINE)
    const theirs = mine.map((_, round) =>
      Math.min(...[...medians.values()].map(each => elementAt(each, round))),
    )
    const ratio = ratioOf(mine.map((time, round) => time / elementAt(theirs, round))).median
    own.push(median(mine))
    best.push(median(theirs))
    ratios.push(ratio)
    if (ratio > WORTH_SAYING)
      notes.push(
        `${ratio.toFixed(2)}x, ${median(mine).toFixed(2)} against ${median(theirs).toFixed(2)} ms: ${JSON.stringify(question.input)}`,
      )
  }
  await ground.duck.run(`DROP TABLE ${quote(heldName(resource))}`)
  const timing = (times: number[]) => ({
    calls: times.length,
    p50: median(times),
    p99: quantile(ascending(times), 0.99),
  })
  return {
    rounds: effort.rounds,
    contestants: { [BEST_DUCKDB]: timing(best), [ENGINE]: timing(own) },
    // Over all queries: the median, and the extremes.
    ratios: { [BEST_DUCKDB]: ratioOf(ratios) },
    meanRows: 50,
    missing: [],
    notes,
  } satisfies Omit<Measured, 'name' | 'question'>
}

const anyScreen = (asked: Asked, sizes: readonly SizeName[]): OwnCase => {
  const name = `any screen of ${asked.resource.name}`
  const question = `How long do questions of any filters and orders of ${asked.resource.name} take, in the best form for DuckDB?`
  return {
    name,
    question,
    sizes,
    measure: async (ground, effort, random) => ({
      name,
      question,
      ...(await measureAny(asked, ground, effort, random)),
    }),
  }
}

export const anyScreens: readonly OwnCase[] = [
  anyScreen({ resource: companies as unknown as Resource, operation: 'search.companies' }, [
    'small',
    'medium',
    'large',
  ]),
  anyScreen({ resource: bonds as unknown as Resource, operation: 'search.bonds' }, ['small', 'medium']),
  anyScreen({ resource: spreads as unknown as Resource, operation: 'search.spreads' }, ['small']),
]
