/** Computes query vectors in the space of the passages' vectors. */
export interface Embedder {
  /** Stored numbers per vector; the rest, up to the stated dimensions, are zero. */
  readonly wide: number
  /** Null if the text has no known word. */
  query(text: string): Promise<Float32Array | null>
  close(): void
}

/** Its description in the manifest and the index. */
export interface EmbedderFacts {
  /** `lsa`, or `transformers:MODEL`. */
  readonly name: string
  readonly dimensions: number
  /** Dimensions in use; the others are zero and not stored. */
  readonly informative: number
  /** For a sentence-transformer: where it is loaded from, and its fingerprint. */
  readonly source?: string
  readonly fingerprint?: string | null
  readonly weights?: 'q8' | 'int8' | 'fp32'
  /** For the built-in model: its training sample. The same sample gives the same model. */
  readonly learnt?: string
}

export const DIMENSIONS = 768
