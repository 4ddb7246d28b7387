import { elementAt } from '../../base/elements.ts'
import { lastTwo } from './debt-columns.ts'
import { exactMaturities } from './exact-maturity.ts'
import type { FiledSection } from './filed-section.ts'
import { filledCellsOf, flatten, oneLine } from './flat-text.ts'
import { withDecimals } from './fractions.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { type IssueHeads, issuedIn, issuedInWords, issueHeadsIn, isWorded } from './issue-tables.ts'
import { marginIn } from './margins.ts'
import { fullDate, maturityIn, spelledMaturity } from './maturities.ts'
import { groupIntroduced, groupNamed } from './row-headings.ts'
import { datesIn } from './spelled-dates.ts'
import { couponAmong } from './stated-rates.ts'
import { scaleOf, scaleOfStatements } from './table-scale.ts'

interface Line {
  readonly text: string
  readonly from: number
}

/** How far above a row the head of its table may begin, characters. */
const HEAD = 900
/** Rows further apart are of two tables. */
const APART = 600

/** Notes of debt tables by their rows alone, whether or not the table adds up. */
export function notesIn(section: FiledSection): InstrumentLine[] {
  const flat = flatten(section.text)
  const exactMaturity = exactMaturities(flat, section.period_end)
  const found: InstrumentLine[] = []
  const names = new Set<string>()
  let table: Table | null = null
  let last = -APART
  let isFloatingGroup = false
  let group = ''
  // The one day of which a table is, where its heads begin with it.
  let otherDay: string | null = null
  for (const line of linesOf(section.text)) {
    for (const cells of rowsIn(line.text)) {
      const row = noteIn(cells)
      if (row === null) continue
      const isApart = table === null || line.from - last > APART
      const between = section.text.slice(Math.max(0, last, line.from - HEAD), line.from)
      const introduced = groupIntroduced(between)
      if (isApart) group = introduced
      if (table === null || isApart || introduced !== '' || isNewTable(section.text.slice(last, line.from)))
        table = tableAbove(section, flat, line.from, last)
      otherDay = dayBetween(section.text.slice(Math.max(0, last), line.from)) ?? (isApart ? null : otherDay)
      if (otherDay !== null && section.period_end !== null && otherDay < section.period_end) {
        last = line.from + line.text.length
        continue
      }
      const heading = headingIn(section.text.slice(Math.max(0, last, line.from - 160), line.from))
      if (heading !== null) isFloatingGroup = FLOATING.test(heading) && !/\bfixed\b/i.test(heading)
      if (heading !== null) group = groupNamed(heading) || groupIntroduced(heading)
      last = line.from + line.text.length
      const note = { ...row, isFloating: row.isFloating || (isFloatingGroup && row.named.length === 0) }
      const coupon = couponOf(note, table)
      if (
        (coupon === null && !note.isFloating) ||
        (table.isEnded && balanceOf(cells, table).balance_date === undefined)
      )
        continue
      const maturity = exactMaturity({ maturity: note.maturity, coupon })
      const name = nameOf(note, coupon, maturity, group)
      if (names.has(name)) continue
      names.add(name)
      found.push({
        company_name: section.company_name,
        cik: section.cik,
        name,
        ...termsOf(note, coupon),
        maturity,
        maturity_date: fullDate(maturity),
        ...amountsOf(cells, table),
        evidence: line.text.trim(),
        evidence_section: section.title ?? section.section_type,
        evidence_offset: section.offset + line.from + (line.text.length - line.text.trimStart().length),
        rule: 'debt_table',
        accession: section.accession,
      })
    }
  }
  return found
}

/** The one day of all columns below, as a line of heads with no other cell says, `| December 31, 2021 |`; null without one. */
function dayBetween(between: string): string | null {
  const days = between.split('\n').flatMap(line => {
    const cells = filledCellsOf(line)
    return cells.length === 1 && isDay.test(cells[0] ?? '')
      ? datesIn(cells[0] ?? '').map(({ date }) => date)
      : []
  })
  const [day, ...others] = new Set(days)
  return day === undefined || others.length > 0 ? null : day
}

const isDay = /^(?:(?:as of|at) )?[a-z]{3,9} \d{1,2}, ?20\d\d:?$/i

/** How far above a row of notes the words that say whether they were issued may stand, characters. */
const HEADS = 420

/** A heading between two rows that says what was done with the notes below it, `Redemptions`, `Issuances`. */
const isNewTable = (between: string): boolean =>
  between
    .split('\n')
    .some(line => !line.includes('|') && (line.length > HEADING ? DONE : DONE_HEADING).test(line))

const HEADING = 70
const DONE =
  /\b(?:issued|redeemed|retired|redemptions?|repurchased|tendered|exchanged|repaid|issuance|tender offers?)\b/i
const DONE_HEADING =
  /^\W{0,3}(?:20\d\d\s)?(?:early\s|debt\s|note\s){0,2}(?:issuances?|redemptions?|repurchases?|repayments?|tender offers?|exchange offers?)\b/i

/** The last line between rows that is no row: `Floating Rate Notes:`. */
const headingIn = (between: string): string | null =>
  between.split('\n').findLast(line => !line.includes('|') && /[a-z]{4}/i.test(line)) ?? null

function* linesOf(text: string): Generator<Line> {
  let from = 0
  for (const each of text.split('\n')) {
    if (each.includes('|')) yield { text: each, from }
    from += each.length + 1
  }
}

/** The cells of a line; twice where a table is set in two columns, `$750 3.5%, Feb 2024 | 749 | $850 5.8%, Mar 2036 | 838`. */
function rowsIn(line: string): string[][] {
  const cells = line.split('|').map(cell => withDecimals(flatten(cell)).trim())
  const second = cells.findIndex((cell, i) => i > 1 && isNamed(cell) && /[a-z]/i.test(cells[0] ?? ''))
  const isApart = second > 0 && cells.slice(1, second).some(cell => /\d/.test(cell) && !cell.includes('%'))
  return isApart ? [cells.slice(0, second), cells.slice(second)] : [cells]
}

/** A cell that names a note by its coupon: `$850 5.8%, Mar 2036`. */
const isNamed = (cell: string): boolean => /\d ?%/.test(cell) && /[a-z]{3}/i.test(cell)

const isLabel = (cell: string): boolean =>
  /[a-z]{3}/i.test(
    cell.replace(
      /\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b/gi,
      '',
    ),
  )

interface Note {
  readonly label: string
  /** Percentages in the label, then in cells of their own. */
  readonly named: readonly number[]
  readonly stated: readonly number[]
  /** Amounts stand before the rates and between them: each is of a day. */
  readonly isOfDays: boolean
  readonly isFloating: boolean
  readonly maturity: string
  readonly text: string
}

const NO_NOTE =
  /\b(?:total|less|subtotal|current portion|through|thereafter|various|aggregate|other|others|leases?|commercial paper|revolv\w*|(?:credit|syndicated) facilit\w*|swaps?|exchanged|reinstated|notes and|debentures and|discounts?|premiums?|issuance of|issuances|weighted|average rate|repaid|redeemed|range)\b/i
const PERCENT = /(?<![\d.])(\d{1,2}(?:\.\d{1,5})?|\.\d{1,5}) ?%/g
/** `2.50% - 3.75%`, `2.50-3.75%`, `10%/12%`, `2024 - 2033`. */
const RANGE =
  /\d ?%? ?(?:-|\/|to|and) ?\d{1,2}(?:\.\d{1,4})? ?%|\b20\d\d ?(?:-|to|and) ?(?:20)?\d\d\b|-May|-[A-Z][a-z]{2,8} 20\d\d/
/** `to` in a cell of its own. */
const TO = / \| (?:to|through) \| /g
const FLOATING = /\b(?:floating|variable|libor|sofr|euribor|tibor|torf|sonia|cdor|bbsw)\b|\b(?:plus|\+) ?\d/i
/** A rate in brackets is an average, or that of a day. */
const BRACKETS = /\([^()]{0,80}%[^()]{0,80}\)/g
/** How often, or when, interest is paid. */
const PAID =
  /^(?:semi-?annual(?:ly)?|quarterly|annual(?:ly)?|monthly|(?=[A-Z])[a-z.\d ]{3,14} (?:and|&) [a-z.\d ]{3,14})(?: ?\$)?$/i

/** A row about one note; null if it is none, or several. */
function noteIn(cells: readonly string[]): Note | null {
  const text = cells.join(' | ')
  if (text.length > 400 || RANGE.test(text.replace(TO, ' to ')) || NO_NOTE.test(text)) return null
  const label = cells
    .filter(cell => (isLabel(cell) || isNamed(cell)) && !PAID.test(cell) && !isWorded(cell))
    .join(' ')
  if (label.length > 120) return null
  const maturity = maturityIn(cells, label)
  if (maturity === null) return null
  const percents = (part: string): number[] =>
    [...part.replace(BRACKETS, ' ').matchAll(PERCENT)].map(match => Number(match[1]))
  const named = percents(label)
  if (named.length > 1) return null
  const stated = cells.filter(cell => !isLabel(cell)).flatMap(percents)
  const isFloating = FLOATING.test(label)
  if (named.length + stated.length === 0 && !isFloating) return null
  const [one = 0, other = 0] = cells.flatMap((cell, i) =>
    !isLabel(cell) && percents(cell).length > 0 ? [i] : [],
  )
  const isOfDays = [cells.slice(0, one), cells.slice(one + 1, other)].every(part =>
    part.some(
      cell => !isLabel(cell) && maturityIn([cell], '') === null && /^[^%]*(?:\d|\u2014|-)[^%]*$/.test(cell),
    ),
  )
  return { label, named, stated, isOfDays, isFloating, maturity, text }
}

interface Table extends IssueHeads {
  /** What stands above the first row. */
  readonly head: string
  /** Of it, what stands behind the rows of another table. */
  readonly near: string
  /** Minor units of one unit of the table; null if the head does not say. */
  readonly scale: number | null
  readonly day: string | null
  readonly isInDollars: boolean
  /** Where the balance of the report's day is among the amounts of a row, by their number. */
  readonly balances: 'first' | 'second' | null
}

/** What the head of the table says of its columns. */
function tableAbove(section: FiledSection, flat: string, at: number, last: number): Table {
  const head = flat.slice(Math.max(0, at - HEAD), at)
  const scale = scaleOf(head) ?? scaleOfStatements(section)
  const shown = flat.slice(Math.max(0, at - HEAD), at + APART)
  const near = section.text.slice(Math.max(0, last, at - HEADS), at)
  return {
    head,
    near: flatten(near.slice(Math.max(0, near.lastIndexOf('\n\n')))),
    scale,
    day: section.period_end,
    ...issueHeadsIn(near, section.period_end),
    isInDollars: CURRENCY.test(shown) && !OTHER_DOLLARS.test(shown),
    balances: orderOf(columnsOf(section.text.slice(Math.max(0, at - 320), at)), section.period_end),
  }
}

/** The lines above a table without its rows that were left out, which have years too. */
const columnsOf = (above: string): string =>
  above
    .split('\n')
    .filter(
      line =>
        !/\bdue\b|\d ?%|\bissuances?\b/i.test(line) && !(line.includes('|') && /\bnotes?\b/i.test(line)),
    )
    .join('\n')

/** Whether the report's own day is in the first or the second column of two: the last two days, or years, above. */
function orderOf(columns: string, day: string | null): Table['balances'] {
  if (day === null) return null
  const above = flatten(columns)
  const [one, other] = lastTwo(datesIn(above).map(({ date }) => date))
  if (one === day && other !== undefined) return 'first'
  if (other === day) return 'second'
  const own = Number(day.slice(0, 4))
  const [first, second] = lastTwo([...above.matchAll(/\b20\d\d\b/g)].map(match => Number(match[0])))
  return first === own && second === own - 1 ? 'first' : first === own - 1 && second === own ? 'second' : null
}

/** The coupon: in the label, else in the column that the head calls a coupon or stated rate. */
function couponOf(
  { named, stated, isOfDays, isFloating }: Note,
  { head: all, near, face }: Table,
): number | null {
  if (isFloating) return null
  const [first] = named
  if (first !== undefined) return first
  const head = /\b(?:interest|coupon)\b/i.test(near) ? near : all
  const [, ...others] = stated
  const rate = couponAmong(stated, head)
  if (rate === undefined) return null
  if (/\b(?:coupon|stated|nominal|contractual)\b/i.test(head)) return rate
  // `Company | Type | Rate | Maturity | Amount` of notes that were issued.
  if (
    face !== null &&
    /\brate\b/i.test(near) &&
    !/\b(?:effective|average|weighted)\b/i.test(near) &&
    others.length === 0
  )
    return rate
  const saysEffective = /\b(?:effective|average|weighted)\b/i.test(head)
  return /\binterest\b/i.test(head) && (!saysEffective || (others.length > 0 && !isOfDays)) ? rate : null
}

function termsOf({ label, isFloating }: Note, coupon: number | null): InstrumentLine {
  if (!isFloating) return { rate_type: 'fixed', coupon_rate: coupon }
  return { rate_type: 'floating', benchmark: null, spread_bps: null, ...marginIn(label) }
}

/** What notes are, with the words that rank them, `Convertible senior notes`. */
const KIND =
  /\b(?:(?:convertible|exchangeable|senior|secured|unsecured|subordinated|junior|first|second|lien|medium-term|mortgage)\s){0,5}(?:notes|bonds|debentures)\b/i

const CURRENCY = /(?<![A-Z])\$|\bUS\$/
export const OTHER_DOLLARS = /\b(?:C|A|CA|AU|HK|NZ|S|R)\$/

/** The balance of the report's day, else the amount issued, which may stand with its unit. */
function amountsOf(cells: readonly string[], table: Table): InstrumentLine {
  const balance = balanceOf(cells, table)
  const worded = issuedInWords(cells, table.near, table.day)
  if (worded !== null) return worded
  return balance.balance_date === undefined ? issuedIn(cells, amountsIn(cells), table, table) : balance
}

/** The balance of the report's day, where a row has two amounts and the head says which is which. */
function balanceOf(
  cells: readonly string[],
  { head, scale, day, balances, isInDollars }: Table,
): InstrumentLine {
  const amounts = amountsIn(cells)
  if (
    scale === null ||
    balances === null ||
    !isInDollars ||
    amounts.length !== 2 ||
    /\bfair\b/i.test(head.slice(-320))
  )
    return {}
  const amount = elementAt(amounts, balances === 'first' ? 0 : 1)
  return { carrying_amount: Math.round(amount * scale), currency: 'USD', balance_date: day }
}

/** The amounts of a row: numbers that are no percentage, date or footnote; a dash is nothing owed. */
function amountsIn(cells: readonly string[]): number[] {
  return cells.slice(1).flatMap(cell => {
    if (isLabel(cell) || cell.includes('%') || maturityIn([cell], '') !== null) return []
    return cell
      .replace(/\(\w\)/g, ' ')
      .replace(/[$\u20ac\u00a3\u00a5]/g, ' ')
      .split(/\s+/)
      .flatMap(token =>
        token === '-'
          ? [0]
          : /^\d{1,3}(?:,\d{3}){0,3}(?:\.\d{1,3})?$|^\d{1,9}(?:\.\d{1,3})?$/.test(token)
            ? [Number(token.replaceAll(',', ''))]
            : [],
      )
  })
}

/** `3.25% Senior Notes due 2029-03`: the words of the row, with its coupon and maturity where they do not have them. */
function nameOf({ label, named }: Note, coupon: number | null, maturity: string, group: string): string {
  const own = oneLine(
    label
      .replace(/^(?:US)?\$ ?[\d,.]{1,9} (?:million|billion) (?=\d)/i, '')
      .replace(/\(\w{1,2}\)|\((?![a-z]{3,12}[- ]denominated\))[^()]{12,160}\)/gi, ' ')
      .replace(/[$,;:\s]{1,9}$/, ''),
    140,
  )
  // `3.40%, due March 2025` below `Fixed-rate senior notes:`.
  // `| 3.25% | 2029 |` says no more.
  if (!/[a-z]{3}/i.test(own) && coupon !== null)
    return `${coupon}% ${group || 'debt'} due ${spelledMaturity(maturity)}`
  if (coupon === null && /^(?:due)? ?[\d\s,.-]{0,20}$/i.test(own))
    return `Floating-rate ${group || 'debt'} due ${spelledMaturity(maturity)}`
  // `Floating rate | February 2027` below `we issued the following senior notes:`.
  if (group !== '' && /^(?:floating|variable)[- ]rate$/i.test(own))
    return `${own} ${group} due ${spelledMaturity(maturity)}`
  const words =
    group === '' || !/^[\d.]{1,8} ?%/.test(own) || /\b(?:notes?|bonds?|debentures?|loans?|debt)\b/i.test(own)
      ? own
      : own.replace(/^([\d.]{1,8} ?%),?/, `$1 ${group}`)
  const kind = KIND.exec(label)?.[0]
  // `$500 million maturing in 2036 with a fixed interest rate of 4.50% (the 2036 Notes)` is a sentence, no name.
  if (coupon !== null && kind !== undefined && /\b(?:maturing|matures?|interest rate|bear\w*)\b/i.test(own))
    return `${coupon}% ${kind} due ${spelledMaturity(maturity)}`
  const rate = named.length === 0 && coupon !== null ? `${coupon}% ` : ''
  return `${rate}${words}${words.includes(maturity.slice(0, 4)) ? '' : ` due ${spelledMaturity(maturity)}`}`.trim()
}
