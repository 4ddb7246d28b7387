import type { Clause } from './clauses.ts'
import { comparisonsIn } from './comparisons.ts'
import { words } from './flat-text.ts'
import { fits, metricsIn, type TestedQuantity } from './test-metrics.ts'
import { thresholdsIn } from './thresholds.ts'

export interface IncurrenceTest {
  readonly metric: TestedQuantity
  readonly threshold: number
  /** Where its level ends. */
  readonly to: number
}

/** Maximum distance of a clause's own test from its start; later ones belong to single exceptions. */
const MOST = 1600
const exceptions =
  /\(a\)|\(1\)|the\s+foregoing\s+(?:limitations?|provisions?|restrictions?)|shall\s+not\s+(?:prohibit|apply)/i
const permits = words(
  String.raw`\b(?:may|unless|if|so long as|provided)\b[^.]{0,700}\b(?:if|unless|would|after giving|pro forma|so long as|provided)\b`,
)
const gap = words(String.raw`^(?:[\s(),:]|\b(?:the|a|ratio|of|to|equal|or|be)\b)*$`)

/**
 * The level at which a restriction allows more: `may incur Indebtedness if the Fixed Charge Coverage Ratio would have
 * been at least 2.00 to 1.00`.
 */
export function incurrenceTest(flat: string, clause: Clause): IncurrenceTest | null {
  const whole = flat.slice(clause.body, Math.min(clause.to, clause.body + MOST))
  // `(a) The Issuer will not …` begins the clause rather than a list of exceptions.
  const begun = /^\s*\((?:a|1)\)/.exec(whole)?.[0].length ?? 0
  const listed = whole.slice(begun).search(exceptions)
  const body = listed > 0 ? whole.slice(0, begun + listed) : whole
  const metrics = metricsIn(body).filter(m => m.metric.test_metric !== null)
  for (const comparison of comparisonsIn(body)) {
    const mention = metrics.filter(m => m.to <= comparison.from).at(-1)
    const level = thresholdsIn(body.slice(comparison.to, comparison.to + 60))[0]
    if (!mention || !level || comparison.from - mention.to > 500) continue
    if (comparison.direction !== mention.metric.direction || !fits(mention.metric, level.unit, level.value))
      continue
    const between = body.slice(comparison.to, comparison.to + level.from)
    if (level.unit !== 'ratio' || !gap.test(between) || !permits.test(body.slice(0, comparison.from)))
      continue
    return { metric: mention.metric, threshold: level.value, to: clause.body + comparison.to + level.to }
  }
  return null
}
