/** Days since 1970-01-01 UTC: no Date objects in computations over millions of rows. */
export type Day = number

export type CivilDate = { year: number; month: number; day: number }

/** Year, month and day packed as yyyymmdd, for loops that must not allocate. */
export function packedCivil(day: Day): number {
  const z = day + 719_468
  const era = Math.floor(z / 146_097)
  const doe = z - era * 146_097
  const yoe = ((doe - ((doe / 1460) | 0) + ((doe / 36_524) | 0) - (doe === 146_096 ? 1 : 0)) / 365) | 0
  const doy = doe - (365 * yoe + (yoe >> 2) - ((yoe / 100) | 0))
  const mp = ((5 * doy + 2) / 153) | 0
  const month = mp < 10 ? mp + 3 : mp - 9
  const year = yoe + era * 400 + (month <= 2 ? 1 : 0)
  return year * 10_000 + month * 100 + (doy - (((153 * mp + 2) / 5) | 0) + 1)
}

/** The calendar date of a day. */
export function civil(day: Day): CivilDate {
  const packed = packedCivil(day)
  const year = Math.floor(packed / 10_000)
  const rest = packed - year * 10_000
  const month = Math.floor(rest / 100)
  return { year, month, day: rest - month * 100 }
}

/** The day of a calendar date; month 1 to 12. */
export function toDay(year: number, month: number, day: number): Day {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yoe = y - era * 400
  const doy = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return era * 146_097 + yoe * 365 + (yoe >> 2) - ((yoe / 100) | 0) + doy - 719_468
}

/** The day of a date packed as yyyymmdd. */
export function dayOfPacked(packed: number): Day {
  const year = (packed / 10_000) | 0
  const rest = packed - year * 10_000
  const month = (rest / 100) | 0
  return toDay(year, month, rest - month * 100)
}

/** Reads `YYYY-MM-DD`; refuses anything else, and dates that do not exist. */
export function parseDay(text: string): Day {
  const day = dayIn(text)
  if (day === null) throw new RangeError(`${JSON.stringify(text)} is not a date of the form YYYY-MM-DD`)
  return day
}

/** Reads `YYYY-MM-DD`; null for anything else, and for dates that do not exist. */
export function dayIn(text: string): Day | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return null
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const exists = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
  return exists ? toDay(year, month, day) : null
}

/** The day as `YYYY-MM-DD`. */
export function formatDay(day: Day): string {
  const date = civil(day)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${String(date.year).padStart(4, '0')}-${two(date.month)}-${two(date.day)}`
}

const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** Days in a month; month 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** True on the last day of a month. */
export function isEndOfMonth(day: Day): boolean {
  const date = civil(day)
  return date.day === daysInMonth(date.year, date.month)
}

/**
 * The same day of the month n months later (or earlier), or the month's last day if shorter; with `endOfMonth` always
 * the last day.
 */
export function addMonths(day: Day, n: number, endOfMonth = false): Day {
  const packed = packedCivil(day)
  const from = Math.floor(packed / 10_000)
  const months = from * 12 + Math.floor((packed - from * 10_000) / 100) - 1 + n
  const year = Math.floor(months / 12)
  const month = months - year * 12 + 1
  const of = packed % 100
  if (of <= 28 && !endOfMonth) return toDay(year, month, of)
  const last = daysInMonth(year, month)
  return toDay(year, month, endOfMonth ? last : Math.min(of, last))
}

/** 0 for Sunday to 6 for Saturday. */
export const weekday = (day: Day): number => (((day + 4) % 7) + 7) % 7

/** The nth given weekday of a month; n = -1 for the last one. */
function nthWeekday(year: number, month: number, which: number, n: number): Day {
  if (n < 0) {
    const last = toDay(year, month, daysInMonth(year, month))
    return last - ((weekday(last) - which + 7) % 7)
  }
  const first = toDay(year, month, 1)
  return first + ((which - weekday(first) + 7) % 7) + (n - 1) * 7
}

function easterSunday(year: number): Day {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const n = h + l - 7 * m + 114
  return toDay(year, Math.floor(n / 31), (n % 31) + 1)
}

/** Since 1996 the market closes early, not all day, on a Good Friday with an employment report. */
const isEmploymentReport = (day: Day) => packedCivil(day) >= 19_960_000 && packedCivil(day) % 100 <= 7

// National days of mourning, and a hurricane.
const UNSCHEDULED = new Set(['2004-06-11', '2012-10-30', '2018-12-05'].map(parseDay))

const holidaysByYear = new Map<number, Set<Day>>()

function holidays(year: number): Set<Day> {
  const known = holidaysByYear.get(year)
  if (known) return known
  const days = new Set<Day>()
  const observed = (day: Day, fridayToo: boolean) => {
    if (weekday(day) === 0) days.add(day + 1)
    else if (weekday(day) === 6) fridayToo && days.add(day - 1)
    else days.add(day)
  }
  // A New Year's Day on a Saturday is not observed on Friday, which belongs to the year before.
  observed(toDay(year, 1, 1), false)
  if (year >= 1983) days.add(nthWeekday(year, 1, 1, 3))
  days.add(nthWeekday(year, 2, 1, 3))
  const goodFriday = easterSunday(year) - 2
  if (!isEmploymentReport(goodFriday)) days.add(goodFriday)
  days.add(nthWeekday(year, 5, 1, -1))
  if (year >= 2022) observed(toDay(year, 6, 19), true)
  observed(toDay(year, 7, 4), true)
  days.add(nthWeekday(year, 9, 1, 1))
  days.add(nthWeekday(year, 10, 1, 2))
  if (year >= 1978) observed(toDay(year, 11, 11), false)
  else days.add(nthWeekday(year, 10, 1, 4))
  days.add(nthWeekday(year, 11, 4, 4))
  observed(toDay(year, 12, 25), true)
  holidaysByYear.set(year, days)
  return days
}

/** True when the US bond market is open: not a weekend, not a holiday of the SIFMA calendar. */
export function isBusinessDay(day: Day): boolean {
  const which = weekday(day)
  if (which === 0 || which === 6) return false
  return !holidays(Math.floor(packedCivil(day) / 10_000)).has(day) && !UNSCHEDULED.has(day)
}

/** The nth business day after the day (before, if negative); n = 0 gives the day itself or the next business day. */
export function addBusinessDays(day: Day, n: number): Day {
  const step = n < 0 ? -1 : 1
  let at = day
  if (n === 0) while (!isBusinessDay(at)) at++
  for (let left = Math.abs(n); left > 0; ) {
    at += step
    if (isBusinessDay(at)) left--
  }
  return at
}

const T_PLUS_2 = toDay(2017, 9, 5)
const T_PLUS_1 = toDay(2024, 5, 28)

/** The regular-way settlement day of a trade: T+3 before 2017-09-05, T+2 to 2024-05-27, T+1 since. */
export const settlementDay = (tradeDay: Day): Day =>
  addBusinessDays(tradeDay, tradeDay >= T_PLUS_1 ? 1 : tradeDay >= T_PLUS_2 ? 2 : 3)
