import type { Embedder, EmbedderFacts } from './embedder.ts'
import type { InvertedIndex } from './inverted-index.ts'
import { LsaEmbedder } from './lsa.ts'

/** The embedder that made the vectors of an index. */
export async function openEmbedder(
  folder: string,
  index: InvertedIndex,
  facts: EmbedderFacts,
): Promise<Embedder> {
  return new LsaEmbedder(folder, index, facts)
}
