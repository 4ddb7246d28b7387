import type { agreementEnds } from '../../schema/vocabulary.ts'
import { DATE } from './facility-maturity.ts'
import type { Mention } from './facility-mentions.ts'
import { sentenceAround } from './flat-text.ts'
import { dayNamed } from './maturities.ts'
import { datesIn } from './spelled-dates.ts'

/** A facility that a text says has ended. */
export interface EndedFacility {
  readonly mention: Mention
  readonly because: (typeof agreementEnds)[number]
  /** Null where the text names no day. */
  readonly endedOn: string | null
  /** When it would have fallen due; null where the text does not say. */
  readonly due: string | null
  /** The sentence that says so. */
  readonly sentence: readonly [from: number, to: number]
}

/** What a facility is called by its own names in later sentences. */
export interface Naming {
  readonly alias: string | undefined
  readonly tenor: string
}

const ENDED = '(?:terminated|cancell?ed|closed|retired|extinguished)'
const TOOK_PLACE = '(?:replac(?:ed|es|ing)|refinanc(?:ed|ing))'
/** Before an amount: `terminated our existing $2.7 billion`, `this included terminating the $1.0 billion`, `replaced the amended and restated $3.0 billion`. */
const endedBefore = new RegExp(
  `\\b(?<verb>${ENDED}|terminating|cancell?ing|${TOOK_PLACE}|to\\s{1,3}replace)\\b(?<between>(?:[^.;]|\\.\\d){0,160})$`,
  'i',
)
/** Between the verb and an amount: the amount is of what took the place. */
const isNew =
  /\b(?:with|by|into|to\s{1,3}an?|new|obtained|executed|provid\w+|proceeds|from|upon|following|after)\b/i
/** A condition, a plan or a denial before the verb. */
const noFact =
  /\b(?:if|unless|until|not|may(?!\s{1,3}\d)|will|shall|would|could|can|be|when|once|upon|intends?|expects?)\s[^.;]{0,30}$/i
const isPassive = /\b(?:was|were|been)\b[^.;]{0,40}$/i
/** After an amount: `was terminated in August`, `which we terminated`, `which matured on`. */
const endedAfter = new RegExp(
  `^(?:[^.;]|\\.\\d){0,160}?\\b(?:(?:was|were|has\\s{1,3}been|have\\s{1,3}been)\\s{1,3}(?:\\w+\\s{1,3}){0,2}(?<passive>${ENDED}|replaced|refinanced)|(?:which|that)\\s{1,3}(?:(?:we|it|the\\s{1,3}company)\\s{1,3})?(?:\\w+\\s{1,3})?(?<active>${ENDED}|expired|matured|replaced))\\b`,
  'i',
)
/** What takes the place of another: what follows is said of the other. */
const OF_OTHER = /\b(?:which|that|and|also)\s(?:\w+\s)?replac(?:ed|es|ing)\b|\breplacing\b/i

const FACILITY = '(?:facility|agreement|revolver|line\\s{1,3}of\\s{1,3}credit|loan)'
/** The sentence behind a facility: `This facility was terminated in July`, `This line expired on May 2`, `We terminated the facility`. */
const thisEnded = new RegExp(
  `^\\s{0,9}(?:(?:this|the|such)\\s{1,3}(?:[\\w-]+\\s{1,3}){0,3}?${FACILITY}\\s{1,3}(?:(?:was|has\\s{1,3}been)\\s{1,3}(?:\\w+\\s{1,3}){0,2}${ENDED}|(?<=^\\s{0,9}(?:this|such)\\b[^.;]{0,80})(?:has\\s{1,3})?expired)\\b|[^.;]{0,80}\\b(?:we|company|it)\\s{1,3}(?:\\w+\\s{1,3})?${ENDED}\\s{1,3}(?:this|the|such)\\s{1,3}(?:credit\\s{1,3}|loan\\s{1,3}|revolving\\s{1,3}){0,2}${FACILITY}\\b)`,
  'i',
)
/** `closed these credit facilities`, `both facilities were terminated`. */
const theseEnded = new RegExp(
  `\\b(?:${ENDED}\\s{1,3}(?:both|these|those)\\s{1,3}(?:of\\s{1,3}(?:these|the)\\s{1,3})?(?:[\\w-]+\\s{1,3}){0,3}?(?:facilities|agreements|lines)|(?:both|these|those)\\s{1,3}(?:[\\w-]+\\s{1,3}){0,3}?(?:facilities|agreements|lines)\\s{1,3}(?:were|have\\s{1,3}been)\\s{1,3}(?:\\w+\\s{1,3}){0,2}${ENDED})\\b`,
  'gi',
)
/** `terminated the 18-month facility`, `the 364-day credit facility was terminated`. */
const tenorEnded = new RegExp(
  `\\b(?:${ENDED}\\s{1,3}(?:our|its|the)\\s{1,3}(?<a>\\w{1,6}[ -](?:year|day|month))(?:\\s{1,3}[\\w-]+){0,4}?\\s{1,3}${FACILITY}|(?:our|its|the)\\s{1,3}(?<b>\\w{1,6}[ -](?:year|day|month))(?:\\s{1,3}[\\w-]+){0,4}?\\s{1,3}${FACILITY}\\s{1,3}was\\s{1,3}(?:\\w+\\s{1,3}){0,2}${ENDED})\\b`,
  'gi',
)
const isSince = /\bsubsequent(?:ly)?\b/i
const isFormer = /\b(?:existing|prior|previous|former|old|legacy|then-existing)\b/i
const wasEnded = new RegExp(
  `^["')\\s]{0,4}(?:was|has\\s{1,3}been|were)\\s{1,3}(?:\\w+\\s{1,3}){0,2}${ENDED}\\b`,
  'i',
)
const justReplaced = /\breplac(?:ed|es|ing)\s(?:the|our|its)\s(?:existing\s|prior\s|previous\s)?["']?$/i
const justEnded = new RegExp(`\\b${ENDED}\\s{1,3}(?:the|our|its)\\s{1,3}["']?$`, 'i')
/** `used to pay off the remaining outstanding principal balance on the Original Term Loan`, `payments to extinguish the ...`. */
const paidOff =
  /\b(?:used|applied|payments?)\s{1,3}(?:\w+\s{1,3}){0,2}to\s{1,3}(?:(?:pay\s{1,3}off|repay|prepay|retire)\s{1,3}(?:the\s{1,3}|all\s{1,3}(?:of\s{1,3}the\s{1,3})?)(?:remaining|entire)\s{1,3}(?:(?:outstanding|principal|unpaid|balance|amounts?)\s{1,3}){0,4}(?:on|of|under)|extinguish)\s{1,3}(?:the|our|its)\s{1,3}["']?$/i
/** `terminated and repaid all amounts outstanding under the Alfa Loan`. */
const allRepaid =
  /\b(?:terminated\s{1,3}and\s{1,3}(?:re)?paid|(?:re|pre)paid)\s{1,3}(?:in\s{1,3}full\s{1,3})?all\s{1,3}(?:of\s{1,3}the\s{1,3})?(?:(?:remaining|outstanding|amounts?|obligations|indebtedness|principal|balances?|borrowings|owed|due|owing|and|interest|accrued|unpaid)\s{1,3}){1,8}(?:under|on|of)\s{1,3}(?:the|our|its)\s{1,3}["']?$/i
/** `the entire amount of the Term Loan has been repaid`, `the term loan was repaid in full`: what a loan that is gone is said of. */
const loanRepaid =
  /\b(?:entire|full|all|whole|remaining)\s(?:(?!\bnotes?\b)[^.;$]){0,80}\bloans?\b[^.;$]{0,60}\b(?:was|were|(?:has|have|had)\sbeen)\s(?:\w+\s)?(?:re|pre)?paid\b|\bloans?\b[^.;$]{0,40}\b(?:was|were|(?:has|have|had)\sbeen)\s(?:fully\s(?:re|pre)?paid|(?:re|pre)?paid\s(?:off\s)?in\s(?:full|its\sentirety))\b/i
/** `entered into a new revolving credit agreement, which extinguished the prior revolving credit agreement`. */
const priorEnded = new RegExp(
  `\\bnew\\b[^.;]{0,120}\\bwhich\\s{1,3}(?:${ENDED}|replaced|refinanced)\\s{1,3}(?:our|its|the)\\s{1,3}(?:prior|previous|former)\\s{1,3}(?:[\\w-]+\\s{1,3}){0,3}?${FACILITY}\\b`,
  'gi',
)
const wouldBeDue = new RegExp(
  `\\b(?:expir\\w+|matur\\w+|terminat(?:es?|ion\\s{1,3}date)|due)\\s{1,3}(?:in|on)?\\s{0,3}(?<date>${DATE})`,
  'i',
)

/** How far behind a facility a text may say that it ended, characters. */
const REACH = 3000

/** The facilities of a text that it says have ended, by the words around their amounts or by later sentences. */
export function endedFacilities(
  flat: string,
  all: readonly Mention[],
  inForce: readonly Mention[],
  naming: (mention: Mention) => Naming,
): EndedFacility[] {
  const gone = all.flatMap(mention =>
    inForce.includes(mention) ? [] : (besideItsAmount(flat, mention, all) ?? []),
  )
  const later = inForce.flatMap(mention => {
    const sentence = endedLater(flat, mention, inForce, naming(mention))
    if (sentence !== null) return [ended(flat, mention, sentence, 'terminated')]
    const same = gone.find(
      each =>
        each.because === 'terminated' &&
        each.mention.from > mention.from &&
        each.mention.kind === mention.kind &&
        each.mention.commitment.value === mention.commitment.value &&
        agree(naming(each.mention).tenor, naming(mention).tenor) &&
        !isFormer.test(flat.slice(each.sentence[0], each.mention.to)),
    )
    return same === undefined ? [] : [{ ...same, mention }]
  })
  const left = inForce.filter(mention => later.every(each => each.mention !== mention))
  // What a facility in force took the place of may have had its amount: the amount alone tells nothing then.
  const isTold = ({ mention }: EndedFacility) =>
    left.every(
      each =>
        each.kind !== mention.kind ||
        each.commitment.value !== mention.commitment.value ||
        !agree(naming(each).tenor, naming(mention).tenor),
    )
  return [...gone, ...later].filter(isTold)
}

const agree = (one: string, other: string): boolean => one === '' || other === '' || one === other

/** Whether the words around its amount say that a facility ended. */
function besideItsAmount(flat: string, mention: Mention, all: readonly Mention[]): EndedFacility | null {
  const sentence = sentenceAround(flat, mention.from)
  const before = flat.slice(sentence[0], mention.from)
  const next = all.find(each => each.from > mention.from)?.from ?? flat.length
  const after = flat.slice(mention.to, Math.min(next, Math.max(sentence[1], mention.to)))
  const lead = endedBefore.exec(before)
  if (lead !== null && !isNew.test(lead.groups?.['between'] ?? '')) {
    const verb = lead.groups?.['verb'] ?? ''
    if (isPassive.test(before.slice(0, lead.index))) return null
    const isPurpose = /^to/i.test(verb)
    if (isPurpose ? !/\bentered\b/i.test(before) : noFact.test(before.slice(0, lead.index))) return null
    return ended(flat, mention, sentence, /repla|refin/i.test(verb) ? 'replaced' : 'terminated', after)
  }
  const own = after.split(OF_OTHER)[0] ?? ''
  const tail = endedAfter.exec(own)?.groups
  if (tail === undefined) return null
  const verb = tail['passive'] ?? tail['active'] ?? ''
  return ended(flat, mention, sentence, /repla|refin/i.test(verb) ? 'replaced' : 'terminated', own)
}

/** Whether a facility was agreed or renewed in a later year than that in which others ended. */
const isAgreedSince = (told: string, ending: string): boolean => {
  const agreed =
    /\b(?:renewed|amended|extended)\b(?:(?!expir|matur)[^.;]){0,90}?\bin\s{1,3}(?:[A-Z][a-z]{2,8}\s{1,3})?(?<year>20\d\d)\b/.exec(
      told,
    )?.groups?.['year']
  const ended = /\b(?<year>20\d\d)\b/.exec(ending)?.groups?.['year']
  return agreed !== undefined && ended !== undefined && agreed > ended
}

/** The later sentence that says a facility ended; null if none does. */
function endedLater(
  flat: string,
  mention: Mention,
  all: readonly Mention[],
  { alias, tenor }: Naming,
): readonly [number, number] | null {
  const [from, end] = sentenceAround(flat, mention.from)
  const others = all.filter(each => each !== mention)
  const next = others.find(each => each.from > mention.from)?.from ?? flat.length
  for (let at = end; at < Math.min(next, end + REACH / 2); ) {
    const sentence = sentenceAround(flat, at)
    const words = flat.slice(...sentence)
    const isRepaid = mention.kind === 'term_loan' && loanRepaid.test(words) && !isSince.test(words)
    if ((thisEnded.test(words) || isRepaid) && !isFormer.test(words)) return sentence
    at = Math.max(sentence[1], at + 1)
  }
  for (const match of flat.slice(end, end + REACH).matchAll(theseEnded)) {
    const between = all.filter(each => each.from > mention.from && each.from < end + match.index)
    const sentence = sentenceAround(flat, end + match.index)
    if (between.length < 2 && !isAgreedSince(flat.slice(from, end), flat.slice(...sentence))) return sentence
  }
  const earlier = all.filter(each => each.kind === mention.kind && each.from <= mention.from)
  for (const match of flat.slice(end, end + REACH).matchAll(priorEnded)) {
    const between = others.filter(each => each.from > mention.from && each.from < end + match.index)
    if (mention.kind === 'revolver' && earlier.length === 1 && between.length === 0)
      return sentenceAround(flat, end + match.index)
  }
  if (alias !== undefined && /\w[ -]\w/.test(alias))
    for (let at = flat.indexOf(alias, end); at >= 0; at = flat.indexOf(alias, at + 1))
      if (
        wasEnded.test(flat.slice(at + alias.length, at + alias.length + 60)) ||
        justEnded.test(flat.slice(from, at).slice(-40)) ||
        (mention.kind === 'term_loan' &&
          [paidOff, allRepaid].some(says => says.test(flat.slice(Math.max(from, at - 160), at))))
      )
        return sentenceAround(flat, at)
  if (tenor === '' || others.some(each => each.words.toLowerCase().replace(' ', '-').includes(tenor)))
    return null
  for (const match of flat.slice(end).matchAll(tenorEnded)) {
    const called = (match.groups?.['a'] ?? match.groups?.['b'] ?? '').toLowerCase().replace(' ', '-')
    if (called === tenor && !isFormer.test(match[0])) return sentenceAround(flat, end + match.index)
  }
  return null
}

/** Whether a later sentence says that another facility took the place of the one of this name, which may have its amount. */
export function isReplacedByName(flat: string, { words, to }: Mention): boolean {
  if (!/^(?:[A-Z0-9][\w-]*\s){1,8}[A-Z]\w+$/.test(words)) return false
  for (let at = flat.indexOf(words, to); at >= 0; at = flat.indexOf(words, at + 1))
    if (justReplaced.test(flat.slice(to, at).slice(-40))) return true
  return false
}

const onDay = new RegExp(
  `\\b(?:${ENDED}|expired|matured|replaced)\\s{1,3}(?:\\w+\\s{1,3})?(?:on|effective)\\b`,
  'i',
)

function ended(
  flat: string,
  mention: Mention,
  sentence: readonly [number, number],
  because: EndedFacility['because'],
  after = '',
): EndedFacility {
  const text = flat.slice(...sentence)
  const stated = onDay.exec(text)
  const days = datesIn(text)
  const behind = stated && days.find(each => each.from >= stated.index && each.from < stated.index + 60)
  const leading = /^\s{0,3}(?:on|effective)\s/i.test(text) ? days.find(each => each.from < 14) : undefined
  const date = /\brespectively\b/i.test(after) ? undefined : wouldBeDue.exec(after)?.groups?.['date']
  return {
    mention,
    because,
    endedOn: behind?.date ?? leading?.date ?? null,
    due: date === undefined ? null : dayNamed(date.replace(/\s+/g, ' ')),
    sentence,
  }
}
