import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { OwnCase } from './case.ts'
import { ascending, median, quantile, ratioOf } from './measure.ts'
import { projectFolder } from './project-folder.ts'
import type { Measured } from './timing.ts'

/** What a script in bench/cases answers to a question, as JSON; null where Python lacks its libraries. */
export function askPython<T>(script: string, question: unknown): T | null {
  const { status, stdout } = spawnSync('python3', [join(projectFolder, 'bench/cases', script)], {
    input: JSON.stringify(question),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  return status === 0 ? (JSON.parse(stdout) as T) : null
}

/** Milliseconds of calls, round by round; Python has no rounds where its libraries are missing. */
export interface Rounds {
  readonly ours: readonly (readonly number[])[]
  readonly theirs: readonly (readonly number[])[]
}

/** The measurement of a case whose one peer is Python with some libraries. */
export function besidePython(
  { name, question }: Pick<OwnCase, 'name' | 'question'>,
  { ours, theirs }: Rounds,
  { libraries, meanRows, notes }: { libraries: string; meanRows: number; notes: readonly string[] },
): Measured {
  const timing = (times: readonly (readonly number[])[]) => {
    const sorted = ascending(times.flat())
    return { calls: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) }
  }
  const peer = `${libraries}, Python`
  const hasPeer = theirs.length > 0
  return {
    name,
    question,
    rounds: ours.length,
    contestants: { engine: timing(ours), ...(hasPeer && { [peer]: timing(theirs) }) },
    ratios: hasPeer
      ? { [peer]: ratioOf(theirs.map((times, i) => median(ours[i] ?? []) / median(times))) }
      : {},
    meanRows,
    missing: hasPeer ? [] : [`${libraries} for Python`],
    notes,
  }
}
