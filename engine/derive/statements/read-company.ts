import { elementAt } from '../../base/elements.ts'
import type { Day } from '../../credit/calendar.ts'
import { isAnnualForm } from '../../filing/report-form.ts'
import { FilingsOfCompany } from './by-filing.ts'
import type { LinksOfFilings } from './calculations.ts'
import { type CalendarEvidence, FiscalCalendar, reportEnd, type Slot } from './calendar.ts'
import { bankItems, type Item } from './concepts.ts'
import {
  ALWAYS,
  balanceSlots,
  calendarEvidence,
  type FactRow,
  type Filing,
  type FilingFacts,
  type Observed,
  observe,
} from './filings.ts'
import { LOADED, observeLoaded, slotOfLoaded } from './loaded-figures.ts'
import type { LoadedRow } from './loaded-row.ts'
import { Ledger } from './periods.ts'
import { type Quarantined, SlipsOfCompany } from './quarantine.ts'

/** What the statements of a company are derived from. */
export interface CompanyFigures {
  /** In the order in which they became known. */
  readonly facts: readonly FactRow[]
  readonly loaded: readonly LoadedRow[]
  /** Banks and insurers have no leverage in this sense. */
  readonly bank: boolean
  /** Calculation links of its filings. */
  readonly links?: LinksOfFilings
}

/** What a company has reported. */
export interface Company {
  readonly ledger: Ledger
  /** What its filings and loaded statements gave, in the order in which they became known. */
  readonly observed: readonly Observed[]
  readonly calendar: FiscalCalendar
  readonly bank: boolean
  /** The slot that each filing reports on. */
  readonly reports: ReadonlyMap<string, Slot>
  readonly forms: { readonly annual: string; readonly interim: string }
}

/** A period that could not be given a statement. */
export interface LeftPeriod {
  readonly end: Day
  readonly reason: string
}

/** What a company has reported, by quarter of its fiscal calendar; null if that cannot be told. */
export interface CompanyRead {
  readonly company: Company | null
  readonly left: readonly LeftPeriod[]
  readonly quarantined: readonly Quarantined[]
}

/** What a company has ever reported. */
export const readCompany = (figures: CompanyFigures): CompanyRead =>
  new CompanyReader(figures).readTo(Infinity)

/** What a filing's facts say, as a calendar placed them. */
interface SeenFiling {
  readonly observed: Observed
  readonly places: string
  readonly calendar: FiscalCalendar
  readonly lastDay: Day
}

/**
 * Reads what a company had reported as of days, one after the other. Each reading is that of all figures known by its day, but
 * reads only what they changed: filings by their facts, and what they say by the fiscal calendar.
 */
export class CompanyReader {
  private readonly figures: CompanyFigures
  private readonly filings: FilingsOfCompany
  private readonly slips = new SlipsOfCompany()
  private readonly evidence = new WeakMap<FilingFacts, CalendarEvidence>()
  private readonly seen = new WeakMap<FilingFacts, SeenFiling>()
  private readonly seenRows = new WeakMap<LoadedRow, { readonly from: string; readonly observed: Observed }>()
  private facts = 0
  private loaded: readonly LoadedRow[] = []
  private before: { readonly observed: readonly Observed[]; readonly ledger: Ledger } | null = null
  private calendar: FiscalCalendar | null = null

  constructor(figures: CompanyFigures) {
    this.figures = figures
    this.filings = new FilingsOfCompany(figures.links)
  }

  /**
   * What the company had reported by a day, not before that of the last call, whose ledger must not be used any more: it is
   * added to.
   */
  readTo(day: Day): CompanyRead {
    this.add(day)
    const { loaded } = this
    const bad = this.slips.read()
    const filings = this.filings.read(bad.facts)
    const reported = filings.map(each => ({ filing: each.filing, evidence: this.evidenceOf(each) }))
    const calendar = FiscalCalendar.from(
      reported.map(({ evidence }) => evidence),
      loaded,
    )
    if (!calendar) {
      const ends = [...this.figures.facts.slice(0, this.facts), ...loaded].map(({ end }) => end)
      const reason = 'no fiscal year end can be told from the filings'
      return {
        company: null,
        left: [...new Set(ends)].map(end => ({ end, reason })),
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
    const observed = this.observed(filings, calendar)
    for (const row of loaded) {
      const slot = slotOfLoaded(row, calendar)
      if (slot === null) {
        left.push({ end: row.end, reason: 'the loaded period fits no quarter of the fiscal calendar' })
        continue
      }
      const each = this.observedOf(row, slot, calendar, bad.loaded.get(row))
      observed.push(each)
      reports.set(each.filing.id, slot)
    }
    const { bank } = this.figures
    const ledger = this.ledgerOf(observed.sort((a, b) => a.filing.known - b.filing.known))
    const forms = formsOf(filings.map(({ filing }) => filing))
    return { company: { ledger, observed, calendar, bank, reports, forms }, left, quarantined: bad.figures }
  }

  private evidenceOf(filing: FilingFacts): CalendarEvidence {
    const evidence = this.evidence.get(filing) ?? calendarEvidence(filing)
    this.evidence.set(filing, evidence)
    return evidence
  }

  private add(day: Day): void {
    const { facts, loaded } = this.figures
    const isKnown = ({ known }: { readonly known: Day | null }) => (known ?? ALWAYS) <= day
    const first = this.facts
    while (this.facts < facts.length && isKnown(elementAt(facts, this.facts))) this.facts++
    this.slips.addFacts(this.filings.add(facts.slice(first, this.facts)))
    const before = new Set(this.loaded)
    for (const [i, row] of loaded.entries())
      if (isKnown(row) && !before.has(row)) this.slips.addLoaded(row, i)
    this.loaded = loaded.filter(isKnown)
  }

  private observed(filings: readonly FilingFacts[], calendar: FiscalCalendar): Observed[] {
    const last = this.calendar
    const agreed = last?.agreesTo(calendar) ?? Number.NEGATIVE_INFINITY
    this.calendar = calendar
    return filings.map(filing => {
      const before = this.seen.get(filing)
      const isPlaced = before && before.calendar === last && before.lastDay <= agreed
      const places = isPlaced ? before.places : placesOf(filing, calendar)
      const observed = before?.places === places ? before.observed : observe(filing, calendar)
      this.seen.set(filing, { observed, places, calendar, lastDay: before?.lastDay ?? lastDayOf(filing) })
      return observed
    })
  }

  /** What a loaded row gives: that of an earlier reading where it would be equal. */
  private observedOf(
    row: LoadedRow,
    slot: Slot,
    calendar: FiscalCalendar,
    quarantined: ReadonlyMap<Item, string> = new Map(),
  ): Observed {
    const first = calendar.back(slot, row.months / 3 - 1)
    const from = `${slot} ${first} ${JSON.stringify([...quarantined])}`
    const before = this.seenRows.get(row)
    if (before?.from === from) return before.observed
    const observed = observeLoaded(row, { first, slot }, quarantined)
    this.seenRows.set(row, { from, observed })
    return observed
  }

  /** Adds to the ledger of the reading before if that had the first of what was observed, in the same order. */
  private ledgerOf(observed: readonly Observed[]): Ledger {
    const { before } = this
    const isMore = before?.observed.every((each, i) => each === observed[i]) ?? false
    const ledger = before && isMore ? before.ledger : new Ledger()
    for (const { found, withheld } of observed.slice(before && isMore ? before.observed.length : 0)) {
      for (const figure of withheld) ledger.withhold(figure)
      for (const figure of found)
        if (this.figures.bank || !bankItems.has(figure.item) || figure.tier === LOADED) ledger.add(figure)
        else
          ledger.withhold({ ...figure, reason: 'an item of banks and insurers, which this company is not' })
    }
    this.before = { observed, ledger }
    return ledger
  }
}

/** The last day of a period or balance of a filing. */
function lastDayOf({ facts, companyLines, dimensional }: FilingFacts): Day {
  let last = Number.NEGATIVE_INFINITY
  for (const list of [facts, companyLines, dimensional])
    for (const { end } of list) last = Math.max(last, end)
  return last
}

/** Where a calendar places the periods of a filing: all that `observe` asks of it. */
function placesOf({ facts, companyLines, dimensional }: FilingFacts, calendar: FiscalCalendar): string {
  const places = new Map<string, string>()
  for (const list of [facts, companyLines, dimensional])
    for (const { start, end } of list) {
      const period = `${start} ${end}`
      if (places.has(period)) continue
      const { from, to } =
        (start === null ? balanceSlots(calendar.slotOf(end)) : calendar.slotsOf(start, end)) ?? {}
      places.set(period, to === undefined ? '' : `${from} ${to} ${calendar.endOf(to)}`)
    }
  return [...places.values()].join()
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
