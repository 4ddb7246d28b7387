import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { type Random, random } from '../cli/sample/random.ts'
import { elementAt, groupOf } from '../engine/base/elements.ts'
import { ascending, median, quantile } from './measure.ts'

const usage = `node dist/bench/search-units.js --lake DIR [--other-dist DIR --other-lake DIR] [--calls N] [--rounds N]

How many pages of 50 bonds does a page of 50 keyword hits cost, in the library and over HTTP? Questions are two or three words
of credit agreements, no two alike, and the same again ("repeated"). With --other-dist the same is asked of another compiled
version (with a lake that it has built), in turns, and the ratio of the two is printed. Units and ratios are of processor time, the median of
the rounds; over HTTP that of the server's processes, which only Linux tells.
`

const words = (
  'change control leverage covenant indenture revolver borrowing maturity notes senior secured unsecured guarantee collateral lien default ' +
  'acceleration redemption dividend restricted payment liquidity refinance coupon interest rate swap credit facility agreement bank ' +
  'amendment trustee holder principal premium tender repurchase asset sale subsidiary merger investment grade rating downgrade cash ' +
  'flow working capital pension lease impairment goodwill revenue inventory litigation environmental tax currency'
).split(' ')

const PAGE = 50

/** The queries of a round, distinct over all rounds. */
function questions(draw: Random, count: number, seen: Set<string>): string[] {
  const asked: string[] = []
  while (asked.length < count) {
    const text = Array.from({ length: draw.whole(2, 3) }, () => draw.pick(words)).join(
      draw.next() < 0.3 ? ' OR ' : ' ',
    )
    if (seen.has(text)) continue
    seen.add(text)
    asked.push(text)
  }
  return asked
}

interface Engine {
  call(name: string, input: object): Promise<{ data: unknown[] }>
  close(): void
}

/** A version of the program with its lake. */
interface Version {
  readonly name: string
  readonly dist: string
  readonly lake: string
}

interface Ways {
  bonds(n: number): Promise<number>
  search(q: string): Promise<number>
  /** Processor time of what answers so far, in milliseconds. */
  processorTime(): Promise<number>
}

async function library({ dist, lake }: Version): Promise<Ways & { close(): Promise<void> }> {
  const module = (await import(pathToFileURL(join(dist, 'engine/main.js')).href)) as {
    open(lake: string): Promise<Engine>
  }
  const engine = await module.open(lake)
  const rows = async (name: string, input: object) => (await engine.call(name, input)).data.length
  return {
    bonds: n => rows('search.bonds', { limit: PAGE, min_coupon: -1 - n }),
    search: q => rows('search.documents', { q, limit: PAGE }),
    processorTime: async () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    },
    close: async () => engine.close(),
  }
}

async function overHttp({ dist, lake }: Version, folder: string): Promise<Ways & { close(): Promise<void> }> {
  const state = join(folder, 'state.db')
  const { openState } = (await import(pathToFileURL(join(dist, 'server/state/open.js')).href)) as {
    openState(
      path: string,
    ): Promise<{ createKey(of: object): Promise<{ key: string }>; close(): Promise<void> }>
  }
  const store = await openState(state)
  const keys: string[] = []
  // A Business key is limited to 500 requests a minute.
  for (let i = 0; i < 300; i++)
    keys.push((await store.createKey({ email: `desk${i}@example.com`, tier: 'business' })).key)
  await store.close()
  const args = [join(dist, 'cli/main.js'), 'serve', '--port', '0', '--lake', lake, '--state', state]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await addressOf(child)
  let next = 0
  const rows = (path: string) =>
    new Promise<number>((done, failed) => {
      const headers = { 'X-API-Key': elementAt(keys, next++ % keys.length) }
      request(url + path, { headers, agent: undefined }, answer => {
        let bytes = 0
        answer.on('data', (part: Buffer) => {
          bytes += part.length
        })
        answer.on('end', () =>
          answer.statusCode === 200 ? done(bytes) : failed(new Error(`${path}: ${answer.statusCode}`)),
        )
      })
        .on('error', failed)
        .end()
    })
  return {
    bonds: n => rows(`/v1/bonds?limit=${PAGE}&min_coupon=${-1 - n}`),
    search: q => rows(`/v1/documents/search?limit=${PAGE}&q=${encodeURIComponent(q)}`),
    processorTime: () => processorTimeOf(child.pid!),
    async close() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  let out = ''
  for await (const part of child.stdout!) {
    out += part
    const found = /^listening on (\S+)/m.exec(out)
    if (found) {
      child.stdout!.resume()
      return groupOf(found, 1)
    }
  }
  throw new Error('the server ended before it listened')
}

/** Processor time of a process and those that it started, of all threads, as Linux counts it. */
async function processorTimeOf(pid: number): Promise<number> {
  const of = `/proc/${pid}/task`
  let nanoseconds = 0
  for (const thread of await readdir(of))
    nanoseconds += Number((await readFile(`${of}/${thread}/schedstat`, 'utf8')).split(' ', 1)[0])
  const children = (await readFile(`${of}/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number)
  const times = await Promise.all(children.map(processorTimeOf))
  return times.reduce((sum, time) => sum + time, nanoseconds / 1e6)
}

/** Milliseconds that each question took, and the processor time of all. */
async function times<T>(ways: Ways, asked: readonly T[], ask: (one: T) => Promise<number>) {
  const before = await ways.processorTime()
  const taken = await waits(asked, ask)
  return { taken, processor: (await ways.processorTime()) - before }
}

async function waits<T>(asked: readonly T[], ask: (one: T) => Promise<number>): Promise<number[]> {
  const taken: number[] = []
  for (const one of asked) {
    const start = performance.now()
    await ask(one)
    taken.push(performance.now() - start)
  }
  return taken
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      lake: { type: 'string' },
      'other-dist': { type: 'string' },
      'other-lake': { type: 'string' },
      calls: { type: 'string', default: '200' },
      rounds: { type: 'string', default: '5' },
      help: { type: 'boolean', default: false },
    },
  })
  const [calls, rounds] = [Number(values.calls), Number(values.rounds)]
  if (values.help || !values.lake || !(calls > 0) || !(rounds > 0)) {
    process.stderr.write(usage)
    return values.help ? 0 : 2
  }
  const versions: Version[] = [{ name: 'this', dist: resolve(import.meta.dirname, '..'), lake: values.lake }]
  if (values['other-dist'])
    versions.push({
      name: 'other',
      dist: resolve(values['other-dist']),
      lake: values['other-lake'] ?? values.lake,
    })
  for (const way of ['library', 'HTTP'] as const) {
    const folders: string[] = []
    const opened: (Ways & { close(): Promise<void> })[] = []
    try {
      for (const version of versions) {
        const folder = await mkdtemp(join(tmpdir(), 'tranche-bench-units-'))
        folders.push(folder)
        opened.push(way === 'library' ? await library(version) : await overHttp(version, folder))
      }
      await compare(way, versions, opened, calls, rounds)
    } finally {
      for (const one of opened) await one.close()
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    }
  }
  return 0
}

async function compare(
  way: string,
  versions: readonly Version[],
  opened: readonly Ways[],
  calls: number,
  rounds: number,
) {
  const draw = random(`search units ${way}`)
  const seen = new Set<string>()
  const kinds = ['bonds', 'search', 'repeated'] as const
  const means = new Map<string, number[]>()
  const all = new Map<string, number[]>()
  for (let round = -1; round < rounds; round++) {
    const asked = questions(draw, calls, seen)
    const numbers = Array.from({ length: calls }, (_, i) => (round + 1) * calls + i)
    for (let turn = 0; turn < opened.length; turn++) {
      const at = (turn + round + 1) % opened.length
      const ways = elementAt(opened, at)
      const taken = {
        bonds: await times(ways, numbers, n => ways.bonds(n)),
        search: await times(ways, asked, q => ways.search(q)),
        repeated: await times(ways, asked, q => ways.search(q)),
      }
      if (round < 0) continue
      for (const kind of kinds) {
        const key = `${elementAt(versions, at).name} ${kind}`
        means.set(key, [...(means.get(key) ?? []), taken[kind].processor / calls])
        all.set(key, [...(all.get(key) ?? []), ...taken[kind].taken])
      }
    }
  }
  process.stdout.write(
    `${way}: milliseconds of a page of ${PAGE}: of processor time, and as waited for; and how many pages of bonds that is\n`,
  )
  for (const { name } of versions)
    for (const kind of kinds) {
      const sorted = ascending(all.get(`${name} ${kind}`)!)
      const own = means.get(`${name} ${kind}`)!
      const units = own.map((mean, i) => mean / elementAt(means.get(`${name} bonds`)!, i))
      process.stdout.write(
        `  ${name.padEnd(6)} ${kind.padEnd(9)} processor ${median(own).toFixed(3)}  p50 ${quantile(sorted, 0.5).toFixed(3)}  ` +
          `p99 ${quantile(sorted, 0.99).toFixed(3)}  units ${median(units).toFixed(1)}\n`,
      )
    }
  if (versions.length < 2) return
  for (const kind of kinds) {
    const ratios = means
      .get(`other ${kind}`)!
      .map((other, i) => other / elementAt(means.get(`this ${kind}`)!, i))
    process.stdout.write(`  ${kind}: this version answers ${median(ratios).toFixed(2)} times as many\n`)
  }
}

process.exitCode = await main()
