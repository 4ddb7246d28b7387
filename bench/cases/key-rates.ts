import type { Random } from '../../cli/sample/random.ts'
import { elementAt } from '../../engine/base/elements.ts'
import { bond } from '../../engine/credit/bond.ts'
import { addMonths, parseDay } from '../../engine/credit/calendar.ts'
import { keyRateDurations, spreadOfPrice } from '../../engine/credit/options/measures.ts'
import { withoutOptions } from '../../engine/credit/options/priced-bond.ts'
import { promisedFlows } from '../../engine/credit/options/promised.ts'
import { scenarioEffect } from '../../engine/credit/options/scenario.ts'
import { askPython, besidePython } from '../beside-python.ts'
import type { OwnCase } from '../case.ts'

const BONDS = 200
const SETTLE = parseDay('2025-06-16')
const SHIFT = 0.001
/** Tenors in days, and the spot curve: percent, continuous, linear between its days. */
const KEY_DAYS = [91, 182, 365, 730, 1095, 1825, 2555, 3650, 7300, 10_950]
const CURVE_DAYS = [0, 182, 365, 730, 1825, 3650, 7300, 10_950, 12_000]
const ZERO_PCT = [4.31, 4.28, 4.15, 3.71, 3.86, 4.2, 4.71, 4.66, 4.5]
const SCENARIO = { shift: 0.01, twist: 0.005, pivot: 10, spread: 0.0075 }
/** How far a spread in basis points, a key-rate duration in years and a change in percent may differ. */
const SAME = { spread: 0.01, duration: 1e-5, change: 1e-5 }

interface Asked {
  readonly coupon: number
  readonly maturity: number
  readonly price: number
}

const drawn = (random: Random): Asked => ({
  coupon: random.whole(16, 72) / 8,
  maturity: addMonths(parseDay('2025-09-15'), random.whole(3, 58) * 6),
  price: random.whole(80, 110),
})

/** Milliseconds, Z-spread in basis points, change of the dirty price in percent, key-rate durations in years. */
type Valued = readonly [milliseconds: number, spread: number, change: number, keyRates: readonly number[]]

const curve = { years: CURVE_DAYS.map(day => day / 365), zeroPct: ZERO_PCT }
const tenors = KEY_DAYS.map(day => day / 365)

function valued({ coupon, maturity, price }: Asked): Valued {
  const start = performance.now()
  const priced = withoutOptions(promisedFlows(bond({ coupon, maturity }), SETTLE), curve)
  const spread = spreadOfPrice(priced, price + priced.accrued) ?? Number.NaN
  const keyRates = keyRateDurations(priced, spread, SHIFT, tenors)
  const { full } = scenarioEffect(priced, spread, SCENARIO, SCENARIO.spread)
  return [performance.now() - start, spread * 10_000, 100 * full, keyRates]
}

export const keyRates: OwnCase = {
  name: 'key-rates',
  question: `How long do a Z-spread, ${KEY_DAYS.length} key-rate durations and a scenario of a bond take, beside a loop over QuantLib?`,
  sizes: ['small'],
  quick: [],
  async measure(_, { rounds }, random) {
    const ours: number[][] = []
    const theirs: number[][] = []
    for (let i = 0; i < BONDS; i++) valued(drawn(random))
    for (let round = 0; round < rounds; round++) {
      const bonds = Array.from({ length: BONDS }, () => drawn(random))
      const found = bonds.map(valued)
      ours.push(found.map(([time]) => time))
      const asked = { settle: SETTLE, keyDays: KEY_DAYS, curveDays: CURVE_DAYS, zeroPct: ZERO_PCT }
      const wanted = askPython<Valued[]>('key-rates.py', {
        ...asked,
        shift: SHIFT,
        scenario: SCENARIO,
        bonds,
      })
      if (wanted === null) continue
      theirs.push(wanted.map(([time]) => time))
      for (const [i, own] of found.entries()) compare(elementAt(bonds, i), own, elementAt(wanted, i))
    }
    return besidePython(
      keyRates,
      { ours, theirs },
      {
        libraries: 'QuantLib',
        meanRows: 1,
        notes: [
          'one bond a call, both on one core; QuantLib moves the quotes of one curve and sums its flows again',
        ],
      },
    )
  },
}

function compare(asked: Asked, ours: Valued, theirs: Valued): void {
  const isSame =
    Math.abs(ours[1] - theirs[1]) < SAME.spread &&
    Math.abs(ours[2] - theirs[2]) < SAME.change &&
    ours[3].every((years, key) => Math.abs(years - elementAt(theirs[3], key)) < SAME.duration)
  if (!isSame)
    throw new Error(
      `${JSON.stringify(asked)}: ${JSON.stringify(ours.slice(1))}, not ${JSON.stringify(theirs.slice(1))}`,
    )
}
