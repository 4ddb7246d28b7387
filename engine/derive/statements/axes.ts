import { noncurrentDebt, provesNoncurrent, totalDebt } from './debt.ts'
import { debtConcepts } from './debt-concepts.ts'
import type { BalanceDate } from './debt-lines.ts'
import { debtTiers, type TotalDebt } from './debt-tiers.ts'

interface PartFigure {
  readonly concept: string
  readonly value: number
  readonly dimensions: string | null
}

/** A part of the company with its own figures of a balance date. */
interface Member<F> {
  readonly name: string
  readonly facts: Map<string, F>
}

/** The company's debt as the sum over the members of one axis. */
export interface DebtByMember<F> {
  readonly debt: TotalDebt<F>
  /** Debt of the members outside the finance arm; null if there is no finance arm. */
  readonly excludingFinance: (TotalDebt<F> & { readonly members: readonly string[] }) | null
}

/** Company totals that a partition must add up to. */
export const partitionTests: readonly string[] = [
  'Assets',
  'LiabilitiesAndStockholdersEquity',
  'Liabilities',
  'CashAndCashEquivalentsAtCarryingValue',
  'RestrictedCash',
].map(name => `us-gaap:${name}`)

/** What is read for a company's parts: their debt, and totals that prove the partition. */
export const dimensionalConcepts: readonly string[] = [...new Set([...debtConcepts, ...partitionTests])]

/** Axes whose members are parts of a company; others are instruments, fair value levels or places. */
const PARTS = /segment|entit|scenario|subsidiar|business|consolidat|productorservice/i
const ELIMINATIONS = /eliminat|intersegment|intercompany|reconcil/i
const FINANCE = /financ|credit|leasing/i
const ALL_BUT = /exclud|except|without|otherthan|before/i
/** Tolerance for rounding in sums of members. */
const ROUNDING = 0.001
/** Subsets of more members would be too many to try. */
const MOST_MEMBERS = 10

/** `srt:ConsolidationItemsAxis=us-gaap:OperatingSegmentsMember` as `ConsolidationItems` and `OperatingSegments`. */
function axesOf(dimensions: string): [axis: string, member: string][] {
  return dimensions
    .split(';')
    .map(part => part.split('='))
    .filter((part): part is [string, string] => part.length === 2)
    .map(([axis, member]) => [localName(axis, 'Axis'), localName(member, 'Member')])
}

export function localName(name: string, ending: string): string {
  const local = name.slice(name.indexOf(':') + 1).trim()
  return local.endsWith(ending) ? local.slice(0, -ending.length) : local
}

/** Every segment is an operating one, so this axis adds nothing where another names the segment. */
const isNeutral = ([axis, member]: readonly [string, string]): boolean =>
  axis === 'ConsolidationItems' && member === 'OperatingSegments'

/**
 * Debt by member of an axis that partitions the company: the members' assets, liabilities or cash add up to the
 * company's, or their debt does, or their noncurrent debt fills the company's other noncurrent liabilities. Every
 * member except eliminations must state its debt. Null if no axis qualifies.
 */
export function debtByMember<F extends PartFigure>(
  company: BalanceDate<F>,
  parts: readonly F[],
  companyDebt: number | null,
): DebtByMember<F> | null {
  let best: DebtByMember<F> | null = null
  for (const members of membersByAxis(parts).values()) {
    const partitions = [
      ...partitionTests.map(test => {
        const sum = company.lookup(test)
        return sum ? membersAddingUpTo(members, test, sum.value) : null
      }),
      borrowersOf(company, members, companyDebt),
    ]
    for (const those of partitions) {
      const split = those && debtOf(those)
      if (split && (best === null || split.debt.value > best.debt.value)) best = split
    }
  }
  return best
}

/** All members that borrow, if their debt equals the company's or fills its noncurrent liabilities. */
function borrowersOf<F extends PartFigure>(
  company: BalanceDate<F>,
  members: readonly Member<F>[],
  companyDebt: number | null,
): Member<F>[] | null {
  const borrowers = members.filter(member => (totalDebt(balanceOf(member))?.value ?? 0) !== 0)
  if (borrowers.length < 2) return null
  const sum = (of: (member: Member<F>) => number) =>
    borrowers.reduce((total, member) => total + of(member), 0)
  const debt = sum(member => totalDebt(balanceOf(member))!.value)
  const isSame = companyDebt !== null && Math.abs(debt - companyDebt) <= ROUNDING * companyDebt
  const later = sum(member => noncurrentDebt(balanceOf(member)))
  return isSame || (later > 0 && provesNoncurrent(company, later)) ? borrowers : null
}

const balanceOf = <F extends PartFigure>({ facts }: Member<F>): BalanceDate<F> => ({
  lookup: concept => facts.get(concept),
  onOtherDay: () => true,
  companyLines: [...facts.values()].filter(fact => !fact.concept.startsWith('us-gaap:')),
})

function membersByAxis<F extends PartFigure>(parts: readonly F[]): Map<string, Member<F>[]> {
  const axes = new Map<string, Map<string, Member<F>>>()
  for (const fact of parts) {
    const [only, ...more] = axesOf(fact.dimensions ?? '').filter(pair => !isNeutral(pair))
    if (!only || more.length > 0 || !PARTS.test(only[0])) continue
    const [axis, name] = only
    const members = axes.get(axis) ?? new Map<string, Member<F>>()
    const member = members.get(name) ?? { name, facts: new Map() }
    if (!member.facts.has(fact.concept)) member.facts.set(fact.concept, fact)
    members.set(name, member)
    axes.set(axis, members)
  }
  return new Map([...axes].map(([axis, members]) => [axis, [...members.values()]]))
}

/** The largest set of members whose figures add up to the company's. */
function membersAddingUpTo<F extends PartFigure>(
  members: readonly Member<F>[],
  test: string,
  sum: number,
): Member<F>[] | null {
  const stating = members.filter(member => (member.facts.get(test)?.value ?? 0) !== 0)
  if (sum === 0 || stating.length === 0 || stating.length > MOST_MEMBERS) return null
  let found: Member<F>[] | null = null
  for (let chosen = 1; chosen < 1 << stating.length; chosen++) {
    const those = stating.filter((_, i) => chosen & (1 << i))
    if (found && those.length <= found.length) continue
    const value = those.reduce((total, member) => total + member.facts.get(test)!.value, 0)
    if (Math.abs(value - sum) <= ROUNDING * Math.abs(sum)) found = those
  }
  return found
}

function debtOf<F extends PartFigure>(members: readonly Member<F>[]): DebtByMember<F> | null {
  const debts: { name: string; debt: TotalDebt<F> }[] = []
  for (const member of members) {
    const debt = totalDebt(balanceOf(member))
    if (debt?.gap === null) debts.push({ name: member.name, debt })
    else if (debt || !ELIMINATIONS.test(member.name)) return null
  }
  const debt = summed(debts)
  if (!debt) return null
  const isFinance = (name: string) => FINANCE.test(name) && !ALL_BUT.test(name)
  const others = debts.filter(({ name }) => !isFinance(name))
  const rest = others.length < debts.length ? summed(others) : null
  return { debt, excludingFinance: rest && { ...rest, members: others.map(({ name }) => name) } }
}

function summed<F extends PartFigure>(
  debts: readonly { readonly name: string; readonly debt: TotalDebt<F> }[],
): TotalDebt<F> | null {
  if (debts.length === 0) return null
  return {
    value: debts.reduce((total, { debt }) => total + debt.value, 0),
    terms: debts.flatMap(({ debt }) => debt.terms),
    tier: debtTiers.overAxis,
    way: `sum over ${debts.map(({ name }) => name).join(', ')}`,
    gap: null,
  }
}
