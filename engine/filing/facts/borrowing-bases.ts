import { DATE, statedIn } from './facility-maturity.ts'
import type { Mention } from './facility-mentions.ts'
import { sentenceSpans } from './facility-sentences.ts'
import { sentenceAround } from './flat-text.ts'
import { dayNamed } from './maturities.ts'
import { AMOUNT, amountIn, type Money, type Scale } from './money.ts'
import { datesIn } from './spelled-dates.ts'

// A facility lent against reserves of oil and gas commits what lenders elect, or else its borrowing base, and not the most that
// its agreement allows.

/** Words of a facility whose base lenders set anew each half year. */
const isOfReserves = /\bredetermin\w+|\breserves?-based\b|\bRBL\b/i

const PLAIN = AMOUNT.replace(/\?<\w+>/g, '?:')
/** Up to the amount: not past another statement, a share, a condition, or what is left of the base. */
const UP_TO =
  '(?:(?!\\b(?:if|unless|exceed\\w*|excess|deficienc\\w+|less|than|would|may|could|can|availab\\w+|utili[sz]\\w+|until|hedges?)\\b)[^.;$%\\u20ac\\u00a3]|\\.\\d){0,90}?'
const IS =
  '(?:of|at|is|are|was|were|remains?|remained|to|totall?ing|totall?ed)\\s{1,3}(?:(?:at|approximately|be)\\s{1,3}){0,2}'
const FROM = `(?:from\\s{1,3}${PLAIN}\\s{1,3})?`
const RESPECTIVELY = `(?<second>\\s{1,3}and\\s{1,3}${PLAIN},?\\s{1,3}respectively)?`
/** `an elected commitment of $170.0 million`, `reduces the elected commitments to $1.7 billion`, `the lenders' aggregate commitment remain at`. */
const elected = new RegExp(
  `\\b(?:(?:elected|lenders?'?|banks?'?)\\s{1,3}(?:(?:aggregate|total|borrowing\\s{1,3}base)\\s{1,3})?commitments?|borrowing\\s{1,3}base\\s{1,3}and\\s{1,3}(?:the\\s{1,3})?(?:(?:aggregate|elected|total|lender)\\s{1,3}){0,2}commitments?)(?:\\s{1,3}(?:amounts?|levels?))?\\s{1,3}(?:(?:under|for)\\s{1,3}(?:the|our|its)\\s{1,3}(?:[\\w-]+\\s{1,3}){1,5}?)?${FROM}${IS}${AMOUNT}${RESPECTIVELY}`,
  'gi',
)
/** `the borrowing base was $200.0 million`, `redetermined the Borrowing Base from $525 million to $775 million`. */
const base = new RegExp(`\\bborrowing\\s{1,3}base\\b${UP_TO}\\b${FROM}${IS}${AMOUNT}${RESPECTIVELY}`, 'gi')
/** What may come to be, before a statement. */
const isNoFact =
  /\b(?:if|unless|until|may(?!\s{1,3}\d)|could|would|can|upon|maximum|minimum|at\s{1,3}least|whenever|in\s{1,3}the\s{1,3}event)\b[^.;,]{0,60}$/i

const NAME =
  '(?:(?:Amended|Restated|Senior|Secured|Revolving|Bank|New|Exit|Reserves?-Based)\\s{1,3}){0,4}(?:Credit\\s{1,3}(?:Facility|Agreement)|RBL(?:\\s{1,3}(?:Credit\\s{1,3})?Facility)?|Revolver)'
const everyName = new RegExp(`(?<!\\b(?:Prior|Existing|Former|Original|Loan|Term)\\s{1,3})\\b${NAME}\\b`, 'g')
const definedName = new RegExp(`"(?:the\\s{1,3})?(?<name>${NAME})"`)
const called = /\b(?:credit\s{1,3}(?:facility|agreement)|revolver|RBL)\b/i

interface Statement {
  readonly amount: Money
  readonly isElected: boolean
  readonly isOfDay: boolean
  /** The last day that its sentence names before it; null without one. */
  readonly said: string | null
  readonly from: number
  readonly to: number
}

/** Before the day of what happened; that of a maturity stands behind `to` or `until`. */
const isEvent = /(?:^\s{0,9}|\b(?:on|as\s{1,3}of|at|effective|dated)\s{1,3})$/i
/** How far behind a statement its day may stand, characters. */
const BEHIND = 40
/** How far before a sentence without a day the day may stand of which it tells, characters. */
const BEFORE = 600
/** Days before a report within which a base was set that no later one has replaced. */
const RECENT = 190

/** The facility of a text that is lent against reserves, with what is committed on the report's day; null where it tells of none, or of two. */
export function reserveFacilityIn(flat: string, scale: Scale, day: string): Mention | null {
  if (!isOfReserves.test(flat)) return null
  const all = [...statementsIn(flat, elected, scale, day), ...statementsIn(flat, base, scale, day)]
  const ofDay = all.filter(each => each.isOfDay)
  const newest = ofDay.length > 0 ? ofDay : ofLastDay(all)
  const lent = newest.filter(each => each.isElected)
  const [one, ...others] = lent.length > 0 ? lent : newest
  if (one === undefined || others.some(({ amount }) => amount.value !== one.amount.value)) return null
  const name = nameOf(flat, one)
  if (name === null) return null
  const maturity = maturityIn(flat, name, day)
  const isRecent =
    one.said !== null && (Date.parse(day) - Date.parse(one.said)) / 86_400_000 <= RECENT && one.said <= day
  return {
    kind: 'revolver',
    words: name,
    alias: name,
    commitment: one.amount,
    isChanged: true,
    isStanding: one.isOfDay || isRecent,
    ...(maturity !== null && { maturity }),
    from: one.from,
    to: one.to,
  }
}

function statementsIn(flat: string, pattern: RegExp, scale: Scale, day: string): Statement[] {
  return [...flat.matchAll(pattern)].flatMap((match): Statement[] => {
    const [begin, end] = sentenceAround(flat, match.index)
    const lead = flat.slice(begin, match.index)
    const sentence = flat.slice(begin, end).replace(twoYears, '$<day>, $<first> and $<day>, $<second>')
    const days = datesIn(sentence).map(({ date }) => date)
    const amount = amountIn(match.groups ?? {}, scale)
    // Of two days in their order, the first amount is that of the first.
    const isOther = match.groups?.['second'] !== undefined && days.indexOf(day) !== 0
    if (amount === null || isOther || isNoFact.test(lead)) return []
    const behind = datesIn(flat.slice(match.index, Math.min(end, match.index + match[0].length + BEHIND)))
    const before = [
      ...datesIn(lead).filter(({ from }) => isEvent.test(lead.slice(0, from))),
      ...behind.filter(({ from }) => isEvent.test(flat.slice(match.index, match.index + from))),
    ].map(({ date }) => date)
    const earlier = datesIn(flat.slice(Math.max(0, begin - BEFORE), begin))
    const said = before.at(-1) ?? earlier.findLast(({ date }) => date <= day)?.date ?? null
    if (said !== null && said > day && !days.includes(day)) return []
    return [
      {
        amount,
        isElected: pattern === elected,
        isOfDay: days.includes(day),
        said,
        from: match.index,
        to: match.index + match[0].length,
      },
    ]
  })
}

/** `December 31, 2024 and 2023` names two days. */
const twoYears = /\b(?<day>[A-Z][a-z]{2,8} \d{1,2}), (?<first>20\d\d),? and (?<second>20\d\d)\b/g

/** The statements of the latest day; of none with a day, those of the last sentence. */
function ofLastDay(all: readonly Statement[]): Statement[] {
  const days = all.flatMap(({ said }) => said ?? []).toSorted()
  const last = days.at(-1)
  if (last !== undefined) return all.filter(({ said }) => said === last)
  const at =
    all
      .map(({ from }) => from)
      .toSorted((a, b) => a - b)
      .at(-1) ?? 0
  return all.filter(({ from }) => at - from < TOGETHER)
}
/** How far apart a base and what lenders elect of it stand, characters. */
const TOGETHER = 200

/** What the sentence of a statement calls the facility, else the name that the text defines, or has before or after it; null where it tells of no facility. */
function nameOf(flat: string, { from, to }: Statement): string | null {
  const [begin, end] = sentenceAround(flat, from)
  const names = (text: string) => [...text.matchAll(everyName)].map(match => match[0].replace(/\s+/g, ' '))
  const own = names(flat.slice(begin, Math.max(end, to)))
  const defined = definedName.exec(flat)?.groups?.['name']
  const name = own.at(0) ?? defined ?? names(flat.slice(0, from)).at(-1) ?? names(flat.slice(to)).at(0)
  return name ?? (called.test(flat) ? 'revolving credit facility' : null)
}

const dueBefore = new RegExp(
  `\\b(?<date>${DATE})\\s{1,3}(?:(?:final|stated|scheduled)\\s{1,3})?maturity\\s{1,3}date\\s{1,3}of\\s{1,3}(?:the|our|its)\\s{1,3}(?:revolving\\s{1,3})?credit\\s{1,3}(?:facility|agreement)\\b`,
  'i',
)
const ofMaturity = /^\s{0,9}the\s{1,3}maturity\s{1,3}date\b/i
const isOfOther = /\b(?:notes|term\s{1,3}loans?|second\s{1,3}lien|hedg\w+)\b/i
const restated =
  /\b(?:modified|replaced|amended\s{1,3}and\s{1,3}restated|entered\s{1,3}into)\b[^.;]{0,120}\bAmended\s{1,3}and\s{1,3}Restated\b/

/** When it falls due: the one day, or the one to which it was extended last, of the sentences that name it; null where it was restated since. */
function maturityIn(flat: string, name: string, day: string): string | null {
  const sentences = sentenceSpans(flat, 0, flat.length)
  const found = sentences.flatMap(([from, to]): { due: string; isExtended: boolean; to: number }[] => {
    const sentence = flat.slice(from, to)
    const before = dayNamed((dueBefore.exec(sentence)?.groups?.['date'] ?? '').replace(/\s+/g, ' '))
    if (before !== null) return [{ due: before, isExtended: false, to }]
    if (!sentence.includes(name) && !called.test(sentence) && !ofMaturity.test(sentence)) return []
    const own = statedIn(sentence)
    return isOfOther.test(sentence) && !sentence.includes(name)
      ? []
      : own.map(due => ({ due, isExtended: /\bexten(?:d|sion)/i.test(sentence), to }))
  })
  const later = found.filter(({ due }) => due > day.slice(0, due.length))
  const extended = later.filter(each => each.isExtended)
  const days = new Set(later.map(({ due }) => due))
  const one = days.size === 1 ? later.at(-1) : extended.at(-1)
  return one === undefined || restated.test(flat.slice(one.to)) ? null : one.due
}
