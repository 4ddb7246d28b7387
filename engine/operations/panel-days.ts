import { addDays } from '../base/days.ts'
import { invalid, QueryError } from '../base/errors.ts'
import { date, oneOf, text } from '../schema/column.ts'
import { many, one, type Params } from '../schema/params.ts'
import { isCivilDate, writtenDays } from '../schema/written-day.ts'

/** Parameters that give the days of a panel. */
export interface DaysAsked {
  readonly dates?: readonly string[] | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly every?: Interval | undefined
}

export const intervals = ['day', 'week', 'month', 'quarter'] as const
export type Interval = (typeof intervals)[number]

/** The parameters themselves. */
export const daysParams = {
  dates: many(date('Days, comma-separated; or use `from`, `to` and `every`.'), { length: 20_000 }),
  from: one(text('First day, or month written `2015-01`.'), { length: 40 }),
  to: one(text('Last day, or month; default the as-of date of the snapshot.'), { length: 40 }),
  every: one(oneOf(intervals, 'Last day of each month or quarter, Friday of each week, or each weekday.')),
} satisfies Params

/** Maximum number of days of a panel. */
export const MOST_DAYS = 1000

/**
 * The days of a panel in order: those named, or the last day of each month, quarter or week (its Friday), or each weekday, between
 * two days. `to` defaults to `last`; periods that end later are excluded.
 */
export function panelDays({ dates, from, to, every }: DaysAsked, last: string): string[] {
  if (dates !== undefined) {
    if (from !== undefined || to !== undefined || every !== undefined)
      throw invalid('dates', null, 'dates names the days: give it without from, to and every')
    return [...dates].sort()
  }
  if (from === undefined)
    throw new QueryError('MISSING_PARAMETER', 'no days given: give dates, or from with every', {
      parameter: 'dates',
    })
  const first = dayOf('from', from, 'first')
  const end = to === undefined ? last : dayOf('to', to, 'last')
  if (first > end) throw invalid('from', from, `from is after to (${to ?? last})`, { max: end })
  const days: string[] = []
  const step = every ?? 'month'
  for (let day = endOf(step, first); day <= end; day = endOf(step, addDays(day, 1))) {
    days.push(day)
    if (days.length > MOST_DAYS)
      throw invalid('from', from, `more than ${MOST_DAYS} days: use a shorter range or a longer interval`)
  }
  const latest = days.at(-1)
  if (to !== undefined && last !== '' && latest !== undefined && latest > last)
    throw invalid(
      'to',
      to,
      `the last ${step === 'day' ? 'weekday' : step} up to ${to} ends on ${latest}, after the as-of date ${last}`,
      { max: last },
    )
  if (days.length === 0)
    throw invalid(
      'from',
      from,
      `no ${step === 'day' ? 'weekday' : step} ends between ${first} and ${end}: give the days as dates`,
    )
  return days
}

/** A day, or the first or last of a month that is written `2015-01`. */
export function dayOf(name: string, text: string, which: 'first' | 'last'): string {
  const first = `${text}-01`
  if (/^\d{4}-\d{2}$/.test(text) && isCivilDate(first))
    return which === 'first' ? first : endOf('month', first)
  if (isCivilDate(text)) return text
  const days = writtenDays(text)
  const suggestion = days?.[which]
  const hint = suggestion === undefined ? '' : `; for ${text} write ${suggestion}`
  throw invalid(name, text, `${name} must be a valid day, YYYY-MM-DD, or a month, YYYY-MM${hint}`, {
    ...(suggestion !== undefined && { suggestion }),
  })
}

const MONDAY = 1
const FRIDAY = 5

/** The last day of the week, month or quarter that a day is in: a week ends on its Friday. The weekday itself, or the next one. */
function endOf(interval: Interval, day: string): string {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  if (interval === 'week' || interval === 'day') {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
    const isWorking = weekday >= MONDAY && weekday <= FRIDAY
    if (interval === 'day' && isWorking) return day
    return addDays(day, ((interval === 'day' ? MONDAY : FRIDAY) - weekday + 7) % 7)
  }
  const lastMonth = interval === 'month' ? month : Math.ceil(month / 3) * 3
  const next =
    lastMonth === 12 ? `${pad(year + 1)}-01-01` : `${pad(year)}-${String(lastMonth + 1).padStart(2, '0')}-01`
  return addDays(next, -1)
}

const pad = (year: number): string => String(year).padStart(4, '0')

/** A day of a panel with the number of its rows; days of one group have one plan. */
export interface CountedDay {
  readonly day: string
  readonly group: number
  readonly rows: number
}

/** Successive days of one group, and the number of their rows. */
export interface Stretch {
  readonly days: readonly string[]
  readonly rows: number
}

/** Days that are read together: memory does not grow with the days of a panel. */
const DAYS_AT_ONCE = 64

export function stretchesOf(days: readonly CountedDay[]): Stretch[] {
  const stretches: { days: string[]; rows: number; group: number }[] = []
  for (const { day, group, rows } of days) {
    const last = stretches.at(-1)
    if (last?.group === group && last.days.length < DAYS_AT_ONCE) {
      last.days.push(day)
      last.rows += rows
    } else stretches.push({ days: [day], rows, group })
  }
  return stretches.map(({ days, rows }) => ({ days, rows }))
}
