/** One answered request. */
export interface AnsweredRequest {
  /** The operation's name, the path of a page, or `unknown`. */
  readonly endpoint: string
  readonly method: string
  readonly status: number
  readonly milliseconds: number
}
