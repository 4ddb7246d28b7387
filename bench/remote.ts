import { execFileSync } from 'node:child_process'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { type Engine, open } from '../engine/engine.ts'
import type { Input } from '../engine/schema/params.ts'
import { tenors } from '../engine/schema/vocabulary.ts'
import { crossing, type LaneTimes, written } from './crossing.ts'
import { lakeOfSize } from './made-lake.ts'
import { median } from './measure.ts'

const usage = `node dist/bench/remote.js --remote trino://HOST:8080/CATALOG/SCHEMA [--lake DIR,DIR] [--rows N,N] [--register COMMAND] [--rounds N]

At how many rows does a Trino cluster overtake DuckDB on this machine? Asks the same questions of spreads in both lanes, in
turns, compares the answers, and prints the times by rows and where they cross.

--lake      lakes whose current snapshots the cluster holds already; without it lakes of --rows spreads are made
--rows      spreads of the lakes that are made, default 1000000,10000000,100000000
--register  brings a lake that was made to the cluster; its folder follows as --lake DIR. Default "node scripts/trino.mjs register",
            which serves a server that this script started on this machine
--rounds    how often each question is asked in each lane, default 3; the median counts
`

/** What both lanes answer: a page, and statistics that read every row. */
const questions: readonly { readonly name: string; readonly operation: string; readonly input: Input }[] = [
  { name: 'a page in order', operation: 'search.spreads', input: { sort: '-spread_bps', limit: 50 } },
  { name: 'by sector', operation: 'aggregate.spreads', input: { group_by: 'sector' } },
  { name: 'by day', operation: 'aggregate.spreads', input: { group_by: 'spread_date' } },
  {
    name: 'by day and tenor',
    operation: 'aggregate.spreads',
    input: { group_by: 'spread_date,tenor', metrics: 'median,p10,p90,count' },
  },
  {
    name: 'change by sector',
    operation: 'aggregate.spreads',
    input: { group_by: 'sector', metrics: 'change' },
  },
]

const DAYS = 1000

/** A lake of about so many spreads. */
const madeLake = (rows: number, say: (text: string) => void): Promise<string> => {
  const series = Math.max(1, Math.round(rows / DAYS / tenors.length))
  return lakeOfSize(`spreads-${series}`, { companies: 0, bonds: 0, series, days: DAYS }, say)
}

/** Asks once; the time, and the answer without what differs from lane to lane. */
async function timed(
  engine: Engine,
  operation: string,
  input: Input,
): Promise<{ ms: number; answer: unknown }> {
  const began = performance.now()
  const { meta, ...answer } = await engine.ask(operation, input)
  return { ms: performance.now() - began, answer: [answer, (meta as { total: number }).total] }
}

/** The medians of each question, asked of both lanes in turns. */
async function measure(lake: string, remote: string, rounds: number): Promise<LaneTimes[]> {
  // Nothing is in memory: that lane would answer from then on.
  const engine = await open(lake, { hotMemory: '0', remote, remoteAbove: Number.MAX_SAFE_INTEGER })
  try {
    const { rows } = engine.manifest.tables.find(({ name }) => name === 'spreads')!
    const found: LaneTimes[] = []
    for (const { name, operation, input } of questions) {
      const times = { duckdb: [] as number[], remote: [] as number[] }
      // The first round opens files and compiles.
      for (let round = 0; round <= rounds; round++) {
        const here = () => timed(engine, operation, input)
        const there = () => timed(engine, operation, { ...input, lane: 'remote' })
        const first = round % 2 === 0 ? await here() : await there()
        const second = round % 2 === 0 ? await there() : await here()
        if (!isDeepStrictEqual(first.answer, second.answer))
          throw new Error(`${name} over ${rows} spreads: the lanes do not answer the same`)
        if (round === 0) continue
        const [duckdb, far] = round % 2 === 0 ? [first, second] : [second, first]
        times.duckdb.push(duckdb.ms)
        times.remote.push(far.ms)
      }
      found.push({ question: name, rows, duckdb: median(times.duckdb), remote: median(times.remote) })
    }
    return found
  } finally {
    engine.close()
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      remote: { type: 'string', default: process.env['TRANCHE_REMOTE'] ?? '' },
      lake: { type: 'string', default: '' },
      rows: { type: 'string', default: '1000000,10000000,100000000' },
      register: { type: 'string', default: 'node scripts/trino.mjs register' },
      rounds: { type: 'string', default: '3' },
      help: { type: 'boolean', default: false },
    },
  })
  const sizes = values.rows.split(',').map(Number)
  const rounds = Number(values.rounds)
  const isWrong = !sizes.every(n => n >= 1) || !Number.isSafeInteger(rounds) || rounds < 1
  if (values.help || values.remote === '' || isWrong) {
    process.stderr.write(usage)
    return values.help ? 0 : 2
  }
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  const lakes = values.lake.split(',').filter(Boolean)
  const all: LaneTimes[] = []
  const cell = (text: string | number, width: number) => String(text).padStart(width)
  process.stdout.write(
    `${cell('rows', 14)}  ${'question'.padEnd(18)}${cell('DuckDB ms', 12)}${cell('remote ms', 12)}${cell('ratio', 9)}\n`,
  )
  for (const at of lakes.length > 0 ? lakes : sizes) {
    const lake = typeof at === 'string' ? at : await madeLake(at, say)
    if (typeof at === 'number') {
      const [program = '', ...words] = values.register.split(' ')
      execFileSync(program, [...words, '--lake', lake], { stdio: ['ignore', 'ignore', 'inherit'] })
    }
    const measured = await measure(lake, values.remote, rounds)
    all.push(...measured)
    for (const { rows, question, duckdb, remote } of measured)
      process.stdout.write(
        `${cell(written(rows), 14)}  ${question.padEnd(18)}${cell(written(duckdb), 12)}${cell(written(remote), 12)}${cell((remote / duckdb).toFixed(1), 9)}\n`,
      )
  }
  process.stdout.write('\n')
  for (const { name } of questions)
    process.stdout.write(`${name}: ${crossing(all.filter(({ question }) => question === name))}\n`)
  return 0
}

if (import.meta.filename === process.argv[1]) process.exitCode = await main()
