import type { ProofInput } from './proof.ts'

/** A section of a filing, as the search of filings answers. */
export interface FiledSection {
  readonly id: string
  readonly accession: string | null
  readonly doc_type: string | null
  readonly filing_date: string | null
  readonly period_end_date: string | null
  readonly section_title: string | null
  readonly source_url: string | null
  readonly content: string | null
}

export interface FiledPassage {
  readonly section: FiledSection
  /** False where another filing of the company repeats the figure. */
  readonly isSameFiling: boolean
  /** Where the figure stands in the section's text. */
  readonly start: number
  readonly end: number
}

const grouped = (value: number, digits: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** How filings print a figure: in units, thousands, millions or billions, with the decimals that it needs. */
export function printedForms({ value, unit }: ProofInput): string[] {
  if (typeof value !== 'number' || value === 0) return []
  const isMinor = /(cents|minor units)$/.test(unit ?? '')
  const amount = Math.abs(isMinor ? value / 100 : value)
  const forms = [1, 1e3, 1e6, 1e9].flatMap(scale => {
    const scaled = amount / scale
    if (scaled < 1) return []
    const digits = [0, 1, 2].find(n => Math.abs(scaled - Number(scaled.toFixed(n))) * scale < 0.005)
    if (digits === undefined) return []
    // A whole number of millions is printed with a decimal too.
    return digits === 0 && scale > 1 ? [grouped(scaled, 0), grouped(scaled, 1)] : [grouped(scaled, digits)]
  })
  return [...new Set(forms)].filter(form => form.replace(/\D/g, '').length > 1)
}

/** The question that finds the figure in the filings, by its printed forms. */
export const questionFor = (input: ProofInput): string =>
  printedForms(input)
    .map(form => `"${form}"`)
    .join(' OR ')

/** Words too common to tell one line of a filing from another. */
const COMMON = new Set([
  'and',
  'of',
  'the',
  'in',
  'from',
  'with',
  'net',
  'at',
  'value',
  'including',
  'excluding',
])

/** The words of a line's name: of `us-gaap:LongTermDebtNoncurrent`, long, term, debt and noncurrent. */
export function labelWords({ concept, item }: ProofInput): string[] {
  const name = concept ? concept.slice(concept.indexOf(':') + 1) : (item ?? '')
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word.length > 1 && !COMMON.has(word))
}

/** Characters before a figure in which running text names it. */
const NAMED_WITHIN = 160
/** With fewer digits a figure stands in too many places to be told by itself. */
const TELLING_DIGITS = 4
const FEWEST_WORDS = 0.5
/** The newest period is in the first column of a table. */
const FIRST_COLUMN = 0.25

/** Where a number stands in a text, and not as part of a longer one. */
function* wholeNumbers(content: string, form: string): Generator<number> {
  for (let at = content.indexOf(form); at >= 0; at = content.indexOf(form, at + 1)) {
    const end = at + form.length
    if (!/[\d.,]/.test(content.charAt(at - 1)) && !/^(?:\d|[.,]\d)/.test(content.slice(end, end + 2)))
      yield at
  }
}

/** The place in a text that states the figure: where the words of its name stand before it in the same line. */
export function placeOf(
  content: string,
  input: ProofInput,
): { readonly start: number; readonly end: number; readonly score: number } | null {
  const words = labelWords(input)
  let best: { start: number; end: number; score: number } | null = null
  for (const form of printedForms(input)) {
    let lineStart = 0
    let searched = 0
    for (const index of wholeNumbers(content, form)) {
      const lastBreak = content.slice(searched, index).lastIndexOf('\n')
      if (lastBreak >= 0) lineStart = searched + lastBreak + 1
      searched = index
      const line = content.slice(lineStart, index)
      const near = line.slice(-NAMED_WITHIN).toLowerCase()
      const named = words.length === 0 ? 0 : words.filter(word => near.includes(word)).length / words.length
      const isTold = form.replace(/\D/g, '').length >= TELLING_DIGITS
      if (!isTold && named < FEWEST_WORDS) continue
      const score = named + (/\d/.test(line) ? 0 : FIRST_COLUMN)
      if (!best || score > best.score) best = { start: index, end: index + form.length, score }
    }
  }
  return best
}

/** The best place among sections: in the filing itself, else in another that repeats the figure. */
export function filedPassage(sections: readonly FiledSection[], input: ProofInput): FiledPassage | null {
  const isSame = ({ accession, doc_type, period_end_date }: FiledSection): boolean =>
    accession === null
      ? doc_type === input.form && period_end_date !== null && period_end_date === input.period_end
      : accession === input.accession
  const places = sections.flatMap(section => {
    const place = placeOf(section.content ?? '', input)
    return place ? [{ section, isSameFiling: isSame(section), ...place }] : []
  })
  const [best] = places.toSorted(
    (a, b) => Number(b.isSameFiling) - Number(a.isSameFiling) || b.score - a.score,
  )
  // In another filing the figure alone may be that of another line.
  if (!best || (!best.isSameFiling && best.score < FEWEST_WORDS)) return null
  const { section, isSameFiling, start, end } = best
  return { section, isSameFiling, start, end }
}

/** A line of a passage: a row of a table, or a paragraph. `marked` is the part that holds the figure. */
export interface PassageLine {
  readonly at: number
  readonly cells: readonly { readonly at: number; readonly text: string; readonly isMarked: boolean }[]
}

/** Characters shown on each side of the figure. */
const AROUND = 4_000

/** The lines around a figure, and those cells of tables, with the figure's own marked. */
export function linesAround(content: string, { start, end }: { start: number; end: number }): PassageLine[] {
  const from = start <= AROUND ? 0 : content.indexOf('\n', start - AROUND) + 1 || start - AROUND
  const stop = content.indexOf('\n', end + AROUND)
  const lines: PassageLine[] = []
  let at = from
  for (const line of content.slice(from, stop < 0 ? undefined : stop).split('\n')) {
    const cells = []
    let cellAt = at
    for (const text of line.split(' | ')) {
      cells.push({ at: cellAt, text, isMarked: start >= cellAt && end <= cellAt + text.length })
      cellAt += text.length + 3
    }
    if (line.trim() !== '') lines.push({ at, cells })
    at += line.length + 1
  }
  return lines
}
