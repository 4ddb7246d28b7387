import { sentenceAround } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { spelledMaturity } from './maturities.ts'
import { AMOUNT, amountIn, everyAmount, type Money, type Scale } from './money.ts'
import { datesIn } from './spelled-dates.ts'

/** What is asked of a sentence: whether it says what is drawn of a commitment at the report's day. */
export interface Drawing {
  readonly day: string
  readonly commitment: Money
  readonly scale: Scale
}

/** `no amounts were outstanding`, `had not borrowed`, `nothing was drawn`, `is undrawn`. */
const nothing =
  /\b(?:no|nor any|not any)\b[^.;]{0,50}\b(?:amounts?|borrowings?(?! (?:availab|capacit))|loans?|advances?|balances?|draws?|drawings?|indebtedness|funds)\b|\b(?:did|do|does|had|have|has) not (?:yet )?(?:have )?(?:an?y? )?(?:outstanding |drawn |borrowed )?(?:balance|borrowings?|amounts?|borrowed|drawn)|\bnothing (?:was|has been|had been|is) (?:outstanding|borrowed|drawn)|\b(?:is|was|were|are|remain\w*) (?:entirely |fully |completely |currently )?(?:undrawn|unused|fully available)\b/i
const BORROWED = '(?:in |of )?(?:aggregate )?(?:principal (?:amount )?)?(?:of )?'
const borrowed = new RegExp(
  `${AMOUNT}\\s{1,3}${BORROWED}(?:borrowings|loans|was|were|outstanding|drawn)\\b`,
  'i',
)
/** `there were borrowings of $48 million under the Revolving Facility`. */
const borrowingsOf = new RegExp(
  `\\b(?:there\\s{1,3}were|had|have)\\s{1,3}(?:outstanding\\s{1,3})?(?:borrowings|loans|advances)\\s{1,3}(?:outstanding\\s{1,3})?(?:of|totall?ing)\\s{1,3}(?:approximately\\s{1,3})?${AMOUNT}\\s{1,3}(?:outstanding\\s{1,3})?(?:under|on)\\b`,
  'i',
)
const OWN =
  '(?:revolving|revolver|credit|loan|term|line|of|abl|bank|senior|secured|unsecured|facility|agreement)'
/** `borrowings under the ABL Facility were $120 million`, of a facility without another name. */
const borrowedWere = new RegExp(
  `\\b(?:borrowings|loans|advances|balance|amounts?)\\s{1,3}(?:outstanding\\s{1,3})?(?:under|on)\\s{1,3}(?:the|our|this|its)\\s{1,3}(?:${OWN}\\s{1,3}){1,6}(?:(?!\\b(?:availab\\w+|unused|undrawn|remain\\w*|capacity|maximum|average)\\b)[^.;$]){0,60}\\b(?:was|were|totall?ed|amounted\\s{1,3}to)\\s{1,3}(?:approximately\\s{1,3})?${AMOUNT}`,
  'i',
)
const available = new RegExp(
  `${AMOUNT}\\s{1,3}(?:(?:on|under)\\s{1,3}(?:the|our)\\s{1,3}(?:[\\w-]+\\s{1,3}){1,5}?(?=was))?(?:(?:of (?:unused |undrawn )?(?:borrowing )?(?:capacity|availability|commitments?) |was |were |remain\\w* |is )?(?:available|unused|undrawn)|of (?:available|unused|undrawn|remaining) (?:borrowing )?(?:capacity|availability|commitments?|credit))\\b`,
  'i',
)
const LEFT =
  '(?:(?:amounts?|borrowing\\s{1,3}(?:capacity|availability)|availability|capacity)(?:\\s{1,3}(?:remaining|available))?(?:\\s{1,3}for\\s{1,3}(?:future|additional|further)?\\s{0,3}borrowings?)?)'
/** `The amount available for future borrowings was $4.18 billion`, `had availability of $1,309.9 million under`. */
const availableWas = new RegExp(
  `\\b(?<said>${LEFT})\\s{1,3}(?:under\\s{1,3}(?:the|our|its|this|that)\\s{1,3}(?:[\\w'-]+\\s{1,3}){1,6}?)?(?:was|were|is|of|totall?ed)\\s{1,3}(?:approximately\\s{1,3})?${AMOUNT}`,
  'i',
)
const isLeft = /\bavailab|\bremaining\b/i
const PLAIN = AMOUNT.replace(/\?<\w+>/g, '?:')
/** `$88 million and $82 million of outstanding letters of credit`. */
const letters = new RegExp(
  `(?:${PLAIN}\\s{1,3}and\\s{1,3})?${PLAIN},?\\s{1,3}(?:respectively,?\\s{1,3})?(?:(?:of|in|for)\\s{1,3})?(?:(?:issued|outstanding|standby)\\s{1,3}){0,2}letters?\\s{1,3}of\\s{1,3}credit\\b`,
  'gi',
)
/** `letters of credit in the aggregate amount of $4.0 million`. */
const lettersFirst = new RegExp(
  `\\bletters?\\s{1,3}of\\s{1,3}credit\\s{1,3}(?:(?:issued|outstanding)\\s{1,3})?(?:in\\s{1,3}(?:the|an)\\s{1,3}|with\\s{1,3}(?:the|an)\\s{1,3}|totall?ing\\s{1,3}|of\\s{1,3})(?:(?:aggregate|total|stated|face)\\s{1,3}){0,2}(?:amount\\s{1,3}of\\s{1,3})?${PLAIN}`,
  'gi',
)
/** `$300 million and $200 million, respectively, of borrowings`, in the order of two days. */
const ofTwoDays = new RegExp(
  `(?<both>${PLAIN}\\s{1,3}and\\s{1,3}${PLAIN}),?\\s{1,3}(?:respectively,?\\s{1,3})?${BORROWED}(?:borrowings|loans|was|were|outstanding|drawn)\\b`,
  'i',
)
/** `The outstanding balance on the credit facility as of March 31, 2024 and December 31, 2023 was $25.5 million and $34.5 million`. */
const wereTwo = new RegExp(
  `\\b(?:borrowings|loans|advances|balance|amounts?)\\s{1,3}(?:outstanding\\s{1,3})?(?:under|on)\\s{1,3}(?:the|our|this|its)\\s{1,3}(?:${OWN}\\s{1,3}){1,6}(?:(?!\\b(?:availab\\w+|unused|undrawn|remain\\w*|capacity|maximum|average)\\b)[^.;$]){0,80}\\b(?:was|were|totall?ed|amounted\\s{1,3}to)\\s{1,3}(?:approximately\\s{1,3})?(?<both>${PLAIN}\\s{1,3}and\\s{1,3}${PLAIN})`,
  'i',
)
/** `commitments of $170 million and $140 million, of which $48 million and $68 million`: the last two. */
const ofWhich = /\bof\s{1,3}which\s{1,3}(?:approximately\s{1,3})?$/i
/** Said of the present, without a day. */
const isNow =
  /\bto date\b|\bcurrently\b|\bsince (?:its|their) inception\b|\b(?:is|are|remains?) (?:\w+ )?(?:undrawn|unused)\b/i

const FACILITY =
  '(?:facilit(?:y|ies)|agreements?|revolvers?|rcf|lines?\\s{1,3}of\\s{1,3}credit|credit\\s{1,3}lines?|lines?)'
/** What a sentence says nothing of, or something, is drawn under: `any of our credit facilities`. */
const under = new RegExp(
  `\\b(?:under|on|against|upon)\\s{1,3}(?:(?:any|each|either|both|all)\\s{1,3}(?:of\\s{1,3})?)?(?:the|our|its|their|these|those|this|that|such|both)?\\s{0,3}(?<own>(?:[\\w$.,'-]+\\s{1,3}){0,9}?)(?<noun>${FACILITY})\\b`,
  'i',
)
/** `These facilities are undrawn`, `The revolving credit facilities had no borrowings outstanding`. */
const subject = new RegExp(
  `(?:^|\\.\\s{1,9}|,\\s{1,3})(?:the|our|its|these|both|all)\\s{1,3}(?<own>(?:[\\w'-]+\\s{1,3}){0,4}?)(?<noun>${FACILITY})\\s{1,3}(?:had|have|has|is|are|was|were|remain\\w*)\\b`,
  'i',
)
/** Lines of others, or that are gone, and what is no borrowing. */
const isOfOther =
  /\b(?:international|foreign|subsidiar\w*|local|prior|previous|former|other|uncommitted|letters?|term|bridge|paper|export|warehouse|securiti[sz]ation|receivables?|swing ?line|sub-?limits?|sub-?facilit\w+|repurchase|loan|note|indenture)\b/i
const isElsewhere = /\b(?:international|foreign|local|prior|previous|former|other|uncommitted)\b/i
/** `this facility` is the one named last. */
const isPointing = new RegExp(
  `\\b(?:this|that|such|these|those)\\s{1,3}(?:[\\w'-]+\\s{1,3}){0,5}?${FACILITY}\\b`,
  'i',
)
const these = /\b(?:these|those|both)\s{1,3}(?:[\w'-]+\s{1,3}){0,3}?(?:facilities|agreements|lines)\b/i
/** The sentence right behind one that names several facilities, about what is drawn under `these facilities`. */
export const aboutThese = (after: readonly string[]): string[] =>
  after.slice(0, 3).filter(each => these.test(each) && isAboutUse.test(each))
const isPlural = /(?:ies|agreements|revolvers|lines(?:\s+of\s+credit)?)$/i

/** What is drawn, and what may still be, in a sentence about the report's day. */
export function drawnIn(sentences: readonly string[], asked: Drawing): InstrumentLine {
  const found: { drawn?: number; undrawn?: number } = {}
  let isBehindDay: boolean = false
  for (const each of sentences) {
    const sentence = each.replace(/\s+/g, ' ').replace(twoYears, '$<day>, $<first> and $<day>, $<second>')
    const said: string =
      isBehindDay && isWithoutDay(sentence) ? `At ${spelledMaturity(asked.day)}, ${sentence}` : sentence
    isBehindDay = datesIn(said).some(({ date }) => date === asked.day)
    if (!isAboutUse.test(each)) continue
    if (isNothing(said, asked)) found.drawn ??= 0
    const { undrawn, drawn } = amountsIn(said, asked)
    if (undrawn !== undefined) found.undrawn ??= undrawn
    if (drawn !== undefined) found.drawn ??= drawn
  }
  return found
}

/** A sentence that names no time goes on with the day of the one before it: `The amount available for future borrowings was`. */
const isWithoutDay = (sentence: string): boolean =>
  !/\b(?:19|20)\d\d\b|\b(?:year|quarter|period|month|closing|date|may|could|would|will|if|when|subsequent\w*|initial\w*)\b/i.test(
    sentence,
  ) && goesOn.test(sentence)
const goesOn =
  /^\W{0,4}(?:the\s(?:(?:remaining|total|aggregate)\s)?(?:amounts?|availability|borrowing\s(?:capacity|availability)|capacity)\b|there\swere\sno\b|no\s(?:amounts?|borrowings|loans)\b|after\sgiving\seffect\b)/i

const isAboutUse = /\b(?:outstanding|drawn|undrawn|draws?|drawings?|borrow\w*|available|unused|balance)\b/i

/** Whether a sentence says that nothing is drawn at the report's day. */
function isNothing(sentence: string, { day, commitment, scale }: Drawing): boolean {
  const match = nothing.exec(sentence)
  if (match === null) return false
  const rest = sentence.slice(match.index)
  const clause = rest.split(/;|,\s{1,3}(?:and\s{1,3})?(?=\$|no\b|compared|versus)/i)[0] ?? rest
  if (!isOfDay(sentence, match.index, match.index + clause.length, day) || isOfPeriod(clause)) return false
  const others = [...sentence.matchAll(everyAmount)].filter(
    each =>
      amountIn(each.groups ?? {}, scale)?.value !== commitment.value &&
      !ofLetters.test(sentence.slice(each.index + each[0].length)),
  )
  const isPaper = /\bcommercial paper\b/i.test(sentence)
  const of = under.exec(clause)
  const own = of?.groups?.['own'] ?? ''
  if (isElsewhere.test(own) || (of === null && ofProgram.test(clause))) return false
  if (others.length === 0 && !isPaper) return true
  return of !== null && !/\bpaper\b/i.test(clause.slice(0, of.index)) && !isOfOther.test(own)
}

const ofPeriod =
  /^[^.;]{0,120}?\b(?:during|in|for)\s{1,3}the\s{1,3}(?:\w+\s{1,3}){0,2}(?:months|quarters?|years?|periods?)\b/i
const ofDay = /\bas\s{1,3}of\b|\b(?:at|on)\s{1,3}(?:both\s{1,3})?[A-Z][a-z]{2,8}\s{1,3}\d/
/** `There were no borrowings during the three months ended`: no balance, unless a day is named as well. */
const isOfPeriod = (clause: string): boolean => ofPeriod.test(clause) && !ofDay.test(clause)
const ofProgram = /\b(?:under|on)\s{1,3}(?:[\w'-]+\s{1,3}){1,4}?programs?\b/i
const ofLetters = /^\s{1,3}(?:(?:of|in|for)\s{1,3})?(?:(?:issued|outstanding|standby)\s{1,3}){0,2}letters?\b/i

/** Days that stand side by side, `December 31, 2024 and 2023`, of which a sentence says the same. */
const isBeside = /^[\s,]{0,6}(?:and|or|,)[\s,]{0,6}(?:as\s{1,3}of\s{1,3}|at\s{1,3})?$/i

/** Whether a clause is of a day: of one in it, else of the one before it; or of the present, if the sentence names none. */
function isOfDay(sentence: string, from: number, to: number, day: string): boolean {
  const groups: { readonly from: number; to: number; readonly days: string[] }[] = []
  for (const each of datesIn(sentence)) {
    const last = groups.at(-1)
    if (last !== undefined && isBeside.test(sentence.slice(last.to, each.from))) {
      last.days.push(each.date)
      last.to = each.to
    } else groups.push({ from: each.from, to: each.to, days: [each.date] })
  }
  const inIt = groups.filter(each => each.from >= from && each.from < to)
  const said = inIt.length > 0 ? inIt : groups.filter(each => each.to <= from).slice(-1)
  if (groups.length === 0) return isNow.test(sentence) || isYearEnd(sentence, day)
  return said.some(each => each.days.includes(day))
}

const atYearEnd = /\bat\s{1,3}(?:the\s{1,3}end\s{1,3}of|year-?end)\s{1,3}(?:fiscal\s{1,3})?(?<year>20\d\d)\b/i

/** `at the end of 2018 and 2017`, of the year whose end is the report's day. */
const isYearEnd = (sentence: string, day: string): boolean =>
  atYearEnd.exec(sentence)?.groups?.['year'] === day.slice(0, 4)

/** The one amount that a sentence says is drawn or left at the report's day; of two days, in their order. */
function amountsIn(
  whole: string,
  { day, commitment, scale }: Drawing,
): { readonly drawn?: number; readonly undrawn?: number } {
  const sentence = whole.replace(letters, ' ').replace(lettersFirst, ' ')
  const days = datesIn(sentence).map(({ date }) => date)
  if (!days.includes(day) || /\bcommercial paper\b/i.test(sentence)) return {}
  const isOf = (one: Money | null | undefined): one is Money =>
    one !== null && one !== undefined && one.value < commitment.value && one.currency === commitment.currency
  const amounts = [...sentence.matchAll(everyAmount)]
    .map(match => amountIn(match.groups ?? {}, scale))
    .filter(one => one !== null && one.value !== commitment.value)
  const left = availableWas.exec(sentence)
  if (left !== null && isLeft.test(left.groups?.['said'] ?? '') && days.length === 1) {
    const rest = amountIn(left.groups ?? {}, scale)
    if (rest !== null && rest.value <= commitment.value && rest.currency === commitment.currency)
      return { undrawn: rest.value }
  }
  const two = ofTwoDays.exec(sentence) ?? wereTwo.exec(sentence)
  const both = two?.groups?.['both']
  const isOwn = two !== null && (amounts.length === 2 || ofWhich.test(sentence.slice(0, two.index)))
  if (both !== undefined && isOwn && days.length === 2) {
    const own = [...both.matchAll(everyAmount)].map(match => amountIn(match.groups ?? {}, scale))
    const owed = own[days.indexOf(day)]
    return isOf(owed) ? { drawn: owed.value } : {}
  }
  if (amounts.length !== 1) return isWhole(sentence, commitment, scale) ? { drawn: commitment.value } : {}
  const rest = amountIn(available.exec(sentence)?.groups ?? {}, scale)
  const said = borrowed.exec(sentence) ?? borrowedWere.exec(sentence) ?? borrowingsOf.exec(sentence)
  const owed = amountIn(said?.groups ?? {}, scale)
  return isOf(rest) ? { undrawn: rest.value } : isOf(owed) ? { drawn: owed.value } : {}
}

const isOfRoom =
  /\b(?:availab\w*|unused|undrawn|capacity|commitments?|maximum|limit|up\s{1,3}to|provid\w+|increas\w+|reduc\w+)\b/i
/** Whether all of a commitment is owed: the one amount of a sentence is it, and is called outstanding. */
function isWhole(sentence: string, commitment: Money, scale: Scale): boolean {
  const said = sentence.replace(/\bno\s{1,3}(?:borrowing\s{1,3})?availability\b/gi, ' ')
  const [one, ...others] = said.match(everyAmount) ?? []
  const owed = amountIn(borrowed.exec(said)?.groups ?? {}, scale)
  return one !== undefined && others.length === 0 && owed?.value === commitment.value && !isOfRoom.test(said)
}

/** `December 31, 2024 and 2023` names two days. */
const twoYears = /\b(?<day>[A-Z][a-z]{2,8} \d{1,2}), (?<first>20\d\d),? and (?<second>20\d\d)\b/g

/**
 * The sentences of a note about all its facilities, `no amounts were outstanding under any of our credit facilities`, or,
 * where it has one, about `the credit facility`.
 */
export function sentencesOfAll(flat: string, isOne: boolean): string[] {
  const found = new Set<string>()
  for (const match of flat.matchAll(isAboutUseAnywhere)) {
    const [from, to] = sentenceAround(flat, match.index)
    const sentence = flat.slice(from, to)
    const of = (under.exec(sentence) ?? subject.exec(sentence))?.groups
    if (of === undefined || isOfOther.test(of['own'] ?? '') || isPointing.test(sentence)) continue
    if (!isPlural.test(of['noun'] ?? '') && !isOne) continue
    if (isPlural.test(of['noun'] ?? '') && !nothing.test(sentence)) continue
    found.add(sentence)
  }
  return [...found]
}

const isAboutUseAnywhere = /\b(?:outstanding|draws|drawings|drawn|undrawn|borrowed|borrowings|unused)\b/gi
