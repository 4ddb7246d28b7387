import { numberOf } from '../../base/number-words.ts'
import { flatten, sentenceAround } from './flat-text.ts'
import { dayNamed } from './maturities.ts'
import { AMOUNT, amountIn, everyAmount, type Money, type Scale } from './money.ts'
import { datesIn } from './spelled-dates.ts'
import { monthAfter, NUMBERS } from './tenors.ts'

/** Notes of which a sentence says that they were issued, beside others of the sentence. */
export interface IssuedNote {
  readonly issued: Money
  /** Null where the rate floats. */
  readonly coupon: number | null
  readonly maturity: string
  /** `Senior Notes`, as written. */
  readonly kind: string
  /** The words about it alone. */
  readonly words: string
  /** The words about it say that it was issued. */
  readonly isBegunBehind?: boolean
  readonly from: number
  readonly to: number
}

const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
const DATE = `(?:${MONTH}\\s{1,3}(?:\\d{1,2},\\s{1,3})?)?20\\d\\d`
const RATE = '(?<![\\d.])(?:\\d{1,2}(?:\\.\\d{1,5})?|\\.\\d{1,5})\\s{0,3}(?:%|percent\\b)'
const CERTIFICATES = '(?:pass[- ]through|(?:enhanced\\s{1,3})?equipment\\s{1,3}trust)\\s{1,3}certificates?\\b'
const KIND = `(?:(?:(?:senior|unsecured|secured|convertible|subordinated|exchangeable|junior|fixed[- ]rate|floating[- ]rate|variable[- ]rate|fixed[- ]to[- ](?:floating|fixed)(?:[- ]rate)?|reset|guaranteed|first|second|lien|mortgage|medium-term|recovery|transition|securitization|storm|sustainability|green|registered|private|placement|public)\\s{1,3}){0,6}(?:notes?|debentures?|bonds?)\\b|${CERTIFICATES})`

const everyRate = new RegExp(RATE, 'gi')
const everyDue = new RegExp(
  `\\b(?:due|matur(?:e|es|ing|ity)|maturity\\s{1,3}date|payable)\\s{1,3}(?:at\\s{1,3}maturity\\s{1,3})?(?:(?:in|on|of|is)\\s{1,3}){0,2}(?<date>${DATE})`,
  'gi',
)
const everyDate = new RegExp(DATE, 'gi')
const everyKind = new RegExp(KIND, 'gi')

/** Words by which notes come into being. */
const BEGUN =
  'issu(?:ed(?! by|\\s{1,3}(?:to\\s{1,3})?us\\b)|ance|ances|ing)|sold|sale|offering|placement|placed|assum(?:ed|ption)|rais(?:ed|ing)'
/** Words by which they end, or change hands. */
export const ENDED =
  'redeem(?:ed|ing)?|redemptions?|(?:re|pre)pa(?:y|id|yments?|ying)|retir(?:ed?|ing|ement)|extinguish\\w*|repurchas(?:ed?|ing|es)|tender\\w*|purchased?|matured|defeas\\w+|exchang(?!eable|e\\s{1,3}bonds\\b)\\w+|converted|settled|cancel\\w*|discharged|refinanc\\w+|remarket\\w+'
const everyVerb = new RegExp(`\\b(?:(?<begun>${BEGUN})|(?<ended>${ENDED}))\\b`, 'gi')

/** Longest sentence that lists issues, characters to either side. */
export const SENTENCE = 3500
/** Longest text about one of several issues, characters. */
const ITEM = 330

/**
 * The notes that sentences list as issued, each with its amount, maturity and rate: `consisting of $400 due March 1, 2024
 * that bear an annual interest rate of 2.8%`, `€500 million total principal amount of notes due 2029 at 1.1%`, `$200 and
 * $100 of notes at 1.05% and 0.42% due 2027 and 2029, respectively`. Rows of tables are none of its text.
 */
export function issuedNotesIn(text: string, scale: Scale, day: string): IssuedNote[] {
  const flat = proseOf(text).replace(/\bzero percent\b/gi, '   0 percent')
  const found: IssuedNote[] = []
  for (let at = 0; at < flat.length; ) {
    const [from, end] = sentenceAround(flat, at, SENTENCE)
    const to = Math.max(end, at + 1)
    const sentence = flat.slice(from, to)
    if (sentence.length > 40 && /\d\s{0,3}(?:%|percent)|floating|variable/i.test(sentence)) {
      const [before] = from < 3 ? [0] : sentenceAround(flat, from - 3, SENTENCE)
      // `These were comprised of` goes on with what the sentence before says was done.
      const lead =
        /^\W{0,4}(?:these|they|the\s(?:\w+\s){0,4}(?:notes|issuances?|offering|bonds))\b[^$]{0,60}\b(?:compris|consist|includ)/i.test(
          sentence,
        )
          ? flat.slice(before, from)
          : ''
      const next = flat.slice(to, to + AFTER)
      const items =
        [respectiveIn(sentence, scale), namedFirstIn(sentence, scale)].find(each => each.length > 0) ??
        listedIn(sentence, scale, next)
      for (const item of items)
        if (
          lastVerb(lead + sentence.slice(0, item.from)) === 'begun' ||
          (lastVerb(sentence.slice(0, item.from)) === null &&
            isOwed(sentence.slice(0, items[0]?.from), day)) ||
          (item.isBegunBehind && lastVerb(sentence.slice(0, item.from)) === null)
        )
          found.push({ ...item, from: from + item.from, to: from + item.to })
    }
    at = to
  }
  return found
}

const has =
  /\b(?:the\s{1,3}company|we|it|corporation|partnership)\s{1,3}(?:has|have|had)\s{1,3}(?:outstanding\s{1,3}|approximately\s{1,3}){0,2}$/i
const consists =
  /\b(?:notes|bonds|debentures)\s{1,3}(?:consist(?:ed|s)?\s{1,3}of|are\s{1,3}comprised\s{1,3}of|comprised?)\s{1,3}$/i

/** Whether a sentence says before notes that the company owes them, at no other day than the report's: `The Company has`. */
const isOwed = (lead: string, day: string): boolean =>
  (has.test(lead) || consists.test(lead)) && datesIn(lead).every(({ date }) => date === day)

/** A text in which rows of tables, other than paragraphs behind a bullet, are blank. */
export const proseOf = (text: string): string =>
  flatten(
    text
      .split('\n')
      .map(line => (line.includes('|') && !isBullet(line) ? ' '.repeat(line.length) : line))
      .join('\n'),
  )

const isBullet = (line: string): boolean =>
  /^\s{0,20}(?:[\u2022\u00b7\u25aa\u25cf*-]|\(\w{1,3}\))\s{0,3}\|[^|]*$/.test(line)

/** Whether the last word about it says that something came into being or that it ended; null if none does. */
function lastVerb(lead: string): 'begun' | 'ended' | null {
  const last = [...lead.matchAll(everyVerb)].at(-1)?.groups
  return last === undefined ? null : last['begun'] === undefined ? 'ended' : 'begun'
}

/** Amounts in brackets that say no issue, `($830 million as of December 31)`, as blanks. */
const withoutAsides = (sentence: string): string =>
  sentence.replace(/\([^()]{0,200}\)/g, aside =>
    /\d ?%|\bdue\b/i.test(aside) ? aside : ' '.repeat(aside.length),
  )

/** How far behind a sentence the day may stand, characters. */
const AFTER = 260
/** `Interest is payable semi-annually, and principal is due in March 2034.` */
const dueNext = new RegExp(
  `^\\s{0,9}(?:interest|the\\s{1,3}(?:notes|principal))\\b[^.;$]{0,90}\\bprincipal\\s{1,3}(?:is|are)\\s{1,3}due\\s{1,3}(?:in\\s{1,3}|on\\s{1,3})?(?<date>${DATE})`,
  'i',
)
/** `and a $105 million term loan due in 2030 and 2023, respectively`: the first year is that of the notes before the loan. */
const ofLoanNext = new RegExp(
  `^[^$]{0,12}\\bloan\\s{1,3}due\\s{1,3}(?:in\\s{1,3}|on\\s{1,3})?(?<date>${DATE})\\s{1,3}and\\s{1,3}${DATE},?\\s{1,3}respectively\\b`,
  'i',
)

/** Issues that follow each other, each from its amount to the next, where the last may fall due as the next sentence says. */
function listedIn(full: string, scale: Scale, next: string): IssuedNote[] {
  const sentence = withoutAsides(full)
  const amounts = [...sentence.matchAll(everyAmount)]
  const last = amounts.length - 1
  return amounts.flatMap((amount, i) => {
    const issued = amountIn(amount.groups ?? {}, scale)
    const from = amount.index
    const to = Math.min(amounts[i + 1]?.index ?? sentence.length, from + ITEM)
    const words = sentence.slice(from, to)
    if (issued === null || issued.value === 0 || isLoan.test(words.slice(0, 120))) return []
    if (!isOfNotes.test(words.slice(amount[0].length))) return []
    const said = datesDue(words)
    const [loan] = i === last - 1 ? amounts.slice(last) : []
    const elsewhere =
      i === last ? dueNext.exec(next) : loan && ofLoanNext.exec(sentence.slice(loan.index + loan[0].length))
    const byTenor =
      said.length > 0
        ? null
        : (dueByTenor(words, sentence.slice(0, amounts[0]?.index)) ?? dueByTenor(words, full))
    const days = said.length > 0 ? said : [named(elsewhere?.groups?.['date']) ?? byTenor ?? []].flat()
    const rates = ratesIn(words)
    const isFloating = floats.test(words) && !isReset.test(words)
    const [day, ...otherDays] = new Set(days)
    const [rate, ...otherRates] = new Set(rates)
    if (day === undefined || otherDays.length > 0) return []
    if (!isFloating && (rate === undefined || otherRates.length > 0)) return []
    const kind = kindIn(words, sentence.slice(0, from))
    if (kind === null) return []
    return [{ issued, coupon: isFloating ? null : (rate ?? null), maturity: day, kind, words, from, to }]
  })
}

const TENORS = [...NUMBERS.slice(1), 'twelve', 'fifteen', 'twenty', 'thirty', 'forty']
/** `$500 of three-year Senior Notes`. */
const everyTenor = new RegExp(
  `(?<![\\d.])\\b(?<years>${TENORS.join('|')}|\\d{1,2})[- ]year\\s{1,3}(?:[\\w-]+\\s{1,3}){0,5}?(?:notes?|bonds?|debentures?)\\b`,
  'gi',
)
const issuedOn = new RegExp(
  `\\b(?:in|on|during)\\s{1,3}(?<date>${MONTH}\\s{1,3}(?:\\d{1,2},\\s{1,3})?20\\d\\d)\\b`,
  'gi',
)

/** The month in which notes fall due whose text says when they were issued and their tenor, `In May 2023, we issued`. */
function dueByTenor(words: string, lead: string): string | null {
  const [tenor, ...others] = [...words.matchAll(everyTenor)]
  const days = new Set([...lead.matchAll(issuedOn)].map(({ groups }) => named(groups?.['date'])))
  const [day] = days
  if (tenor === undefined || others.length > 0 || day == null || days.size > 1) return null
  const years = numberOf(tenor.groups?.['years']?.toLowerCase() ?? '')
  return years ? monthAfter(day, years) : null
}

/** How a text goes on behind the amount of notes. */
const isOfNotes =
  /^,?\s{1,80}\(?(?:in|of|aggregate|principal|total|additional|initial|due|maturing|that|which|bearing|tranche|at|par|with|floating|fixed|variable|\d|senior|unsecured|secured|convertible|subordinated|first|notes|bonds?|debentures|medium-term|worth)/i
const isLoan =
  /\b(?:loans?|facilit(?:y|ies)|credit agreement|revolv\w+|commercial paper|proceeds|swaps?|notional)\b/i
/** Notes that float after some years: the first rate is their coupon. */
const isReset = /\bfixed[- ]to[- ](?:floating|fixed)\b/i
const floats = /\b(?:floating|variable)\b|\b(?:libor|sofr|euribor|tibor)\b/i

/** `3.30% Senior Notes, with a principal amount of $400 million`, `notes due 2027 with a principal of $350 million`. */
const namedFirst = new RegExp(
  `(?:${RATE}\\s{1,3})?(?<kind>${KIND})(?:,?\\s{1,3}due\\s{1,3}(?:in\\s{1,3}|on\\s{1,3})?${DATE})?(?:\\s{1,3}were\\s{1,3}issued\\s{1,3}(?:in|on)\\s{1,3}${DATE})?,?\\s{1,3}(?:with|in|having)\\s{1,3}(?:an?\\s{1,3})?(?:(?:aggregate|total|original|combined)\\s{1,3}){0,2}principal\\s{1,3}(?:amount\\s{1,3})?of\\s{1,3}(?:approximately\\s{1,3})?${AMOUNT}`,
  'gi',
)
const isIssuedBehind = /\b(?:were|was)\s{1,3}issued\b/i

/** Notes whose amount stands behind what they are called, each from its name to the next. */
function namedFirstIn(full: string, scale: Scale): IssuedNote[] {
  const sentence = withoutAsides(full)
  const all = [...sentence.matchAll(namedFirst)]
  return all.flatMap((match, i) => {
    const issued = amountIn(match.groups ?? {}, scale)
    const from = match.index
    const to = Math.min(all[i + 1]?.index ?? sentence.length, from + ITEM + match[0].length)
    const words = sentence.slice(from, to)
    const [day, ...otherDays] = new Set(datesDue(words))
    const [rate, ...otherRates] = new Set(ratesIn(words))
    const isFloating = floats.test(words)
    if (issued === null || issued.value === 0 || day === undefined || otherDays.length > 0) return []
    if (!isFloating && (rate === undefined || otherRates.length > 0)) return []
    if (isLoan.test(words) || [...words.matchAll(everyAmount)].length > 1) return []
    const coupon = isFloating ? null : (rate ?? null)
    const kind = match.groups?.['kind'] ?? ''
    return [
      { issued, coupon, maturity: day, kind, words, isBegunBehind: isIssuedBehind.test(words), from, to },
    ]
  })
}

const datesDue = (words: string): string[] =>
  [...words.matchAll(everyDue)].flatMap(({ groups }) => named(groups?.['date']) ?? [])

const named = (date: string | undefined): string | null =>
  date === undefined ? null : dayNamed(date.replace(/\s+/g, ' '))

const HIGHEST_COUPON = 20

/** Rates that are no price, premium, discount or share. */
const ratesIn = (words: string): number[] =>
  [...words.matchAll(everyRate)].flatMap(match => {
    const [before, after] = [
      words.slice(Math.max(0, match.index - 40), match.index),
      words.slice(match.index + match[0].length).slice(0, 40),
    ]
    const value = numberIn(match[0])
    const isPrice =
      /\b(?:price|premium|discount|equal to|yield\w*|effective|up to|issued at|sold at)\b[^%]{0,30}$/i.test(
        before,
      ) ||
      /^\s{0,3}(?:of (?:the |its |their )?(?:aggregate |principal|par|face|outstanding)|owned|interest in)/i.test(
        after,
      )
    return isPrice || value > HIGHEST_COUPON ? [] : [value]
  })

const numberIn = (rate: string): number => Number(rate.replace(/\s{0,3}(?:%|percent)\s*/i, ''))

/** What the notes are called, next to the amount or before the list. */
function kindIn(words: string, lead: string): string | null {
  const own = [...words.matchAll(everyKind)][0]?.[0]
  return own ?? [...lead.matchAll(everyKind)].at(-1)?.[0] ?? null
}

const JOINED = '(?:\\s{0,3},\\s{0,3}(?:and\\s{1,3})?|\\s{1,3}and\\s{1,3})(?:approximately\\s{1,3})?'
const list = (one: string): RegExp => new RegExp(`${one}(?:${JOINED}${one})+`, 'gi')
const PLAIN = AMOUNT.replace(/\?<\w+>/g, '?:')
const amountLists = list(`(?:${PLAIN})`)
const rateLists = list(`(?:${RATE})`)
const dayLists = list(`(?:${DATE})`)

/** `$200 and $100 of notes at 1.05% and 0.42% due in 2027 and 2029, respectively`: lists of one length. */
function respectiveIn(sentence: string, scale: Scale): IssuedNote[] {
  if (!/\brespectively\b/i.test(sentence)) return []
  const lists = (every: RegExp) => [...sentence.matchAll(every)]
  for (const match of lists(amountLists)) {
    const to = Math.min(sentence.length, match.index + SPREAD)
    const behind = (each: RegExpExecArray) => each.index > match.index && each.index < to
    const amounts = [...match[0].matchAll(everyAmount)].map(each => amountIn(each.groups ?? {}, scale))
    const rates = lists(rateLists).find(behind)
    const days = lists(dayLists).find(behind)
    if (rates === undefined || days === undefined) continue
    const coupons = [...rates[0].matchAll(everyRate)].map(each => numberIn(each[0]))
    const dues = [...days[0].matchAll(everyDate)].map(each => named(each[0]))
    const end = Math.max(rates.index + rates[0].length, days.index + days[0].length)
    const words = sentence.slice(match.index, end)
    const kind = kindIn(words, sentence.slice(0, match.index))
    if (kind === null || amounts.length !== coupons.length || amounts.length !== dues.length) continue
    if (!/\b(?:due|matur\w+)\b/i.test(words) || isLoan.test(words)) continue
    return amounts.flatMap((issued, i) => {
      const [coupon, maturity] = [coupons[i], dues[i]]
      if (issued === null || coupon === undefined || maturity === null || maturity === undefined) return []
      return [{ issued, coupon, maturity, kind, words, from: match.index, to: end }]
    })
  }
  return []
}

/** How far behind the amounts their rates and maturities may stand, characters. */
const SPREAD = 420
