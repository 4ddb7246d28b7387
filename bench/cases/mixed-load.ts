import type { Random } from '../../cli/sample/random.ts'
import { elementAt, firstOf, memberOf } from '../../engine/base/elements.ts'
import { open } from '../../engine/engine.ts'
import { lowerOtherThreads } from '../../server/limits/thread-priority.ts'
import type { Ground, OwnCase } from '../case.ts'
import { ascending, median, quantile, ratioOf } from '../measure.ts'
import type { Effort, Measured } from '../timing.ts'

const HEAVY = 7
/** With a hundred calls, p99 is just the second slowest: rounds of a full run are this many times longer. */
const LONGER = 8
const HEAVY_SQL = 'SELECT spread_date, tenor, median(spread_bps) FROM spreads GROUP BY ALL'

const ticker = (random: Random, ground: Ground): string =>
  `C${String(random.whole(0, memberOf(ground.rows, 'companies') - 1)).padStart(7, '0')}`

const SMALL = 'DuckDB, small'

type Ask = readonly [name: string, input: Readonly<Record<string, unknown>>]

/** A desk's queries: three analysts to two screeners, a researcher and a batch. */
const roles: Readonly<Record<string, (random: Random, ground: Ground) => readonly Ask[]>> = {
  analyst: (random, ground) => [['search.bonds', { ticker: ticker(random, ground), sort: 'maturity_date' }]],
  screener: (random, { sectors }) => [
    [
      'search.companies',
      { min_leverage: random.whole(0, 5000) / 1000, sector: random.pick(sectors), sort: '-leverage_ratio' },
    ],
  ],
  researcher: random => [
    ['aggregate.spreads', { group_by: ['sector'], metrics: ['median', 'count'], limit: random.whole(5, 11) }],
  ],
  batch: (random, ground) =>
    Array.from({ length: 5 }, () => ['search.companies', { ticker: ticker(random, ground) }] as const),
}
const mix = ['analyst', 'analyst', 'analyst', 'screener', 'screener', 'researcher', 'batch'] as const

// Over 80 lines: one measurement: set up, take turns, tear down.
async function measureMixed(ground: Ground, effort: Effort, random: Random): Promise<Measured> {
  const cold = await open(ground.engine.lake, { hotMemory: '0' })
  const heavy = await open(ground.engine.lake, { hotMemory: '0' })
  const ask = (engine: typeof cold, [name, input]: Ask) => engine.ask(name, input)
  const small = (): Ask => [
    'search.companies',
    { min_leverage: random.whole(0, 9000) / 1000, fields: ['ticker'] },
  ]
  try {
    for (const asks of Object.values(roles))
      for (const [name, input] of asks(random, ground)) await ground.engine.warm(name, input)
    const round = async (milliseconds: number): Promise<Map<string, number[]>> => {
      const times = new Map<string, number[]>()
      const timed = async (role: string, work: () => Promise<unknown>) => {
        const start = performance.now()
        await work()
        times.set(role, [...(times.get(role) ?? []), performance.now() - start])
      }
      const end = performance.now() + milliseconds
      for (let i = 0; performance.now() < end || i < mix.length * 3; i++) {
        const role = elementAt(mix, i % mix.length)
        await timed(role, async () => {
          for (const one of memberOf(roles, role)(random, ground)) await ask(ground.engine, one)
        })
        if (i % mix.length === 0) await timed(SMALL, () => ask(cold, small()))
        // Yields, as between requests.
        await new Promise(resolve => setImmediate(resolve))
      }
      return times
    }
    await round(effort.roundTime)
    const roundTime = effort.roundTime * (effort.roundTime < 1000 ? 1 : LONGER)
    // As in a server.
    lowerOtherThreads()
    const idle: Map<string, number[]>[] = []
    const beside: Map<string, number[]>[] = []
    for (let i = 0; i < effort.rounds; i++) {
      idle.push(await round(roundTime))
      let running = true
      const loops = Array.from({ length: HEAVY }, async () => {
        while (running) await heavy.sql(HEAVY_SQL)
      })
      beside.push(await round(roundTime * 2))
      running = false
      await Promise.all(loops)
    }
    const names = [...firstOf(idle).keys()]
    const timing = (rounds: readonly Map<string, number[]>[], name: string) => {
      const all = ascending(rounds.flatMap(times => times.get(name) ?? []))
      return { calls: all.length, p50: quantile(all, 0.5), p99: quantile(all, 0.99) }
    }
    return {
      name: mixedLoad.name,
      question: mixedLoad.question,
      rounds: effort.rounds,
      contestants: Object.fromEntries(
        names.flatMap(name => [
          [`${name}, idle`, timing(idle, name)],
          [`${name}, beside ${HEAVY} heavy`, timing(beside, name)],
        ]),
      ),
      // p50 beside heavy queries as a multiple of idle; then the bound: p99 of it.
      ratios: Object.fromEntries(
        names.flatMap(name => [
          [
            `${name}, beside ${HEAVY} heavy`,
            ratioOf(
              beside.map((times, i) => median(times.get(name)!) / median(elementAt(idle, i).get(name)!)),
            ),
          ],
          [
            `${name}, p99 of it to ${name === SMALL ? 'p50' : 'p99'} idle`,
            ratioOf(
              beside.map((times, i) => {
                const alone = ascending(elementAt(idle, i).get(name)!)
                return (
                  quantile(ascending(times.get(name)!), 0.99) / quantile(alone, name === SMALL ? 0.5 : 0.99)
                )
              }),
            ),
          ],
        ]),
      ),
      meanRows: 50,
      missing: [],
    }
  } finally {
    cold.close()
    heavy.close()
  }
}

export const mixedLoad: OwnCase = {
  name: 'mixed load',
  question:
    'What do a desk’s questions wait for while seven heavy queries run? Ratios are to the same question alone.',
  sizes: ['medium'],
  measure: measureMixed,
}
