import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { random } from '../scripts/sample/random.ts'
import type { Case } from './case.ts'
import { bondAnalytics30360, bondAnalyticsMixed } from './cases/bond-analytics.ts'
import { bondScreen, companyScreen } from './cases/screen.ts'
import { spreadsBySector, spreadsByTenor } from './cases/spread-aggregation.ts'
import { startUp } from './cases/start-up.ts'
import { openGround, sampleLake } from './data.ts'
import { full, type Measured, Mismatch, measure, quick } from './measure.ts'
import { commit, machine, tableText } from './report.ts'

const cases: readonly Case[] = [
  companyScreen,
  bondScreen,
  spreadsByTenor,
  spreadsBySector,
  bondAnalytics30360,
  bondAnalyticsMixed,
  startUp,
]

const usage = `npm run bench -- [--quick] [--scale N[,N...]] [--case NAME]

--quick   few calls and no results file: do the contestants agree, and roughly where are they?
--scale   how many times the sample's 253 companies; 1 if not said
--case    only cases whose name has this in it: ${cases.map(c => c.name).join(', ')}
`

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      scale: { type: 'string', default: '1' },
      case: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  })
  const scales = values.scale.split(',').map(Number)
  const chosen = cases.filter(c => c.name.includes(values.case))
  const wrong = scales.some(s => !Number.isSafeInteger(s) || s < 1) || chosen.length === 0
  if (values.help || wrong) {
    process.stderr.write(usage)
    return values.help ? 0 : 2
  }
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  const effort = values.quick ? quick : full
  const results: { scale: number; rows: Readonly<Record<string, number>>; cases: Measured[] }[] = []
  for (const scale of scales) {
    const ground = await openGround(await sampleLake(scale, say))
    try {
      const measured: Measured[] = []
      for (const one of chosen) {
        say(`${one.name}: ${one.question}`)
        measured.push(await measure(one, ground, random(`bench ${scale}`), effort))
      }
      const sizes = Object.entries(ground.sizes).map(([table, n]) => `${n.toLocaleString('en-US')} ${table}`)
      process.stdout.write(`\nscale ${scale}: ${sizes.join(', ')}\n\n${tableText(measured)}\n\n`)
      results.push({ scale, rows: ground.sizes, cases: measured })
    } finally {
      ground.close()
    }
  }
  if (values.quick) return 0
  const root = projectFolder(import.meta.dirname)
  const state = commit(root)
  const date = new Date().toISOString().slice(0, 10)
  const file = join(root, 'bench', 'results', `${date}-${state.commit}.json`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify({ date, ...state, machine: machine(), results }, null, 2)}\n`)
  say(`written to ${file}`)
  return 0
}

const projectFolder = (from: string): string =>
  existsSync(join(from, 'package.json')) ? from : projectFolder(dirname(from))

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof Mismatch)) throw error
  process.stderr.write(`the contestants disagree, so nothing is measured\n${error.message}\n`)
  process.exitCode = 1
}
