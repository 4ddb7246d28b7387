import { firstOf } from '../../base/elements.ts'
import { append } from '../../base/lists.ts'
import type { Day } from '../../credit/calendar.ts'
import { isCompanyLine } from './borrowings.ts'
import { type LinksOfFilings, linksOf, noLinks } from './calculations.ts'
import { nearestMonthEnd } from './calendar.ts'
import { trailingZeros } from './digits.ts'
import { ALWAYS, type Fact, type FactRow, type Filing, type FilingFacts, filingId } from './filings.ts'

/** The facts of one company by filing, each once, in the order in which they became known. */
export function byFiling(rows: readonly FactRow[]): FilingFacts[] {
  const filings = new FilingsOfCompany()
  filings.add(rows)
  return filings.read()
}

/** A filing while its rows are gathered. */
interface Entry {
  readonly filing: Filing
  readonly rows: FactRow[]
  readonly plain: FactRow[]
  readonly companyLines: FactRow[]
  readonly dimensional: FactRow[]
  dated: boolean
  /** What was read of its rows, with the reasons not to use some; null if rows were added since. */
  read: { readonly facts: FilingFacts; readonly quarantined: Reasons } | null
}

type Reasons = ReadonlyMap<FactRow, string>

const noReasons: Reasons = new Map()

/** The filings of one company, to which rows are added as they become known: each is read anew only if it changed. */
export class FilingsOfCompany {
  private readonly entries = new Map<string, Entry>()
  private readonly dates = new DatesByMonth()
  private exact: ExactDates = new Map()
  private readonly links: LinksOfFilings

  constructor(links: LinksOfFilings = noLinks) {
    this.links = links
  }

  /** Returns the rows that are figures of the whole company under shared names, as statements need. */
  add(rows: readonly FactRow[]): FactRow[] {
    const plain: FactRow[] = []
    for (const row of rows) {
      const entry = this.entryOf(row)
      entry.rows.push(row)
      if (row.dimensions !== null) entry.dimensional.push(row)
      else if (isCompanyLine(row.concept)) entry.companyLines.push(row)
      else {
        entry.plain.push(row)
        plain.push(row)
      }
    }
    this.dates.add(plain)
    return plain
  }

  /** The filing of a row, with what the row says of it. */
  private entryOf(row: FactRow): Entry {
    const id = filingId(row)
    const known = row.known ?? ALWAYS
    const dated = row.filed !== null
    const before = this.entries.get(id)
    const entry = before ?? {
      filing: {
        id,
        accession: row.accession,
        form: row.form,
        report: row.rounded ? null : row.report,
        filed: row.filed,
        known,
        fiscalYear: row.fiscalYear,
        fiscalPeriod: row.fiscalPeriod,
        currency: '',
        precision: 0,
      },
      rows: [],
      plain: [],
      companyLines: [],
      dimensional: [],
      dated,
      read: null,
    }
    if (!before) this.entries.set(id, entry)
    entry.read = null
    const { filing } = entry
    filing.form ??= row.form
    filing.filed ??= row.filed
    if (!row.rounded) filing.report ??= row.report
    filing.fiscalYear ??= row.fiscalYear
    filing.fiscalPeriod ??= row.fiscalPeriod
    // A source that knows the filing date determines the known day; others assume one.
    if (dated && !entry.dated) filing.known = known
    else if (dated === entry.dated) filing.known = Math.min(filing.known, known)
    entry.dated ||= dated
    return entry
  }

  /** The facts by filing. `quarantined` gives the reason for facts not to use. */
  read(quarantined: Reasons = noReasons): FilingFacts[] {
    const exact = this.dates.exact()
    if (!isSame(exact, this.exact))
      for (const entry of this.entries.values()) if (entry.rows.some(row => row.rounded)) entry.read = null
    this.exact = exact
    const reasons = new Map<string, Map<FactRow, string>>()
    for (const [row, reason] of quarantined) {
      const own = reasons.get(filingId(row)) ?? new Map<FactRow, string>()
      reasons.set(filingId(row), own.set(row, reason))
    }
    return [...this.entries]
      .map(([id, entry]) => {
        const own = reasons.get(id) ?? noReasons
        if (entry.read === null || !isSame(entry.read.quarantined, own))
          entry.read = { facts: this.factsOf(entry, own), quarantined: own }
        return entry.read.facts
      })
      .sort((a, b) => a.filing.known - b.filing.known || (a.filing.id < b.filing.id ? -1 : 1))
  }

  private factsOf(
    { filing: told, rows, plain, companyLines, dimensional }: Entry,
    reasons: Reasons,
  ): FilingFacts {
    const counts = new Map<string, number>()
    for (const row of plain.length ? plain : rows) counts.set(row.unit, (counts.get(row.unit) ?? 0) + 1)
    const currency = firstOf([...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)))[0]
    const factsOf = (those: readonly FactRow[]) =>
      distinct(
        those
          .filter(row => row.unit === currency)
          .map(row => ({ ...exactly(row, this.exact), quarantined: reasons.get(row) ?? null })),
      )
    const facts = factsOf(plain)
    return {
      filing: { ...told, currency, precision: commonPrecision(facts) },
      facts,
      companyLines: factsOf(companyLines),
      dimensional: factsOf(dimensional),
      ...linksOf(rows, this.links),
    }
  }
}

function isSame<K, V>(a: ReadonlyMap<K, V>, b: ReadonlyMap<K, V>): boolean {
  if (a.size !== b.size) return false
  for (const [key, value] of a) if (b.get(key) !== value) return false
  return true
}

type ExactDates = ReadonlyMap<Day, Day>

/** The days on which a company's dates fall, by the nearest month-end. */
class DatesByMonth {
  private readonly counts = new Map<Day, Map<Day, number>>()
  private readonly waiting: FactRow[] = []
  private hasRounded = false

  add(rows: readonly FactRow[]): void {
    this.hasRounded ||= rows.some(row => row.rounded)
    append(this.waiting, rows)
  }

  /** For each month-end, the actual day on which the company's dates of that time fall; none if no date is rounded. */
  exact(): ExactDates {
    if (!this.hasRounded) return new Map()
    for (const { rounded, start, end } of this.waiting)
      if (!rounded) {
        this.count(end)
        if (start !== null) this.count(start - 1)
      }
    this.waiting.length = 0
    return new Map(
      [...this.counts].map(([monthEnd, days]) => [
        monthEnd,
        firstOf([...days].sort((a, b) => b[1] - a[1] || a[0] - b[0]))[0],
      ]),
    )
  }

  private count(day: Day): void {
    const monthEnd = nearestMonthEnd(day)
    const days = this.counts.get(monthEnd) ?? new Map<Day, number>()
    this.counts.set(monthEnd, days.set(day, (days.get(day) ?? 0) + 1))
  }
}

const exactly = (
  { concept, start, end, value, decimals, rounded, source, dimensions }: FactRow,
  exact: ExactDates,
): Omit<Fact, 'quarantined'> => ({
  concept,
  start: rounded && start !== null ? (exact.get(start - 1) ?? start - 1) + 1 : start,
  end: rounded ? (exact.get(end) ?? end) : end,
  value,
  decimals,
  rounded,
  source,
  dimensions,
})

/**
 * One fact per concept, period and part of the company: sound ones first, exact dates before rounded ones, then the
 * most digits.
 */
function distinct(facts: readonly Fact[]): Fact[] {
  const best = new Map<string, Fact>()
  for (const fact of facts) {
    const key = `${fact.concept} ${fact.start} ${fact.end} ${fact.dimensions}`
    const other = best.get(key)
    if (!other || isFiner(fact, other)) best.set(key, fact)
  }
  return [...best.values()]
}

function isFiner(a: Fact, b: Fact): boolean {
  if ((a.quarantined === null) !== (b.quarantined === null)) return a.quarantined === null
  if (a.rounded !== b.rounded) return b.rounded
  if (a.decimals !== null && b.decimals !== null && a.decimals !== b.decimals) return a.decimals > b.decimals
  const digits = trailingZeros(b.value) - trailingZeros(a.value)
  return digits !== 0 ? digits > 0 : Math.abs(a.value) > Math.abs(b.value)
}

function commonPrecision(facts: readonly Fact[]): number {
  const digits = facts.filter(fact => fact.value !== 0).map(fact => trailingZeros(fact.value))
  const enough = 0.9 * digits.length
  return [6, 5, 3].find(n => digits.filter(z => z >= n).length >= enough) ?? 0
}
