import { elementAt } from '../../base/elements.ts'
import type { debtTypes, securityTypes, seniorities } from '../../schema/vocabulary.ts'
import { ungluedWords } from './glued-words.ts'
import { digitsForWords, monthOf } from './spelled-numbers.ts'

/** What the name of a member says about its debt; null or false where it says nothing. */
export interface NamedTerms {
  /** The name in words: `Senior Notes Due March 15 2032`. */
  readonly words: string
  /** Percent. */
  readonly coupon: number | null
  /** `2032-03-15`, `2032-03` or `2032`, as precise as the name. */
  readonly maturity: string | null
  readonly type: (typeof debtTypes)[number] | null
  readonly seniority: (typeof seniorities)[number] | null
  readonly security: (typeof securityTypes)[number] | null
  readonly isFloating: boolean
  readonly isRevolving: boolean
  /** The name covers several instruments: a range of years or coupons, `other`, `various`. */
  readonly isGroup: boolean
  /** ISO currency of the debt. */
  readonly denomination: string | null
}

/** A longer name is no element's. */
const LONGEST = 300

/** `us-gaap:SeniorNotesMember` as `Senior Notes`. */
export function wordsOf(member: string): string[] {
  const local = member
    .slice(member.indexOf(':') + 1)
    .slice(0, LONGEST)
    .replace(/Member$/, '')
  return local
    .replace(/([a-z])([A-Z0-9])/g, '$1 $2')
    .replace(/([0-9])([A-Za-z])/g, '$1 $2')
    .replace(/([A-Z])([0-9])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/([Dd]ue)(in|on)\b/g, '$1 $2')
    .replace(/([a-z])(due)\b/g, '$1 $2')
    .split(/[\s_-]+/)
    .flatMap(ungluedWords)
    .filter(word => word !== '')
}

// An element's name may not begin with a digit: `A2125NotesDue2030`.
const withoutLetter = (words: string[]): string[] =>
  words.length > 1 && words[0] === 'A' && /^[0-9]/.test(elementAt(words, 1)) ? words.slice(1) : words

/** Words that filers write in capitals in a name of other words: `UKExportFinanceProgram`, `WilksBrothersLLC`. */
const initialsIn = (words: readonly string[]): ReadonlySet<string> =>
  new Set(
    words.some(word => /[a-z]{3}/.test(word))
      ? words.filter(word => /^[A-Z]{2,6}$/.test(word)).map(word => word.toLowerCase())
      : [],
  )

const capital = (word: string, initials: ReadonlySet<string>): string =>
  /^(?:to|and|in|at|of|or|on|due)$/.test(word)
    ? word
    : initials.has(word) ||
        /^(?:usd|eur|gbp|jpy|chf|aud|cad|sofr|libor|euribor|abs|rcf|ddtl|uk|llc|plc|u\.s\.)$/.test(word)
      ? word.toUpperCase()
      : word.charAt(0).toUpperCase() + word.slice(1)

const DENOMINATIONS: readonly (readonly [RegExp, string])[] = [
  [/\beur\b|\beuros?\b|\u20ac/, 'EUR'],
  [/\bgbp\b|sterling|\u00a3/, 'GBP'],
  [/\bjpy\b|\byen\b|\u00a5/, 'JPY'],
  [/\bchf\b|swiss franc/, 'CHF'],
  [/\baud\b|australian dollar/, 'AUD'],
  [/\bcad\b|canadian dollar/, 'CAD'],
  [/\busd\b|\bu\.?s\.? ?dollar/, 'USD'],
]

/** Reads a name of which the balance is of `year`: notes named after a past year are named after their issue. */
export function namedTerms(member: string, year: number): NamedTerms {
  const words = withoutLetter(wordsOf(member))
  const initials = initialsIn(words)
  const read = digitsForWords(words.map(word => word.toLowerCase()))
  const text = ` ${read.join(' ')} `
  const due = maturitiesIn(read, year)
  const isFloating = /floating|variable ?rate|sofr|libor|euribor|\btorf\b/.test(text)
  const isGroup =
    due.length > 1 ||
    /\b(?:through|ranging|between|various|aggregate|other|others|multi|maturities|tranches|less than|greater than|or less)\b/.test(
      text,
    )
  const isLine =
    /revolv|credit ?facilit|line ?of ?credit|lines ?of ?credit|credit ?agreement|\brcf\b|\babl\b|liquidity facilit/.test(
      text,
    )
  return {
    words: inHundreds(
      spaced(read)
        .map(word => capital(word, initials))
        .join(' '),
    ),
    coupon: isFloating ? null : couponIn(read),
    maturity: due.length === 1 && !isGroup && !isPast(elementAt(due, 0), year) ? elementAt(due, 0) : null,
    type: typeIn(text),
    ...rankIn(text),
    isFloating,
    isRevolving: isLine && !/term ?loan/.test(text),
    isGroup,
    denomination: DENOMINATIONS.find(([pattern]) => pattern.test(text))?.[1] ?? null,
  }
}

/** What is owed falls due in the year of its balance or later: an earlier year is misread, or of a name that was kept. */
const isPast = (due: string, year: number): boolean => Number(due.slice(0, 4)) < year

const YEAR = /^(?:19|20)[0-9]{2}$/
const isYear = (word: string | undefined): boolean => word !== undefined && YEAR.test(word)
/** `152026`: the day and the year run together; a coupon may follow. */
const DAY_AND_YEAR =
  /^([0-3]?[0-9])?((?:19|20)[0-9]{2})([0-9]{1,2}\.[0-9]{1,4}|[0-9]{3}|(?!(?:19|20)[0-9]{2}$)[0-9]{4})?$/
/** `March 152032` as `March 15, 2032`; digits of a coupon after the year are left out. */
function spaced(words: readonly string[]): string[] {
  return words.map((word, i) => {
    const [, day, year] = monthOf(words[i - 1] ?? '') === null ? [] : (DAY_AND_YEAR.exec(word) ?? [])
    if (year === undefined)
      return /^(?:20[0-9]{2}){2}$/.test(word) ? `${word.slice(0, 4)} to ${word.slice(4)}` : word
    return day === undefined ? year : `${Number(day)}, ${year}`
  })
}

/** `3 Hundred and 64 Day` as `364 Day`. */
const inHundreds = (words: string): string =>
  words.replace(/\b([1-9]) Hundred (?:and )?([0-9]{1,2})\b/gi, (_, hundreds: string, rest: string) =>
    String(Number(hundreds) * 100 + Number(rest)),
  )

/** The years of notes that are named by their tenor, `3 Year Notes`. */
export function tenorOf(words: string): number | null {
  const years = /\b([0-9]{1,2}) Year\b.{0,40}\bNotes?\b/.exec(words)?.[1]
  return years === undefined ? null : Number(years)
}

const FALLS_DUE = /due|matur|expir/

/** The days on which the name says its debt falls due. */
function maturitiesIn(words: readonly string[], year: number): string[] {
  const from = words.findIndex(word => FALLS_DUE.test(word))
  const found = new Set<string>()
  for (let at = from + 1; at < words.length; at++) {
    const month = monthOf(elementAt(words, at))
    const next = words[at + 1] ?? ''
    if (month !== null) {
      const run = DAY_AND_YEAR.exec(next)
      const day = run ? run[1] : next
      const years = run ? run[2] : words[at + 2]
      if (!isYear(years)) continue
      const number = day === undefined || !/^[0-9]{1,2}$/.test(day) ? 0 : Number(day)
      const name = `${years}-${String(month).padStart(2, '0')}`
      found.add(
        number >= 1 && number <= daysIn(Number(years), month)
          ? `${name}-${String(number).padStart(2, '0')}`
          : name,
      )
      at += run ? 1 : 2
    } else if (from >= 0) for (const each of yearsIn(elementAt(words, at))) found.add(each)
  }
  if (from >= 0) return [...found]
  if (found.size === 0) for (const word of words) for (const each of yearsIn(word)) found.add(each)
  // Without `due`, a year of the past is that of the issue.
  const ahead = [...found].filter(each => Number(each.slice(0, 4)) > year)
  return ahead.length === found.size ? ahead : []
}

/** `20292060` is two years. A coupon runs into the year in `4.852027`, `1902025` and, after `due`, `20311625`. */
function yearsIn(word: string): string[] {
  if (isYear(word)) return [word]
  if (/^(?:20[0-9]{2}){2}$/.test(word)) return [word.slice(0, 4), word.slice(4)]
  const run = couponAndYear(word)
  return run === null ? [] : [run.year]
}

/** A coupon and a year in one word; null if it is no such word. */
export function couponAndYear(word: string): { coupon: string; year: string } | null {
  const before = /^([0-9]{1,2}\.[0-9]{2,3}|[0-9]{3,4})(20[0-9]{2})$/.exec(word)
  const [, coupon, year] = before ?? []
  if (coupon !== undefined && year !== undefined) return { coupon, year }
  const [, first, rest] = /^(20[0-9]{2})([0-9]{3,4})$/.exec(word) ?? []
  return first !== undefined && rest !== undefined ? { coupon: rest, year: first } : null
}

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

const HIGHEST_COUPON = 25

/** `2.125`, `5 percent`, or `2125` where one reading alone is a usual coupon. */
function couponIn(words: readonly string[]): number | null {
  const numbers = words.filter(word => /^[0-9]{1,2}\.[0-9]{1,4}$/.test(word)).map(Number)
  if (numbers.length > 0)
    return numbers.length === 1 && elementAt(numbers, 0) <= HIGHEST_COUPON ? elementAt(numbers, 0) : null
  const percent = words.indexOf('percent')
  const before = percent > 0 ? elementAt(words, percent - 1) : null
  if (before !== null && /^[0-9]{1,2}$/.test(before)) return Number(before)
  const runs = words.filter(
    (word, i) =>
      /^[0-9]{3,5}$/.test(word) &&
      !isYear(word) &&
      monthOf(words[i - 1] ?? '') === null &&
      !COUNTED.test(words[i + 1] ?? ''),
  )
  if (runs.length !== 1) return null
  const readings = [1, 2]
    .map(whole => Number(`${elementAt(runs, 0).slice(0, whole)}.${elementAt(runs, 0).slice(whole)}`))
    .filter(value => value > 0 && value <= HIGHEST_COUPON && isUsual(value))
  return readings.length === 1 ? elementAt(readings, 0) : null
}

/** What a number counts that is no coupon: `500 Million Facility`, `364 Day`. */
const COUNTED = /^(?:billions?|millions?|thousands?|mm|[bm]|days?|months?|years?)$/

/** Coupons are multiples of an eighth or of five hundredths. */
export const isUsual = (coupon: number): boolean =>
  [125, 50].some(step => Math.abs(coupon * 1000 - Math.round((coupon * 1000) / step) * step) < 1e-6)

const TYPES: readonly (readonly [RegExp, NonNullable<NamedTerms['type']>])[] = [
  [/commercial ?paper/, 'commercial_paper'],
  [/term ?loan ?a\b/, 'term_loan_a'],
  [/term ?loan ?b\b/, 'term_loan_b'],
  [/term ?loan|\bddtl\b|term ?facilit|(?<!short )term credit agreement/, 'term_loan'],
  [/convertible/, 'convertible_notes'],
  [/medium ?term ?note/, 'medium_term_notes'],
  [/(?:first )?mortgage bond/, 'first_mortgage_bonds'],
  [/subordinated (?:secured )?(?:note|debenture|debt)|trust preferred/, 'subordinated_notes'],
  [/debenture/, 'debentures'],
  [
    /revolv(?!ing (?:loan )?fund)|credit ?facilit|lines? ?of ?credit|credit ?agreement|\brcf\b|\babl\b|asset ?based loan ?facilit/,
    'revolver',
  ],
  [
    /(?:(?<!un)secured|collaterali[sz]ed)[a-z ]{0,40}note|first lien note|second lien note/,
    'senior_secured_notes',
  ],
  [/senior[a-z0-9. ]{0,60}note/, 'senior_notes'],
  [/mortgage|\bloan|bank debt|notes? payable to bank/, 'loan'],
  [/development banks?\b|export credit agenc/, 'loan'],
  [/note|debt securities|\b(?:tower|revenue) securities/, 'notes'],
  [/bond|(?:pass ?through|equipment trust) certificate/, 'bond'],
  [/\bissuance of\b/, 'notes'],
]

const typeIn = (text: string): NamedTerms['type'] =>
  TYPES.find(([pattern]) => pattern.test(text))?.[1] ?? null

function rankIn(text: string): Pick<NamedTerms, 'seniority' | 'security'> {
  const isSecured =
    /\bsecured|\bcollaterali[sz]ed|first lien|second lien|mortgage bond|asset ?backed|\babs\b/.test(text)
  const security = /second lien/.test(text)
    ? 'second_lien'
    : /first lien|first mortgage/.test(text)
      ? 'first_lien'
      : /unsecured/.test(text)
        ? 'unsecured'
        : null
  if (/subordinated|trust preferred/.test(text)) return { seniority: 'subordinated', security }
  if (isSecured) return { seniority: 'senior_secured', security }
  // The market's convention: notes called senior and not secured are senior unsecured.
  if (/unsecured|senior[a-z0-9. ]{0,60}note/.test(text)) return { seniority: 'senior_unsecured', security }
  return { seniority: null, security }
}
