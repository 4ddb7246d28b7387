import type { FiscalCalendar, Slot } from './calendar.ts'
import type { Item } from './concepts.ts'
import { type Ebitda, ebitdaOf } from './ebitda.ts'
import { isFlow, leading } from './item-kinds.ts'
import { minorUnits } from './minor-units.ts'
import { balanceAt, type Figure, quarterAt, trailingAt, type View } from './periods.ts'
import { figureNames, type StatementRow } from './statement-row.ts'

/** A statement as known on one day, before it is compared with earlier versions. */
export type Draft = Omit<
  StatementRow,
  | 'fiscalYear'
  | 'fiscalQuarter'
  | 'version'
  | 'end'
  | 'filing'
  | 'filingType'
  | 'known'
  | 'original'
  | 'latest'
  | 'explain'
> & {
  readonly figures: ReadonlyMap<string, Figure>
  /** Of the row; `trailingEbitda` is the one behind its leverage. */
  readonly ebitda: Ebitda
  readonly trailingEbitda: Figure
}

const flowNames = figureNames.filter(name => isFlow(name) && name !== 'ebitda')

const balanceNames = figureNames.filter(name => !isFlow(name))

/** The quarter and the trailing twelve months that end in a slot, as known on the view's day. */
export function draftsOf(view: View, slot: Slot, bank: boolean): Draft[] {
  const balance = new Map<string, Figure>(balanceNames.map(item => [item, balanceAt(view, item, slot)]))
  const trailing = new Map<string, Figure>(flowNames.map(item => [item, trailingAt(view, item, slot)]))
  const ttm = ebitdaOf(item => trailing.get(item) ?? trailingAt(view, item, slot))
  // Without a leading flow there is no trailing statement, and no basis to report.
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

/** Annualised figures appear only in rows flagged as such. */
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

/** Minimum shares that reveal a finance business: of assets, of assets lent in a year, of revenue. */
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
