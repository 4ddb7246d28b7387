// What `npm test` runs: every test file in plain Node, a process for each processor and one that waits, with one sample, its
// past days, one lake of a kind, and one PostgreSQL for all. Files share a process where they can
// (together/processes.ts). The processes that tap starts itself report each module they load, which only coverage needs
// and which costs a third of the suite.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { extname, join, relative } from 'node:path'
import t from 'tap'
import { plainProcess } from './plain-process.ts'
import { root } from './root.ts'
import { madeSample } from './sample-lake.ts'
import { startPostgres } from './server/state/postgres.ts'
import { inTurn } from './together/in-turn.ts'
import { byProcess, FILE_TIMEOUT } from './together/processes.ts'

/** As many processes as processors, each with one thread of DuckDB; on more than eight, memory would be the limit. */
const JOBS = Math.min(Math.max(availableParallelism(), 2), 8)

// One for the files that wait.
t.jobs = JOBS + 1
t.setTimeout(0)
const shared = mkdtempSync(join(tmpdir(), 'tranche-suite-'))
t.teardown(() => rmSync(shared, { recursive: true, force: true }))
const lakes = join(shared, 'lakes')
mkdirSync(lakes)
// Every test has its own database. Without a server each file says why it skips.
const postgres = await startPostgres()
if (typeof postgres !== 'string') t.teardown(() => postgres.stop())
const env = {
  ...process.env,
  // There are as many processes as processors: further threads take time from the other one.
  TRANCHE_THREADS: '1',
  TRANCHE_TEST_LAKES: lakes,
  TRANCHE_TEST_SAMPLE: madeSample ?? makeSample(),
  ...(typeof postgres !== 'string' && { TRANCHE_TEST_POSTGRES: postgres.url }),
}

function makeSample(): string {
  const lake = join(shared, 'sample')
  const program = join(import.meta.dirname, `../cli/main${extname(import.meta.url)}`)
  const [command, args] = plainProcess(import.meta.url, program, ['sample', '--lake', lake])
  execFileSync(command, args, { stdio: 'pipe' })
  return lake
}

/**
 * Files that take longest begin first, in processes of their own, so that none is left to run alone at the end. The
 * interfaces come last of them: they ask for days of the sample that the guides have derived by then.
 */
const LONG = [
  'docs/guides',
  'web/walk',
  'patterns/constructed',
  'point-in-time/ingested',
  'web/explorer',
  'docs/interfaces',
]

/** Files that wait most of their time, for limits of time and for processes that end: they run beside the others. */
const WAITING = ['server/contract/contract', 'server/fleet', 'server/process-ends', 'snapshot/derived-day']

const ending = `.test${extname(import.meta.url)}`
const all = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(name =>
  name.endsWith(ending),
)
const files = inTurn(all, process.env['TRANCHE_TEST_TURN'])
if (files.length < all.length)
  t.comment(`${all.length - files.length} files run in turn, at other commits, and all by night`)
const filesOf = (names: readonly string[]): string[] =>
  names.map(name => join(name) + ending).filter(name => files.includes(name))
const alone = [...filesOf(LONG), ...filesOf(WAITING)]
const others = byProcess(
  import.meta.dirname,
  files.filter(name => !alone.includes(name)),
)
// Those of several files begin before those of one.
const queue = [...filesOf(LONG).map(name => [name]), ...others.toSorted((a, b) => b.length - a.length)]
const waiting = filesOf(WAITING).map(name => [name])
const together = join(import.meta.dirname, `together/run${extname(import.meta.url)}`)

/** Runs test files in one process. */
async function run(files: readonly string[]): Promise<void> {
  const paths = files.map(name => join(import.meta.dirname, name))
  const [first] = paths as [string]
  const [command, args] =
    paths.length === 1
      ? plainProcess(import.meta.url, first, [])
      : plainProcess(import.meta.url, together, paths)
  const name = (paths.length === 1 ? '' : `${paths.length} files from `) + relative(root, first)
  await t.spawn(command, args, {
    name,
    cwd: root,
    env,
    buffered: true,
    timeout: FILE_TIMEOUT * paths.length,
  })
}

async function runAll(queued: string[][]): Promise<void> {
  for (let files = queued.shift(); files; files = queued.shift()) await run(files)
}

await Promise.all([runAll(waiting), ...Array.from({ length: JOBS }, () => runAll(queue))])
