import { firstOf } from '../../base/elements.ts'
import { append } from '../../base/lists.ts'
import { memoize } from '../../base/memoize.ts'
import { partitionPoint } from '../../base/partition-point.ts'
import {
  adjectivalDirection,
  changedTo,
  heldBefore,
  isMinimumRatio,
  isTabled,
  levelsInTurn,
  statesLevel,
  subjectOfCovenant,
} from './adjectival-tests.ts'
import { type Clause, clauseAt } from './clauses.ts'
import { comparisonsIn, opposite } from './comparisons.ts'
import { everyWords, lastEnd, sentenceAround, withoutEarlierItems, words } from './flat-text.ts'
import { isForbiddenItem, isOfListedTests, listsPeriods } from './listed-tests.ts'
import { speaksOfOthers } from './other-parties.ts'
import type { Place, Reading } from './reading.ts'
import { firstYearLevel, inForce, type Step, scheduleIn, stepsUntold, tightens } from './step-schedule.ts'
import { frequencyOf } from './test-frequency.ts'
import {
  asShare,
  definedLeverages,
  fits,
  type MetricMention,
  metricsIn,
  type TestedQuantity,
  testedQuantities,
} from './test-metrics.ts'
import {
  askedByOthers,
  atNoTime,
  conditional,
  defines,
  endsIt,
  isFreeOf,
  mentionsTest,
  notInForce,
  obliges,
  ofLending,
  pricing,
  springs,
} from './test-words.ts'
import { inUnitOf, type Threshold, thresholdsIn } from './thresholds.ts'
import { isOfTitledTests, titledAs } from './titled-tests.ts'

/** A financial test imposed by a text. */
export interface FinancialTest {
  readonly metric: TestedQuantity
  /** Null if the text defines its level elsewhere. */
  readonly threshold: number | null
  readonly steps: readonly Step[] | null
  readonly hasStepDown: boolean
  readonly frequency: string | null
  readonly rule:
    | 'test_sentence'
    | 'test_adjective'
    | 'test_table'
    | 'test_elsewhere'
    | 'test_incurrence'
    | 'test_row'
  readonly confidence: number
  /** Where its quantity is named. */
  readonly mention: readonly [number, number]
  readonly from: number
  readonly to: number
  readonly clause: Clause | null
  /** Where the text before a table may name the instrument; its own place if absent. */
  readonly namedIn?: readonly [number, number]
  /** What a head of its table calls the instrument. */
  readonly namedAs?: string
}

// Prohibitions: `shall not permit`, `will not allow`; or, under a prohibiting heading, `Permit` alone.
const forbids = everyWords(
  String.raw`\b(?:shall|will|may|must|agrees?|covenants?|would|does|do|nor|not to|neither|no)\b(?:[^.;]{0,100}?\b(?:not|nor|neither)\b)?[^.;]{0,120}?\b(?:permit|allow|suffer)(?:ted|s)?\b`,
)
// `shall not make Capital Expenditures in any fiscal year exceeding $25,000,000`.
const forbidsSpending = everyWords(
  String.raw`\b(?:shall|will|may|must|nor)\b[^.;]{0,100}?\bnot\b[^.;]{0,120}?\b(?:permit|allow|suffer|make|incur|expend|become)\b`,
)
const isNegated = words(String.raw`\b(?:not|nor|neither|no)\b`)
// `Solely for the benefit of the Revolving Lenders, permit …`, `During the Relief Period, permit …`.
const WHEN = String.raw`(?:(?:solely|only|commencing|beginning|during|at|as of|on|for|from|until|after)\b[^,;.]{0,110}, )?`
const bareForbids = words(
  String.raw`^[\W]{0,9}${WHEN}(?:not,? (?:and not (?:permit|allow) [^.;,]{3,60} to,? )?)?(?:permit|allow|suffer)\b`,
)
// `CAPITAL EXPENDITURES. Make any additional investment in fixed assets in excess of $750,000`, among what is forbidden.
const bareForbidsSpending = words(
  String.raw`^[\W]{0,9}${WHEN}(?:not,? )?(?:permit|allow|suffer|make|incur|expend)\b`,
)
// Also by what is forbidden, `Fail to have EBITDA of not less than`.
const FAIL = '(?:fail(?:,[^.;]{0,90},)? to )?'
const bareObliges = words(String.raw`^[\W]{0,9}${WHEN}${FAIL}(?:maintain|cause|have|keep|ensure)\b`)
const subjectMust = words(
  String.raw`\b(?:shall|will|must|may|cannot|can|is required to|are required to|(?:is|are) not permitted)\b`,
)

// What is allowed once the level has been checked: `after giving effect to such Restricted Payment`.
const checked = words(
  String.raw`\bafter giving (?:\w+ ){0,3}effect (?:thereto|to (?:such|any such|the (?:making|incurrence|payment|transaction)))|\b(?:both )?(?:before|immediately prior to) and (?:immediately )?after\b`,
)
// Words about what else is allowed at that level.
const proForma = words(String.raw`\b(?:after giving (?:\w+ ){0,2}effect|pro forma)\b`)

// Words allowed between a comparison and its threshold; amounts are often spelled before their figures.
const gap = words(
  String.raw`^(?:[\s(),:'"-]|\b(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|eighteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)|hundred|thousand|million|billion|percent|per cent|(?:during|for|at|on) (?:the|any|each) (?:[a-z]+ ){1,4}(?:period|quarter|year|time)|and|no/100|no|\d{2}/100|dollars?|united|states|u\.s\.|the|a|an|ratio|of|to|sum|amount|equal|or|greater|lesser|than|product|applicable|level|minimum|maximum|required|percentage|leverage|at|any|time|in|whichever|either|following|aggregate|more|less|be|is|i|x|for|as)\b)*$`,
)
const tableReference = words(
  String.raw`^[^.;]{0,90}?\b(?:ratios?|amounts?|levels?|percentages?|that|those|following)\b[^.;]{0,80}?\b(?:set forth|indicated|specified|opposite|shown|listed|below|as follows|table)|^ ?(?:the )?following\b`,
)
const given = words(String.raw`^[^.;]{0,40}?\b(?:applicable|required|requirement|minimum|maximum)\b`)

const definitionsIn = memoize(({ flat }: Reading) => definedLeverages(flat))

/** Maximum distance of the metric before a comparison, and of the table after it. */
const MOST_BEFORE = 700
const MOST_TABLE = 4000

/** Every financial test of a section, in text order. */
export function financialTestsIn(reading: Reading): FinancialTest[] {
  const { flat } = reading
  const metrics = metricsIn(flat)
  const thresholds = thresholdsIn(flat).map(each => inUnitOf(reading, each))
  const found: FinancialTest[] = []
  for (const comparison of comparisonsIn(flat)) {
    const mention = lastOutsideBrackets(flat, metrics, comparison.from)
    if (!mention || comparison.from - mention.to > MOST_BEFORE) continue
    const place = placed(reading, comparison.from)
    if (mention.from < place.start || isElsewhere(place.clause)) continue
    if (hasOther(flat.slice(mention.to, comparison.from))) continue
    const imposed = obligation(reading, place, mention, comparison.from)
    if (!imposed) continue
    const metric = titledAs(place, mention) ?? settled(reading, mention)
    const direction = imposed === 'forbidden' ? opposite(comparison.direction) : comparison.direction
    if (direction !== metric.direction) continue
    const next = thresholds[firstFrom(thresholds, comparison.to)]
    const level =
      next && next.from - comparison.to <= 90 && gap.test(flat.slice(comparison.to, next.from)) ? next : null
    const after = flat.slice(comparison.to, comparison.to + 240)
    const rule = level
      ? 'test_sentence'
      : tableReference.test(after) || listsPeriods.test(after)
        ? 'test_table'
        : given.test(after)
          ? 'test_elsewhere'
          : null
    if (rule) append(found, assembled(reading, place, mention, metric, level, comparison.to, rule))
  }
  for (const mention of metrics) {
    const past = pastNote(flat, mention.to)
    const next = thresholds[firstFrom(thresholds, past)]
    const place = placed(reading, mention.from)
    if (isElsewhere(place.clause)) continue
    const metric = settled(reading, mention)
    const already = found.some(f => f.from <= mention.from && mention.from < f.to && f.metric === metric)
    if (already) continue
    const turns = levelsInTurn(flat, place, metrics, thresholds)
    if (turns?.mentions.includes(mention)) {
      const level = turns.levels[turns.mentions.indexOf(mention)]
      const all = { ...mention, from: turns.from, to: turns.to }
      if (level && adjectivalDirection(reading, place, all, firstOf(turns.levels)) !== null)
        append(found, assembled(reading, place, mention, metric, level, turns.to, 'test_adjective'))
      continue
    }
    const stated =
      next && next.from - past <= 160
        ? adjectivalDirection(reading, place, { ...mention, to: past }, next)
        : null
    if (stated === null && isTabled(reading, place, mention)) {
      append(found, assembled(reading, place, mention, metric, null, mention.to, 'test_table'))
      continue
    }
    const held = heldBefore(reading, place, mention, thresholds[firstFrom(thresholds, mention.from) - 1])
    const changed = changedTo(reading, place, mention, thresholds.slice(firstFrom(thresholds, mention.to)))
    const level = stated === metric.direction ? next : (held ?? changed)
    const after = level && level === changed ? level.from : mention.to
    if (level) append(found, assembled(reading, place, mention, metric, level, after, 'test_adjective'))
  }
  if (!reading.isContract)
    for (const [i, mention] of metrics.entries()) {
      const place = placed(reading, mention.from)
      // `leverage (debt to capital ratio)`: the words in brackets specify it.
      const next = metrics[i + 1]
      const isSpecified =
        next && /^(?:\s+(?:test|covenant))?\s*\(\s*(?:(?:the|a)\s+)?$/.test(flat.slice(mention.to, next.from))
      if (isSpecified && settled(reading, next) !== settled(reading, mention)) continue
      if (statesLevel(reading, place, mention, thresholds)) continue
      const isSubject = subjectOfCovenant(reading, place, mention) !== null
      const isStated = isSubject || isRequired(reading, place, mention) || isRevised(reading, place, mention)
      const metric = settled(reading, mention)
      const isListed = isSubject && isOfList.test(flat.slice(mention.to, mention.to + 3))
      if (isStated && (metric.unit === 'ratio' || isMinimum(flat, mention) || isListed))
        append(found, assembled(reading, place, mention, metric, null, place.end, 'test_elsewhere'))
    }
  return found.sort((a, b) => a.from - b.from)
}

// `financial covenants relating to leverage, tangible net worth, and asset coverage`.
const isOfList = /^(?:,| a|\.)/

// `a covenant to maintain a maximum leverage ratio`, `requires us to maintain an interest coverage ratio`.
const asksFor = words(
  String.raw`\b(?:maintain(?:ing|s)?|maintenance of|compl(?:y|iance) with|meet|satisfy|requir(?:es?|ing)|requirements?|covenants?|test with respect to|not (?:to )?exceed)\b[^.;]{0,240}$`,
)
const ourMust = words(
  String.raw`\b(?:requir(?:es?|ed|ing)|requirements?|covenants?|must|obligat\w+|subject to)\b`,
)

/** `We are subject to a maximum leverage ratio and a minimum interest coverage ratio under the credit facility`. */
const isSubjectTo = (lead: string, mention: string, sentence: string): boolean =>
  /^(?:maximum|minimum)\b/i.test(mention) && isSubject.test(lead) && ofLending.test(sentence)
const isSubject = words(String.raw`\bsubject to\b[^.;]{0,160}$`)

/** A report that mentions a test without its level, in a sentence without any level. */
function isRequired({ flat }: Reading, { start, end }: Place, mention: MetricMention): boolean {
  const lead = flat.slice(start, mention.from)
  const whole = flat.slice(start, end)
  return (
    (/\bratios?\b|\bpercentage\s+of\b|\brelative\s+to\b/i.test(withoutBrackets(flat, mention)) ||
      mention.shown ||
      isMinimum(flat, mention)) &&
    (asksFor.test(lead) || isSubjectTo(lead, flat.slice(mention.from, mention.to), whole)) &&
    ourMust.test(whole) &&
    !conditional.test(lead) &&
    !isFreeOf.test(lead) &&
    !notInForce.test(whole) &&
    !pricing.test(whole) &&
    !defines.test(whole) &&
    !calculated.test(whole)
  )
}

/** A quantity and the words after it, without what explains it: `debt-to-EBITDA (earnings before …) coverage ratio`. */
const withoutBrackets = (flat: string, { from, to }: MetricMention): string =>
  flat.slice(from, to) +
  flat
    .slice(to, to + MOST_BRACKETS)
    .replace(/^\s*\([^()]*\)/, '')
    .slice(0, 60)

/** `a minimum level of tangible net worth`: an amount that is tested, not one that is told. */
const isMinimum = (flat: string, { from, to }: MetricMention): boolean =>
  /\bminimum\b[^.;,]{0,60}$/i.test(flat.slice(Math.max(0, from - 24), to))

/** `(B) amends the maximum total leverage ratio threshold`, whatever other items of its sentence tell. */
const isRevised = ({ flat }: Reading, { start, end }: Place, mention: MetricMention): boolean =>
  isMinimumRatio(flat, mention) &&
  revises.test(flat.slice(Math.max(start, mention.from - MOST_REVISED), mention.from)) &&
  ofLending.test(flat.slice(start, end))
const MOST_REVISED = 60
const revises = words(
  String.raw`\b(?:amends?|revises?|modif(?:y|ies)|changes?|resets?|adjusts?) (?:(?:the|its|our) )?(?:required |permitted )?$`,
)

// A past value of the ratio, or its calculation, without a requirement.
const calculated = words(
  String.raw`\b(?:used for purposes|for purposes of|incremental|(?:we|company|and) (?:was|were|is|are|remain\w*) in compliance|(?:was|were|is|are) in compliance|may (?:contain|include)|future|margins?|depends? on)\b`,
)

// Definitions and representations mention levels that are not requirements.
const isElsewhere = (clause: Clause | null): boolean =>
  clause !== null &&
  /definition|defined\s+terms|representation/i.test(`${clause.article} ${clause.within} ${clause.title}`)

/** The last quantity named before a position; of `debt to earnings (“adjusted EBITDA”)` the one outside the brackets. */
function lastOutsideBrackets(
  flat: string,
  metrics: readonly MetricMention[],
  at: number,
): MetricMention | undefined {
  const last = firstFrom(metrics, at) - 1
  const [mention, before] = [metrics[last], metrics[last - 1]]
  if (!mention || !before || mention.from - before.to > MOST_BRACKETS) return mention
  const between = flat.slice(before.to, mention.from)
  const isWithin = between.lastIndexOf('(') > between.lastIndexOf(')')
  return isWithin && flat.slice(mention.to, at).includes(')') ? before : mention
}
/** Longest distance of a bracketed term from the quantity that it explains. */
const MOST_BRACKETS = 300

/** Where what explains a quantity in brackets ends, `a coverage ratio (defined as …)`; its own end where nothing does. */
const pastNote = (flat: string, to: number): number =>
  to + (/^\s*\([^()]*(?:\([^()]*\)[^()]*)*\)/.exec(flat.slice(to, to + MOST_NOTE))?.[0].length ?? 0)
const MOST_NOTE = 900
const withoutNotes = (between: string): string => between.replace(/\([^()]*(?:\([^()]*\)[^()]*)*\)/g, ' ')
/** Whether the comparison is about something other than the metric: another list item or clause. */
const hasOther = (between: string): boolean =>
  withoutNotes(between).length > 400 ||
  /;|\)\s*\([a-z]+\)(?!\s+(?:for|as\s+of|during|from|until|through|at)\s)|\b(?:amount|value|cost|fees?|price)\s+(?:greater|in\s+excess|less|exceed)/i.test(
    between,
  )

/** The index of the first that begins at or after an offset. */
const firstFrom = (all: readonly { readonly from: number }[], at: number): number =>
  partitionPoint(all, ({ from }) => from < at)

function placed({ flat, clauses }: Reading, at: number): Place {
  const clause = clauseAt(clauses, at)
  const [start, end] = sentenceAround(flat, at)
  return { clause, start: clause && clause.body <= at ? Math.max(start, clause.body) : start, end }
}

/** Whether the words before a comparison impose it, and whether they prohibit or require. */
function obligation(
  { flat, isContract }: Reading,
  { clause, start, end }: Place,
  mention: MetricMention,
  comparison: number,
): 'forbidden' | 'asked' | null {
  const before = flat.slice(start, mention.from)
  const lead = isContract ? before : withoutEarlierItems(before)
  const sentence = lead + flat.slice(mention.from, comparison)
  const isOther =
    defines.test(sentence) || notInForce.test(sentence) || pricing.test(sentence) || askedByOthers.test(lead)
  if (isOther || endsIt.test(lead) || proForma.test(lead) || notInForce.test(flat.slice(comparison, end)))
    return null
  if (speaksOfOthers(lead) || checked.test(flat.slice(comparison, Math.min(end, comparison + 260))))
    return null
  if (/\bwould\b/i.test(flat.slice(mention.to, comparison + 1))) return null
  const isBare = clause !== null && clause.body <= start && flat.slice(clause.body, start).trim() === ''
  const forbidding = mention.metric === testedQuantities.capex ? forbidsSpending : forbids
  const negative = lastMatch(lead, forbidding, text => isNegated.test(text))
  const positive = Math.max(lastEnd(lead, obliges), isContract ? -1 : lastEnd(lead, mentionsTest))
  const from = Math.max(negative, positive)
  if (from >= 0) {
    if (conditional.test(lead.slice(from))) return null
    return negative >= positive ? 'forbidden' : 'asked'
  }
  if (atNoTime.test(lead) || isForbiddenItem(lead, flat, clause))
    return conditional.test(lead) ? null : 'forbidden'
  const bare = mention.metric === testedQuantities.capex ? bareForbidsSpending : bareForbids
  if (isBare && bare.test(lead)) return conditional.test(lead) ? null : 'forbidden'
  if (isBare && isOfTitledTests(lead, clause)) return 'asked'
  if (isBare && bareObliges.test(lead)) return conditional.test(lead) ? null : 'asked'
  if (/\brequired\s+(?:[^.;,]{0,60},\s+which\s+(?:measures|is)\s+)?$/i.test(lead)) return 'asked'
  if (!isContract && lead.trim() === '' && isOfListedTests(flat, start, mention.to, comparison))
    return 'asked'
  // The metric is the subject: `the Leverage Ratio shall not exceed`; also one that springs, `if the revolver is drawn`.
  if (conditional.test(lead) && !(springs.test(lead) && !isContract)) return null
  // With the modal of the comparison itself, `cannot exceed`.
  const between = flat.slice(mention.to, comparison + 'not permitted'.length)
  return subjectMust.test(between) && !conditional.test(between) ? 'asked' : null
}

const lastMatch = (text: string, every: RegExp, holds: (match: string) => boolean): number =>
  [...text.matchAll(every)].filter(m => holds(m[0])).reduce((_, m) => m.index + m[0].length, -1)

/** The quantity of a mention, with the denominator from its definition in the same text. */
function settled(reading: Reading, mention: MetricMention): TestedQuantity {
  if (mention.shown || mention.metric.test_metric === null || mention.metric.direction === 'minimum')
    return mention.metric
  const defined = definitionsIn(reading)(reading.flat.slice(mention.from, mention.to))
  return defined === null || defined === 'earnings' ? mention.metric : defined
}

// `The maximum ratio steps down to 4.00 to 1.00 on June 30, 2025`, after the sentence that gives the level of today.
const stepsOn =
  /^\s*(?:(?:the|this|such|that)\s+(?:[\w-]+\s+){0,4}(?:ratio|level|covenant|requirement|amount|maximum|minimum)|it)\b[^.;]{0,60}\b(?:step|decreas|declin|reduc|increas|tighten|drop)/i

/** Where a schedule may end: with its sentence, or with the one that goes on to tell of steps of the same quantity. */
function steppedUntil(flat: string, end: number, metric: TestedQuantity): number {
  const begin = end + (/^\s*/.exec(flat.slice(end, end + 200))?.[0].length ?? 0)
  const [from, to] = sentenceAround(flat, begin + 1)
  const next = flat.slice(begin, to)
  if (from > begin || !stepsOn.test(next)) return end
  return metricsIn(next).every(mention => mention.metric === metric) ? to : end
}

/** Where words on another quantity begin, whose levels are no steps of this one. */
function untilOther(flat: string, from: number, to: number, metric: TestedQuantity): number {
  const other = metricsIn(flat.slice(from, to)).find(
    mention => mention.metric.unit === 'ratio' && mention.metric !== metric,
  )
  return other === undefined ? to : from + other.from
}

const isEarningsLeverage = (metric: TestedQuantity): boolean =>
  metric.direction === 'maximum' && metric.test_metric !== null

function assembled(
  reading: Reading,
  { clause, start, end }: Place,
  mention: MetricMention,
  found: TestedQuantity,
  level: Threshold | null,
  after: number,
  rule: keyof typeof deductions,
): FinancialTest[] {
  const { flat, clauses, day, isContract } = reading
  // A share of one, or a percentage, cannot be debt over a year's earnings.
  const isShare = level !== null && level.unit !== 'cents' && (level.unit === 'percent' || level.value < 0.9)
  const metric = isEarningsLeverage(found) && isShare ? asShare(found) : found
  if (level && !fits(metric, level.unit, level.value)) return []
  const limit = Math.min(clauseEnd(clauses, clause, after, flat.length), after + MOST_TABLE)
  const isUntold = rule !== 'test_table' && stepsUntold.test(flat.slice(after, Math.max(end, after)))
  const schedule = isUntold
    ? null
    : rule === 'test_table'
      ? scheduleIn(flat, after, limit, metric)
      : scheduleIn(
          flat,
          after,
          Math.min(
            limit,
            untilOther(flat, after, Math.max(steppedUntil(flat, end, found), after + 1), found),
          ),
          metric,
        )
  if (rule === 'test_table' && !schedule) level = firstYearLevel(flat, after, limit, metric, day)
  if (rule === 'test_table' && !schedule && !level) rule = 'test_elsewhere'
  const steps = schedule?.steps ?? null
  const to = Math.max(end, schedule?.to ?? 0, level?.to ?? 0)
  const isDefined =
    !isEarningsLeverage(metric) ||
    mention.shown ||
    definitionsIn(reading)(flat.slice(mention.from, mention.to)) !== null
  return [
    {
      metric:
        steps && isEarningsLeverage(metric) && steps.every(s => s.threshold_value < 0.9)
          ? asShare(metric)
          : metric,
      threshold: steps ? inForce(steps, day) : (level?.value ?? null),
      steps,
      hasStepDown: steps !== null && tightens(steps, metric.direction),
      frequency: frequencyOf(flat.slice(clause && clause.to - clause.from < 4000 ? clause.from : start, to)),
      rule,
      confidence: confidenceOf({
        rule,
        titled: clause !== null,
        isContract,
        isDefined,
        spelled: level?.spelled === true,
      }),
      mention: [mention.from, mention.to],
      from: start,
      to: Math.min(to, limit),
      clause,
    },
  ]
}

/** A table is in the clause of its test, or in what follows it without a title. */
const clauseEnd = (clauses: readonly Clause[], clause: Clause | null, at: number, length: number): number =>
  clause ? (clauses.find(c => c.isNumbered && c.from > at)?.from ?? length) : length

const deductions = { test_sentence: 0, test_adjective: 0.05, test_table: 0.05, test_elsewhere: 0.2 } as const

/** 0.95 less deductions for uncertainty, which the docs list. */
const confidenceOf = (seen: {
  rule: keyof typeof deductions
  titled: boolean
  isContract: boolean
  isDefined: boolean
  spelled: boolean
}): number =>
  Math.round(
    100 *
      (0.95 -
        (seen.isContract ? 0 : 0.1) -
        (seen.titled || !seen.isContract ? 0 : 0.05) -
        (seen.isDefined ? 0 : 0.05) -
        (seen.spelled ? 0.05 : 0) -
        deductions[seen.rule]),
  ) / 100
