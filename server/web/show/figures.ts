import { type Column, isNumeric } from '../../../engine/schema/column.ts'
import { dayText } from './days.ts'
import { wordsOf } from './words.ts'

/** Shown for missing values. */
export const NOTHING = '–'

const formats = new Map<string, Intl.NumberFormat>()

/** A number with exactly the given number of decimals. */
export function fixed(value: number, decimals: number): string {
  const key = String(decimals)
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat('en-US', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    })
    formats.set(key, format)
  }
  return format.format(value).replace('-', '−')
}

/** Whether so many decimals say the value exactly. */
const isExact = (value: number, decimals: number): boolean =>
  Math.abs(value - Number(value.toFixed(decimals))) < 1e-9

/** A share from 0 to 1, which is no multiple of anything. */
const isShare = ({ doc }: Column): boolean => /0 (to|-) 1|[Ss]core/.test(doc)

/** Spreads and their differences; floors and deviations have no sign. */
export const isSigned = ({ kind, unit, doc }: Column): boolean =>
  (kind === 'bps' || unit === 'basis points') && !/floor|deviation/i.test(doc)

/** Decimals of a value, as desks quote it. */
function decimalsOf({ kind, unit }: Column, value: number): number {
  if (kind === 'cents' || kind === 'years') return 1
  // Coupons come in eighths, covenants in quarters of a turn.
  if (kind === 'percent') return isExact(value, 2) || !Number.isInteger(value * 8) ? 2 : 3
  if (kind === 'ratio') return isExact(value, 1) || !Number.isInteger(value * 4) ? 1 : 2
  if (unit === 'cents per 100 par') return 0
  if (kind === 'bps' || unit === 'basis points') return Math.abs(value) < 10 && !isExact(value, 0) ? 1 : 0
  if (kind === 'integer') return 0
  return 2
}

/** Minor units in a million of a currency with a hundred of them. */
export const MILLION = 1e8

/** Stored units per displayed unit. A price change in cents per 100 is shown as dollars per million. */
export const scaleOf = ({ kind, unit }: Column): number =>
  kind === 'cents' ? MILLION : unit === 'cents per 100 par' ? 0.01 : 1

const short: Readonly<Record<string, string>> = {
  'percent of par': '% of par',
  'basis points': 'bp',
  'cents per 100 par': '$ per $1mm',
  days: 'd',
  years: 'y',
  'years squared': 'y²',
}

/** The unit of a column. */
export function unitOf(column: Column): string | undefined {
  const { kind, unit } = column
  if (kind === 'cents') return '$mm'
  if (kind === 'percent') return '%'
  if (kind === 'bps') return 'bp'
  if (kind === 'ratio') return isShare(column) ? undefined : 'x'
  if (kind === 'years') return 'y'
  return unit === undefined ? undefined : (short[unit] ?? unit)
}

/** The unit of thresholds. Levels of ratios are small numbers; a larger one is an amount. */
const TIMES_OR_CENTS = 'times or cents'
const LEAST_AMOUNT = 1_000_000
export const isThresholdAmount = (threshold: number): boolean => threshold >= LEAST_AMOUNT

/** Units that each value shows, so that a heading need not. */
const isOnValue = (unit: string | undefined): boolean => unit === '%' || unit === 'x'

/** The unit in a heading; prices are known to be percent of par. */
export function headingUnit(column: Column): string | undefined {
  const unit = unitOf(column)
  return isOnValue(unit) || unit === '% of par' || unit === TIMES_OR_CENTS ? undefined : unit
}

/** A spread or a difference of spreads, as desks write it: +134. */
export function basisPoints(value: number, decimals = 0): string {
  const text = fixed(value, decimals)
  return value > 0 && Number(value.toFixed(decimals)) !== 0 ? `+${text}` : text
}

/** A value under a heading that gives its unit. */
export function shown(column: Column, value: unknown): string {
  if (value === null || value === undefined || value === '') return NOTHING
  if (typeof value === 'number' && isNumeric(column) && !isCalendarName(column)) {
    if (column.unit === TIMES_OR_CENTS)
      return isThresholdAmount(value) ? money(value, 'USD') : fixed(value, 2)
    const scaled = value / scaleOf(column)
    const decimals = decimalsOf(column, scaled)
    const text = isSigned(column) ? basisPoints(scaled, decimals) : fixed(scaled, decimals)
    const unit = unitOf(column)
    return isOnValue(unit) ? `${text}${unit}` : text
  }
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (column.kind === 'enum') return wordsOf(String(value))
  if (column.kind === 'date') return dayText(String(value))
  if (column.kind === 'timestamp') return minute(String(value))
  if (Array.isArray(value)) return value.length ? value.map(String).join(', ') : NOTHING
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A year is a whole number without separators. */
export const isCalendarName = ({ kind, doc }: Column): boolean =>
  kind === 'integer' && /^(Fiscal )?(year|quarter)\b/i.test(doc)

/** A value with its unit, without a heading. */
export function withUnit(column: Column, value: unknown, currency: string | null = 'USD'): string {
  const text = shown(column, value)
  const unit = unitOf(column)
  if (text === NOTHING || unit === undefined || typeof value !== 'number') return text
  if (column.kind === 'cents') return money(value, currency)
  if (isOnValue(unit) || unit === '% of par' || unit === TIMES_OR_CENTS) return text
  return unit === '$ per $1mm' ? `$${text} per $1mm` : `${text} ${unit}`
}

/** Money in minor units, as desks write it: `$45.2bn`, `$734mm`; other currencies after the number. */
export function money(cents: number | null | undefined, currency: string | null = 'USD'): string {
  if (cents === null || cents === undefined) return NOTHING
  const millions = Math.abs(cents) / MILLION
  const size =
    millions >= 10_000
      ? `${fixed(millions / 1000, 1)}bn`
      : millions >= 1000
        ? `${fixed(millions / 1000, 2)}bn`
        : millions >= 1
          ? `${fixed(millions, millions >= 100 ? 0 : 1)}mm`
          : fixed(millions * 1e6, 0)
  const sign = cents < 0 ? '−' : ''
  return currency === 'USD' ? `${sign}$${size}` : `${sign}${size}${currency ? ` ${currency}` : ''}`
}

const digits = new Intl.NumberFormat('en-US', { maximumFractionDigits: 12 })

/** The figure as stored, for those who need every digit; null where what is shown is all of it. */
export function exactly(column: Column, value: unknown, currency?: unknown): string | null {
  if (typeof value !== 'number' || !isNumeric(column) || isCalendarName(column)) return null
  const unit = { cents: String(currency || 'USD'), percent: '%', bps: 'basis points' }[column.kind as string]
  const text = digits.format(column.kind === 'cents' ? value / 100 : value).replace('-', '−')
  const named = unit ?? column.unit ?? (column.kind === 'ratio' && !isShare(column) ? 'x' : '')
  return `${text}${/^[%x]?$/.test(named) ? '' : ' '}${named}`
}

export const isRight = (column: Column): boolean => isNumeric(column)

/** A member of a nested row: `pricing.ytm` of `{pricing: {ytm}}`. */
export function memberOf(row: object, name: string): unknown {
  if (Object.hasOwn(row, name)) return (row as Record<string, unknown>)[name]
  let at: unknown = row
  for (const part of name.split('.')) {
    if (at === null || typeof at !== 'object') return undefined
    at = (at as Record<string, unknown>)[part]
  }
  return at
}

/** A timestamp to the minute, UTC. */
export const minute = (timestamp: string): string =>
  `${dayText(timestamp.slice(0, 10))} ${timestamp.slice(11, 16)}`
