import { type Column, isNumeric } from '../../../engine/schema/column.ts'
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

/** Decimals of figures in a column, by kind. */
function decimalsOf({ kind, unit }: Column): number {
  if (kind === 'cents') return 1
  if (kind === 'percent') return 3
  if (kind === 'ratio') return 2
  if (kind === 'years') return 1
  if (kind === 'integer') return 0
  if (kind === 'bps') return 1
  if (unit === 'percent of par') return 3
  if (unit === 'basis points') return 1
  return 2
}

/** Minor units in a million of a currency with a hundred of them. */
export const MILLION = 1e8

/** Stored units per displayed unit. */
export const scaleOf = ({ kind }: Column): number => (kind === 'cents' ? MILLION : 1)

const short: Readonly<Record<string, string>> = {
  'percent of par': '% of par',
  'basis points': 'bp',
  days: 'd',
  years: 'y',
  'years squared': 'y²',
}

/** The unit in a heading. */
export function unitOf({ kind, unit }: Column): string | undefined {
  if (kind === 'cents') return 'm'
  if (kind === 'percent') return '%'
  if (kind === 'bps') return 'bp'
  if (kind === 'ratio') return 'x'
  if (kind === 'years') return 'y'
  return unit === undefined ? undefined : (short[unit] ?? unit)
}

/** A value under a heading that gives its unit. */
export function shown(column: Column, value: unknown): string {
  if (value === null || value === undefined || value === '') return NOTHING
  if (typeof value === 'number' && isNumeric(column) && !isName(column))
    return fixed(value / scaleOf(column), decimalsOf(column))
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (column.kind === 'enum') return wordsOf(String(value))
  if (column.kind === 'timestamp') return String(value).slice(0, 16).replace('T', ' ')
  if (Array.isArray(value)) return value.length ? value.map(String).join(', ') : NOTHING
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A year is a whole number without separators. */
const isName = ({ doc }: Column): boolean => /^Fiscal (year|quarter)/.test(doc)

/** A value with its unit, without a heading. */
export function withUnit(column: Column, value: unknown): string {
  const text = shown(column, value)
  const unit = unitOf(column)
  if (text === NOTHING || unit === undefined) return text
  return /^[%x]$/.test(unit) ? `${text}${unit}` : `${text} ${unit}`
}

/** Money in minor units, with a readable number of digits: `45.2bn`. */
export function money(cents: number | null | undefined): string {
  if (cents === null || cents === undefined) return NOTHING
  const millions = cents / MILLION
  const size = Math.abs(millions)
  return size >= 10_000
    ? `${fixed(millions / 1000, 1)}bn`
    : size >= 1000
      ? `${fixed(millions / 1000, 2)}bn`
      : size >= 1
        ? `${fixed(millions, size >= 100 ? 0 : 1)}m`
        : fixed(cents / 100, 0)
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
export const minute = (timestamp: string): string => timestamp.slice(0, 16).replace('T', ' ')
