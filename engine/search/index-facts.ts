import type { Manifest } from '../lake/snapshot.ts'
import type { EmbedderFacts } from './embed/embedder.ts'
import type { FusionWeights } from './fusion-weights.ts'
import type { Names } from './keyword/section-writer.ts'
import type { GraphFacts, Graphs } from './vectors/graph.ts'
import type { VectorIndexFacts } from './vectors/vector-index.ts'

/** `index.json`: the inputs of the index, and how it was made. */
export interface IndexFacts {
  readonly version: number
  /** Fingerprint of the documents: an index of the same ones can be reused. */
  readonly content: string
  readonly sections: number
  readonly passages: number
  readonly terms: number
  readonly averageWords: number
  readonly undated: number
  /** Sections that are near-copies of others by the same filer. */
  readonly copies: number
  /** Weight of each ranking in hybrid mode, and its result on known-item queries. */
  readonly weights: FusionWeights
  readonly embedder: EmbedderFacts | null
  /** How vectors are searched, and why; missing in an index of an older build. */
  readonly vectorIndex?: VectorIndexFacts
  /** Null where all vectors are compared. */
  readonly graph: GraphFacts | null
  /** Fingerprints of the graphs, for reuse by the next build. */
  readonly graphs: Graphs['parts'] | null
  readonly names: Names
}

/** Raised when older indexes can no longer be read, or would rank differently. */
export const INDEX_VERSION = 7

/** The search index files of a snapshot. */
export const searchFiles = ({ files }: Manifest) => files.filter(({ file }) => file.startsWith('search/'))
