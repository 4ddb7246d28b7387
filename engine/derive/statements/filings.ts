import type { Day } from '../../credit/calendar.ts'
import { isAnnualForm } from '../../filing/report-form.ts'
import { debtByMember } from './axes.ts'
import type { Calculations } from './calculations.ts'
import type { CalendarEvidence, FiscalCalendar, Slot, Span } from './calendar.ts'
import { COMPANY_FLOW_TIER, companyFlow, hasAllDepreciation, isCompanyFlow } from './company-flows.ts'
import {
  type BalanceItem,
  balances,
  type Derivation,
  type Evaluated,
  evaluate,
  type FlowItem,
  flows,
  type Item,
  type Term,
} from './concepts.ts'
import { totalDebt } from './debt.ts'
import type { BalanceDate } from './debt-lines.ts'
import type { TotalDebt } from './debt-tiers.ts'

/** Sorts before any day: for undated rows. */
export const ALWAYS: Day = -1_000_000

export interface Filing {
  readonly id: string
  readonly accession: string | null
  form: string | null
  report: Day | null
  filed: Day | null
  known: Day
  fiscalYear: number | null
  fiscalPeriod: string | null
  currency: string
  /** Its figures are multiples of ten to this power: 6 for a filing in millions. */
  precision: number
}

export interface FactRow {
  readonly cik: string
  readonly concept: string
  readonly unit: string
  readonly start: Day | null
  readonly end: Day
  readonly value: number
  readonly decimals: number | null
  readonly accession: string | null
  readonly form: string | null
  readonly fiscalYear: number | null
  readonly fiscalPeriod: string | null
  readonly report: Day | null
  readonly filed: Day | null
  readonly known: Day | null
  readonly rounded: boolean
  readonly source: string | null
  /** `axis=member;axis=member`; null for the whole company. */
  readonly dimensions: string | null
}

export interface Fact {
  readonly concept: string
  readonly start: Day | null
  readonly end: Day
  readonly value: number
  readonly decimals: number | null
  readonly rounded: boolean
  readonly source: string | null
  /** Why the figure must not be used. */
  readonly quarantined: string | null
  readonly dimensions: string | null
}

/** A filing's figure for one item and period. */
export interface Observation {
  readonly item: Item
  /** First and last quarter of a flow; equal for a balance. */
  readonly from: Slot
  readonly to: Slot
  /** In units of the currency. */
  readonly value: number
  readonly tier: number
  readonly way: string
  readonly terms: readonly Term<Fact>[]
  readonly filing: Filing
}

/** An item for which a filing has only a quarantined or partial figure. */
export interface Withheld {
  readonly item: Item
  readonly from: Slot
  readonly to: Slot
  readonly filing: Filing
  readonly reason: string
  /** The partial figure, if any. */
  readonly part?: Observation
}

/** What a filing, or a loaded statement, gives. */
export interface Observed {
  readonly filing: Filing
  readonly found: readonly Observation[]
  readonly withheld: readonly Withheld[]
}

export interface FilingFacts {
  readonly filing: Filing
  readonly facts: readonly Fact[]
  /** Balances of borrowed money under the filer's own names. */
  readonly companyLines: readonly Fact[]
  /** Balances of parts of the company, or of parts of its debt. */
  readonly dimensional: readonly Fact[]
  /** Its own calculation links, if the lake has them. */
  readonly calculations?: Calculations | undefined
  /** Those of its balance sheet, filed or found by adding up its lines. */
  readonly balanceSheet?: Calculations | undefined
}

/** What distinguishes a fact's filing from others: its accession number, else all its attributes. */
export const filingId = (row: FactRow): string =>
  row.accession ?? `${row.cik} ${row.form} ${row.report} ${row.filed} ${row.known}`

/** The same of rows of `facts`. */
export const filingIdSql = (fact: string): string =>
  `coalesce(${fact}.accession, concat_ws(' ', ${['cik', 'form', 'report_date', 'filed_date', 'known_from'].map(name => `coalesce(CAST(${fact}.${name} AS VARCHAR), '-')`).join(', ')}))`

/** What the filing shows of the company's fiscal calendar. */
export function calendarEvidence({ filing, facts }: FilingFacts): CalendarEvidence {
  const spans = new Map<string, { start: Day; end: Day; count: number }>()
  const instants = new Map<Day, number>()
  for (const { start, end } of facts) {
    if (start === null) {
      instants.set(end, (instants.get(end) ?? 0) + 1)
      continue
    }
    const key = `${start} ${end}`
    const span = spans.get(key)
    if (span) span.count++
    else spans.set(key, { start, end, count: 1 })
  }
  return {
    annual: isAnnualForm(filing.form) || (filing.form === null && filing.fiscalPeriod === 'FY'),
    spans: [...spans.values()] satisfies Span[],
    instants,
    report: filing.report,
    fiscalYear: filing.fiscalYear,
    fiscalPeriod: filing.fiscalPeriod,
  }
}

const flowItems = Object.entries(flows) as [FlowItem, (typeof flows)[FlowItem]][]
const balanceItems = Object.entries(balances) as [BalanceItem, (typeof balances)[keyof typeof balances]][]

/** The facts of one filing that cover the same quarters or share a balance date. */
interface Group {
  readonly from: Slot
  readonly to: Slot
  readonly flow: boolean
  readonly facts: Map<string, Fact>
  readonly companyLines: Map<string, Fact>
  readonly dimensional: Fact[]
}

/** A filing's figure for every item, run of whole quarters and quarter end it covers. */
export function observe(filingFacts: FilingFacts, calendar: FiscalCalendar): Observed {
  const { filing } = filingFacts
  const balanceDays = new Map<string, Set<Day>>()
  for (const fact of [...filingFacts.facts, ...filingFacts.companyLines, ...filingFacts.dimensional]) {
    if (fact.start !== null) continue
    const days = balanceDays.get(lineOf(fact)) ?? new Set()
    balanceDays.set(lineOf(fact), days.add(fact.end))
  }
  const onOtherDay = (line: string) => (balanceDays.get(line)?.size ?? 0) > 1
  const found: Observation[] = []
  const withheld: Withheld[] = []
  for (const { from, to, flow, facts, companyLines, dimensional } of groupsOf(filingFacts, calendar)) {
    const lookup = (concept: string) => facts.get(concept)
    // An item whose input is quarantined is not read another way: that might be only part of it.
    const take = (figure: Omit<Observation, 'from' | 'to' | 'filing'>, gap: string | null = null) => {
      const observation = { ...figure, from, to, filing }
      const { item, terms } = observation
      const bad = terms.find(({ fact }) => fact.quarantined !== null)?.fact
      if (bad) {
        const reason = `quarantined: ${bad.concept} is ${bad.quarantined}`
        withheld.push({ item, from, to, filing, reason })
      } else if (gap !== null) withheld.push({ item, from, to, filing, reason: gap, part: observation })
      else found.push(observation)
    }
    for (const [item, ways] of flow ? flowItems : balanceItems) {
      const standard = firstWay(ways, lookup)
      const isAsked = isCompanyFlow(item) && standard?.tier !== 0
      const own = isAsked ? companyFlow(item, facts.values()) : null
      const isOwn = own !== null && (standard === null || isOwnPreferred(item, own, standard, lookup))
      const result = isOwn ? { ...own, tier: COMPANY_FLOW_TIER } : standard
      if (!result) continue
      const value = magnitudes.has(item) ? Math.abs(result.value) : result.value
      take({ item, value, tier: result.tier, way: wayOf(result.terms), terms: result.terms })
    }
    if (flow) continue
    const { debt, excludingFinance } = debtOfCompany(
      {
        lookup,
        onOtherDay,
        companyLines: [...companyLines.values()],
        calculations: filingFacts.calculations,
        balanceSheet: filingFacts.balanceSheet,
      },
      dimensional,
    )
    if (debt) take({ item: 'total_debt', ...debt, value: Math.abs(debt.value) }, debt.gap)
    if (excludingFinance)
      take({ item: 'debt_excluding_finance', ...excludingFinance, value: Math.abs(excludingFinance.value) })
  }
  return { filing, found, withheld }
}

/** Relative tolerance within which the filer's own line is no more than the parts that are tagged. */
const LITTLE_MORE = 0.02

/**
 * Whether the filer's own line of a flow is preferred to a standard one: to one that may be a part, to interest on some
 * debt that is smaller, and to the sum of depreciation and amortization in notes that is smaller, unless impairments
 * are the difference.
 */
function isOwnPreferred(
  item: Item,
  own: Evaluated<Fact>,
  standard: Evaluated<Fact> & { readonly tier: number },
  lookup: (concept: string) => Fact | undefined,
): boolean {
  if (standard.tier === 1 && item === 'interest_expense')
    return Math.abs(own.value) > (1 + LITTLE_MORE) * Math.abs(standard.value)
  if (standard.tier !== 1 || !hasAllDepreciation(own)) return standard.tier > COMPANY_FLOW_TIER
  const more = Math.abs(own.value) - Math.abs(standard.value)
  const impaired = firstWay(flows.impairments, lookup)?.value ?? 0
  const least = LITTLE_MORE * Math.abs(own.value)
  return more > least && Math.abs(more - impaired) > least
}

function firstWay(
  ways: readonly Derivation[],
  lookup: (concept: string) => Fact | undefined,
): (Evaluated<Fact> & { readonly tier: number }) | null {
  for (const { formula, tier } of ways) {
    const result = evaluate(formula, lookup)
    if (result) return { ...result, tier }
  }
  return null
}

function groupsOf(
  { filing, facts, companyLines, dimensional }: FilingFacts,
  calendar: FiscalCalendar,
): Iterable<Group> {
  const groups = new Map<string, Group>()
  const groupOf = (fact: Fact): Group | null => {
    // A period after the filing is a plan, not a figure.
    if (filing.known !== ALWAYS && fact.end > filing.known) return null
    const slots =
      fact.start === null ? balanceSlots(calendar.slotOf(fact.end)) : calendar.slotsOf(fact.start, fact.end)
    if (slots === null) return null
    const flow = fact.start !== null
    const key = `${flow} ${slots.from} ${slots.to}`
    const group = groups.get(key) ?? {
      ...slots,
      flow,
      facts: new Map(),
      companyLines: new Map(),
      dimensional: [],
    }
    groups.set(key, group)
    return group
  }
  const keepNearest = (into: Map<string, Fact>, fact: Fact, end: Day | undefined) => {
    const other = into.get(fact.concept)
    if (!other || isNearer(fact, other, end)) into.set(fact.concept, fact)
  }
  for (const fact of facts) {
    const group = groupOf(fact)
    if (group) keepNearest(group.facts, fact, calendar.endOf(group.to))
  }
  for (const fact of companyLines) {
    const group = groupOf(fact)
    if (group) keepNearest(group.companyLines, fact, calendar.endOf(group.to))
  }
  for (const fact of dimensional) groupOf(fact)?.dimensional.push(fact)
  return groups.values()
}

/** Tolerance between debt by member and that of the whole company. */
const SAME_DEBT = 0.01

/**
 * The company's own tagged debt; else the sum over the members of a partitioning axis, if there is no own figure, or
 * it is only in notes while the members' are on the balance sheet.
 */
export function debtOfCompany(
  day: BalanceDate<Fact>,
  dimensional: readonly Fact[],
): { debt: TotalDebt<Fact> | null; excludingFinance: TotalDebt<Fact> | null } {
  const debt = totalDebt(day)
  const isWhole = debt?.gap === null
  const split = dimensional.length > 0 ? debtByMember(day, dimensional, isWhole ? debt.value : null) : null
  if (!split) return { debt, excludingFinance: null }
  const isOnBalanceSheet = ({ terms }: TotalDebt<Fact>) =>
    terms.some(({ fact }) => day.onOtherDay(lineOf(fact)))
  if (!isWhole || (!isOnBalanceSheet(debt) && isOnBalanceSheet(split.debt))) return split
  const isSame = Math.abs(split.debt.value - debt.value) <= SAME_DEBT * Math.abs(debt.value)
  return { debt, excludingFinance: isSame ? split.excludingFinance : null }
}

/** What distinguishes lines of a balance sheet: the concept, and the part of the company. */
export const lineOf = ({ concept, dimensions }: Fact): string =>
  dimensions === null ? concept : `${concept} ${dimensions}`

/** Amounts paid, written off or owed: a negative sign is a slip, and the magnitude is meant. */
const magnitudes: ReadonlySet<Item> = new Set<Item>([
  'capex',
  'depreciation_amortization',
  'interest_expense',
  'secured_debt',
])

export const balanceSlots = (slot: Slot | null) => (slot === null ? null : { from: slot, to: slot })

const wayOf = (terms: readonly Term<Fact>[]): string =>
  terms.map(({ fact, sign }) => `${sign < 0 ? '-' : '+'}${fact.concept}`).join('')

function sharesUnchanged(a: Observation, b: Observation): boolean {
  if (a.terms.length === 1 && b.terms.length === 1) return false
  const values = new Map(a.terms.map(({ fact, sign }) => [lineOf(fact), sign * fact.value]))
  const shared = b.terms.filter(({ fact }) => values.has(lineOf(fact)))
  return shared.length > 0 && shared.every(({ fact, sign }) => values.get(lineOf(fact)) === sign * fact.value)
}

function isNearer(fact: Fact, other: Fact, end: Day | undefined): boolean {
  if (end === undefined) return false
  return Math.abs(fact.end - end) < Math.abs(other.end - end)
}

/**
 * True if a later figure adds nothing: the same value, the same with fewer or more digits, or a sum of which the
 * filing repeats only some unchanged parts (a quarterly report omits notes).
 */
export function sameFigure(a: Observation, b: Observation): boolean {
  if (a.filing.currency !== b.filing.currency) return false
  if (a.value === b.value || sharesUnchanged(a, b)) return true
  if (a.filing.precision === b.filing.precision) return false
  const unit = 10 ** Math.max(a.filing.precision, b.filing.precision)
  return Math.abs(a.value - b.value) <= 0.5 * unit * Math.max(a.terms.length, b.terms.length)
}
