/** How days are written, by an example of each. */
export const dayForms = { iso: '2025-06-30', words: '30 Jun 2025', us: '06/30/2025' } as const

export type DayForm = keyof typeof dayForms

let form: DayForm = 'iso'

/** Whoever sets it draws the page again. */
export const setDayForm = (to: DayForm): void => {
  form = to
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** An ISO day in the reader's form; other texts unchanged. */
export function dayText(text: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? []
  if (form === 'iso' || !year) return text.slice(0, year ? 10 : undefined)
  return form === 'us' ? `${month}/${day}/${year}` : `${Number(day)} ${months[Number(month) - 1]} ${year}`
}

/** The ISO day of what a reader wrote in any form, also `20250630`; other texts unchanged. */
export function isoDay(text: string): string {
  const [, y, m, d] = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? []
  if (y) return `${y}-${m}-${d}`
  const [, month, day, year] = /^(\d\d?)\/(\d\d?)\/(\d{4})$/.exec(text) ?? []
  if (year) return iso(year, month, day)
  const [, ofMonth, name, inYear] = /^(\d\d?) ([A-Za-z]{3})[a-z]* (\d{4})$/.exec(text) ?? []
  const at = months.findIndex(known => known.toLowerCase() === name?.toLowerCase())
  return at < 0 ? text : iso(inYear, String(at + 1), ofMonth)
}

const iso = (year = '', month = '', day = ''): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

/** The first and last of some days, `2024-12-31 to 2025-06-30`; the one if they are the same, null if there is none. */
export function spanText(days: readonly string[]): string | null {
  const [first, ...others] = [...days].sort()
  const last = others.at(-1) ?? first
  if (first === undefined || last === undefined) return null
  return first === last ? dayText(first) : `${dayText(first)} to ${dayText(last)}`
}
