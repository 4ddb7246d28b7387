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

/** Whether an instrument is that of an investee that a text does not consolidate, `Alfa's Revolving Credit Facility`. */
export function isOfInvestee(flat: string, instrument: string | null | undefined): boolean {
  const owner = /^(?<owner>[A-Z][\w&]{1,30}(?:\s[A-Z][\w&]{1,30}){0,3})'s\s/.exec(instrument ?? '')?.groups?.[
    'owner'
  ]
  if (owner === undefined) return false
  const who = owner.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return words(
    String.raw`\b(?:interests?|investments?|stake|units?) in ${who}\b[^.;]{0,160}\bequity method|\b${who}\b[^.;]{0,80}\b(?:is|as) an? (?:equity[- ]method|unconsolidated)|\b(?:unconsolidated|equity[- ]method) (?:\w+ ){0,3}${who}\b`,
  ).test(flat)
}

/**
 * Whether a sentence of a discussion outside of its parts on liquidity states what lenders require of the company or hold:
 * there, others, suppositions and mergers are told as well.
 */
export const isOfOwnDebt = (sentence: string, instrument: string | null | undefined): boolean =>
  !ofOthers.test(sentence) &&
  !isSupposed.test(sentence) &&
  ((instrument ?? null) !== null || !ofMerger.test(sentence))
