import { flatten } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { spelledMaturity } from './maturities.ts'
import { AMOUNT, amountIn } from './money.ts'

/** What the heads of a table say of notes that are no lines of debt outstanding. */
export interface IssueHeads {
  /** The table lists what was redeemed, repurchased or exchanged. */
  readonly isEnded: boolean
  /** Which amount of a row is what was issued, or is owed at the report's day; null if the heads do not say. */
  readonly face: 'first' | 'last' | null
}

const BEGUN = /\b(?:issued|issuances?|offerings?)\b/gi
const ENDED =
  /\b(?:redeem\w*|redemptions?|repurchase\w*|tender\w*|repaid|repayments?|retire\w*|extinguish\w*|purchased|exchang(?!e rates?)\w*|accepted|matured|paid)\b/gi

/** The month and day of a column, whose year may stand in the next line. */
const everyDay =
  /\b(?:as of|at)\s{1,9}((?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2})\b/g

const lastAt = (text: string, every: RegExp): number => [...text.matchAll(every)].at(-1)?.index ?? -1

/** The heads above a table of notes, from the row of another table on. */
export function issueHeadsIn(above: string, day: string | null): IssueHeads {
  const heads = flatten(above)
  const isOutstanding = /\boutstanding\b/i.test(heads)
  const [begun, ended] = [lastAt(heads, BEGUN), lastAt(heads, ENDED)]
  // `Principal outstanding as of December 31, 2021 | Repurchases | Principal outstanding as of December 31, 2022`.
  const days = [...heads.matchAll(everyDay)].map(match => match[1] ?? '')
  if (ended > begun && isOutstanding && day !== null && days.length > 1) {
    const own = spelledMaturity(day).replace(/,.*/, '')
    const face = days.at(-1) === own ? 'last' : days[0] === own ? 'first' : null
    return { isEnded: face === null, face }
  }
  // `Principal exchanged | Principal issued`.
  const both = above
    .split('\n')
    .find(line => line.includes('|') && lastAt(line, ENDED) >= 0 && lastAt(line, BEGUN) >= 0)
  if (both !== undefined)
    return { isEnded: false, face: /\bissued\b/i.test(both.split('|').at(-1) ?? '') ? 'last' : null }
  if (ended > begun) return { isEnded: true, face: null }
  // A table of terms of conversion has no amounts of notes.
  if (/\bconversion (?:rate|price)\b/i.test(heads)) return { isEnded: false, face: null }
  if (/\bprincipal\b/i.test(heads) && /\bpar\b/i.test(heads)) return { isEnded: false, face: 'first' }
  const principal = heads.search(/\b(?:principal|par value|face|aggregate amount|amount)\b/i)
  const other = heads.search(/\b(?:carrying|fair value|book|net proceeds|proceeds)\b/i)
  const isFirst = principal >= 0 && (other < 0 || principal < other)
  return {
    isEnded: false,
    face: isFirst && (begun >= 0 || /\b(?:principal|par|face)\b/i.test(heads)) ? 'first' : null,
  }
}

/** An amount of another dollar is in the currency of nothing that is read. */
const OTHER = /\b(?:C|A|CA|AU|HK|NZ|S|R)\$|\bCHF\b|\bNOK\b|\u00a5|\byen\b/

/** The amount that was issued, in the currency of its cell. */
export function issuedIn(
  cells: readonly string[],
  amounts: readonly number[],
  { face }: IssueHeads,
  { scale, day }: { readonly scale: number | null; readonly day: string | null },
): InstrumentLine {
  const amount = face === 'first' ? amounts[0] : face === 'last' ? amounts.at(-1) : undefined
  const text = cells.join(' ')
  if (amount === undefined || amount === 0 || scale === null || day === null || OTHER.test(text)) return {}
  return {
    principal: Math.round(amount * scale),
    currency: text.includes('\u20ac') ? 'EUR' : text.includes('\u00a3') ? 'GBP' : 'USD',
    balance_date: day,
  }
}

/** A cell that writes its unit, `$600 million`. */
const WORDED = new RegExp(`^${AMOUNT}$`, 'i')
export const isWorded = (cell: string): boolean => /illion$/i.test(cell) && WORDED.test(cell)

/** The amount that was issued where its cell writes its unit; null where the row has none, or several. */
export function issuedInWords(
  cells: readonly string[],
  heads: string,
  day: string | null,
): InstrumentLine | null {
  const [worded, ...others] = cells.filter(isWorded)
  const issued = worded === undefined ? null : amountIn(WORDED.exec(worded)?.groups ?? {})
  return issued !== null && others.length === 0 && /\b(?:principal|amount|issued|face|par)\b/i.test(heads)
    ? { principal: issued.value, currency: issued.currency, balance_date: day }
    : null
}
