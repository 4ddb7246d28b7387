/** Sections that match, ascending, and how well. */
export interface Matches {
  readonly sections: Uint32Array
  readonly scores: Float32Array
}
