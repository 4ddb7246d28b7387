import { elementAt, firstOf } from '../../base/elements.ts'
import { append, largest, smallest } from '../../base/lists.ts'
import { addMonths, civil, type Day, daysInMonth, isEndOfMonth, toDay } from '../../credit/calendar.ts'

/** An interval shared by facts of one filing, and their number. */
export interface Span {
  readonly start: Day
  readonly end: Day
  readonly count: number
}

/** What a filing shows of its company's fiscal calendar. */
export interface CalendarEvidence {
  readonly annual: boolean
  readonly spans: readonly Span[]
  /** Days with balances, and the number of facts. */
  readonly instants: ReadonlyMap<Day, number>
  readonly report: Day | null
  readonly fiscalYear: number | null
  readonly fiscalPeriod: string | null
}

/** Given by loaded statement rows, which name their quarter. */
export interface NamedPeriod {
  readonly fiscalYear: number
  readonly fiscalQuarter: number
  readonly end: Day
}

export interface Label {
  readonly year: number
  readonly quarter: number
}

/** An index in the fiscal calendar: four per fiscal year, whatever the quarters' lengths. */
export type Slot = number

const YEAR = 365.25
const QUARTER = YEAR / 4
/** Tolerance for 52 and 53 week years, and dates a few days off. */
const SAME_END = 10
/** How far a quarter of 12 or 16 weeks ends from a quarter of the year. */
const OFF_QUARTER = 30

interface Candidate {
  day: Day
  weight: number
}

interface FiscalYear {
  readonly start: Day
  end: Day
  /** Quarters in it: fewer than four if the company changed its fiscal year end. */
  readonly quarters: number
}

const isSameYear = (a: FiscalYear, b: FiscalYear): boolean =>
  a.start === b.start && a.end === b.end && a.quarters === b.quarters

/** A function of evidence, which is asked again of each calendar that the evidence is for. */
function remembered<T>(of: (evidence: CalendarEvidence) => T): (evidence: CalendarEvidence) => T {
  const known = new WeakMap<CalendarEvidence, { readonly value: T }>()
  return evidence => {
    const found = known.get(evidence) ?? { value: of(evidence) }
    known.set(evidence, found)
    return found.value
  }
}

/** The same day some years later; a month-end stays one. */
const yearsOn = (day: Day, years: number): Day => addMonths(day, 12 * years, isEndOfMonth(day))

const heaviest = <T extends { readonly count: number }>(items: readonly T[]): number =>
  items.reduce((most, item) => Math.max(most, item.count), 0)

/**
 * The period a filing reports on: the newest end shared by a fair part of its flows, else its newest balance sheet.
 */
export const reportEnd = remembered(({ spans, instants, report, annual }: CalendarEvidence): Day | null => {
  const flows = annual ? spans.filter(span => isYear(span)) : spans.filter(span => days(span) < 300)
  if (report !== null) {
    const near = flows.filter(span => Math.abs(span.end - report) <= SAME_END)
    if (near.length) return near.reduce((a, b) => (b.count > a.count ? b : a)).end
  }
  const counts = new Map<Day, number>()
  for (const span of flows) counts.set(span.end, (counts.get(span.end) ?? 0) + span.count)
  const most = largest(counts.values(), 0)
  const shared = [...counts].filter(([, count]) => count >= 0.3 * most).map(([end]) => end)
  if (shared.length) return largest(shared)
  const fullest = largest(instants.values(), 0)
  const sheets = [...instants].filter(([, count]) => count >= 0.5 * fullest).map(([day]) => day)
  return report ?? (sheets.length ? largest(sheets) : null)
})

const days = (span: Span): number => span.end - span.start + 1
const isYear = (span: Span): boolean => days(span) >= 340 && days(span) <= 385

/** The fiscal year ends that one filing shows. */
const yearEnds = remembered((evidence: CalendarEvidence): Candidate[] => {
  const end = reportEnd(evidence)
  if (end === null) return []
  const { spans, annual, instants, fiscalPeriod } = evidence
  if (annual) {
    const found: Candidate[] = [{ day: end, weight: 3 }]
    for (const span of spans.filter(isYear))
      for (const day of [span.end, span.start - 1]) {
        const ago = (end - day) / YEAR
        if (ago > 0.5 && Math.abs(ago - Math.round(ago)) * YEAR <= SAME_END) found.push({ day, weight: 1 })
      }
    return found
  }
  const ending = spans.filter(span => Math.abs(span.end - end) <= SAME_END && days(span) < 300)
  const fair = ending.filter(span => span.count >= 0.1 * heaviest(ending))
  const start = smallest(fair.map(span => span.start))
  if (end - start > 150) return [{ day: start - 1, weight: 1 }]
  // With single quarters only, the older balance sheet is that of the last year end.
  const older = [...instants].filter(([day]) => end - day > 60 && end - day < 300)
  const most = largest(
    older.map(([, count]) => count),
    0,
  )
  const balance = older.filter(([, count]) => count >= 0.5 * most).map(([day]) => day)
  if (balance.length && fiscalPeriod !== 'Q1') return [{ day: largest(balance), weight: 1 }]
  if (!Number.isFinite(start)) return []
  // A quarter alone begins the year, unless its filing says which one it is.
  const quarter = Number(/^Q([23])$/.exec(fiscalPeriod ?? '')?.[1] ?? 1)
  return [{ day: addMonths(start - 1, 3 - 3 * quarter, isEndOfMonth(start - 1)), weight: 1 }]
})

/** Candidates within a few days are one year end, on the day with more facts. */
function merged(candidates: readonly Candidate[]): Candidate[] {
  const sorted = [...candidates].sort((a, b) => a.day - b.day)
  const groups: Candidate[][] = []
  for (const candidate of sorted) {
    const last = groups.at(-1)
    if (last && candidate.day - last.at(-1)!.day <= SAME_END) last.push(candidate)
    else groups.push([candidate])
  }
  return groups.map(group => {
    const byDay = new Map<Day, number>()
    for (const { day, weight } of group) byDay.set(day, (byDay.get(day) ?? 0) + weight)
    const [day] = [...byDay].reduce((a, b) => (b[1] > a[1] ? b : a))
    return { day, weight: group.reduce((sum, c) => sum + c.weight, 0) }
  })
}

/** Year ends one year apart, with gaps filled and a doubtful one between two good ones dropped. */
function chain(candidates: readonly Candidate[], first: Day, last: Day): Day[] {
  const chosen: Candidate[] = []
  for (const next of merged(candidates)) {
    for (;;) {
      const before = chosen.at(-1)
      if (!before || next.day - before.day >= 330) {
        chosen.push(next)
        break
      }
      // A change of fiscal year: both ends are in annual reports of their own.
      if (before.weight >= 3 && next.weight >= 3) {
        chosen.push(next)
        break
      }
      if (next.weight <= before.weight) break
      chosen.pop()
    }
  }
  if (chosen.length === 0) return []
  const ends: Day[] = []
  for (const [i, { day }] of chosen.entries()) {
    const before = chosen[i - 1]?.day
    if (before !== undefined) {
      const between: Day[] = []
      for (let k = 1; yearsOn(day, -k) - before > 330; k++) between.unshift(yearsOn(day, -k))
      append(ends, between)
    }
    ends.push(day)
  }
  for (let k = 1; firstOf(ends) >= first - SAME_END; k++) ends.unshift(yearsOn(firstOf(chosen).day, -k))
  for (let k = 1; ends.at(-1)! < last - SAME_END; k++) ends.push(yearsOn(chosen.at(-1)!.day, k))
  return ends
}

/** A company's fiscal calendar: where period ends fall, and what the company calls them. */
export class FiscalCalendar {
  private readonly years: readonly FiscalYear[]
  private readonly ends = new Map<Slot, Day>()
  private readonly names: readonly (number | null)[]
  /** Period ends that fit no fiscal year of four quarters. */
  readonly unlabelled: readonly Day[]

  private constructor(years: readonly FiscalYear[], ends: ReadonlyMap<Day, number>, tags: readonly Tag[]) {
    this.years = years
    const weights = new Map<Slot, number>()
    for (const [end, count] of [...ends].sort((a, b) => a[0] - b[0])) {
      const slot = this.placeOf(end)
      if (slot === null || count <= (weights.get(slot) ?? 0)) continue
      weights.set(slot, count)
      this.ends.set(slot, end)
    }
    this.names = yearNames(years, tags, day => this.yearOf(day))
    this.unlabelled = [...this.ends].filter(([slot]) => this.labelOf(slot) === null).map(([, end]) => end)
  }

  /** Null if nothing shows a fiscal year end. */
  static from(
    evidence: readonly CalendarEvidence[],
    named: readonly NamedPeriod[] = [],
  ): FiscalCalendar | null {
    const candidates = evidence.flatMap(yearEnds)
    const tags: Tag[] = []
    for (const filing of evidence) {
      const end = reportEnd(filing)
      if (end !== null && filing.fiscalYear !== null)
        tags.push({ day: end, year: filing.fiscalYear, weight: filing.annual ? 4 : 1 })
    }
    const ends = new Map<Day, number>()
    const add = (day: Day, weight: number) => ends.set(day, (ends.get(day) ?? 0) + weight)
    for (const { spans, instants } of evidence) {
      for (const span of spans) add(span.end, span.count)
      for (const span of spans) if (!ends.has(span.start - 1)) add(span.start - 1, 0.1)
      for (const [day, count] of instants) add(day, count / 1000)
    }
    for (const { fiscalYear, fiscalQuarter, end } of named) {
      const yearEnd = fiscalQuarter === 4 ? end : addMonths(end, 12 - 3 * fiscalQuarter, isEndOfMonth(end))
      candidates.push({ day: yearEnd, weight: fiscalQuarter === 4 ? 3 : 1 })
      tags.push({ day: end, year: fiscalYear, weight: 100 })
      add(end, 1)
    }
    const known = [...ends.keys()]
    if (known.length === 0) return null
    const yearEndDays = chain(
      candidates,
      known.reduce((a, b) => Math.min(a, b)),
      known.reduce((a, b) => Math.max(a, b)),
    )
    if (yearEndDays.length < 2) return null
    const years = yearEndDays.slice(1).map((end, i): FiscalYear => {
      const start = elementAt(yearEndDays, i) + 1
      return { start, end, quarters: Math.min(4, Math.max(1, Math.round((end - start + 1) / QUARTER))) }
    })
    return new FiscalCalendar(years, ends, tags)
  }

  /** The last day up to which another calendar places all days in the same slots, which end on the same days. */
  agreesTo(other: FiscalCalendar): Day {
    const [years, others] = [this.years, other.years]
    let same = 0
    while (
      same < years.length &&
      same < others.length &&
      isSameYear(elementAt(years, same), elementAt(others, same))
    )
      same++
    for (const slot of new Set([...this.ends.keys(), ...other.ends.keys()]))
      if (this.ends.get(slot) !== other.ends.get(slot)) same = Math.min(same, Math.floor(slot / 4))
    return same === 0 ? Number.NEGATIVE_INFINITY : elementAt(years, same - 1).end + SAME_END
  }

  /** Whether another calendar has all quarters and years of this one, under the same names. */
  isPartOf(other: FiscalCalendar): boolean {
    return (
      [...this.ends].every(([slot, end]) => other.ends.get(slot) === end) &&
      this.years.every(
        ({ quarters }, i) => other.years[i]?.quarters === quarters && other.names[i] === this.names[i],
      )
    )
  }

  private yearOf(end: Day): number | null {
    let low = 0
    let high = this.years.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const { start, end: last } = elementAt(this.years, middle)
      if (end <= start - 1 + SAME_END) high = middle - 1
      else if (end > last + SAME_END) low = middle + 1
      else return middle
    }
    return null
  }

  private placeOf(end: Day): Slot | null {
    const index = this.yearOf(end)
    if (index === null) return null
    const year = elementAt(this.years, index)
    if (Math.abs(end - year.end) <= SAME_END) return index * 4 + year.quarters - 1
    const elapsed = end - year.start + 1
    const quarter = Math.round(elapsed / QUARTER)
    if (quarter < 1 || quarter >= year.quarters || Math.abs(elapsed - quarter * QUARTER) > OFF_QUARTER)
      return null
    return index * 4 + quarter - 1
  }

  /** The slot of a period ending on this day; null if no quarter does. */
  slotOf(end: Day): Slot | null {
    const slot = this.placeOf(end)
    if (slot === null) return null
    const known = this.ends.get(slot)
    return known === undefined || Math.abs(known - end) <= SAME_END ? slot : null
  }

  /** First and last slot of a flow; null if it does not consist of whole quarters. */
  slotsOf(start: Day, end: Day): { from: Slot; to: Slot } | null {
    const to = this.slotOf(end)
    if (to === null) return null
    // The day before the first year ends no slot, but is a boundary.
    const before =
      start - 1 <= firstOf(this.years).start + SAME_END &&
      start - 1 >= firstOf(this.years).start - 1 - SAME_END
        ? -1
        : this.slotOf(start - 1)
    if (before === null) return null
    const from = before === -1 ? 0 : this.next(before)
    return from <= to ? { from, to } : null
  }

  endOf = (slot: Slot): Day | undefined => this.ends.get(slot)

  labelOf(slot: Slot): Label | null {
    const year = this.names[Math.floor(slot / 4)] ?? null
    return year === null ? null : { year, quarter: (slot % 4) + 1 }
  }

  slotNamed({ year, quarter }: Label): Slot | null {
    const index = this.names.indexOf(year)
    return index < 0 || quarter > elementAt(this.years, index).quarters ? null : index * 4 + quarter - 1
  }

  slots = (): Slot[] => [...this.ends.keys()].sort((a, b) => a - b)
  firstOf = (slot: Slot): Slot => slot - (slot % 4)
  isYearEnd = (slot: Slot): boolean => slot % 4 === (this.years[Math.floor(slot / 4)]?.quarters ?? 4) - 1

  next(slot: Slot): Slot {
    return this.isYearEnd(slot) ? this.firstOf(slot) + 4 : slot + 1
  }

  /** The slot the given number of quarters earlier; null before the first year. */
  back(slot: Slot, quarters: number): Slot | null {
    let at = slot
    for (let i = 0; i < quarters; i++) {
      if (at < 0) return null
      at = at % 4 === 0 ? at - 4 + (this.years[at / 4 - 1]?.quarters ?? 0) - 1 : at - 1
      if (at < 0) return null
    }
    return at
  }
}

interface Tag {
  readonly day: Day
  readonly year: number
  readonly weight: number
}

// A year that ends in the first week of January is named after the year before, which contains its other 51 weeks.
const calendarYear = (end: Day) => civil(end - 7).year

/**
 * The name of each fiscal year: as the company's filings name it, by the usual offset from the calendar year of its
 * end (a retailer's year ending in January 2024 is its 2023). Null if a short year would take another's name.
 */
function yearNames(
  years: readonly FiscalYear[],
  tags: readonly Tag[],
  yearOf: (day: Day) => number | null,
): (number | null)[] {
  const month = (end: Day) => civil(end - 7).month
  const votes = new Map<number, Map<number, number>>()
  const all = new Map<number, number>()
  for (const { day, year, weight } of tags) {
    const index = yearOf(day)
    if (index === null) continue
    const offset = year - calendarYear(elementAt(years, index).end)
    if (Math.abs(offset) > 1) continue
    const own = votes.get(month(elementAt(years, index).end)) ?? new Map<number, number>()
    own.set(offset, (own.get(offset) ?? 0) + weight)
    votes.set(month(elementAt(years, index).end), own)
    all.set(offset, (all.get(offset) ?? 0) + weight)
  }
  const usual = (counts: ReadonlyMap<number, number> | undefined) =>
    counts && [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0]
  const names: (number | null)[] = []
  for (const [i, { end, quarters }] of years.entries()) {
    let name = calendarYear(end) + (usual(votes.get(month(end))) ?? usual(all) ?? 0)
    const before = names.findLast(n => n !== null)
    if (before !== undefined && before !== null && name <= before) {
      if (quarters < 4) {
        names.push(null)
        continue
      }
      if (elementAt(years, i - 1).quarters < 4 && names[i - 1] === name) names[i - 1] = null
      else name = before + 1
    }
    names.push(name)
  }
  return names
}

/** The nearest month-end, which sources that round dates would use. */
export function nearestMonthEnd(day: Day): Day {
  const { year, month } = civil(day)
  const end = toDay(year, month, daysInMonth(year, month))
  const before = toDay(year, month, 1) - 1
  return end - day <= day - before ? end : before
}
