/** Makes vectors of queries as those of the passages were made. */
export interface Embedder {
  /** Numbers that a vector holds; all beyond them, up to the dimensions stated, are zero. */
  readonly wide: number
  /** Null where nothing in the text is known. */
  query(text: string): Promise<Float32Array | null>
  close(): void
}

/** What the manifest and the index say of it. */
export interface EmbedderFacts {
  /** `lsa`, or `transformers:MODEL`. */
  readonly name: string
  readonly dimensions: number
  /** Dimensions that carry something; the others are zero and not stored. */
  readonly informative: number
  /** Of a sentence-transformer: where it is loaded from, and what it is told by. */
  readonly source?: string
  readonly fingerprint?: string | null
  readonly weights?: 'q8' | 'int8' | 'fp32'
  /** Of the built-in model: what it learnt from. The same sample gives the same model. */
  readonly learnt?: string
}

export const DIMENSIONS = 768
