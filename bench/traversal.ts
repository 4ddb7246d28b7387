import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { random } from '../cli/sample/random.ts'
import { open } from '../engine/engine.ts'
import { ingest } from '../engine/ingest/ingest.ts'
import { ensureLake } from '../engine/lake/lake.ts'
import { adjacency } from '../engine/operations/graph/adjacency.ts'
import { walk } from '../engine/operations/graph/walk.ts'
import { build } from '../engine/snapshot/build.ts'

const usage = `node dist/bench/traversal.js [--entities N] [--groups N]

Makes a lake of N entities (a million unless said) in groups (1,000), each a tree of owners with some cross-holdings, and
prints how long ingest, build and the first traversal take, what the graph weighs, and what a traversal and a hop cost.
`

/**
 * Groups have equal numbers of entities; a parent is drawn among earlier ones of its group, so that trees are 10 to
 * 15 deep.
 */
async function writeSources(folder: string, entities: number, groups: number): Promise<void> {
  const drawn = random('traversal')
  const line = async (to: NodeJS.WritableStream, cells: readonly (string | number)[]) => {
    if (!to.write(`${cells.join(',')}\n`)) await new Promise(done => to.once('drain', done))
  }
  const companies = createWriteStream(join(folder, 'companies.csv'))
  const list = createWriteStream(join(folder, 'entities.csv'))
  const owners = createWriteStream(join(folder, 'ownership.csv'))
  await line(companies, ['ticker', 'name'])
  await line(list, ['id', 'ticker', 'name', 'entity_type', 'jurisdiction', 'parent_id', 'document_date'])
  await line(owners, ['parent_id', 'child_id', 'document_date'])
  const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
  const day = '2025-01-02'
  for (let group = 0; group < groups; group++) {
    const ticker = `G${group}`
    await line(companies, [ticker, `Group ${group} Corp`])
    for (let n = group; n < entities; n += groups) {
      const position = Math.floor(n / groups)
      const parent = () => id(group + groups * drawn.whole(0, position - 1))
      const name = position === 0 ? `Group ${group} Corp` : `Group ${group} Company ${position} LLC`
      const type = position === 0 ? 'holdco' : 'subsidiary'
      await line(list, [id(n), ticker, name, type, 'Delaware', position === 0 ? '' : parent(), day])
      if (position > 0 && n % 20 === 0) await line(owners, [parent(), id(n), day])
    }
  }
  for (const to of [companies, list, owners]) await new Promise<void>(done => to.end(done))
}

const percentile = (sorted: readonly number[], share: number) =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(2)

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  const done = await work()
  process.stdout.write(`${what.padEnd(34)} ${((performance.now() - begun) / 1000).toFixed(1)} s\n`)
  return done
}

/** Time per edge, over the packed arrays alone: the best of five full walks. */
function hops(nodes: number): string {
  const drawn = random('hops')
  const to = Int32Array.from({ length: nodes - 1 }, (_, i) => i + 1)
  const from = Int32Array.from({ length: nodes - 1 }, (_, i) =>
    drawn.whole(Math.max(0, Math.floor(i / 8)), Math.floor(i / 4)),
  )
  const graph = adjacency(nodes, from, to)
  let reached: readonly number[] = []
  let took = Infinity
  for (let run = 0; run < 5; run++) {
    const begun = performance.now()
    reached = walk([0], [graph], { depth: 100, most: nodes, sees: () => true }).nodes
    took = Math.min(took, performance.now() - begun)
  }
  return `${((took / reached.length) * 1000).toFixed(3)} µs a hop over ${reached.length.toLocaleString('en')} hops`
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      entities: { type: 'string', default: '1000000' },
      groups: { type: 'string', default: '1000' },
      help: { type: 'boolean', default: false },
    },
  })
  const [entities, groups] = [Number(values.entities), Number(values.groups)]
  if (values.help || !(entities >= groups && groups >= 1)) {
    process.stderr.write(usage)
    return values.help ? 0 : 2
  }
  const folder = await mkdtemp(join(tmpdir(), 'tranche-bench-'))
  try {
    await timed('writing sources', () => writeSources(folder, entities, groups))
    const lake = await ensureLake(join(folder, 'lake'))
    await timed('ingest', async () => {
      for (const dataset of ['companies', 'entities', 'ownership'])
        await ingest(lake, [join(folder, `${dataset}.csv`)], { dataset })
    })
    await timed('build', () => build(lake, {}))
    const engine = await open(lake)
    const before = process.memoryUsage().rss
    const ask = (start: string, depth: number, relationships = 'subsidiaries') =>
      engine.ask('traverse.entities', { start, relationships, depth })
    await timed('first traversal (graph is read)', () => ask('company:G0', 1))
    const after = process.memoryUsage().rss
    process.stdout.write(`${'memory of it'.padEnd(34)} ${Math.round((after - before) / 2 ** 20)} MiB\n`)
    for (const [depth, times] of [
      [1, 200],
      [10, 40],
    ] as const) {
      const took: number[] = []
      for (let i = 0; i < times; i++) {
        const begun = performance.now()
        await ask(`company:G${(i * 37) % groups}`, depth)
        took.push(performance.now() - begun)
      }
      took.sort((a, b) => a - b)
      process.stdout.write(
        `${`traversal, depth ${depth}`.padEnd(34)} p50 ${percentile(took, 0.5)} ms, p99 ${percentile(took, 0.99)} ms\n`,
      )
    }
    await engine.close()
    process.stdout.write(`${'walk alone'.padEnd(34)} ${hops(entities)}\n`)
    return 0
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main()
