import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import type { Random } from '../../cli/sample/random.ts'
import { elementAt } from '../../engine/base/elements.ts'
import { type Engine, open } from '../../engine/engine.ts'
import { type Operations, operations } from '../../engine/operations/api.ts'
import { findOperation } from '../../engine/operations/find-operation.ts'
import type { OwnCase } from '../case.ts'
import { ascending, median, quantile, ratioOf } from '../measure.ts'
import { type Input, questions, sampleOf } from '../questions.ts'
import { sampleLake } from '../sample-lake.ts'
import { createKeys, type Served, served } from '../serve-lake.ts'
import type { Effort, Measured } from '../timing.ts'

/** The unit: a page of 50 companies, each with another query. */
const PAGE = 'a page of 50'
const CONNECTIONS = 10
/** Untimed calls of each operation first, so that tables, indexes and days are in memory. */
const WARM_UP = 40
/** Of the unit, which is timed first, over HTTP. */
const WARM_PAGES = 2000

const names = operations.map(({ name }) => name) as (keyof Operations)[]
type PageInput = (n: number) => Input

/**
 * Full pages of a lake. Where few companies have figures that are not stale, as in a lake of old filings, a filter on debt
 * leaves fewer than 50 rows, so the pages begin at other rows instead.
 */
async function fullPages(engine: Engine): Promise<PageInput> {
  const page = { sort: '-leverage_ratio', limit: 50 }
  const { data } = await engine.call('search.companies', { limit: 50, min_debt: -1 })
  if (data.length === 50) return n => ({ ...page, min_debt: -1 - n })
  const { meta } = await engine.call('search.companies', { limit: 1 })
  const last = Math.max(1, meta.total - 49)
  return n => ({ ...page, offset: n % last })
}

interface Timed {
  readonly calls: number
  readonly p50: number
  readonly p99: number
}

/** Each operation compared with a page, round by round. */
async function inPages(
  declared: { name: string; question: string },
  rounds: number,
  time: (name: keyof Operations | typeof PAGE) => Promise<readonly number[]>,
): Promise<Measured> {
  const all = new Map<string, number[][]>()
  for (let round = 0; round < rounds; round++)
    for (const name of [PAGE, ...names] as const)
      all.set(name, [...(all.get(name) ?? []), [...(await time(name))]])
  const timing = (times: readonly number[][]): Timed => {
    const sorted = ascending(times.flat())
    return { calls: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) }
  }
  const pages = all.get(PAGE)!.map(median)
  const units = (times: readonly number[][]) =>
    ratioOf(times.map((taken, i) => median(taken) / elementAt(pages, i)))
  return {
    ...declared,
    rounds,
    contestants: Object.fromEntries([...all].map(([name, times]) => [name, timing(times)])),
    ratios: Object.fromEntries(
      [...all].filter(([name]) => name !== PAGE).map(([name, times]) => [name, units(times)]),
    ),
    meanRows: 50,
    missing: [],
    notes: [`ratios are the time of each operation as a multiple of ${PAGE} companies, in the same round`],
  }
}

async function inLibrary(lake: string, effort: Effort, random: Random): Promise<Measured> {
  const engine = await open(lake)
  try {
    const sample = await sampleOf(engine)
    const page = await fullPages(engine)
    let next = 0
    const ask = (name: keyof Operations | typeof PAGE): (() => Promise<unknown>) => {
      if (name === PAGE) {
        const input = page(next++)
        return () => engine.ask('search.companies', input)
      }
      const input = questions[name](sample, random)
      return () => engine.ask(name, input)
    }
    for (const name of [PAGE, ...names] as const) for (let i = 0; i < WARM_UP; i++) await ask(name)()
    return await inPages(operationsInLibrary, effort.rounds, async name => {
      const times: number[] = []
      const end = performance.now() + effort.roundTime / 2
      while (times.length < effort.minCalls || (times.length < effort.maxCalls && performance.now() < end)) {
        const call = ask(name)
        const start = performance.now()
        await call()
        times.push(performance.now() - start)
      }
      return times
    })
  } finally {
    engine.close()
  }
}

/** The HTTP request of an operation. */
function requestOf(name: string, input: Input): { method: 'GET' | 'POST'; path: string; body?: string } {
  const { method, path } = findOperation(name)
  if (method === 'POST') return { method, path, body: JSON.stringify(input) }
  const query = new URLSearchParams()
  let filled = path
  for (const [key, value] of Object.entries(input))
    if (path.includes(`{${key}}`)) filled = filled.replace(`{${key}}`, encodeURIComponent(String(value)))
    else query.set(key, String(value))
  return { method, path: `${filled}?${query}` }
}

async function overHttp(lake: string, effort: Effort, random: Random): Promise<Measured> {
  const engine = await open(lake)
  const sample = await sampleOf(engine)
  const page = await fullPages(engine)
  engine.close()
  const folder = await mkdtemp(join(tmpdir(), 'tranche-bench-operations-'))
  let server: Served | undefined
  try {
    const state = join(folder, 'state.db')
    const keys = await createKeys(state)
    server = await served('serve-uncached.js', '--lake', lake, '--state', state)
    const { url, cpuMs } = server
    let next = 0
    const request = (name: keyof Operations | typeof PAGE) => {
      const headers = {
        'X-API-Key': elementAt(keys, next++ % keys.length),
        'Content-Type': 'application/json',
      }
      const asked =
        name === PAGE
          ? requestOf('search.companies', page(next))
          : requestOf(name, questions[name](sample, random))
      return { ...asked, headers }
    }
    for (const name of [PAGE, ...names] as const)
      for (let i = 0; i < (name === PAGE ? WARM_PAGES : WARM_UP); i++) {
        const { path, ...how } = request(name)
        const response = await fetch(url + path, how)
        if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
        await response.arrayBuffer()
      }
    return await inPages(operationsOverHttp, effort.roundTime >= 1000 ? 3 : 1, async name => {
      const before = await cpuMs()
      const requests = [{ setupRequest: () => request(name) }]
      const load = (duration: number) => autocannon({ url, connections: CONNECTIONS, duration, requests })
      const second = await load(1)
      // The slowest answer none in a second.
      const result = second.requests.total > 0 ? second : await load(10)
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${name}: ${result.non2xx} answers were no 200, ${result.errors} errors`)
      // With all connections busy. Times by the clock vary tenfold on a busy machine.
      return [((await cpuMs()) - before) / result.requests.total]
    })
  } finally {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

export const operationsInLibrary: OwnCase = {
  name: 'operations in the library',
  question: 'How long does each operation take over the sample, in pages of 50 companies?',
  // Off by default, because the sample is made first.
  quick: [],
  measure: async ({ lake }, effort, random) => inLibrary(lake ?? (await sampleLake()), effort, random),
}

export const operationsOverHttp: OwnCase = {
  name: 'operations over HTTP',
  question:
    'How much processor time does a server use for each operation over the sample, in pages of 50 companies?',
  // Off by default, because the sample is made first.
  quick: [],
  measure: async ({ lake }, effort, random) => overHttp(lake ?? (await sampleLake()), effort, random),
}
