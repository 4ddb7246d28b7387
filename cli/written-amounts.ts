import type { Column } from '../engine/schema/column.ts'
import { writtenNumber } from '../engine/schema/written-number.ts'

/**
 * A number as a desk writes it, in the unit of its column: `$500mm` and `1.25bn` in cents, `8%`, `150bp`, `4.2x`.
 * Anything else, and what has two readings, comes back as it is, for the parser to judge.
 */
export function plainNumber(column: Column, written: string): string {
  const number = writtenNumber(column, written)
  return number?.isCertain ? number.value : written
}
