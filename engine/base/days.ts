/** Days as ISO dates (YYYY-MM-DD). */

const DAY_MS = 86_400_000

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** The later of two days, if any is known. */
export const later = (one: string | null, other: string | null): string | null =>
  one === null ? other : other === null || one > other ? one : other

/** Whether a day, month or year (`2032-03-15`, `2032-03`, `2032`) is later than that of a day. */
export const isAfter = (period: string, day: string): boolean => period > day.slice(0, period.length)

export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS
