import { firstOf } from '../../base/elements.ts'
import type { InvertedIndex } from '../keyword/inverted-index.ts'
import type { Embedder, EmbedderFacts } from './embedder.ts'
import { LsaEmbedder } from './lsa.ts'
import { sameModel } from './sentence-model.ts'

/** The embedder that made an index's vectors. */
export async function openEmbedder(
  folder: string,
  index: InvertedIndex,
  facts: EmbedderFacts,
): Promise<Embedder> {
  if (facts.source !== undefined) {
    const { source, fingerprint = null, weights = 'fp32' } = facts
    const model = await sameModel({ ...facts, source, fingerprint, weights })
    return {
      wide: model.wide,
      query: async text => firstOf(await model.embed([text])),
      close: () => {},
    }
  }
  return new LsaEmbedder(folder, index, facts)
}
