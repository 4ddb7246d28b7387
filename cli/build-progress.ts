import type { Step } from './progress.ts'

/**
 * Steps of a build in order, as their labels begin, with what each takes of a build of 13,800 sections of filings and
 * 1,000 bonds, in hundredths. Other lakes differ, so the time left is of the right size at best; the share never falls.
 */
const STEPS: readonly (readonly [label: string, weight: number])[] = [
  ['verifying batches', 3],
  ['bonds', 1],
  ['issuers', 8],
  ['ratings', 4],
  ['prices', 3],
  ['spreads', 2],
  ['statements', 10],
  ['companies', 2],
  ['writing tables', 4],
  ['reading sections', 25],
  ['learning what words mean', 16],
  ['placing passages by meaning', 8],
  ['linking passages to their nearest', 12],
  ['asking for what is known', 1],
  ['checking the data', 1],
  ['checking the gate', 1],
  ['writing Iceberg tables', 1],
]
const TOTAL = STEPS.reduce((sum, [, weight]) => sum + weight, 0)
/** Below this share, and in the first seconds, a time left would be a guess. */
const LEAST_SHARE = 0.08
const LEAST_SECONDS = 2

/** The progress of a build from the labels of its steps. */
export function followBuild(now: () => number = () => performance.now() / 1000): (label: string) => Step {
  const began = now()
  let share = 0
  return label => {
    const [step = '', part = ''] = label.split(': ')
    const at = STEPS.findIndex(([name]) => name === step)
    if (at >= 0) {
      const before = STEPS.slice(0, at).reduce((sum, [, weight]) => sum + weight, 0)
      const percent = Number(/^(\d+)%$/.exec(part)?.[1] ?? 0)
      const weight = STEPS[at]?.[1] ?? 0
      share = Math.max(share, (before + (weight * percent) / 100) / TOTAL)
    }
    const elapsed = now() - began
    const isKnown = share >= LEAST_SHARE && elapsed >= LEAST_SECONDS
    return { label, share, secondsLeft: isKnown ? (elapsed * (1 - share)) / share : null }
  }
}

/** For the test that every step of a build has its share. */
export const buildSteps: readonly string[] = STEPS.map(([label]) => label)
