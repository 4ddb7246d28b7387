import type { Mention } from './facility-mentions.ts'
import { sentenceAround } from './flat-text.ts'

/** A sentence that begins to tell of another facility, whose amount the text does not put beside it. */
const another =
  /\b(?:also|another|a separate|separately)\b[^.;]{0,80}\b(?:lines? of credit|facilit(?:y|ies)|credit agreements?|loans?)\b/i

/** A sentence about a facility that the text did not name before: `On April 4, 2023, a bilateral credit agreement was extended`. */
const isOfNew =
  /^\W{0,9}(?:(?:on|in|effective)\s{1,3}[a-z]{3,9}(?:\s{1,3}\d{1,2},)?\s{1,3}(?:19|20)\d\d,\s{1,3})?an?\s{1,3}(?:[\w-]+\s{1,3}){0,4}?(?:credit\s{1,3}(?:agreement|facility)|facility|line\s{1,3}of\s{1,3}credit|loan)\b/i

/** The sentences before the first that is about another facility. */
export function upToAnother(sentences: readonly string[]): readonly string[] {
  const at = sentences.findIndex(
    each =>
      isOfNew.test(each) ||
      (another.test(each) &&
        /\b(?:acquired|has|have|had|maintain\w*|entered|utili[sz]e\w*|use)\b/i.test(each)),
  )
  return at < 0 ? sentences : sentences.slice(0, at)
}

const agreedSince =
  /\b(?:we|it|company|corporation|partnership|borrower)\b(?:[^.;]|\.\d){0,60}\b(?:entered\s{1,3}into|amended(?:\s{1,3}and\s{1,3}restated)?|replaced|refinanced|extended|renewed|obtained)\b(?:[^.;]|\.\d){0,160}/i
const ofKind = {
  revolver: /\brevolv\w+|\blines?\s{1,3}of\s{1,3}credit\b|\bcredit\s{1,3}(?:facilit\w+|agreement)/i,
  term_loan: /\b(?:term|bank|bridge)\s{1,3}(?:loan|facilit|credit)/i,
} as const

/** The sentences before the first that tells how a facility of the other kind was agreed. */
export function upToOtherKind(sentences: readonly string[], kind: Mention['kind']): readonly string[] {
  const other = ofKind[kind === 'revolver' ? 'term_loan' : 'revolver']
  const at = sentences.findIndex(each => {
    const said = agreedSince.exec(each)?.[0]
    return said !== undefined && other.test(said) && !ofKind[kind].test(withoutPurpose(each))
  })
  return at < 0 ? sentences : sentences.slice(0, at)
}

/** A sentence without what a loan was used for and what it is lent under, and with a loan agreement called a loan. */
const withoutPurpose = (sentence: string): string =>
  sentence
    .replace(/\b(?:used|proceeds)\b.*$/is, '')
    .replace(/\bunder\s{1,3}(?:the|our|its)\s{1,3}(?:[\w-]+\s{1,3}){0,4}?(?:facility|agreement)\b/gi, ' ')
    .replace(/\bterm\s{1,3}loan\s{1,3}credit\s{1,3}(?:agreement|facility)/gi, 'term loan')

const MARK = /^\s{0,9}\(\w{1,2}\)\s{1,3}(?=[A-Z])/
const BEHIND_MARK = /\(\w{1,2}\)\s{1,3}[^.;:()]{0,60}$/

/** The sentences before the next note of the foot of a table, of a facility that such a note tells. */
export const upToNextMark = (before: string, sentences: readonly string[]): readonly string[] => {
  const at = BEHIND_MARK.test(before) ? sentences.findIndex(each => MARK.test(each)) : -1
  return at < 0 ? sentences : sentences.slice(0, at)
}

/** Where the sentences of a stretch of text begin and end. */
export function sentenceSpans(flat: string, from: number, to: number): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = []
  for (let at = from; at < to; ) {
    const [, end] = sentenceAround(flat, at)
    found.push([at, Math.min(end, to)])
    at = Math.max(end, at + 1)
  }
  return found
}

/** The sentences of a stretch of text. */
export const sentencesIn = (flat: string, from: number, to: number): string[] =>
  sentenceSpans(flat, from, to).map(span => flat.slice(...span))

/** Most sentences that are read because they name a facility. */
export const MOST_NAMING = 12

/** The other sentences in which a facility is called by its name alone. */
export function sentencesNaming(flat: string, name: string | undefined, begin: number): string[] {
  if (name === undefined || !/\w[ -]\w/.test(name)) return []
  const found: string[] = []
  for (let at = flat.indexOf(name); at >= 0 && found.length < MOST_NAMING; at = flat.indexOf(name, at + 1)) {
    const [from, to] = sentenceAround(flat, at)
    const sentence = flat.slice(from, to)
    if (from !== begin && !found.includes(sentence)) found.push(sentence)
  }
  return found
}

/** The sentences behind several facilities that call one by its words, `our supplemental revolving credit facility`, which no other has. */
export function sentencesOfWords(
  after: readonly string[],
  mention: Mention,
  all: readonly Mention[],
): string[] {
  const own = plainWords(mention.words)
  const isOther = (each: Mention) => each !== mention && plainWords(each.words).includes(own)
  if (!/\w \w+ \w/.test(own) || all.some(isOther)) return []
  return after.filter(each => !isFormer.test(each) && plainWords(each).includes(` ${own} `))
}

/** What is told of the time before. */
const isFormer = /\b(?:prior to|previously|formerly|bore)\b/i

const plainWords = (words: string): string => words.toLowerCase().replace(/[\s,-]+/g, ' ')

/** `and together with the 2024 Term Loan, the "2024 Credit Facility"`. */
const together = /\b(?:together|collectively)\b[^".;]{0,120}"(?:the\s)?(?<name>[A-Z0-9][^"]{2,50})"/g

/** The other sentences in which the facilities of a sentence are called by one name. */
export const sentencesOfTogether = (flat: string, from: number, end: number): string[] =>
  [...flat.slice(from, end).matchAll(together)].flatMap(({ groups }) =>
    sentencesNaming(flat, called(groups?.['name']), from),
  )

/** The facilities of a sentence, which one word may call. */
const called = (name: string | undefined): string | undefined =>
  name === 'Facilities' ? 'The Facilities' : name

const subject =
  /^\s{0,9}(?:the|our)\s{1,3}(?<name>(?:[A-Z0-9][\w&.'-]{0,24}\s{1,3}){1,6}?)(?:(?:will\s{1,3})?(?:matures?|expires?|terminates?)|(?:is|are)\s{1,3}scheduled)\b/i

/** Whether a sentence says when something falls due that the text gives its name only behind a place. */
export function isOfLaterName(flat: string, end: number, sentence: string): boolean {
  const name = subject.exec(sentence)?.groups?.['name']?.trim()
  return name !== undefined && flat.indexOf(`"${name}"`) > end
}
