import { firstOf, groupOf } from '../../base/elements.ts'
import type { CovenantName } from '../../schema/covenant-names.ts'
import type { testMetrics } from '../../schema/vocabulary.ts'
import { everyWords, words } from './flat-text.ts'
import type { ThresholdUnit } from './thresholds.ts'

export type TestMetric = (typeof testMetrics)[number]
type Direction = 'maximum' | 'minimum'

/** A quantity tested by financial covenants. */
export interface TestedQuantity {
  readonly covenant_name: CovenantName
  readonly test_metric: TestMetric | null
  /** The only direction in which a covenant can test it. */
  readonly direction: Direction
  readonly unit: 'ratio' | 'cents'
  /** Thresholds outside are misread. */
  readonly range: readonly [number, number]
}

const ratioOf = (
  covenant_name: CovenantName,
  test_metric: TestMetric | null,
  direction: Direction,
  range: readonly [number, number],
): TestedQuantity => ({ covenant_name, test_metric, direction, unit: 'ratio', range })

const amountOf = (covenant_name: CovenantName, direction: Direction): TestedQuantity => ({
  covenant_name,
  test_metric: null,
  direction,
  unit: 'cents',
  range: [1e6, 1e14],
})

const toEarnings = [0.5, 25] as const
const toCapital = [0.05, 20] as const
const coverage = [0.25, 20] as const

export const testedQuantities = {
  totalLeverage: ratioOf('Maximum Total Leverage Ratio', 'leverage_ratio', 'maximum', toEarnings),
  netLeverage: ratioOf('Maximum Net Leverage Ratio', 'net_leverage_ratio', 'maximum', toEarnings),
  firstLien: ratioOf('Maximum First Lien Leverage Ratio', 'first_lien_leverage', 'maximum', toEarnings),
  secured: ratioOf('Maximum Secured Leverage Ratio', 'secured_leverage', 'maximum', toEarnings),
  interest: ratioOf('Minimum Interest Coverage Ratio', 'interest_coverage', 'minimum', coverage),
  fixedCharge: ratioOf('Minimum Fixed Charge Coverage Ratio', 'fixed_charge_coverage', 'minimum', coverage),
  debtService: ratioOf('Minimum Debt Service Coverage Ratio', null, 'minimum', coverage),
  assetCoverage: ratioOf('Minimum Asset Coverage Ratio', null, 'minimum', coverage),
  current: ratioOf('Minimum Current Ratio', null, 'minimum', [0.1, 10]),
  /** Leverage whose denominator the text does not show. */
  otherLeverage: ratioOf('Maximum Leverage Ratio', null, 'maximum', toCapital),
  /** Secured debt held to a share, `a secured debt leverage ratio not to exceed 50%`. */
  securedShare: ratioOf('Maximum Secured Leverage Ratio', null, 'maximum', toCapital),
  /** Secured debt of the company and all debt of its subsidiaries, which private placements hold to a share. */
  priority: ratioOf('Maximum Priority Debt Ratio', null, 'maximum', toCapital),
  unsecured: ratioOf('Maximum Unsecured Leverage Ratio', null, 'maximum', toCapital),
  toCapital: ratioOf('Maximum Debt to Capitalization Ratio', null, 'maximum', toCapital),
  toAssets: ratioOf('Maximum Debt to Assets Ratio', null, 'maximum', toCapital),
  toNetWorth: ratioOf('Maximum Debt to Net Worth Ratio', null, 'maximum', toCapital),
  /** Over cash flow that no definition makes EBITDA: not comparable with debt over earnings. */
  toCashFlow: ratioOf('Maximum Debt to Cash Flow Ratio', null, 'maximum', toEarnings),
  cashFlowCoverage: ratioOf('Minimum Cash Flow Coverage Ratio', null, 'minimum', coverage),
  loanToValue: ratioOf('Maximum Loan to Value Ratio', null, 'maximum', [0.05, 2]),
  tangibleNetWorth: amountOf('Minimum Tangible Net Worth', 'minimum'),
  netWorth: amountOf('Minimum Net Worth', 'minimum'),
  liquidity: amountOf('Minimum Liquidity', 'minimum'),
  ebitda: amountOf('Minimum EBITDA', 'minimum'),
  revenue: amountOf('Minimum Revenue', 'minimum'),
  capex: amountOf('Maximum Capital Expenditures', 'maximum'),
} as const satisfies Record<string, TestedQuantity>

export interface MetricMention {
  readonly metric: TestedQuantity
  readonly from: number
  readonly to: number
  /** Spelled out as `ratio of X to Y`, which shows the denominator. */
  readonly shown: boolean
}

/** Words before a name that belong to it. */
const MOST_WORDS = 12

const LEADING = String.raw`(?:(?:consolidated|total|senior|secured|unsecured|first|second|lien|net|adjusted|funded|recourse|debt|indebtedness|maximum|minimum|cash|flow|average|quarterly|pro|forma|rent|priority|permitted|group|company|operating|parent)[\s-]+){0,${MOST_WORDS}}`
const TO = String.raw`(?:[\s-]+to[\s-]+|\s*/\s*)`
const DEBT = '(?:indebtedness|debt|borrowings|liabilities|obligations)'

const named: readonly (readonly [string, (mention: string) => TestedQuantity])[] = [
  [
    `${LEADING}(?:leverage|(?:debt|indebtedness)${TO}(?:consolidated |adjusted )*(?:ebitdax?|ebitdar))(?:(?: coverage)? ratio)?`,
    leverageNamed,
  ],
  [
    `${LEADING}debt${TO}(?:consolidated |adjusted |operating |recourse )*cash flow(?:(?: coverage)? ratio)?`,
    () => testedQuantities.toCashFlow,
  ],
  [
    String.raw`${LEADING}(?:debt|indebtedness|liabilities)(?: \([^()]{3,80}\))?(?:${TO}| as a percentage of | divided by )(?:(?:total )?debt[ -]plus[ -](?:(?:share|stock)holders'? )?equity|(?:total |consolidated |adjusted |book |tangible |unencumbered |gross |real estate )*(?:capitalization|capital|assets?(?: value)?|tangible net worth|net worth|equity))(?: ratio)?`,
    m => partialLeverage(m, m) ?? balanceLeverage(m),
  ],
  [
    `${DEBT}(?: [a-z]+){0,6} relative to (?:our |its |their )?(?:consolidated |tangible )*(?:net worth|equity|capitalization|total assets)`,
    m => balanceLeverage(m),
  ],
  [
    '(?:consolidated |total |senior |first |second |lien |secured |net )*net (?:debt|indebtedness) ratio',
    leverageNamed,
  ],
  ['(?:consolidated |maximum )*(?:first lien|senior secured)(?: net)?(?: debt)? ratio', leverageNamed],
  [`${LEADING}capitalization ratio`, () => testedQuantities.toCapital],
  [
    `${LEADING}(?:interest|interest expense|interest charge)s?(?: coverage(?: ratio)?|(?=,? (?:and|or) (?:debt service|fixed charges?) coverage))`,
    () => testedQuantities.interest,
  ],
  [
    `${LEADING}ebitdax?${TO}(?:consolidated |total |cash )*interest(?: expense| charges)?(?: ratio)?`,
    () => testedQuantities.interest,
  ],
  [`${LEADING}fixed charges? (?:coverage(?: ratio)?|ratio)`, () => testedQuantities.fixedCharge],
  ['(?:consolidated |minimum )*fccr', () => testedQuantities.fixedCharge],
  [
    // `minimum debt service and fixed charge coverage ratios`
    `${LEADING}debt service(?: coverage(?: ratio)?| ratio|(?=,? (?:and|or) (?:[a-z]+ ){1,2}coverage))`,
    () => testedQuantities.debtService,
  ],
  ['(?:consolidated |minimum )*ds(?:c)?r', () => testedQuantities.debtService],
  [`${LEADING}cash flow coverage(?: ratio)?`, () => testedQuantities.cashFlowCoverage],
  [
    `${LEADING}(?:unencumbered |collateral )?(?:(?:asset|collateral) coverage|(?:security|asset|collateral|hull) cover)(?: ratio)?`,
    () => testedQuantities.assetCoverage,
  ],
  [
    // `fair market value of the mortgaged vessels to outstanding loan ratio`, `the market value of the vessels must be at least 130% of the outstanding loan`
    String.raw`(?:aggregate |fair |charter-free )*market values? of (?:(?:the|our|its|each|such) )?(?:[a-z]+ ){0,2}(?:vessels?|ships?|collateral)(?: securing [^.;,%$]{3,40})?(?:${TO}(?:the )?(?:outstanding )?(?:loan|debt)(?: amount)? ratio|(?= (?:(?:must|shall|will|should|has to|is required to) (?:not be less than|(?:at all times )?(?:be|exceed|equal)(?: at least| no less than| not less than)?)) \d{2,3}(?:\.\d{1,2})? ?(?:%|percent) of (?:the )?(?:aggregate )?(?:outstanding )?(?:principal )?(?:amount )?(?:of )?(?:the )?(?:outstanding )?(?:loan|debt|facility)))`,
    () => testedQuantities.assetCoverage,
  ],
  [
    String.raw`unencumbered (?:assets|asset values?)(?= (?:of|to be|such that (?:they are|it is)) (?:at least|not less than|no less than|equal to or greater than) \d{2,3}(?:\.\d{1,2})? ?% of\b)`,
    () => testedQuantities.assetCoverage,
  ],
  [
    `(?:total )*unencumbered assets?(?: pool)?(?: value)?${TO}(?:total |consolidated )*unsecured (?:debt|indebtedness)`,
    () => testedQuantities.assetCoverage,
  ],
  [
    '(?:consolidated |adjusted )*current ratios?|(?:total )?current assets divided by (?:total )?current liabilities',
    () => testedQuantities.current,
  ],
  [`loan${TO}(?:value|cost)(?: ratio| test)?`, () => testedQuantities.loanToValue],
  [
    `(?:consolidated |adjusted |minimum |required )*tangible net (?:worth|assets)`,
    () => testedQuantities.tangibleNetWorth,
  ],
  [
    `(?:consolidated |adjusted |minimum )*(?:net worth|(?:stockholders?|shareholders?)'? equity)`,
    () => testedQuantities.netWorth,
  ],
  [
    `(?:consolidated |minimum |unrestricted |available |domestic )*(?:liquidity(?! (?:providers?|facilit(?:y|ies)|support|event|agreement|risk|position|needs|and capital))|unrestricted cash(?: and cash equivalents)?)`,
    () => testedQuantities.liquidity,
  ],
  [
    'minimum (?:(?:unrestricted|domestic|consolidated|average|aggregate|total|month-end|quarter-end) ){0,3}(?:cash(?! (?:flows?|payments?|pay|rent|purchase|dividends?|interest|compensation|consideration|collateral|tax|funding|contributions?))(?: and (?:cash equivalents|(?:short-term |marketable )?(?:investments|securities)))?(?: balances?)?|liquid assets)',
    () => testedQuantities.liquidity,
  ],
  [
    String.raw`(?<=\$[\d.,]{1,12} (?:million |billion )?(?:in|of) (?:unrestricted )?)cash(?! (?:flows?|payments?|dividends?|interest|consideration|collateral))`,
    () => testedQuantities.liquidity,
  ],
  [
    '(?:cash and cash equivalents|cash balances?)(?= of (?:at least|not less than|no less than))',
    () => testedQuantities.liquidity,
  ],
  [
    String.raw`ebitdax?(?= (?:to be |be |is |of )?(?:at least|not less than|no less than|greater than|in excess of) (?:\d{1,2}(?:\.\d{1,2})? ?|(?:two|three|four|five) )(?:x|times) (?:(?:consolidated|its|our|the|total|cash|net|annual) ){0,3}interest)`,
    () => testedQuantities.interest,
  ],
  [
    '(?:consolidated |minimum |adjusted |total |annual |trailing |quarterly |twelve-month |12-month )*(?:[a-z]+ )?net (?:sales|revenues?|product sales)(?! (?:growth|price|proceeds))|minimum (?:[a-z-]+ ){0,3}revenues?(?! (?:growth|leverage|recognition|share|sharing))',
    () => testedQuantities.revenue,
  ],
  [`(?:consolidated |adjusted |minimum )*ebitdax?`, () => testedQuantities.ebitda],
  [
    `(?:consolidated |maximum |unfinanced )*capital expenditures|(?:additional )?investments? in fixed assets`,
    () => testedQuantities.capex,
  ],
]
const bounded = (pattern: string): string => pattern.replaceAll(')*', `){0,${MOST_WORDS}}`)
// The words before a name are read backwards from it: a pattern that begins with them would be tried at every word.
const namedPatterns = named.map(([pattern, metric]) => {
  const lead = pattern.startsWith(LEADING) ? LEADING : (/^\(\?:[^()]{1,200}\)\*/.exec(pattern)?.[0] ?? '')
  const name = everyWords(String.raw`\b${bounded(pattern.slice(lead.length))}\b`)
  return { name, lead: lead === '' ? null : words(String.raw`\b${bounded(lead)}$`), metric }
})
/** Longest run of leading words. */
const MOST_LEADING = 200
const ratioOfPattern = everyWords(
  String.raw`\bratio(?: (?:covenant|test|requirement))?,? (?:\d{1,3} )?(?:\([^)]{0,120}\) |as of [^,;]{0,80},? |for [^,;]{0,80},? |determined [^,;]{0,80},? )?of (?:\([a-z]{1,2}\) )?(?<over>(?:(?!\bratio\b)(?:[^.;]|\.(?=\S)|(?<=\b(?:inc|corp|co|ltd))\.)){3,220}?) (?:to|divided by) (?:\([a-z]{1,2}\) )?(?<under>[^.;]{3,130}?)(?=,|;|\.| to | of | for | limit from | as | at | in | not | less | greater | equal | exceed| \(| is | shall | may | must | will | can | cannot |$)`,
)

// `minimum ratios, as in effect from time to time, of funded debt to cash flow and cash flow to interest expense`.
const ratioList = everyWords(String.raw`\bratios(?:, [^.;,]{3,60},)? of (?<list>[^.;()]{8,240})`)
const ratioOfList =
  /(?:^|,\s{0,9}(?:(?:and|or)\s{1,9})?|\band\s{1,9})(?:of\s{1,9})?(?<ratio>(?<over>[a-z'][a-z' -]{2,60}?)\s{1,9}to\s{1,9}(?<under>[a-z'][a-z' ]{2,50}?))(?=,|\s{1,9}(?:and|be|of|at|as|is|are|not|in|must|which|that|shall|will|for|under|to)\b|\s{0,9}$)/gi

// Debt held to a share or multiple of another quantity, without the word ratio: `Consolidated Debt will not exceed 850% of
// Consolidated Tangible Net Worth`. Debt of subsidiaries, or of one exception, is no leverage of the company.
const dividedDebt = everyWords(
  String.raw`\b(?:debt|indebtedness|liabilities)(?=(?: of (?:the )?(?:company|borrower|issuer|parent|guarantor)(?: and its (?:\w+ )?subsidiaries)?| (?:which|that) (?:is|are) (?<recourse>recourse) to [^.;,]{3,40}?)?(?:, as (?:of|at) (?:the last day|the end) of (?:any|each) (?:fiscal )?(?:quarter|year)(?:, (?:beginning|commencing) with [^.;,]{3,120})?)?,? (?:(?:to an amount )?(?:(?:(?:(?:shall|will|may|must|can) )?not(?: to)?|cannot) (?:at any (?:one )?time )?(?:be )?|(?:at any time )?to )(?:exceed|more than|greater than|in excess of)|to(?: be)?(?: (?:(?:less|no more|not more|no greater|not greater) than|a maximum of|at most))?|be (?:more|greater) than) (?:[\w-]+ percent \()?\d{1,4}(?:\.\d{1,2})?(?: ?(?:%|percent)\)? of| times) (?<under>[^.,;()]{3,60}))`,
)
const ofException = words(
  String.raw`\b(?:other|additional|secured|securing|such|any|incur|amount of|priority|subsidiary) $`,
)

// `Permit Secured Debt to exceed 40% of Total Asset Value`, a test of that part.
const partPermitted = words(
  String.raw`\b(?:permit|allow|suffer) (?:(?:the|all|total|consolidated) ){0,2}(?<part>secured|unsecured|priority) $`,
)

/** Every covenant quantity in a text, in order. */
export function metricsIn(flat: string): MetricMention[] {
  const found: MetricMention[] = []
  const isTaken = new Uint8Array(flat.length)
  const add = (mention: MetricMention) => {
    found.push(mention)
    isTaken.fill(1, mention.from, mention.to)
  }
  const isEbitda = cashFlowIsEbitda(flat)
  const over = (top: string, bottom: string) => {
    const metric = divided(top, bottom)
    return metric && isEbitda ? (withEbitda.get(metric) ?? metric) : metric
  }
  for (const match of flat.matchAll(ratioOfPattern)) {
    const [top, bottom] = [groupOf(match, 'over'), groupOf(match, 'under')]
    const end = match.index + match[0].length
    const sum = endsInSum.test(bottom) ? summed(flat.slice(end, end + MOST_SUM)) : ''
    const metric = (sum === '' ? null : servedBy(top, sum)) ?? over(top, bottom)
    const to = metric === testedQuantities.debtService ? end + sum.length : end
    if (metric) add({ metric, from: match.index, to, shown: true })
  }
  for (const match of flat.matchAll(ratioList)) {
    const begin = match.index + match[0].length - groupOf(match, 'list').length
    for (const each of groupOf(match, 'list').matchAll(ratioOfList)) {
      const metric = over(groupOf(each, 'over'), groupOf(each, 'under'))
      const to = begin + each.index + each[0].length
      const from = to - groupOf(each, 'ratio').length
      if (metric) add({ metric, from, to, shown: true })
    }
  }
  for (const match of flat.matchAll(dividedDebt)) {
    const before = flat.slice(Math.max(0, match.index - 30), match.index)
    const part = partPermitted.exec(before)?.groups?.['part']
    const top = [match.groups?.['recourse'], part ?? (/\bnet\s+$/i.test(before) ? 'net' : ''), 'debt'].join(
      ' ',
    )
    const metric = over(top, groupOf(match, 'under'))
    if (metric && (part !== undefined || !ofException.test(before)))
      add({ metric, from: match.index, to: match.index + match[0].length, shown: true })
  }
  for (const { name, lead, metric } of namedPatterns)
    for (const match of flat.matchAll(name)) {
      const led =
        lead?.exec(flat.slice(Math.max(0, match.index - MOST_LEADING), match.index))?.[0].length ?? 0
      const from = match.index - led
      const to = match.index + match[0].length
      if (isTaken.subarray(from, to).includes(1)) continue
      const named = metric(flat.slice(from, to).toLowerCase())
      // A cover that is named says itself what it is over.
      const isDebtOver = isEbitda && named === testedQuantities.toCashFlow
      add({ metric: isDebtOver ? testedQuantities.totalLeverage : named, from, to, shown: false })
    }
  return found.sort((a, b) => a.from - b.from)
}

const withEbitda: ReadonlyMap<TestedQuantity, TestedQuantity> = new Map([
  [testedQuantities.toCashFlow, testedQuantities.totalLeverage],
  [testedQuantities.cashFlowCoverage, testedQuantities.interest],
])

// `"Consolidated Cash Flow" means Consolidated Net Income plus interest expense, taxes, depreciation and amortization`.
const cashFlowDefined = words(
  `"(?:consolidated |adjusted |operating |annualized )*cash flow"(?: or "[^"]{3,40}")? (?:means|shall mean)(?<says>.{20,600})`,
)

/** Whether a text that tests cash flow defines it as earnings before interest, taxes, depreciation and amortization. */
function cashFlowIsEbitda(flat: string): boolean {
  const says = cashFlowDefined.exec(flat)?.groups?.['says']
  if (says === undefined) return false
  const own = firstDefinition(says)
  return /ebitda/i.test(own) || [/interest/i, /tax/i, /depreciation/i].every(part => part.test(own))
}

function leverageNamed(mention: string): TestedQuantity {
  // Recourse debt is a part of debt: its limit says nothing about total leverage.
  if (/(?<!\bnon[\s-]{0,3})\brecourse/.test(mention)) return testedQuantities.otherLeverage
  if (/first[\s-]+lien/.test(mention)) return testedQuantities.firstLien
  if (/(?<!un)secured|second[\s-]+lien/.test(mention)) return testedQuantities.secured
  if (/\bunsecured/.test(mention)) return testedQuantities.unsecured
  // Debt without what is subordinated, beside the ratio of all debt in most agreements.
  if (isSeniorDebt.test(mention)) return testedQuantities.otherLeverage
  return /\bnet\b/.test(mention) ? testedQuantities.netLeverage : testedQuantities.totalLeverage
}

const isSeniorDebt = /\bsenior\s+(?:(?:consolidated|funded|total|net)\s+)*(?:debt|indebtedness|leverage)/

/** Leverage that is held to a share, and so is over no year's earnings. */
export const asShare = (metric: TestedQuantity): TestedQuantity =>
  metric === testedQuantities.secured ? testedQuantities.securedShare : testedQuantities.otherLeverage

function balanceLeverage(under: string): TestedQuantity {
  const text = under.toLowerCase()
  // Of debt and equity together.
  const isCapital = /capital|debt[\s-]+plus|\bdebt\s{1,9}and\b[^.;]{0,80}\bequity/.test(text)
  if (/net\s+worth|equity/.test(text) && !isCapital) return testedQuantities.toNetWorth
  if (isCapital) return testedQuantities.toCapital
  return testedQuantities.toAssets
}

/** Leverage of a part of the debt, `Secured Debt to Total Asset Value`; null of all debt. */
function partialLeverage(top: string, bottom: string): TestedQuantity | null {
  const own = top.replace(
    /\((?:excluding|other\s{1,9}than|exclusive\s{1,9}of)[^)]{0,120}\)|\b(?:excluding|other\s{1,9}than)\b.{0,160}/g,
    ' ',
  )
  if (/(?<!\bnon[\s-]{0,3})\brecourse/.test(own)) return testedQuantities.otherLeverage
  if (/\bpriority\s/.test(own)) return testedQuantities.priority
  if (isSecuredDebt.test(own)) return testedQuantities.securedShare
  return /\bunsecured/.test(own) || /\bunencumbered/.test(bottom) ? testedQuantities.unsecured : null
}

// Of secured debt and of all debt, two tests of one agreement.
const isSecuredDebt = /(?<!un)\bsecured\b/i

const isDebt = new RegExp(DEBT, 'i')

// `the current portion of funded debt plus interest expense`: what serves the debt, not interest alone.
const paysDebt = /\b(?:current\s{1,9}(?:portion|maturities)|scheduled\s{1,9}principal)\b/

// `to (b) the sum of (i) Interest Expense of the Company for such period plus Current Maturities`, whose parts are behind it.
const endsInSum = /\bsum(?:\s{1,9}of\b.{0,60})?$/i
const MOST_SUM = 400
/** The parts of a sum, up to what is said of the ratio. */
const summed = (text: string): string =>
  /^(?:(?![.;]|\b(?:to\s{1,9}be|be\s{1,9}less|less\s{1,9}than|not\s{1,9}less|at\s{1,9}least|means)\b).){1,400}/is.exec(
    text,
  )?.[0] ?? ''
/** Earnings over interest and the principal that falls due. */
const servedBy = (top: string, sum: string): TestedQuantity | null =>
  paysDebt.test(sum.toLowerCase()) && isIncome.test(top) ? testedQuantities.debtService : null
const isIncome = /ebit|earnings|cash\s+flow|income/i

/** The quantity of a spelled-out ratio, `X to Y`. */
function divided(over: string, under: string): TestedQuantity | null {
  const top = over.toLowerCase()
  const bottom = under.toLowerCase()
  if (/debt\s+service|service\s+charge/.test(bottom)) return testedQuantities.debtService
  if (paysDebt.test(bottom) && isIncome.test(top)) return testedQuantities.debtService
  if (/fixed\s+charges/.test(bottom)) return testedQuantities.fixedCharge
  if (/interest/.test(bottom) && /ebit|earnings|cash\s+flow|income|\bnoi\b/.test(top))
    return /cash\s+flow/.test(top) && !/ebit|earnings|income/.test(top)
      ? testedQuantities.cashFlowCoverage
      : testedQuantities.interest
  if (/current\s+assets/.test(top) && /current\s+liabilities/.test(bottom)) return testedQuantities.current
  if (/ebitda|earnings/.test(bottom) && isDebt.test(top)) return leverageNamed(top)
  if (/cash\s+flow/.test(bottom) && isDebt.test(top)) return testedQuantities.toCashFlow
  if (/\bassets?\b/.test(top) && isDebt.test(bottom) && !isDebt.test(top))
    return testedQuantities.assetCoverage
  if (/capital|tangible|net\s+worth|equity|assets?\b|property\s+value/.test(bottom) && isDebt.test(top))
    return partialLeverage(top, bottom) ?? balanceLeverage(bottom)
  return null
}

/** The denominator of a leverage ratio by its name: null if it is not defined. */
export type DefinedLeverage = (mention: string) => 'earnings' | TestedQuantity | null

/** Looks up the definitions of named leverage ratios in a text, each name once. */
export function definedLeverages(flat: string): DefinedLeverage {
  const known = new Map<string, ReturnType<DefinedLeverage>>()
  return mention => {
    const name = mention
      .replace(/^(?:maximum|minimum)\s+/i, '')
      .trim()
      .replace(/\s+/g, ' ')
      .toLowerCase()
    const before = known.get(name)
    if (before !== undefined) return before
    const found = definedLeverage(flat, name)
    known.set(name, found)
    return found
  }
}

function definedLeverage(flat: string, name: string): ReturnType<DefinedLeverage> {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const definition = words(
    `" ?(?:consolidated |total )?${escaped} ?"? (?:means|shall mean|is defined as|has the meaning|,? ?:|on any date)(?<says>.{20,700})`,
  ).exec(flat)
  const says =
    (definition?.groups?.['says'] && firstDefinition(definition.groups['says'])) ?? inBrackets(flat, escaped)
  if (!says) return null
  if (/ebitdax?|ebitdar|consolidated\s+earnings/i.test(says)) return 'earnings'
  if (/cash\s+flow/i.test(says)) return cashFlowIsEbitda(flat) ? 'earnings' : testedQuantities.toCashFlow
  if (/capitalization|(?:total|to)\s+capital\b/i.test(says)) return testedQuantities.toCapital
  if (/net\s+worth|(?:stock|share)holders'?\s+equity/i.test(says)) return testedQuantities.toNetWorth
  return /total\s+assets|asset\s+value/i.test(says) ? testedQuantities.toAssets : null
}

/** What a report says in brackets that a ratio is: `a leverage (debt to capital ratio) covenant`. */
const inBrackets = (flat: string, escaped: string): string | undefined =>
  words(
    String.raw`\b${escaped.replace(/ ratio$/, '')}(?: ratio| test| covenant)? \((?<says>(?:[\w-]+ ){0,4}to [^()]{4,60})\)`,
  ).exec(flat)?.groups?.['says']

/** A definition up to the next defined term. */
const firstDefinition = (text: string): string =>
  firstOf(text.split(/"\s*[A-Z][\w\s-]{2,60}"\s+(?:means|shall\s+mean)/))

/** Whether a metric can have a threshold. */
export const fits = (metric: TestedQuantity, unit: ThresholdUnit, value: number): boolean =>
  (metric.unit === 'cents') === (unit === 'cents') && value >= metric.range[0] && value <= metric.range[1]
