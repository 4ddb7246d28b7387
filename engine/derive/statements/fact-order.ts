import { ALWAYS, type FactRow } from './filings.ts'

// Batches may hold the same facts in any order; the result must not depend on it.
export const inOrder = (facts: FactRow[]): FactRow[] =>
  facts.sort(
    (a, b) =>
      (a.known ?? ALWAYS) - (b.known ?? ALWAYS) ||
      compare(a.accession ?? '', b.accession ?? '') ||
      compare(a.concept, b.concept) ||
      a.end - b.end ||
      (a.start ?? ALWAYS) - (b.start ?? ALWAYS) ||
      a.value - b.value ||
      compare(a.form ?? '', b.form ?? '') ||
      compare(a.source ?? '', b.source ?? '') ||
      compare(a.dimensions ?? '', b.dimensions ?? '') ||
      compare(JSON.stringify(a), JSON.stringify(b)),
  )

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
