import type { Input } from './inputs.ts'

/** One figure's entry in `_explain`. */
export interface Explained {
  readonly formula?: string | null
  readonly unit?: string | null
  readonly inputs?: readonly ProofInput[]
  readonly flags?: readonly string[]
  readonly null_because?: string | null
}

export interface ProofInput extends Input {
  readonly period_start?: string | null
  readonly period_end?: string | null
  readonly form?: string | null
  readonly filed?: string | null
  /** 1, or −1 if it is taken away. */
  readonly times?: number | null
}

export interface ProofLine {
  readonly id: string
  readonly depth: number
  readonly input: ProofInput
  /** How an input that is itself a figure is formed. */
  readonly formula: string | null
}

/** The inputs of a figure, and below each that is a figure of the same row, its own. */
export function proofLines(
  figure: string,
  all: Readonly<Record<string, Explained>>,
  above: readonly string[] = [],
): ProofLine[] {
  const path = [...above, figure]
  return (all[figure]?.inputs ?? []).flatMap((input, at) => {
    // A line of a filing may have the name of the figure that it becomes.
    const isFigure = !input.accession && !input.concept && !input.source && input.item
    const own = isFigure && !path.includes(isFigure) ? all[isFigure] : undefined
    const line = { id: `${path.join('.')}.${at}`, depth: above.length, input, formula: own?.formula ?? null }
    return own && isFigure ? [line, ...proofLines(isFigure, all, path)] : [line]
  })
}
