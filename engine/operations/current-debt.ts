import { conceptsUnder, dueOf, notesAndLoans, shortTerm } from '../derive/statements/borrowings.ts'
import type { CompanyFigures } from './company-figures.ts'

/** Current debt of the balance sheet that total debt was read off, in minor units. */
export interface CurrentDebt {
  readonly all: number
  /** What of it was short-term from the start, such as commercial paper, and stands in lines of its own. */
  readonly shortTerm: number
}

interface DebtLine {
  readonly concept: string
  readonly value: number
  readonly times?: number
}

const ofShortTerm = new Set(conceptsUnder(shortTerm))
const ofNotesAndLoans = new Set(notesAndLoans.names)

/** Null if a line is neither current nor noncurrent. */
export function currentDebtOf({ total_debt, debt_lines }: CompanyFigures): CurrentDebt | null {
  if (total_debt === null || debt_lines === null) return null
  const stated = (JSON.parse(debt_lines) as Partial<DebtLine>[]).flatMap(({ concept, value, times = 1 }) =>
    concept === undefined || value === undefined ? [] : [{ concept, amount: value * times }],
  )
  const isBesideBoth = (['current', 'noncurrent'] as const).every(due =>
    stated.some(({ concept }) => dueOf(concept) === due),
  )
  const lines = stated.map(({ concept, amount }) => {
    // Notes and loans beside both parts of long-term debt are neither part of it.
    const isShortTerm = ofShortTerm.has(concept) || (ofNotesAndLoans.has(concept) && isBesideBoth)
    return { amount, isShortTerm, due: isShortTerm ? 'current' : dueOf(concept) }
  })
  const sum = totalOf(lines)
  if (lines.length === 0 || sum <= 0 || lines.some(({ due }) => due === null)) return null
  // Lines are in units, total debt in minor units of the currency.
  const inMinorUnits = (amount: number) => Math.round((amount / sum) * total_debt)
  return {
    all: inMinorUnits(totalOf(lines.filter(({ due }) => due === 'current'))),
    shortTerm: inMinorUnits(totalOf(lines.filter(({ isShortTerm }) => isShortTerm))),
  }
}

const totalOf = (lines: readonly { readonly amount: number }[]): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0)
