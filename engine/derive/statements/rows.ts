import { append } from '../../base/lists.ts'
import type { Day } from '../../credit/calendar.ts'
import { DEFAULT_MAX_AGE } from '../../credit/max-age.ts'
import type { Label, Slot } from './calendar.ts'
import { type Draft, draftsOf } from './drafts.ts'
import { type ExplainedFigure, explainJson } from './explain.ts'
import type { Filing } from './filings.ts'
import type { Figure } from './periods.ts'
import type { Company, CompanyRead } from './read-company.ts'
import { fieldsOf, quotedFieldsOf } from './statement-fields.ts'
import { figureNames, type StatementRow } from './statement-row.ts'

/** Statements of a company, periods that could not be given one, and figures that are not used. */
export interface CompanyStatements extends Pick<CompanyRead, 'left' | 'quarantined'> {
  readonly rows: readonly StatementRow[]
}

/** Every version of every quarterly and trailing statement of a company. */
export function companyStatements({ company, left, quarantined }: CompanyRead): CompanyStatements {
  const rows: StatementRow[] = []
  if (company) for (const slot of company.calendar.slots()) append(rows, versionsOf(slot, company))
  return { rows, left, quarantined }
}

/**
 * The statements of a company that its current figures depend on, in their first and last versions and without a version
 * number: its newest trailing statement, those whose EBITDA may stand in for one that is annualised, and the newest with a
 * schedule of maturities. They explain what those figures quote.
 */
export function newestStatements({ company, left, quarantined }: CompanyRead): CompanyStatements {
  const rows: StatementRow[] = []
  if (!company) return { rows, left, quarantined }
  const prints = [new NewestOf('latest'), new NewestOf('original')]
  for (const slot of company.calendar.slots().reverse()) {
    if (!prints.some(print => print.needs(slot, company))) continue
    const ends = firstAndLast(slot, company).filter(mayBeRead)
    append(rows, ends)
    for (const print of prints) print.add(ends)
  }
  return { rows, left, quarantined }
}

/** What was found, from the newest quarter backwards, of the statements behind current figures as first or last reported. */
class NewestOf {
  private readonly print: 'latest' | 'original'
  private trailing: StatementRow | undefined
  private hasSchedule = false

  constructor(print: 'latest' | 'original') {
    this.print = print
  }

  needs(slot: Slot, { calendar, ledger }: Company): boolean {
    return (
      !this.trailing ||
      mayStandIn(calendar.endOf(slot), this.trailing) ||
      (!this.hasSchedule && ledger.has('debt_due_1yr', slot))
    )
  }

  add(rows: readonly StatementRow[]): void {
    const own = rows.filter(row => row[this.print])
    this.trailing ??= own.find(row => row.basis === 'ttm')
    this.hasSchedule ||= own.some(row => row.amounts[SCHEDULE] !== null)
  }
}

/** Whether figures are read off a statement: of a quarter only its schedule is. */
const mayBeRead = ({ basis, amounts }: StatementRow): boolean => basis === 'ttm' || amounts[SCHEDULE] !== null

/** Whether a statement is new enough to be used, on any later day, for the EBITDA of a newer one that is annualised. */
const mayStandIn = (end: Day | undefined, { annualized, end: newest, known }: StatementRow): boolean =>
  annualized && end !== undefined && end >= Math.min(newest, known) - DEFAULT_MAX_AGE

const SCHEDULE = figureNames.indexOf('debt_due_1yr')

/** A quarter with a name, and the days on which something became known that its statements may depend on. */
interface Reported {
  readonly slot: Slot
  readonly label: Label
  readonly end: Day
  /** The first on which it was reported, and those on which something about it or the quarters before it was new. */
  readonly days: readonly Day[]
  /** Those on which a filing only repeated something of them. */
  readonly repeats: readonly Day[]
}

function reportedIn(slot: Slot, { ledger, calendar }: Company): Reported | null {
  const label = calendar.labelOf(slot)
  const end = calendar.endOf(slot)
  const first = ledger.first.get(slot)
  if (label === null || end === undefined || first === undefined) return null
  const days = new Set([first])
  const repeats = new Set<Day>()
  for (let back = 0, at: Slot | null = slot; back < 8 && at !== null; back++, at = calendar.back(at, 1)) {
    for (const day of ledger.news.get(at) ?? []) if (day > first) days.add(day)
    for (const day of ledger.repeats.get(at) ?? []) if (day > first) repeats.add(day)
  }
  const inOrder = (some: Iterable<Day>) => [...some].sort((a, b) => a - b)
  return { slot, label, end, days: inOrder(days), repeats: inOrder(repeats).filter(day => !days.has(day)) }
}

/** Statements as known on a day. */
interface Known {
  readonly known: Day
  readonly drafts: readonly Draft[]
}

/**
 * The statements of a quarter as known on one of its days, and on those until the next on which a filing repeats parts of
 * which a figure was not formed.
 */
function knownFrom(nth: number, { slot, days, repeats }: Reported, company: Company): readonly Known[] {
  const { ledger, calendar, bank } = company
  const found: Known[] = []
  const until = days[nth + 1] ?? Number.POSITIVE_INFINITY
  let known = days[nth]
  while (known !== undefined) {
    const day = known
    const currency = ledger.currencyOf(slot, day)
    const view = { ledger, calendar, known: day, currency: currency ?? '', mayForm: false }
    found.push({ known: day, drafts: currency === null ? [] : draftsOf(view, slot, bank) })
    known = view.mayForm ? repeats.find(repeat => repeat > day && repeat < until) : undefined
  }
  return found
}

function versionsOf(slot: Slot, company: Company): StatementRow[] {
  const reported = reportedIn(slot, company)
  if (!reported) return []
  const rows: StatementRow[] = []
  const last = new Map<string, { draft: Draft; row: { latest: boolean; readonly version: number } }>()
  const add = (draft: Draft, known: Day) => {
    const before = last.get(draft.basis)
    if (before && isSame(before.draft, draft)) return
    const version = before ? before.row.version + 1 : 1
    const row = {
      ...rowOf({ draft, known }, reported, company),
      version,
      original: version === 1,
      latest: true,
    }
    if (before) before.row.latest = false
    last.set(draft.basis, { draft, row })
    rows.push(row)
  }
  for (const nth of reported.days.keys())
    for (const { known, drafts } of knownFrom(nth, reported, company))
      for (const draft of drafts) add(draft, known)
  return rows
}

/** The first and the last version of each statement of a quarter: one row if they are the same. */
function firstAndLast(slot: Slot, company: Company): StatementRow[] {
  const reported = reportedIn(slot, company)
  if (!reported) return []
  const last = lastOf(reported, company)
  const restated = [...last.values()].filter(({ isRestated }) => isRestated)
  const first = firstOf(
    restated.map(({ draft }) => draft.basis),
    reported,
    company,
  )
  const row = (dated: Dated, flags: { original: boolean; latest: boolean }): StatementRow => ({
    ...rowOf(dated, reported, company, quotedFieldsOf(dated.draft)),
    version: null,
    ...flags,
  })
  return [
    ...[...last.values()].map(dated => row(dated, { original: !dated.isRestated, latest: true })),
    ...first.map(dated => row(dated, { original: true, latest: false })),
  ]
}

/**
 * The last version of each statement of a quarter: as on the first of the days since which it is the same. It is
 * restated if there is a version before it.
 */
function lastOf(
  reported: Reported,
  company: Company,
): ReadonlyMap<string, Dated & { readonly isRestated: boolean }> {
  const newest = new Map<string, Dated & { isRestated: boolean }>()
  const add = (draft: Draft, known: Day) => {
    const after = newest.get(draft.basis)
    if (after?.isRestated) return
    if (after && !isSame(draft, after.draft)) after.isRestated = true
    else newest.set(draft.basis, { draft, known, isRestated: false })
  }
  for (let nth = reported.days.length - 1; nth >= 0; nth--) {
    for (const { known, drafts } of knownFrom(nth, reported, company).toReversed())
      for (const draft of drafts) add(draft, known)
    if (newest.size === BASES && [...newest.values()].every(({ isRestated }) => isRestated)) break
  }
  return newest
}

/** The first version of statements of a quarter: as on the first day that has it. */
function firstOf(bases: readonly string[], reported: Reported, company: Company): Dated[] {
  const first = new Map<string, Dated>()
  for (const nth of reported.days.keys()) {
    if (first.size === bases.length) break
    for (const { known, drafts } of knownFrom(nth, reported, company))
      for (const draft of drafts)
        if (bases.includes(draft.basis) && !first.has(draft.basis)) first.set(draft.basis, { draft, known })
  }
  return [...first.values()]
}

/** The quarter and the trailing year. */
const BASES = 2

interface Dated {
  readonly draft: Draft
  readonly known: Day
}

const rowOf = (
  { draft, known }: Dated,
  { slot, label, end }: Reported,
  company: Company,
  fields: Iterable<readonly [string, ExplainedFigure]> = fieldsOf(draft),
) => {
  const filing = filingOf(draft.figures, known)
  return {
    ...draft,
    fiscalYear: label.year,
    fiscalQuarter: label.quarter,
    end,
    filing,
    filingType: formOf(filing, slot, company),
    known,
    explain: explainJson(fields),
  }
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
