import { firstOf } from '../../base/elements.ts'
import { sentenceAround, sentenceBefore } from './flat-text.ts'
import { dayNamed, fullDate } from './maturities.ts'
import { AMOUNT, amountIn, type Scale } from './money.ts'
import { monthAfter, numberSaid } from './tenors.ts'

const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
export const DATE = `${MONTH}\\s+(?:\\d{1,2},\\s+)?(?:19|20)\\d\\d`
/** `matures on August 9, 2026`, `scheduled to expire in December 2028`, `extend the maturity date from July 8, 2027 to July 8, 2028`. */
const stated = new RegExp(
  `\\b(?:matur(?:es?|ing|ity)|expir(?:es?|ing|ation)|terminat(?:es|ing|ion date)|(?:will|to) terminate|due|term that extends|extend(?:ed|s|ing)?|(?:facility|agreement|revolver) is available (?:until|through)|(?:capacity|commitments?) (?:until|through)|term (?:ends|ending|expires)|runs (?:until|through)|re-?borrowed (?:until|through))\\b(?<between>[^.;$]{0,90}?)\\b(?<date>${DATE})`,
  'gi',
)
/** `until December 31, 2030, at which time the revolving credit facility will terminate`. */
const atWhich = new RegExp(
  `\\b(?<date>${DATE}),?\\s+(?:at\\s+which\\s+time|when)\\s+(?:the|this|our|its)\\s+(?:[\\w-]+\\s+){0,3}?(?:facility|agreement|line\\s+of\\s+credit)\\s+(?:will\\s+)?(?:terminates?|matures?|expires?)\\b`,
  'gi',
)
const until = new RegExp(
  `^[^.;$]{0,20}\\bto\\s+(?:the\\s+earlier\\s+(?:of|to\\s+occur\\s+of)\\s+(?:\\(\\w{1,3}\\)\\s+)?)?(?<date>${DATE})`,
  'i',
)
const andDate = new RegExp(`^,?\\s{1,3}and\\s{1,3}(?:in\\s{1,3}|on\\s{1,3})?(?<date>${DATE})`, 'i')
const agreed = new RegExp(
  `\\b(?:in|on|during)\\s+(?<date>${DATE})\\b[^.;]{0,80}\\b(?:entered into|obtained|executed|closed|refinanced|replaced|renewed|established)\\b`,
  'i',
)
/** `renewed in November 2023`. */
const agreedOn = new RegExp(
  `\\b(?:entered\\s+into|renewed|executed|closed|amended\\s+and\\s+restated)\\s+(?:in|on)\\s+(?<date>${DATE})`,
  'i',
)
/** `for a term of five years`, `for a five-year term`. */
const termIn =
  /\bterm\s+of\s+(?<years>two|three|four|five|six|seven|[2-7])\s+years\b|\b(?:for|with|has|have|having)\s+an?\s+(?:initial\s+)?(?<tenor>two|three|four|five|six|seven|[2-7])[-\s]year\s+term\b/i
/** `and the term is four years`, of a sentence behind a loan. */
const termIs =
  /\b(?:the|a|its)\s+(?:loan\s+)?term\s+(?:is|of)\s+(?<years>two|three|four|five|six|seven|eight|ten|[2-9])\s+years\b/i
const ofDays = /\bterm\s{1,3}of\s{1,3}36\d\s{1,3}days\b/i
const inYears = /\b(?<years>one|two|three|four|five|six|seven|[1-7])\s{0,2}[ -]\s{0,2}year\b/i

/** A day of what is no maturity of the facility: of its notes, of an option, of a payment. */
const isOther =
  /\b(?:notes?|debentures?|quarter|interest|option|covenants?|beginning|commenc\w+|entered|amended(?!\s{1,3}to\b|\s{1,3}(?:and\s{1,3}restated\s{1,3})?(?:\w+\s{1,3}){0,2}(?:facility|agreement)\b)|agreement dated|dated)\b/i

/** Before a day of what was: `which previously was set to expire on`, `portions of which`. */
const isNoLonger =
  /\b(?:previously|originally|formerly|initially|would\s{1,3}have|portions?\s{1,3}of\s{1,3}which)\b[^.;,]{0,40}$/i
/** Before `extend`: it may be, and is not. */
const isChoice =
  /\b(?:options?|rights?|may(?!\s{1,3}\d)|can|could|ability|election|permit\w*|request\w*)\b[^.;,]{0,30}$/i
/** Before an extension that is still to come: `subject to the satisfaction of certain conditions, will`. */
const isConditional =
  /\b(?:subject\s{1,3}to|upon)\b[^.;]{0,60}\bwill\s{1,3}$|\bif\b[^.;]{0,140}\bwill\s{1,3}(?:be\s{1,3})?$/i
/** `if certain conditions are met, the maturity date will be extended to`. */
const willBeExtended = /\bwill\s{1,3}be\s{1,3}(?:automatically\s{1,3})?extended\b/i
const onCondition = /\b(?:if|provided|upon|subject\s{1,3}to)\b/i
/** Before `due`: notes that a heading or sentence behind a facility names. */
const isOfNotes = /\b(?:notes|debentures|bonds)(?:\s{1,3}that\s{1,3}are)?\s{0,3}$/i
/** Before the day of what a loan repaid: `pay off the balance of existing debt which was scheduled to`. */
const ofExisting =
  /\bexisting\s{1,3}(?:debt|indebtedness|borrowings)\b(?:[^.;]|\.(?=\d)){0,140}\bwas\s{1,3}(?:scheduled\s{1,3}to\s{1,3})?$/i
/** Before the day of a note whose term a sentence says was extended: `extended the term of the $1,000,000 promissory note, described above, to`. */
const isOfNote =
  /\bextend\w*\s{1,3}(?:the|its|our)\s{1,3}(?:term|maturity(?:\s{1,3}date)?)\s{1,3}of\b[^.;]{0,60}\b(?:promissory\s{1,3})?notes?\b[^.;]{0,60}$/i
/** Before `due`: one of several payments. */
const isOfPayment = /\b(?:first|next)\b[^.;]{0,40}\b(?:re)?payments?\b[^.;]{0,140}$/i
/** A day that counts where other debt is not repaid before. */
const isSpringing = /\bspringing\b/i
/** Before a day that is a bound of extensions: `in no event shall it extend beyond`. */
const isBound = /\b(?:beyond|later\s{1,3}than)\b/i

export interface FacilityText {
  /** The rest of its sentence from its amount on, up to the next facility. */
  readonly own: string
  /** Its whole sentence. */
  readonly sentence: string
  /** The words that may say its tenor, `five-year`. */
  readonly tenor: string
  /** The sentences that follow up to the next facility; none where the sentence names several. */
  readonly following: readonly string[]
}

/**
 * When a facility falls due, `2028-07-08` or `2026-08`: the day to which a later sentence extends it; else the one that its
 * sentence states; else its tenor in years from the month of the agreement; else the one of the first sentence after
 * it that states any. Null where a sentence states two.
 */
export function maturityOf({ own, sentence, tenor, following: all }: FacilityText): string | null {
  // A day behind it is another's.
  if (ofDays.test(own)) return null
  const following = all.filter(each => !isOfPrevious.test(each) && !isAboutNotes(each))
  const extended = following.flatMap(each =>
    isExtension.test(each) &&
    !unlessExtended.test(each) &&
    !/\b(?:may(?!\s{1,3}\d)|can|could|option|if) (?:\w+ ){0,3}(?:be )?extend/i.test(each)
      ? statedIn(each)
      : [],
  )
  if (extended.length === 1) return firstOf(extended)
  // Each amendment extends it further, and the last says until when.
  const steps = [...new Set(extended)]
  const last = steps.at(-1)
  if (last !== undefined && steps.every((day, i) => day > (steps[i - 1] ?? ''))) return last
  const dates = [own, ...following].map(statedIn).find(each => each.length > 0)
  if (dates) return dates.length === 1 ? firstOf(dates) : null
  const days = /\b36[0-9]-day\b/i.exec(tenor) === null ? null : dayAgreed(sentence)
  if (days !== null && !following.some(each => isChanged.test(each)))
    return new Date(Date.parse(days) + 364 * 86_400_000).toISOString().slice(0, 7)
  const year = [own, ...following].map(yearIn).find(each => each !== null)
  if (year !== undefined) return year
  const term = (termIn.exec(own) ?? following.map(each => termIs.exec(each)).find(each => each !== null))
    ?.groups
  const years = inYears.exec(tenor)?.groups?.['years'] ?? term?.['years'] ?? term?.['tenor']
  const on = agreed.exec(sentence) ?? (term === undefined ? null : agreedOn.exec(sentence))
  const from = dayNamed((on?.groups?.['date'] ?? '').replace(/\s+/g, ' '))
  if (from === null || years === undefined || following.some(each => isChanged.test(each))) return null
  return monthAfter(from, numberSaid(years))
}

const rightBehind = new RegExp(
  `^\\s{0,3}(?:\\([^()]{0,60}\\)\\s{1,3})?(?:maturing|due|expiring|that\\s{1,3}matures?|which\\s{1,3}matures?)\\s{1,3}(?:(?:on|in)\\s{1,3})?(?<date>${DATE})(?!,?\\s{1,3}and\\s{1,3}(?:in\\s{1,3}|on\\s{1,3})?${DATE})`,
  'i',
)

/** The day right behind a facility, `$2,000.0 million of term loans maturing on April 22, 2026`, whose sentence states others of others. */
export const maturityRightBehind = (flat: string, to: number): string | null =>
  dayNamed((rightBehind.exec(flat.slice(to, to + 140))?.groups?.['date'] ?? '').replace(/\s+/g, ' '))

/** The words in which a sentence may say the tenor of a facility. */
export const tenorNear = (
  flat: string,
  { words, from: at, to }: { readonly words: string; readonly from: number; readonly to: number },
  from: number,
): string =>
  /\b\w{1,6}[ -](?:year|day|month)\b/i.test(words)
    ? words
    : (/^[^.;$]{0,60}?\b\w{3,6}-year term\b/i.exec(flat.slice(to, to + 90))?.[0] ??
      flat.slice(Math.max(from, at - 30), to))

/** `expiring in 2028`, `was extended through 2029`; null where a sentence names two years. */
const dueInYear =
  /\b(?:matur(?:es?|ing)|expir(?:es?|ing)|extended|terminat(?:es|ing))\s{1,3}(?:in|through|until|to)\s{1,3}(?<year>20\d\d)\b(?!\s{1,3}and\s{1,3}20\d\d)/gi

/** The year in which a sentence says that a facility falls due. */
function yearIn(sentence: string): string | null {
  const years = new Set(
    [...sentence.matchAll(dueInYear)]
      .filter(({ index }) => !isNoLonger.test(sentence.slice(Math.max(0, index - 50), index)))
      .map(match => match.groups?.['year']),
  )
  const [year] = years
  return years.size === 1 && year !== undefined ? year : null
}

/** The day on which the sentence says its facility was agreed. */
function dayAgreed(sentence: string): string | null {
  const day = dayNamed((agreed.exec(sentence)?.groups?.['date'] ?? '').replace(/\s+/g, ' '))
  return fullDate(day)
}

const part = new RegExp(
  `${AMOUNT}\\s{1,3}(?:of|in)\\s{1,3}(?:the\\s{1,3})?commitments?\\s{1,3}(?:(?:that|which)\\s{1,3})?(?:will\\s{1,3})?(?:matur(?:e|es|ing)|expir(?:e|es|ing)|terminat(?:e|es|ing))\\s{1,3}(?:on|in)\\s{1,3}(?<date>${DATE})`,
  'gi',
)
/** What parts of a commitment leave to its whole, as each is rounded. */
const ROUNDED = 0.02

/**
 * When most of a facility falls due of which a sentence gives parts, `$3.4 billion of commitments maturing on April 26, 2026
 * and $10.1 billion of commitments maturing on April 26, 2028`, if they are all of it.
 */
export function maturityOfParts(
  sentences: readonly string[],
  commitment: number,
  scale: Scale,
): string | null {
  for (const sentence of sentences) {
    const parts = [...sentence.matchAll(part)].map(({ groups = {} }) => ({
      value: amountIn(groups, scale)?.value ?? 0,
      due: dayNamed((groups['date'] ?? '').replace(/\s+/g, ' ')),
    }))
    const sum = parts.reduce((total, { value }) => total + value, 0)
    const [most] = parts.toSorted((a, b) => b.value - a.value)
    if (most !== undefined && Math.abs(sum - commitment) <= ROUNDED * commitment) return most.due
  }
  return null
}

/** A sentence about notes alone, whose day is theirs. */
const isAboutNotes = (sentence: string): boolean =>
  /\b(?:notes|debentures|bonds)\b/i.test(sentence) &&
  !/\b(?:facilit\w+|revolv\w+|loans?|agreements?|lines?\s{1,3}of\s{1,3}credit|commitments?|rcf)\b/i.test(
    sentence,
  )
const isOfPrevious =
  /\b(?:previous|prior(?!\s{1,3}(?:sentence|paragraph)\b)|former|then[- ]existing|existing\s{1,3}mortgage(?:\s{1,3}loan)?\s{1,3}(?:on|of|for))\b/i
const isChanged = /\b(?:amended|restated|replaced|superseded|terminated|extended)\b/i
/** `Unless earlier terminated or extended by mutual agreement`: nothing was. */
const unlessExtended = /\bunless\b[^.;,]{0,60}\bextended\b/i
/** What was extended, not what may be. */
const isExtension =
  /\b(?:extended|extending|(?:agreement|amendment|amended)\b[^.;]{0,80}\bto extend|amended\b[^.;$]{0,200}\bextend the (?:maturity|termination|expiration) date)\b/i

/** The maturity that a sentence states; null if none or several. */
export function onlyStatedIn(sentence: string): string | null {
  const [day, ...others] = statedIn(sentence)
  return day === undefined || others.length > 0 ? null : day
}

/** The maturities that a sentence states, each once, as exactly as it does. */
export function statedIn(sentence: string): string[] {
  const found = new Set<string>()
  for (const match of sentence.matchAll(stated)) {
    const { between = '', date = '' } = match.groups as { between?: string; date?: string }
    const lead = sentence.slice(Math.max(0, match.index - 50), match.index)
    if (isOther.test(between) || isNoLonger.test(lead) || isBound.test(between)) continue
    const before = sentence.slice(Math.max(0, match.index - 100), match.index)
    if (/^extend/i.test(match[0]) && (isChoice.test(lead) || isConditional.test(before))) continue
    if (
      willBeExtended.test(match[0]) &&
      onCondition.test(sentence.slice(Math.max(0, match.index - 160), match.index))
    )
      continue
    if (/^due/i.test(match[0]) && isOfNotes.test(lead)) continue
    if (ofExisting.test(sentence.slice(Math.max(0, match.index - 160), match.index))) continue
    if (isOfNote.test(sentence.slice(Math.max(0, match.index - 160), match.index))) continue
    if (/^due/i.test(match[0]) && isOfPayment.test(sentence.slice(0, match.index))) continue
    if (isSpringing.test(lead + match[0])) continue
    const last = until.exec(sentence.slice(match.index + match[0].length))?.groups?.['date']
    const named = dayNamed((last ?? date).replace(/\s+/g, ' '))
    if (named !== null) found.add(named)
    // `mature in October 2026 and October 2028`: of one facility it is neither.
    const beside = last === undefined ? andDate.exec(sentence.slice(match.index + match[0].length)) : null
    const second = dayNamed((beside?.groups?.['date'] ?? '').replace(/\s+/g, ' '))
    if (second !== null) found.add(second)
  }
  if (found.size === 0)
    for (const match of sentence.matchAll(atWhich)) {
      const named = dayNamed((match.groups?.['date'] ?? '').replace(/\s+/g, ' '))
      if (named !== null) found.add(named)
    }
  return [...found].filter(each => ![...found].some(other => other !== each && other.startsWith(each)))
}

const REVOLVING = /\brevolv\w+\b/i
const TERM_LOAN = /\bterm loans?\b/i
const TERM_LOAN_A = /\bterm loans? A\b/i
const TERM_LOAN_B = /\bterm loans? B\b/i
const LETTERED = /\bterm\s{1,3}loans?\s{1,3}(?<letter>[AB])\b/i

/** `The maturity date for the term loans is April 23, 2028`. */
const dateOfKind = new RegExp(
  `\\bmaturity\\s{1,3}date\\s{1,3}(?:for|of|under)\\s{1,3}(?:the|our|its)\\s{1,3}(?<what>(?:[\\w-]+\\s{1,3}){1,6}?)(?:is|was|will\\s{1,3}be|remains)\\s{1,3}(?<date>${DATE})`,
  'gi',
)

/** The day that a sentence after several facilities gives those of its kind, `The revolving facility matures in`. */
export function maturityOfKind(
  { kind, words }: { readonly kind: string; readonly words: string },
  after: readonly string[],
): string | null {
  const letter = LETTERED.exec(words)?.groups?.['letter']?.toUpperCase()
  const named =
    kind === 'revolver'
      ? REVOLVING
      : letter === undefined
        ? TERM_LOAN
        : letter === 'A'
          ? TERM_LOAN_A
          : TERM_LOAN_B
  for (const sentence of after.slice(0, 8)) {
    const own = [...sentence.matchAll(dateOfKind)].find(({ groups }) => named.test(groups?.['what'] ?? ''))
    if (own !== undefined) return dayNamed((own.groups?.['date'] ?? '').replace(/\s+/g, ' '))
    const at = sentence.search(named)
    const [first] = at < 0 ? [] : statedIn(sentence.slice(at))
    if (first !== undefined) return first
  }
  return null
}

/** Before several facilities: when their agreement falls due, `The Credit Facility matures on June 5, 2030 and includes`. */
const ofAgreement = new RegExp(
  `^\\s{0,9}(?:the|this|our)\\s{1,3}(?:[\\w-]+\\s{1,3}){0,6}?(?:agreement|facility)(?:(?:,\\s{1,3}which)?\\s{1,3}(?:will\\s{1,3})?(?:matures?|expires?|terminates?)\\s{1,3}(?:on|in)|,\\s{1,3}which\\s{1,3}has\\s{1,3}an?\\s{1,3}(?:(?:initial|stated|scheduled|final)\\s{1,3})?maturity\\s{1,3}date\\s{1,3}of)\\s{1,3}(?<date>${DATE})(?:(?:\\s{1,3}(?:with|subject\\s{1,3}to)\\b[^.;$]{4,80})?,|\\s{1,3}and)\\s{1,3}(?:includes?|consists?|provides?|comprises?)\\b`,
  'i',
)

/** The one day on which an agreement falls due of whose facilities a sentence then tells. */
export const maturityOfAgreement = (sentence: string): string | null =>
  dayNamed((ofAgreement.exec(sentence)?.groups?.['date'] ?? '').replace(/\s+/g, ' '))

/** A sentence that tells what an agreement that the text has named provides, `Terms of the 2024 Credit Agreement consist of a five-year`. */
const ofNamed =
  /^\s{0,9}(?:Terms\s{1,3}of\s{1,3}the|The|Our|This)\s{1,3}(?<name>(?:[A-Z0-9][\w-]*\s{1,3}){1,6}(?:Agreement|Facility))\s{1,3}(?:provide|consist|include)s?\b/
const everyTenor = /\b(?<years>two|three|four|five|six|seven|[2-7])[- ]year\b/gi
const effective = new RegExp(
  `\\b(?:in|on|effective)\\s{1,3}(?<date>${DATE})\\b[^.;]{0,80}\\b(?:entered\\s{1,3}into|replaced|executed|closed)\\b`,
  'i',
)
/** How far before what an agreement provides the sentence may stand that names it, characters. */
const NAMED_BEFORE = 2500

/** When a facility falls due whose tenor one sentence gives, and an earlier one the day of its agreement. */
export function maturityByTenor(flat: string, from: number, end: number): string | null {
  const sentence = flat.slice(from, end)
  const name = ofNamed.exec(sentence)?.groups?.['name']
  const [years, ...others] = new Set(
    [...sentence.matchAll(everyTenor)].map(({ groups }) => groups?.['years']?.toLowerCase() ?? ''),
  )
  if (name === undefined || years === undefined || others.length > 0) return null
  const begin = Math.max(0, from - NAMED_BEFORE)
  const found = flat.slice(begin, from).lastIndexOf(`"${name}"`)
  if (found < 0) return null
  const at = begin + found
  const agreement = effective.exec(flat.slice(...sentenceAround(flat, at)))?.groups?.['date'] ?? ''
  const day = dayNamed(agreement.replace(/\s+/g, ' '))
  // An amendment since, or another day, is told as such.
  if (day === null || /\b(?:extend|maturity)\w*/i.test(flat.slice(at, end + NAMED_BEFORE))) return null
  return monthAfter(day, numberSaid(years))
}

/** The one day on which each facility of a sentence falls due, `each with a maturity date of March 31, 2027`. */
export function maturityOfEach(sentence: string): string | null {
  const at = sentence.search(
    /\b(?:each|both)\s{1,3}(?:with|matur\w+|expir\w+|of\s{1,3}which\s{1,3}(?:(?:are|is)\s{1,3}scheduled\s{1,3}to\s{1,3})?(?:mature|expire|terminate)s?)\b/i,
  )
  return at < 0 ? null : onlyStatedIn(sentence.slice(at))
}

/** A sentence that tells what an agreement named right before provides. */
const ofThat =
  /^\s{0,9}(?:the|this|such)\s{1,3}(?:[\w-]+\s{1,3}){0,5}?(?:agreement|facility)\s{1,3}(?:provides|consists|is|has)\b/i
const agreedThere = /\b(?:entered\s{1,3}into|amended|restated|renewed|extended|executed|closed)\b/i

/** The one day that the sentence before gives an agreement, whose facility a sentence then names: `The credit agreement provides for`. */
export function maturityBefore(flat: string, from: number, to: number): string | null {
  if (!ofThat.test(flat.slice(from, to))) return null
  const before = sentenceBefore(flat, from)
  if (!agreedThere.test(before)) return null
  return onlyStatedIn(before)
}

const everyExtension = new RegExp(
  `\\b(?:extend(?:s|ed|ing)?|extension\\s{1,3}of)\\s{1,3}the\\s{1,3}(?:(?<whose>credit\\s(?:agreement|facility))'s\\s{1,3})?(?:(?:scheduled|stated|final|initial)\\s{1,3})?(?:maturity|termination|expiration|expiry)(?:\\s{1,3}date)?\\s{1,3}(?:(?:of|under|for)\\s{1,3}(?:the|its|our)\\s{1,3}(?<what>(?:[^.;,()]|\\.\\d){3,80}?)\\s{1,3}|(?=(?:from|to|until|through)\\b))(?:from\\s{1,3}${DATE}\\s{1,3})?(?:until|through|to)\\s{1,3}(?:the\\s{1,3}earlier\\s{1,3}of\\s{1,3}(?:\\(\\w{1,3}\\)\\s{1,3})?)?(?<date>${DATE})`,
  'gi',
)

/** The one day to which a text says that the maturity of what a test knows by its name was extended. */
export function maturityExtended(flat: string, isOwn: (what: string) => boolean): string | null {
  const days = [...flat.matchAll(everyExtension)].flatMap(match => {
    const { whose = '', what = whose, date = '' } = match.groups as Record<string, string | undefined>
    const lead = flat.slice(Math.max(0, match.index - 100), match.index)
    if (isChoice.test(lead) || isConditional.test(lead) || !isOwn(what)) return []
    return dayNamed(date.replace(/\s+/g, ' ')) ?? []
  })
  const [day, ...others] = new Set(days)
  return day !== undefined && others.length === 0 ? day : null
}
