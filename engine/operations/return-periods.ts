import { addDays } from '../base/days.ts'
import { invalid } from '../base/errors.ts'
import { parseDay } from '../credit/calendar.ts'
import { type Interval, panelDays } from './panel-days.ts'
import type { Periods } from './returns/periods.ts'

const YEAR = 365
/** Days that hold an end of every interval. */
const LOOK_BACK = 100

/** Periods that have ended by `to`, from the one that `from` is in; by default of the year before `to`. */
export function periodsOf(
  asked: { date_from?: string | undefined; date_to?: string | undefined; every: Interval | 'day' },
  asOf: string,
): Periods {
  const to = asked.date_to ?? asOf
  if (to > asOf) throw invalid('date_to', to, `date_to is after the as-of date ${asOf}`, { max: asOf })
  const from = asked.date_from ?? addDays(to, -YEAR)
  if (from > to) throw invalid('date_from', from, `date_from is after date_to (${to})`, { max: to })
  if (asked.every === 'day') return { from, to, ends: null }
  const days = panelDays({ from: addDays(from, -LOOK_BACK), every: asked.every }, to)
  const base = days.filter(day => day <= from).length - 1
  const ends = days.slice(Math.max(0, base)).map(parseDay)
  if (ends.length < 2)
    throw invalid('date_from', from, `no ${asked.every} ends between ${from} and ${to}: use a longer range`)
  return { from, to, ends }
}
