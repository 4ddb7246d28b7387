/** An amount in words: `$2.0 billion`, `€750 million`. */
export const AMOUNT =
  '(?<![A-Z])(?<sign>US\\$|\\$|\\u20ac|\\u00a3) ?(?<number>\\d{1,3}(?:,\\d{3}){0,3}(?:\\.\\d{1,3})?)\\s{1,3}(?<unit>billion|million)\\b'

export interface Money {
  /** Minor units. */
  readonly value: number
  readonly currency: string
}

const CURRENCIES: Readonly<Record<string, string>> = { '\u20ac': 'EUR', '\u00a3': 'GBP' }

/** The amount in the groups of a match of `AMOUNT`; null without one. */
export function amountIn({ sign, number, unit }: Readonly<Record<string, string | undefined>>): Money | null {
  if (sign === undefined || number === undefined || unit === undefined) return null
  const scale = /billion/i.test(unit) ? 1e11 : 1e8
  return {
    value: Math.round(Number(number.replaceAll(',', '')) * scale),
    currency: CURRENCIES[sign] ?? 'USD',
  }
}
