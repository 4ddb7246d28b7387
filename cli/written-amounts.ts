import type { Column } from '../engine/schema/column.ts'

/** Digits that a suffix moves the decimal point by. */
const powers: Readonly<Record<string, number>> = { '': 0, k: 3, mm: 6, mn: 6, bn: 9, tn: 12 }

/** Cents in a dollar, as digits. */
const CENTS = 2

/**
 * A number as a desk writes it, in the unit of its column: `$500mm` and `1.25bn` in cents, `8%`, `150bp`, `4.2x`.
 * Anything else comes back as it is, for the parser to judge.
 */
export function plainNumber(column: Column, written: string): string {
  const text = written.trim()
  switch (column.kind) {
    case 'cents': {
      const [, sign, number, suffix] =
        /^(-?)\$? ?([0-9][0-9,]*(?:\.[0-9]+)?) ?(k|mm|mn|bn|tn|)$/i.exec(text) ?? []
      const inDollars = text.includes('$') || suffix
      if (number === undefined || !inDollars) return written
      return `${sign}${shifted(number.replaceAll(',', ''), powers[suffix!.toLowerCase()]! + CENTS) ?? written}`
    }
    case 'percent':
      return text.replace(/^(-?[0-9.]+)\s*%$/, '$1')
    case 'bps':
      return text.replace(/^([+-]?[0-9.]+)\s*bps?$/i, '$1')
    case 'ratio':
    case 'number':
      return text.replace(/^(-?[0-9.]+)\s*x$/i, '$1')
    default:
      return written
  }
}

/** A decimal with its point moved to the right; null if digits stay behind it. */
function shifted(number: string, by: number): string | null {
  const [whole = '', fraction = ''] = number.split('.')
  if (/[1-9]/.test(fraction.slice(by))) return null
  return `${whole}${fraction.slice(0, by).padEnd(by, '0')}`.replace(/^0+(?=[0-9])/, '')
}
