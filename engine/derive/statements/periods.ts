import { append, largest } from '../../base/lists.ts'
import type { Day } from '../../credit/calendar.ts'
import type { FiscalCalendar, Slot } from './calendar.ts'
import { isCompanyFlow } from './company-flows.ts'
import type { Item } from './concepts.ts'
import { trailingZeros } from './digits.ts'
import { type Observation, sameFigure, type Withheld } from './filings.ts'
import { leading } from './item-kinds.ts'

export interface Part {
  readonly observation: Observation
  /** 1, -1 if subtracted, more if a shorter period is scaled to a year. */
  readonly times: number
}

/** A figure with its inputs, in units of the currency. */
export interface Formed {
  readonly value: number
  readonly method: string
  readonly parts: readonly Part[]
  /** Quarters of stated figures behind a trailing figure: 4 unless annualised; 1 for a quarter, 0 for a balance. */
  readonly quarters: number
  readonly annualized: boolean
  /**
   * The last one formed on a single basis: a later filing restated the whole, but not the part that is subtracted.
   */
  readonly beforeRestatement: boolean
  readonly reason: null
}

/** No figure, and why; with the partial figure if there is one. */
export interface Missing {
  readonly value: null
  readonly reason: string
  readonly parts?: readonly Part[]
}

export type Figure = Formed | Missing

/** A smaller restatement is a correction; a larger one changes the company's perimeter. */
const LITTLE = 0.02
/** Days within which the reports of one fiscal year follow each other. */
const A_YEAR_ON = 400
/** Minimum share of a quarter's revenue relative to its neighbours. */
const EVEN = 0.6

const isLittle = (is: Observation, was: Observation): boolean =>
  Math.abs(is.value - was.value) <= LITTLE * Math.abs(was.value)

const key = (from: Slot, to: Slot): number => from * 100_000 + to

/** Every figure ever stated for a company's items, in the order it became known. */
export class Ledger {
  private readonly items = new Map<Item, Map<number, Observation[]>>()
  /**
   * Later days on which a filing repeated a current figure, which then has the same basis as that day's other
   * figures.
   */
  private readonly repeated = new Map<Observation, Day[]>()
  /** The same days, by the slot in which a period ends. */
  readonly repeats = new Map<Slot, Set<Day>>()
  /** The first day on which a filing gave an item. */
  private readonly begun = new Map<Item, Day>()
  /** Days on which something became known about a period ending in the slot. */
  readonly news = new Map<Slot, Set<Day>>()
  /** The first day with an income or cash flow statement, or a balance sheet, of the slot. */
  readonly first = new Map<Slot, Day>()
  private readonly newest = new Map<Slot, Observation[]>()
  private readonly withheld = new Map<Item, Withheld[]>()

  /**
   * Adds an observation; they come in the order in which they became known. A repetition of the current figure is not
   * a new version.
   */
  add(observation: Observation): void {
    const { item, from, to, filing } = observation
    this.begun.set(item, Math.min(this.begun.get(item) ?? filing.known, filing.known))
    let intervals = this.items.get(item)
    if (!intervals) {
      intervals = new Map()
      this.items.set(item, intervals)
    }
    const history = intervals.get(key(from, to)) ?? []
    const current = inForce(history, filing.known, filing.currency)
    if (current && current.tier <= observation.tier && sameFigure(current, observation)) {
      this.repeated.set(current, [...(this.repeated.get(current) ?? []), filing.known])
      this.repeats.set(to, (this.repeats.get(to) ?? new Set<Day>()).add(filing.known))
      return
    }
    history.push(observation)
    intervals.set(key(from, to), history)
    const days = this.news.get(to) ?? new Set<Day>()
    days.add(filing.known)
    this.news.set(to, days)
    if (leading.has(item)) {
      this.first.set(to, Math.min(this.first.get(to) ?? filing.known, filing.known))
      const observed = this.newest.get(to) ?? []
      observed.push(observation)
      this.newest.set(to, observed)
    }
  }

  /** Whether a filing ever gave an item for a period that ends in the slot. */
  has(item: Item, slot: Slot): boolean {
    return this.items.get(item)?.has(key(slot, slot)) ?? false
  }

  /** The currency of the newest filing about the slot by a day. */
  currencyOf(slot: Slot, known: Day): string | null {
    return this.newest.get(slot)?.findLast(o => o.filing.known <= known)?.filing.currency ?? null
  }

  /** The current figure for an interval on a day. */
  current(item: Item, from: Slot, to: Slot, known: Day, currency: string): Observation | null {
    return inForce(this.items.get(item)?.get(key(from, to)), known, currency)
  }

  /**
   * The figure current when another was last filed, so that both have the same basis; else the first one after it.
   */
  beside(other: Observation, from: Slot, to: Slot, known: Day): Observation | null {
    const history = this.items.get(other.item)?.get(key(from, to))
    const { currency } = other.filing
    const same = history?.filter(o => o.way === other.way)
    const filedOn = this.repeated.get(other)?.findLast(day => day <= known) ?? other.filing.known
    return (
      inForce(same, filedOn, currency) ??
      inForce(history, filedOn, currency) ??
      history?.find(o => o.filing.known <= known && o.filing.currency === currency) ??
      null
    )
  }

  /** The previous figure for the same interval; null for the first. */
  before({ item, from, to, filing }: Observation): Observation | null {
    return inForce(this.items.get(item)?.get(key(from, to)), filing.known - 1, filing.currency)
  }

  /** The next version of a figure; null for the last. */
  after(observation: Observation): Observation | null {
    const history = this.items.get(observation.item)?.get(key(observation.from, observation.to)) ?? []
    return history[history.indexOf(observation) + 1] ?? null
  }

  /** Whether the filing of a figure states the same months a year later too. */
  isOfYearBefore({ item, from, to, filing }: Observation): boolean {
    return (
      this.items
        .get(item)
        ?.get(key(from + 4, to + 4))
        ?.some(later => later.filing === filing) ?? false
    )
  }

  /**
   * Whether a part has the same basis as the whole: not if the whole was restated since by more than a little, or its filing
   * restates the year before, as after the sale of a business; and not if one of them is only an approximation of costs
   * that may be a part of them. A filing that repeats the part later may show that it has: the view notes this.
   */
  hasSameBasis(whole: Observation, part: Observation, view: View): boolean {
    if (whole.tier !== part.tier && isCompanyFlow(whole.item)) return false
    const days = [part.filing.known, ...(this.repeated.get(part) ?? []).filter(day => day <= view.known)]
    const before = this.before(whole)
    const isSince = days.some(day => day >= whole.filing.known)
    const isNear = before
      ? isLittle(whole, before) || (part.filing.known > before.filing.known && this.isRestated(part))
      : days.some(day => Math.abs(whole.filing.known - day) <= A_YEAR_ON) &&
        (!this.restatesYearBefore(whole) || this.restatesYearBefore(part))
    const mayBe = before === null || part.filing.known > before.filing.known
    const isIt = isSince || isNear || (mayBe && this.isRevenueEven(whole, part))
    if (!isIt) view.mayForm = true
    return isIt
  }

  private isRestated(observation: Observation): boolean {
    const before = this.before(observation)
    return before !== null && !isLittle(observation, before)
  }

  /** Whether the filing of a figure restates that of the same months a year before. */
  private restatesYearBefore({ item, from, to, filing }: Observation): boolean {
    const before = this.items.get(item)?.get(key(from - 4, to - 4))
    const restated = before?.find(observation => observation.filing === filing)
    return restated !== undefined && this.isRestated(restated)
  }

  /** If the whole appeared without the part, its revenue shows whether a business was sold in between. */
  private isRevenueEven(whole: Observation, part: Observation): boolean {
    const revenues = this.items.get('revenue')
    const all = revenues?.get(key(whole.from, whole.to))?.find(o => o.filing === whole.filing)
    const some = inForce(revenues?.get(key(part.from, part.to)), whole.filing.known, whole.filing.currency)
    if (!all || !some) return true
    const before = some.value / (some.to - some.from + 1)
    const after = (all.value - some.value) / (all.to - all.from - (some.to - some.from))
    return after > before * EVEN && after < before / EVEN
  }

  /** Records a figure that must not be used. */
  withhold(figure: Withheld): void {
    this.withheld.set(figure.item, [...(this.withheld.get(figure.item) ?? []), figure])
  }

  /** Why an item has no figure ending in a slot. */
  absence(item: Item, slot: Slot, known: Day): Missing {
    const withheld = this.withheld.get(item)?.findLast(w => w.to === slot && w.filing.known <= known)
    if (withheld) {
      const { reason, part } = withheld
      return { value: null, reason, ...(part && { parts: [plus(part)] }) }
    }
    const isTagged = (one: Item) => (this.begun.get(one) ?? Number.POSITIVE_INFINITY) <= known
    if (item === 'interest_expense' && !isTagged(item) && isTagged('net_interest'))
      return none('tagged only net of interest income')
    return none(
      isTagged(item) ? 'not tagged for a period that ends on this date' : 'not tagged by this company',
    )
  }
}

function inForce(
  history: readonly Observation[] | undefined,
  known: Day,
  currency: string,
): Observation | null {
  let best: Observation | null = null
  for (const observation of history ?? []) {
    if (observation.filing.known > known) break
    if (observation.filing.currency === currency && (best === null || observation.tier <= best.tier))
      best = observation
  }
  return best
}

/** A company's figures as of one day. */
export interface View {
  readonly ledger: Ledger
  readonly calendar: FiscalCalendar
  readonly known: Day
  readonly currency: string
  /** Set if a figure that is not formed may be once a filing repeats its parts. */
  mayForm: boolean
}

const plus = (observation: Observation): Part => ({ observation, times: 1 })
const minus = (observation: Observation): Part => ({ observation, times: -1 })
const none = (reason: string): Missing => ({ value: null, reason })

function figure(parts: readonly Part[], method: string, quarters: number, scale = 1): Formed {
  const scaled =
    scale === 1 ? parts : parts.map(({ observation, times }) => ({ observation, times: times * scale }))
  const value = parts.reduce((sum, { observation, times }) => sum + times * observation.value, 0) * scale
  return {
    value,
    method,
    parts: scaled,
    quarters,
    annualized: scale !== 1,
    beforeRestatement: false,
    reason: null,
  }
}

export function balanceAt({ ledger, known, currency }: View, item: Item, slot: Slot): Figure {
  const found = ledger.current(item, slot, slot, known, currency)
  if (!found) return ledger.absence(item, slot, known)
  return figure([plus(found)], found.way.startsWith('+') ? 'as tagged' : found.way, 0)
}

const months = (quarters: number) => `${3 * quarters} months`

/**
 * The single quarter: as stated, else year to date less that of the quarter before, else year to date less the single
 * quarters before. A quarter rounded in a note is replaced by a finer difference, and an approximation by a difference
 * of better figures: notes state depreciation alone by quarter, cash flow statements all of it, to date.
 */
export function quarterAt(view: View, item: Item, slot: Slot): Figure {
  const { ledger, known, currency } = view
  const direct = ledger.current(item, slot, slot, known, currency)
  if (!direct) return differenceAt(view, item, slot)
  if (direct.tier > 0) {
    const better = differenceAt(view, item, slot)
    if (
      better.value !== null &&
      !better.beforeRestatement &&
      better.parts.every(({ observation }) => observation.tier < direct.tier)
    )
      return better
  }
  const rounding = trailingZeros(direct.value)
  if (direct.value !== 0 && rounding >= direct.filing.precision + 2) {
    const finer = differenceAt(view, item, slot)
    if (
      finer.value !== null &&
      trailingZeros(finer.value) < rounding &&
      Math.abs(finer.value - direct.value) <= 10 ** rounding
    )
      return finer
  }
  return figure([plus(direct)], 'as stated', 1)
}

/** The current figure over several quarters, unless those quarters contradict it: then the previous one. */
function cumulativeAt(view: View, item: Item, from: Slot, to: Slot): Observation | null {
  const { ledger, known, currency } = view
  let figure = ledger.current(item, from, to, known, currency)
  while (figure && holdsOneQuarter(view, figure)) figure = ledger.before(figure)
  return figure
}

/** Relative tolerance at which one quarter's value equals that of several. */
const SAME_VALUE = 0.001

/**
 * Whether a figure of several quarters actually covers only one of them, as when a filing dates a quarter like the
 * half-year: another of the quarters is positive, or a longer figure implies another sum for them.
 */
function holdsOneQuarter(
  { ledger, calendar, known, currency }: View,
  { item, from, to, value }: Observation,
): boolean {
  if (from === to || value === 0) return false
  const currentOver = (a: Slot, b: Slot) => ledger.current(item, a, b, known, currency)
  const quarters = slots(from, to).map(at => currentOver(at, at))
  const same = quarters.findIndex(
    quarter => quarter && Math.abs(quarter.value - value) <= SAME_VALUE * Math.abs(value),
  )
  if (same < 0) return false
  if (
    quarters.some((quarter, i) => i !== same && quarter && Math.abs(quarter.value) > LITTLE * Math.abs(value))
  )
    return true
  for (let end = to; !calendar.isYearEnd(end); ) {
    end = calendar.next(end)
    const longer = currentOver(from, end)
    const later = slots(to + 1, end).map(at => currentOver(at, at))
    if (!longer || later.includes(null)) continue
    const left = later.reduce((rest, quarter) => rest - quarter!.value, longer.value)
    if (Math.abs(left - value) > LITTLE * Math.abs(longer.value)) return true
  }
  return false
}

function differenceAt(view: View, item: Item, slot: Slot): Figure {
  const { ledger, calendar, known } = view
  const start = calendar.firstOf(slot)
  const length = slot - start + 1
  const name = calendar.isYearEnd(slot) ? 'the year' : `the ${months(length)} to date`
  const newest = length > 1 ? cumulativeAt(view, item, start, slot) : null
  if (!newest) return ledger.absence(item, slot, known)
  const footed = onOneFooting(view, newest, start, slot - 1)
  if (!footed)
    return none(
      `${name} is known, but no figure of the ${months(length - 1)} before or of each quarter to subtract`,
    )
  const { whole, parts } = footed
  const less = parts.length === 1 ? months(length - 1) : `${parts.length} quarters`
  return {
    ...figure([plus(whole), ...parts.map(minus)], `${name} less ${less}`, 1),
    beforeRestatement: whole !== newest,
  }
}

const slots = (from: Slot, to: Slot): Slot[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** Quarters used in place of a figure for all of them; null if one is not stated. */
const singleQuarters = (quarters: readonly (Observation | null)[]): Observation[] | null =>
  quarters.includes(null) ? null : (quarters as Observation[])

/**
 * The newest version of a figure whose part to a slot, or the quarters of that part, were restated with it or not at
 * all; null if the part is not known. The newest version may have been restated before its part was.
 */
function onOneFooting(
  view: View,
  newest: Observation,
  from: Slot,
  to: Slot,
): { whole: Observation; parts: Observation[] } | null {
  const { ledger, known, currency } = view
  const partsOf = (at: (first: Slot, last: Slot) => Observation | null): Observation[] | null => {
    const part = at(from, to)
    if (part && !holdsOneQuarter(view, part)) return [part]
    return singleQuarters(slots(from, to).map(quarter => at(quarter, quarter)))
  }
  for (let whole: Observation | null = newest; whole; whole = ledger.before(whole)) {
    const beside = partsOf((first, last) => ledger.beside(whole!, first, last, known))
    if (!beside) return null
    const current =
      whole === newest && partsOf((first, last) => ledger.current(newest.item, first, last, known, currency))
    for (const parts of [beside, current || []])
      if (parts.length > 0 && parts.every(part => ledger.hasSameBasis(whole!, part, view)))
        return { whole, parts }
  }
  return null
}

/**
 * The figures of the same periods as they were before a whole was restated, where a later year's filing has restated them
 * since, as it does on another basis; amended reports correct them on their own.
 */
function beforeRestated(
  view: View,
  whole: Observation,
  figures: readonly Observation[],
): readonly Observation[] {
  const { ledger } = view
  const restated = ledger.after(whole)
  if (restated === null) return figures
  const before = { ...view, known: restated.filing.known - 1 }
  return figures.map(figure =>
    ledger.isOfYearBefore(figure)
      ? (cumulativeAt(before, figure.item, figure.from, figure.to) ?? figure)
      : figure,
  )
}

/**
 * The twelve months to a quarter's end: as stated (the fiscal year, at its end), else the last fiscal year plus year
 * to date less the prior year to date, else four quarters, else the longest known run annualised and flagged.
 */
export function trailingAt(view: View, item: Item, slot: Slot): Figure {
  const { ledger, calendar, known, currency } = view
  const currentOver = (from: Slot, to: Slot) => ledger.current(item, from, to, known, currency)
  const first = calendar.back(slot, 3)
  const stated = first === null ? null : cumulativeAt(view, item, first, slot)
  if (stated)
    return figure([plus(stated)], calendar.isYearEnd(slot) ? 'fiscal year' : 'twelve months as stated', 4)

  const start = calendar.firstOf(slot)
  const lastYearEnd = calendar.back(start, 1)
  const sameLastYear = calendar.back(slot, 4)
  const toDate = cumulativeAt(view, item, start, slot)
  const sinceStart = toDate ? [toDate] : singleQuarters(slots(start, slot).map(at => currentOver(at, at)))
  if (sinceStart && lastYearEnd !== null && sameLastYear !== null) {
    const lastYear = calendar.firstOf(lastYearEnd)
    const year = cumulativeAt(view, item, lastYear, lastYearEnd)
    const footed = year && onOneFooting(view, year, lastYear, sameLastYear)
    const beside =
      footed && (footed.whole === year ? sinceStart : beforeRestated(view, footed.whole, sinceStart))
    if (footed && beside && lastYear === calendar.back(start, 4))
      return {
        ...figure(
          [plus(footed.whole), ...beside.map(plus), ...footed.parts.map(minus)],
          'fiscal year + year to date - prior year to date',
          4,
        ),
        beforeRestatement: footed.whole !== year,
      }
  }

  const run: Part[] = []
  let length = 0
  for (let at: Slot | null = slot; at !== null && length < 4; at = calendar.back(at, 1)) {
    const quarter = quarterAt(view, item, at)
    if (quarter.value === null || (length > 0 && quarter.beforeRestatement)) break
    append(run, quarter.parts)
    length++
  }
  if (length === 4) return figure(run, 'four quarters', 4)
  const since = slot - start + 1
  if (toDate && since >= length) return annualised([plus(toDate)], since, `${months(since)} to date`)
  if (length > 0) return annualised(run, length, length === 1 ? 'one quarter' : `${length} quarters`)
  return ledger.absence(item, slot, known)
}

const A_QUARTER = 365.25 / 4
/** Days by which quarters of 13 and 14 weeks, and of months, differ from those of the year. */
const ORDINARY = 7

/** Scaled to a year by quarters; by weeks if the quarters are others, such as those of 12 or 16 weeks. */
function annualised(parts: readonly Part[], quarters: number, name: string): Formed {
  const days = parts.reduce((sum, { observation, times }) => sum + times * daysOf(observation), 0)
  if (!(Math.abs(days - quarters * A_QUARTER) > ORDINARY))
    return figure(parts, `${name} annualised`, quarters, 4 / quarters)
  const weeks = days / 7
  return figure(parts, `${name} annualised from ${Math.round(weeks)} weeks`, quarters, 52 / weeks)
}

/** The days of a flow; not a number if its facts do not say when it began. */
const daysOf = ({ terms }: Observation): number =>
  largest(terms.map(({ fact: { start, end } }) => (start === null ? Number.NaN : end - start + 1)))
