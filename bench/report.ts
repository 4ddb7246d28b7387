import { execFileSync } from 'node:child_process'
import { cpus, release, totalmem } from 'node:os'
import type { Measured } from './measure.ts'

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

/** The commit that is measured; `dirty` where files differ from it. */
export function commit(folder: string): { commit: string; dirty: boolean } {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim()
    return { commit: git('rev-parse', '--short', 'HEAD'), dirty: git('status', '--porcelain') !== '' }
  } catch {
    return { commit: 'unknown', dirty: true }
  }
}

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1)
const times = (value: number): string => `${value.toFixed(2)}x`

/** The results of one scale, aligned for reading. */
export function tableText(measured: readonly Measured[]): string {
  const head = ['case', 'rows', 'contestant', 'calls', 'p50 ms', 'p99 ms', 'engine against it']
  const lines = measured.flatMap(({ name, meanRows, contestants, ratios }) =>
    Object.entries(contestants).map(([contestant, { calls, p50, p99 }], i) => {
      const ratio = ratios[contestant]
      const against = ratio ? `${times(ratio.median)} (${times(ratio.low)} to ${times(ratio.high)})` : ''
      return [
        i === 0 ? name : '',
        i === 0 ? meanRows.toFixed(1) : '',
        contestant,
        String(calls),
        ms(p50),
        ms(p99),
        against,
      ]
    }),
  )
  const all = [head, ...lines]
  const width = head.map((_, j) => Math.max(...all.map(line => line[j]!.length)))
  const right = new Set([1, 3, 4, 5])
  return all
    .map(line =>
      line
        .map((cell, j) => (right.has(j) ? cell.padStart(width[j]!) : cell.padEnd(width[j]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
