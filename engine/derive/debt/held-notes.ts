import { largest, smallest } from '../../base/lists.ts'
import type { balanceReasons } from '../../schema/vocabulary.ts'

/** Notes as a text or a table of issues tells them, without a balance. */
export interface ToldNote {
  readonly principal: number | null
  readonly currency: string | null
  readonly coupon_rate: number | null
  readonly rate_type: string | null
  readonly maturity: string | null
  readonly balance_date: string | null
}

/** A row of a company's debt, as far as it tells what it holds. */
export interface DebtRow extends ToldNote {
  readonly name: string
  readonly instrument_type: string | null
  readonly is_group: boolean
  readonly is_counted: boolean
  readonly is_current: boolean
  readonly carrying_amount: number | null
  readonly commitment: number | null
  readonly drawn: number | null
  readonly undrawn: number | null
  part_of: string | null
  balance_null_because: (typeof balanceReasons)[number] | null
}

const NO_NOTES: ReadonlySet<string | null> = new Set([
  'commercial_paper',
  'revolver',
  'term_loan',
  'term_loan_a',
  'term_loan_b',
  'loan',
])

/** Notes are carried below what was issued: of discounts, costs, and what was bought back. */
const LEAST = 0.9

/** The same in dollars, at the lowest that euros and pounds have been worth. */
const LEAST_OF: Readonly<Record<string, number>> = { EUR: 0.75, GBP: 0.95 }

/** Whether a row is debt of which a filing states no balance apart. */
const isWithoutBalance = (row: DebtRow): boolean =>
  row.is_current &&
  !row.is_counted &&
  row.carrying_amount === null &&
  row.commitment === null &&
  row.drawn === null &&
  row.undrawn === null

/** The years and rates that the name of a line gives, lowest and highest. */
function rangeIn(words: string, every: RegExp): readonly [number, number] | null {
  const found = [...words.matchAll(every)].map(match => Number(match[1]))
  return found.length === 0 ? null : [smallest(found), largest(found)]
}

const everyYear = /\b((?:19|20)\d\d)\b/g
const everyRate = /(\d{1,2}(?:\.\d{1,5})?) ?%/g
/** `due after 2030`, `2027 and later`: the range has no end. */
const isOpen = /\b(?:after|later|beyond|thereafter|onwards?)\b/i

/** `due through 2059`: the range has no beginning. */
const isUpTo = /\b(?:through|until|up to)\b[^\d]{0,30}20\d\d\b/i

const isWithin = (value: number, [least, most]: readonly [number, number], slack = 0): boolean =>
  value >= least - slack && value <= most + slack

/** How well a counted line of several notes may hold a note: null if it cannot, else what of its name says so. */
function fit(line: DebtRow, note: ToldNote): number | null {
  if (!line.is_counted || line.carrying_amount === null || NO_NOTES.has(line.instrument_type)) return null
  if (!line.is_group && (line.coupon_rate !== null || line.rate_type === 'floating')) return null
  // Notes sold since are not in it yet.
  if (note.balance_date !== null && line.balance_date !== null && note.balance_date > line.balance_date)
    return null
  const isOfCurrency = line.currency === note.currency
  const least = isOfCurrency ? LEAST : LEAST_OF[note.currency ?? '']
  if (least !== undefined && note.principal !== null && line.carrying_amount < least * note.principal)
    return null
  const year = Number(note.maturity?.slice(0, 4))
  const years = rangeIn(`${line.name} ${line.maturity ?? ''}`, everyYear)
  const rates = rangeIn(line.name, everyRate)
  let points = 0
  if (years !== null) {
    const [first, last] = years
    const from = first === last && isUpTo.test(line.name) ? 0 : first
    if (!isWithin(year, [from, isOpen.test(line.name) ? 9999 : last])) return null
    points += 2
  }
  if (rates !== null && note.coupon_rate !== null) {
    if (!isWithin(note.coupon_rate, rates, 0.006)) return null
    points += 2
  }
  const floats = /\bfloating|\bvariable/i.test(line.name)
  if (floats !== (note.rate_type === 'floating') && (floats || /\bfixed\b/i.test(line.name))) return null
  if (floats) points += 2
  return points
}

/** The lines of several notes that may hold a note, those that their names fit best. */
export function linesHolding<T extends DebtRow>(rows: readonly T[], note: ToldNote): T[] {
  const fits = rows.flatMap(row => {
    const points = fit(row, note)
    return points === null ? [] : [{ row, points }]
  })
  const best = largest(fits.map(({ points }) => points))
  return fits.filter(({ points }) => points === best).map(({ row }) => row)
}

/** Rows with the line that holds the balance of notes that have none of their own, where one alone may. */
export function withHolders<T extends DebtRow>(rows: readonly T[]): T[] {
  return rows.map(row => {
    if (!isWithoutBalance(row)) return row
    const [line, ...others] = linesHolding(
      rows.filter(other => other !== row),
      row,
    )
    const part_of = line !== undefined && others.length === 0 ? line.name : null
    return {
      ...row,
      part_of,
      balance_null_because: line === undefined ? ('not_stated' as const) : ('in_a_line_of_several' as const),
    }
  })
}
