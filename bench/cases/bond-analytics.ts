// Indices below are within bounds by construction: checks would cost in the loops.

import type { Random } from '../../cli/sample/random.ts'
import {
  accruedInterest,
  bond,
  convexity,
  dv01,
  modifiedDuration,
  yieldToMaturity,
} from '../../engine/credit/bond.ts'
import { parseDay } from '../../engine/credit/calendar.ts'
import type { Frequency } from '../../engine/credit/terms.ts'
import { type BondColumns, bondAnalytics, DAY_COUNTS } from '../../engine/credit/yields.ts'
import { type Answer, benchCase } from '../case.ts'

/** Prices per call: divided by the time of a call, this gives yields per second. */
const ROWS = 5_000

interface Prices extends Required<Omit<BondColumns, 'accrualStart' | 'firstCoupon' | 'isDefaulted'>> {
  /** Shown where contestants disagree. */
  toJSON(): string
}

function prices(random: Random, dayCounts: readonly number[]): Prices {
  const [first, last] = [parseDay('2015-01-02'), parseDay('2025-12-31')]
  const settle = Int32Array.from({ length: ROWS }, () => random.whole(first, last))
  return {
    settle,
    maturity: settle.map(day => day + random.whole(30, 11_000)),
    coupon: Float64Array.from(settle, () => random.whole(0, 80) / 8),
    price: Float64Array.from(settle, () => random.between(60, 125)),
    frequency: Uint8Array.from(settle, () => random.pick([2, 2, 2, 2, 1, 4])),
    dayCount: Uint8Array.from(settle, () => random.pick(dayCounts)),
    toJSON: () => `${ROWS} prices`,
  }
}

/** Five figures per row; the last digits depend on the order of additions. */
function answer(figures: readonly ArrayLike<number>[]): Answer {
  const digits = (value: number) => (Number.isNaN(value) ? null : Number(value.toPrecision(7)))
  const rows = Array.from({ length: ROWS }, (_, i) => figures.map(column => digits(column[i]!)))
  return { total: ROWS, rows }
}

/** The functions that define a yield, one bond after the other. */
function oneByOne(asked: Prices): Float64Array[] {
  const figures = Array.from({ length: 5 }, () => new Float64Array(ROWS).fill(Number.NaN))
  for (let i = 0; i < ROWS; i++) {
    const settle = asked.settle[i]!
    const terms = bond({
      coupon: asked.coupon[i]!,
      maturity: asked.maturity[i]!,
      frequency: asked.frequency[i]! as Frequency,
      dayCount: DAY_COUNTS[asked.dayCount[i]!]!,
    })
    const { ytm } = yieldToMaturity(terms, asked.price[i]!, settle)
    if (ytm === null) continue
    figures[0]![i] = ytm
    for (const [j, figure] of [modifiedDuration, convexity, dv01].entries())
      figures[j + 1]![i] = figure(terms, ytm, settle)
    figures[4]![i] = accruedInterest(terms, settle)
  }
  return figures
}

const analyticsCase = (name: string, question: string, dayCounts: readonly number[]) =>
  benchCase<Prices>({
    name,
    question,
    ask: random => prices(random, dayCounts),
    baselines: {
      'a bond at a time': {
        async run(_, asked) {
          const figures = oneByOne(asked)
          return () => answer(figures)
        },
      },
    },
    engine: {
      async run(_, asked) {
        const { ytm, modDuration, convexity, dv01, accrued } = bondAnalytics(asked)
        return () => answer([ytm, modDuration, convexity, dv01, accrued])
      },
    },
  })

export const bondAnalytics30360 = analyticsCase(
  'bond-analytics-30-360',
  `What do columns gain over bonds one at a time, for yield, risk and accrued interest of ${ROWS} 30/360 prices?`,
  [DAY_COUNTS.indexOf('30/360')],
)

export const bondAnalyticsMixed = analyticsCase(
  'bond-analytics-all-day-counts',
  `The same for ${ROWS} prices of bonds of every day count?`,
  [...DAY_COUNTS.keys()],
)
