// Indices below are within bounds by construction: checks would cost in the loops.

import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Random } from '../../cli/sample/random.ts'
import { Helpers } from '../../engine/search/build/helpers.ts'
import { writeGraphs } from '../../engine/search/build/write-graphs.ts'
import type { EmbedderFacts } from '../../engine/search/embed/embedder.ts'
import { openGraphs } from '../../engine/search/vectors/graph.ts'
import { numbersOf, VectorWriter } from '../../engine/search/vectors/vector-files.ts'
import { PassageVectors } from '../../engine/search/vectors/vectors.ts'
import type { Ground, OwnCase } from '../case.ts'
import { ascending, median, quantile, ratioOf } from '../measure.ts'
import { type Foreign, isInstalled, type PeerName, peer } from '../peers.ts'
import type { Effort, Measured } from '../timing.ts'

const NEAREST = 10
const QUESTIONS = 50

/** Unit vectors: independent, or clustered around hubs as texts on one topic are. */
interface Spread {
  readonly name: string
  readonly hubs: number
}

interface Stock {
  readonly wide: number
  readonly count: number
  readonly vectors: Float32Array
  readonly questions: readonly Float32Array[]
}

function stockOf(random: Random, { hubs }: Spread, count: number, wide: number): Stock {
  const middles = Array.from({ length: hubs }, () => normal(random, wide))
  const one = () => {
    const own = normal(random, wide)
    const hub = middles[random.whole(0, Math.max(0, hubs - 1))]
    return unit(hub ? own.map((part, i) => part * 0.5 + hub[i]!) : own)
  }
  const vectors = new Float32Array(count * wide)
  for (let i = 0; i < count; i++) vectors.set(one(), i * wide)
  return { wide, count, vectors, questions: Array.from({ length: QUESTIONS }, one) }
}

/** The sum of twelve uniform numbers, a good enough normal distribution here. */
function normal(random: Random, wide: number): Float32Array {
  const made = new Float32Array(wide)
  for (let i = 0; i < wide; i++) {
    let sum = -6
    for (let n = 0; n < 12; n++) sum += random.next()
    made[i] = sum
  }
  return made
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, part) => sum + part * part, 0))
  return vector.map(part => part / length)
}

/** Returns the nearest ten. */
interface Finder {
  readonly name: string
  find(question: Float32Array): readonly number[] | Promise<readonly number[]>
}

/** The vectors as a build stores them. */
function store(folder: string, { vectors, wide, count }: Stock): void {
  const writer = new VectorWriter(folder, wide, count)
  for (let i = 0; i < count; i++) writer.add(numbersOf(vectors.subarray(i * wide, (i + 1) * wide)))
  writer.close()
}

function exact(folder: string, { wide }: Stock): Finder {
  const held = new PassageVectors(folder, wide)
  return { name: 'engine, exact', find: question => held.best(question, NEAREST).passages }
}

async function graph(folder: string, { wide, questions }: Stock): Promise<Finder | null> {
  const facts = { informative: wide } as EmbedderFacts
  const helpers = new Helpers(cpus().length)
  const made = await writeGraphs(folder, facts, questions, {
    helpers,
    former: null,
    progress: async () => {},
    vectorIndex: 'hnsw',
  }).finally(() => helpers.close())
  const nearest = made.graphs && (await openGraphs(folder, wide, made.graphs.facts))
  return (
    nearest && {
      name: `engine, graphs of the nearest ${made.graphs!.facts.nearest}`,
      find: question => nearest(question).passages.slice(0, NEAREST),
    }
  )
}

const makers: Readonly<Partial<Record<PeerName, (stock: Stock, folder: string) => Promise<Finder[]>>>> = {
  async usearch({ vectors, wide, count }) {
    const { exactSearch, MetricKind } = peer('usearch') as Foreign
    const keys = (found: Foreign): number[] => [...found.keys].map(Number)
    return [1, 2].map(threads => ({
      name: `usearch, exact, ${threads} thread${threads > 1 ? 's' : ''}`,
      find: question => {
        if (vectors.length !== count * wide) throw new Error('vectors were lost')
        return keys(exactSearch(vectors, question, wide, NEAREST, MetricKind.IP, threads))
      },
    }))
  },
  async 'hnswlib-node'({ vectors, wide, count }) {
    const { HierarchicalNSW } = peer('hnswlib-node')
    const index = new HierarchicalNSW('ip', wide)
    index.initIndex(count, 16, 100, 100)
    for (let i = 0; i < count; i++) index.addPoint([...vectors.subarray(i * wide, (i + 1) * wide)], i)
    return [100, 300].map(effort => ({
      name: `hnswlib-node, ef ${effort}`,
      find: question => {
        index.setEf(effort)
        return index.searchKnn([...question], NEAREST).neighbors
      },
    }))
  },
  async '@lancedb/lancedb'({ vectors, wide, count }, folder) {
    const db = await peer('@lancedb/lancedb').connect(join(folder, 'lance'))
    const rows = Array.from({ length: count }, (_, id) => ({
      id,
      vector: [...vectors.subarray(id * wide, (id + 1) * wide)],
    }))
    const table = await db.createTable('passages', rows)
    return [
      {
        name: 'LanceDB, exact',
        async find(question) {
          const query = table
            .search([...question])
            .distanceType('dot')
            .select(['id', '_distance'])
            .limit(NEAREST)
          return (await query.toArray()).map((row: Foreign) => Number(row.id))
        },
      },
    ]
  },
}

/** Recall: the share of the ten that are as near as the true tenth, at full width. */
function recallOf({ vectors, wide, count, questions }: Stock) {
  const tenths = questions.map(question => {
    const products = Float64Array.from({ length: count }, (_, i) => product(i, question))
    return products.toSorted().at(-NEAREST)! - 1e-6
  })
  function product(i: number, question: Float32Array): number {
    let sum = 0
    for (let part = 0, at = i * wide; part < wide; part++, at++) sum += vectors[at]! * question[part]!
    return sum
  }
  return (q: number, found: readonly number[]): number =>
    new Set(found).size === NEAREST
      ? found.filter(i => product(i, questions[q]!) >= tenths[q]!).length / NEAREST
      : 0
}

async function measureVectors(
  declared: OwnCase,
  spread: Spread,
  { size }: Ground,
  effort: Effort,
  random: Random,
): Promise<Measured> {
  const [count, wide] = size === 'small' ? [20_000, 768] : [100_000, 256]
  const stock = stockOf(random.fork(spread.name), spread, count, wide)
  const folder = await mkdtemp(join(tmpdir(), 'tranche-bench-vectors-'))
  try {
    store(folder, stock)
    const finders = [exact(folder, stock)]
    const led = await graph(folder, stock)
    if (led) finders.push(led)
    const wanted = Object.entries(makers) as [PeerName, NonNullable<(typeof makers)[PeerName]>][]
    for (const [name, make] of wanted) if (isInstalled(name)) finders.push(...(await make(stock, folder)))
    const recall = recallOf(stock)
    const times = new Map<string, number[][]>(finders.map(({ name }) => [name, []]))
    const right = new Map<string, number>()
    for (let round = -1; round < effort.rounds; round++)
      for (let turn = 0; turn < finders.length; turn++) {
        const { name, find } = finders[(turn + round + 1) % finders.length]!
        const taken: number[] = []
        let shares = 0
        for (const [q, question] of stock.questions.entries()) {
          const start = performance.now()
          const found = await find(question)
          taken.push(performance.now() - start)
          shares += recall(q, found)
        }
        right.set(name, shares / stock.questions.length)
        // The first round is a warm-up.
        if (round >= 0) times.get(name)!.push(taken)
      }
    const named = (name: string) => `${name}: recall ${right.get(name)!.toFixed(3)}`
    const own = times.get(finders[0]!.name)!.map(median)
    return {
      name: declared.name,
      question: declared.question,
      rounds: effort.rounds,
      contestants: Object.fromEntries(
        [...times].map(([name, rounds]) => {
          const all = ascending(rounds.flat())
          return [named(name), { calls: all.length, p50: quantile(all, 0.5), p99: quantile(all, 0.99) }]
        }),
      ),
      ratios: Object.fromEntries(
        [...times]
          .slice(1)
          .map(([name, rounds]) => [named(name), ratioOf(rounds.map((each, i) => own[i]! / median(each)))]),
      ),
      meanRows: NEAREST,
      missing: wanted.map(([name]) => name).filter(name => !isInstalled(name)),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function vectors(spread: Spread): OwnCase {
  const declared: OwnCase = {
    name: `nearest vectors, ${spread.name}`,
    question:
      'Who are the ten nearest of 20,000 vectors of 768 numbers, or of 100,000 of 256? Ratios are of the exact scan.',
    sizes: ['small', 'medium'],
    quick: [],
    measure: (ground, effort, random) => measureVectors(declared, spread, ground, effort, random),
  }
  return declared
}

export const nearestVectors = [
  vectors({ name: 'clustered', hubs: 200 }),
  vectors({ name: 'random', hubs: 0 }),
]
