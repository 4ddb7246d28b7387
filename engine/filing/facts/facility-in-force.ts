import type { Mention } from './facility-mentions.ts'
import { aliasOf } from './facility-names.ts'

/** Before an amount: it is of a facility that was, of a part of one, or of what may be added to it. */
const isOther =
  /\b(?:(?:amended|restated|replac\w+|extend\w*)\s(?:(?:our|its|the)\s)?existing|prior|previous|former|then[- ]existing|old|predecessor|replac(?:ed?|es|ing)|terminat(?:ed?|ing)|refinanc(?:ed?|ing)|repa(?:id|y|ying|yment of)|prepayment of (?:our|its|the company's)|cancel\w*|expired|additional|incremental|increas\w+|sub-?limit|accordion|swing ?line(?! lenders?\b)|bridge|commitment letter\w*|guarant(?!y\s{1,3}agreement)\w+|uncommitted|up to an)\b(?![^.;]{0,70}\b(?:and|to)\s(?:\(\w{1,3}\)\s)?(?:provid(?:e|es|ed|ing)|entered)\b)[^.;]{0,70}$/i
/** Before an amount: it is of what took the place of another, `with a new five-year`. */
const isInPlace =
  /\bwith\s{1,3}(?:\(\w{1,3}\)\s{1,3})?an?\s{1,3}(?:new,?\s{1,3}(?:[\w-]+,?\s{1,3}){0,3})?$|\bwith\s{1,3}an?\s{1,3}new\b[^.;]{0,60}\band\s{1,3}an?\s{1,3}new\s{1,3}$/i
const isSublimit =
  /^(?:(?!\b(?:includ\w+|with|contain\w+|ha[sd])\b)[^.;,]){0,40}\b(?:sub-?limit|sub-?facility|letters? of credit|swing ?line|accordion|bridge)\b/i
/** `and a letter of credit sublimit of $150 million`, which is not the amount before it. */
const hasOwnSum =
  /^[^.;,]{0,50}\bsub-?(?:limit|facility)\s{1,3}of\s{1,3}(?:up\s{1,3}to\s{1,3})?[$\u20ac\u00a3]/i
/** After an amount: the facility has ended. */
const hasEnded =
  /\b(?:(?:was|were|been)\s(?:\w+\s){0,2}(?:terminated|repaid|prepaid|cancel\w+|replaced|refinanced|expired|paid\sin\sfull)|(?:that|which)\s(?:(?:we|it|the\scompany)\s)?(?:would\shave\s|\w+\s)?(?:expired|matured|terminated|cancell?ed)|prior\sto\sits\stermination)\b/i
/** The company is the lender, or another company borrows. */
const isLender =
  /\b(?:we|company|corporation)\s(?:has\s|have\s)?(?:also\s)?(?:provided|extended|made\savailable|lent|loaned|agreed\sto\s(?:provide|lend))\b|\b(?:joint venture|equity method investee|unconsolidated)\b/i

/** What a text calls a facility that is gone: `the "Old Term Loans"`. */
const isCalledFormer = /^(?:Old|Prior|Former|Previous|Retired|Predecessor|Terminated)\s/

/** `a portion of the Revolving Facility in the amount of`. */
const isPortion = /\bportions?\s{1,3}of\s{1,3}(?:the|our|its)\s{1,3}(?:[A-Z][\w&]{0,14}\s{1,3}){0,2}$/
const agreementNamed =
  /^\s{0,9}(?:the|this)\s{1,3}(?<name>(?:[A-Z0-9][\w&-]*\s{1,3}){1,6}(?:Agreement|Facility|Loan))\s{1,3}(?:provides?|consists?|includes?)\b/i
const isRepaying = /\b(?:repa(?:y|id)|prepa(?:y|id)|paid\s{1,3}off|extinguish(?:ed)?|retired?)\b[^.;]{0,60}$/i
const wasRepaid =
  /^[^.;]{0,20}\b(?:was|were|has\s{1,3}been)\s{1,3}(?:\w+\s{1,3})?(?:repaid|prepaid|terminated|extinguished)\b/i
/** Before a repayment: it is a part, one that is to come, or an obligation. */
const isInPart =
  /\b(?:portion|part|partially|some|may(?!\s{1,3}\d)|will|would|must|required|obligat\w+|\$[\d.,]{1,12})\b[^.;]{0,60}$/i

/** Whether a text says that a loan was repaid which it calls by the name of its agreement. */
function isRepaidByName(flat: string, begin: number): boolean {
  const name = agreementNamed.exec(flat.slice(begin, begin + 120))?.groups?.['name']
  if (name === undefined) return false
  for (let at = flat.indexOf(name); at >= 0; at = flat.indexOf(name, at + 1)) {
    const before = flat.slice(Math.max(0, at - 140), at)
    if (isRepaying.test(before) && !isInPart.test(before.replace(isRepaying, ''))) return true
    if (wasRepaid.test(flat.slice(at + name.length, at + name.length + 60))) return true
  }
  return false
}

/** What was replaced, and not what took its place. */
const isReplaced =
  /\b(?:replac(?:ed|es|ing)|refinanc(?:ed|es|ing)|terminat(?:ed|es|ing)|(?:re|pre)pa(?:id|y))\b(?!.*\b(?:with|entered into|by|and\s(?:also\s)?provid(?:es|ed|ing))\b)/i

/** Before a facility whose commitment was changed: what the sentence says since it spoke of another's end. */
const sinceOther = (before: string): string =>
  /\b(?:replac|refinanc|terminat)\w*\b(?:[^.;]|\.\d){0,200}\band\s(?<own>(?:increas|reduc|decreas|lower|rais|expand)\w*\b.*)$/is.exec(
    before,
  )?.groups?.['own'] ?? before

/** Whether a facility of a sentence is one that the company has: not one that was, a part of one, or one that it lends. */
export function isInForce(flat: string, mention: Mention, begin: number, end: number): boolean {
  const { from, to, words, isChanged, list } = mention
  // Of a list, what is said before its first mark is of each.
  const alias = aliasOf(flat, mention) ?? ''
  if (isCalledFormer.test(alias) || isPortion.test(flat.slice(Math.max(0, from - 40), from))) return false
  if (mention.kind === 'term_loan' && isRepaidByName(flat, begin)) return false
  // `The Refinancing Amendment provided for`: a name, and no end.
  const before = (list === undefined ? flat.slice(begin, from) : flat.slice(...list)).replace(
    /\bRefinancing\s{1,3}(?=[A-Z])/g,
    ' ',
  )
  const after = flat.slice(to, Math.max(end, to))
  if (
    (!isChanged &&
      isOther.test(before.slice(-110)) &&
      !isInPlace.test(
        before.slice(-90) + (list === undefined ? (/^new\s/i.exec(words)?.[0] ?? '') : 'a '),
      )) ||
    isReplaced.test(isChanged ? sinceOther(before) : before)
  )
    return false
  if ((!isChanged && isSublimit.test(after) && !hasOwnSum.test(after)) || /\bbridge\b/i.test(words))
    return false
  return !hasEnded.test(after) && !isLender.test(flat.slice(begin, Math.max(end, to)))
}
