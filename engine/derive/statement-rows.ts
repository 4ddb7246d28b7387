import type { Day } from '../credit/calendar.ts'
import { statementItems } from '../datasets.ts'
import { isAnnualForm } from '../report-form.ts'
import type { Item } from './concepts.ts'
import { FiscalCalendar, type NamedPeriod, reportEnd, type Slot } from './statement-calendar.ts'
import {
  ALWAYS,
  byFiling,
  calendarEvidence,
  type FactRow,
  type Filing,
  type Observation,
  observe,
} from './statement-filings.ts'
import { lineageOf } from './statement-lineage.ts'
import {
  balanceAt,
  type Figure,
  isFlow,
  Ledger,
  leading,
  quarterAt,
  trailingAt,
  type View,
} from './statement-periods.ts'

/** A row of a loaded statement table. Figures are in minor units of its currency. */
export interface LoadedRow extends NamedPeriod {
  readonly months: number
  readonly currency: string
  readonly form: string | null
  readonly filed: Day | null
  readonly known: Day | null
  readonly accession: string | null
  readonly figures: Readonly<Partial<Record<Item, number | null>>>
}

export interface CompanyFigures {
  readonly facts: readonly FactRow[]
  readonly loaded: readonly LoadedRow[]
  /** Banks and insurers have no leverage in this sense. */
  readonly bank: boolean
}

export const figureNames = [
  ...Object.keys(statementItems),
  'secured_debt',
  'debt_due_1yr',
  'debt_due_2yr',
  'debt_due_3yr',
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
  readonly latest: boolean
  readonly lineage: string
}

export interface CompanyStatements {
  readonly rows: readonly StatementRow[]
  /** Periods that could not be given a row, with the reason. */
  readonly left: readonly { readonly end: Day; readonly reason: string }[]
}

/** Every version of every quarterly and trailing statement that a company's figures make. */
export function companyStatements({ facts, loaded, bank }: CompanyFigures): CompanyStatements {
  const filings = byFiling(facts)
  const evidence = filings.map(calendarEvidence)
  const calendar = FiscalCalendar.from(evidence, loaded)
  if (!calendar) {
    const ends = [...new Set([...facts, ...loaded].map(row => row.end))]
    return {
      rows: [],
      left: ends.map(end => ({ end, reason: 'no fiscal year end can be told from the filings' })),
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
  const observations = filings.flatMap(filing => observe(filing, calendar))
  for (const row of loaded) {
    const slot = slotOfLoaded(row, calendar)
    if (slot === null)
      left.push({ end: row.end, reason: 'the loaded period fits no quarter of the fiscal calendar' })
    else observations.push(...loadedObservations(row, slot, calendar, reports))
  }
  observations.sort((a, b) => a.filing.known - b.filing.known)
  const ledger = new Ledger()
  for (const observation of observations) ledger.add(observation)

  const forms = formsOf(filings.map(({ filing }) => filing))
  const rows: StatementRow[] = []
  for (const slot of calendar.slots())
    rows.push(...versionsOf(slot, { ledger, calendar, bank, reports, forms }))
  return { rows, left }
}

function slotOfLoaded(row: LoadedRow, calendar: FiscalCalendar): Slot | null {
  const named = calendar.slotNamed({ year: row.fiscalYear, quarter: row.fiscalQuarter })
  const end = named === null ? undefined : calendar.endOf(named)
  if (named !== null && (end === undefined || Math.abs(end - row.end) <= 45)) return named
  return calendar.slotOf(row.end)
}

/** The user's own figures: they come before what is read from filings. */
const LOADED = -1

function loadedObservations(
  row: LoadedRow,
  slot: Slot,
  calendar: FiscalCalendar,
  reports: Map<string, Slot>,
): Observation[] {
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
  const from = calendar.back(slot, row.months / 3 - 1)
  const minor = minorUnits(row.currency)
  return Object.entries(row.figures).flatMap(([name, amount]): Observation[] => {
    const item = name as Item
    if (amount === null || amount === undefined || (isFlow(item) && from === null)) return []
    const fact = {
      concept: `statement:${item}`,
      start: null,
      end: row.end,
      value: amount / minor,
      decimals: null,
      rounded: false,
    }
    return [
      {
        item,
        from: isFlow(item) ? from! : slot,
        to: slot,
        value: fact.value,
        tier: LOADED,
        way: `+${fact.concept}`,
        terms: [{ fact, sign: 1 }],
        filing,
      },
    ]
  })
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
  const last = new Map<string, { shape: string; at: number }>()
  for (const known of [...days].sort((a, b) => a - b)) {
    const currency = ledger.currencyOf(slot, known)
    if (currency === null) continue
    for (const draft of statementsOf({ ledger, calendar, known, currency }, slot, company.bank)) {
      const shape = JSON.stringify([
        draft.currency,
        draft.amounts,
        draft.leverage,
        draft.ttmQuarters,
        draft.annualized,
      ])
      const before = last.get(draft.basis)
      if (before?.shape === shape) continue
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
        lineage: JSON.stringify(lineageOf(draft.figures, draft.currency)),
      }
      if (before) rows[before.at] = { ...rows[before.at]!, latest: false }
      last.set(draft.basis, { shape, at: rows.length })
      rows.push(row)
    }
  }
  return rows
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
  | 'lineage'
> & { readonly figures: ReadonlyMap<string, Figure> }

const flowNames = figureNames.filter(name => isFlow(name) && name !== 'ebitda')
const balanceNames = figureNames.filter(name => !isFlow(name))

/** The quarter and the trailing twelve months that end in a slot, as known on the view's day. */
function statementsOf(view: View, slot: Slot, bank: boolean): Draft[] {
  const balance = new Map<string, Figure>(balanceNames.map(item => [item, balanceAt(view, item, slot)]))
  const trailing = new Map<string, Figure>(flowNames.map(item => [item, trailingAt(view, item, slot)]))
  const ttm = ebitdaOf(item => trailing.get(item) ?? trailingAt(view, item, slot))
  const core = [ttm.figure, ...flowNames.map(item => trailing.get(item)!)].find(
    figure => figure.value !== null,
  )
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
      ebitdaSource: ttm.figure.value !== null ? ttm.source : ebitda.source,
      ebitdaQuarters: ttm.figure.value === null ? null : ttm.figure.quarters,
      ttmQuarters: labelsBack(view.calendar, slot, quarters),
      ...ratios,
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
}

/** EBITDA as loaded; else from operating income; else from income before tax; depreciation and amortisation added. */
function ebitdaOf(get: (item: Item) => Figure): Ebitda {
  const reported = get('ebitda')
  if (reported.value !== null) return { figure: reported, source: 'reported', estimated: false }
  const charge = get('depreciation_amortization')
  const operating = get('operating_income')
  if (operating.value !== null)
    return charge.value !== null
      ? {
          figure: added([operating, charge]),
          source: 'operating_income + depreciation_amortization',
          estimated: false,
        }
      : { figure: operating, source: 'operating_income', estimated: true }
  const pretax = get('pretax_income')
  const expense = get('interest_expense')
  const income = get('net_interest_income')
  const [interest, interestName] =
    expense.value !== null ? [expense, 'interest_expense'] : [negated(income), 'net_interest']
  if (pretax.value !== null && interest.value !== null)
    return charge.value !== null
      ? {
          figure: added([pretax, interest, charge]),
          source: `pretax_income + ${interestName} + depreciation_amortization`,
          estimated: false,
        }
      : { figure: added([pretax, interest]), source: `pretax_income + ${interestName}`, estimated: true }
  return {
    figure: {
      value: null,
      reason: `operating income: ${operating.reason}; income before tax and interest do not both stand in`,
    },
    source: null,
    estimated: false,
  }
}

const negated = (figure: Figure): Figure =>
  figure.value === null
    ? figure
    : {
        ...figure,
        value: -figure.value,
        parts: figure.parts.map(({ observation, sign }) => ({ observation, sign: sign < 0 ? 1 : -1 })),
      }

function added(figures: readonly Figure[]): Figure {
  const there = figures.filter(figure => figure.value !== null)
  return {
    value: there.reduce((sum, figure) => sum + figure.value, 0),
    method: there.map(figure => figure.method).join(' + '),
    parts: there.flatMap(figure => figure.parts),
    quarters: Math.min(...there.map(figure => figure.quarters)),
    annualized: there.some(figure => figure.annualized),
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

function inRange(figure: Figure, minor: number): Figure {
  return figure.value !== null && Math.abs(figure.value * minor) > Number.MAX_SAFE_INTEGER
    ? { value: null, reason: 'over 2^53 minor units: cannot be held exactly' }
    : figure
}

const wholeUnits = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '))
const thousandths = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))

/** Minor units in one unit of a currency (ISO 4217): 100 cents, 1 yen. */
export const minorUnits = (currency: string): number =>
  wholeUnits.has(currency) ? 1 : thousandths.has(currency) ? 1000 : 100
