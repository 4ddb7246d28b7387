import { quoted } from './evidence.ts'
import type { FiledSection } from './filed-section.ts'
import { flatten, sentenceAround } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { AMOUNT, amountIn, scaleOf } from './money.ts'
import { datesIn } from './spelled-dates.ts'

const LINES = '(?:lines\\s{1,3}of\\s{1,3}credit|credit\\s{1,3}(?:lines|facilities))'
const TERM = '(?:short-term|long-term|bilateral|bank|revolving|multi-year)'
/** `undrawn short-term committed lines of credit of $545 million`, `Undrawn committed credit lines totaled $900 million`. */
const undrawn = new RegExp(
  `\\b(?<words>(?:undrawn|unused)\\s{1,3}(?:${TERM}\\s{1,3}){0,2}committed\\s{1,3}(?:${TERM}\\s{1,3}){0,2}${LINES})\\s{1,3}(?:of|totall?ed|totall?ing|were|amounted\\s{1,3}to)\\s{1,3}(?:approximately\\s{1,3})?${AMOUNT}`,
  'gi',
)
const QUARTERS = ['first', 'second', 'third', 'fourth']
const quarter =
  /\b(?:as\s{1,3}of|at)\s{1,3}(?:the\s{1,3}end\s{1,3}of\s{1,3})?(?:the\s{1,3})?(?<quarter>first|second|third|fourth)\s{1,3}quarter\s{1,3}(?:of\s{1,3})?(?<year>20\d\d)\b/i
const yearEnd =
  /\b(?:as\s{1,3}of|at)\s{1,3}(?:the\s{1,3}end\s{1,3}of\s{1,3}|year-?end\s{1,3})(?<year>20\d\d)\b/i

/** Lines of credit of which a note tells at the report's day only what is undrawn, by their term. */
export function undrawnLinesIn(section: FiledSection): InstrumentLine[] {
  const day = section.period_end
  if (day === null) return []
  const flat = flatten(section.text)
  const scale = scaleOf(flat, section.amounts_in)
  const found = new Map<string, InstrumentLine | null>()
  for (const match of flat.matchAll(undrawn)) {
    const amount = amountIn(match.groups ?? {}, scale)
    const [from, to] = sentenceAround(flat, match.index)
    if (amount === null || amount.value === 0 || !isOfDay(flat.slice(from, to), day)) continue
    const words = (match.groups?.['words'] ?? '').toLowerCase().replace(/\s+/g, ' ')
    // Of two amounts under one name neither is taken.
    const isTwice = found.has(words) && found.get(words)?.undrawn !== amount.value
    found.set(
      words,
      isTwice
        ? null
        : {
            company_name: section.company_name,
            cik: section.cik,
            name: words.charAt(0).toUpperCase() + words.slice(1),
            instrument_type: 'revolver',
            undrawn: amount.value,
            currency: amount.currency,
            balance_date: day,
            rule: 'facility_text',
            accession: section.accession,
            ...quoted(section, from, to, null),
          },
    )
  }
  return [...found.values()].filter(line => line !== null)
}

/** `had $8.5 billion in 364-day committed credit facilities with various major banks`. */
const committed = new RegExp(
  `\\b(?:had|maintained)\\s{1,3}(?:approximately\\s{1,3})?${AMOUNT}\\s{1,3}(?:in|of)\\s{1,3}(?<words>(?:\\w{1,6}-(?:day|year)\\s{1,3})?(?:${TERM}\\s{1,3}){0,2}committed\\s{1,3}(?:${TERM}\\s{1,3}){0,2}${LINES})\\b`,
  'gi',
)
const isUnused =
  /^(?:[^.]|\.(?=\d)){0,40}\bno\s{1,3}(?:borrowings|amounts|loans)\s{1,3}(?:were\s{1,3})?outstanding\b|^(?:[^.]|\.(?=\d)){0,60}\b(?:were|was)\s{1,3}(?:undrawn|unused)\b/im
/** How far behind its commitment a text may say what is drawn, characters. */
const BEHIND = 1600

/** The committed lines of a company at the report's day, where one sentence tells them together and states no maturity. */
export function committedLinesIn(section: FiledSection): InstrumentLine[] {
  const day = section.period_end
  if (day === null) return []
  const flat = flatten(section.text)
  const scale = scaleOf(flat, section.amounts_in)
  const all = [...flat.matchAll(committed)].flatMap((match): InstrumentLine[] => {
    const amount = amountIn(match.groups ?? {}, scale)
    const [from, to] = sentenceAround(flat, match.index)
    if (amount === null || amount.value === 0 || !isOfDay(flat.slice(from, to), day)) return []
    const words = (match.groups?.['words'] ?? '').replace(/\s+/g, ' ')
    const behind = flat.slice(to, to + BEHIND).split(/(?<=\.)\s/)
    return [
      {
        company_name: section.company_name,
        cik: section.cik,
        name: words.replace(/\b[a-z]/g, letter => letter.toUpperCase()),
        instrument_type: 'revolver',
        commitment: amount.value,
        ...(behind.some(each => isUnused.test(each)) && { drawn: 0 }),
        currency: amount.currency,
        balance_date: day,
        rule: 'facility_text',
        accession: section.accession,
        ...quoted(section, from, to, null),
      },
    ]
  })
  return all.length === 1 ? all : []
}

/** Whether a sentence is of the report's day, or of the quarter or year that ends on it. */
function isOfDay(sentence: string, day: string): boolean {
  if (datesIn(sentence).some(({ date }) => date === day)) return true
  const [year, month] = [day.slice(0, 4), Number(day.slice(5, 7))]
  const named = quarter.exec(sentence)?.groups
  if (named !== undefined)
    return (
      named['year'] === year && (QUARTERS.indexOf(named['quarter']?.toLowerCase() ?? '') + 1) * 3 === month
    )
  return yearEnd.exec(sentence)?.groups?.['year'] === year && month === 12
}
