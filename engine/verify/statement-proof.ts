import { append, largest } from '../base/lists.ts'
import { type Day, parseDay } from '../credit/calendar.ts'
import { companyFlowOf } from '../derive/statements/company-flows.ts'
import { conceptsOf, type Derivation, flows } from '../derive/statements/concepts.ts'
import {
  all,
  balanceItems,
  conceptOf,
  dayOrNull,
  type Figures,
  items,
  type Sources,
  type StoredStatement,
} from './statement-facts.ts'

interface Cited {
  readonly concept: string
  readonly sign: 1 | -1 | 0
  readonly value: number
  readonly days: number | null
  readonly end: Day
}

const YEAR = 365.25
const quartersIn = (days: number) => Math.round((days / YEAR) * 4)

/** Quarters of 12 or 16 weeks are scaled to 52 weeks, others to four quarters. */
const yearlyFactor = (days: number, quarters: number): number =>
  quarters < 4 && Math.abs(days - (quarters * YEAR) / 4) > 7 ? 364 / days : 4 / quarters

/** A figure recomputed from the facts that the row cites, each of them looked up in its source. */
interface Proved {
  readonly value: number | null
  /** Quarters that the facts cover; 0 for a balance. */
  readonly quarters: number
  /** The lines that it consists of: itself, or those of EBITDA. */
  readonly parts: readonly string[]
  readonly faults: readonly string[]
}

function proved(stored: StoredStatement, item: string, sources: Sources): Proved {
  const inputs = stored.explanation[item]?.inputs ?? []
  if (inputs.length === 0 || stored.explanation[item]!.null_because !== null) return nothing
  const faults: string[] = []
  const cited: Cited[] = []
  for (const input of inputs) {
    // Another figure of the row stands for the facts behind it.
    const isFact = input.period_end !== undefined
    for (const fact of isFact ? [input] : (stored.explanation[input.item!]?.inputs ?? [])) {
      const row = sources.find(stored, fact)
      const concept = conceptOf(fact)
      if (!row)
        faults.push(
          `cites ${concept} ${fact.value} at ${fact.source}, which no row known by ${stored.known} states`,
        )
      const [start, end] = [dayOrNull(fact.period_start), parseDay(fact.period_end!)]
      const stated = row && row.months > 0 && !balanceItems.has(item) ? (row.months / 12) * YEAR : null
      // Expenses are positive, whatever sign the source uses.
      const turned = isOutflow(concept) && fact.value! < 0
      cited.push({
        concept,
        sign: fact.times === 0 ? 0 : fact.times * (isFact ? 1 : input.times) < 0 !== turned ? -1 : 1,
        value: turned ? -fact.value! : fact.value!,
        days: start === null ? stated : end - start + 1,
        end,
      })
    }
  }
  if (cited.length === 0) return nothing
  const last = largest(cited.map(c => c.end))
  if (Math.abs(last - stored.end) > 10) faults.push('the facts end on another day than the period')
  if (balanceItems.has(item)) {
    if (cited.some(c => c.days !== null)) faults.push('a balance made of flows')
    if (cited.some(c => c.sign === 0)) append(faults, borrowedOn(stored, last, sources))
    return { value: signedSum(cited), quarters: 0, parts: [item], faults }
  }
  // The lines of EBITDA may cover different periods.
  const lines = new Map<string, Cited[]>()
  for (const c of cited) {
    const line = item === 'ebitda' ? lineOf(c.concept) : item
    lines.set(line, [...(lines.get(line) ?? []), c])
  }
  let value = 0
  let least = 4
  for (const [line, own] of lines) {
    const days = coverage(own.filter(c => !subtrahends.get(item)?.has(c.concept)))
    const quarters = quartersIn(days)
    if (stored.basis === 'quarter' ? quarters !== 1 : quarters < 1 || quarters > 4)
      faults.push(`the facts of ${line} cover ${Math.round(days)} days`)
    value += signedSum(own) * (stored.basis === 'ttm' && quarters > 0 ? yearlyFactor(days, quarters) : 1)
    least = Math.min(least, quarters)
  }
  return { value, quarters: least, parts: [...lines.keys()], faults }
}

/** Balances of borrowed money that contradict a debt of zero. */
const borrowedOn = (stored: StoredStatement, end: Day, sources: Sources): string[] =>
  MAIN_DEBT.filter(concept =>
    sources
      .statedFor(concept, stored.currency, null, end)
      .some(row => row.accession === stored.accession && row.value > 0),
  ).map(concept => `${concept} is tagged for the day of a debt of zero`)

const MAIN_DEBT = [
  ...['LongTermDebt', 'LongTermDebtNoncurrent', 'LongTermDebtCurrent', 'DebtCurrent', 'ShortTermBorrowings'],
  ...[
    'NotesPayable',
    'NotesPayableCurrent',
    'ConvertibleNotesPayable',
    'SeniorNotes',
    'CommercialPaper',
    'LineOfCredit',
  ],
].map(name => `us-gaap:${name}`)

const nothing: Proved = { value: null, quarters: 0, parts: [], faults: [] }

const signedSum = (cited: readonly Cited[]): number =>
  cited.reduce((sum, { sign, value }) => sum + sign * value, 0)

const conceptsOfItem = (item: keyof typeof flows): ReadonlySet<string> =>
  new Set([...flows[item].flatMap(way => conceptsOf(way.formula)), `statement:${item}`])

/** The concepts of what a formula subtracts; of costs alone, or of anything. */
const subtracted = (ways: readonly Derivation[], ofCosts: boolean): string[] =>
  ways.flatMap(({ formula }) => {
    if (typeof formula === 'string') return []
    if ('lessCost' in formula) return conceptsOf(formula.lessCost[1])
    return 'less' in formula && !ofCosts ? conceptsOf(formula.less[1]) : []
  })

/** Expenses and costs, which some sources write as negative. */
const outflows: ReadonlySet<string> = new Set([
  ...conceptsOfItem('capex'),
  ...Object.values(flows).flatMap(ways => subtracted(ways, true)),
])
const isOutflow = (concept: string): boolean =>
  outflows.has(concept) || (companyFlowOf(concept) ?? 'net_interest') !== 'net_interest'
/** The items that a formula subtracts: they cover the same days as what they are subtracted from. */
const subtrahends: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(flows).map(([item, ways]) => [item, new Set(subtracted(ways, false))]),
)
const ebitdaLines = [
  'operating_income',
  'pretax_income',
  'interest_expense',
  'net_interest',
  'depreciation_amortization',
] as const
const lineSets = ebitdaLines.map(line => [line, conceptsOfItem(line)] as const)
const lineOf = (concept: string): string =>
  lineSets.find(([, concepts]) => concepts.has(concept))?.[0] ?? companyFlowOf(concept) ?? 'ebitda'

/**
 * The days that flows cover after adding and subtracting. Concepts stated for equal intervals are parts of one
 * figure, and the interval counts once; where one concept replaced another their intervals follow each other, and
 * each counts once.
 */
function coverage(cited: readonly Cited[]): number {
  const intervals = new Map<string, number>()
  for (const { sign, days, end } of cited) intervals.set(`${sign} ${days} ${end}`, sign * (days ?? 0))
  return Math.abs([...intervals.values()].reduce((a, b) => a + b, 0))
}

export interface Statement extends StoredStatement {
  readonly figures: Figures
  readonly quarters: number
  readonly annualized: boolean
  readonly formed: string | null
  readonly estimated: boolean
}

/** How EBITDA was formed, according to the lines that its facts belong to. */
function sourceOf({ value, parts }: Proved): { formed: string | null; estimated: boolean } {
  if (value === null) return { formed: null, estimated: false }
  if (parts.includes('ebitda')) return { formed: 'reported', estimated: false }
  const charged = parts.includes('depreciation_amortization')
  const interest = parts.includes('interest_expense') ? 'interest_expense' : 'net_interest'
  const earned = parts.includes('operating_income') ? 'operating_income' : `pretax_income + ${interest}`
  return { formed: charged ? `${earned} + depreciation_amortization` : earned, estimated: !charged }
}

export function statementOf(
  stored: StoredStatement,
  sources: Sources,
  complain: (field: string, value: number | null, fault: string) => void,
): Statement {
  const lines = new Map(all.map(item => [item, proved(stored, item, sources)]))
  const figures: Figures = Object.fromEntries(all.map(item => [item, lines.get(item)!.value]))
  for (const [item, { value, faults }] of lines) for (const fault of faults) complain(item, value, fault)
  const core =
    ['ebitda', ...items].map(item => lines.get(item)!).find(line => line.quarters > 0)?.quarters ?? 0
  return {
    ...stored,
    figures,
    quarters: core,
    annualized: core > 0 && core < 4,
    ...sourceOf(lines.get('ebitda')!),
  }
}
