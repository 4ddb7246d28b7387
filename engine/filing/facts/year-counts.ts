import { largest } from '../../base/lists.ts'
import type { TableRow } from './table-rows.ts'

/** A head of a column that counts years, `Weighted average maturity in years`, `Years to maturity`. */
const COUNTS_YEARS =
  /\b(?:maturit(?:y|ies)|term|life)\b[^|\n]{0,40}\byears\b|\byears\b[^|\n]{0,20}\bmaturit(?:y|ies)\b/i
/** Longest until debt falls due, years. */
const LONGEST = 100

/** The rows of a table without their last figures, where a head counts years and these are so few, some with parts of a year. */
export function withoutYears(rows: readonly TableRow[], heads: string): readonly TableRow[] {
  if (!COUNTS_YEARS.test(heads)) return rows
  const amountsOf = ({ marks }: TableRow) => marks.filter(({ kind }) => kind === 'amount')
  const count = largest(
    rows.map(row => amountsOf(row).length),
    0,
  )
  const whole = rows.filter(row => amountsOf(row).length === count)
  const last = whole.flatMap(row => amountsOf(row).at(-1)?.value ?? [])
  const areYears =
    count > 1 &&
    last.every(value => value >= 0 && value < LONGEST) &&
    last.some(value => !Number.isInteger(value))
  if (!areYears) return rows
  return rows.map(row => {
    const years = whole.includes(row) ? amountsOf(row).at(-1) : undefined
    return years === undefined ? row : { ...row, marks: row.marks.filter(mark => mark !== years) }
  })
}
