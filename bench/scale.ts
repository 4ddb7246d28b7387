import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { generateSample } from '../cli/sample/generate.ts'
import { random } from '../cli/sample/random.ts'
import { open } from '../engine/engine.ts'
import { ingest } from '../engine/ingest/ingest.ts'
import { ensureLake, openLake } from '../engine/lake/lake.ts'
import type { Input } from '../engine/schema/params.ts'
import { buildIndex } from '../engine/search/build/build-index.ts'
import { SearchIndex } from '../engine/search/search-index.ts'
import { build } from '../engine/snapshot/build.ts'
import { fitPower } from './fit.ts'
import { sections, wordsOf } from './made-sections.ts'
import { median } from './measure.ts'

const usage = `node dist/bench/scale.js [--trades N,N] [--sections N,N] [--folder DIR] [--memory SIZE] [--limit SIZE] [--out FILE] [--fit FILE]

How do memory and time grow with a lake? Makes lakes by the sample's scale, and ingests, builds and asks each in a process of
its own, whose peak memory is watched; then fits the growth and extends it to 10 and 100 times the largest.

--trades    trades of the lakes, about: 24 a bond and day; default 10000000,25000000,50000000,100000000
--sections  sections of the search indexes, of about 400 words; default 20000,50000,100000,200000
--folder    where they are made, default ./scale; a lake that is there already is not made again. 100 million trades need 30 GB
--memory    DuckDB's memory in ingest and build, default 4GB, as on a machine of 16 GB
--limit     fails if a process takes more, default 16GB
--out       also writes what was measured, as JSON; runs add to it
--fit       only fits and prints what such a file holds
`

/** What one process took. */
interface Measured {
  readonly what: string
  /** Trades, or sections. */
  readonly rows: number
  readonly seconds: number
  readonly cpuSeconds: number
  /** Peak of the process and those that it started. */
  readonly megabytes: number
}

const TRADES_A_DAY = 24
/** Trades of the first set of issuers, which trade less, and of each further one. */
const FIRST_SET = 167_000
const FURTHER_SET = 2_040_000

const scaleOf = (trades: number): number => 1 + Math.max(1, Math.round((trades - FIRST_SET) / FURTHER_SET))

/** Questions over the large tables, by the lane that answers. */
const questions: readonly { readonly name: string; readonly operation: string; readonly input: Input }[] = [
  { name: 'bonds by yield', operation: 'search.bonds', input: { min_ytm: 8, limit: 50 } },
  {
    name: 'prices of a day',
    operation: 'search.pricing',
    input: { sort: '-last_trade_date', limit: 50 },
  },
  { name: 'spreads by day', operation: 'aggregate.spreads', input: { group_by: 'spread_date' } },
]

/** The work of each process, by its first argument. */
const tasks: Readonly<Record<string, (folder: string, rows: number, memory: string) => Promise<object>>> = {
  async generate(folder, rows) {
    const { rows: made } = await generateSample(folder, { scale: scaleOf(rows), tradesADay: TRADES_A_DAY })
    return { trades: made['trades'] }
  },
  async ingest(folder, _, memory) {
    const lake = await ensureLake(`${folder}-lake`)
    const groups = grouped((await readdir(folder)).toSorted(), datasetOf)
    let accepted = 0
    for (const [dataset, names] of groups) {
      const options = { memory, ...(dataset !== null && { dataset }) }
      const { totals } = await ingest(
        lake,
        names.map(name => join(folder, name)),
        options,
      )
      if (totals.rejected > 0) throw new Error(`${totals.rejected} rows of ${dataset} were refused`)
      accepted += totals.accepted
    }
    return { accepted }
  },
  async build(folder, _, memory) {
    const { tables } = await build(await openLake(`${folder}-lake`), { memory })
    return { prices: tables.find(({ name }) => name === 'pricing_history')!.rows }
  },
  async duckdb(folder) {
    return asked(`${folder}-lake`, '0')
  },
  async memory(folder) {
    return asked(`${folder}-lake`, '2GB')
  },
  async index(folder, rows) {
    await mkdir(folder, { recursive: true })
    const { passages } = await buildIndex(folder, sections(random('sections'), rows, 400), {
      content: '',
      helpers: 2,
    })
    return { passages }
  },
  async search(folder) {
    const index = new SearchIndex(folder)
    const draw = random('questions')
    const times: Record<string, number> = {}
    for (const mode of ['keyword', 'semantic', 'hybrid'] as const) {
      const taken: number[] = []
      for (let n = 0; n < 50; n++) {
        const words = wordsOf(draw, draw.whole(1, 3)).join(' ')
        const began = performance.now()
        const found = await index.ask({
          text: words,
          mode,
          filter: {},
          order: 'relevance',
          limit: 50,
          offset: 0,
        })
        for (const hit of found.hits) index.snippet(hit, found.query)
        taken.push(performance.now() - began)
      }
      times[`${mode} ms`] = median(taken)
    }
    index.close()
    return times
  },
}

/** Milliseconds of each question, asked five times; the first opens files, or reads columns into memory. */
async function asked(lake: string, hotMemory: string): Promise<object> {
  const engine = await open(lake, { hotMemory })
  const times: Record<string, number> = {}
  for (const { name, operation, input } of questions) {
    if (hotMemory !== '0') await engine.warm(operation, input)
    const taken: number[] = []
    for (let n = 0; n < 5; n++) {
      const began = performance.now()
      await engine.ask(operation, input)
      taken.push(performance.now() - began)
    }
    times[`${name} ms`] = median(taken)
  }
  engine.close()
  return times
}

/** The dataset of a file of the sample, by its name; null of one whose kind its content says. */
const datasetOf = (name: string): string | null =>
  name.startsWith('treasury-yields')
    ? 'treasury_yields'
    : name.endsWith('.csv')
      ? null
      : name.replace(/(-\d+)?\.parquet$/, '')

function grouped<K, T>(things: readonly T[], by: (thing: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const thing of things) groups.set(by(thing), [...(groups.get(by(thing)) ?? []), thing])
  return groups
}

/** Resident memory of a process and of all that it started, in megabytes. */
function memoryOf(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    return Number(kilobytes ?? 0) / 1024 + children.reduce((sum, child) => sum + memoryOf(Number(child)), 0)
  } catch {
    // It has ended.
    return 0
  }
}

interface Settings {
  readonly memory: string
  readonly megabytes: number
  readonly say: (measured: Measured, found: Readonly<Record<string, unknown>>) => void
}

/** Runs a task in a process of its own, and watches its memory. */
async function run(
  what: string,
  folder: string,
  rows: number,
  { memory, megabytes: most, say }: Settings,
): Promise<Measured[]> {
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [import.meta.filename, '--task', what, folder, String(rows), memory],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let peak = 0
  const ended = once(child, 'close')
  const watching = (async () => {
    while (child.exitCode === null && child.signalCode === null) {
      peak = Math.max(peak, memoryOf(child.pid!))
      await pause(50)
    }
  })()
  const [out, [code]] = await Promise.all([text(child.stdout), ended])
  await watching
  if (code !== 0) throw new Error(`${what} of ${rows} ended with code ${code}`)
  const { cpuSeconds, maxMegabytes, ...found } = JSON.parse(out) as Record<string, number>
  const megabytes = Math.round(Math.max(peak, maxMegabytes ?? 0))
  const seconds = (performance.now() - began) / 1000
  const measured = { what, rows, seconds, cpuSeconds: cpuSeconds ?? Number.NaN, megabytes }
  say(measured, found)
  if (megabytes > most) throw new Error(`${what} of ${rows} took ${megabytes} MB, more than the limit`)
  const times = Object.entries(found).filter(([name]) => name.endsWith(' ms'))
  return [
    measured,
    ...times.map(([name, ms]) => ({
      ...measured,
      what: `${what}: ${name.slice(0, -3)}`,
      seconds: ms / 1000,
    })),
  ]
}

/** Growth of memory and time by what was done, extended to 10 and 100 times the largest. */
function growth(measured: readonly Measured[]): string[] {
  const lines: string[] = []
  for (const [what, all] of grouped(measured, each => each.what)) {
    const points = all.toSorted((a, b) => a.rows - b.rows)
    if (points.length < 2) continue
    const { rows } = points.at(-1)!
    const line = (name: string, of: (each: Measured) => number, unit: string) => {
      const fit = fitPower(points.map(each => [each.rows, of(each)]))
      const error = Number.isNaN(fit.error) ? '' : ` ± ${fit.error.toFixed(2)}`
      const at = [10, 100].map(times => `${shown(fit.at(rows * times))} ${unit} at ${shown(rows * times)}`)
      lines.push(`${what}, ${name}: rows to the ${fit.exponent.toFixed(2)}${error}; ${at.join(', ')}`)
    }
    line('time', each => each.seconds, 's')
    if (!what.includes(':')) {
      line('processor', each => each.cpuSeconds, 's')
      line('memory', each => each.megabytes, 'MB')
    }
  }
  return lines
}

const shown = (n: number): string => (n >= 100 ? Math.round(n).toLocaleString('en-US') : n.toPrecision(2))

const numbersIn = (list: string): number[] => list.split(',').filter(Boolean).map(Number)

async function task(words: readonly string[]): Promise<number> {
  const [what = '', folder = '', rows = '', memory = ''] = words
  const began = process.cpuUsage()
  const found = await tasks[what]!(folder, Number(rows), memory)
  const { user, system } = process.cpuUsage(began)
  const about = { cpuSeconds: (user + system) / 1e6, maxMegabytes: process.resourceUsage().maxRSS / 1024 }
  process.stdout.write(JSON.stringify({ ...found, ...about }))
  return 0
}

// Over 80 lines: one measurement from its options to its table.
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      trades: { type: 'string', default: '10000000,25000000,50000000,100000000' },
      sections: { type: 'string', default: '20000,50000,100000,200000' },
      folder: { type: 'string', default: 'scale' },
      memory: { type: 'string', default: '4GB' },
      limit: { type: 'string', default: '16GB' },
      out: { type: 'string', default: '' },
      fit: { type: 'string', default: '' },
      task: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.task !== '') return task([values.task, ...positionals])
  const [trades, texts] = [numbersIn(values.trades), numbersIn(values.sections)]
  const gigabytes = Number(/^(\d+)GB$/.exec(values.limit)?.[1] ?? Number.NaN)
  if (values.help || ![...trades, ...texts, gigabytes].every(n => n >= 1)) {
    process.stderr.write(usage)
    return values.help ? 0 : 2
  }
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const kept = values.fit || values.out
  const all: Measured[] = kept && existsSync(kept) ? JSON.parse(await readFile(kept, 'utf8')) : []
  const settings: Settings = {
    memory: values.memory,
    megabytes: gigabytes * 1024,
    say: ({ what, rows, seconds, cpuSeconds, megabytes }, found) =>
      print(
        `${what.padEnd(10)}${rows.toLocaleString('en-US').padStart(13)} rows ${seconds.toFixed(1).padStart(8)} s ` +
          `${cpuSeconds.toFixed(1).padStart(8)} s of processor ${String(megabytes).padStart(7)} MB  ${JSON.stringify(found)}`,
      ),
  }
  const keep = async (measured: readonly Measured[]) => {
    all.push(...measured)
    if (values.out) await writeFile(values.out, `${JSON.stringify(all, null, 1)}\n`)
  }
  if (!values.fit) {
    for (const rows of trades) {
      const folder = join(values.folder, `trades-${rows}`)
      if (!existsSync(`${folder}-lake`)) {
        await keep(await run('generate', folder, rows, settings))
        await keep(await run('ingest', folder, rows, settings))
        await rm(folder, { recursive: true })
      }
      for (const what of ['build', 'duckdb', 'memory']) await keep(await run(what, folder, rows, settings))
    }
    for (const rows of texts) {
      const folder = join(values.folder, `sections-${rows}`)
      for (const what of ['index', 'search']) await keep(await run(what, folder, rows, settings))
    }
  }
  print('')
  for (const line of growth(all)) print(line)
  return 0
}

if (import.meta.filename === process.argv[1]) process.exitCode = await main()
