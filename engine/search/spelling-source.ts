import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { elementAt } from '../base/elements.ts'
import type { Corpus } from './keyword/corpus.ts'
import { type InvertedIndex, PositionBuffer } from './keyword/inverted-index.ts'
import { BODY } from './keyword/inverted-writer.ts'
import { HEADING_WORDS, type PassageColumns, type SectionColumns } from './keyword/section-writer.ts'
import type { SectionTexts } from './section-texts.ts'
import type { SpellingSource } from './spelling.ts'
import { HeadingWords } from './text/heading-words.ts'
import { headingOf } from './text/section.ts'
import { eachWord } from './text/words.ts'

/** The parts of an index that spelling reads. */
interface Parts {
  readonly folder: string
  readonly inverted: InvertedIndex
  readonly sections: Pick<SectionColumns, 'passagesFrom'>
  readonly passages: Pick<PassageColumns, 'end' | 'word'>
  readonly texts: SectionTexts
}

/** A term in fewer sections is no correction, nor one in fewer than one of this many. */
const FEWEST = 3
const ONE_OF = 2000

/** What spelling needs of an index: of all sections, or of those known by a day. */
export function spellingSource(parts: Parts, corpus: Corpus): SpellingSource {
  const { folder, inverted, texts } = parts
  const least = Math.max(FEWEST, Math.ceil(corpus.sections / ONE_OF))
  const found = (place: number) => corpus.found(place)
  return {
    words: corpus.known
      ? headingWords(texts, corpus)
      : (JSON.parse(readFileSync(join(folder, HEADING_WORDS), 'utf8')) as string[]),
    *terms(most) {
      for (const place of corpus.frequent(least, most)) {
        const term = inverted.text(place)
        if (/^[a-z]{4,}$/.test(term)) yield { term, found: found(place) }
      }
    },
    *texts() {
      for (const section of corpus.newest()) yield texts.content(section)
    },
    found: term => {
      const place = inverted.find(term)
      return place < 0 ? 0 : found(place)
    },
    surface: term => surface(parts, corpus, term),
  }
}

/** The words of the titles and issuers of known sections. */
function headingWords(texts: SectionTexts, corpus: Corpus): string[] {
  const words = new HeadingWords()
  for (const section of corpus.newest()) {
    const { company_name = null, section_title = null } = texts.record(section)
    words.add(
      headingOf({
        company_name: company_name as string | null,
        section_title: section_title as string | null,
      }),
    )
  }
  return words.frequent()
}

/** A term as the newest section with it in its text writes it. */
function surface({ inverted, sections, passages, texts }: Parts, { known }: Corpus, term: string): string {
  const postings = inverted.postings(inverted.find(term))
  const at = postings.inText.findIndex(
    (times, i) => times > 0 && (!known || known[elementAt(postings.sections, i)] === 1),
  )
  if (at < 0) return term
  const section = elementAt(postings.sections, at)
  const positions = new PositionBuffer()
  inverted.positions(postings, at, positions)
  const position = positions.values.subarray(0, positions.length).find(p => p >= BODY)! - BODY
  let passage = elementAt(sections.passagesFrom, section)
  while (elementAt(passages.end, passage) <= position) passage++
  let left = position - elementAt(passages.word, passage)
  let written = term
  eachWord(texts.passage(section, passage).toString(), word => {
    if (left-- === 0) written = word.toLowerCase()
  })
  return written
}
