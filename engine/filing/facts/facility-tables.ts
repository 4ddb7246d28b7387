import { isAfter } from '../../base/days.ts'
import { amountsOf } from './debt-schedules.ts'
import { quoted } from './evidence.ts'
import { type FacilityColumn, facilityColumnsIn } from './facility-columns.ts'
import type { FiledSection } from './filed-section.ts'
import { flatten, oneLine } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { dayNamed, fullDate, spelledMaturity } from './maturities.ts'
import { datesIn } from './spelled-dates.ts'
import { type TableRow, tablesIn } from './table-rows.ts'
import { currencyOf, scaleIn, scaleOf, scaleOfStatements } from './table-scale.ts'

/** How far above its first row the heads of a table may begin, characters. */
const HEAD = 500

const COMMITTED =
  /\b(?:commit\w*|(?:facility|credit|borrowing) (?:limits?|amounts?|size|capacity)|maximum facility|total capacity|aggregate (?:amount|commitment)|limit)\b/i
const USED = /\b(?:used|outstanding|borrow\w*|drawn|loans)\b/i
const LEFT = /\b(?:unused|undrawn|availab\w+|remaining)\b/i
const FACILITY =
  /\b(?:facilit\w+|revolv\w+|lines? of credit|credit agreements?|term loans?|securitization program)\b/i

const OF_FACILITIES = /\b(?:credit|revolving|bank|committed) (?:credit )?(?:facilit|agreement|line)/i

/** Rows of one table of facilities at the report's day, with what its columns state. */
interface Table {
  readonly rows: readonly TableRow[]
  /** The words above the rows, and those of its totals. */
  readonly said: string
  /** The same as it stands. */
  readonly above: string
  readonly scale: number
  readonly currency: string
  /** The head names commitments, what is used and what is left. */
  readonly saysAll: boolean
}

/** A row with its amounts in minor units. */
interface Stated {
  readonly row: TableRow
  readonly label: string
  readonly commitment: number | null
  readonly drawn: number | null
  readonly paper: number | null
  readonly left: number | null
}

/**
 * Facilities in a table at the report's day. A row is one if it adds up, commitment = used + left, and has a maturity
 * after that day; or if the heads say what each column states, and the row is called a facility.
 */
export function facilityRowsIn(section: FiledSection): InstrumentLine[] {
  const day = section.period_end
  if (section.section_type !== 'debt_footnote' || day === null) return []
  return tablesOf(section, day).flatMap(table =>
    table.rows.flatMap((row, i) => {
      const stated = isSubtotal(row, table.rows.slice(0, i)) ? null : statedIn(row, table)
      const line = stated === null ? null : facilityOf(stated, section, { ...table, day })
      return line === null ? [] : [line]
    }),
  )
}

/** Commercial paper that a table of facilities has in a column, or in a row of its own. */
export function paperRowsIn(section: FiledSection): InstrumentLine[] {
  const day = section.period_end
  if (section.section_type !== 'debt_footnote' || day === null) return []
  return tablesOf(section, day).flatMap(table =>
    table.rows.flatMap((row): InstrumentLine[] => {
      const stated = statedIn(row, table)
      if (stated === null) return []
      const { label, paper, drawn } = stated
      const isPaper = /\bcommercial paper\b/i.test(label)
      const amount = paper ?? (isPaper ? drawn : null)
      if (amount === null || amount <= 0) return []
      return [
        {
          company_name: section.company_name,
          cik: section.cik,
          name: isPaper
            ? oneLine(label, 100)
            : FACILITY.test(label)
              ? 'Commercial paper'
              : `${oneLine(label, 80)} commercial paper`,
          instrument_type: 'commercial_paper',
          carrying_amount: amount,
          currency: table.currency,
          balance_date: day,
          rule: 'note_text',
          accession: section.accession,
          ...quoted(section, row.from, row.to, null),
        },
      ]
    }),
  )
}

/** The tables of a note that state facilities at the report's day. */
function tablesOf(section: FiledSection, day: string): Table[] {
  // What does not apply to a row is no amount of it, and takes its place.
  const text = section.text.replaceAll('N/A', ' - ')
  const unit = scaleOfStatements(section)
  return tablesIn(text)
    .flatMap(table => parted(table.rows, table.from, text))
    .flatMap(({ rows, from }): Table[] => {
      const first = rows.find(row => amountsOf(row).some(amount => amount > 0))
      if (first === undefined) return []
      const above = text.slice(Math.max(from, first.from - HEAD), first.from)
      const head = flatten(above)
      const scale = scaleOf(head) ?? unit
      const days = new Set(datesIn(head).map(({ date }) => date))
      if (scale === null || days.size !== 1 || !days.has(day)) return []
      const totals = rows.filter(({ label }) => /^total/i.test(label)).map(({ label }) => label)
      const said = `${head} ${totals.join(' ')}`
      if (!FACILITY.test(said) && !rows.some(({ label }) => FACILITY.test(label))) return []
      const saysAll = COMMITTED.test(head) && USED.test(head) && LEFT.test(head)
      const currency = currencyOf(head)
      return [{ rows: whole(rows), said, above, scale: scaleIn(currency, scale), currency, saysAll }]
    })
}

/** A table in which new heads of commitments begin another, as its parts. */
function parted(
  rows: readonly TableRow[],
  from: number,
  text: string,
): { readonly rows: TableRow[]; readonly from: number }[] {
  const parts: { readonly rows: TableRow[]; readonly from: number }[] = []
  let last: TableRow | undefined
  for (const row of rows) {
    const between = last === undefined ? '' : text.slice(last.to, row.from)
    const isHead = between.includes('|') && /\b(?:capacity|limits?|commit\w*|facility)\b/i.test(between)
    if (last === undefined || isHead) parts.push({ rows: [], from: last === undefined ? from : last.to })
    parts.at(-1)?.rows.push(row)
    last = row
  }
  return parts
}

/** A row whose amounts a page has put into the line below its name, as one. */
function whole(rows: readonly TableRow[]): TableRow[] {
  return rows.flatMap((row, i) => {
    const before = rows[i - 1]
    const after = rows[i + 1]
    const isBroken = (one: TableRow | undefined, two: TableRow | undefined) =>
      one !== undefined &&
      two !== undefined &&
      one.label !== '' &&
      two.label === '' &&
      amountsOf(one).every(amount => amount < 0) &&
      amountsOf(two).length > 2
    if (isBroken(before, row)) return []
    return isBroken(row, after) && after !== undefined
      ? [{ ...row, marks: [...row.marks, ...after.marks], to: after.to }]
      : [row]
  })
}

/** Whether a row without words is what at least two rows right above it add up to, in its first column. */
function isSubtotal(row: TableRow, above: readonly TableRow[]): boolean {
  const [total] = amountsOf(row)
  if (row.label !== '' || total === undefined) return false
  let sum = 0
  return above.toReversed().some((each, i) => {
    sum += amountsOf(each)[0] ?? 0
    return i > 0 && Math.abs(sum - total) <= 1
  })
}

/** A figure in brackets below this is the mark of a footnote. */
const LEAST_USED = 20

function statedIn(row: TableRow, { above, scale, saysAll }: Table): Stated | null {
  const label = row.label
    .replace(/\((?:\w{1,2}|[^()]{0,80})\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  // What is used may stand in brackets, as may the mark of a footnote.
  const amounts = amountsOf(row)
    .filter(amount => amount >= 0 || amount <= -LEAST_USED)
    .map(Math.abs)
  if (
    amounts.length === 0 ||
    /^total|\buncommitted\b|\bvarious\b|\b(?:unamortized|costs?|discounts?|premiums?)\b/i.test(label)
  )
    return null
  const columns = facilityColumnsIn(above, amounts.length)
  const stated = columns === null ? null : byColumn(amounts, columns)
  const summed = stated === null && saysAll ? bySum(amounts, above) : null
  const found = stated ?? summed
  if (found === null) return null
  const minor = (amount: number | null) => (amount === null ? null : Math.round(amount * scale))
  return {
    row,
    label,
    commitment: minor(found.commitment),
    drawn: minor(found.drawn),
    paper: minor(found.paper),
    left: minor(found.left),
  }
}

type Amounts = Omit<Stated, 'row' | 'label'>

/** Letters of credit that no column shows take at most this part of a commitment. */
const UNSHOWN = 0.05

/** What the columns of a row state; null where what is used and left is not the commitment. */
function byColumn(amounts: readonly number[], columns: readonly FacilityColumn[]): Amounts | null {
  const all = (kind: FacilityColumn) => amounts.filter((_, i) => columns[i] === kind)
  const total = (list: readonly number[]) => list.reduce((sum, amount) => sum + amount, 0)
  const of = (kind: FacilityColumn) => (columns.includes(kind) ? total(all(kind)) : null)
  const [commitment, drawn, paper, left] = [of('commitment'), of('drawn'), of('paper'), of('left')]
  if (commitment === null) return null
  const rest = commitment - total(amounts.filter((_, i) => columns[i] !== 'commitment'))
  const tolerance = Math.max(1, columns.includes('letters') ? 0 : UNSHOWN * commitment)
  const isWhole = left === null ? rest >= 0 : rest >= -1 && rest <= tolerance
  return isWhole ? { commitment, drawn, paper, left } : null
}

/** The first amount is the commitment and the last what is left, if those between make the difference. */
function bySum(amounts: readonly number[], above: string): Amounts | null {
  const [commitment = 0, drawn = 0, ...others] = amounts
  const left = others.at(-1)
  if (left === undefined || commitment <= 0) return null
  if (Math.abs(drawn + others.reduce((sum, amount) => sum + amount, 0) - commitment) > 1) return null
  return { commitment, drawn: isLoanFirst(above) ? drawn : null, paper: null, left }
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

const DUE =
  /\b(?:expir\w+|due|matur\w+|terminat\w+)(?: in| on)? (?<date>[a-z]{3,9} (?:\d{1,2}, ?)?20\d\d|20\d\d)/i

function facilityOf(
  { row, label, commitment, drawn, left }: Stated,
  section: FiledSection,
  { day, said, currency }: { readonly day: string } & Pick<Table, 'said' | 'currency'>,
): InstrumentLine | null {
  if (commitment === null || commitment <= 0 || /\bcommercial paper\b/i.test(label)) return null
  const stated = DUE.exec(label)
  const due = row.marks.filter(({ kind }) => kind === 'due').map(({ text }) => text)
  const date = stated?.groups?.['date']
  const maturity = date === undefined ? (due.length === 1 ? (due[0] ?? null) : null) : dayNamed(date)
  if (maturity !== null && !isAfter(maturity, day)) return null
  const called = label === '' ? row.heading.replace(/\b(?:expiring|maturing|due)\b.*$/i, '').trim() : label
  const isCalled = FACILITY.test(`${called} ${row.heading}`)
  const isOfFacilities = (maturity === null ? OF_FACILITIES : FACILITY).test(said)
  // A row that only names its borrower is a facility of a table of them, if it adds up.
  if (!isCalled && (called === '' || left === null || !isOfFacilities)) return null
  if (maturity === null && left === null && drawn === null) return null
  const own = stated === null ? called : called.slice(0, stated.index).trim()
  const kind = /\brevolving\b/i.test(said) ? 'revolving credit facility' : 'credit facility'
  const words =
    FACILITY.test(own) && /\s/.test(own)
      ? own.replace(/facilities$/i, match => (match === 'Facilities' ? 'Facility' : 'facility'))
      : `${own.replace(/^facility$/i, '')} ${isCalled ? 'credit facility' : kind}`.trim()
  const name = oneLine(
    words.replace(/^[a-z]/, letter => letter.toUpperCase()),
    100,
  )
  return {
    company_name: section.company_name,
    cik: section.cik,
    name: maturity === null ? name : `${name} due ${spelledMaturity(maturity)}`,
    instrument_type: /\bterm loan/i.test(words) ? 'term_loan' : 'revolver',
    commitment,
    ...(drawn !== null && !/\bN\/A\b/.test(section.text.slice(row.from, row.to)) && { drawn }),
    ...(left !== null && { undrawn: left }),
    currency,
    ...(maturity !== null && { maturity, maturity_date: fullDate(maturity) }),
    balance_date: day,
    rule: 'facility_text',
    accession: section.accession,
    ...quoted(section, row.from, row.to, null),
  }
}
