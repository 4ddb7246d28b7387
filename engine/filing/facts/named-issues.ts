import { sentenceAround } from './flat-text.ts'
import { AMOUNT, amountIn, type Money } from './money.ts'
import { daysNamed, ratesNamed } from './note-sentences.ts'

/** Notes that a report says were issued by the name that it gives them. */
interface NamedIssue {
  readonly coupon: number
  readonly maturity: string
  readonly kind: string
  readonly amount: Money
  readonly begin: number
  readonly end: number
}

/** `issued $239,142,000 aggregate principal amount of New Private Notes`. */
const issuedByName = new RegExp(
  `${AMOUNT}\\s{1,3}(?:in\\s{1,3})?(?:aggregate\\s{1,3})?principal\\s{1,3}amount\\s{1,3}of\\s{1,3}(?:(?:the|its|our)\\s{1,3})?(?<alias>(?:[A-Z0-9][\\w.%-]{0,20}\\s){0,5}(?:Notes|Debentures|Bonds))\\b(?!\\s{1,3}due\\b)`,
  'g',
)
const KIND = '(?:[A-Z][A-Za-z-]{2,20} ){0,6}?(?:Notes|Debentures|Bonds)'
const everyTitle = new RegExp(
  `(?<![\\d.])(?<coupon>\\d{1,2}(?:\\.\\d{1,5})?) ?%\\s{1,3}(?<kind>${KIND})\\s{1,3}due\\s{1,3}(?:[A-Z][a-z]{2,8} (?:\\d{1,2}, )?)?(?<year>20\\d\\d)`,
  'g',
)

/**
 * The notes that a report calls by a name where it says how much was issued, and whose coupon and day it gives the same name
 * elsewhere: `The New Private Notes bear interest at a rate of 9.500%`, `will mature on December 31, 2028`. One name has
 * one amount.
 */
export function namedIssuesIn(flat: string): NamedIssue[] {
  const all = [...flat.matchAll(issuedByName)]
  if (all.length === 0) return []
  const rates = ratesNamed(flat)
  const days = daysNamed(flat)
  return all.flatMap(match => {
    const alias = match.groups?.['alias'] ?? ''
    const [coupon, maturity] = [rates.get(alias), days.get(alias)]
    const amount = amountIn(match.groups ?? {})
    const isOther = all.some(
      other => other.groups?.['alias'] === alias && other.groups['number'] !== match.groups?.['number'],
    )
    if (coupon == null || maturity == null || amount === null || isOther) return []
    const [, end] = sentenceAround(flat, match.index)
    const kind = titleOf(flat, coupon, maturity.slice(0, 4)) ?? kindOf(alias)
    return [{ coupon, maturity, kind, amount, begin: match.index, end: Math.max(end, match.index + 1) }]
  })
}

/** What a heading or sentence calls the notes of a coupon and year, `9.500% Senior Second Lien Secured Notes due 2028`. */
const titleOf = (flat: string, coupon: number, year: string): string | null =>
  [...flat.matchAll(everyTitle)].find(
    ({ groups }) => Number(groups?.['coupon']) === coupon && groups?.['year'] === year,
  )?.groups?.['kind'] ?? null

/** A name without what tells it from others, `New 2028 Senior Notes`. */
const kindOf = (alias: string): string =>
  alias.replace(
    /\b(?:New|Old|Existing|Private|Registered|Additional|Initial|USD|Euro|20\d\d|Series \w+)\s/g,
    '',
  )
