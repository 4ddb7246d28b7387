import { type Evaluated, total } from './concepts.ts'

const companyFlowItems = ['depreciation_amortization', 'interest_expense', 'net_interest', 'capex'] as const
/** Items that are read from lines under the filer's own names where no standard one is tagged. */
export type CompanyFlowItem = (typeof companyFlowItems)[number]

export const isCompanyFlow = (item: string): item is CompanyFlowItem =>
  companyFlowItems.some(each => each === item)

/** Any figure of a lower tier replaces these: nothing but their names says what they are. */
export const COMPANY_FLOW_TIER = 2

/** Words in names of the filer's own lines that are read; valid for RE2 too. */
export const companyFlowName =
  'depreciation|depletion|amorti[sz]ation|interest|financingc|financec|capitalexpenditure|property|plant|fixedassets'

const DEPRECIATION = /^(?:adjustments?(?:for)?)?(?:depreciation|depletion|amorti[sz]ation)/i
const NOT_DEPRECIATION =
  /accumulated|exclud|before|discontinued|deferred|financ|debt|discount|premium|tax|regulat|nuclearfuel|stock|share|compensation|contract|lease|nonproduction/i
// at most 300 characters: `companyFlowOf`
const ALL_DEPRECIATION =
  /depreciation.*(?:amorti[sz]ation|depletion)|(?:amorti[sz]ation|depletion).*depreciation/i
const OF_INTANGIBLES =
  /^(?:adjustments?(?:for)?)?amorti[sz]ation[a-z]{0,40}(?:intangible|purchased|acquired)/i

const INTEREST =
  /^interest(?:(?:expenses?|charges?|costs?)(?!income|net)|and(?:other)?(?:debt|financ(?:e|ing|ial)|related)(?:expenses?|charges?|costs?))/i
const NOT_INTEREST =
  /net|income|paid|payable|capitali|accru|incurred|tax|swap|hedg|affiliate|related?part|discontinued|deposit|lease|allocat|segment|percent|rate|pension/i
/** Net of interest income: a positive figure is an expense. */
const NET_INTEREST =
  /^(?:net(?:interest|financ(?:e|ing))(?:expenses?|charges?|costs?)|(?:interest|financ(?:e|ing))(?:expenses?|charges?|costs?)(?:income)?,?net(?:ofinterestincome)?)$/i

const CAPEX =
  /^(?:(?:total)?capitalexpenditures?(?:andinvestments)?|(?:purchases?of|payments(?:for|toacquire|topurchase)|additionsto|expenditures?for)(?:property|plant|fixedassets|capitalassets|capitalexpenditures?)[a-z]*)$/i
const NOT_CAPEX =
  /noncash|accru|payable|unpaid|notpaid|notyet|discontinued|business|financed|lease|deposit|gain|loss|held|proceeds|insurance/i

const nameOf = (concept: string): string => concept.slice(concept.indexOf(':') + 1)

/** What a line under a name of the filer is, by that name; null if it is none of the items. */
export function companyFlowOf(concept: string): CompanyFlowItem | null {
  const name = nameOf(concept)
  // at most 300 characters: a longer name is not an element
  if (concept.startsWith('us-gaap:') || concept.startsWith('ifrs-full:') || name.length > 300) return null
  if (DEPRECIATION.test(name)) return NOT_DEPRECIATION.test(name) ? null : 'depreciation_amortization'
  if (NET_INTEREST.test(name)) return 'net_interest'
  if (INTEREST.test(name)) return NOT_INTEREST.test(name) ? null : 'interest_expense'
  return CAPEX.test(name) && !NOT_CAPEX.test(name) ? 'capex' : null
}

interface Flow {
  readonly concept: string
  readonly value: number
}

/**
 * An item from the filer's own lines of one filing and period. Depreciation and amortization is the largest line of
 * both, else a line of each. Of interest and capital expenditure two different lines say that each may be a part.
 */
export function companyFlow<F extends Flow>(item: CompanyFlowItem, facts: Iterable<F>): Evaluated<F> | null {
  const lines = [...facts].filter(fact => fact.value !== 0 && companyFlowOf(fact.concept) === item)
  if (item === 'depreciation_amortization') {
    const of = (isMeant: (name: string) => boolean) =>
      largest(lines.filter(({ concept }) => isMeant(nameOf(concept))))
    const both = of(name => ALL_DEPRECIATION.test(name))
    if (both) return both
    const depreciation = of(name => /depreciation/i.test(name))
    return depreciation && total([depreciation, of(name => OF_INTANGIBLES.test(name))])
  }
  const only = largest(lines)
  if (!only || lines.some(({ value }) => Math.abs(value) !== Math.abs(only.value))) return null
  if (item !== 'net_interest') return only
  // A negative expense is income, or a slip: the name does not say which.
  return only.value < 0
    ? null
    : { value: -only.value, terms: only.terms.map(({ fact }) => ({ fact, sign: -1 })) }
}

/** Whether a figure is one line of both depreciation and amortization. */
export const hasAllDepreciation = ({ terms: [term, ...more] }: Evaluated<Flow>): boolean =>
  term !== undefined && more.length === 0 && ALL_DEPRECIATION.test(nameOf(term.fact.concept))

function largest<F extends Flow>(lines: readonly F[]): Evaluated<F> | null {
  if (lines.length === 0) return null
  const fact = lines.reduce((a, b) => (Math.abs(b.value) > Math.abs(a.value) ? b : a))
  return { value: fact.value, terms: [{ fact, sign: 1 }] }
}
