/** Matching sections, ascending, with scores. */
export interface Matches {
  readonly sections: Uint32Array
  readonly scores: Float32Array
}
