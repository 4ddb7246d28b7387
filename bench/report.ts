// Indices below are within bounds by construction: checks would cost in the loops.

import { execFileSync } from 'node:child_process'
import { cpus, release, totalmem } from 'node:os'
import type { Measured } from './timing.ts'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memory_gb: number
  readonly os: string
  readonly node: string
}

export const machine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memory_gb: Math.round(totalmem() / 2 ** 30),
  os: `${process.platform} ${release()} ${process.arch}`,
  node: process.version,
})

/** The measured commit; `dirty` if files differ from it. */
export function commit(folder: string): { commit: string; dirty: boolean } {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim()
    return { commit: git('rev-parse', '--short', 'HEAD'), dirty: git('status', '--porcelain') !== '' }
  } catch {
    return { commit: 'unknown', dirty: true }
  }
}

/** Bytes a second that one thread reads: the sum of a Float64Array of 400 MB, the best of ten. */
export function bandwidth(): number {
  const values = new Float64Array(50_000_000).fill(1)
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 10; round++) {
    const start = performance.now()
    if (sumOf(values) !== values.length) throw new Error('the sum is wrong')
    best = Math.min(best, performance.now() - start)
  }
  return (values.byteLength / best) * 1000
}

function sumOf(values: Float64Array): number {
  let [a, b, c, d] = [0, 0, 0, 0]
  const { length } = values
  for (let i = 0; i < length; i += 4) {
    a += values[i]!
    b += values[i + 1]!
    c += values[i + 2]!
    d += values[i + 3]!
  }
  return a + b + c + d
}

const ms = (value: number): string => value.toFixed(value < 0.1 ? 4 : value < 10 ? 3 : 1)
const times = (value: number): string => `${value < 0.1 ? value.toFixed(4) : value.toFixed(2)}x`
const rate = (value: number): string =>
  value >= 1e6
    ? `${(value / 1e6).toFixed(value < 1e7 ? 1 : 0)} M/s`
    : `${Math.round(value).toLocaleString('en-US')}/s`

/** The results of one size, aligned for reading. */
export function tableText(measured: readonly Measured[]): string {
  const head = ['case', 'contestant', 'calls', 'p50 ms', 'p99 ms', 'rate', 'engine against it']
  const lines = measured.flatMap(({ name, contestants, ratios, missing }) => {
    const said = (ratio: Measured['ratios'][string] | undefined) =>
      ratio ? `${times(ratio.median)} (${times(ratio.low)} to ${times(ratio.high)})` : ''
    const timed = Object.entries(contestants).map(([contestant, { calls, p50, p99, perSecond }]) => [
      contestant,
      String(calls),
      ms(p50),
      ms(p99),
      perSecond ? rate(perSecond) : '',
      said(ratios[contestant]),
    ])
    const more = Object.keys(ratios).filter(of => !contestants[of])
    const rows = [
      ...timed,
      ...more.map(of => [of, '', '', '', '', said(ratios[of])]),
      ...missing.map(of => [of, 'not installed', '', '', '', '']),
    ]
    return rows.map((row, i) => [i === 0 ? name : '', ...row])
  })
  const all = [head, ...lines]
  const width = head.map((_, j) => Math.max(...all.map(line => line[j]!.length)))
  const right = new Set([2, 3, 4, 5])
  return all
    .map(line =>
      line
        .map((cell, j) => (right.has(j) ? cell.padStart(width[j]!) : cell.padEnd(width[j]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
