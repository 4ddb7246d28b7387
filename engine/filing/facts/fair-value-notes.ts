import { amountsOf } from './debt-schedules.ts'
import type { FiledSection } from './filed-section.ts'
import { flatten, oneLine } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { dayNamed, fullDate, spelledMaturity } from './maturities.ts'
import { titled } from './note-sentences.ts'
import { tablesIn } from './table-rows.ts'
import { scaleOf, scaleOfStatements } from './table-scale.ts'

/** `4% Senior Notes due in 2029`. */
const series =
  /(?<![\d.])(?<rate>\d{1,2}(?:\.\d{1,5})?)\s?%\s{1,3}(?<kind>(?:(?:senior|unsecured|secured|convertible)\s{1,3}){0,3}(?:notes|bonds|debentures))\s{1,3}due\s{1,3}(?:in\s{1,3}|on\s{1,3})?(?<date>(?:[A-Z][a-z]{2,8}\s{1,3}(?:\d{1,2},\s{1,3})?)?20\d\d)\b/gi

const isOfDebt =
  /\bfair\s{1,3}value\s{1,3}of\s{1,3}(?:(?:the|our|its|company's)\s{1,3}){0,2}(?:long-term\s{1,3})?debt\b/i

/** How far above a row the heads of its table may begin, characters. */
const HEAD = 500

/**
 * The only notes of a report without a note on debt, where its note on fair values names them and states what its debt is
 * carried at, at the report's own day.
 */
export function fairValueNotesIn(section: FiledSection): InstrumentLine[] {
  const day = section.period_end
  if (section.has_debt_note !== false || day === null || !/\bfair value/i.test(section.title ?? '')) return []
  const flat = flatten(section.text)
  const named = new Map(
    [...flat.matchAll(series)].map(({ groups = {} }) => [
      `${groups['rate']} ${groups['date']?.slice(-4)}`,
      groups,
    ]),
  )
  const [terms, ...otherTerms] = named.values()
  const rows = tablesIn(section.text)
    .flatMap(table => table.rows)
    .filter(({ label }) => /^carrying (?:value|amount)s?\b/i.test(label))
  const [row, ...otherRows] = rows
  const maturity = dayNamed((terms?.['date'] ?? '').replace(/\s+/g, ' '))
  if (terms === undefined || row === undefined || maturity === null) return []
  if (otherTerms.length > 0 || otherRows.length > 0 || !isOfDebt.test(flat)) return []
  const head = flat.slice(Math.max(0, row.from - HEAD), row.from)
  const amounts = amountsOf(row).filter(amount => amount > 0)
  const amount = amounts[daysOf(head, amounts.length).indexOf(day)]
  const scale = scaleOf(head) ?? scaleOfStatements(section)
  if (amount === undefined || scale === null) return []
  const coupon = Number(terms['rate'])
  return [
    {
      company_name: section.company_name,
      cik: section.cik,
      name: `${coupon}% ${titled(terms['kind'] ?? '')} due ${spelledMaturity(maturity)}`,
      rate_type: 'fixed',
      coupon_rate: coupon,
      maturity,
      maturity_date: fullDate(maturity),
      carrying_amount: Math.round(amount * scale),
      currency: 'USD',
      balance_date: day,
      evidence: oneLine(section.text.slice(row.from, row.to), 400),
      evidence_section: section.title ?? section.section_type,
      evidence_offset: section.offset + row.from,
      rule: 'debt_table',
      accession: section.accession,
    },
  ]
}

const everyMonthAndDay = /\b[A-Z][a-z]{2,8} \d{1,2}(?=,)/g

/** The days of as many columns, whose years may stand in a line of their own. */
function daysOf(head: string, count: number): (string | null)[] {
  const months = [...head.matchAll(everyMonthAndDay)].slice(-count)
  const from = months[0]?.index ?? 0
  const years = [...head.slice(from).matchAll(/\b20\d\d\b/g)].slice(-count)
  if (count === 0 || months.length !== count || years.length !== count) return []
  return months.map(([month], i) => dayNamed(`${month}, ${years[i]?.[0]}`))
}
