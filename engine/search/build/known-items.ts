import { elementAt } from '../../base/elements.ts'
import type { Embedder } from '../embed/embedder.ts'
import { equalWeights, type FusionWeights, fusionWeights } from '../fusion-weights.ts'
import { bestScores } from '../keyword/best-scores.ts'
import type { Matches } from '../keyword/matches.ts'
import { SearchIndex } from '../search-index.ts'
import { headingOf, type Section } from '../text/section.ts'

/** Minimum number of sections to judge a ranking. */
const FEWEST_SECTIONS = 50
/** Sections to make queries from: up to two each. */
const ASKED = 100
/** Ranks to consider. */
const DEEPEST = 100
const SENTENCE = { least: 40, most: 240 }

interface KnownItem {
  readonly section: number
  readonly text: string
}

/**
 * Evaluates both rankings on known-item queries: a section's unique title, and a sentence from the middle of its
 * text. A ranking that does not find them is no help in fusion.
 */
export async function measureRankings(folder: string, embedder: Embedder | null): Promise<FusionWeights> {
  const index = new SearchIndex(folder, embedder)
  try {
    const { sections } = index.facts
    if (sections < FEWEST_SECTIONS || index.facts.embedder === null) return equalWeights
    const items = knownItems(index, sections)
    if (items.length === 0) return equalWeights
    const shown = { questions: items.length, keyword: 0, semantic: 0 }
    for (const { section, text } of items) {
      const sides = await index.sides(text, { pull: 0 })
      for (const side of ['keyword', 'semantic'] as const)
        shown[side] += reciprocalRank(index, sides[side], section) / items.length
    }
    const rounded = (rank: number) => Math.round(rank * 1e4) / 1e4
    const { keyword, semantic } = shown
    return fusionWeights(sections, { ...shown, keyword: rounded(keyword), semantic: rounded(semantic) })
  } finally {
    index.close()
  }
}

function reciprocalRank(index: SearchIndex, matches: Matches, section: number): number {
  const wanted = index.originalOf(section)
  const ranked = bestScores(matches, DEEPEST).map(place => elementAt(matches.sections, place))
  const at = ranked.findIndex(found => index.originalOf(found) === wanted)
  return at < 0 ? 0 : 1 / (at + 1)
}

/** Queries about sections spread evenly over all. */
function knownItems(index: SearchIndex, sections: number): KnownItem[] {
  const titles = new Map<string, number>()
  const titleOf = (section: number) => headingOf(index.record(section) as unknown as Section).trim()
  for (let section = 0; section < sections; section++) {
    const title = titleOf(section)
    titles.set(title, (titles.get(title) ?? 0) + 1)
  }
  const items: KnownItem[] = []
  const asked = Math.min(ASKED, sections)
  for (let i = 0; i < asked; i++) {
    const section = Math.floor(((i + 0.5) * sections) / asked)
    const title = titleOf(section)
    if (title.length >= 10 && titles.get(title) === 1) items.push({ section, text: title })
    const sentence = sentenceOf(index.content(section))
    if (sentence) items.push({ section, text: sentence })
  }
  return items
}

/** A sentence starting in the middle of a text. */
function sentenceOf(text: string): string | null {
  const from = text.length >> 1
  const part = text.slice(from, from + 4000).replaceAll(/\s/g, ' ')
  const sentences = part.split('. ').slice(1, -1)
  const found = sentences.find(({ length }) => length >= SENTENCE.least && length <= SENTENCE.most)
  if (found) return found
  const words = part.trim().slice(0, SENTENCE.most)
  return words.length >= SENTENCE.least ? words : null
}
