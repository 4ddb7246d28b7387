import type { FiledSection } from './filed-section.ts'

interface Line {
  readonly words: string
  readonly from: number
}

/** Figures of a row of a table: an amount, a rate, a day, a dash, or a sign in a line of its own. */
const FIGURE =
  /^(?:[$€£¥]|[%)]|\)\s?%?|(?:[$€£¥]\s?)?[-–—]{1,3}|(?:[$€£¥]\s?)?\(?(?:[$€£¥]\s?)?(?:\d{1,3}(?:,\d{3}){1,4}|\d{1,9})(?:\.\d{1,4})?\s?\)?\s?%?|\d{1,2}\/\d{1,2}\/\d{4})$/
const AMOUNT = /\d|^(?:[$€£¥]\s?)?[-–—]{1,3}$/
const RATE_OR_DAY = /%$|\//

/** Longest name of a row, characters. */
const LONGEST = 400
/** Most empty lines between the cells of a row. */
const MOST_EMPTY = 3
/** Fewer rows alike are no table. */
const LEAST_ROWS = 3
/** Most figures of a row. */
const MOST_FIGURES = 24

interface Row {
  /** The name, then the lines of figures. */
  readonly lines: readonly Line[]
  /** Where in `lines` each amount begins. */
  readonly amounts: readonly number[]
}

/**
 * A section whose text has each cell of its tables in a line of its own, as text taken from pages does, with bars between the
 * cells of a row, in place of the ends of lines, so that positions stay. As it is where its tables have bars, or it has none.
 */
export function withRowsOfCells(section: FiledSection): FiledSection {
  if (section.section_type !== 'debt_footnote' || section.text.includes('|')) return section
  const rows = rowsIn(section.text)
  const width = usualWidth(rows)
  if (width === null) return section
  // By code units, as positions count.
  const text = section.text.split('')
  const join = (lines: readonly Line[]) => {
    const [first] = lines
    const last = lines.at(-1)
    if (first === undefined || last === undefined) return
    for (let at = first.from + first.words.length; at < last.from; at++) if (text[at] === '\n') text[at] = '|'
  }
  for (const { lines, amounts } of rows)
    if (amounts.length === width) join(lines)
    else if (amounts.length === 2 * width) {
      // A total without words below the last row.
      const at = amounts[width] ?? lines.length
      const split = isSign(lines[at - 1]) ? at - 1 : at
      join(lines.slice(0, split))
      join(lines.slice(split))
    }
  for (const heads of headsIn(section.text)) join(heads)
  return { ...section, text: text.join('') }
}

const DAY = /^(?:as (?:of|at) |at )?[a-z]{3,9}\.? \d{1,2},? ?20\d\d$/i

/** Days in lines below each other, which are heads of columns. */
function headsIn(text: string): Line[][] {
  const runs: Line[][] = [[]]
  let from = 0
  for (const each of text.split('\n')) {
    const words = each.trim()
    if (DAY.test(words)) runs.at(-1)?.push({ words, from: from + each.indexOf(words) })
    else if (words !== '') runs.push([])
    from += each.length + 1
  }
  return runs.filter(run => run.length > 1)
}

const isSign = (line: Line | undefined): boolean => line !== undefined && /^[$€£¥]$/.test(line.words)

/** How many amounts most rows have, if enough have as many, and more than one. */
function usualWidth(rows: readonly Row[]): number | null {
  const counts = new Map<number, number>()
  for (const { amounts } of rows) counts.set(amounts.length, (counts.get(amounts.length) ?? 0) + 1)
  const [most] = [...counts].filter(([width]) => width > 1).sort(([a, m], [b, n]) => n - m || a - b)
  return most === undefined || most[1] < LEAST_ROWS ? null : most[0]
}

/** Runs of figures, each with the line of words above it. */
function rowsIn(text: string): Row[] {
  const rows: Row[] = []
  let lines: Line[] = []
  let empty = 0
  let from = 0
  const end = () => {
    const amounts = lines.flatMap(({ words }, i) =>
      i > 0 && AMOUNT.test(words) && !RATE_OR_DAY.test(words) && !/^\)?\s?%$/.test(lines[i + 1]?.words ?? '')
        ? [i]
        : [],
    )
    if (amounts.length > 0 && lines.length <= MOST_FIGURES) rows.push({ lines, amounts })
  }
  for (const each of text.split('\n')) {
    const words = each.trim()
    const at = from + (each.length - each.trimStart().length)
    from += each.length + 1
    if (words === '') {
      empty++
      continue
    }
    if (FIGURE.test(words) && lines.length > 0 && empty <= MOST_EMPTY) lines.push({ words, from: at })
    else {
      end()
      lines = /[a-z]{3}/i.test(words) && words.length <= LONGEST ? [{ words, from: at }] : []
    }
    empty = 0
  }
  end()
  return rows
}
