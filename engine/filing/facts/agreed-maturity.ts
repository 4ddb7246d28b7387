import { addDays } from '../../base/days.ts'
import { addMonths, formatDay, parseDay } from '../../credit/calendar.ts'
import { type Definition, definitionsIn } from './defined-terms.ts'
import { datesIn } from './spelled-dates.ts'
import { NUMBERS, numberSaid, ORDINALS } from './tenors.ts'

/** A term for the day on which loans fall due. */
export const ofMaturity =
  /^(?<words>(?:[\w-]+ ){0,5}?)(?:(?:loan|credit|facility|commitment|scheduled|stated|final) )*(?:maturity|termination|expiration|expiry) date$/
const SINCE =
  '(?:the\\s{1,3})?(?<what>(?:closing|effective|restatement|issue)\\s{1,3}date|date\\s{1,3}(?:hereof|of\\s{1,3}this\\s{1,3}agreement))'
const YEARS = ORDINALS.slice(0, 8)
const anniversary = new RegExp(
  `\\b(?<years>${YEARS.join('|')})\\s{1,3}(?:\\(\\w{3}\\)\\s{1,3})?anniversary\\s{1,3}of\\s{1,3}${SINCE}`,
  'i',
)
/** `the date that is three (3) years after the Closing Date`, `364 days after the date hereof`. */
const after = new RegExp(
  `\\b(?<count>\\d{1,3}|${NUMBERS.join('|')})\\s{1,3}(?:\\(\\d{1,3}\\)\\s{1,3})?(?<unit>year|month|day)s?\\s{1,3}(?:after|from|following)\\s{1,3}${SINCE}`,
  'i',
)

/** `Tranche B-1` as `tranche b 1`. */
const wordsOf = (text: string): string => text.toLowerCase().replace(/\W+/g, ' ').trim()

/** The day of a definition: that said of a facility, else the only one; else years after the agreement. */
export function dueDay(
  says: string,
  words: string,
  definitions: readonly Definition[],
  agreed: string,
): string | null {
  const days = datesIn(says.slice(0, 700)).filter(({ date }) => date > agreed)
  const [one, ...others] = days
  if (one !== undefined) {
    if (others.length === 0) return one.date
    const own = ` ${wordsOf(words)}`
    const before = days.filter(
      ({ from }, i) => words !== '' && ` ${wordsOf(says.slice(days[i - 1]?.to ?? 0, from))}`.includes(own),
    )
    return before.length === 1 ? before[0]!.date : /\bextended\b|\bearlier\b/i.test(says) ? one.date : null
  }
  return dayAfter(says, definitions, agreed)
}

/** The day so many years, months or days after the agreement, or after a day that it defines. */
function dayAfter(says: string, definitions: readonly Definition[], agreed: string): string | null {
  const years = anniversary.exec(says)
  const match = years ?? after.exec(says)
  const { count = '', unit = 'year', what = '' } = match?.groups ?? {}
  const n = years ? YEARS.indexOf(years.groups?.['years']?.toLowerCase() ?? '') + 1 : numberSaid(count)
  const from = match === null ? null : dayOf(what.replace(/\s+/g, ' ').toLowerCase(), definitions, agreed)
  if (from === null || n === 0) return null
  if (unit.toLowerCase() === 'day') return addDays(from, n)
  return formatDay(addMonths(parseDay(from), n * (unit.toLowerCase() === 'year' ? 12 : 1)))
}

/** The day of `closing date` as defined, of `date hereof` that of the agreement; null if it depends on conditions. */
function dayOf(what: string, definitions: readonly Definition[], agreed: string): string | null {
  if (what.startsWith('date')) return agreed === '' ? null : agreed
  const said = definitions.find(({ label }) => label === what)?.says.slice(0, 120) ?? ''
  const day = datesIn(said)[0]?.date
  if (day !== undefined) return day
  return agreed !== '' && isOwnDay.test(said) ? agreed : null
}

const isOwnDay = /^[,:]?\s{1,9}(?:the\s{1,9})?date\s{1,9}(?:hereof|of\s{1,9}this\s{1,9}agreement)\b/i

/** The last day on which loans of an agreement fall due by its definitions; conditions in place of a day give none. */
export function lastMaturity(flat: string, agreed: string | null): string | null {
  const definitions = definitionsIn(flat)
  const days = definitions.flatMap(({ label, says }) => {
    if (!ofMaturity.test(label)) return []
    const first = datesIn(says.slice(0, 240)).find(({ date }) => agreed === null || date > agreed)
    return first?.date ?? dayAfter(says, definitions, agreed ?? '') ?? []
  })
  return days.sort().at(-1) ?? null
}
