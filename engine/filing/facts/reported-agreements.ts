import type { Mention } from './facility-mentions.ts'

/** Items of current reports that tell of what was agreed; one of a termination tells what a facility was. */
const isOfAgreement =
  /\b(?:1\.01|2\.03)\b|(?<!\btermination of an? )material definitive agreement|direct financial obligation/i

/** Whether an item of a current report tells of agreements entered into. */
export const tellsOfAgreement = (title: string | null): boolean => isOfAgreement.test(title ?? '')

const entered = /\b(?:entered into|closed|obtained|established|executed)\b/i
/** How far before a list the sentence may stand that says that its agreement was entered into, characters. */
const BEFORE_LIST = 700
/** How far before what an agreement provides the sentence may stand that says that it was entered into, characters. */
const BEFORE = 2500

/** `The Credit Agreement provides for`, `the Third Amendment increases`: what the agreement of a report gives, in the present. */
const provides =
  /^(?:[^.;]{0,60},\s{1,3})?\s{0,9}(?:the|this|such)\s{1,3}(?:new\s{1,3})?(?:(?!existing|prior|previous|former|original)[\w&-]+\s{1,3}){0,6}?(?:agreement|facility|facilities|amendment)\s{1,3}(?:\([^()]{0,60}\)\s{1,3})?(?:also\s{1,3})?(?:provides?|consists?|establishes|includes?|comprises?|permits|allows|amends|increases|extends|makes)\b/i
/** `entered into a Credit Agreement`, and not one that is to come. */
const enteredAgreement =
  /(?<!\b(?:will|may|to|not|intends?|expects?)\s{1,3}(?:\w+\s{1,3})?)\b(?:entered\s{1,3}into|executed|closed)\b[^.;]{0,160}?\b(?:agreement|facility|facilities|amendment)\b/i

/**
 * Whether a current report says that what it names was agreed: its sentence does, or tells what an agreement provides that
 * an earlier one says was entered into.
 */
export function isAgreed(flat: string, { from: at, list }: Mention, from: number): boolean {
  // Of a list, also the sentence before says it.
  const begin = list === undefined ? from : Math.max(0, from - BEFORE_LIST)
  const lead = flat.slice(begin, at)
  return (
    entered.test(lead) ||
    (provides.test(flat.slice(from, at)) &&
      enteredAgreement.test(flat.slice(Math.max(0, from - BEFORE), from)))
  )
}
