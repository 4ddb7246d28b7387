import { firstOf } from '../../base/elements.ts'
import { sentenceAround } from './flat-text.ts'
import { datesIn } from './spelled-dates.ts'

/** Loans that a text says were paid in full, by the name of their lender or agreement. */
export interface PaidInFull {
  /** `Alfa Bank`, `Alfa Bank credit agreement`. */
  readonly name: string
  readonly kind: 'revolver' | 'term_loan'
  /** Null where the text names no day. */
  readonly endedOn: string | null
  readonly sentence: readonly [from: number, to: number]
}

const PROPER = "(?:[A-Z][\\w&'.-]{0,30},?\\s{1,3})"
/** `made a payment of $7.0 million to Alfa Bank as payment in full for both the Term Loan and the Revolving Loan`. */
const toLender = new RegExp(
  `\\bto\\s{1,3}(?<name>${PROPER}{1,6}?)(?:as|in)\\s{1,3}(?:payment\\s{1,3}in\\s{1,3}full|full\\s{1,3}(?:re)?payment)\\s{1,3}(?:for|of)\\s{1,3}(?<loans>[^.;]{0,120})`,
  'g',
)
/** `All of the Company's obligations under the Alfa Bank credit agreement were repaid on May 2, 2024`. */
const underAgreement = new RegExp(
  `\\b[Aa]ll\\s{1,3}(?:of\\s{1,3}(?:the\\s{1,3}Company's|our|its)\\s{1,3})?(?:outstanding\\s{1,3})?obligations\\s{1,3}under\\s{1,3}(?:the|our|its)\\s{1,3}(?<name>${PROPER}{1,6}(?:(?:credit|loan|term|revolving)\\s{1,3}){0,3}(?:agreement|facility|loan|(?<=(?:Agreement|Facility|Loan)\\s{1,3})))\\s{0,3}(?:was|were|have\\s{1,3}been)\\s{1,3}(?:\\w+\\s{1,3}){0,2}(?:re|pre)?paid\\b`,
  'g',
)
const atEnd = new RegExp(`${PROPER}{1,6}$`)
/** A condition or a plan before the words. */
const noFact =
  /\b(?:if|unless|until|not|may(?!\s{1,3}\d)|will|shall|would|could|can|be|when|once|upon|intends?|expects?|must|required)\b[^.;]{0,120}$/i

/** Words that many loans and lenders are called by: none of them tells one from another. */
const COMMON: ReadonlySet<string> = new Set(
  'the and of dba inc corp corporation company co llc ltd plc bank banks national association trust lender lenders agent administrative first second third new old prior existing original amended restated senior junior secured unsecured subordinated revolving revolver term credit loan loans note notes agreement facility line facilities company our its'.split(
    ' ',
  ),
)

/** The words of a name that tell it from others. */
export const tellingWords = (name: string): string[] =>
  (name.toLowerCase().match(/[a-z]{3,30}/g) ?? []).filter(word => !COMMON.has(word))

/** Loans that a text says were paid in full by the report's day, where a name tells which. */
export function paidInFullIn(flat: string, day: string): PaidInFull[] {
  const told = (pattern: RegExp): PaidInFull[] =>
    [...flat.matchAll(pattern)].flatMap(match => {
      const sentence = sentenceAround(flat, match.index)
      const before = flat.slice(sentence[0], match.index)
      const said = (match.groups?.['name'] ?? '').trim()
      const name = fullName(flat, said)
      if (noFact.test(before) || tellingWords(name).length === 0) return []
      const days = datesIn(flat.slice(...sentence))
      const endedOn = days.length === 1 ? firstOf(days).date : null
      if (days.some(({ date }) => date > day)) return []
      return kindsOf(match.groups?.['loans']).map(kind => ({ name, kind, endedOn, sentence }))
    })
  return [...told(toLender), ...told(underAgreement)]
}

/** What `NSB` stands for: `North State Bank ("NSB")`. */
function fullName(flat: string, said: string): string {
  if (!/^[A-Z&]{2,8}$/.test(said)) return said
  const at = [`("${said}")`, `(the "${said}")`].map(name => flat.indexOf(name)).find(found => found > 0)
  const before = at === undefined ? '' : flat.slice(Math.max(0, at - 120), at)
  return atEnd.exec(before)?.[0].trim() ?? said
}

/** The kinds of a list of loans: `both the Term Loan and the Revolving Loan`; both where all that is owed was paid. */
function kindsOf(loans: string | undefined): PaidInFull['kind'][] {
  if (loans === undefined) return ['term_loan', 'revolver']
  const isLoan = /\bterm loans?\b/i.test(loans)
  const isRevolver = /\b(?:revolving (?:loans?|credit|facility|line)|revolver|line of credit)\b/i.test(loans)
  return [...(isLoan ? (['term_loan'] as const) : []), ...(isRevolver ? (['revolver'] as const) : [])]
}
