import { addMonths, type Day, isEndOfMonth } from '../../credit/calendar.ts'
import { isAnnualForm } from '../../filing/report-form.ts'
import { statementItems } from '../../schema/datasets/statements.ts'
import type { Calculations } from './calculations.ts'
import { FiscalCalendar, reportEnd, type Slot } from './calendar.ts'
import { bankItems, type Item } from './concepts.ts'
import { type ExplainedFigure, explainedFigure, explainJson, itemJson } from './explain.ts'
import {
  ALWAYS,
  byFiling,
  calendarEvidence,
  type Fact,
  type FactRow,
  type Filing,
  isPlain,
  type Observation,
  type Observed,
  observe,
  type Withheld,
} from './filings.ts'
import type { LoadedRow } from './loaded-row.ts'
import { marginOf, margins } from './margins.ts'
import {
  balanceAt,
  type Figure,
  type Formed,
  isFlow,
  Ledger,
  leading,
  quarterAt,
  trailingAt,
  type View,
} from './periods.ts'
import { type Quarantined, quarantine } from './quarantine.ts'

export interface CompanyFigures {
  readonly facts: readonly FactRow[]
  readonly loaded: readonly LoadedRow[]
  /** Banks and insurers have no leverage in this sense. */
  readonly bank: boolean
  /** Calculation links by the name that the files of a filing share. */
  readonly calculations?: ReadonlyMap<string, Calculations>
}

export const figureNames = [
  ...Object.keys(statementItems),
  'secured_debt',
  'debt_excluding_finance',
  'debt_due_1yr',
  'debt_due_2yr',
  'debt_due_3yr',
  'debt_due_4yr',
  'debt_due_5yr',
] as Item[]

export interface StatementRow {
  readonly fiscalYear: number
  readonly fiscalQuarter: number
  readonly basis: 'quarter' | 'ttm'
  readonly version: number
  readonly end: Day
  readonly filingType: string | null
  readonly filing: Filing
  readonly known: Day
  readonly currency: string
  /** In minor units, in the order of `figureNames`. */
  readonly amounts: readonly (number | null)[]
  readonly annualized: boolean
  readonly estimated: boolean
  readonly ebitdaSource: string | null
  readonly ebitdaQuarters: number | null
  readonly ttmQuarters: readonly string[]
  readonly leverage: number | null
  readonly leverageReason: string | null
  readonly netLeverage: number | null
  readonly coverage: number | null
  /** What shows a finance business inside the company, whose debt and interest are not those of making things. */
  readonly captiveFinance: string | null
  readonly latest: boolean
  /** JSON: how each figure came about. */
  readonly explain: string
}

export interface CompanyStatements {
  readonly rows: readonly StatementRow[]
  /** Periods that could not be given a row, with the reason. */
  readonly left: readonly { readonly end: Day; readonly reason: string }[]
  readonly quarantined: readonly Quarantined[]
}

/** Every version of every quarterly and trailing statement that a company's figures make. */
export function companyStatements({ facts, loaded, bank, calculations }: CompanyFigures): CompanyStatements {
  const bad = quarantine(facts.filter(isPlain), loaded)
  const filings = byFiling(facts, bad.facts, calculations)
  const evidence = filings.map(calendarEvidence)
  const calendar = FiscalCalendar.from(evidence, loaded)
  if (!calendar) {
    const ends = [...new Set([...facts, ...loaded].map(row => row.end))]
    return {
      rows: [],
      left: ends.map(end => ({ end, reason: 'no fiscal year end can be told from the filings' })),
      quarantined: bad.figures,
    }
  }
  const left = calendar.unlabelled.map(end => ({
    end,
    reason: 'a short fiscal year whose name another year has: its quarters have no label of their own',
  }))

  const reports = new Map<string, Slot>()
  for (const [i, { filing }] of filings.entries()) {
    const end = reportEnd(evidence[i]!)
    const slot = end === null ? null : calendar.slotOf(end)
    if (slot !== null) reports.set(filing.id, slot)
    else if (end !== null)
      left.push({ end, reason: 'the period reported on fits no quarter of the fiscal year' })
  }
  const seen = filings.map(filing => observe(filing, calendar))
  for (const row of loaded) {
    const slot = slotOfLoaded(row, calendar)
    if (slot === null)
      left.push({ end: row.end, reason: 'the loaded period fits no quarter of the fiscal calendar' })
    else seen.push(observeLoaded(row, slot, calendar, reports, bad.loaded.get(row)))
  }
  const ledger = new Ledger()
  for (const figure of seen.flatMap(s => s.withheld)) ledger.withhold(figure)
  for (const observation of seen.flatMap(s => s.found).sort((a, b) => a.filing.known - b.filing.known))
    if (bank || !bankItems.has(observation.item) || observation.tier === LOADED) ledger.add(observation)
    else
      ledger.withhold({ ...observation, reason: 'an item of banks and insurers, which this company is not' })

  const forms = formsOf(filings.map(({ filing }) => filing))
  const rows: StatementRow[] = []
  for (const slot of calendar.slots())
    rows.push(...versionsOf(slot, { ledger, calendar, bank, reports, forms }))
  return { rows, left, quarantined: bad.figures }
}

function slotOfLoaded(row: LoadedRow, calendar: FiscalCalendar): Slot | null {
  const named = calendar.slotNamed({ year: row.fiscalYear, quarter: row.fiscalQuarter })
  const end = named === null ? undefined : calendar.endOf(named)
  if (named !== null && (end === undefined || Math.abs(end - row.end) <= 45)) return named
  return calendar.slotOf(row.end)
}

/** The user's own figures: they come before what is read from filings. */
const LOADED = -1

function observeLoaded(
  row: LoadedRow,
  slot: Slot,
  calendar: FiscalCalendar,
  reports: Map<string, Slot>,
  quarantined: ReadonlyMap<Item, string> = new Map(),
): Observed {
  const filing: Filing = {
    id: row.accession ?? `loaded ${slot} ${row.months} ${row.filed} ${row.known}`,
    accession: row.accession,
    form: row.form,
    report: row.end,
    filed: row.filed,
    known: row.known ?? ALWAYS,
    fiscalYear: row.fiscalYear,
    fiscalPeriod: null,
    currency: row.currency,
    precision: 0,
  }
  reports.set(filing.id, slot)
  const first = calendar.back(slot, row.months / 3 - 1)
  const minor = minorUnits(row.currency)
  const found: Observation[] = []
  const withheld: Withheld[] = []
  for (const [name, amount] of Object.entries(row.figures)) {
    const item = name as Item
    const from = isFlow(item) ? first : slot
    if (amount === null || amount === undefined || from === null) continue
    const reason = quarantined.get(item)
    if (reason !== undefined) {
      withheld.push({ item, from, to: slot, filing, reason: `quarantined: ${item} is ${reason}` })
      continue
    }
    const fact: Fact = {
      concept: `statement:${item}`,
      start: isFlow(item) ? addMonths(row.end, -row.months, isEndOfMonth(row.end)) + 1 : null,
      end: row.end,
      value: amount / minor,
      decimals: null,
      rounded: false,
      source: row.source,
      quarantined: null,
      dimensions: null,
    }
    found.push({
      item,
      from,
      to: slot,
      value: fact.value,
      tier: LOADED,
      way: `+${fact.concept}`,
      terms: [{ fact, sign: 1 }],
      filing,
    })
  }
  return { found, withheld }
}

/** The forms on which the company reports years and quarters. */
function formsOf(filings: readonly Filing[]): { annual: string; interim: string } {
  const usual = (annual: boolean) => {
    const counts = new Map<string, number>()
    for (const { form } of filings) {
      if (form === null || isAnnualForm(form) !== annual) continue
      const plain = form.replace(/\/A$/, '')
      counts.set(plain, (counts.get(plain) ?? 0) + 1)
    }
    return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0]
  }
  return { annual: usual(true) ?? '10-K', interim: usual(false) ?? '10-Q' }
}

interface Company {
  readonly ledger: Ledger
  readonly calendar: FiscalCalendar
  readonly bank: boolean
  /** The slot that each filing reports on. */
  readonly reports: ReadonlyMap<string, Slot>
  readonly forms: { readonly annual: string; readonly interim: string }
}

function versionsOf(slot: Slot, company: Company): StatementRow[] {
  const { ledger, calendar } = company
  const label = calendar.labelOf(slot)
  const end = calendar.endOf(slot)
  const first = ledger.first.get(slot)
  if (label === null || end === undefined || first === undefined) return []
  const days = new Set([first])
  for (let back = 0, at: Slot | null = slot; back < 8 && at !== null; back++, at = calendar.back(at, 1))
    for (const day of ledger.news.get(at) ?? []) if (day > first) days.add(day)

  const rows: StatementRow[] = []
  const last = new Map<string, { draft: Draft; at: number }>()
  for (const known of [...days].sort((a, b) => a - b)) {
    const currency = ledger.currencyOf(slot, known)
    if (currency === null) continue
    for (const draft of statementsOf({ ledger, calendar, known, currency }, slot, company.bank)) {
      const before = last.get(draft.basis)
      if (before && isSame(before.draft, draft)) continue
      const filing = filingOf(draft.figures, known)
      const row: StatementRow = {
        ...draft,
        fiscalYear: label.year,
        fiscalQuarter: label.quarter,
        version: before ? rows[before.at]!.version + 1 : 1,
        end,
        filing,
        filingType: formOf(filing, slot, company),
        known,
        latest: true,
        explain: explainJson(fieldsOf(draft)),
      }
      if (before) rows[before.at] = { ...rows[before.at]!, latest: false }
      last.set(draft.basis, { draft, at: rows.length })
      rows.push(row)
    }
  }
  return rows
}

const sameList = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i])

const isSame = (a: Draft, b: Draft): boolean =>
  a.currency === b.currency &&
  a.leverage === b.leverage &&
  a.annualized === b.annualized &&
  sameList(a.amounts, b.amounts) &&
  sameList(a.ttmQuarters, b.ttmQuarters)

/** What `_explain` says of each figure of a row. */
function* fieldsOf({
  figures,
  amounts,
  currency,
  trailingEbitda,
  ...row
}: Draft): Generator<[string, ExplainedFigure]> {
  const unit = amountUnit(currency)
  const at = (name: string) => amounts[figureNames.indexOf(name as Item)] ?? null
  const { items } = row.ebitda
  const itemsHere =
    items.length > 0 && items.every(item => at(item) !== null)
      ? items.map(item => itemJson(item, at(item), unit, 1))
      : undefined
  for (const [i, name] of figureNames.entries()) {
    if (!(name in statementItems) && amounts[i] === null) continue
    yield [
      name,
      explainedFigure(figures.get(name)!, {
        value: amounts[i]!,
        unit,
        currency,
        ...(name === 'ebitda' && row.ebitda.source !== null && { formula: row.ebitda.source }),
        ...(name === 'ebitda' && row.estimated && { flags: ['ebitda_estimated'] }),
        ...(name === 'ebitda' && itemsHere && { items: itemsHere }),
      }),
    ]
  }
  const [cash, capex] = [at('operating_cash_flow'), at('capex')]
  yield [
    'free_cash_flow',
    {
      value: cash === null || capex === null ? null : cash - capex,
      unit,
      formula: 'operating_cash_flow - capex',
      inputs: [itemJson('operating_cash_flow', cash, unit, 1), itemJson('capex', capex, unit, -1)],
      flags: [],
      because: cash === null ? 'no operating_cash_flow' : capex === null ? 'no capex' : null,
    },
  ]
  for (const { name, of } of margins) {
    const [part, revenue] = [at(of), at('revenue')]
    const { value, because } = marginOf(part, revenue, of)
    yield [
      name,
      {
        value,
        unit: 'percent',
        formula: `100 * ${of} / revenue`,
        inputs: [itemJson(of, part, unit, 1), itemJson('revenue', revenue, unit, 1)],
        flags: [
          ...(row.annualized && row.basis === 'ttm' ? ['annualized'] : []),
          ...(row.estimated && of === 'ebitda' ? ['ebitda_estimated'] : []),
        ],
        because,
      },
    ]
  }
  const minor = minorUnits(currency)
  const ebitda = trailingEbitda.value === null ? null : Math.round(trailingEbitda.value * minor)
  yield [
    'leverage_ratio',
    {
      value: row.leverage,
      unit: 'ratio',
      formula: 'total_debt / EBITDA of the trailing twelve months',
      inputs: [itemJson('total_debt', at('total_debt'), unit, 1), itemJson('ebitda_ttm', ebitda, unit, 1)],
      flags: row.annualized ? ['annualized'] : [],
      because: row.leverageReason,
    },
  ]
}

/** Of the filings behind a version the one that brought it about: newest, and with most of its figures. */
function filingOf(figures: ReadonlyMap<string, Figure>, known: Day): Filing {
  const counts = new Map<Filing, number>()
  for (const figure of figures.values())
    if (figure.value !== null)
      for (const { observation } of figure.parts)
        counts.set(observation.filing, (counts.get(observation.filing) ?? 0) + 1)
  const newest = [...counts].filter(([filing]) => filing.known === known)
  const from = newest.length ? newest : [...counts]
  return from.sort((a, b) => b[1] - a[1] || b[0].known - a[0].known || (a[0].id < b[0].id ? -1 : 1))[0]![0]
}

/** The form on which a period is reported: of its own report if this is it, else the company's usual one. */
function formOf(filing: Filing, slot: Slot, { calendar, reports, forms }: Company): string | null {
  if (reports.get(filing.id) === slot && filing.form !== null) return filing.form
  return calendar.isYearEnd(slot) ? forms.annual : forms.interim
}

type Draft = Omit<
  StatementRow,
  | 'fiscalYear'
  | 'fiscalQuarter'
  | 'version'
  | 'end'
  | 'filing'
  | 'filingType'
  | 'known'
  | 'latest'
  | 'explain'
> & {
  readonly figures: ReadonlyMap<string, Figure>
  /** That of the row, and that behind its leverage. */
  readonly ebitda: Ebitda
  readonly trailingEbitda: Figure
}

const flowNames = figureNames.filter(name => isFlow(name) && name !== 'ebitda')

const balanceNames = figureNames.filter(name => !isFlow(name))

/** The quarter and the trailing twelve months that end in a slot, as known on the view's day. */
function statementsOf(view: View, slot: Slot, bank: boolean): Draft[] {
  const balance = new Map<string, Figure>(balanceNames.map(item => [item, balanceAt(view, item, slot)]))
  const trailing = new Map<string, Figure>(flowNames.map(item => [item, trailingAt(view, item, slot)]))
  const ttm = ebitdaOf(item => trailing.get(item) ?? trailingAt(view, item, slot))
  // Without a leading flow there is no trailing statement, and nothing to say how it was formed.
  const trail = (item: Item) => (item === 'ebitda' ? ttm.figure : trailing.get(item))
  const core = figureNames.some(item => leading.has(item) && isFlow(item) && trail(item)?.value != null)
    ? [ttm.figure, ...flowNames.map(item => trailing.get(item)!)].find(figure => figure.value !== null)
    : undefined
  const annualized = core !== undefined && isAnnualized(core)
  if (core && !annualized) for (const [item, figure] of trailing) trailing.set(item, wholeOnly(figure))
  const quarter = new Map<string, Figure>(flowNames.map(item => [item, quarterAt(view, item, slot)]))
  const single = ebitdaOf(item => quarter.get(item) ?? quarterAt(view, item, slot))
  const ratios = ratiosOf(balance, trailing, ttm.figure, bank)
  const minor = minorUnits(view.currency)

  const draft = (basis: 'quarter' | 'ttm', flows: Map<string, Figure>, ebitda: Ebitda): Draft | null => {
    const figures = new Map<string, Figure>()
    for (const name of figureNames)
      figures.set(
        name,
        inRange(name === 'ebitda' ? ebitda.figure : (flows.get(name) ?? balance.get(name)!), minor),
      )
    const present = (names: readonly string[]) => names.some(name => figures.get(name)?.value !== null)
    const shown = figureNames.filter(name => leading.has(name) && (basis === 'quarter' || isFlow(name)))
    if (!present(shown)) return null
    const quarters = core && core.value !== null ? core.quarters : 0
    return {
      basis,
      currency: view.currency,
      amounts: figureNames.map(name => {
        const { value } = figures.get(name)!
        return value === null ? null : Math.round(value * minor)
      }),
      annualized: annualized && (basis === 'ttm' || ratios.leverage !== null),
      estimated: ebitda.estimated,
      ebitda,
      trailingEbitda: ttm.figure,
      ebitdaSource: ttm.figure.value !== null ? ttm.source : ebitda.source,
      ebitdaQuarters: ttm.figure.value === null ? null : ttm.figure.quarters,
      ttmQuarters: labelsBack(view.calendar, slot, quarters),
      ...ratios,
      captiveFinance: bank ? null : captiveFinance(view, slot, balance, trailing),
      figures,
    }
  }
  return [draft('quarter', quarter, single), draft('ttm', trailing, ttm)].filter(row => row !== null)
}

const isAnnualized = (figure: Figure): boolean => figure.value !== null && figure.annualized

/** Annualised figures stand only in a row that is flagged as such. */
const wholeOnly = (figure: Figure): Figure =>
  isAnnualized(figure)
    ? { value: null, reason: 'fewer than four quarters are known, unlike those of the other figures' }
    : figure

function labelsBack(calendar: FiscalCalendar, slot: Slot, quarters: number): string[] {
  const labels: string[] = []
  for (let i = quarters - 1; i >= 0; i--) {
    const at = calendar.back(slot, i)
    const label = at === null ? null : calendar.labelOf(at)
    if (label) labels.push(`${label.year}Q${label.quarter}`)
  }
  return labels
}

interface Ebitda {
  readonly figure: Figure
  readonly source: string | null
  readonly estimated: boolean
  /** The figures it is the sum of; none where it was loaded as it is. */
  readonly items: readonly Item[]
}

/** EBITDA as loaded; else from operating income; else from income before tax; depreciation and amortisation added. */
function ebitdaOf(get: (item: Item) => Figure): Ebitda {
  const reported = get('ebitda')
  if (reported.value !== null) return { figure: reported, source: 'reported', estimated: false, items: [] }
  const charge = get('depreciation_amortization')
  const operating = get('operating_income')
  const of = (figures: readonly Figure[], names: readonly string[]): Ebitda => {
    const estimated = charge.value === null
    const items = [...names, ...(estimated ? [] : ['depreciation_amortization'])]
    return {
      figure: added([...figures, charge]),
      source: items.join(' + '),
      estimated,
      items: items as Item[],
    }
  }
  if (operating.value !== null) return of([operating], ['operating_income'])
  const pretax = get('pretax_income')
  const expense = get('interest_expense')
  const [interest, interestName] =
    expense.value !== null ? [expense, 'interest_expense'] : [negated(get('net_interest')), 'net_interest']
  if (pretax.value !== null && interest.value !== null)
    return of([pretax, interest], ['pretax_income', interestName])
  return {
    figure: {
      value: null,
      reason: `operating income: ${operating.reason}; income before tax and interest do not both stand in`,
    },
    source: null,
    estimated: false,
    items: [],
  }
}

const negated = (figure: Figure): Figure =>
  figure.value === null
    ? figure
    : {
        ...figure,
        value: -figure.value,
        parts: figure.parts.map(({ observation, times }) => ({ observation, times: -times })),
      }

function added(figures: readonly Figure[]): Formed {
  const there = figures.filter(figure => figure.value !== null)
  return {
    value: there.reduce((sum, figure) => sum + figure.value, 0),
    method: [...new Set(there.map(figure => figure.method))].join(' + '),
    parts: there.flatMap(figure => figure.parts),
    quarters: Math.min(...there.map(figure => figure.quarters)),
    annualized: there.some(figure => figure.annualized),
    beforeRestatement: there.some(figure => figure.beforeRestatement),
    reason: null,
  }
}

function ratiosOf(
  balance: ReadonlyMap<string, Figure>,
  trailing: ReadonlyMap<string, Figure>,
  ebitda: Figure,
  bank: boolean,
) {
  const none = (leverageReason: string) => ({
    leverage: null,
    netLeverage: null,
    coverage: null,
    leverageReason,
  })
  if (bank) return none('a bank or insurer: debt is its raw material, leverage in this sense says nothing')
  if (ebitda.value === null) return none(`no EBITDA: ${ebitda.reason}`)
  if (ebitda.value <= 0) return none('EBITDA is not positive')
  const interest = trailing.get('interest_expense')!
  const coverage = interest.value !== null && interest.value > 0 ? ebitda.value / interest.value : null
  const debt = balance.get('total_debt')!
  if (debt.value === null) return { ...none(`no total debt: ${debt.reason}`), coverage }
  const cash = balance.get('cash_and_equivalents')!
  return {
    leverage: debt.value / ebitda.value,
    netLeverage: cash.value === null ? null : (debt.value - cash.value) / ebitda.value,
    coverage,
    leverageReason: null,
  }
}

/** Shares from which a finance business shows: of assets, of assets lent in a year, of revenue. */
const LEAST_RECEIVABLES = 0.1

const LEAST_LENDING = 0.05

const LEAST_FINANCE_REVENUE = 0.02

function captiveFinance(
  view: View,
  slot: Slot,
  balance: ReadonlyMap<string, Figure>,
  trailing: ReadonlyMap<string, Figure>,
): string | null {
  const share = (part: Figure, whole: Figure | undefined) =>
    part.value && whole?.value ? part.value / whole.value : 0
  const of = (share: number, text: string) => `${text} ${Math.round(100 * share)}% of`
  const assets = balance.get('total_assets')
  const receivables = share(balanceAt(view, 'finance_receivables', slot), assets)
  if (receivables >= LEAST_RECEIVABLES) return `${of(receivables, 'loans to customers are')} total assets`
  const lending = share(trailingAt(view, 'finance_lending', slot), assets)
  if (lending >= LEAST_LENDING) return `${of(lending, 'a year of lending to customers is')} total assets`
  const revenue = share(trailingAt(view, 'finance_revenue', slot), trailing.get('revenue'))
  return revenue >= LEAST_FINANCE_REVENUE ? `${of(revenue, 'finance revenue is')} revenue` : null
}

function inRange(figure: Figure, minor: number): Figure {
  return figure.value !== null && Math.abs(figure.value * minor) > Number.MAX_SAFE_INTEGER
    ? { value: null, reason: 'over 2^53 minor units: cannot be held exactly' }
    : figure
}

const wholeUnits = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '))

const thousandths = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))

/** What amounts are in: cents, where a currency has them. */
export const amountUnit = (currency: string): string => {
  const minor = minorUnits(currency)
  return minor === 100 ? `${currency} cents` : minor === 1 ? currency : `${currency} thousandths`
}

/** Minor units in one unit of a currency (ISO 4217): 100 cents, 1 yen. */
export const minorUnits = (currency: string): number =>
  wholeUnits.has(currency) ? 1 : thousandths.has(currency) ? 1000 : 100
