import type { Manifest } from '../lake/snapshot.ts'
import type { EmbedderFacts } from './embed/embedder.ts'
import type { FusionWeights } from './fusion-weights.ts'
import type { Names } from './keyword/section-writer.ts'
import type { GraphFacts, Graphs } from './vectors/graph.ts'
import type { VectorIndexFacts } from './vectors/vector-index.ts'

/** `index.json`: what the index was made of, and how. */
export interface IndexFacts {
  readonly version: number
  /** Of the documents, so that an index of the same ones can be taken over. */
  readonly content: string
  readonly sections: number
  readonly passages: number
  readonly terms: number
  readonly averageWords: number
  readonly undated: number
  /** Sections that are near-copies of others by the same filer. */
  readonly copies: number
  /** What each ranking counts in hybrid mode, and what it showed on questions made of the sections themselves. */
  readonly weights: FusionWeights
  readonly embedder: EmbedderFacts | null
  /** How vectors are searched, and why; missing in an index of an older build. */
  readonly vectorIndex?: VectorIndexFacts
  /** Null where all vectors are compared. */
  readonly graph: GraphFacts | null
  /** What the graphs are of, so that the next build can take them over. */
  readonly graphs: Graphs['parts'] | null
  readonly names: Names
}

/** Raised when an index of an older version can no longer be read, or would rank otherwise. */
export const INDEX_VERSION = 5

/** The files of a snapshot that are its search index. */
export const searchFiles = ({ files }: Manifest) => files.filter(({ file }) => file.startsWith('search/'))
