import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { random } from '../cli/sample/random.ts'
import type { Case, OwnCase } from './case.ts'
import { anyScreens } from './cases/any-screen.ts'
import { bondAnalytics30360, bondAnalyticsMixed } from './cases/bond-analytics.ts'
import { exports } from './cases/export.ts'
import { httpPages } from './cases/http-pages.ts'
import { keyRates } from './cases/key-rates.ts'
import { mixedLoad } from './cases/mixed-load.ts'
import { operationsInLibrary, operationsOverHttp } from './cases/operations.ts'
import { optionLattice } from './cases/option-lattice.ts'
import { monthlyReturns } from './cases/returns.ts'
import { screen } from './cases/screen.ts'
import { issuerCurves } from './cases/spread-curves.ts'
import { mediansBySector, mediansByTenor, mediansOfSector } from './cases/spread-medians.ts'
import { startUp } from './cases/start-up.ts'
import { nearestVectors } from './cases/vectors.ts'
import { chart } from './chart.ts'
import { openGround } from './ground.ts'
import { madeLake, type SizeName, sizes } from './made-lake.ts'
import { full, Mismatch, measure, quick } from './measure.ts'
import { howToInstall, isInstalled, peerNames, versionOf } from './peers.ts'
import { projectFolder } from './project-folder.ts'
import { bandwidth, commit, machine, tableText } from './report.ts'
import type { Results } from './results.ts'
import type { Measured } from './timing.ts'

const cases: readonly (Case | OwnCase)[] = [
  screen,
  ...anyScreens,
  mediansByTenor,
  mediansBySector,
  mediansOfSector,
  httpPages,
  ...exports,
  mixedLoad,
  bondAnalytics30360,
  bondAnalyticsMixed,
  optionLattice,
  keyRates,
  issuerCurves,
  monthlyReturns,
  ...nearestVectors,
  startUp,
  operationsInLibrary,
  operationsOverHttp,
]

const usage = `npm run bench -- [--quick] [--huge] [--size NAME[,NAME...]] [--case NAME] [--lake DIR] [--keep]

--quick   fewer calls, the two smaller sizes, no nearest vectors, no results file: ends in two minutes
--huge    also 100 million spreads
--size    only these: ${Object.keys(sizes).join(', ')}
--keep    write the results of a part (--size, --case) too, in a file of their own and without a chart
--lake    measure operations over this lake instead of the sample
--case    only cases whose name has this in it, or one of these parts between commas: ${cases.map(c => c.name).join('; ')}

Peers that are not installed are listed and left out: ${howToInstall}
`

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      huge: { type: 'boolean', default: false },
      size: { type: 'string' },
      case: { type: 'string', default: '' },
      lake: { type: 'string' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const named = values.size?.split(',') ?? [
    'small',
    'medium',
    ...(values.quick ? [] : ['large']),
    ...(values.huge ? ['huge'] : []),
  ]
  const sizesOf = (c: Case | OwnCase): readonly SizeName[] =>
    (values.quick && values.case === '' && 'quick' in c && c.quick) || (c.sizes ?? ['small'])
  const chosen = cases.filter(c => values.case.split(',').some(part => c.name.includes(part)))
  if (values.help || named.some(name => !Object.hasOwn(sizes, name)) || chosen.length === 0) {
    process.stderr.write(usage)
    return values.help ? 0 : 2
  }
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  const missing = peerNames.filter(name => !isInstalled(name))
  if (missing.length)
    say(`not installed, and so not measured: ${missing.join(', ')}. Install them: ${howToInstall}`)
  const effort = values.quick ? quick : full
  const results: Results['results'][number][] = []
  const rate = bandwidth()
  process.stdout.write(`a sum over a Float64Array reads ${(rate / 1e9).toFixed(1)} GB/s\n`)
  const isWhole = !values.quick && !values.case && !values.size
  const part = isWhole
    ? null
    : [values.case, values.size, values.quick && 'quick', values.lake && 'own lake'].filter(Boolean).join(' ')
  const peers = Object.fromEntries(peerNames.filter(isInstalled).map(name => [name, versionOf(name)]))
  const date = new Date().toISOString().slice(0, 10)
  const measuredOf = { date, ...commit(projectFolder), machine: machine(), peers, bandwidth: rate }
  for (const size of named as SizeName[]) {
    const asked = chosen.filter(c => sizesOf(c).includes(size))
    if (asked.length === 0) continue
    const ground = { ...(await openGround(size, await madeLake(size, say))), lake: values.lake ?? null }
    try {
      const measured: Measured[] = []
      for (const one of asked) {
        say(`${one.name}: ${one.question}`)
        const thrown = random(`bench ${size}`)
        measured.push(
          await ('measure' in one
            ? one.measure(ground, effort, thrown)
            : measure(one, ground, thrown, effort)),
        )
      }
      const counts = Object.entries(ground.rows).map(([table, n]) => `${n.toLocaleString('en-US')} ${table}`)
      process.stdout.write(`\n${size}: ${counts.join(', ')}\n\n${tableText(measured)}\n\n`)
      for (const { name, notes } of measured)
        for (const note of notes ?? []) process.stdout.write(`${name}: ${note}\n`)
      results.push({ size, rows: ground.rows, cases: measured })
    } finally {
      ground.close()
    }
    // Writes results after each size, so that a later failure loses nothing.
    if (isWhole || values.keep) say(`written to ${await keep({ ...measuredOf, results }, part)}`)
  }
  return 0
}

/** Writes the results of a whole run with their chart, or those of a partial run under its name. */
async function keep(results: Results, part: string | null): Promise<string> {
  const folder = join(projectFolder, 'bench', 'results')
  await mkdir(folder, { recursive: true })
  const name = [results.date, results.commit, ...(part === null ? [] : [part.replace(/\W+/g, '-')])].join('-')
  const file = join(folder, `${name}.json`)
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`)
  if (part === null) await writeFile(join(folder, 'chart.svg'), chart(results))
  return file
}

/** Node reads its thread pool size at process start: use a server's. */
async function withThreads(): Promise<number> {
  const env = { ...process.env, UV_THREADPOOL_SIZE: '16' }
  const child = spawn(process.execPath, process.argv.slice(1), { env, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  return code ?? 1
}

try {
  process.exitCode = await (process.env['UV_THREADPOOL_SIZE'] ? main() : withThreads())
} catch (error) {
  if (!(error instanceof Mismatch)) throw error
  process.stderr.write(`the contestants disagree, so nothing is measured\n${error.message}\n`)
  process.exitCode = 1
}
