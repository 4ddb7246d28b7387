import { Failed, type Refused } from './readers/reader.ts'
import { type Run, refusalOf } from './run.ts'

/** A refusal of a whole file, with the kind it was read as. */
export class WholeRefusal extends Error {
  readonly kinds: readonly string[]
  readonly failure: string | null
  constructor(refusal: Refused, kinds: readonly string[], cause?: unknown) {
    super(refusal.message, { cause })
    this.kinds = kinds
    this.failure = refusal instanceof Failed ? refusal.trace : null
  }
}

export const wholeRefusal = (error: unknown, kinds: readonly string[], intake: Run): unknown => {
  if (error instanceof WholeRefusal) return error
  const refusal = refusalOf(error, intake)
  return refusal ? new WholeRefusal(refusal, kinds, error) : error
}
