// What `npm test` runs: every test file in a process of its own, as plain Node starts it, two at a time, with one sample,
// its past days, and one lake of a kind for all. The processes that tap starts itself report each module they load, which only coverage
// needs and which costs a third of the suite.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join, relative } from 'node:path'
import t from 'tap'
import { plainProcess } from './plain-process.ts'
import { root } from './root.ts'
import { madeSample } from './sample-lake.ts'

/** On more, the DuckDB threads of each file get in each other's way. */
const JOBS = 2
/** Only a file that hangs takes this long: the ceiling has to hold on a machine that is busy with other work. */
const FILE_TIMEOUT = 900_000

t.jobs = JOBS
t.setTimeout(0)
const shared = mkdtempSync(join(tmpdir(), 'tranche-suite-'))
t.teardown(() => rmSync(shared, { recursive: true, force: true }))
const lakes = join(shared, 'lakes')
mkdirSync(lakes)
const env = { ...process.env, TRANCHE_TEST_LAKES: lakes, TRANCHE_TEST_SAMPLE: madeSample ?? makeSample() }

function makeSample(): string {
  const lake = join(shared, 'sample')
  const program = join(import.meta.dirname, `../cli/main${extname(import.meta.url)}`)
  const [command, args] = plainProcess(import.meta.url, program, ['sample', '--lake', lake])
  execFileSync(command, args, { stdio: 'pipe' })
  return lake
}

/**
 * Files that take longest begin first, so that none is left to run alone at the end. The interfaces come last of them:
 * they ask for days of the sample that the guides have derived by then.
 */
const LONG = [
  'docs/guides',
  'web/walk',
  'server/contract/contract',
  'server/process-ends',
  'patterns/constructed',
  'point-in-time/ingested',
  'server/fleet',
  'web/explorer',
  'docs/interfaces',
]

const ending = `.test${extname(import.meta.url)}`
/** Place in the order of starts. */
const turnOf = (name: string): number => {
  const at = LONG.indexOf(name.replaceAll('\\', '/').slice(0, -ending.length))
  return at < 0 ? LONG.length : at
}
const names = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
const files = names.filter(name => name.endsWith(ending)).sort()
for (const name of files.sort((a, b) => turnOf(a) - turnOf(b))) {
  const file = join(import.meta.dirname, name)
  const [command, args] = plainProcess(import.meta.url, file, [])
  const options = { name: relative(root, file), cwd: root, env, buffered: true, timeout: FILE_TIMEOUT }
  // Awaited by the runner, which starts the next file when one ends.
  void t.spawn(command, args, options)
}
