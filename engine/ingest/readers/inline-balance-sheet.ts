import { elementAt } from '../../base/elements.ts'
import { SHEET_TOTALS } from '../../schema/datasets/calculations.ts'
import { ASSETS, type DatedLine, firstLinks } from './balance-sheets.ts'
import type { Output } from './reader.ts'

/** A figure of the whole company, in the order of the page. */
export interface ShownFigure {
  readonly concept: string
  readonly unit: string
  /** Null for a balance. */
  readonly start: string | null
  readonly end: string
  readonly value: number
}

/** A balance sheet has fewer figures after total assets. */
const MOST_FIGURES = 400
/** Of the pages that show one, the first sheets are tried. */
const MOST_SHEETS = 10

/**
 * The calculation links of a page's balance sheet: the balances that it shows between total assets and the total of liabilities and
 * equity, if they add up.
 */
export const inlineSheetLinks = (document: string, figures: readonly ShownFigure[]): Output[] =>
  firstLinks(document, sheetsIn(figures))

function* sheetsIn(figures: readonly ShownFigure[]): Iterable<readonly DatedLine[]> {
  let first = -1
  let last = -1
  let sheets = 0
  for (const [i, { concept }] of figures.entries()) {
    if (ASSETS.test(concept)) first = i
    if (first < 0 || !SHEET_TOTALS.includes(concept)) continue
    // Both days of the last line belong to it.
    last = i
    while (figures[last + 1]?.concept === concept) last++
    if (last - first < MOST_FIGURES && sheets++ < MOST_SHEETS) yield linesOf(figures, first, last)
    first = -1
  }
}

/** Balances in the order in which their concepts are first shown. */
function linesOf(figures: readonly ShownFigure[], first: number, last: number): DatedLine[] {
  const lines = new Map<string, Map<string, number>>()
  for (let i = first; i <= last; i++) {
    const { concept, unit, start, end, value } = elementAt(figures, i)
    if (start !== null || !/^[A-Z]{3}$/.test(unit)) continue
    const values = lines.get(concept) ?? new Map<string, number>()
    lines.set(concept, values)
    if (!values.has(end)) values.set(end, value)
  }
  return [...lines].map(([concept, values]) => ({ concept, values }))
}
