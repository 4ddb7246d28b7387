import { type Column, unitOf } from './column.ts'

/** A number written with a unit, in the unit of its column. */
export interface WrittenNumber {
  readonly value: string
  /** False if the text has another common reading: `5m` is thousands on some desks. */
  readonly isCertain: boolean
}

/** Digits that a scale moves the decimal point by. */
const powers: Readonly<Record<string, number>> = {
  '': 0,
  ...{ k: 3, thousand: 3, thousands: 3 },
  ...{ m: 6, mm: 6, mn: 6, mio: 6, mil: 6, million: 6, millions: 6 },
  ...{ b: 9, bn: 9, bln: 9, billion: 9, billions: 9 },
  ...{ t: 12, tn: 12, trn: 12, trillion: 12, trillions: 12 },
}

/** Scales that stand for one number on every desk. */
const CERTAIN_SCALES: ReadonlySet<string> = new Set(['', 'k', 'mm', 'mn', 'bn', 'tn'])

const CURRENCY_WORDS: ReadonlySet<string> = new Set([
  'dollar',
  'dollars',
  'usd',
  'eur',
  'euro',
  'euros',
  'gbp',
])

/** Cents in a dollar, as digits. */
const CENTS = 2

const multiples = { x: 0, times: 0, turn: 0, turns: 0 }

/** Digits that a unit moves the decimal point by, by the unit of the column, else its kind. */
const units: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  percent: { '%': 0, pct: 0, percent: 0, bp: -2, bps: -2, 'basis points': -2 },
  'basis points': { bp: 0, bps: 0, 'basis points': 0, '%': 2, pct: 2, percent: 2 },
  ratio: multiples,
  number: multiples,
  years: { y: 0, yr: 0, yrs: 0, year: 0, years: 0 },
  days: { d: 0, day: 0, days: 0 },
}

/** Units that the command line takes. */
const CERTAIN_UNITS: ReadonlySet<string> = new Set(['%', 'bp', 'bps', 'x'])

const WRITTEN = /^([+-]?)([$€£]?) ?([0-9][0-9,]*(?:\.[0-9]+)?|\.[0-9]+) ?(%|[a-z]+(?: [a-z]+)?|)$/
const GROUPED = /^[0-9]{1,3}(?:,[0-9]{3})*(?:\.[0-9]+)?$/

/**
 * A number as a desk writes it, in the unit of its column: `$500mm` and `1.25bn` in cents, `8%`, `150bp`, `4.2x`; null
 * if the text is none, or is a plain number.
 */
export function writtenNumber(column: Column, written: string): WrittenNumber | null {
  const [, sign = '', symbol = '', number, suffix = ''] =
    WRITTEN.exec(written.trim().toLowerCase().replaceAll(/\s+/g, ' ')) ?? []
  if (number === undefined || (number.includes(',') && !GROUPED.test(number))) return null
  const digits = number.replaceAll(',', '')
  if (column.kind === 'cents') return amountInCents(sign, symbol, digits, suffix)
  if (symbol !== '') return null
  // A plain number needs no reading.
  if (suffix === '') return digits === number ? null : { value: signed(sign, digits), isCertain: false }
  const by = (units[unitOf(column) ?? ''] ?? units[column.kind])?.[suffix]
  if (by === undefined) return null
  if (by === 0)
    return { value: `${sign}${digits}`, isCertain: digits === number && CERTAIN_UNITS.has(suffix) }
  const value = Number((Number(digits) * 10 ** by).toPrecision(12))
  return { value: signed(sign, String(value)), isCertain: false }
}

function amountInCents(sign: string, symbol: string, digits: string, suffix: string): WrittenNumber | null {
  if (symbol === '' && suffix === '') return null
  const scale = suffix
    .split(' ')
    .filter(word => !CURRENCY_WORDS.has(word))
    .join(' ')
  const power = powers[scale]
  const value = power === undefined ? null : shifted(digits, power + CENTS)
  if (value === null) return null
  return {
    value: signed(sign, value),
    isCertain: CERTAIN_SCALES.has(suffix) && symbol !== '€' && symbol !== '£',
  }
}

const signed = (sign: string, digits: string): string => (sign === '-' ? `-${digits}` : digits)

/** A decimal with its point moved to the right; null if digits stay behind it. */
function shifted(number: string, by: number): string | null {
  const [whole = '', fraction = ''] = number.split('.')
  if (/[1-9]/.test(fraction.slice(by))) return null
  return `${whole}${fraction.slice(0, by).padEnd(by, '0')}`.replace(/^0+(?=[0-9])/, '')
}
