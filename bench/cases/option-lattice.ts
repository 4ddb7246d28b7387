import type { Random } from '../../cli/sample/random.ts'
import { elementAt } from '../../engine/base/elements.ts'
import { bond } from '../../engine/credit/bond.ts'
import { addMonths, parseDay } from '../../engine/credit/calendar.ts'
import { Lattice } from '../../engine/credit/options/lattice.ts'
import { effectiveRisk, spreadOfPrice } from '../../engine/credit/options/measures.ts'
import { latticeScratch, withOptions } from '../../engine/credit/options/priced-bond.ts'
import { promisedFlows } from '../../engine/credit/options/promised.ts'
import { askPython, besidePython } from '../beside-python.ts'
import type { OwnCase } from '../case.ts'

const BONDS = 30
const STEPS = 200
const SHIFT = 0.001
const MODEL = { volatility: 0.01, reversion: 0.03, steps: STEPS }
/** On a flat curve QuantLib's spread, which it adds to the short rate, is ours. */
const ZERO_PCT = 4
const SETTLE = parseDay('2025-06-16')
/** How far an OAS, in basis points, and a duration, in years, may differ. */
const SAME_OAS = 0.5
const SAME_DURATION = 0.05

interface Asked {
  readonly coupon: number
  readonly maturity: number
  readonly price: number
  readonly calls: readonly (readonly [day: number, price: number])[]
}

const drawn = (random: Random): Asked => {
  const years = random.whole(5, 25)
  const coupon = random.whole(16, 72) / 8
  const maturity = addMonths(parseDay('2025-09-01'), 12 * years)
  const first = random.whole(1, Math.min(5, years - 1))
  const calls = Array.from({ length: years - first }, (_, n) => {
    const price = 100 + (coupon / 2) * Math.max(0, 1 - n / 3)
    return [addMonths(maturity, -12 * (years - first - n)), price] as const
  })
  return { coupon, maturity, price: random.whole(80, 100), calls }
}

/** Milliseconds, OAS in basis points, duration in years. */
type Valued = readonly [milliseconds: number, oas: number, duration: number]

const curve = { years: [0, 60], zeroPct: [ZERO_PCT, ZERO_PCT] }
const scratch = latticeScratch(new Lattice())

function valued({ coupon, maturity, price, calls }: Asked): Valued {
  const start = performance.now()
  const terms = bond({ coupon, maturity })
  const dates = calls.map(([day, at]) => ({ day, price: at }))
  const flows = promisedFlows(terms, SETTLE)
  const right = { style: 'bermudan', dates } as const
  const priced = withOptions({ bond: terms, flows, calls: right, puts: null }, curve, MODEL, scratch)!
  const oas = spreadOfPrice(priced, price + priced.accrued) ?? Number.NaN
  const { duration } = effectiveRisk(priced, oas, SHIFT)
  return [performance.now() - start, oas * 10_000, duration]
}

export const optionLattice: OwnCase = {
  name: 'option-lattice',
  question: `How long do an OAS and an effective duration take on a lattice of ${STEPS} steps, beside QuantLib's?`,
  sizes: ['small'],
  quick: [],
  async measure(_, { rounds }, random) {
    const ours: number[][] = []
    const theirs: number[][] = []
    const asked = { settle: SETTLE, zeroPct: ZERO_PCT, shift: SHIFT, ...MODEL }
    for (let i = 0; i < BONDS; i++) valued(drawn(random))
    for (let round = 0; round < rounds; round++) {
      const bonds = Array.from({ length: BONDS }, () => drawn(random))
      const found = bonds.map(valued)
      const wanted = askPython<Valued[]>('option-lattice.py', { ...asked, bonds })
      ours.push(found.map(([time]) => time))
      if (wanted === null) continue
      theirs.push(wanted.map(([time]) => time))
      for (const [i, [, oas, duration]] of found.entries()) {
        const [, theirOas, theirDuration] = elementAt(wanted, i)
        if (!(Math.abs(oas - theirOas) < SAME_OAS && Math.abs(duration - theirDuration) < SAME_DURATION))
          throw new Error(
            `${JSON.stringify(bonds[i])}: OAS ${oas} and duration ${duration}, not ${theirOas} and ${theirDuration}`,
          )
      }
    }
    return besidePython(
      optionLattice,
      { ours, theirs },
      {
        libraries: 'QuantLib',
        meanRows: 1,
        notes: ['one bond a call, each laid out anew; both on one core'],
      },
    )
  },
}
