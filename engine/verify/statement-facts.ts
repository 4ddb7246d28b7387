import { type Day, parseDay } from '../credit/calendar.ts'
import { balances, conceptsOf, flows } from '../derive/statements/concepts.ts'
import { statementItems } from '../schema/datasets/statements.ts'

/** The lines of a statement. */
export const items = Object.keys(statementItems)
/** Filed figures that no statement shows but company metrics use. */
const behind = [
  'secured_debt',
  'debt_excluding_finance',
  ...[1, 2, 3, 4, 5].map(years => `debt_due_${years}yr`),
]
/** All filed figures of a row. */
export const all = [...items, ...behind]
export const balanceItems = new Set(['total_debt', 'debt_excluding_finance', ...Object.keys(balances)])

/** An input in `_explain`: a fact with its source, or another figure of the row. */
export interface Input {
  readonly concept?: string
  readonly item?: string
  readonly value: number | null
  readonly unit: string
  readonly period_start?: string | null
  readonly period_end?: string
  readonly source?: string
  readonly times: number
}
export type Explanation = Readonly<
  Record<string, { readonly inputs: readonly Input[]; readonly null_because: string | null }>
>

export interface Row {
  readonly company_id: string
  readonly tag: 'kept' | 'fact' | 'loaded'
  readonly known: string | null
  readonly accession: string | null
  readonly currency: string
  readonly start: Day | null
  readonly end: Day
  readonly fiscal_year: number
  readonly fiscal_quarter: number
  readonly basis: 'quarter' | 'ttm'
  readonly version: number
  readonly explain: string
  readonly source: string
  readonly concept: string
  readonly value: number
  readonly months: number
  /** Null for the whole company. */
  readonly dimensions: string | null
}

export type StoredStatement = Row & { readonly explanation: Explanation }
export type Figures = Record<string, number | null>

/** A company's facts and loaded figures, indexed for lookup. */
export class Sources {
  private readonly stated = new Map<string, Row[]>()
  private readonly periods = new Map<string, Row[]>()
  private readonly parts: Row[] = []
  /** The first day on which any source knew a filing: another source of it may state no date. */
  private readonly filed = new Map<string, string>()

  constructor(rows: readonly Row[]) {
    const put = (index: Map<string, Row[]>, key: string, row: Row) => {
      const those = index.get(key)
      if (those) those.push(row)
      else index.set(key, [row])
    }
    for (const row of rows) {
      put(this.stated, `${row.concept} ${row.source}`, row)
      const { accession, known } = row
      if (accession !== null && known !== null && known < (this.filed.get(accession) ?? '9'))
        this.filed.set(accession, known)
      if (row.dimensions === null)
        put(this.periods, `${row.concept} ${row.currency} ${row.start} ${row.end}`, row)
      else if (/^us-gaap:StatementBusinessSegmentsAxis=[^;]+$/.test(row.dimensions)) this.parts.push(row)
    }
  }

  /**
   * The source row of a cited fact: same value, currency and period, and known by then; dates as sources round them.
   */
  find(stored: StoredStatement, fact: Input): Row | undefined {
    const [start, end] = [dayOrNull(fact.period_start), dayOrNull(fact.period_end)]
    const near = (a: Day | null, b: Day | null) => a === null || b === null || Math.abs(a - b) <= 16
    return this.stated
      .get(`${conceptOf(fact)} ${fact.source}`)
      ?.find(
        row =>
          row.value === fact.value &&
          row.currency === stored.currency &&
          near(row.end, end) &&
          near(row.start, start) &&
          this.isKnown(row, stored.known),
      )
  }

  private isKnown({ known, accession }: Row, by: string | null): boolean {
    const filed = accession === null ? undefined : this.filed.get(accession)
    return known === null || by === null || known <= by || (filed !== undefined && filed <= by)
  }

  /** Whether a figure is the sum of those of several business segments in its filing. */
  isOfSegments({ concept, accession, currency, start, end, value }: Row): boolean {
    const bySegment = new Map(
      this.parts
        .filter(
          row =>
            row.concept === concept &&
            row.accession === accession &&
            row.currency === currency &&
            row.start === start &&
            row.end === end,
        )
        .map(row => [row.dimensions, row.value]),
    )
    const sum = [...bySegment.values()].reduce((all, part) => all + part, 0)
    return bySegment.size > 1 && Math.abs(sum - value) <= 0.001 * Math.abs(value)
  }

  /** All figures of a concept for exactly these days. */
  statedFor = (concept: string, currency: string, start: Day | null, end: Day): readonly Row[] =>
    this.periods.get(`${concept} ${currency} ${start} ${end}`) ?? []
}

export const dayOrNull = (day: string | null | undefined): Day | null => (day ? parseDay(day) : null)
export const conceptOf = ({ concept, item }: Input): string => concept ?? `statement:${item}`

/** Concepts that state an item by themselves, by item. */
const plainConcepts = new Map(
  [...Object.entries(flows), ...Object.entries(balances)].map(([item, ways]) => [
    item,
    ways
      .filter(way => way.tier === 0 && typeof way.formula === 'string')
      .flatMap(way => conceptsOf(way.formula)),
  ]),
)

/** A figure missing from the row, though a filing known by then states it for exactly this period. */
export function overlooked(stored: StoredStatement, item: string, sources: Sources): Row | undefined {
  if (/quarantine/.test(stored.explanation[item]?.null_because ?? '')) return undefined
  const earliest = stored.end - (stored.basis === 'quarter' ? 93 : 372)
  const starts = balanceItems.has(item) ? [null] : Array.from({ length: 10 }, (_, i) => earliest + i)
  for (const concept of plainConcepts.get(item) ?? [])
    for (const start of starts) {
      const found = sources
        .statedFor(concept, stored.currency, start, stored.end)
        .find(row => row.known !== null && stored.known !== null && row.known <= stored.known)
      // A total of segments is no operating income of the company.
      if (found && !(item === 'operating_income' && sources.isOfSegments(found))) return found
    }
  return undefined
}

/** A restatement, known by then, of the one fact behind a figure. */
export function restated(stored: StoredStatement, item: string, sources: Sources): Row | undefined {
  const [fact, ...others] = stored.explanation[item]?.inputs ?? []
  if (!fact || others.length > 0 || fact.period_end === undefined || fact.times === 0) return undefined
  const own = sources.find(stored, fact)
  if (!own || own.known === null || own.tag === 'loaded' || own.dimensions !== null) return undefined
  return sources
    .statedFor(own.concept, own.currency, own.start, own.end)
    .find(
      row =>
        row.known !== null &&
        row.known > own.known! &&
        row.known <= stored.known! &&
        row.accession !== own.accession &&
        !isRounding(row.value, own.value),
    )
}

/** Whether two figures differ only in rounding. */
function isRounding(a: number, b: number): boolean {
  const unit = (x: number) => {
    let n = 1
    while (x !== 0 && n < 1e9 && x % (n * 10) === 0) n *= 10
    return n
  }
  return Math.abs(a - b) <= 0.5 * Math.max(unit(a), unit(b))
}
