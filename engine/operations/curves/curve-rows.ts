import { daysBetween } from '../../base/days.ts'
import { elementAt } from '../../base/elements.ts'
import { rounded } from '../../base/rounded.ts'
import { CURVE_LEVELS } from '../../credit/curve-rules.ts'
import { spreadAt } from '../../credit/nelson-siegel.ts'
import { curveOfGroup } from '../../credit/spread-curves.ts'
import { STALE_DAYS } from '../../schema/resources/bonds.ts'
import { CURVE_TENORS } from '../../schema/resources/curves.ts'
import type { FittedDay, Row } from './fitted-day.ts'
import { type GroupName, groupNames } from './group-names.ts'

/** Why there are no curves at all. */
export const noCurveDay = (maxStaleness: number): string =>
  `no day has prices, at most ${maxStaleness} days old, of ten fixed-rate bonds with a spread to Treasury`

/**
 * Members of `meta` about the curves behind an answer, with a warning where they are those of a day long before the
 * as-of date that nobody asked for.
 */
export const fitMeta = (
  day: FittedDay | null,
  { asOf, asked }: { asOf: string; asked: string | undefined },
) => {
  const age = day === null || asked !== undefined ? 0 : daysBetween(day.day, asOf)
  return {
    curve_date: day?.day ?? null,
    bonds_fitted: day?.fit.curves.bondCount[0] ?? 0,
    market_rmse: day && rounded(rootMeanSquare(day), 2),
    ...(day !== null &&
      age > STALE_DAYS && {
        warnings: [
          `curves of ${day.day}, ${age} days before the as-of date: load newer prices, or choose a day with date`,
        ],
      }),
  }
}

/** Of the residuals of bonds that shape curves. */
function rootMeanSquare({ fit }: FittedDay): number {
  let [count, squares] = [0, 0]
  for (const [i, isFitted] of fit.bonds.isFitted.entries())
    if (isFitted) {
      count++
      squares += elementAt(fit.residual, i) ** 2
    }
  return count === 0 ? Number.NaN : Math.sqrt(squares / count)
}

/** The curves of a day as rows: all, or those of the issuers among `companies`. */
export function curveRows(day: FittedDay, companies: readonly string[] | null, explain: boolean): Row[] {
  const names = groupNames(day)
  const { curves: fitted, tree } = day.fit
  const [shortest, longest] = [elementAt(fitted.minYears, 0), elementAt(fitted.maxYears, 0)]
  return names.flatMap((name, g) => {
    if (companies !== null && !(name.company_id !== null && companies.includes(name.company_id))) return []
    const at = (column: ArrayLike<number>) => elementAt(column, g)
    const above = at(tree.parent)
    const curve = curveOfGroup(fitted, g)
    const spreadOf = (years: number) =>
      curve && years >= shortest && years <= longest ? rounded(spreadAt(curve, years), 2) : null
    const row = {
      ...name,
      curve_date: day.day,
      level: elementAt(CURVE_LEVELS, at(tree.level)),
      ...Object.fromEntries(CURVE_TENORS.map(tenor => [`spread_${tenor}y`, spreadOf(tenor)])),
      bond_count: at(fitted.bondCount),
      shrinkage: rounded(at(fitted.shrinkage), 4),
      rmse: rounded(at(fitted.rmse), 2),
      outlier_count: at(fitted.outlierCount),
      beta0: curve && rounded(curve.beta0, 4),
      beta1: curve && rounded(curve.beta1, 4),
      beta2: curve && rounded(curve.beta2, 4),
      tau: curve && rounded(curve.tau, 4),
      min_years: rounded(at(fitted.minYears), 4),
      max_years: rounded(at(fitted.maxYears), 4),
      parent: above < 0 ? null : elementAt(names, above).group,
      curve_of: at(fitted.curveOf) < 0 ? null : elementAt(names, at(fitted.curveOf)).group,
      null_because: at(fitted.curveOf) < 0 ? 'few_bonds' : null,
      scale: rounded(at(fitted.scale), 2),
    }
    return [explain ? { ...row, _explain: explainCurve(day, names, g) } : row]
  })
}

/** Bonds that an explanation names; the others are counted. */
const NAMED = 50

function explainCurve({ inputs, prices, fit }: FittedDay, names: readonly GroupName[], g: number): unknown {
  const { texts } = inputs.bonds
  const isWithin = (group: number): boolean => {
    for (let at = group; at >= 0; at = elementAt(fit.tree.parent, at)) if (at === g) return true
    return false
  }
  const members: number[] = []
  for (const [i, isFitted] of fit.bonds.isFitted.entries())
    if (isFitted && isWithin(elementAt(fit.bonds.group, i))) members.push(i)
  const above = elementAt(fit.tree.parent, g)
  return {
    formula:
      'spread(t) = beta0 + beta1 (1 - e^-x) / x + beta2 ((1 - e^-x) / x - e^-x), x = t / tau; Huber loss of the residuals plus the squared distance from the parent, in bonds',
    parent: above < 0 ? null : elementAt(names, above).group,
    bond_count: members.length,
    bonds: members.slice(0, NAMED).map(i => {
      const bond = elementAt(prices.bond, i)
      return {
        cusip: texts.cusip[bond] ?? null,
        bond_id: elementAt(texts.id, bond),
        name: texts.display_name[bond] ?? null,
        years: elementAt(prices.years, i),
        spread: rounded(elementAt(fit.bonds.bps, i), 2),
        residual: rounded(elementAt(fit.residual, i), 2),
      }
    }),
  }
}
