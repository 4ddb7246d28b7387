import type { Clause } from './clauses.ts'

/** A section as shared by all rules of a reading. */
export interface Reading {
  readonly flat: string
  readonly clauses: readonly Clause[]
  /** Date of the document, to choose the current step of a schedule. */
  readonly day: string | null
  /** Whether it is the agreement itself rather than a report about it. */
  readonly isContract: boolean
  /** Whether it states its amounts in thousands throughout. */
  readonly isInThousands?: boolean
}

/** Where in a section a rule reads: a sentence, and its clause. */
export interface Place {
  readonly clause: Clause | null
  /** Where the sentence begins, within its clause. */
  readonly start: number
  readonly end: number
}
