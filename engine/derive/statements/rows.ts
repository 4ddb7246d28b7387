import { append } from '../../base/lists.ts'
import type { Day } from '../../credit/calendar.ts'
import { isAnnualForm } from '../../filing/report-form.ts'
import type { Calculations } from './calculations.ts'
import { FiscalCalendar, reportEnd, type Slot } from './calendar.ts'
import { bankItems } from './concepts.ts'
import { type Draft, draftsOf } from './drafts.ts'
import { explainJson } from './explain.ts'
import { byFiling, calendarEvidence, type FactRow, type Filing, isPlain, observe } from './filings.ts'
import { LOADED, observeLoaded, slotOfLoaded } from './loaded-figures.ts'
import type { LoadedRow } from './loaded-row.ts'
import { type Figure, Ledger } from './periods.ts'
import { type Quarantined, quarantine } from './quarantine.ts'
import { fieldsOf } from './statement-fields.ts'
import type { StatementRow } from './statement-row.ts'

export interface CompanyFigures {
  readonly facts: readonly FactRow[]
  readonly loaded: readonly LoadedRow[]
  /** Banks and insurers have no leverage in this sense. */
  readonly bank: boolean
  /** Calculation links by the name that the files of a filing share. */
  readonly calculations?: ReadonlyMap<string, Calculations>
}

export interface CompanyStatements {
  readonly rows: readonly StatementRow[]
  /** Periods that could not be given a row, with the reason. */
  readonly left: readonly { readonly end: Day; readonly reason: string }[]
  readonly quarantined: readonly Quarantined[]
}

/** Every version of every quarterly and trailing statement of a company. */
export function companyStatements({ facts, loaded, bank, calculations }: CompanyFigures): CompanyStatements {
  const bad = quarantine(facts.filter(isPlain), loaded)
  const filings = byFiling(facts, bad.facts, calculations)
  const reported = filings.map(one => ({ filing: one.filing, evidence: calendarEvidence(one) }))
  const calendar = FiscalCalendar.from(
    reported.map(({ evidence }) => evidence),
    loaded,
  )
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
  for (const { filing, evidence } of reported) {
    const end = reportEnd(evidence)
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
    append(rows, versionsOf(slot, { ledger, calendar, bank, reports, forms }))
  return { rows, left, quarantined: bad.figures }
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
  const last = new Map<string, { draft: Draft; row: { latest: boolean; readonly version: number } }>()
  for (const known of [...days].sort((a, b) => a - b)) {
    const currency = ledger.currencyOf(slot, known)
    if (currency === null) continue
    for (const draft of draftsOf({ ledger, calendar, known, currency }, slot, company.bank)) {
      const before = last.get(draft.basis)
      if (before && isSame(before.draft, draft)) continue
      const filing = filingOf(draft.figures, known)
      const row = {
        ...draft,
        fiscalYear: label.year,
        fiscalQuarter: label.quarter,
        version: before ? before.row.version + 1 : 1,
        end,
        filing,
        filingType: formOf(filing, slot, company),
        known,
        latest: true,
        explain: explainJson(fieldsOf(draft)),
      }
      if (before) before.row.latest = false
      last.set(draft.basis, { draft, row })
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

/** The filing that a version is attributed to: the newest one, with most of its figures. */
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

/** The form on which a period is reported: that of its own report if this is it, else the company's usual one. */
function formOf(filing: Filing, slot: Slot, { calendar, reports, forms }: Company): string | null {
  if (reports.get(filing.id) === slot && filing.form !== null) return filing.form
  return calendar.isYearEnd(slot) ? forms.annual : forms.interim
}
