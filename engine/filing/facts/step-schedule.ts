import { elementAt, firstOf } from '../../base/elements.ts'
import { formatDay, parseDay } from '../../credit/calendar.ts'
import { words } from './flat-text.ts'
import { datesIn, type WrittenDate } from './spelled-dates.ts'
import { scaleOf } from './table-scale.ts'
import { fits, metricsIn, type TestedQuantity } from './test-metrics.ts'
import { type Threshold, thresholdsIn } from './thresholds.ts'

export interface Step {
  /** First day, or first test date, of the threshold; null if the text names none. */
  readonly date: string | null
  readonly threshold_value: number
}

export interface Schedule {
  readonly steps: readonly Step[]
  /** Where its last row ends. */
  readonly to: number
}

/** `9.25 to 1.00, stepping down each quarter to 4.75 to 1.00`: the levels in between are not told. */
export const stepsUntold = words(
  String.raw`\bstep(?:s|ping)?(?:-| )(?:down|up) (?:each|every|quarterly|annually|periodically|over time)\b`,
)

const isThereafter = /thereafter|and\s+after|at\s+all\s+(?:other\s+)?times\s+after/i
/** How far into a table its head may say its unit. */
const MOST_HEAD = 500
const isScaled = /million|billion|thousand/i
/** Maximum text between two thresholds of one schedule. */
const MOST_BETWEEN = 420

/**
 * Thresholds by period, from a table (the period before its threshold, or a row of periods above a row of thresholds)
 * or from a sentence (`4.50 to 1.00 through December 31, 2025 and 4.00 to 1.00 thereafter`).
 */
export function scheduleIn(
  flat: string,
  from: number,
  until: number,
  metric: TestedQuantity,
): Schedule | null {
  const zone = flat.slice(from, until)
  const scale = metric.unit === 'cents' ? (scaleOf(zone.slice(0, MOST_HEAD)) ?? 100) / 100 : 1
  const all = thresholdsIn(zone)
    .map(t =>
      t.unit === 'cents' && !isScaled.test(zone.slice(t.from, t.to)) ? { ...t, value: t.value * scale } : t,
    )
    .filter(t => fits(metric, t.unit, t.value))
  const rows = untilOpposite(zone, consecutive(all), metric)
  if (rows.length < 2) return null
  const before = rows.map((row, i) =>
    withYear(zone.slice(i === 0 ? 0 : elementAt(rows, i - 1).to, row.from), zone.slice(row.to, row.to + 40)),
  )
  const after = rows.map((row, i) =>
    zone.slice(row.to, Math.min(rows[i + 1]?.from ?? row.to + 160, row.to + 300)),
  )
  const steps =
    stepsOf(rows, before, 'before') ??
    stepsAcross(rows, firstOf(before)) ??
    stepsOf(rows, after, 'after') ??
    stepsAnnounced(rows, before, after)
  if (!steps) return null
  const last = rows.at(-1)!
  return { steps, to: from + last.to }
}

// `2026 $40,000,000`, `Fiscal Year 2027 $45,000,000`: a year alone.
const yearAlone = /(?:^|\s)(?:fiscal\s{1,9}year\s{1,9})?(?<year>(?:19|20)\d{2})[\s:-]*$/i

/**
 * The first level of a table by fiscal years, where that is the year of the document or the next one. The days on which fiscal
 * years begin are not told, so that it is no schedule.
 */
export function firstYearLevel(
  flat: string,
  from: number,
  until: number,
  metric: TestedQuantity,
  day: string | null,
): Threshold | null {
  const zone = flat.slice(from, until)
  const rows = consecutive(thresholdsIn(zone).filter(t => fits(metric, t.unit, t.value)))
  const years = rows.map((row, i) => {
    const year = yearAlone.exec(zone.slice(i === 0 ? 0 : elementAt(rows, i - 1).to, row.from))
    return Number(year?.groups?.['year'])
  })
  const [first] = rows
  const after = Number(years[0]) - Number(day?.slice(0, 4))
  const isByYear = rows.length > 1 && years[1] === Number(years[0]) + 1
  if (!first || !isByYear || (after !== 0 && after !== 1)) return null
  const scale = scaleOf(zone.slice(0, MOST_HEAD))
  return scale === null || scale === 100 ? { ...first, from: from + first.from, to: from + first.to } : null
}

function consecutive(all: readonly Threshold[]): Threshold[] {
  const rows: Threshold[] = []
  for (const t of all) {
    const previous = rows.at(-1)
    if (previous && (t.from - previous.to > MOST_BETWEEN || t.unit !== previous.unit)) break
    rows.push(t)
  }
  return rows
}

/** The rows up to words on a quantity that is held the other way: `(b) an Interest Coverage Ratio of not less than 2.00`. */
function untilOpposite(zone: string, rows: readonly Threshold[], { direction }: TestedQuantity): Threshold[] {
  const other = rows.findIndex(
    (row, i) =>
      i > 0 &&
      metricsIn(zone.slice(elementAt(rows, i - 1).to, row.from)).some(
        ({ metric }) => metric.unit === 'ratio' && metric.direction !== direction,
      ),
  )
  return rows.slice(0, other < 0 ? rows.length : other)
}

// `During the period beginning on October 1,   3.75 to 1` and below it `1999 and thereafter`: a cell that goes on under its level.
const yearBelow = /^\s*(?<year>(?:19|20)\d{2})\b/
const lacksYear = /\b[A-Z][a-z]{2,8}\.?\s{1,3}\d{1,2},\s*$/
const withYear = (label: string, below: string): string => {
  const year = lacksYear.test(label) ? yearBelow.exec(below)?.groups?.['year'] : undefined
  return year === undefined ? label : `${label} ${year}`
}
// `and ending on June 30, 1998`, of the row above, before `During the period beginning on July 1, 1998`.
const endsRowAbove = /^\s*(?:and\s+)?(?:ending|ended|through|to|until)\s+(?:on\s+)?(?:and\s+including\s+)?$/i

/** What was reached, `The ratio was 2.26 to 1.00 at December 26, 2020`, is no step. */
const isTold = /\b(?:was|were|had\s+been)\s+(?:approximately\s+)?$/i
const hasPeriod = (label: string): boolean => datesIn(label).length > 0 || isThereafter.test(label)

function stepsOf(
  rows: readonly Threshold[],
  labels: readonly string[],
  side: 'before' | 'after',
): Step[] | null {
  const firstWithout = labels.findIndex(label => !hasPeriod(label) || isTold.test(label))
  // A sentence or table continues only while each threshold has its period.
  const count = firstWithout < 0 ? rows.length : firstWithout
  if (count < 2) return null
  const steps: Step[] = []
  let ended: string | null = null
  for (let i = 0; i < count; i++) {
    const label = elementAt(labels, i)
    const all = side === 'before' && i === 0 ? lastPeriod(label) : datesIn(label)
    const isAbove =
      side === 'before' && i > 0 && all.length > 1 && endsRowAbove.test(label.slice(0, all[0]?.from))
    const dates = isAbove ? all.slice(1) : all
    const first = dates[0]
    const endsThere = first !== undefined && dates.length === 1 && isEnd.test(label.slice(0, first.from))
    const date: string | null = first && !endsThere ? first.date : ended === null ? null : nextDay(ended)
    steps.push({ date, threshold_value: elementAt(rows, i).value })
    ended = dates.at(-1)?.date ?? null
  }
  // `5.75 for the quarter ending December 30, 2023, after which it returns to 4.50`.
  const last = rows[count]
  if (side === 'after' && last && ended !== null && returns.test(elementAt(labels, count - 1)))
    steps.push({ date: nextDay(ended), threshold_value: last.value })
  return ordered(steps) ? steps : null
}

const returns =
  /\b(?:after\s+which|thereafter|then|revert(?:s|ing)|return(?:s|ing))\b[^.;]{0,40}\bto\s+(?:(?:not|no)\s+(?:more|less|greater)\s+than\s+)?$/i
const isEnd =
  /\b(?:through|until|to|before|prior\s+to,?|ending\s+on\s+or\s+before)\s*(?:and\s+including\s*)?(?:the\s+[\w\s]{0,40})?$/i

const spans = /^\s*(?:through|to|until|-|and\s+(?:including|ending))/i
const joins = /^\s*(?:,|(?:,\s*)?(?:and|&))\s*$/i

/** The dates of the last period of a text, a range or a list: earlier text is not part of the table. */
function lastPeriod(label: string): WrittenDate[] {
  const dates = datesIn(label)
  let first = dates.length - 1
  for (; first > 0; first--) {
    const between = label.slice(elementAt(dates, first - 1).to, elementAt(dates, first).from)
    const isRange = first === dates.length - 1 && spans.test(between)
    if (!isRange && !joins.test(between)) break
  }
  return dates.slice(Math.max(0, first))
}

/** As many dates in a row above as thresholds below. */
function stepsAcross(rows: readonly Threshold[], head: string): Step[] | null {
  const dates = datesIn(head).slice(-rows.length)
  if (dates.length !== rows.length || datesIn(head).length !== rows.length) return null
  const steps = rows.map((row, i) => ({ date: elementAt(dates, i).date, threshold_value: row.value }))
  return ordered(steps) ? steps : null
}

// `4.50 to 1.00, stepping down to 4.00 to 1.00 after December 31, 2024`, `and decreases on March 31, 2025 to 3.75`.
const isStep = /\b(?:step|decreas|declin|reduc|lower|increas|tighten|drop|fall)/i
const begins =
  /\b(?<after>(?<!\bon\s{1,9}or\s{1,9})after|following)\s{1,9}$|\b(?:on(?:\s{1,9}(?:or|and)\s{1,9}after)?|beginning|commencing|starting|effective|from|as\s{1,9}of|by|ending|at|(?:ended|ending)\s{1,9}on)\s{1,9}$/i
/** Longest distance of a step's day from its level. */
const MOST_TO_DAY = 110

/** A level in force now, and the days from which a sentence says that it steps to others. */
function stepsAnnounced(
  rows: readonly Threshold[],
  before: readonly string[],
  after: readonly string[],
): Step[] | null {
  const steps: Step[] = [{ date: null, threshold_value: firstOf(rows).value }]
  for (let i = 1; i < rows.length; i++) {
    const label = elementAt(before, i)
    if (i === 1 && !isStep.test(label)) return null
    const date = dayOf(elementAt(after, i).slice(0, MOST_TO_DAY)) ?? dayOf(label.slice(-MOST_TO_DAY))
    if (date === null) break
    steps.push({ date, threshold_value: elementAt(rows, i).value })
  }
  return steps.length > 1 && ordered(steps) ? steps : null
}

/** The day from which words say that something holds: `after December 31, 2024`, as behind what holds through it, is January 1. */
function dayOf(label: string): string | null {
  const first = datesIn(label)[0]
  const preposition = first && begins.exec(label.slice(0, first.from))
  if (!preposition) return null
  // `2.75 to 1 through the quarter ending June 30, 2026, then 2.50 to 1`: from the day behind it.
  const isPast = preposition.groups?.['after'] !== undefined || lasts.test(label.slice(0, first.from))
  return isPast ? nextDay(first.date) : first.date
}

const lasts = /\b(?:through|until)\s+(?:and\s+including\s+)?(?:(?:on|the)\s+[\w\s]{0,40})?$/i

const nextDay = (date: string): string => formatDay(parseDay(date) + 1)

/** Days must increase, and only the first step may have none. */
const ordered = (steps: readonly Step[]): boolean =>
  steps.every(
    (step, i) => i === 0 || (step.date !== null && step.date > (elementAt(steps, i - 1).date ?? '')),
  )

/** The threshold on a day: the last step begun by then, else the first. */
export function inForce(steps: readonly Step[], day: string | null): number {
  const begun = day === null ? [] : steps.filter(step => step.date === null || step.date <= day)
  return (begun.at(-1) ?? firstOf(steps)).threshold_value
}

/** Whether a later step is tighter than an earlier one. */
export const tightens = (steps: readonly Step[], direction: 'maximum' | 'minimum'): boolean =>
  steps.some(
    (step, i) =>
      i > 0 &&
      (direction === 'maximum'
        ? step.threshold_value < elementAt(steps, i - 1).threshold_value
        : step.threshold_value > elementAt(steps, i - 1).threshold_value),
  )
