/** The amounts that a ratio is formed from, in minor units of one currency. */
export interface TestedAmounts {
  /** Of the trailing twelve months. */
  readonly ebitda: number | null
  /** The debt over EBITDA; net debt for a net ratio. Not read by a coverage test. */
  readonly debt: number | null
  /** Of the trailing twelve months; read by a coverage test only. */
  readonly interest: number | null
}

export type Direction = 'maximum' | 'minimum'

/** Which ratio is tested: debt over EBITDA against a maximum, or EBITDA over interest against a minimum. */
export type TestedRatio = 'leverage' | 'coverage'

export interface Headroom {
  /** Null if EBITDA is not positive, as no debt is a multiple of it. */
  readonly ratio: number | null
  /** From the ratio to the level; negative if the test fails. */
  readonly turns: number | null
  /** Share of EBITDA that could be lost before the test fails, negative what is missing; null if EBITDA is zero. */
  readonly percent: number | null
  /** EBITDA that could be lost before the test fails. */
  readonly ebitda: number
  /** Debt that could be added before a leverage test fails. */
  readonly debt: number | null
  /** Yearly interest that could be added before a coverage test fails. */
  readonly interest: number | null
  readonly isMet: boolean
}

/**
 * How far a ratio is from its level. A leverage test holds while debt <= level x EBITDA, a coverage test while
 * EBITDA >= level x interest. Net cash passes a leverage test at any EBITDA: all of it could be lost.
 */
export function headroomOf(
  kind: TestedRatio,
  level: number,
  { ebitda, debt, interest }: TestedAmounts,
): Headroom | null {
  const amount = kind === 'leverage' ? debt : interest
  if (ebitda === null || amount === null || level <= 0) return null
  if (kind === 'coverage') {
    if (amount <= 0) return null
    const ratio = ebitda / amount
    const spare = ebitda - amount * level
    return {
      ratio,
      turns: ratio - level,
      percent: percentOf(spare, ebitda),
      ebitda: Math.round(spare),
      debt: null,
      interest: Math.round(ebitda / level - amount),
      isMet: spare >= 0,
    }
  }
  const ratio = ebitda > 0 ? amount / ebitda : null
  const spare = amount > 0 ? ebitda - amount / level : Math.max(ebitda, 0)
  return {
    ratio,
    turns: ratio === null ? null : level - ratio,
    percent: amount > 0 || ebitda > 0 ? percentOf(spare, ebitda) : null,
    ebitda: Math.round(spare),
    debt: Math.round(level * ebitda - amount),
    interest: null,
    isMet: amount <= 0 || amount <= level * ebitda,
  }
}

const percentOf = (spare: number, ebitda: number): number | null =>
  ebitda === 0 ? null : (100 * spare) / Math.abs(ebitda)

/** A change of the amounts under which tests are repeated. */
export interface Shock {
  /** Change of EBITDA in percent of its magnitude. */
  readonly ebitdaPercent: number
  /** Change of debt in percent of the debt tested. */
  readonly debtPercent: number
  /** Debt added, in minor units. */
  readonly debtAdded: number
  /** Change of floating rates, basis points. */
  readonly rateBps: number
}

export interface Shocked {
  readonly total_debt: number | null
  /** Null if rates move and it is not known. */
  readonly floating: number | null
}

/**
 * The amounts after a shock. Debt that is added, or grows, bears interest at the average rate of the debt there is,
 * and leaves cash as it was. A change of rates moves the interest of floating debt for a whole year.
 */
export function shocked(
  { ebitda, debt, interest }: TestedAmounts,
  { total_debt, floating }: Shocked,
  { ebitdaPercent, debtPercent, debtAdded, rateBps }: Shock,
  isNet: boolean,
): TestedAmounts {
  const grown = (amount: number) => (amount * debtPercent) / 100 + debtAdded
  const growth = total_debt === null ? null : grown(total_debt)
  const dearer = rateBps === 0 ? 0 : floating === null ? null : (floating * rateBps) / 10_000
  const moreDebt = debtPercent === 0 && debtAdded === 0 ? 0 : growth
  const moreInterest =
    interest === null || moreDebt === null || (moreDebt !== 0 && !total_debt)
      ? null
      : moreDebt === 0
        ? 0
        : (moreDebt * interest) / total_debt!
  return {
    ebitda: ebitda === null ? null : ebitda + (Math.abs(ebitda) * ebitdaPercent) / 100,
    debt: debt === null ? null : isNet ? (moreDebt === null ? null : debt + moreDebt) : debt + grown(debt),
    interest:
      interest === null || moreInterest === null || dearer === null ? null : interest + moreInterest + dearer,
  }
}
