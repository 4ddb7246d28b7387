import { elementAt } from '../../base/elements.ts'
import { couponAndYear } from './member-name.ts'

const YEAR = /^(?:19|20)\d\d$/
/** The digits of a rate without zeros around them: 3.150, 315 and 3.15 are alike. */
const digitsOf = (text: string): string => text.replace(/[^0-9]/g, '').replace(/^0+|0+$/g, '')

/**
 * The name with its coupon in front, in place of the digits that filers write for it: `Notes 3150 due 2024`, `Senior
 * Notes due 2024 at 3.15 Percent` and `Notes 3 Point 15 Percent due 2024` as `3.15% Notes due 2024`.
 */
export function titleOf(words: string, coupon: number | null): string {
  const all = words.split(' ').filter((word, i) => i === 0 || word !== 'Member')
  if (coupon === null || /\d%/.test(words)) return all.join(' ')
  const kept: string[] = []
  for (let at = 0; at < all.length; ) {
    const length = lengthOfRate(all, at, coupon)
    if (length === 0) {
      const word = elementAt(all, at++)
      const run = couponAndYear(word)
      const isRun = run !== null && digitsOf(run.coupon) === digitsOf(String(coupon))
      kept.push(isRun ? run.year : word)
      if (isRun && all[at] === 'Percent') at++
      continue
    }
    at += length
    if (all[at] === 'Percent') at++
    if (/^(?:at|rate)$/i.test(kept.at(-1) ?? '')) kept.pop()
  }
  return [`${coupon}%`, ...kept].join(' ')
}

const UNITS: Readonly<Record<string, number>> = { B: 1e9, Billion: 1e9, M: 1e6, Million: 1e6 }

/**
 * The name with the point that its filer's digits lack, where they are those of the commitment: `25 Billion Facility` and
 * `20 B Revolving Credit Agreement` of $2.5 and $2.0 billion.
 */
export function withCommitment(name: string, commitment: number | null): string {
  if (commitment === null) return name
  return name.replace(/(?<![\d.])(\d{2,4}) (Billion|B|Million|M)\b/, (said, digits: string, unit: string) => {
    const amount = commitment / (UNITS[unit] ?? 1)
    const isSame = digitsOf(digits) === digitsOf(String(amount)) && Number(digits) !== amount
    return isSame ? `${Number.isInteger(amount) ? amount.toFixed(1) : amount} ${unit}` : said
  })
}

/** How many words from a position on say the coupon. */
function lengthOfRate(all: readonly string[], at: number, coupon: number): number {
  const word = elementAt(all, at)
  const [second, third] = [all[at + 1] ?? '', all[at + 2] ?? '']
  if (/^\d{1,2}$/.test(word) && /^point$/i.test(second) && /^\d{1,5}$/.test(third))
    return Number(`${word}.${third}`) === coupon ? 3 : 0
  if (!/^\d+(?:\.\d+)?$/.test(word)) return 0
  const isRate = word.length >= 3 || second === 'Percent'
  if (isRate && digitsOf(word) === digitsOf(String(coupon)) && !isYearDue(all, at, coupon)) return 1
  // Digits before `due` that are no coupon are a slip of the filer's: the coupon is tagged.
  return /^\d{3,5}$/.test(word) && !YEAR.test(word) && second === 'due' ? 1 : 0
}

/** A year, unless the coupon in thousandths is alike and the name has the year in which the notes are due: `2000 Notes due 2030`. */
const isYearDue = (all: readonly string[], at: number, coupon: number): boolean =>
  YEAR.test(elementAt(all, at)) &&
  !/^due$/i.test(all[at + 1] ?? '') &&
  !(at === 0 && Number(all[at]) === coupon * 1000 && all.indexOf('due') > 0)
