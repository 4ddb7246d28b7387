import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BuildIndexOptions, buildIndex } from '../../engine/search/build/build-index.ts'
import type { Embedder } from '../../engine/search/embed/embedder.ts'
import { SearchIndex } from '../../engine/search/search-index.ts'
import type { SearchQuestion } from '../../engine/search/search-question.ts'
import type { Section } from '../../engine/search/text/section.ts'

/** Builds an index of sections in a temporary folder, and opens it. */
export async function madeIndex(
  t: { teardown(done: () => Promise<void>): void },
  sections: readonly Section[],
  options: Partial<BuildIndexOptions> = {},
  embedder: Embedder | null = null,
): Promise<SearchIndex> {
  const folder = await mkdtemp(join(tmpdir(), 'tranche-search-'))
  const given = (async function* () {
    yield* sections
  })()
  await buildIndex(folder, given, { content: '', ...options })
  const index = new SearchIndex(folder, embedder)
  t.teardown(async () => {
    index.close()
    await rm(folder, { recursive: true })
  })
  return index
}

/** Asks for all sections by keyword, unless said otherwise. */
export const ask = (index: SearchIndex, text: string, more: Partial<SearchQuestion> = {}) =>
  index.ask({ text, mode: 'keyword', filter: {}, order: 'relevance', limit: null, offset: 0, ...more })

/** Made-up words, as frequent as in language; the same of the same seed. */
export function madeWords(seed: number, count: number, vocabulary = 400): string {
  const words: string[] = []
  let state = (seed * 7919 + 1) >>> 0
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const rank = Math.floor(Math.exp((state / 2 ** 32) * Math.log(vocabulary)))
    words.push(`w${String.fromCharCode(97 + (rank % 26))}${rank}`)
  }
  return words.join(' ')
}
