import type { Day } from '../credit/calendar.ts'
import type { Item } from './concepts.ts'
import type { FiscalCalendar, Slot } from './statement-calendar.ts'
import { type Observation, sameFigure } from './statement-filings.ts'

/*
 * The arithmetic of engine/credit/ttm.ts over fiscal slots instead of days: quarters of 12 and 16 weeks, restatements
 * and figures of several filings need to know which quarter an interval fills and when each figure became known.
 */

export interface Part {
  readonly observation: Observation
  readonly sign: 1 | -1
}

export type Figure =
  | {
      readonly value: number
      readonly method: string
      readonly parts: readonly Part[]
      /** Quarters of stated figures behind a trailing figure: 4 unless annualised; 1 for a quarter, 0 for a balance. */
      readonly quarters: number
      readonly annualized: boolean
      readonly reason: null
    }
  | { readonly value: null; readonly reason: string }

const key = (from: Slot, to: Slot): number => from * 100_000 + to

/** Everything that was ever said of a company's items, in the order it became known. */
export class Ledger {
  private readonly items = new Map<Item, Map<number, Observation[]>>()
  /** Later days on which a filing repeated a figure in force: it then stands beside the other figures of that day. */
  private readonly repeated = new Map<Observation, Day[]>()
  /** Days on which something became known of a period that ends in the slot. */
  readonly news = new Map<Slot, Set<Day>>()
  /** The first day on which there was an income or cash flow statement or a balance sheet of the slot. */
  readonly first = new Map<Slot, Day>()
  private readonly newest = new Map<Slot, Observation[]>()

  /** Takes an observation; those come in order of when they became known. What repeats the figure in force is none. */
  add(observation: Observation): void {
    const { item, from, to, filing } = observation
    let intervals = this.items.get(item)
    if (!intervals) {
      intervals = new Map()
      this.items.set(item, intervals)
    }
    const history = intervals.get(key(from, to)) ?? []
    const held = inForce(history, filing.known, filing.currency)
    if (held && held.tier <= observation.tier && sameFigure(held, observation)) {
      this.repeated.set(held, [...(this.repeated.get(held) ?? []), filing.known])
      return
    }
    history.push(observation)
    intervals.set(key(from, to), history)
    const days = this.news.get(to) ?? new Set<Day>()
    days.add(filing.known)
    this.news.set(to, days)
    if (leading.has(item)) {
      this.first.set(to, Math.min(this.first.get(to) ?? filing.known, filing.known))
      const said = this.newest.get(to) ?? []
      said.push(observation)
      this.newest.set(to, said)
    }
  }

  /** The currency of the newest filing that spoke of the slot by a day. */
  currencyOf(slot: Slot, known: Day): string | null {
    return this.newest.get(slot)?.findLast(o => o.filing.known <= known)?.filing.currency ?? null
  }

  /** What held for an interval on a day. */
  held(item: Item, from: Slot, to: Slot, known: Day, currency: string): Observation | null {
    return inForce(this.items.get(item)?.get(key(from, to)), known, currency)
  }

  /** What held when another figure was last filed, so that both stand on one footing; else what came first after it. */
  beside(other: Observation, from: Slot, to: Slot, known: Day): Observation | null {
    const history = this.items.get(other.item)?.get(key(from, to))
    const { currency } = other.filing
    const same = history?.filter(o => o.way === other.way)
    const said = this.repeated.get(other)?.findLast(day => day <= known) ?? other.filing.known
    return (
      inForce(same, said, currency) ??
      inForce(history, said, currency) ??
      history?.find(o => o.filing.known <= known && o.filing.currency === currency) ??
      null
    )
  }

  has = (item: Item): boolean => this.items.has(item)
}

const balanceSheet: ReadonlySet<Item> = new Set<Item>([
  'total_assets',
  'total_liabilities',
  'stockholders_equity',
  'total_debt',
  'cash_and_equivalents',
  'secured_debt',
  'debt_due_1yr',
  'debt_due_2yr',
  'debt_due_3yr',
])
/** Items that show that there is a statement, not only a line of one in some note. */
export const leading: ReadonlySet<Item> = new Set<Item>([
  'revenue',
  'operating_income',
  'pretax_income',
  'operating_cash_flow',
  'ebitda',
  'total_assets',
])
export const isFlow = (item: Item): boolean => !balanceSheet.has(item)

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

/** The state of a company's figures on one day. */
export interface View {
  readonly ledger: Ledger
  readonly calendar: FiscalCalendar
  readonly known: Day
  readonly currency: string
}

const plus = (observation: Observation): Part => ({ observation, sign: 1 })
const minus = (observation: Observation): Part => ({ observation, sign: -1 })
const none = (reason: string): Figure => ({ value: null, reason })

function figure(parts: readonly Part[], method: string, quarters: number, scale = 1): Figure {
  const value = parts.reduce((sum, { observation, sign }) => sum + sign * observation.value, 0) * scale
  return { value, method, parts, quarters, annualized: scale !== 1, reason: null }
}

export function balanceAt({ ledger, known, currency }: View, item: Item, slot: Slot): Figure {
  const found = ledger.held(item, slot, slot, known, currency)
  return found ? figure([plus(found)], 'balance', 0) : none(absent(ledger, item, 'on this date'))
}

const absent = (ledger: Ledger, item: Item, where: string) =>
  ledger.has(item) ? `not tagged ${where}` : 'not tagged by this company'

const months = (quarters: number) => `${3 * quarters} months`

/**
 * The single quarter: as stated, else the year to date less that of the quarter before, else the year to date less
 * the single quarters before.
 */
export function quarterAt(view: View, item: Item, slot: Slot): Figure {
  const { ledger, calendar, known, currency } = view
  const direct = ledger.held(item, slot, slot, known, currency)
  if (direct) return figure([plus(direct)], 'as stated', 1)
  const start = calendar.firstOf(slot)
  const length = slot - start + 1
  const name = calendar.isYearEnd(slot) ? 'the year' : `the ${months(length)} to date`
  const toDate = length > 1 ? ledger.held(item, start, slot, known, currency) : null
  if (!toDate) return none(absent(ledger, item, 'for a period that ends on this date'))
  const shorter = ledger.beside(toDate, start, slot - 1, known)
  if (shorter) return figure([plus(toDate), minus(shorter)], `${name} less ${months(length - 1)}`, 1)
  const earlier: Part[] = []
  for (let at = start; at < slot; at++) {
    const quarter = ledger.beside(toDate, at, at, known)
    if (!quarter)
      return none(
        `${name} is known, but no figure of the ${months(length - 1)} before or of each quarter to subtract`,
      )
    earlier.push(minus(quarter))
  }
  return figure([plus(toDate), ...earlier], `${name} less ${length - 1} quarters`, 1)
}

/**
 * The twelve months to a quarter's end: as stated (the fiscal year, at its end), else the last fiscal year rolled on
 * by the year to date less the one before, else four quarters, else the longest run known annualised and flagged.
 */
export function trailingAt(view: View, item: Item, slot: Slot): Figure {
  const { ledger, calendar, known, currency } = view
  const first = calendar.back(slot, 3)
  const stated = first === null ? null : ledger.held(item, first, slot, known, currency)
  if (stated)
    return figure([plus(stated)], calendar.isYearEnd(slot) ? 'fiscal year' : 'twelve months as stated', 4)

  const start = calendar.firstOf(slot)
  const lastYearEnd = calendar.back(start, 1)
  const sameLastYear = calendar.back(slot, 4)
  const toDate = ledger.held(item, start, slot, known, currency)
  if (toDate && lastYearEnd !== null && sameLastYear !== null) {
    const year = ledger.held(item, calendar.firstOf(lastYearEnd), lastYearEnd, known, currency)
    const prior = year && ledger.beside(year, calendar.firstOf(lastYearEnd), sameLastYear, known)
    if (year && prior && calendar.firstOf(lastYearEnd) === calendar.back(start, 4))
      return figure(
        [plus(year), plus(toDate), minus(prior)],
        'fiscal year + year to date - prior year to date',
        4,
      )
  }

  const run: Part[] = []
  let length = 0
  for (let at: Slot | null = slot; at !== null && length < 4; at = calendar.back(at, 1)) {
    const quarter = quarterAt(view, item, at)
    if (quarter.value === null) break
    run.push(...quarter.parts)
    length++
  }
  if (length === 4) return figure(run, 'four quarters', 4)
  const since = slot - start + 1
  if (toDate && since >= length)
    return figure([plus(toDate)], `${months(since)} to date annualised`, since, 4 / since)
  if (length > 0)
    return figure(
      run,
      `${length === 1 ? 'one quarter' : `${length} quarters`} annualised`,
      length,
      4 / length,
    )
  return none(absent(ledger, item, 'for a period that ends on this date'))
}
