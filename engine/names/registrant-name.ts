import { jurisdictionNamed } from './jurisdiction.ts'

/** An employer identification number, `13-3513936`, as cover pages print it beside the state of incorporation. */
const EMPLOYER_NUMBER = /\b\d{2}[-–—]\s?\d{7}\b/

/** Words of a cover page that label its blanks. */
const LABEL =
  /\b(as specified in (its|their|the) charters?|exact names? of (the )?(registrant|company|issuer)s?|state or other jurisdiction|incorporation or organi[sz]ation|employer identification|identification (no|number)|i\.?\s?r\.?\s?s\.?\s+employer|commission file|securities and exchange commission|address of principal|telephone number|zip code|former name|check the appropriate box|pursuant to section|annual report|quarterly report|current report|transition period|table of contents|united states of america$|washington,? d\.?c\.?)\b/i

/** What a name ends with: lines drawn under it, blanks. */
const TRAILING = /(?<![\s\-_=*])[\s\-_=*]+$/

/**
 * The name of a registrant out of what stands where a cover page has it; null where that is no name: a place, a number of the
 * tax office, or a label of the form.
 */
export function registrantName(written: string): string | null {
  // at most 300 characters: what is longer is a paragraph and no name
  let text = written.slice(0, 300).replace(/\s+/g, ' ').trim()
  const number = EMPLOYER_NUMBER.exec(text)
  if (number) text = withoutPlace(text.slice(0, number.index).trim())
  text = text.replace(TRAILING, end => (/[-_=*]{3}/.test(end) ? '' : end)).trim()
  if (text.length < 2 || text.length > 150 || !/\p{L}{2}/u.test(text)) return null
  if (LABEL.test(text) || isPlace(text)) return null
  // `BofA Finance of as low as $980.00 per $1,000 in principal amount`: a sentence on the price of an offering.
  if (/\$\s?\d|\bprincipal amount\b/i.test(text)) return null
  return text
}

const isPlace = (text: string): boolean =>
  jurisdictionNamed(text.replace(/^\(|\)$/g, '')) !== null &&
  !/\b(corp|inc|co|company|bank|group)\b/i.test(text)

/** `Food Concepts, Inc. Nevada 13-3124057` and `Nevada Food Concepts, Inc. 13-3124057` are rows of a table that became one line. */
function withoutPlace(text: string): string {
  const words = text.split(' ')
  for (const count of [3, 2, 1]) {
    if (words.length > count && isPlace(words.slice(-count).join(' ')))
      return words.slice(0, -count).join(' ')
    if (words.length > count + 1 && isPlace(words.slice(0, count).join(' ')))
      return words.slice(count).join(' ')
  }
  return isPlace(text) ? '' : text
}
