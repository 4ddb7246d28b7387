import fc from 'fast-check'
import t from 'tap'
import type { HotColumn, Values } from '../../../engine/query/memory/column.ts'
import { countValues, pairedValues } from '../../../engine/query/memory/passes.ts'
import { rounded, Statistics } from '../../../engine/query/memory/statistics.ts'
import type { Metric } from '../../../engine/query/plan/plan.ts'

const NONE = -(2 ** 31)

const columnOf = (values: Values): HotColumn => ({
  column: { kind: 'integer', doc: '', nullable: false },
  values,
  none: NONE,
  scale: 1,
  words: null,
  places: null,
  bytes: 0,
})

const shares = { median: 0.5, p10: 0.1, p25: 0.25, p75: 0.75, p90: 0.9 } as const

function quantile(values: Values, share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const rank = share * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!]
  return rounded(low + (rank - Math.floor(rank)) * (high - low), 4)
}

/** Values around a few levels, close to each other or far: dense places and empty ones. */
const arrays = (short: boolean): fc.Arbitrary<Values> =>
  fc
    .record({
      levels: fc.array(fc.integer({ min: -15_000, max: 15_000 }), { minLength: 1, maxLength: 4 }),
      width: fc.constantFrom(1, 3, 40, 900, 2_000),
      length: fc.oneof(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 1, max: 9_000 })),
      seed: fc.nat(),
    })
    .map(({ levels, width, length, seed }) => {
      const values = new (short ? Int16Array : Int32Array)(length)
      const factor = short ? 1 : 97
      let state = seed
      for (let i = 0; i < length; i++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0
        values[i] = factor * (levels[(state >>> 8) % levels.length]! + ((state >>> 12) % width))
      }
      return values
    })

for (const short of [true, false])
  t.test(`quantiles of ${short ? 16 : 32}-bit values equal those of the sorted values`, async t => {
    fc.assert(
      fc.property(arrays(short), fc.nat(), fc.nat(), (values, a, b) => {
        const [start, end] = [a % values.length, b % values.length].sort((x, y) => x - y) as [number, number]
        const statistics = new Statistics(columnOf(values), new Set(Object.keys(shares) as Metric[]))
        statistics.add(pairedValues(values), start, end + 1)
        const stretch = values.slice(start, end + 1) as Values
        const wanted = Object.values(shares).map(share => quantile(stretch, share))
        const given = Object.keys(shares).map(metric => statistics.columns.get(metric as Metric)![0])
        if (JSON.stringify(wanted) === JSON.stringify(given)) return true
        t.strictSame(given, wanted)
        return false
      }),
      { seed: 20251121, numRuns: 300 },
    )
  })

t.test('counts equal those of each value', async t => {
  const values = Int16Array.from({ length: 101 }, (_, i) => ((i * 37) % 13) - 6)
  for (const [start, end] of [
    [0, 101],
    [1, 100],
    [3, 101],
    [7, 8],
    [50, 50],
  ] as const) {
    const counts = new Int32Array(13)
    countValues(counts, 6, pairedValues(values), start, end)
    const wanted = new Int32Array(13)
    for (const value of values.slice(start, end)) wanted[value + 6]!++
    t.strictSame(counts, wanted, `rows ${start} to ${end}`)
  }
})
