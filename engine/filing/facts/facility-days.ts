import { DATE } from './facility-maturity.ts'
import type { Mention } from './facility-mentions.ts'
import { sentencesNaming } from './facility-sentences.ts'
import { sentenceAround } from './flat-text.ts'
import { dayNamed } from './maturities.ts'

// Facilities that a report tells of another day than its own.

const onDay = new RegExp(`\\b(?:in|on)\\s{1,3}(?<date>${DATE})`, 'i')

const ofEarlierDay = new RegExp(
  `^\\s{0,9}(?:at|as\\s{1,3}of)\\s{1,3}(?<date>${DATE}),\\s{1,3}(?:we|the\\s{1,3}company)\\s{1,3}had\\b`,
  'i',
)
/** Whether a sentence tells what a company had on an earlier day, `At March 29, 2025, we had`, before one tells what it has. */
export function isOfEarlierDay(
  flat: string,
  { kind, from }: Mention,
  all: readonly Mention[],
  day: string,
): boolean {
  const [begin, end] = sentenceAround(flat, from)
  const date = ofEarlierDay.exec(flat.slice(begin, from))?.groups?.['date']
  const said = date === undefined ? null : dayNamed(date.replace(/\s+/g, ' '))
  return said !== null && said < day && all.some(each => each.kind === kind && each.from > end)
}

/** Whether a sentence begins with a day or month after the report's day: the facility was agreed since. */
export function isSince(lead: string, day: string): boolean {
  const date = onDay.exec(lead.split(/[$\u20ac\u00a3]/)[0] ?? '')?.groups?.['date']
  const said = date === undefined ? null : dayNamed(date.replace(/\s+/g, ' '))
  return (
    said !== null &&
    said > day.slice(0, said.length) &&
    /\b(?:entered|obtained|executed|closed|made|repaid|prepaid|borrowed)\b/i.test(lead)
  )
}

const ofAgreement =
  /^\s{0,9}(?:the|this)\s{1,3}(?<name>(?:[A-Z0-9][\w&-]*\s{1,3}){1,6}(?:Agreement|Facility))\s{1,3}(?:provides?|consists?|includes?)\b/i

/** Whether a sentence tells what an agreement provides that another says was entered into, or took effect, after the report's day. */
export function isOfLaterAgreement(flat: string, from: number, day: string): boolean {
  const name = ofAgreement.exec(flat.slice(from, from + 120))?.groups?.['name']
  return sentencesNaming(flat, name, from).some(each => {
    const date = onDay.exec(each)?.groups?.['date']
    const said = date === undefined ? null : dayNamed(date.replace(/\s+/g, ' '))
    return (
      said !== null &&
      said > day.slice(0, said.length) &&
      /\b(?:entered\s{1,3}into|became\s{1,3}effective)\b/i.test(each)
    )
  })
}
