import { quoted } from './evidence.ts'
import type { FiledSection } from './filed-section.ts'
import { flatten, oneLine } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { datesIn } from './spelled-dates.ts'
import { type TableRow, tablesIn, withoutMarks } from './table-rows.ts'
import { currencyOf, scaleIn, scaleOf, scaleOfStatements } from './table-scale.ts'

/** How far above its first row the heads of a table may begin, characters. */
const HEAD = 600
/** Most rows between a commitment and what is left of it. */
const BETWEEN = 5

const LINE = '(?:credit\\s(?:facilit(?:y|ies)|lines?|agreements?)|revolv\\w+|lines?\\sof\\scredit)'
/** `Commitments under the Parent Company credit facility`, `Revolving credit facility commitments`. */
const isCommitment = new RegExp(
  `\\bcommitments?\\b(?:\\s\\w+){0,6}\\s${LINE}\\b|\\b${LINE}\\b(?:\\s\\w+){0,3}\\s(?:commitments?|capacity|size)\\b`,
  'i',
)
const isOther = /\buncommitted\b|\bless\b|\bavailab\w+|\bunused\b/i
const isUsed = /^less\b|\bletters?\sof\scredit\b|\bborrowings?\b|\boutstanding\b|\bdrawn\b|\bpaper\b/i
const isLeft = /\b(?:availab\w+|unused|undrawn|remaining)\b/i
const isDrawn = /\b(?:borrowings?|loans?|drawn|draws|outstanding)\b/i
const isNoDraw = /\bletters?\sof\scredit\b|\bpaper\b/i

/**
 * Facilities of a table of liquidity, one figure a row: the commitment, less what is used, is what the row of what is available
 * says at the report's day.
 */
export function facilityBalancesIn(section: FiledSection): InstrumentLine[] {
  const day = section.period_end
  if (day === null) return []
  return tablesIn(section.text).flatMap(table =>
    table.rows.flatMap((row, i) => {
      const label = withoutMarks(row)
      if (!isCommitment.test(label) || isOther.test(label)) return []
      const first = table.rows.find(({ marks }) => marks.some(({ kind }) => kind === 'amount')) ?? row
      const head = flatten(section.text.slice(Math.max(table.from, first.from - HEAD), first.from))
      const unit = scaleOf(head) ?? scaleOfStatements(section)
      const at = columnOf(head, day)
      if (unit === null || at === null) return []
      const currency = currencyOf(head)
      const scale = scaleIn(currency, unit)
      const found = balanceOf(table.rows.slice(i, i + BETWEEN + 2), at)
      if (found === null) return []
      const last = found.rows.at(-1) ?? row
      return [
        {
          company_name: section.company_name,
          cik: section.cik,
          name: nameOf(label),
          instrument_type: 'revolver',
          commitment: Math.round(found.commitment * scale),
          ...(found.drawn !== null && { drawn: Math.round(found.drawn * scale) }),
          undrawn: Math.round(found.left * scale),
          currency,
          balance_date: day,
          rule: 'facility_text',
          accession: section.accession,
          ...quoted(section, row.from, last.to, null),
        },
      ]
    }),
  )
}

/** Which of the columns is of the report's day; null if the heads do not say. */
function columnOf(head: string, day: string): number | null {
  const days = [...new Set(datesIn(head).map(({ date }) => date))]
  const at = days.indexOf(day)
  return at < 0 || days.length > 2 ? null : at
}

interface Balance {
  readonly rows: readonly TableRow[]
  readonly commitment: number
  /** Null where no row says what is drawn. */
  readonly drawn: number | null
  readonly left: number
}

/** The rows from a commitment to what is left of it, if they add up. */
function balanceOf(rows: readonly TableRow[], at: number): Balance | null {
  const [commitment, ...others] = rows.map(row => amountAt(row, at))
  if (commitment === undefined || commitment === null || commitment <= 0) return null
  let used = 0
  let drawn: number | null = null
  for (const [i, amount] of others.entries()) {
    const label = withoutMarks(rows[i + 1] as TableRow)
    if (amount === null) return null
    if (isLeft.test(label) && !/^less\b/i.test(label))
      return Math.abs(commitment - used - amount) <= 1
        ? { rows: rows.slice(0, i + 2), commitment, drawn, left: amount }
        : null
    if (!isUsed.test(label)) return null
    used += amount
    if (isDrawn.test(label) && !isNoDraw.test(label)) drawn = (drawn ?? 0) + amount
  }
  return null
}

/** The amount of a column, without its sign: what is used stands in brackets. */
function amountAt({ marks }: TableRow, at: number): number | null {
  const amounts = marks.filter(({ kind }) => kind === 'amount').map(({ value }) => Math.abs(value))
  return amounts[at] ?? null
}

/** `Commitments under the Parent Company credit facility` as `Parent Company credit facility`. */
function nameOf(label: string): string {
  const name = label
    .replace(/^(?:total\s)?commitments?\s(?:under|of|for)\s(?:the\s|our\s|its\s)?/i, '')
    .replace(/\s(?:commitments?|capacity|size)$/i, '')
  return oneLine(
    name.replace(/^[a-z]/, letter => letter.toUpperCase()),
    100,
  )
}
