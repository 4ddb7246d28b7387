import { elementAt } from '../../base/elements.ts'
import { SMALL_NUMBERS, TENS } from '../../base/number-words.ts'

const ORDINALS: Readonly<Record<string, string>> = {
  first: 'one',
  second: 'two',
  third: 'three',
  fifth: 'five',
  eighth: 'eight',
  ninth: 'nine',
  twelfth: 'twelve',
  twentieth: 'twenty',
  thirtieth: 'thirty',
}

interface Read {
  readonly value: number
  /** Words used. */
  readonly words: number
}

/** `two point seven percent due february twelve twenty twenty five` as `2.7 percent due february 12 2025`. */
export function digitsForWords(words: readonly string[]): string[] {
  const out: string[] = []
  for (let at = 0; at < words.length; ) {
    // `may nineteen twenty fourteen` is the nineteenth, as a year follows it.
    const isDay = isMonth(words[at - 1] ?? '') && yearAt(words, at + 1) !== null
    const year = isDay ? null : yearAt(words, at)
    const whole = year ?? numberAt(words, at)
    if (!whole) {
      out.push(elementAt(words, at++))
      continue
    }
    at += whole.words
    if (year || words[at] !== 'point') {
      out.push(String(whole.value))
      continue
    }
    const decimals = decimalsAt(words, at + 1)
    out.push(decimals.text === '' ? String(whole.value) : `${whole.value}.${decimals.text}`)
    at += 1 + decimals.words
  }
  return out
}

function smallAt(words: readonly string[], at: number): number | null {
  const word = words[at]
  if (word === undefined) return null
  const value = SMALL_NUMBERS.indexOf(word)
  return value >= 0 ? value : null
}

function numberAt(words: readonly string[], at: number): Read | null {
  const word = ORDINALS[words[at] ?? ''] ?? words[at]
  const tens = TENS.indexOf(word ?? '')
  if (tens >= 0) {
    const unit = smallAt(words, at + 1) ?? SMALL_NUMBERS.indexOf(ORDINALS[words[at + 1] ?? ''] ?? '')
    const isUnit = unit > 0 && unit < 10
    return { value: 20 + 10 * tens + (isUnit ? unit : 0), words: isUnit ? 2 : 1 }
  }
  // `second tranche` counts tranches; an ordinal is a day only after a month.
  const value = smallAt([word ?? ''], 0)
  return value === null || (word !== words[at] && !isMonth(words[at - 1] ?? '')) ? null : { value, words: 1 }
}

/** `two thousand twenty five`, `two thousand and fourteen`, `twenty forty one`. */
function yearAt(words: readonly string[], at: number): Read | null {
  if (words[at] === 'two' && words[at + 1] === 'thousand') {
    const and = words[at + 2] === 'and' ? 1 : 0
    const rest = numberAt(words, at + 2 + and)
    if (rest && rest.value < 100) return { value: 2000 + rest.value, words: 2 + and + rest.words }
    return { value: 2000, words: 2 }
  }
  if (words[at] !== 'twenty' && words[at] !== 'nineteen') return null
  const rest = numberAt(words, at + 1)
  if (!rest || rest.value < 10) return null
  return { value: (words[at] === 'twenty' ? 2000 : 1900) + rest.value, words: 1 + rest.words }
}

/** `six two five` as `625`, `ninety` as `90`. */
function decimalsAt(words: readonly string[], start: number): { text: string; words: number } {
  let text = ''
  let at = start
  for (let read = numberAt(words, at); read && text.length < 4; read = numberAt(words, at)) {
    text += read.value
    at += read.words
  }
  return { text, words: at - start }
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const isMonth = (word: string): boolean => MONTHS.includes(word)
/** 1 to 12; null if the word is no month. */
export const monthOf = (word: string): number | null => (isMonth(word) ? MONTHS.indexOf(word) + 1 : null)
