import { addDays } from '../base/days.ts'
import { addMonths, formatDay, parseDay } from '../credit/calendar.ts'
import { repaymentsIn } from '../credit/options/sinking.ts'
import type { Claim } from './claims.ts'

/** What falls due of a claim; null if its amount is not known. */
export interface Due {
  readonly claim: Claim
  readonly amount: number | null
}

interface Between {
  readonly from: string
  /** Null for an open end. */
  readonly to: string | null
}

/** Whether the year of each claim is known, but for commercial paper, which is rolled over. */
export const isAllDated = (claims: readonly Claim[]): boolean =>
  claims.length > 0 &&
  claims.every(
    ({ maturity_date, maturity_year, instrument_type, outstanding }) =>
      maturity_date !== null ||
      maturity_year !== null ||
      instrument_type === 'commercial_paper' ||
      outstanding === 0,
  )

/**
 * What falls due of a claim in a period; null if nothing. A sinking bond is due in the parts of its schedule; of a
 * claim whose day is not known the rest of its month or year must lie in the period.
 */
export function dueIn(claim: Claim, period: Between, asOf: string): Due | null {
  const parts = sinkingParts(claim, asOf)
  if (parts === null) return isWithin(claim, period, asOf) ? { claim, amount: claim.outstanding } : null
  const within = parts.filter(({ date }) => isBetween(date, period))
  return within.length === 0 ? null : { claim, amount: within.reduce((sum, part) => sum + part.amount, 0) }
}

interface Part {
  readonly date: string
  readonly amount: number
}

/**
 * The repayments ahead of a sinking bond, shares of what is outstanding, the last at maturity. Null if the bond has no
 * schedule that can be read, or no known amount.
 */
function sinkingParts({ sinking_schedule, maturity_date, outstanding }: Claim, asOf: string): Part[] | null {
  if (sinking_schedule === null || maturity_date === null || outstanding === null) return null
  const schedule = repaymentsIn(sinking_schedule)?.map(({ day, percent }) => ({
    date: formatDay(day),
    percent,
  }))
  if (!schedule) return null
  const left = 100 - schedule.reduce((sum, { date, percent }) => (date <= asOf ? sum + percent : sum), 0)
  if (!(left > 0)) return null
  // Rounded along the running total, so that the parts add up to the cent.
  let [percent, paid] = [0, 0]
  const parts: Part[] = []
  for (const each of schedule.filter(({ date }) => date > asOf && date < maturity_date)) {
    percent += each.percent
    const amount = Math.round((outstanding * Math.min(percent, left)) / left) - paid
    paid += amount
    parts.push({ date: each.date, amount })
  }
  return [...parts, { date: maturity_date, amount: outstanding - paid }]
}

const isBetween = (day: string, { from, to }: Between): boolean => day >= from && (to === null || day <= to)

/** Whether a claim falls due in a period, wherever in its month or year the day lies. */
function isWithin(claim: Claim, { from, to }: Between, asOf: string): boolean {
  const span = daysOpen(claim, asOf)
  return span !== null && span.first >= from && (to === null || span.last <= to)
}

/** Whether a claim may fall due in a period, as far as its maturity is known. */
export function mayFallIn(claim: Claim, { from, to }: Between, asOf: string): boolean {
  const span = daysOpen(claim, asOf)
  return span === null || (span.last >= from && (to === null || span.first <= to))
}

/** Whether a claim may fall due by a day, or after it. */
export function isOpenAt(claim: Claim, day: string, asOf: string): boolean {
  const span = daysOpen(claim, asOf)
  return span !== null && span.first <= day && day < span.last
}

/** The days on which a claim may fall due: its day, or what is ahead of the month or year that is known; null if nothing. */
function daysOpen({ maturity_date, maturity, maturity_year }: Claim, asOf: string): Span | null {
  if (maturity_date !== null) return { first: maturity_date, last: maturity_date }
  const known = maturity ?? maturity_year?.toString() ?? null
  if (known === null) return null
  const [year = '', month = null] = known.split('-')
  const begins = `${year}-${month ?? '01'}-01`
  const tomorrow = addDays(asOf, 1)
  const first = begins > tomorrow ? begins : tomorrow
  const last = formatDay(addMonths(parseDay(begins), month === null ? 12 : 1) - 1)
  return first <= last ? { first, last } : null
}

interface Span {
  readonly first: string
  readonly last: string
}
