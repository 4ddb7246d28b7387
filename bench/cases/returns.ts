import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { open } from '../../engine/engine.ts'
import { besidePython } from '../beside-python.ts'
import type { OwnCase } from '../case.ts'
import { projectFolder } from '../project-folder.ts'
import { sampleLake } from '../sample-lake.ts'

/** How far two returns, in percent, may differ. */
const SAME = 1e-9

interface Again {
  readonly milliseconds: number
  /** By bond and end of the month. */
  readonly returns: Readonly<Record<string, number>>
}

/** The same returns by polars and QuantLib; null where Python does not have them. */
function inPython(snapshot: string, ends: readonly string[]): Again | null {
  const script = join(projectFolder, 'scripts/certify-returns.py')
  const { status, stdout } = spawnSync(
    'python3',
    [script, '--snapshot', snapshot, '--ends', ends.join(',')],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  return status === 0 ? (JSON.parse(stdout) as Again) : null
}

export const monthlyReturns: OwnCase = {
  name: 'returns',
  question:
    'How long does a year of monthly total returns of all bonds take, beside a loop over QuantLib in Python?',
  sizes: ['small'],
  quick: [],
  async measure(_, { rounds }) {
    // The ground has no history of prices.
    const lake = await sampleLake()
    const engine = await open(lake)
    const ours: number[][] = []
    const theirs: number[][] = []
    const fields = ['bond_id', 'period_start', 'period_end', 'total_return'] as const
    const ask = () => engine.call('search.returns', { fields, limit: 1_000_000 })
    const { data, meta } = await ask()
    const ends = [...new Set(data.flatMap(row => [row.period_start, row.period_end]))].sort()
    const formed = new Map(data.map(row => [`${row.bond_id} ${row.period_end}`, row.total_return]))
    for (let round = 0; round < rounds; round++) {
      const start = performance.now()
      await ask()
      ours.push([performance.now() - start])
      const again = inPython(join(lake, 'snapshots', meta.snapshot), ends)
      if (again === null) continue
      theirs.push([again.milliseconds])
      for (const [key, value] of Object.entries(again.returns)) {
        const found = formed.get(key)
        if (typeof found !== 'number' || !(Math.abs(found - value) < SAME))
          throw new Error(`${key}: a return of ${found}, not ${value}`)
      }
    }
    engine.close()
    return besidePython(
      monthlyReturns,
      { ours, theirs },
      {
        libraries: 'polars and QuantLib',
        meanRows: data.length,
        notes: [
          'the engine also forms returns of Treasuries; Python only total returns of fixed bonds, from its files',
        ],
      },
    )
  },
}
