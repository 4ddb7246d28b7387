import { numberOf, SMALL_NUMBERS, TENS } from '../../base/number-words.ts'
import { everyWords } from './flat-text.ts'

/** The unit of a threshold. Percentages are stored as ratios, 65% as 0.65; money is in cents. */
export type ThresholdUnit = 'ratio' | 'percent' | 'cents'

export interface Threshold {
  readonly value: number
  readonly unit: ThresholdUnit
  readonly from: number
  readonly to: number
  /** Written only in words, `four and one-half to one`. */
  readonly spelled: boolean
}

const fractions: Readonly<Record<string, number>> = {
  'one-half': 0.5,
  'one half': 0.5,
  'a half': 0.5,
  'one-quarter': 0.25,
  'one quarter': 0.25,
  'one-fourth': 0.25,
  'three-quarters': 0.75,
  'three quarters': 0.75,
  'three-fourths': 0.75,
  'one-third': 1 / 3,
  'two-thirds': 2 / 3,
  'one-tenth': 0.1,
  'two-tenths': 0.2,
  'three-tenths': 0.3,
}

const NUMBER = String.raw`(?:\d{1,3}(?:\.\d{1,4})?|(?<!\d)\.\d{1,4})`
const TO_ONE = String.raw`(?: ?(?:to|:|-to-) ?(?:1(?:\.0{1,4})?(?!\.?\d)|one\b))`
const SPELLED = `(?:${SMALL_NUMBERS.slice(1).join('|')})(?: (?:and )?(?:${Object.keys(fractions).join('|')}|(?:[a-z]+-)?hundredths))?`

const ratioPattern = String.raw`(?<ratio>${NUMBER})${TO_ONE}|(?<times>${NUMBER}) ?(?:x\b|times\b|×)`
// `four and one-half to one`, or `three times` earnings.
const spelledPattern = String.raw`(?<spelled>${SPELLED})(?:\s*\(${NUMBER}\))? (?:(?:to|times) (?:one|1(?:\.0{1,4})?)\b|times(?= (?:(?:our|its|the|consolidated|adjusted) ){0,2}(?:earnings|ebitda|cash flow|interest)))`
// `sixty-five percent`, unless its figures follow, `sixty-five percent (65%)`.
const percentPattern = String.raw`(?<percent>${NUMBER}) ?(?:%|percent\b|per cent\b)|(?<tens>${TENS.join('|')})(?:[ -](?<unit>five))? (?:percent|per cent)\b(?! ?\()`
const moneyPattern = String.raw`(?:(?:US|U\.S\.)? ?\$|\bUSD) ?(?<money>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?: ?(?<scale>million|billion|thousand)|(?<short>mm?)\b)?`

// `at least 1.40`, where only a comparison shows that a number is a level.
const barePattern = String.raw`(?<=\b(?:than|least|most|exceed(?:s|ing)?|equal to) )(?<bare>\d{1,2}\.\d{1,2})(?![\d%x:]| ?(?:%|percent|per cent|million|billion|to\b|times\b|:))|(?<under>\d{1,2}\.\d{1,2})(?= or (?:less|more|lower|higher|greater)\b)|(?<told>\d{1,2}\.\d{1,2})(?<=\b(?:maximum|minimum) (?:[a-z]{2,20} ){1,7}(?:is|was|are) (?:\([a-z]{1,3}\) )?[\d.]{3,5})(?=,? (?:for|as of|at|through|until|on|and)\b)`
const anyThreshold = [ratioPattern, spelledPattern, percentPattern, moneyPattern, barePattern].join('|')

/** Every ratio, percentage and amount of a text, in order. */
export function thresholdsIn(flat: string): Threshold[] {
  const found: Threshold[] = []
  for (const match of flat.matchAll(everyWords(anyThreshold))) {
    const threshold = read(match.groups!)
    if (threshold === null) continue
    // `14.50 to 1.00` must not be read out of `2014.50 to 1.00`.
    if (/[\d.,]/.test(flat[match.index - 1] ?? '') && /^\d/.test(match[0])) continue
    const lead = match[0].length - match[0].trimStart().length
    found.push({
      ...threshold,
      from: match.index + lead,
      to: match.index + match[0].length,
    })
  }
  return found
}

/** A hundred thousand dollars, in cents. */
const LEAST_WRITTEN_OUT = 10_000_000

/** `$5,600` of a text in thousands; a level of as many dollars is none. */
export const inUnitOf = (text: { readonly isInThousands?: boolean }, level: Threshold): Threshold =>
  text.isInThousands === true && level.unit === 'cents' && level.value < LEAST_WRITTEN_OUT
    ? { ...level, value: level.value * 1000 }
    : level

function read(groups: Readonly<Record<string, string | undefined>>): Omit<Threshold, 'from' | 'to'> | null {
  const digits = groups['ratio'] ?? groups['times'] ?? groups['bare'] ?? groups['under'] ?? groups['told']
  if (digits !== undefined) return { value: Number(digits), unit: 'ratio', spelled: false }
  if (groups['spelled'] !== undefined) {
    const value = spelledNumber(groups['spelled'])
    return value === null ? null : { value, unit: 'ratio', spelled: true }
  }
  if (groups['tens'] !== undefined) {
    const value = numberOf(groups['tens'].toLowerCase())! + (groups['unit'] === undefined ? 0 : 5)
    return { value: value / 100, unit: 'percent', spelled: true }
  }
  if (groups['percent'] !== undefined)
    return { value: Math.round(Number(groups['percent']) * 1e4) / 1e6, unit: 'percent', spelled: false }
  // `USD100M`
  const said = groups['short'] === undefined ? groups['scale']?.toLowerCase() : 'million'
  const scale = { thousand: 1e3, million: 1e6, billion: 1e9 }[said ?? ''] ?? 1
  const value = Math.round(Number((groups['money'] ?? '').replaceAll(',', '')) * scale * 100)
  return { value, unit: 'cents', spelled: false }
}

/** `four and one-half` is 4.5, `two and seventy-five hundredths` is not read. */
export function spelledNumber(text: string): number | null {
  const plain = text.toLowerCase().replace(/\s+/g, ' ')
  const [whole, ...rest] = plain.split(' ')
  const base = SMALL_NUMBERS.indexOf(whole!)
  if (base < 0) return null
  const more = rest.join(' ').replace(/^and /, '')
  if (more === '') return base
  const fraction = fractions[more]
  return fraction === undefined ? null : base + fraction
}
