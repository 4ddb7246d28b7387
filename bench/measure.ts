import type { Random } from '../cli/sample/random.ts'
import { type Answer, type Case, type Contestant, difference, type Ground } from './case.ts'
import { isInstalled } from './peers.ts'
import type { Effort, Measured, Ratio } from './timing.ts'

export const full: Effort = { rounds: 3, minCalls: 5, maxCalls: 400, roundTime: 1000, warmUp: 500 }

export const quick: Effort = { rounds: 3, minCalls: 2, maxCalls: 40, roundTime: 200, warmUp: 100 }

export class Mismatch extends Error {}

/** The quantile `q` of the sorted times, by nearest rank. */
export const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN

export const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)

export const median = (values: readonly number[]): number => quantile(ascending(values), 0.5)

/** The fastest of DuckDB's forms in each round. */
export const BEST_DUCKDB = 'the best of DuckDB'

export function ratioOf(each: readonly number[]): Ratio {
  const sorted = ascending(each)
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0), high: quantile(sorted, 1) }
}

// Over 80 lines: one measurement: check, warm up, take turns, sum up.
/**
 * Runs all contestants on the same queries in interleaved rounds, each starting with another one. Answers are
 * compared before a round counts; a difference is a Mismatch.
 */
export async function measure(
  declared: Case,
  ground: Ground,
  random: Random,
  effort: Effort,
): Promise<Measured> {
  const invited = Object.entries<Contestant<unknown>>({
    ...declared.baselines,
    engine: declared.engine,
  }).filter(([, { fits }]) => fits?.(ground) ?? true)
  const isHere = ([, { peer }]: (typeof invited)[number]) => peer === undefined || isInstalled(peer)
  const contestants = invited.filter(isHere)
  for (const [, contestant] of contestants) await contestant.prepare?.(ground)
  const asks = (label: string, n: number) => {
    const own = random.fork(`${declared.name} ${label}`)
    return Array.from({ length: n }, () => declared.ask(own, ground))
  }
  let slowest = 0
  for (const [, contestant] of contestants) {
    const own = random.fork(`${declared.name} warm-up`)
    const times: number[] = []
    // Long enough for compilation, too.
    for (const end = performance.now() + effort.warmUp; performance.now() < end || times.length < 3; )
      times.push(...(await timed(contestant, ground, [declared.ask(own, ground)])).times)
    slowest = Math.max(slowest, median(times))
  }
  const calls = Math.min(effort.maxCalls, Math.max(effort.minCalls, Math.floor(effort.roundTime / slowest)))

  const times = new Map<string, number[][]>(contestants.map(([name]) => [name, []]))
  let rows = 0
  for (let round = 0; round < effort.rounds; round++) {
    const asked = asks(`round ${round}`, calls)
    const turn = contestants.map((_, i) => contestants[(i + round) % contestants.length]!)
    let wanted: { by: string; answers: Answer[] } | undefined
    for (const [name, contestant] of turn) {
      const { times: taken, answers } = await timed(contestant, ground, asked)
      wanted ??= { by: name, answers }
      for (const [i, answer] of answers.entries()) {
        const parted = difference(wanted.answers[i]!, answer)
        if (parted)
          throw new Mismatch(
            `${declared.name}: for ${JSON.stringify(asked[i])}, ${name} answers otherwise than ${wanted.by}: ${parted}`,
          )
      }
      times.get(name)!.push(taken)
    }
    for (const answer of wanted!.answers) rows += answer.rows.length
  }

  const medians = new Map([...times].map(([name, taken]) => [name, taken.map(median)]))
  const own = medians.get('engine')!
  const against = new Map([...medians].filter(([name]) => name !== 'engine'))
  const duckdbs = contestants.filter(([, { isDuckDB }]) => isDuckDB).map(([name]) => medians.get(name)!)
  if (duckdbs.length > 1)
    against.set(
      BEST_DUCKDB,
      own.map((_, round) => Math.min(...duckdbs.map(each => each[round]!))),
    )
  const ratios = [...against].map(
    ([name, each]) => [name, ratioOf(own.map((mine, i) => mine / each[i]!))] as const,
  )
  const over = declared.over && ground.rows[declared.over]
  const timings = [...times].map(([name, taken]) => {
    const all = ascending(taken.flat())
    const p50 = quantile(all, 0.5)
    const perSecond = over && (over / p50) * 1000
    return [
      name,
      { calls: all.length, p50, p99: quantile(all, 0.99), ...(perSecond && { perSecond }) },
    ] as const
  })
  return {
    name: declared.name,
    question: declared.question,
    rounds: effort.rounds,
    contestants: Object.fromEntries(timings),
    ratios: Object.fromEntries(ratios),
    meanRows: rows / (calls * effort.rounds),
    missing: invited.filter(one => !isHere(one)).map(([name]) => name),
  }
}

async function timed(contestant: Contestant<unknown>, ground: Ground, asks: readonly unknown[]) {
  const times: number[] = []
  const answers: Answer[] = []
  for (const ask of asks) {
    const start = performance.now()
    const read = await contestant.run(ground, ask)
    times.push(performance.now() - start)
    answers.push(await read())
  }
  return { times, answers }
}
