import { isWrittenOut, type Money } from './money.ts'

/** Currencies by the mark before an amount. */
const MARKS: Readonly<Record<string, string>> = {
  $: 'USD',
  US$: 'USD',
  C$: 'CAD',
  CA$: 'CAD',
  CAD$: 'CAD',
  CDN$: 'CAD',
  A$: 'AUD',
  AU$: 'AUD',
  NZ$: 'NZD',
  HK$: 'HKD',
  S$: 'SGD',
  '\u20ac': 'EUR',
  '\u00a3': 'GBP',
  '\u00a5': 'JPY',
}
/** Currencies by their words after an amount, `90 billion Japanese yen`. */
const WORDS: readonly (readonly [string, string])[] = [
  ['(?:japanese\\s{1,3})?yen', 'JPY'],
  ['euros?', 'EUR'],
  ['(?:british\\s{1,3})?pounds?(?:\\s{1,3}sterling)?', 'GBP'],
  ['canadian\\s{1,3}dollars?', 'CAD'],
  ['australian\\s{1,3}dollars?', 'AUD'],
  ['new\\s{1,3}zealand\\s{1,3}dollars?', 'NZD'],
  ['hong\\s{1,3}kong\\s{1,3}dollars?', 'HKD'],
  ['singapore\\s{1,3}dollars?', 'SGD'],
  ['swiss\\s{1,3}francs?', 'CHF'],
  ['indian\\s{1,3}rupees?', 'INR'],
  ['u\\.?s\\.?\\s{1,3}dollars?', 'USD'],
]
/** Currencies without a minor unit. */
const WHOLE: ReadonlySet<string> = new Set(['JPY'])

const CURRENCIES = WORDS.map(([words, currency]) => [new RegExp(`^(?:${words})$`, 'i'), currency] as const)
const NAMED = WORDS.map(([words]) => words).join('|')
const MARK = Object.keys(MARKS)
  .toSorted((a, b) => b.length - a.length)
  .map(mark => mark.replace('$', '\\$'))
  .join('|')

/** The commitment of a facility in words, in any currency: `$2.0 billion`, `\u00a590 billion`, `90 billion Japanese yen`. */
export const COMMITTED = `(?:(?<![A-Za-z])(?<sign>${MARK}) ?|(?<![\\d.,$])(?=[\\d.,]{1,12}\\s{1,3}(?:billion|million)\\s{1,3}(?:${NAMED})\\b))(?<number>\\d{1,3}(?:,\\d{3}){0,3}(?:\\.\\d{1,4})?)(?:\\s{1,3}(?<unit>billion|million))?(?![\\d,.]*\\d|\\s{1,3}thousand)(?:\\s{1,3}(?<named>${NAMED})\\b)?`

/** The amount in the groups of a match of `COMMITTED`; in millions where it has no unit and the text is in millions. */
export function commitmentIn(
  { sign, number, unit, named }: Readonly<Record<string, string | undefined>>,
  inMillions = false,
): Money | null {
  if (number === undefined) return null
  const isWhole = unit === undefined && isWrittenOut(number)
  if (unit === undefined && !inMillions && !isWhole) return null
  const currency =
    (sign !== undefined && MARKS[sign.toUpperCase()]) ||
    CURRENCIES.find(([words]) => words.test(named ?? ''))?.[1]
  if (currency === undefined) return null
  const scale = isWhole ? 1e-6 : /billion/i.test(unit ?? '') ? 1000 : 1
  const millions = Number(number.replaceAll(',', '')) * scale
  return { value: Math.round(millions * (WHOLE.has(currency) ? 1e6 : 1e8)), currency }
}
