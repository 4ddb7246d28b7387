import { largest } from '../../base/lists.ts'

/** Currencies by the mark or code before an amount. */
const MARKS: Readonly<Record<string, string>> = {
  $: 'USD',
  US$: 'USD',
  C$: 'CAD',
  CA$: 'CAD',
  CAD$: 'CAD',
  CDN$: 'CAD',
  CAD: 'CAD',
  A$: 'AUD',
  AU$: 'AUD',
  AUD: 'AUD',
  NZ$: 'NZD',
  HK$: 'HKD',
  S$: 'SGD',
  EUR: 'EUR',
  GBP: 'GBP',
  JPY: 'JPY',
  SFR: 'CHF',
  CHF: 'CHF',
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

/** An amount in words, in any currency: `$2.0 billion`, `\u20ac750 million`, `C$400 million`, `90 billion Japanese yen`. */
export const AMOUNT = `(?:(?<![A-Za-z])(?<sign>${MARK}) ?|(?<![\\d.,$])(?=[\\d.,]{1,12}\\s{1,3}(?:billion|million)\\s{1,3}(?:${NAMED})\\b))(?<number>\\d{1,3}(?:,\\d{3}){0,3}(?:\\.\\d{1,4})?)(?:\\s{1,3}(?<unit>billion|million))?(?![\\d,.]*\\d|\\s{1,3}thousand)(?:\\s{1,3}(?<named>${NAMED})\\b)?`

/** Every amount of a text. */
export const everyAmount = new RegExp(AMOUNT, 'gi')

export interface Money {
  /** Minor units. */
  readonly value: number
  readonly currency: string
}

/**
 * Whether a text states its amounts in millions throughout, `a $3,000 facility` in `(dollars in millions)` or in a
 * document whose statements are. Billions may be written out, `$2.0 billion`, but no millions.
 */
const isInMillions = (flat: string, unit: string | null): boolean =>
  (unit === 'millions' || /\b(?:dollars|amounts|\$)?\s{0,3}in\s{1,3}millions\b/i.test(flat)) &&
  !/\$ ?[\d,.]{1,12}\s{1,3}million\b/i.test(flat)

/** The scale of a note, whose document states its amounts in `unit`. */
export const scaleOf = (flat: string, unit: string | null | undefined): Scale =>
  isInMillions(flat, unit ?? null) ? 'millions' : null

/** Whether a text states its amounts in thousands throughout, as the statements of its document do: it has none in words. */
export const isInThousands = (text: string, unit: string | null): boolean =>
  unit === 'thousands' && !/\$\s?[\d,.]{1,12}\s{1,3}(?:thousand|million|billion)\b/i.test(text)

/** `$250`, which is no price. */
const isSmall = /(?<![A-Za-z])[$\u20ac\u00a3] ?\d{1,3}(?!\d|[,.]\d| ?(?:%|per\b|a\b|for\s{1,3}each\b))/
const everyMarked = /[$\u20ac\u00a3] ?(?<number>\d{1,3}(?:,\d{3}){1,3})(?!\d|\.\d)/g
const everyFigure = /\b\d{1,3}(?:,\d{3}){1,3}\b/g
/** By how much the largest amount of a sentence may differ from the largest of a table in thousands. */
const LEAST = 0.02
const MOST = 5
const numberOf = (figure: string): number => Number(figure.replaceAll(',', ''))

/**
 * Whether the sentences of a note leave out thousands as the statements do: they have amounts as small as `$250`, or as large as those
 * of the note's table, and none that is written out. Else `$537,500` may be of dollars.
 */
export function leavesOutThousands(text: string, unit: string | null): boolean {
  if (!isInThousands(text, unit)) return false
  const isRow = (line: string) => line.includes('|')
  const prose = text
    .split('\n')
    .filter(line => !isRow(line))
    .join('\n')
  const amounts = [...prose.matchAll(everyMarked)].map(({ groups }) => groups?.['number'] ?? '')
  if (amounts.length === 0 || amounts.some(isWrittenOut)) return false
  if (isSmall.test(prose)) return true
  const rows = text.split('\n').filter(isRow)
  const ofTable = largest(
    rows.flatMap(row => (row.match(everyFigure) ?? []).map(numberOf)),
    0,
  )
  const ofProse = largest(amounts.map(numberOf))
  return ofProse >= LEAST * ofTable && ofProse <= MOST * ofTable
}

/**
 * Whether a text tells the issue of notes in thousands as its statements do: nobody sells `$130,000` of notes under an indenture. It has
 * no amount in words, and none written out.
 */
export const sellsInThousands = (text: string, unit: string | null): boolean =>
  isInThousands(text, unit) &&
  /\b(?:indenture|Rule\s{1,3}144A)\b/i.test(text) &&
  [...text.matchAll(everyMarked)].every(({ groups }) => !isWrittenOut(groups?.['number'] ?? ''))

/** An amount written out, `1,250,000`: no text in millions has so large a one. */
export const isWrittenOut = (number: string): boolean => /^\d{1,3}(?:,\d{3}){2,3}$/.test(number)

/** What a text counts an amount without a unit in; null where it says in nothing, so that such a number is no amount. */
export type Scale = 'millions' | 'thousands' | 'dollars' | null

/**
 * Whether the sentences of a text state their amounts in full dollars: its statements name no unit, and one of them is written out,
 * `$1,250,000`. Then `$500,000` is one too.
 */
export function writesOutDollars(text: string, unit: string | null): boolean {
  if (unit !== null || /\bin\s{1,3}(?:thousands|millions)\b|\$\s?000/i.test(text)) return false
  const prose = text
    .split('\n')
    .filter(line => !line.includes('|'))
    .join('\n')
  return [...prose.matchAll(everyMarked)].some(({ groups }) => isWrittenOut(groups?.['number'] ?? ''))
}

/** A number of thousands, `537,500`: one written out, or a small one, may be of dollars. */
const isOfThousands = /^\d{1,3},\d{3}$/
/** A number of dollars, `537,500`. */
const isInFull = /^\d{1,3}(?:,\d{3}){1,3}$/
/** One that would be of hundreds of billions in thousands is of dollars, `150,000,000`. */
const isOfHundredMillions = /^\d{2,3}(?:,\d{3}){2}$/

/**
 * The amount in the groups of a match of `AMOUNT`, in millions where it has no unit and the text is in millions, in thousands
 * where it is in thousands, and in dollars where it writes them out; else null.
 */
export function amountIn(
  { sign, number, unit, named }: Readonly<Record<string, string | undefined>>,
  scale: Scale = null,
): Money | null {
  if (number === undefined) return null
  if (scale === 'thousands' && unit === undefined) {
    const marked = currencyOf(sign)
    const isDollars = isOfHundredMillions.test(number)
    if (!(isDollars || isOfThousands.test(number)) || marked === undefined || WHOLE.has(marked)) return null
    return { value: Number(number.replaceAll(',', '')) * (isDollars ? 100 : 1e5), currency: marked }
  }
  const isOfDollars = scale === 'dollars' && isInFull.test(number)
  const isWhole = unit === undefined && (isOfDollars || isWrittenOut(number))
  if (unit === undefined && (scale === null || scale === 'dollars') && !isWhole) return null
  const currency = currencyOf(sign) ?? CURRENCIES.find(([words]) => words.test(named ?? ''))?.[1]
  if (currency === undefined) return null
  const factor = isWhole ? 1e-6 : /billion/i.test(unit ?? '') ? 1000 : 1
  const millions = Number(number.replaceAll(',', '')) * factor
  return { value: Math.round(millions * (WHOLE.has(currency) ? 1e6 : 1e8)), currency }
}

/** The currency of a mark; a small letter before a dollar sign is a word that runs into it, `a$500 million`. */
const currencyOf = (sign: string | undefined): string | undefined =>
  sign === undefined ? undefined : /^[a-z]\$$/.test(sign) ? 'USD' : MARKS[sign.toUpperCase()]
