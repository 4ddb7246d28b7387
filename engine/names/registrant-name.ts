import { jurisdictionNamed } from './jurisdiction.ts'

/** An employer identification number, `13-3513936`, printed on cover pages beside the state of incorporation. */
const EMPLOYER_NUMBER = /\b\d{2}[-–—]\s?\d{7}\b/

/** Labels of blanks on a cover page. */
const LABEL =
  /\b(as specified in (its|their|the) charters?|exact names? of (the )?(registrant|company|issuer)s?|state or other jurisdiction|incorporation or organi[sz]ation|employer identification|identification (no|number)|i\.?\s?r\.?\s?s\.?\s+employer|commission file|securities and exchange commission|address of principal|telephone number|zip code|former name|check the appropriate box|pursuant to section|annual report|quarterly report|current report|transition period|table of contents|united states of america$|washington,? d\.?c\.?)\b/i

/** Trailing underlines and blanks. */
const TRAILING = /(?<![\s\-_=*])[\s\-_=*]+$/

/**
 * A registrant's name from its place on a cover page; null where the text is a place, a tax number or a form label.
 */
export function registrantName(written: string): string | null {
  // at most 300 characters: longer text is a paragraph, not a name
  let text = written.slice(0, 300).replace(/\s+/g, ' ').trim()
  const number = EMPLOYER_NUMBER.exec(text)
  if (number) text = withoutPlace(text.slice(0, number.index).trim())
  text = text.replace(TRAILING, end => (/[-_=*]{3}/.test(end) ? '' : end)).trim()
  if (text.length < 2 || text.length > 150 || !/\p{L}{2}/u.test(text)) return null
  if (LABEL.test(text) || isPlace(text)) return null
  // `BofA Finance of as low as $980.00 per $1,000 in principal amount`: a sentence about an offering's price.
  if (/\$\s?\d|\bprincipal amount\b/i.test(text)) return null
  return text
}

const isPlace = (text: string): boolean =>
  jurisdictionNamed(text.replace(/^\(|\)$/g, '')) !== null &&
  !/\b(corp|inc|co|company|bank|group)\b/i.test(text)

/**
 * `Food Concepts, Inc. Nevada 13-3124057` and `Nevada Food Concepts, Inc. 13-3124057` are table rows flattened into a
 * line.
 */
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
