import { isAfter } from '../../base/days.ts'
import type { FiledSection } from './filed-section.ts'
import { cellsOf } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { marginIn } from './margins.ts'
import { dayNamed, wholeDay } from './maturities.ts'

/** What a row of a table of terms states of the debt that it names. */
interface Terms {
  readonly name: string
  readonly coupon: number | null
  readonly margin: InstrumentLine
  readonly maturity: string
}

const RATE = /^(?<rate>\d{1,2}(?:\.\d{1,5})?) ?%$/
/** A cell with an amount. */
const isAmount = /[$\u20ac\u00a3]|\d,\d{3}/
const isHead = /\b(?:maturit(?:y|ies)|terminat\w+|expir\w+)\b/i

const plain = (name: string): string =>
  name
    .replace(/\([^()]{0,60}\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/** Rows of tables without amounts, `Facility | Interest rate | Maturity`, each with one rate and one day. */
function termsIn(text: string, day: string): Terms[] {
  let isOfTerms = false
  return text.split('\n').flatMap(line => {
    if (!line.includes('|')) {
      if (line.length > LONGEST) isOfTerms = false
      return []
    }
    const [name = '', ...cells] = cellsOf(line)
    if (isHead.test(line) && cells.some(cell => /\brate|\bmargin|\binterest/i.test(cell))) isOfTerms = true
    else if (cells.some(cell => isAmount.test(cell))) isOfTerms = false
    const days = cells.flatMap(cell => wholeDay(cell) ?? [])
    const rates = cells.flatMap(cell => RATE.exec(cell)?.groups?.['rate'] ?? [])
    const margins = cells.map(marginIn).filter(({ benchmark }) => benchmark != null)
    const maturity = days[0] === undefined ? null : dayNamed(days[0])
    if (!isOfTerms || maturity === null || days.length > 1 || rates.length + margins.length !== 1) return []
    if (!isAfter(maturity, day)) return []
    return [
      {
        name: plain(name),
        coupon: rates[0] === undefined ? null : Number(rates[0]),
        margin: margins[0] ?? {},
        maturity,
      },
    ]
  })
}

/** Most rows of a table of terms. */
const MOST = 60
/** A longer line is a paragraph, which ends a table. */
const LONGEST = 150
const NAMED = /\b(?:notes?|loans?|facilit\w+|bonds?|debentures?|revolver)\b/i

/**
 * Lines without a rate and a maturity of their own, with those that a table of terms without amounts states of the debt of the
 * same name, or of the one whose name theirs ends with.
 */
export function withTermsOfTables(section: FiledSection, lines: readonly InstrumentLine[]): InstrumentLine[] {
  const day = section.period_end
  const isBare = ({ rule, coupon_rate: coupon, spread_bps: spread, maturity }: InstrumentLine) =>
    rule === 'debt_schedule' &&
    coupon == null &&
    spread == null &&
    (maturity == null || maturity.length === 4)
  if (day === null || !lines.some(isBare)) return [...lines]
  const terms = termsIn(section.text, day).filter(({ name }) => NAMED.test(name))
  if (terms.length === 0 || terms.length > MOST) return [...lines]
  return lines.map(line => {
    if (!isBare(line)) return line
    const name = plain(line.name ?? '')
    const same = terms.filter(each => each.name === name)
    const [one, ...others] = same.length > 0 ? same : terms.filter(each => name.endsWith(` ${each.name}`))
    if (one === undefined || others.length > 0) return line
    const { coupon, margin, maturity } = one
    return {
      ...line,
      ...(coupon === null
        ? { rate_type: 'floating' as const, ...margin }
        : { rate_type: 'fixed' as const, coupon_rate: coupon }),
      maturity,
      maturity_date: maturity.length === 10 ? maturity : null,
    }
  })
}
