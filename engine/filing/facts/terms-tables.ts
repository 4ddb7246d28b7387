import { isAfter } from '../../base/days.ts'
import type { FiledSection } from './filed-section.ts'
import { cellsOf } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { marginIn } from './margins.ts'
import { dayNamed, fullDate, spelledMaturity, wholeDay } from './maturities.ts'
import { scaleOfStatements } from './table-scale.ts'

/** What a row of a table of terms states of the debt that it names. */
interface Terms {
  readonly name: string
  readonly row: string
  /** Where the row begins. */
  readonly from: number
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
  let next = 0
  return text.split('\n').flatMap(line => {
    const from = next
    next += line.length + 1
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
        row: line,
        from,
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
      maturity_date: fullDate(maturity),
    }
  })
}

const OF_SIZE =
  /^(?:US)?\$ ?(?<amount>\d{1,3}(?:,\d{3}){0,3}(?:\.\d{1,3})?)(?: (?<unit>million|billion))? (?<words>(?:[a-z-]{2,14} ){0,5}(?:facility|term loan|revolver|line of credit))$/i

/**
 * Facilities that a table of terms names by their size, `$600,000 Revolving Credit Facility | July 2028 | SOFR + 0.85%`, and no
 * line is: an amount without a word for its unit is in that of the statements.
 */
export function facilitiesOfTerms(section: FiledSection, lines: readonly InstrumentLine[]): InstrumentLine[] {
  const day = section.period_end
  if (day === null) return []
  const unit = scaleOfStatements(section)
  return termsIn(section.text, day).flatMap(({ name, row, from, margin, maturity }): InstrumentLine[] => {
    const { amount, unit: word, words = '' } = OF_SIZE.exec(name)?.groups ?? {}
    const scale = word === undefined ? unit : /^b/i.test(word) ? 1e11 : 1e8
    if (amount === undefined || scale === null || margin.benchmark == null) return []
    const commitment = Math.round(Number(amount.replaceAll(',', '')) * scale)
    const isLoan = /\bterm loan\b/i.test(words)
    const isKnown = lines.some(
      line =>
        line.maturity?.slice(0, 4) === maturity.slice(0, 4) &&
        (isLoan ? /\bloan\b/i : /\brevolv|\bfacility\b|\bline of credit\b/i).test(line.name ?? ''),
    )
    if (isKnown || commitment < LEAST) return []
    const said = words.replace(/(?:^|\s)[a-z]/g, letter => letter.toUpperCase())
    return [
      {
        company_name: section.company_name,
        cik: section.cik,
        name: `${said} due ${spelledMaturity(maturity)}`,
        instrument_type: isLoan ? 'term_loan' : 'revolver',
        commitment,
        currency: 'USD',
        rate_type: 'floating',
        ...margin,
        maturity,
        maturity_date: fullDate(maturity),
        balance_date: day,
        evidence: row.trim(),
        evidence_section: section.title ?? section.section_type,
        evidence_offset: section.offset + from + (row.length - row.trimStart().length),
        rule: 'facility_text',
        accession: section.accession,
      },
    ]
  })
}

/** A facility is of a million at least, in cents. */
const LEAST = 1e8
