/** An amount in words: `$2.0 billion`, `€750 million`. */
export const AMOUNT =
  '(?<![A-Z])(?<sign>US\\$|\\$|\\u20ac|\\u00a3|SFr|CHF) ?(?<number>\\d{1,3}(?:,\\d{3}){0,3}(?:\\.\\d{1,4})?)(?:\\s{1,3}(?<unit>billion|million))?(?![\\d,.]*\\d|\\s{1,3}thousand)'

/** Every amount of a text. */
export const everyAmount = new RegExp(AMOUNT, 'gi')

export interface Money {
  /** Minor units. */
  readonly value: number
  readonly currency: string
}

const CURRENCIES: Readonly<Record<string, string>> = {
  '\u20ac': 'EUR',
  '\u00a3': 'GBP',
  sfr: 'CHF',
  chf: 'CHF',
}

/**
 * Whether a text states its amounts in millions throughout, `a $3,000 facility` in `(dollars in millions)` or in a
 * document whose statements are.
 */
export const isInMillions = (flat: string, unit: string | null = null): boolean =>
  (unit === 'millions' || /\b(?:dollars|amounts|\$)?\s{0,3}in\s{1,3}millions\b/i.test(flat)) &&
  !/\$ ?[\d,.]{1,12}\s{1,3}(?:million|billion)\b/i.test(flat)

/** An amount written out, `1,250,000`: no text in millions has so large a one. */
export const isWrittenOut = (number: string): boolean => /^\d{1,3}(?:,\d{3}){2,3}$/.test(number)

/** The amount in the groups of a match of `AMOUNT`, in millions where it has no unit and the text is in millions; else null. */
export function amountIn(
  { sign, number, unit }: Readonly<Record<string, string | undefined>>,
  inMillions = false,
): Money | null {
  if (sign === undefined || number === undefined) return null
  const isWhole = unit === undefined && isWrittenOut(number)
  if (unit === undefined && !inMillions && !isWhole) return null
  const scale = isWhole ? 100 : /billion/i.test(unit ?? '') ? 1e11 : 1e8
  return {
    value: Math.round(Number(number.replaceAll(',', '')) * scale),
    currency: CURRENCIES[sign.toLowerCase()] ?? 'USD',
  }
}
