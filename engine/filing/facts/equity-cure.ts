import { firstOf } from '../../base/elements.ts'
import { numberOf } from '../../base/number-words.ts'
import { everyWords, words } from './flat-text.ts'
import { NUMBERS } from './tenors.ts'

/** How a breach of a financial test may be cured with new equity. */
export interface EquityCure {
  /** Days after the statements are due, business or calendar; null if not stated or stated twice. */
  readonly period_days: number | null
  readonly most_in_four_quarters: number | null
  /** Over the life of the agreement. */
  readonly most_in_total: number | null
}

const RIGHT = String.raw`\b(?:right to cure|cure right|equity cure|cure (?:amount|contribution|expiration date)|specified equity contribution)\b`
const right = everyWords(RIGHT)
const periodAfter = everyWords(
  String.raw`${RIGHT}[^.]{0,900}?\b(?:within|prior to|no later than|not later than|on or (?:prior to|before)|until)\b[^.]{0,60}?\b(?:(?:[a-z]+ )?\((?<bracketed>\d{1,2})\)|(?<plain>\d{1,2})(?:th|st|rd|nd)?) (?:business |calendar |consecutive )?days?\b`,
)
const SPELLED = NUMBERS.slice(0, 6).join('|')
const NUMBER = String.raw`(?:(?:${SPELLED}) \()?(?<number>\d{1,2}|${SPELLED})\)?`
const inFour = words(
  String.raw`\b(?:more than|no more than|exceed|at most|maximum of) ${NUMBER} (?:times|fiscal quarters?|(?:equity )?cures?|(?:cure )?rights?|specified equity contributions?|occasions)?[^.;]{0,80}\bany (?:period of )?(?:rolling |trailing )?(?:four|4)\b`,
)
const everInFour = words(
  String.raw`\b(?:in )?(?:each|any) (?:period of )?(?:rolling |trailing )?(?:four|4)[^.;]{0,140}?\b(?:at least (?:two|2)[^.;]{0,60}?(?:no|not)|more than ${NUMBER})\b`,
)
const inTotal = words(
  String.raw`\b(?:more than|no more than|exceed|at most|maximum of) ${NUMBER} (?:times|(?:equity )?cures?|(?:cure )?rights?|specified equity contributions?|occasions)(?:(?!\bmore than\b|\bfour\b)[^.;]){0,60}\b(?:during|over|prior to|throughout|in)\b[^.;]{0,30}\b(?:term|life|maturity|agreement)`,
)

const timesIn = (match: RegExpExecArray | null): number | null =>
  numberOf(match?.groups?.['number']?.toLowerCase() ?? '')

/** The equity cure of an agreement; null if it speaks of none. */
export function equityCureIn(flat: string): EquityCure | null {
  const places = [...flat.matchAll(right)]
  if (places.length === 0) return null
  const periods = new Set(
    [...flat.matchAll(periodAfter)].map(m => Number(m.groups!['bracketed'] ?? m.groups!['plain'])),
  )
  // The clause that grants it is where its name is densest: read around every mention, each stretch once.
  let read = -1
  let about = ''
  for (const { index } of places) {
    const from = Math.max(index - 200, read)
    const to = index + 1500
    if (to > read) about += `${flat.slice(from, to)} ; `
    read = Math.max(read, to)
  }
  return {
    period_days: periods.size === 1 ? firstOf([...periods]) : null,
    most_in_four_quarters: timesIn(inFour.exec(about) ?? everInFour.exec(about)),
    most_in_total: timesIn(inTotal.exec(about)),
  }
}
