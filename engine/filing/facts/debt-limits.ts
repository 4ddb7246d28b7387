import { groupOf } from '../../base/elements.ts'
import { clauseAt } from './clauses.ts'
import { comparisonsIn, opposite } from './comparisons.ts'
import type { FinancialTest } from './financial-covenants.ts'
import { everyWords, sentenceAround, words } from './flat-text.ts'
import type { Reading } from './reading.ts'
import { asShare, fits, metricsIn, type TestedQuantity, testedQuantities } from './test-metrics.ts'
import { thresholdsIn } from './thresholds.ts'

// `will not incur any Debt if, …`, `a limitation on incurrence of any debt which would cause …`: the limit of a real estate
// trust's notes on new debt, which is met when debt is incurred and not kept at all times.
const incurs = everyWords(
  String.raw`\b(?:(?:shall|will|may|must|can) ?not\b[^.;]{0,120}?\bincur\b|(?:limitations?|limits?|restrictions?) on (?:the |our |its )?(?:incurrence of|incurring|ability to incur)\b|(?:limits?|restricts?|prohibits?|preclude) (?:(?:us|the [^.;,]{3,40}) from incurring|(?:our|its|the) (?:ability (?:of [^.;,]{3,60}? )?to incur|incurrence of))\b)[^.;]{0,120}?\b(?:debt|indebtedness)\b`,
)
// What the debt may not do: `if, after giving effect, … is greater than`, `which would cause … to exceed`.
const under = words(
  String.raw`\b(?:if\b|unless\b(?=[^.;]{0,160}\bcompl(?:y|ies) with\b)|(?:which|that) (?:would|will) (?:cause|result in)\b|(?:to the extent|such) that\b|(?:would|to) cause\b)`,
)
// `the aggregate principal amount of all of our outstanding Debt and that of our subsidiaries is`, of total assets.
const debtTotal = everyWords(
  String.raw`\b(?:aggregate (?:principal |outstanding )?amount of (?:all )?(?:of )?(?:(?:our|its|the company's|such|the|outstanding|consolidated) ){0,3}(?<secured>secured )?(?:outstanding )?(?:debt|indebtedness))\b`,
)
const ofAssets = words(
  String.raw`^[\s(),]*(?:of )?(?:the sum of )?(?:\([\w]{1,3}\) )?(?:our |its |the |such )?(?:[\w']+ ){0,4}?(?:total |consolidated |undepreciated |adjusted |real estate ){0,3}assets\b`,
)
const gap = words(
  String.raw`^(?:[\s(),:-]|\b(?:the|a|ratio|of|to|equal|or|be|less|greater|than|percent|thirty|forty|fifty|sixty|seventy|five)\b)*$`,
)

/** Maximum characters after the words on incurrence within which the level stands. */
const MOST = 900

// `may not issue additional bonds unless net earnings for twelve months were at least twice the annual interest requirements`,
// of a mortgage indenture.
const issuesBonds = everyWords(
  String.raw`\b(?:may|shall|will|can)(?: ?not\b| only\b)?(?:[^.;]|\.(?=\S)){0,100}?\b(?:issue|be (?:authenticated|issued))\b(?:[^.;]|\.(?=\S)){0,300}?\b(?:unless|only if|only when|if)\b(?:[^.;]|\.(?=\S)){0,200}?\b(?:net earnings|earnings|net income)\b(?:[^.;]|\.(?=\S)){0,260}?\b(?:at least|not less than|no less than|equal to or greater than|in excess of|exceed) (?:(?<twice>twice|two times)|(?<times>\d{1,2}(?:\.\d{1,2})?) ?(?:x|times)) (?:[a-z]+ ){0,4}?interest\b`,
)
const ofBonds = words(String.raw`\b(?:mortgage )?bonds\b`)

/** The earnings that a mortgage indenture asks before more bonds are issued. */
const bondLimitsIn = ({ flat, clauses, isContract }: Reading): FinancialTest[] =>
  [...flat.matchAll(issuesBonds)].flatMap(match => {
    const threshold = match.groups?.['twice'] === undefined ? Number(groupOf(match, 'times')) : 2
    const metric = testedQuantities.interest
    const [start, end] = sentenceAround(flat, match.index, 1600)
    if (!ofBonds.test(match[0]) || !fits(metric, 'ratio', threshold)) return []
    return {
      metric,
      threshold,
      steps: null,
      hasStepDown: false,
      frequency: 'incurrence',
      rule: 'test_incurrence' as const,
      confidence: isContract ? 0.9 : 0.8,
      mention: [match.index, match.index + match[0].length] as const,
      from: start,
      to: Math.max(end, match.index + match[0].length),
      clause: clauseAt(clauses, match.index),
    }
  })

/** Limits on new debt by a level, each a test when debt is incurred. */
export function debtLimitsIn(reading: Reading): FinancialTest[] {
  const { flat, clauses } = reading
  const onDebt = [...flat.matchAll(incurs)].flatMap(match => {
    const [start, end] = sentenceAround(flat, match.index, 1600)
    const from = match.index + match[0].length
    // A list has a limit an item: `(i) a limitation on …; (ii) a limitation on …`.
    const item = flat.slice(from, Math.min(end, from + MOST)).split(/;/)[0] ?? ''
    const condition = under.exec(item)
    if (!condition) return []
    const body = item.slice(condition.index)
    const isUnless = /^unless/i.test(condition[0])
    for (const comparison of comparisonsIn(body)) {
      const level = thresholdsIn(body.slice(comparison.to, comparison.to + 80))[0]
      if (!level || !gap.test(body.slice(comparison.to, comparison.to + level.from))) continue
      const after = body.slice(comparison.to + level.to, comparison.to + level.to + 120)
      const quantity = quantityBefore(body, comparison.from, after)
      // What must be met, `unless it complies with a ratio not to exceed 60%`, is held as it says.
      const held = isUnless ? comparison.direction : opposite(comparison.direction)
      if (quantity === null || held !== quantity.metric.direction) continue
      const isShare = level.unit === 'percent' || (level.unit === 'ratio' && level.value < 0.9)
      const isLeverage = quantity.metric.direction === 'maximum' && quantity.metric.test_metric !== null
      const metric = isShare && isLeverage ? asShare(quantity.metric) : quantity.metric
      if (!fits(metric, level.unit, level.value)) continue
      const at = from + condition.index
      return {
        metric,
        threshold: level.value,
        steps: null,
        hasStepDown: false,
        frequency: 'incurrence',
        rule: 'test_incurrence' as const,
        confidence: reading.isContract ? 0.9 : 0.8,
        mention: [at + quantity.from, at + quantity.to] as const,
        from: reading.isContract ? start : match.index,
        to: Math.min(end, at + comparison.to + level.to + 160),
        clause: clauseAt(clauses, match.index),
      }
    }
    return []
  })
  return [...onDebt, ...bondLimitsIn(reading)]
}

/** The quantity that a comparison holds to a level: a ratio that is named, or all debt of total assets. */
function quantityBefore(
  body: string,
  at: number,
  after: string,
): { metric: TestedQuantity; from: number; to: number } | null {
  const mention = metricsIn(body)
    .filter(({ to }) => to <= at)
    .at(-1)
  if (mention && mention.metric.unit === 'ratio') return mention
  const total = [...body.slice(0, at).matchAll(debtTotal)].at(-1)
  if (!total || !ofAssets.test(after)) return null
  const isSecured = total.groups?.['secured'] !== undefined
  return {
    metric: isSecured ? testedQuantities.securedShare : testedQuantities.toAssets,
    from: total.index,
    to: total.index + total[0].length,
  }
}
