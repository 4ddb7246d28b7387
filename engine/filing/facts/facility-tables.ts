import { amountsOf } from './debt-schedules.ts'
import type { FiledSection } from './filed-section.ts'
import { flatten, oneLine } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { dayNamed, spelledMaturity } from './maturities.ts'
import { datesIn } from './spelled-dates.ts'
import { type TableRow, tablesIn } from './table-rows.ts'
import { scaleOf, scaleOfStatements } from './table-scale.ts'

/** How far above its first row the heads of a table may begin, characters. */
const HEAD = 500

const COMMITTED =
  /\b(?:commit\w*|(?:facility|credit|borrowing) (?:limits?|amounts?|size|capacity)|maximum facility|total capacity|aggregate (?:amount|commitment)|limit)\b/i
const USED = /\b(?:used|outstanding|borrow\w*|drawn|loans)\b/i
const LEFT = /\b(?:unused|undrawn|availab\w+|remaining)\b/i
const FACILITY = /\b(?:facilit\w+|revolv\w+|lines? of credit|credit agreements?|term loans?)\b/i

/**
 * Facilities in a table of commitments, what is used and what is left: only rows that add up, commitment = used + left,
 * with a maturity after the report's day.
 */
export function facilityRowsIn(section: FiledSection): InstrumentLine[] {
  const day = section.period_end
  if (section.section_type !== 'debt_footnote' || day === null) return []
  const unit = scaleOfStatements(section)
  return tablesIn(section.text).flatMap(table => {
    const first = table.rows.find(row => amountsOf(row).length > 2)
    if (first === undefined) return []
    const head = flatten(section.text.slice(Math.max(table.from, first.from - HEAD), first.from))
    const scale = scaleOf(head) ?? unit
    const days = new Set(datesIn(head).map(({ date }) => date))
    const isOfDay = days.size === 1 && days.has(day)
    if (scale === null || !isOfDay || !COMMITTED.test(head) || !USED.test(head) || !LEFT.test(head)) return []
    return table.rows.flatMap(row =>
      facilityOf(row, section, {
        scale,
        day,
        isLoanFirst: isLoanFirst(section.text.slice(table.from, first.from)),
      }),
    )
  })
}

/** Whether the first column of what is used is loans, not letters of credit. */
function isLoanFirst(heads: string): boolean {
  const head = heads
    .split('\n')
    .filter(line => line.includes('|'))
    .join(' ')
  const [loans, letters] = [
    /\b(?:borrow\w*|loans|drawn|used)\b/i,
    /\bletters? of\b|\bcommercial paper\b/i,
  ].map(each => head.search(each))
  return loans !== undefined && letters !== undefined && loans >= 0 && (letters < 0 || loans < letters)
}

function facilityOf(
  row: TableRow,
  section: FiledSection,
  {
    scale,
    day,
    isLoanFirst: saysDrawn,
  }: { readonly scale: number; readonly day: string; readonly isLoanFirst: boolean },
): InstrumentLine[] {
  const label = row.label
    .replace(/\((?:\w{1,2}|[^()]{0,80})\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const [commitment = 0, drawn = 0, ...others] = amountsOf(row).filter(amount => amount >= 0)
  const left = others.at(-1)
  if (left === undefined || commitment <= 0 || /^total|\buncommitted\b|\bvarious\b/i.test(label)) return []
  if (Math.abs(drawn + others.reduce((sum, amount) => sum + amount, 0) - commitment) > 1) return []
  const said =
    /\b(?:expir\w+|due|matur\w+|terminat\w+)(?: in| on)? (?<date>[a-z]{3,9} (?:\d{1,2}, ?)?20\d\d|20\d\d)/i.exec(
      label,
    )
  const due = row.marks.filter(({ kind }) => kind === 'due').map(({ text }) => text)
  const maturity =
    said?.groups?.['date'] === undefined
      ? due.length === 1
        ? (due[0] ?? null)
        : null
      : dayNamed(said.groups['date'])
  if (
    maturity === null ||
    maturity <= day.slice(0, maturity.length) ||
    !FACILITY.test(`${label} ${row.heading}`)
  )
    return []
  const own = said === null ? label : label.slice(0, said.index).trim()
  const words =
    FACILITY.test(own) && /\s/.test(own) ? own : `${own.replace(/^facility$/i, '')} credit facility`.trim()
  const line = section.text.slice(row.from, row.to)
  return [
    {
      company_name: section.company_name,
      cik: section.cik,
      name: `${oneLine(
        words.replace(/^[a-z]/, letter => letter.toUpperCase()),
        100,
      )} due ${spelledMaturity(maturity)}`,
      instrument_type: /\bterm loan/i.test(words) ? 'term_loan' : 'revolver',
      commitment: Math.round(commitment * scale),
      ...(saysDrawn && { drawn: Math.round(drawn * scale) }),
      undrawn: Math.round(left * scale),
      currency: 'USD',
      maturity,
      maturity_date: maturity.length === 10 ? maturity : null,
      balance_date: day,
      rule: 'facility_text',
      accession: section.accession,
      evidence: line.trim(),
      evidence_section: section.title ?? section.section_type,
      evidence_offset: section.offset + row.from + (line.length - line.trimStart().length),
    },
  ]
}
