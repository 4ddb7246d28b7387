import type { Random } from '../cli/sample/random.ts'
import { elementAt } from '../engine/base/elements.ts'
import type { Section } from '../engine/search/text/section.ts'

/** Words by rank, spelt so that no stemmer or tokenizer conflates them. */
const vocabulary = Array.from({ length: 50_000 }, (_, rank) => {
  let word = 'q'
  for (let n = rank + 1; n > 0; n = Math.floor(n / 8)) word += 'bdkmpvxz'[n % 8]
  return `${word}o`
})

/** A rank with a Zipf distribution: the n-th word is about 1/n as frequent as the first. */
const zipf = (draw: Random): number =>
  Math.min(Math.floor(Math.exp(draw.next() * Math.log(vocabulary.length))) - 1, vocabulary.length - 1)
export const wordsOf = (draw: Random, count: number): string[] =>
  Array.from({ length: count }, () => elementAt(vocabulary, zipf(draw)))

/** Sections of words as frequent as in language. */
export async function* sections(draw: Random, count: number, words: number): AsyncGenerator<Section> {
  for (let i = 0; i < count; i++)
    yield {
      id: String(i),
      ticker: null,
      company_name: null,
      company_id: null,
      coverage: null,
      doc_type: '10-K',
      section_type: 'notes',
      section_title: wordsOf(draw, 4).join(' '),
      filing_date: null,
      known_from: null,
      content: wordsOf(draw, draw.whole(words >> 1, words + (words >> 1))).join(' '),
      shown: { id: String(i) },
    }
}
