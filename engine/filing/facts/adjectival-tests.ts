import { firstOf } from '../../base/elements.ts'
import { partitionPoint } from '../../base/partition-point.ts'
import type { Direction } from './comparisons.ts'
import { lastEnd, withoutEarlierItems, words } from './flat-text.ts'
import { speaksOfOthers } from './other-parties.ts'
import type { Place, Reading } from './reading.ts'
import { type MetricMention, testedQuantities } from './test-metrics.ts'
import {
  askedByOthers,
  conditional,
  defines,
  mentionsTest,
  notInForce,
  obliges,
  ofLending,
} from './test-words.ts'
import type { Threshold } from './thresholds.ts'

// Words allowed between `minimum liquidity` and its threshold.
const adjectiveGap = words(
  String.raw`^(?:[\s(),:'"]|\b(?:covenant|ratio|test|requirement|level|amount|balance|defined|in|the|credit|agreement|as|calculated|of|consolidated|total|recourse|debt|ebitda|to|is|at|all|times|equal|set|not|less|more|greater|than|at|least|or|a|an|be|no|for|each|any|trailing|rolling|tested|measured|beginning|starting|initially|quarterly|end|day|last|on|four|twelve|consecutive|before|earnings|interest|income|taxes|depreciation,? and amortization|adjusted|fiscal|quarters?|months?|period|ended)\b)*$`,
)
// `a maximum leverage ratio that for the quarter ended June 30, 2025 was set at 3.75 to 1`, `a minimum EBITDA (as defined) threshold that is`.
const thatIs = words(
  String.raw`^(?: ?\([^()]{2,160}\))?(?: (?:covenant|requirement|test|level|threshold))?,? (?:that|which),?(?: for the [^.;,$%]{5,40}(?:, \d{4})?,?)? (?:is|was) (?:currently |initially )?(?:set at |equal to )?$`,
)
/** `one financial covenant relating to interest coverage of three times`: its direction is that of the quantity. */
export const subjectOfCovenant = (
  { flat, isContract }: Reading,
  { start }: Place,
  { from, metric }: MetricMention,
): Direction | null => (!isContract && isSubject.test(flat.slice(start, from)) ? metric.direction : null)
const isSubject = words(
  String.raw`\bfinancial covenants?(?: (?:in|of|under) (?:the|our|its|these|those|each) [^.;,]{3,50}?)?(?: (?:at|tested at|as of) [^.;,]{3,24}?)?,? (?:(?:(?:which|that) )?(?:relat(?:ing|es?) to|pertain(?:ing|s)? to)|with respect to|of|for|on|based on) (?:[^.;()]{2,100}?(?:,|,? and) )?(?:(?:an?|our|its|the) )?$`,
)

/** `is required to maintain a Total Net Leverage Ratio of 8.00x`: a ratio can be tested in one direction only. */
function askedOf({ metric }: MetricMention, lead: string, gap: string): Direction | null {
  if (metric.unit === 'ratio') return isAsked.test(lead) ? metric.direction : null
  const isHeld = metric.direction === 'minimum' && isMaintained.test(lead) && isOfAmount.test(gap)
  return isHeld ? 'minimum' : null
}
const ASKS =
  '(?:required to|must|shall|agreed to|covenants? to|requirements? (?:to|that [^.;,]{2,30}?)|requir(?:es?|ing) (?:us|the company|the borrower|it|(?!the )(?:[\\w&.-]{1,30} ){1,4}?(?:LLC|Inc\\.?|Corp\\.?|L\\.?P\\.?|Ltd\\.?|plc)) to)'
const isAsked = words(
  String.raw`\b(?:${ASKS} (?:maintain|meet|satisfy|achieve|comply with)|requir(?:es?|ing) compliance with|maintenance of) (?:(?:[^.;]|\.\d){2,160}(?:,|,? and) )?(?:an? |its |our )?$|\b(?:agreements?|facilit(?:y|ies)|notes|loans?|indentures?|mortgages?|banks?|lenders?|covenants?) requires? an? $|\bspringing $`,
)
// `the maintenance of a current ratio of 1.5 to 1 and tangible net worth of $12,000,000`.
const isMaintained = words(
  String.raw`\b(?:maintenance of|${ASKS} (?:maintain|have|keep)) (?:(?:[^.;]|\.\d){0,200}(?:,|,? and) )?(?:an? |its |our )?$`,
)
const isOfAmount = words('^ (?:(?:balance|level|amount) )?of $')

/** `limits capital expenditures to $5 million`, `limits our ratio of debt to EBITDA to 3.75 to 1.00`. */
function limitedTo({ metric }: MetricMention, lead: string, gap: string): Direction | null {
  const isCapex = metric === testedQuantities.capex
  if (isCapex && isLimitedTo.test(lead)) return 'maximum'
  const isUpper = metric.direction === 'maximum' && (metric.unit === 'ratio' || isCapex)
  return isUpper && isLimited.test(lead) && /^\s+to\s/.test(gap) ? 'maximum' : null
}
const isLimited = words(
  String.raw`\b(?:limits?|limiting|restricts?|restricting) (?:(?:our|its|the|[^.;,\s]{1,30}'s|the [^.;,\s]{1,30}'s) )?(?:(?:total|annual|aggregate|consolidated|funded|maximum) ){0,3}$`,
)
const isLimitedTo = words(
  String.raw`\b(?:limits|limited|limiting)\b[^.;]{0,80}? to (?:(?:annual|aggregate|total|maximum) )?$`,
)

/** `has a debt-to-capital covenant of 65%`, `the leverage ratio covenant in the facility is 3.75 to 1.00`, in a report. */
const covenantOf = ({ metric }: MetricMention, gap: string): Direction | null =>
  isCovenantOf.test(gap) ? metric.direction : null
const isCovenantOf = words(
  '^ (?:ratio )?(?:financial )?(?:(?:maintenance )?covenant|requirement)(?: (?:under|of|in|for) [^.;,]{3,60})? (?:of|is|was|is set at|was set at) $',
)

/** `the maximum leverage ratio permitted under the credit agreement is 3.50 to 1.00`, in a report. */
const permittedLevel = (
  { metric }: MetricMention,
  named: string,
  sentence: string,
  gap: string,
): Direction | null =>
  isLimitNamed.test(named) && isPermitted.test(gap) && ofLending.test(sentence) ? metric.direction : null
const isLimitNamed = /\b(?:maximum|minimum)\b/i
const isPermitted = words(
  '^,?(?: (?:covenant|level))?(?: (?:permitted|allowed|allowable|required)(?: (?:under|by|in|for|pursuant to) [^.;,]{3,70})?| (?:under|in|for) [^.;,]{3,70})?,? (?:is|was|will be|remains|is set at|(?:in|de)creas(?:es|ed) to|ste(?:ps|pped) (?:up|down) to) (?:currently )?(?:\\([a-z]{1,3}\\) )?$',
)

/** `must not exceed a ratio of debt to EBITDA of 3.25 to 1`: the comparison stands before the quantity. */
const exceeded = ({ metric }: MetricMention, lead: string): Direction | null =>
  (metric.direction === 'maximum' ? notAbove : notBelow).test(lead) ? metric.direction : null
const MODAL = String.raw`\b(?:(?:must|shall|may|will|would|can) not|cannot|not permitted to|agreed not to)`
const notAbove = words(`${MODAL} (?:exceed|be (?:more|greater) than) (?:an? |its |our )?$`)
const notBelow = words(`${MODAL} (?:fall below|be (?:less|lower) than) (?:an? |its |our )?$`)

/** What an amendment adds or sets, `(ii) add a maximum annual capital expenditures covenant of $10 million`, item by item. */
function amendedTo(
  { metric }: MetricMention,
  item: string,
  named: string,
  gap: string,
  sentence: string,
): Direction | null {
  const last = item.slice(lastEnd(item, /[;,]\s{1,9}(?:and\s{1,9})?\([a-z\d]{1,4}\)\s/g) + 1)
  const isSet =
    statedDirection(named) === metric.direction &&
    sets.test(last) &&
    setAt.test(gap) &&
    ofAmendment.test(sentence)
  return isSet && !notInForce.test(last) && !conditional.test(last) && !speaksOfOthers(last)
    ? metric.direction
    : null
}
const sets = words(
  String.raw`\b(?:adds?|adding|sets?|setting|reset|establish(?:es|ing)?|introduc(?:es?|ing)|impos(?:es?|ing)|implement(?:s|ing)?|insert(?:s|ing)?|modif(?:y|ies|ying)|revis(?:es?|ing)|amends?|amending|chang(?:es?|ing)|replac(?:es?|ing)) (?:[\w-]+ ){0,6}$`,
)
const ofAmendment = words(String.raw`\b(?:amend\w*|waiver|modification)\b`)
const setAt = words(
  String.raw`^(?: covenants?| requirements?| tests?| levels?)?(?: (?:for|in|during) [^.;$%]{3,60}?)? (?:(?:of|at|to)(?: (?:at least|not ?less than|not ?more than|no less than|no more than))?|to the following [^.;$%]{3,140}?\b(?:\([a-z]\)|levels:?|periods:?|:)) $`,
)

const statedDirection = (named: string): Direction | null =>
  ([...named.matchAll(/\b(maximum|minimum)\b/gi)].at(-1)?.[1]?.toLowerCase() as Direction | undefined) ?? null

/** In which direction words around a quantity and a level test it, `a maximum leverage ratio of 4.50 to 1.00`; null if in none. */
export function adjectivalDirection(
  reading: Reading,
  place: Place,
  mention: MetricMention,
  next: Threshold,
): Direction | null {
  const { flat, isContract } = reading
  const { start, end } = place
  const lead = flat.slice(start, mention.from)
  const gap = flat.slice(mention.to, next.from)
  const named = flat.slice(Math.max(start, mention.from - 40), mention.to)
  const inItem = isContract
    ? null
    : amendedTo(mention, withoutEarlierItems(lead), named, gap, flat.slice(start, place.end))
  if (inItem !== null) return inItem
  if (notInForce.test(lead) || askedByOthers.test(lead) || speaksOfOthers(lead)) return null
  const own = limitedTo(mention, lead, gap) ?? exceeded(mention, lead)
  const told = isContract
    ? null
    : (covenantOf(mention, gap) ?? permittedLevel(mention, named, flat.slice(start, end), gap))
  if (told !== null || (own !== null && adjectiveGap.test(gap)))
    return conditional.test(lead) ? null : (told ?? own)
  if (!adjectiveGap.test(gap) && (isContract || !thatIs.test(gap))) return null
  const from = Math.max(lastEnd(lead, obliges), isContract ? -1 : lastEnd(lead, mentionsTest))
  if (from < 0 || conditional.test(lead.slice(from)) || defines.test(lead)) return null
  return statedDirection(named) ?? subjectOfCovenant(reading, place, mention) ?? askedOf(mention, lead, gap)
}

/** The level to which a report says that an amendment brings one, `increases the maximum leverage ratio from 3.50 to 1.00 to 4.00 to 1.00`. */
export const changedTo = (
  reading: Reading,
  place: Place,
  mention: MetricMention,
  after: readonly Threshold[],
): Threshold | undefined =>
  changedFrom(reading, place, mention, after) ?? broughtTo(reading, place, mention, after)

function changedFrom(
  { flat, isContract }: Reading,
  { start, end }: Place,
  { from, to }: MetricMention,
  after: readonly Threshold[],
): Threshold | undefined {
  const [old, level] = after
  if (isContract || !old || !level || level.from > end || level.unit !== old.unit) return undefined
  const lead = flat.slice(start, from)
  const named = flat.slice(Math.max(start, from - 40), to)
  const told = isFrom.exec(flat.slice(to, old.from))
  const isChange =
    told !== null &&
    (isLimitNamed.test(named) || (told.groups?.['compared'] ?? told.groups?.['limit']) !== undefined) &&
    changes.test(lead) &&
    isTo.test(flat.slice(old.to, level.from))
  return isChange && !conditional.test(lead) && !notInForce.test(lead) ? level : undefined
}

/** The level to which a report says that one was brought, `to increase the maximum permitted leverage ratio to 4.25 to 1.00`, without that of before. */
function broughtTo(
  { flat, isContract }: Reading,
  { start }: Place,
  { from, to, metric }: MetricMention,
  [level]: readonly Threshold[],
): Threshold | undefined {
  if (isContract || level === undefined || level.unit === 'cents') return undefined
  const lead = flat.slice(start, from)
  const limit = brings.exec(lead)?.groups?.['limit']?.toLowerCase()
  const isBrought =
    limit === metric.direction && isBroughtTo.test(flat.slice(to, level.from)) && ofAgreed.test(lead)
  return isBrought && !conditional.test(lead) && !notInForce.test(lead) ? level : undefined
}
const brings = words(
  String.raw`\b(?:increas|decreas|reduc|rais|lower)(?:es?|ed|ing) (?:the |our |its )?(?<limit>maximum|minimum) (?:(?:allowable|permitted|allowed|required) )?$`,
)
const isBroughtTo = words(
  String.raw`^(?: \((?:the )?"[^"()]{3,40}"\))?(?: (?:covenant|requirement|test))?,? to $`,
)
const ofAgreed = words(String.raw`\bamend(?:ed|s|ment)\b[^.;]{0,200}$`)
const changes = words(
  String.raw`\b(?:increas|decreas|reduc|rais|lower|amend|chang|modif|revis)\w*\b[^.;]{0,80}$`,
)
const COMPARED = '(?:not|no) (?:less|more|greater|lower|higher) than'
const isFrom = words(
  `^(?: (?:covenant|test|requirement|(?<limit>limit)))?(?: (?:permitted|allowed|required))?(?: (?:under|in|of|by) [^.;,]{3,60}?)? from (?:an? )?(?<compared>${COMPARED} )?$`,
)
const isTo = words(`^ to (?:an? )?(?:(?:${COMPARED}|at least) )?$`)

/** The amount before a quantity that must be held, `maintain at least $50 million of liquidity`; undefined if none is. */
export function heldBefore(
  { flat, isContract }: Reading,
  { start }: Place,
  { from, metric }: MetricMention,
  before: Threshold | undefined,
): Threshold | undefined {
  if (before?.unit !== 'cents' || metric.unit !== 'cents') return undefined
  if (
    before.from < start ||
    !/^\s+(?:of|in)\s+(?:(?:the\s+)?aggregate\s+)?$/i.test(flat.slice(before.to, from))
  )
    return undefined
  const lead = flat.slice(start, before.from)
  const asked = Math.max(lastEnd(lead, obliges), isContract ? -1 : lastEnd(lead, mentionsTest))
  const isOther =
    asked < 0 ||
    conditional.test(lead) ||
    speaksOfOthers(lead) ||
    notInForce.test(lead) ||
    askedByOthers.test(lead) ||
    defines.test(lead)
  return !isOther && (metric.direction === 'minimum' ? isHolding : isSpending).test(lead) ? before : undefined
}
// `the company will not exceed $15 million in unfinanced capital expenditures`.
const isSpending = words(
  String.raw`\b(?:not exceed|not (?:make|incur) (?:more than|in excess of)|limited to(?: no more than)?) $`,
)
const isHolding = words(
  String.raw`\b(?:maintain(?:ing)?|hav(?:e|ing)|keep(?:ing)?|hold(?:ing)?|retain(?:ing)?) (?:at all times )?(?:at least |no less than |not less than |a minimum of |minimum )?$`,
)

/** Quantities whose levels follow behind the last of them, one for each. */
interface InTurn {
  readonly mentions: readonly MetricMention[]
  /** None where they are not as many as the quantities. */
  readonly levels: readonly Threshold[]
  /** From the first quantity, or the word ratios before it, to the end of the last. */
  readonly from: number
  readonly to: number
}

/** `a leverage ratio and an interest coverage ratio of 3.5 to 1 and 4.0 to 1, respectively`; null where a sentence does not say so. */
export function levelsInTurn(
  flat: string,
  { start, end }: Place,
  metrics: readonly MetricMention[],
  thresholds: readonly Threshold[],
): InTurn | null {
  if (!/\brespectively\b/i.test(flat.slice(start, end))) return null
  const levels = thresholds.filter(({ from }) => from >= start && from < end)
  const [first] = levels
  const mentions = metrics.filter(({ from, to }) => from >= start && first !== undefined && to <= first.from)
  const last = mentions.at(-1)
  if (first === undefined || last === undefined || mentions.length < 2) return null
  const before = flat.slice(start, firstOf(mentions).from)
  const from = firstOf(mentions).from - (/\bratios\s{1,9}of\s{1,9}$/i.exec(before)?.[0].length ?? 0)
  return { mentions, from, levels: levels.length === mentions.length ? levels : [], to: last.to }
}

/** `must achieve minimum net sales, tested quarterly, as follows:`, whose levels a table has. */
export function isTabled(
  { flat }: Reading,
  { start, end }: Place,
  { from, to, metric }: MetricMention,
): boolean {
  const lead = flat.slice(start, from)
  const named = flat.slice(Math.max(start, from - 40), to)
  return (
    statedDirection(named) === metric.direction &&
    followed.test(flat.slice(to, end + 2)) &&
    isAskedFor.test(lead) &&
    !conditional.test(lead) &&
    !notInForce.test(lead) &&
    !askedByOthers.test(lead) &&
    !speaksOfOthers(lead) &&
    !defines.test(lead)
  )
}
const followed = words(
  String.raw`^[^.;:]{0,120}?\b(?:as follows|as set forth (?:below|in the (?:following )?table)|(?:of|at) the following (?:amounts|levels)|in the (?:following table|table below))\b ?:?`,
)
const isAskedFor = words(
  String.raw`\b(?:required to|requires?|must|shall|agreed to|covenants? to) (?:[^.;]{0,80}? )?(?:maintain|achieve|meet|have|satisfy|comply with)\b[^.;]{0,60}$`,
)

/** `a minimum fixed charge coverage ratio`, called a test by its name. */
export const isMinimumRatio = (flat: string, { from, to }: MetricMention): boolean =>
  /\b(?:maximum|minimum)\b/i.test(flat.slice(Math.max(0, from - 24), to))

/**
 * Whether a sentence states a level of a quantity. An amount is none of a ratio: `a minimum coverage ratio that applies if
 * availability is below $3 million`.
 */
export function statesLevel(
  { flat }: Reading,
  { start, end }: Place,
  mention: MetricMention,
  thresholds: readonly Threshold[],
): boolean {
  const isNamed = mention.metric.unit === 'ratio' && isMinimumRatio(flat, mention)
  for (let i = partitionPoint(thresholds, ({ from }) => from < start); i < thresholds.length; i++) {
    const threshold = thresholds[i]
    if (threshold === undefined || threshold.from >= end) return false
    if (!(isNamed && threshold.unit === 'cents')) return true
  }
  return false
}
