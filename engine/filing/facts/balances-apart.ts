import { isAfter } from '../../base/days.ts'
import { columnOf, columnsIn } from './debt-columns.ts'
import { amountsOf, COLUMNS, HEAD } from './debt-schedules.ts'
import type { FiledSection } from './filed-section.ts'
import { cellsOf, flatten } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { dayNamed, fullDate, spelledMaturity, wholeDay } from './maturities.ts'
import { titled } from './note-sentences.ts'
import { tablesIn } from './table-rows.ts'
import { ownCurrency, scaleIn, scaleOf, scaleOfStatements } from './table-scale.ts'

/** What a row of a table of terms states of the notes that it names. */
interface Terms {
  readonly coupon: number
  readonly maturity: string
}

/** `2029 Notes`, `2029 convertible senior notes`. */
const isName = /^20\d\d (?:(?:convertible|exchangeable|senior) ){0,3}notes$/i
/** A head of the rates that notes pay, and not of effective ones. */
const isCoupon = (head: string): boolean =>
  /^(?:interest|coupon) rate$/i.test(head) ||
  (/\b(?:stated|coupon|contractual|annual|cash)\b/i.test(head) &&
    /\b(?:rate|coupon)\b/i.test(head) &&
    !/\beffective\b/i.test(head))
const RATE = /^(?:(?<rate>\d{1,2}(?:\.\d{1,5})?)|-{1,3}) ?%$/
const CONVERTIBLE = /\b(?:convertible|exchangeable) (?:senior )?notes\b/i

/** The terms of the notes that tables with the heads `Maturity date` and `Stated interest rate` name; null of two terms of one name. */
function termsIn(text: string): ReadonlyMap<string, Terms | null> {
  const found = new Map<string, Terms | null>()
  let head: readonly string[] = []
  for (const line of text.split('\n')) {
    if (!line.includes('|')) continue
    const cells = cellsOf(line)
    const [name = ''] = cells
    if (cells.some(cell => /^maturity(?: date)?$/i.test(cell))) head = cells
    if (!isName.test(name) || cells.length !== head.length) continue
    const due = wholeDay(cells[head.findIndex(cell => /^maturity(?: date)?$/i.test(cell))] ?? '')
    const rate = RATE.exec(cells[head.findIndex(cell => isCoupon(cell))] ?? '')
    const maturity = due === null ? null : dayNamed(due)
    if (maturity === null || rate === null) continue
    const key = name.toLowerCase()
    found.set(key, found.has(key) ? null : { coupon: Number(rate.groups?.['rate'] ?? 0), maturity })
  }
  return found
}

/**
 * Notes whose balance stands in one table, without a total, and whose coupon and maturity in another, both by the name of the
 * notes: those that fall due after the report's day.
 */
export function notesOfTwoTables(section: FiledSection): InstrumentLine[] {
  const day = section.period_end
  if (day === null) return []
  const terms = termsIn(section.text)
  if (terms.size === 0) return []
  const found = new Map<string, InstrumentLine>()
  for (const { rows, from } of tablesIn(section.text)) {
    const [first] = rows.filter(row => amountsOf(row).length > 0)
    if (first === undefined) continue
    const head = flatten(section.text.slice(Math.max(from, first.from - HEAD), first.from))
    const columns = columnsIn(section.text.slice(Math.max(from, first.from - COLUMNS), first.from))
    const [scale, currency] = [scaleOf(head) ?? scaleOfStatements(section), ownCurrency(head)]
    if (scale === null || currency === null || !/\b(?:carrying|principal)\b/i.test(head)) continue
    if (/\b(?:interest expense|proceeds|equity component)\b/i.test(head)) continue
    const minor = scaleIn(currency, scale)
    for (const row of rows) {
      const key = row.label.toLowerCase()
      const own = terms.get(key) ?? null
      if (own === null || found.has(key) || !isAfter(own.maturity, day)) continue
      const amounts = amountsOf(row)
      const column = columnOf(columns, amounts.length, day)
      const amount = column === null ? undefined : amounts[column.now]
      if (amount === undefined || amount <= 0) continue
      const face = column?.face == null || column.face === column.now ? undefined : amounts[column.face]
      const kind = titled((CONVERTIBLE.exec(head)?.[0] ?? 'notes').toLowerCase())
      found.set(key, {
        company_name: section.company_name,
        cik: section.cik,
        name: `${own.coupon}% ${kind} due ${spelledMaturity(own.maturity)}`,
        rate_type: 'fixed',
        coupon_rate: own.coupon,
        maturity: own.maturity,
        maturity_date: fullDate(own.maturity),
        carrying_amount: Math.round(amount * minor),
        ...(face !== undefined && face > 0 && { principal: Math.round(face * minor) }),
        currency,
        balance_date: day,
        evidence: section.text.slice(row.from, row.to).trim(),
        evidence_section: section.title ?? section.section_type,
        evidence_offset: section.offset + row.from,
        rule: 'debt_table',
        accession: section.accession,
      })
    }
  }
  return [...found.values()]
}
