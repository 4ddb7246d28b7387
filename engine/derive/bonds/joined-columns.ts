import { elementAt } from '../../base/elements.ts'

/** Parts of a numeric result as one array per column. */
export function joinedColumns(parts: readonly (readonly Float64Array[])[], columns: number): Float64Array[] {
  const rows = parts.reduce((sum, part) => sum + elementAt(part, 0).length, 0)
  return Array.from({ length: columns }, (_, j) => {
    const whole = new Float64Array(rows)
    let at = 0
    for (const part of parts) {
      whole.set(elementAt(part, j), at)
      at += elementAt(part, j).length
    }
    return whole
  })
}
