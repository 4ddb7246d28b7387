import type { Random } from '../../cli/sample/random.ts'
import { elementAt } from '../../engine/base/elements.ts'
import { CURVE_LEVELS } from '../../engine/credit/curve-rules.ts'
import {
  type CurveBonds,
  type CurveTree,
  residuals,
  spreadCurves,
} from '../../engine/credit/spread-curves.ts'
import { askPython, besidePython } from '../beside-python.ts'
import type { OwnCase } from '../case.ts'

const ISSUERS = 300
/** How far two residuals, in basis points, may differ: weights stop when the curve moves by a ten-thousandth. */
const SAME_BPS = 0.01

interface Day {
  readonly bonds: CurveBonds
  readonly tree: CurveTree
}

/** A day's bonds: issuers with a level and slope of their own, bonds around their curves, one in twenty far off. */
function drawn(random: Random): Day {
  const [years, bps, group]: number[][] = [[], [], []]
  for (let issuer = 1; issuer <= ISSUERS; issuer++) {
    const [level, slope] = [random.between(60, 400), random.between(0, 60)]
    for (let n = random.whole(2, 14); n > 0; n--) {
      const at = random.between(1, 30)
      const off = random.next() < 0.05 ? random.between(-150, 300) : 0
      years?.push(at)
      bps?.push(level + slope * Math.log1p(at) + random.normal() * 8 + off)
      group?.push(issuer)
    }
  }
  const level = new Uint8Array(ISSUERS + 1).fill(CURVE_LEVELS.indexOf('issuer'))
  level[0] = CURVE_LEVELS.indexOf('market')
  return {
    bonds: {
      years: Float64Array.from(years ?? []),
      bps: Float64Array.from(bps ?? []),
      group: Int32Array.from(group ?? []),
      isFitted: new Uint8Array(group?.length ?? 0).fill(1),
    },
    tree: { parent: new Int32Array(ISSUERS + 1).fill(0).fill(-1, 0, 1), level },
  }
}

function fitted({ bonds, tree }: Day): readonly [milliseconds: number, residual: ArrayLike<number>] {
  const start = performance.now()
  const residual = residuals(spreadCurves(bonds, tree), bonds)
  return [performance.now() - start, residual]
}

export const issuerCurves: OwnCase = {
  name: 'spread-curves',
  question: `How long do the curves of a market and ${ISSUERS} issuers take, with the residual of every bond, beside numpy?`,
  sizes: ['small'],
  quick: [],
  async measure(_, { rounds }, random) {
    const ours: number[][] = []
    const theirs: number[][] = []
    let count = 0
    for (let i = 0; i < 3; i++) fitted(drawn(random))
    for (let round = 0; round < rounds; round++) {
      const day = drawn(random)
      const { years, bps, group } = day.bonds
      count = years.length
      const times = [fitted(day), fitted(day), fitted(day)]
      const [, residual] = elementAt(times, 0)
      ours.push(times.map(([time]) => time))
      const again = askPython<{ milliseconds: number; residual: number[] }>('spread-curves.py', {
        years: [...years],
        bps: [...bps],
        issuer: [...group],
      })
      if (again === null) continue
      theirs.push([again.milliseconds])
      for (const [i, wanted] of again.residual.entries()) {
        const found = elementAt(residual, i)
        if (!(Math.abs(found - wanted) < SAME_BPS))
          throw new Error(`bond ${i} of issuer ${group[i]}: a residual of ${found} bp, not ${wanted}`)
      }
    }
    return besidePython(
      issuerCurves,
      { ours, theirs },
      {
        libraries: 'pandas and numpy',
        meanRows: count,
        notes: ['the same fit on the same columns in memory, each bond left out by its leverage; one core'],
      },
    )
  },
}
