import { sentenceAround } from './flat-text.ts'
import { AMOUNT, amountIn, type Money, type Scale } from './money.ts'
import { datesIn } from './spelled-dates.ts'

/** Notes that a sentence tells of, with the amount issued. */
interface Told {
  readonly alias: string | null
  readonly coupon: number | null
  readonly maturity: string
  readonly amount: Money
  readonly from: number
  readonly end: number
}

const PRINCIPAL =
  '(?:(?:in|of)\\s{1,3})?(?:(?:the|aggregate|outstanding)\\s{1,3}){0,2}(?:principal\\s{1,3})?(?:amount\\s{1,3})?(?:of\\s{1,3})?(?:the\\s{1,3}|our\\s{1,3}|its\\s{1,3})?'
/** `$262.6 million in aggregate principal amount of the 2025 Debentures remain outstanding`. */
const remaining = new RegExp(
  `${AMOUNT}\\s{1,3}${PRINCIPAL}(?:for\\s{1,3}the\\s{1,3})?(?<name>[^.;$]{3,60}?|[^;$]{3,60}?)\\s{1,3}(?:(?:remains?|remained)\\s{1,3}outstanding\\b|remaining(?=[.,;]))`,
  'gi',
)

/** What a part redemption, exchange or conversion left of a series, as the last sentence that says so does; null if none does. */
export function leftOf(
  prose: string,
  { alias: name, coupon, amount, maturity }: Told,
  { all, scale }: { readonly all: readonly Told[]; readonly scale: Scale },
): Money | null {
  const year = maturity.slice(0, 4)
  const isOnly = all.every(other => other.coupon === coupon || other.maturity.slice(0, 4) !== year)
  const byRate = coupon === null ? [] : [0, 1, 2, 3].map(digits => rateWith(coupon, digits))
  // `the 2031 Debentures`, where only these fall due in that year.
  const names = [name, ...byRate, isOnly ? `${year} ` : null]
  const last = [...prose.matchAll(remaining)]
    .filter(match => names.some(each => each !== null && match.groups?.['name']?.includes(each) === true))
    .at(-1)
  const left = last === undefined ? null : amountIn(last.groups ?? {}, scale)
  return left !== null && left.value > 0 && left.value < amount.value && left.currency === amount.currency
    ? left
    : null
}

/** `the remaining outstanding principal amount of the Notes totaled $438.7 million`. */
const principalLeft = new RegExp(
  `\\b(?:remaining|outstanding)\\s{1,3}(?:(?:aggregate|outstanding|unpaid)\\s{1,3}){0,2}principal\\s{1,3}(?:amount|balance)?\\s{0,3}(?:outstanding\\s{1,3})?(?:of|on|under)\\s{1,3}(?:the|our|its)\\s{1,3}(?<name>[^.;$,]{3,60}?)\\s{1,3}(?:outstanding\\s{1,3})?(?:totall?ed|was|is)\\s{1,3}(?:approximately\\s{1,3})?${AMOUNT}`,
  'gi',
)

/** `of which $20.5 million aggregate principal amount was outstanding`, behind what was issued. */
const leftOfThese = new RegExp(
  `\\bof\\s{1,3}which\\s{1,3}(?:approximately\\s{1,3})?${AMOUNT}\\s{1,3}(?:(?:in|of|aggregate|principal|amount)\\s{1,3}){0,4}(?:was|were|is|remain(?:s|ed)?)\\s{1,3}outstanding\\b`,
  'i',
)

/** What a sentence of the report's day says is left of a series, its own or one with its name; null where none does, or two do otherwise. */
export function restOf(
  prose: string,
  { alias: name, amount, from, end }: Told,
  { day, scale, isOnly }: { readonly day: string; readonly scale: Scale; readonly isOnly: boolean },
): Money | null {
  const own = prose.slice(from, end)
  const rest = amountIn(leftOfThese.exec(own)?.groups ?? {}, scale)
  const isNow = datesIn(own).some(({ date }) => date === day)
  if (rest !== null && isNow && rest.value < amount.value && rest.currency === amount.currency) return rest
  // `The Notes` are those of the one series that is told.
  const called = name ?? (isOnly ? 'Notes' : null)
  if (called === null) return null
  const all = [...prose.matchAll(principalLeft)].flatMap(match => {
    const [from, to] = sentenceAround(prose, match.index)
    const isOfDay = datesIn(prose.slice(from, to)).some(({ date }) => date === day)
    const isOfName = match.groups?.['name']?.replace(/\s+/g, ' ').toLowerCase() === called.toLowerCase()
    return isOfDay && isOfName ? (amountIn(match.groups ?? {}, scale) ?? []) : []
  })
  const [left, ...others] = all
  if (left === undefined || others.some(({ value }) => value !== left.value)) return null
  return left.value > 0 && left.value < amount.value && left.currency === amount.currency ? left : null
}

/** `4.5%`, `4.50%` or `4.500%`. */
export const rateWith = (coupon: number, digits: number): string =>
  `${digits === 0 ? coupon : coupon.toFixed(digits)}%`
