import { boilerplate, prosePercent } from './boilerplate.ts'
import { cutText } from './passages.ts'
import { termOf, termsOf } from './words.ts'

/** What depends only on a section's own words. */
export interface CutSection {
  /** Terms in order, by their number in `vocabulary`. */
  readonly heading: Uint32Array
  readonly text: Uint32Array
  readonly passages: CutPassages
}

export interface CutPassages {
  /** Bytes from the start of the section's text. */
  readonly start: Uint32Array
  readonly bytes: Uint32Array
  /** First word and the one after the last, counted from the start of the text. */
  readonly word: Uint32Array
  readonly end: Uint32Array
  /** Percent of the passage that is not boilerplate. */
  readonly prose: Uint32Array
}

export interface CutSections {
  readonly vocabulary: readonly string[]
  readonly sections: readonly CutSection[]
}

export interface SectionText {
  readonly heading: string
  /** Well-formed. */
  readonly text: string
}

const HEADING_TERMS = 1000

export interface CutTask {
  readonly sections: readonly SectionText[]
  /** The length of passages, if not the default. */
  readonly passageWords?: number | undefined
}

/** Cuts sections into terms and passages. */
export function cutSections({ sections, passageWords }: CutTask): CutSections {
  const numbers = new Map<string, number>()
  const numberOf = (term: string): number => {
    let number = numbers.get(term)
    if (number === undefined) {
      number = numbers.size
      numbers.set(term, number)
    }
    return number
  }
  const cut = sections.map(({ heading, text }): CutSection => {
    const { words, passages } = cutText(text, passageWords)
    const spans = boilerplate(text)
    // Passages overlap: their edges are converted to bytes once, in order.
    const edges = [...new Set(passages.flatMap(p => [p.start, p.end]))].sort((a, b) => a - b)
    const bytesAt = new Map<number, number>()
    let bytes = 0
    for (const [i, edge] of edges.entries()) {
      bytes += Buffer.byteLength(text.slice(i === 0 ? 0 : edges[i - 1], edge))
      bytesAt.set(edge, bytes)
    }
    return {
      heading: Uint32Array.from(termsOf(heading).slice(0, HEADING_TERMS), numberOf),
      text: Uint32Array.from(words, word => numberOf(termOf(word))),
      passages: {
        start: Uint32Array.from(passages, p => bytesAt.get(p.start)!),
        bytes: Uint32Array.from(passages, p => bytesAt.get(p.end)! - bytesAt.get(p.start)!),
        word: Uint32Array.from(passages, p => p.from),
        end: Uint32Array.from(passages, p => p.to),
        prose: Uint32Array.from(passages, p => prosePercent(spans, p.start, p.end)),
      },
    }
  })
  return { vocabulary: [...numbers.keys()], sections: cut }
}
