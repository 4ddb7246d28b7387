import fc from 'fast-check'
import t from 'tap'
import type { HotColumn } from '../../../engine/query/memory/column.ts'
import {
  countBits,
  countRuns,
  runsOfMask,
  setRuns,
  valuesOf,
  wordsFor,
} from '../../../engine/query/memory/mask.ts'
import { eachConstantRun, isRunLengthEncodable, runsWhere } from '../../../engine/query/memory/runs.ts'

const settings = { seed: 20261122, numRuns: 500 }

/** Separate runs, up to the number of rows given by them. */
const separateRuns = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 70 })), { maxLength: 12 })
  .chain(steps => fc.tuple(fc.constant(steps), fc.boolean(), fc.nat({ max: 40 })))
  .map(([steps, fromStart, after]) => {
    const ends: number[] = []
    let at = fromStart ? -(steps[0]?.[0] ?? 0) : 0
    for (const [gap, length] of steps) {
      ends.push(at + gap, at + gap + length)
      at += gap + length
    }
    return { runs: Int32Array.from(ends), rows: Math.max(0, at) + after }
  })

const rowsOf = (runs: Int32Array): number[] => {
  const rows: number[] = []
  for (let s = 0; s < runs.length; s += 2) for (let row = runs[s]!; row < runs[s + 1]!; row++) rows.push(row)
  return rows
}

t.test('runs convert to bits and back', async t => {
  fc.assert(
    fc.property(separateRuns, ({ runs, rows }) => {
      const mask = new Uint32Array(wordsFor(rows)).fill(0xaaaa_aaaa)
      setRuns(mask, runs)
      const wanted = rowsOf(runs)
      const values = Int16Array.from({ length: rows }, (_, i) => 7 * i - 300)
      const found = {
        runs: [...runsOfMask(mask, 0, mask.length)],
        count: countRuns(mask, 0, mask.length),
        bits: countBits(mask, 0, mask.length),
        values: [...valuesOf(values, mask, 0, mask.length, wanted.length)],
      }
      t.same(found, {
        runs: [...runs],
        count: runs.length / 2,
        bits: wanted.length,
        values: wanted.map(row => 7 * row - 300),
      })
    }),
    settings,
  )
})

const columnOf = (values: Int32Array): HotColumn => ({
  column: { kind: 'integer', doc: '', nullable: false },
  values,
  none: -1,
  scale: 1,
  words: null,
  places: null,
  bytes: 0,
})

/** A column that changes every so many rows. */
const stillFor = (length: number, every: readonly number[]): HotColumn => {
  const values = new Int32Array(length)
  for (let row = 0, turn = 0, value = 0; row < length; turn++) {
    const end = row + every[turn % every.length]!
    values.fill(value++ % 5, row, end)
    row = end
  }
  return columnOf(values)
}

t.test('columns are read once where none of them changes', async t => {
  const lengths = fc.array(fc.integer({ min: 10, max: 90 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(separateRuns, fc.array(lengths, { minLength: 1, maxLength: 3 }), ({ runs, rows }, every) => {
      const columns = every.map(lengths => stillFor(rows + 720, lengths))
      if (!columns.every(isRunLengthEncodable)) return t.fail('columns hold still')
      const same = (a: number, b: number) => columns.every(({ values }) => values[a] === values[b])
      const wanted: [number, number][] = []
      for (let s = 0; s < runs.length; s += 2)
        for (let row = runs[s]!; row < runs[s + 1]!; row++) {
          const last = wanted.at(-1)
          if (row > runs[s]! && last?.[1] === row && same(row, row - 1)) last[1]++
          else wanted.push([row, row + 1])
        }
      const found: [number, number][] = []
      eachConstantRun(columns, runs, (from, to) => found.push([from, to]))
      t.strictSame(found, wanted)
      const [first] = columns
      const kept = runsWhere(first!, value => value !== 3, runs)
      return t.strictSame(
        rowsOf(kept),
        rowsOf(runs).filter(row => first!.values[row] !== 3),
      )
    }),
    settings,
  )
})

t.test('a column that changes often is not run-length-encodable', async t => {
  t.notOk(isRunLengthEncodable(columnOf(Int32Array.from({ length: 100 }, (_, i) => i % 4))))
  t.notOk(isRunLengthEncodable(columnOf(Int32Array.from({ length: 200 }, (_, i) => i >> 1))))
  t.ok(isRunLengthEncodable(stillFor(200, [50])))
})
