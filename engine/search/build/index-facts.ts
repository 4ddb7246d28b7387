import type { EmbedderFacts } from '../embed/embedder.ts'
import type { Names } from '../keyword/section-writer.ts'
import type { GraphFacts, Graphs } from '../vectors/graph.ts'

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
  readonly embedder: EmbedderFacts | null
  /** Null where all vectors are compared. */
  readonly graph: GraphFacts | null
  /** What the graphs are of, so that the next build can take them over. */
  readonly graphs: Graphs['parts'] | null
  readonly names: Names
}
