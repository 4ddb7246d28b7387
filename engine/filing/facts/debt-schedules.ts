import { elementAt } from '../../base/elements.ts'
import { type Column, type Columns, columnOf, columnsIn, partsOf } from './debt-columns.ts'
import { flatten } from './flat-text.ts'
import { columnByProof, namesDebt, type Proof } from './proven-columns.ts'
import { datesIn } from './spelled-dates.ts'
import type { Mark, TableRow, TextTable } from './table-rows.ts'
import { withoutYears } from './year-counts.ts'

/** A line of a table of debt outstanding, in the units of the table. */
export interface ScheduleLine {
  readonly row: TableRow
  /** At the report's day. */
  readonly amount: number
  /** The face amount of that day, where the table states it beside the balance. */
  readonly face: number | null
  /** What may be borrowed in all, where the table states it beside the balance. */
  readonly committed: number | null
  /** Figures of the row before the columns of amounts. */
  readonly before: readonly number[]
  /** What stands above the table and its rows. */
  readonly head: string
  /** The head begins with the line that introduces the table. */
  readonly isWhole: boolean
  /** Others that add up to the same total name what debt they are. */
  readonly isBesideOthers: boolean
}

/** How far above a table its heads may begin, characters. */
export const HEAD = 700
/** Heads of columns that stand right above the first row, characters. */
export const COLUMNS = 320

/** How far below a table a note of its foot may stand, characters. */
const NOTES = 400
const AVERAGE = /^\s{0,9}\(\w\)[\s|]{1,9}(?<words>weighted[- ]average (?:interest )?rates?)\b/im

/**
 * The lines of a table of debt outstanding that add up, with those beside them, to a total of the table at the report's own
 * day. The sum says that each is debt of that day, whatever its name.
 */
export function linesOf(table: TextTable, text: string, day: string): ScheduleLine[] {
  const first = table.rows.find(row => amountsOf(row).length > 0)
  if (first === undefined) return []
  const above = Math.max(table.from, first.from - HEAD)
  const end = table.rows.at(-1)?.to ?? first.to
  // A mark behind a rate whose note says that it is an average.
  const note = AVERAGE.exec(text.slice(end, end + NOTES))?.groups?.['words'] ?? ''
  const head = `${table.above} ${flatten(text.slice(above, first.from))} ${note}`.trim()
  if (
    isOther.test(lastSentence(text.slice(above, first.from))) ||
    isFairValue.test(lastSentence(text.slice(above, first.from))) ||
    !isDebt.test(head + table.rows.map(row => row.label).join(' '))
  )
    return []
  // A schedule of payments by year.
  if (
    table.rows.some(
      ({ label }) => label.length < LONGEST_YEARS && /\bthereafter\b|\bafter 20\d\d/i.test(label),
    ) ||
    table.rows.filter(({ label }) => OF_YEAR.test(label)).length > 1
  )
    return []
  const heads = text.slice(Math.max(above, first.from - COLUMNS), first.from)
  const columns = columnsIn(heads)
  const found = new Map<TableRow, ScheduleLine>()
  const counted = withoutYears(table.rows, heads)
  const all = columns.twoParts === null ? counted : counted.map(row => withWhole(row, columns.twoParts))
  for (const { rows, column, layout, count } of sumsOf(all, { columns, heads, day }))
    for (const row of rows) {
      // Below the heading of another day.
      if (datesIn(row.heading).some(({ date }) => date !== day)) continue
      const amounts = amountsOf(row)
      const part = amountAt(amounts, column.now, count, layout)
      const also = column.also === undefined ? 0 : amountAt(amounts, column.also, count, layout)
      if (part === undefined || also === undefined) continue
      const amount = part + also
      const face = column.face === null ? undefined : amountAt(amounts, column.face, count, layout)
      const committed =
        column.committed == null ? undefined : amountAt(amounts, column.committed, count, layout)
      const width = layout.from === 'right' ? count * layout.stride : amounts.length
      const before = amounts.slice(0, Math.max(0, amounts.length - width))
      const isBesideOthers = rows.some(other => other !== row && isOneKind.test(other.label))
      found.set(row, {
        row,
        amount,
        face: face ?? null,
        committed: committed ?? null,
        before,
        head: `${head} ${row.heads}`.trim(),
        isWhole: above === table.from,
        isBesideOthers,
      })
    }
  for (const row of all) {
    const across = found.has(row) ? null : carriedIn(row, columns, day)
    if (across !== null)
      found.set(row, {
        row,
        ...across,
        committed: null,
        before: [],
        head,
        isWhole: above === table.from,
        isBesideOthers: true,
      })
  }
  return withoutCurrentParts([...found.values()])
}

/** Lines without those below a heading of current portions that are parts of lines of the same name above it. */
function withoutCurrentParts(lines: readonly ScheduleLine[]): ScheduleLine[] {
  const isPart = ({ row: { heading, label }, amount }: ScheduleLine) =>
    /^(?:less:? )?current (?:portion|maturities|installments)\b/i.test(heading) &&
    lines.some(({ row, amount: whole }) => row.label === label && row.heading !== heading && whole >= amount)
  return lines.filter(line => !isPart(line))
}

/** What a row of one day is carried at, where its principal and discounts add up to it: it says of itself what is owed. */
function carriedIn(
  row: TableRow,
  columns: Columns,
  day: string,
): Pick<ScheduleLine, 'amount' | 'face'> | null {
  const amounts = amountsOf(row)
  const places = partsOf(columns, amounts.length, day)
  if (places === null) return null
  const face = amounts[places.face] ?? 0
  const amount = amounts[places.carrying] ?? 0
  const parts = places.parts.map(place => amounts[place] ?? 0)
  const sums = [1, -1].map(sign => parts.reduce((sum, part) => sum + sign * part, face))
  const isSum = sums.some(sum => Math.abs(sum - amount) <= 1) && parts.some(part => part !== 0)
  return face > 0 && amount > 0 && isSum && !IS_WHOLE.test(row.label) ? { amount, face } : null
}

/** A total, or what is left of it. */
const IS_WHOLE =
  /^(?:total|less|net|gross|current|(?:(?:long|short)-term )?(?:debt|borrowings|indebtedness))\b/i

/** A row whose current and long-term part are one amount, with its face amount behind it; of two days one each. */
function withWhole(row: TableRow, parts: Columns['twoParts']): TableRow {
  const amounts = row.marks.filter(({ kind }) => kind === 'amount')
  const [a, b] = amounts.slice(parts?.current ?? 0)
  const face = parts?.face == null ? undefined : amounts[parts.face]
  if (a === undefined || b === undefined) return row
  const whole: Mark = { ...a, value: a.value + b.value }
  const [, , c, d] = amounts
  if (parts?.isTwice === true) {
    if (c === undefined || d === undefined || amounts.length !== 4) return row
    const rest = row.marks.filter(({ kind }) => kind !== 'amount')
    return { ...row, marks: [whole, { ...c, value: c.value + d.value }, ...rest] }
  }
  const first = row.marks.indexOf(amounts[0] ?? a)
  const others = row.marks.filter(({ kind }) => kind !== 'amount')
  const before = row.marks.slice(0, first).filter(({ kind }) => kind !== 'amount')
  return {
    ...row,
    marks: [...before, whole, ...(face === undefined ? [] : [face]), ...others.slice(before.length)],
  }
}

/** The heads of a table, with the last sentence of each paragraph above it; not headings of its rows. */
const lastSentence = (above: string): string =>
  above
    .split('\n')
    .map(line => flatten(line.replace(MATURITIES, '|')).trim())
    .filter(line => !ISSUES_OF.test(line))
    // A column of what is not used stands beside those of what is owed.
    .map(line =>
      /principal balance|amounts? drawn/i.test(line)
        ? line.replace(/\b(?:unused committed|undrawn|maximum) amounts?\b/gi, '')
        : line,
    )
    .map(line => line.split('. ').at(-1) ?? '')
    .join(' ')

/** The head of a column of maturities, beside those of amounts. */
const MATURITIES =
  /\|\s{0,9}(?:contractual|scheduled|final|stated) maturit(?:y|ies)(?: dates?)?\s{0,9}(?=\||$)/gi

/** A heading that names notes after their issue, `2013 - 2020 debt issuances:`. */
const ISSUES_OF = /^(?:\w+ quarter )?20\d\d\b[^.|]{0,60}\bdebt issuances?\b[^.|]{0,40}:$/i

/** Tables about something else than debt outstanding. */
const isOther =
  /\b(?:repurchased|tendered|exchanged|redeemed|retired|interest (?:expense|paid)|maximum amount|average daily|notional|proceeds from|principal payments|(?:future|scheduled|aggregate|contractual) (?:annual )?maturities|was issued|were issued|issued (?:in|during)|amount issued|average life|debt issuances|assumed debt|annual repayment|short-term debt and current portion|post-swap|debt in default|due to the defaults?|undrawn|unused)\b/i
/** A table of fair values alone. */
const isFairValue =
  /^(?!.*\b(?:carrying|book|principal|face|balances?|outstanding)\b).*\bfair values? of (?:our|the company's|its) (?:long-term )?(?:debt|notes|borrowings)\b/i
const isDebt =
  /\b(?:debt|borrowings?|notes|bonds|debentures|indebtedness|loans?|mortgages|commercial paper|FHLB advances)\b/i

/** A longer name is that of debt, whose interest may change thereafter. */
const LONGEST_YEARS = 60

/** A row of payments by year, `Fiscal year 2026`. */
const OF_YEAR =
  /^(?:fiscal(?: years?)?|calendar years?|years?(?: ending| ended)?),? (?:[a-z]{3,9} \d{1,2}, )?20\d\d$/i

/** A row that names debt of one kind. */
const isOneKind =
  /\d ?%|\b(?:due 20\d\d|notes|bonds|debentures|unsecured|secured|asset-backed|securit(?:ies|ization)|term loans?|credit facility|lines? of credit|revolver)\b/i

/** The figures of a row that may be amounts. */
export const amountsOf = (row: TableRow): number[] =>
  row.marks.filter(({ kind }) => kind === 'amount').map(({ value }) => value)

interface Verified {
  readonly rows: readonly TableRow[]
  readonly total: TableRow
  readonly column: Column
  readonly layout: Layout
  /** How many amounts a total has. */
  readonly count: number
}

/** How the amounts of rows stand below those of a total: from the right or the left, alone or with a rate after each. */
interface Layout {
  readonly from: 'right' | 'left'
  readonly stride: 1 | 2
}

const LAYOUTS: readonly Layout[] = [
  { from: 'right', stride: 1 },
  { from: 'right', stride: 2 },
  { from: 'left', stride: 1 },
  { from: 'left', stride: 2 },
]

/** The amount of a row in a column of the total. */
const amountAt = (
  amounts: readonly number[],
  place: number,
  count: number,
  { from, stride }: Layout,
): number | undefined => (from === 'right' ? amounts.at((place - count) * stride) : amounts[place * stride])

/** Rows that may be a total of those above them: none that has a rate or a maturity and no words. */
const mayBeTotal = ({ label, marks }: TableRow): boolean =>
  (!/\d ?%|\d percent\b|\bdue\b(?! (?:within|after|between)\b)/i.test(label) ||
    /^total\b.{0,40} due$/i.test(label)) &&
  ((label === '' && marks.every(({ kind }) => kind === 'amount')) ||
    /\bprincipal(?: amount)?$|\b(?:total|(?:subtotal|gross|debt|borrowings|notes|loans|payable|obligations)\b)/i.test(
      label,
    ))

/** Most rows that one total covers. */
const MOST_ROWS = 150

interface Addend {
  readonly amounts: readonly number[]
  /** The row that it is; null of a total. */
  readonly row: TableRow | null
}

/** Runs of rows that add up to the row below them, in the column that heads tell, else in the one that the sums do. */
function sumsOf(
  rows: readonly TableRow[],
  { columns, heads, day }: { columns: Columns; heads: string; day: string },
): Verified[] {
  const told = (count: number) => columnOf(columns, count, day)
  const found = verified(rows, told)
  if (found.some(sum => sum.rows.some(namesDebt))) return found
  const counts = new Set(rows.filter(mayBeTotal).map(row => amountsOf(row).length))
  for (const count of counts) {
    if (count === 0 || told(count) !== null) continue
    const sums = (column: Column) => verified(rows, amounts => (amounts === count ? column : null))
    const proofOf = (place: number): Proof | null => {
      const proven = sums({ now: place, face: null })
      const last = proven.at(-1)
      return last === undefined
        ? null
        : {
            rows: proven.flatMap(sum => sum.rows),
            totals: proven.map(sum => sum.total),
            amount: amountsOf(last.total)[place] ?? 0,
          }
    }
    const column = columnByProof({ above: heads, rows, count, day, proofOf })
    if (column !== null) return [...found, ...sums(column)]
  }
  return found
}

/** Runs of rows that add up to the row below them, in the column of the report's day, which the number of amounts tells. */
function verified(rows: readonly TableRow[], columnFor: (count: number) => Column | null): Verified[] {
  const found: Verified[] = []
  let pending: Addend[] = []
  for (const row of rows) {
    const amounts = amountsOf(row)
    if (amounts.length === 0 || isNote(row)) continue
    const column = mayBeTotal(row) ? columnFor(amounts.length) : null
    let sum = sumAbove(pending, row, column)
    if (sum === null && column !== null) {
      const deducted = withDeductions(pending)
      sum = deducted === null ? null : sumAbove(deducted, row, column)
      if (sum !== null && deducted !== null) pending = deducted
    }
    if (sum === null && column !== null) {
      pending = withPlaces(pending, amounts) ?? pending
      sum = sumAbove(pending, row, column)
    }
    if (sum !== null) {
      const covered = pending.slice(pending.length - sum.rows)
      found.push({
        ...sum,
        total: row,
        rows: covered.flatMap(addend => addend.row ?? []),
        count: amounts.length,
      })
      pending = [...pending.slice(0, pending.length - sum.rows), { amounts, row: null }]
    } else if (isNet(pending, row)) pending = pending.slice(0, -1)
    else pending = [...pending.slice(-MOST_ROWS), { amounts, row }]
  }
  return found
}

const isDeduction = /^less\b.*\b(?:costs?|fees|discounts?|unamortized)\b/i

/** Rows above a total with costs that begin with `Less` as deductions, whose amounts have no brackets; null if there are none. */
function withDeductions(pending: readonly Addend[]): Addend[] | null {
  const isDeducted = ({ row, amounts }: Addend) =>
    row !== null && isDeduction.test(row.label) && amounts.every(amount => amount >= 0)
  if (!pending.slice(-MOST_DEDUCTED).some(isDeducted)) return null
  return pending.map(each =>
    isDeducted(each) && each.row !== null
      ? { amounts: each.amounts.map(amount => -amount), row: negative(each.row) }
      : each,
  )
}

/** How far above a total what it deducts may stand, rows. */
const MOST_DEDUCTED = 4
const negative = (row: TableRow): TableRow => ({
  ...row,
  marks: row.marks.map(mark => (mark.kind === 'amount' ? { ...mark, value: -mark.value } : mark)),
})

/** Amounts without words below a total and what is current of it, which are what is left. */
function isNet(pending: readonly Addend[], { label, marks }: TableRow): boolean {
  const [whole, less] = pending.slice(-2)
  if (label !== '' || whole?.row !== null || less?.row == null || !/^less\b/i.test(less.row.label))
    return false
  const amounts = marks.filter(({ kind }) => kind === 'amount').map(({ value }) => value)
  return (
    amounts.length === whole.amounts.length &&
    amounts.every((amount, i) => Math.abs((whole.amounts[i] ?? 0) - (less.amounts[i] ?? 0) - amount) < EXACT)
  )
}

/** Most rows of one amount whose column is sought. */
const MOST_SINGLE = 8

/**
 * Rows above a total of two columns, where those with one amount have it in the column in which all of them add up to both
 * amounts of the total; null where no column, or more than one, does.
 */
function withPlaces(pending: readonly Addend[], total: readonly number[]): Addend[] | null {
  if (total.length !== 2) return null
  const sums = [0, 0]
  const singles: number[] = []
  let whole = 0
  for (let at = pending.length - 1; at >= 0; at--) {
    const { amounts, row } = elementAt(pending, at)
    if (amounts.length === 2) {
      sums.forEach((sum, i) => {
        sums[i] = sum + (amounts[i] ?? 0)
      })
      whole++
    } else if (amounts.length !== 1 || row === null || singles.push(at) > MOST_SINGLE) return null
    if (whole < 2 || singles.length === 0) continue
    const rest = total.map((amount, i) => amount - (sums[i] ?? 0))
    const values = singles.map(each => elementAt(pending, each).amounts[0] ?? 0)
    const choices = Array.from({ length: 2 ** values.length }, (_, choice) => choice).filter(choice =>
      rest.every(
        (amount, column) =>
          Math.abs(
            values.reduce((sum, value, i) => (((choice >> i) & 1) === column ? sum + value : sum), 0) -
              amount,
          ) < EXACT,
      ),
    )
    const [choice, ...others] = choices
    if (choice === undefined) continue
    if (others.length > 0) return null
    return pending.map((addend, i) => {
      const single = singles.indexOf(i)
      return single < 0 ? addend : inColumn(addend, (choice >> single) & 1)
    })
  }
  return null
}

const EXACT = 1e-6

/** A row of one amount as one of two, of which the other is nothing. */
function inColumn({ amounts, row }: Addend, column: number): Addend {
  const nothing: Mark = { kind: 'amount', value: 0, text: '' }
  const marks = row?.marks.flatMap(mark =>
    mark.kind !== 'amount' ? [mark] : column === 0 ? [mark, nothing] : [nothing, mark],
  )
  return {
    amounts: column === 0 ? [...amounts, 0] : [0, ...amounts],
    row: row === null ? null : { ...row, marks: marks ?? [] },
  }
}

/** The number of a footnote, `(1)`, alone in its line. */
function isNote(row: TableRow): boolean {
  const [amount, ...others] = amountsOf(row)
  return others.length === 0 && amount !== undefined && amount < 0 && amount > -20 && Number.isInteger(amount)
}

/** A run of rows that may add up by chance. */
const SHORT = 4

/** How many rows right above a total add up to it, and how they stand below each other; null if none do. */
function sumAbove(
  pending: readonly Addend[],
  row: TableRow,
  column: Column | null,
): { rows: number; column: Column; layout: Layout } | null {
  const total = amountsOf(row)
  const target = column === null ? undefined : total[column.now]
  if (column === null || target === undefined || target <= 0) return null
  for (const layout of LAYOUTS) {
    const least = /^total/i.test(row.label) || isSubtotalOf(pending.at(-1), total, row) ? 1 : 2
    const rows = rowsOfSum(pending, total, { column, layout, least })
    if (rows !== null) return { rows, column, layout }
  }
  return null
}

/** A line without words that repeats all amounts of the one line above it, below a heading of their own. */
const isSubtotalOf = (above: Addend | undefined, total: readonly number[], { label }: TableRow): boolean =>
  label === '' &&
  total.length > 1 &&
  above !== undefined &&
  above.row !== null &&
  above.amounts.length === total.length &&
  above.amounts.every((amount, i) => amount === total[i])

function rowsOfSum(
  pending: readonly Addend[],
  total: readonly number[],
  { column, layout, least }: { column: Column; layout: Layout; least: number },
): number | null {
  const target = total[column.now] ?? 0
  const sums = total.map(() => 0)
  let digits = 0
  const columnValue = ({ amounts, row }: Addend, place: number) =>
    row === null ? amounts.at(place - total.length) : amountAt(amounts, place, total.length, layout)
  for (let count = 1; count <= pending.length; count++) {
    const addend = elementAt(pending, pending.length - count)
    const amount = columnValue(addend, column.now)
    if (amount === undefined) return null
    for (let i = 0; i < total.length; i++) sums[i] = (sums[i] ?? 0) + (columnValue(addend, i) ?? 0)
    digits = Math.max(digits, digitsOf(amount))
    if (count < least) continue
    const unit = 10 ** -digits
    const slack = Math.min(unit * (1 + count / 4), Math.max(target / 100, unit))
    const isSum = (i: number) => Math.abs((sums[i] ?? 0) - (total[i] ?? 0)) <= slack
    // A short run may add up by chance in one column.
    if (!isSum(column.now) || (count <= SHORT && !total.every((_, i) => isSum(i)))) continue
    let all = count
    // With those of nothing owed above the first that counts.
    while (all < pending.length) {
      const above = elementAt(pending, pending.length - all - 1)
      if (above.row === null || columnValue(above, column.now) !== 0) break
      all++
    }
    return all
  }
  return null
}

/** Digits after the point. */
const digitsOf = (amount: number): number => String(Math.abs(amount)).split('.')[1]?.length ?? 0
