import type { Random } from '../scripts/sample/random.ts'
import { type Answer, type Case, type Contestant, difference, type Ground } from './case.ts'

export interface Effort {
  readonly rounds: number
  /** Calls of one contestant in one round, between these, about as many as fit in the time. */
  readonly minCalls: number
  readonly maxCalls: number
  /** Milliseconds. */
  readonly roundTime: number
  readonly warmUp: number
}

export const full: Effort = { rounds: 5, minCalls: 10, maxCalls: 400, roundTime: 1500, warmUp: 20 }
export const quick: Effort = { rounds: 3, minCalls: 5, maxCalls: 40, roundTime: 200, warmUp: 5 }

export interface Timing {
  readonly calls: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

/** The engine's median as a multiple of a baseline's, taken within each round: the middle round, and the extremes. */
export interface Ratio {
  readonly median: number
  readonly low: number
  readonly high: number
}

export interface Measured {
  readonly name: string
  readonly question: string
  readonly rounds: number
  readonly contestants: Readonly<Record<string, Timing>>
  readonly ratios: Readonly<Record<string, Ratio>>
  /** Rows of the answers, on average: a case that matches nothing measures nothing. */
  readonly meanRows: number
}

export class Mismatch extends Error {}

/** The value below which the share `q` of the sorted times lies: the nearest rank. */
export const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)]!

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)
const median = (values: readonly number[]): number => quantile(ascending(values), 0.5)

/**
 * Asks everyone the same questions in interleaved rounds, each beginning with another contestant.
 * Every answer is compared with the others' before its round counts; a difference is a Mismatch.
 */
export async function measure(
  declared: Case,
  ground: Ground,
  random: Random,
  effort: Effort,
): Promise<Measured> {
  const contestants = Object.entries<Contestant<unknown>>({ ...declared.baselines, engine: declared.engine })
  for (const [, contestant] of contestants) await contestant.prepare?.(ground)
  const asks = (label: string, n: number) => {
    const own = random.fork(`${declared.name} ${label}`)
    return Array.from({ length: n }, () => declared.ask(own, ground))
  }
  let slowest = 0
  const warm = asks('warm-up', effort.warmUp)
  for (const [, contestant] of contestants)
    slowest = Math.max(slowest, median((await timed(contestant, ground, warm)).times))
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

  const timings = [...times].map(([name, taken]) => {
    const all = ascending(taken.flat())
    return [name, { calls: all.length, p50: quantile(all, 0.5), p99: quantile(all, 0.99) }] as const
  })
  const own = times.get('engine')!.map(median)
  const ratios = Object.keys(declared.baselines).map(name => {
    const each = ascending(times.get(name)!.map((taken, round) => own[round]! / median(taken)))
    return [name, { median: quantile(each, 0.5), low: each[0]!, high: each[each.length - 1]! }] as const
  })
  return {
    name: declared.name,
    question: declared.question,
    rounds: effort.rounds,
    contestants: Object.fromEntries(timings),
    ratios: Object.fromEntries(ratios),
    meanRows: rows / (calls * effort.rounds),
  }
}

async function timed(contestant: Contestant<unknown>, ground: Ground, asks: readonly unknown[]) {
  const times: number[] = []
  const answers: Answer[] = []
  for (const ask of asks) {
    const start = performance.now()
    const read = await contestant.run(ground, ask)
    times.push(performance.now() - start)
    answers.push(read())
  }
  return { times, answers }
}
