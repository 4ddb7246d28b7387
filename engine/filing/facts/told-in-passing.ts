import { groupOf } from '../../base/elements.ts'
import { isOwnName, ownerOf } from '../../names/instrument-owner.ts'
import { words } from './flat-text.ts'

// `Our customers are subject to covenants`, `Many of our competitors may be required`.
const ofOthers = words(
  String.raw`^\W{0,9}(?:(?:as|in|for|of|many|some|most|certain|several|all|a number) (?:of )?)?(?:(?:our|the|these|those|their|its|such|the company's) )?(?:[\w-]+ ){0,2}(?:competitors?|customers?|clients?|franchisees?|tenants?|lessees?|borrowers|suppliers?|dealers?|distributors?|obligors|portfolio companies|counterpart(?:y|ies)|investees?|unconsolidated affiliates?|joint ventures?)\b`,
)
// `Any new facility could require us to maintain`, `we might be subject to covenants`.
const isSupposed = words(
  String.raw`\b(?:could|would|may|might) (?:also |then )?(?:require|contain|include|impose|be (?:required|subject|secured|asked|collateralized)|have to)\b`,
)
// `The merger agreement contains covenants that restrict our ability to incur debt` until the merger.
const ofMerger = words(
  String.raw`\b(?:merger|purchase|acquisition|separation|transaction|divestiture|contribution|collaboration) agreement\b`,
)

const NAME = String.raw`(?<who>[A-Z][\w&]{1,30}(?:\s[A-Z][\w&]{1,30}){0,3})`
/** `a 54% interest in Alfa, which we account for under the equity method`; `Alfa is an unconsolidated affiliate`. */
const investees = [
  new RegExp(
    String.raw`\b(?:interests?|investments?|stake|units?)\sin\s${NAME}\b[^.;]{0,160}\bequity[\s-]method`,
    'g',
  ),
  new RegExp(String.raw`\b${NAME}\s(?:is|as)\san?\s(?:equity[\s-]method|unconsolidated)\b`, 'g'),
  new RegExp(String.raw`\b(?:unconsolidated|equity[\s-]method)\s(?:[a-z]{1,20}\s){0,3}${NAME}\b`, 'g'),
]

/** The companies that a text says are not consolidated. */
export const investeesIn = (flat: string): ReadonlySet<string> =>
  new Set(investees.flatMap(pattern => [...flat.matchAll(pattern)].map(match => groupOf(match, 'who'))))

/** A name without that of the company itself: the credit facility of `Alfa's Credit Facility` in Alfa's own report. */
export function withoutOwnName(instrument: string | null, company: string | null): string | null {
  const owner = ownerOf(instrument)
  if (instrument === null || owner === null || company === null || !isOwnName(owner, company))
    return instrument
  return instrument.slice(owner.length + "'s ".length)
}

/**
 * Whether a sentence of a discussion outside of its parts on liquidity states what lenders require of the company or hold:
 * there, others, suppositions and mergers are told as well.
 */
export const isOfOwnDebt = (sentence: string, instrument: string | null | undefined): boolean =>
  !ofOthers.test(sentence) &&
  !isSupposed.test(sentence) &&
  ((instrument ?? null) !== null || !ofMerger.test(sentence))
