import { addMonths, type Day, daysInMonth, packedCivil } from './calendar.ts'

/**
 * `30/360` is 30/360 US, the convention of US corporates and agencies. Its end-of-February rule applies only to bonds
 * that pay at month end: for them the last day of February counts as the 30th.
 */
export type DayCount = '30/360' | 'ACT/ACT' | 'ACT/360' | 'ACT/365F'

/** Days between two dates by 30/360 US; `endOfMonth` if the bond pays at month end. */
export const days30360 = (from: Day, to: Day, endOfMonth = false): number =>
  packedDays30360(packedCivil(from), packedCivil(to), endOfMonth)

/** As `days30360`, for packed yyyymmdd dates. */
export function packedDays30360(from: number, to: number, endOfMonth: boolean): number {
  const y1 = (from / 10_000) | 0
  const m1 = ((from / 100) | 0) % 100
  let d1 = from % 100
  const y2 = (to / 10_000) | 0
  const m2 = ((to / 100) | 0) % 100
  let d2 = to % 100
  if (endOfMonth && m1 === 2 && d1 === daysInMonth(y1, 2)) {
    if (m2 === 2 && d2 === daysInMonth(y2, 2)) d2 = 30
    d1 = 30
  }
  if (d1 === 31) d1 = 30
  if (d2 === 31 && d1 === 30) d2 = 30
  return (y2 - y1) * 360 + (m2 - m1) * 30 + d2 - d1
}

/** The regular dates of a bond: at regular intervals before and after `anchor`. */
export type RegularDates = { anchor: Day; months: number; endOfMonth: boolean }

/**
 * Years from the start of a period to a day in it by ACT/ACT ICMA: days over the length of their regular period, so
 * an odd period is split at the regular dates.
 */
export function yearsIcma(from: Day, to: Day, period: RegularDates): number {
  if (to < from) return -yearsIcma(to, from, period)
  const at = (k: number) => addMonths(period.anchor, k * period.months, period.endOfMonth)
  let k = Math.floor((from - period.anchor) / (period.months * 30.4375)) - 1
  while (at(k + 1) <= from) k++
  let years = 0
  for (let start = from; start < to; k++) {
    const [lower, upper] = [at(k), at(k + 1)]
    const end = Math.min(to, upper)
    years += ((end - start) / (upper - lower)) * (period.months / 12)
    start = end
  }
  return years
}

/** Years between two days; 30/360 and ACT/ACT use the bond's regular dates. */
export function yearFraction(dayCount: DayCount, from: Day, to: Day, dates: RegularDates): number {
  if (dayCount === 'ACT/360') return (to - from) / 360
  if (dayCount === 'ACT/365F') return (to - from) / 365
  return dayCount === 'ACT/ACT' ? yearsIcma(from, to, dates) : days30360(from, to, dates.endOfMonth) / 360
}
