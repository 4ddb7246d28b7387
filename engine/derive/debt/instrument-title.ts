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
