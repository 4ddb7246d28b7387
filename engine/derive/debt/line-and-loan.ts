/** A figure of debt, as far as it tells what it is about. */
interface Figure {
  readonly concept: string
  readonly role: string
  readonly value: number
  readonly end: number
  readonly of: { readonly range: string | null }
}

/** Balances of one debt, before and after its costs, differ by less. */
const COSTS = 0.9
const [DRAWN, OWED] = ['us-gaap:LineOfCredit', 'us-gaap:LongTermDebt']

/**
 * The figures of a line of credit and those of a loan, where a filer tags both under one member: their balances of one
 * day differ, the line has a commitment and the loan a rate. Null where they are one debt.
 */
export function lineAndLoan<T extends Figure>(facts: readonly T[]): readonly [line: T[], loan: T[]] | null {
  const last = (concept: string) =>
    facts.filter(fact => fact.concept === concept && fact.of.range === null).at(-1)
  const [drawn, owed] = [last(DRAWN), last(OWED)]
  const has = (role: string) => facts.some(fact => fact.role === role)
  if (!drawn || !owed || drawn.end !== owed.end || !has('commitment') || !has('coupon')) return null
  const [less, more] = [Math.min(drawn.value, owed.value), Math.max(drawn.value, owed.value)]
  if (less <= 0 || less >= COSTS * more) return null
  const isOfLine = ({ role, concept }: T) => role === 'commitment' || role === 'undrawn' || concept === DRAWN
  return [facts.filter(isOfLine), facts.filter(fact => !isOfLine(fact))]
}
