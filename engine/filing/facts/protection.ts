import type { CovenantName } from '../../schema/covenant-names.ts'
import type { Clause } from './clauses.ts'
import { words } from './flat-text.ts'

/** What protects lenders or holders: a put, a make-whole, an event of default, reports. */
export interface Protection {
  readonly covenant_name: CovenantName
  readonly rule:
    | 'change_of_control_put'
    | 'change_of_control_default'
    | 'make_whole'
    | 'cross_default'
    | 'judgment_default'
    | 'reporting'
    | 'suspension'
  readonly putPricePct: number | null
  /** Minimum debt or judgment that counts, in cents. */
  readonly threshold: number | null
  readonly confidence: number
  readonly from: number
  readonly to: number
  readonly clause: Clause | null
}

/** Maximum characters of the sentence of a protection to either side. */
export const MOST_SENTENCE = 1400

// `a change of control`, by the names that contracts give it.
export const changeOfControl =
  '(?:changes? (?:of|in) control(?: (?:repurchase|triggering) event| offer)?|fundamental changes?)'

/** A sentence that says what is not required, or not contained. */
export const negated = words(
  String.raw`\b(?:will not|shall not|do not|does not|not be) (?:be )?(?:required|obligated|have|contain|entitled)\b`,
)
