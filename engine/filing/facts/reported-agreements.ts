import { maturityExtended } from './facility-maturity.ts'
import type { Mention } from './facility-mentions.ts'

/** Items of current reports that tell of what was agreed; one of a termination tells what a facility was. */
const isOfAgreement =
  /\b(?:1\.01|2\.03)\b|(?<!\btermination of an? )material definitive agreement|direct financial obligation/i

/** Whether an item of a current report tells of agreements entered into. */
export const tellsOfAgreement = (title: string | null): boolean => isOfAgreement.test(title ?? '')

const entered =
  /\b(?:entered into|closed|obtained|established|executed|(?:company|we|partnership|corporation|borrower|trust)\s{1,3}amended)\b/i
/** How far before a list the sentence may stand that says that its agreement was entered into, characters. */
const BEFORE_LIST = 700
/** How far before what an agreement provides the sentence may stand that says that it was entered into, characters. */
const BEFORE = 2500

/** `The Credit Agreement provides for`, `the Third Amendment increases`: what the agreement of a report gives, in the present. */
const provides =
  /^(?:[^.;]{0,60},\s{1,3})?\s{0,9}(?:the|this|such)\s{1,3}(?:new\s{1,3})?(?:(?!existing|prior|previous|former|original)[\w&-]+\s{1,3}){0,6}?(?:agreement|facility|facilities|amendments?)(?:,\s{1,3}among\s{1,3}other\s{1,3}things,?)?(?:,\s{1,3}which\s{1,3}(?:matures|has|had|is|will|expires)\b[^.;()$]{4,120},)?\s{1,3}(?:\([^()]{0,60}\)\s{1,3})?(?:has\s{1,3}an?\s{1,3}[^.;,()$]{4,40}\s{1,3}and\s{1,3})?(?:also\s{1,3})?(?:is\s{1,3}an?|provides?|consists?|establishes|includes?|comprises?|permits|allows|maintains|amend(?:s|ed)|(?:increase|reduce|decrease)[sd]|extend(?:s|ed)|makes)\b/i
/** `Pursuant to the Credit Agreement, the lenders have committed to make available`. */
const committed =
  /^\s{0,9}(?:pursuant\s{1,3}to|under)\s{1,3}the\s{1,3}(?:(?!existing|prior|previous|former|original)[\w&-]+\s{1,3}){0,6}?(?:agreement|amendment),\s{1,3}(?:(?:the\s{1,3})?(?:lenders?|banks?)\s{1,3}(?:have\s{1,3}|has\s{1,3})?(?:committed|agreed)\s{1,3}to\s{1,3}(?:make\s{1,3}available|provide|lend|extend)|(?:we|the\s{1,3}company)\s{1,3}(?:\([^()]{1,3}\)\s{1,3})?(?:(?:have|has)\s{1,3}access\s{1,3}to|refinanced|replaced|borrowed|incurred|obtained))\b/i
/** `entered into a Credit Agreement`, and not one that is to come. */
const enteredAgreement =
  /(?<!\b(?:will|may(?!\s{1,3}\d)|to|not|intends?|expects?)\s{1,3}(?:\w+\s{1,3})?)\b(?:entered\s{1,3}into|executed|closed|amended\s{1,3}and\s{1,3}restated\s{1,3}(?:our|its|the|that))\b[^.;]{0,160}?\b(?:agreement|facility|facilities|amendment)\b/i

/** `The Existing Credit Agreement provided for`: what an amendment leaves as it is, or extends. */
const providedBefore =
  /^\s{0,9}(?:the|such)\s{1,3}existing\s{1,3}(?:[\w&-]+\s{1,3}){0,4}?(?:agreement|facility)\s{1,3}(?:provide[sd]?|consist(?:s|ed)|include[sd]?)\b/i
const enteredAmendment =
  /\b(?:entered\s{1,3}into|executed)\b[^.;]{0,120}?(?:(?:\bNo|\bN\.A|\bInc)\.[^.;]{0,120}?)?\bamendment\b/i
/** What an existing facility may no longer be as it was. */
const isOtherwise =
  /\b(?:terminated|replaced|repaid|refinanced|superseded)\b|\b(?:increas|reduc|decreas|upsiz)\w*\s{1,3}(?:the\s{1,3}|its\s{1,3}|our\s{1,3})?(?:[\w-]+\s{1,3}){0,4}(?:commitments?|amount|size|capacity|facility|facilities|loans?)\b/i
const staysDue = /\b(?:matures|will\s{1,3}mature)\s{1,3}on\b/i

/**
 * Whether a current report says that what it names was agreed: its sentence does, or tells what an agreement provides that
 * an earlier one says was entered into, or what one provided that an amendment leaves in force.
 */
export function isAgreed(
  flat: string,
  { from: at, to, list }: Mention,
  [from, end]: readonly [from: number, end: number],
  extended: string | null,
): boolean {
  // Of a list, also the sentence before says it.
  const begin = list === undefined ? from : Math.max(0, from - BEFORE_LIST)
  // The words of a facility may be the name of its agreement.
  const lead = flat.slice(from, to)
  const before = flat.slice(Math.max(0, from - BEFORE), from)
  if (
    entered.test(flat.slice(begin, at)) ||
    ((provides.test(lead) || committed.test(lead)) && enteredAgreement.test(before))
  )
    return true
  return (
    providedBefore.test(lead) &&
    (extended !== null || staysDue.test(flat.slice(to, Math.max(to, end)))) &&
    enteredAmendment.test(before) &&
    !isOtherwise.test(flat)
  )
}

/** Whether a report says before a sentence that an amendment was entered into, which may tell its terms over several. */
export const isAmendedBefore = (flat: string, from: number): boolean =>
  enteredAmendment.test(flat.slice(Math.max(0, from - BEFORE), from))

/** What all facilities of an agreement are called. */
const ofAgreement = /^credit\s(?:agreement|facility)$/i
const ofKind = { revolver: /\brevolv\w+/i, term_loan: /\bterm\s{1,3}(?:loan|facility|credit)/i } as const

/** To which day a report says that the maturity of a facility was extended, by its name or as the only one of its kind. */
export function extendedTo(
  flat: string,
  { kind }: Mention,
  alias: string | undefined,
  /** All facilities of the report. */
  all: readonly Mention[],
): string | null {
  const own = alias?.toLowerCase()
  const isOnlyOfKind = all.filter(each => each.kind === kind).length === 1
  return maturityExtended(flat, what =>
    what === ''
      ? all.length === 1
      : ofAgreement.test(what) || what.toLowerCase() === own || (isOnlyOfKind && ofKind[kind].test(what)),
  )
}
