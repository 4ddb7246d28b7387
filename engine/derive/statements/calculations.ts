import { type Day, formatDay } from '../../credit/calendar.ts'
import { type FilingOfFacts, sheetOf } from '../../schema/datasets/calculations.ts'

/** The calculation links of one filing: the totals that include each concept. */
export class Calculations {
  private readonly totalsOf = new Map<string, Set<string>>()
  private readonly parts = new Map<string, string[]>()

  add(total: string, part: string): void {
    const totals = this.totalsOf.get(part) ?? new Set<string>()
    if (totals.has(total)) return
    this.totalsOf.set(part, totals.add(total))
    const parts = this.parts.get(total) ?? []
    this.parts.set(total, parts)
    parts.push(part)
  }

  /** The concepts that add up to a total; none of what is no total. */
  partsOf(total: string): readonly string[] {
    return this.parts.get(total) ?? []
  }

  /** Whether a concept is part of a total, directly or through other totals. */
  isWithin(part: string, total: string, passed: ReadonlySet<string> = new Set()): boolean {
    if (passed.has(part)) return false
    for (const next of this.totalsOf.get(part) ?? [])
      if (next === total || this.isWithin(next, total, new Set([...passed, part]))) return true
    return false
  }

  /** Whether two concepts are siblings in one total, neither within the other. */
  areSiblings(a: string, b: string): boolean {
    const totals = this.totalsOf.get(b)
    const shared = [...(this.totalsOf.get(a) ?? [])].some(total => totals?.has(total))
    return shared && !this.isWithin(a, b) && !this.isWithin(b, a)
  }
}

/** Links of one linkbase. */
export interface FilingLinks {
  /** Between lines of debt. */
  readonly filed: Calculations
  /** Those of the balance sheet. */
  readonly balanceSheet: Calculations
}

/** The name that a filing's files share, in the `source` of a fact: `acme-20241231` of `acme-20241231_htm.xml.gz`. */
export function documentOfSource(source: string | null): string | null {
  const file = source?.slice(Math.max(source.lastIndexOf('/'), source.lastIndexOf('!')) + 1) ?? ''
  const end = file.indexOf('.xml')
  return end < 0 ? null : file.slice(0, end).replace(/_htm$/, '')
}

/** What tells a filing of its facts. */
interface FactOfFiling extends Omit<FilingOfFacts, 'report_date' | 'filed_date'> {
  readonly source: string | null
  readonly report: Day | null
  readonly filed: Day | null
}

const dayText = (day: Day | null): string | null => (day === null ? null : formatDay(day))

/** Links of a company's filings. */
export interface LinksOfFilings {
  /** Of linkbases, by document. */
  readonly filed: ReadonlyMap<string, FilingLinks>
  /** Of balance sheets whose lines add up, by filing: `sheetOf`. */
  readonly sheets: ReadonlyMap<string, Calculations>
}

/** Links of a filing: those of its documents, by name, else those of its balance sheet. */
export function linksOf(
  rows: readonly FactOfFiling[],
  { filed, sheets }: LinksOfFilings,
): { readonly calculations?: Calculations; readonly balanceSheet?: Calculations } {
  if (filed.size > 0)
    for (const document of new Set(rows.map(row => documentOfSource(row.source)))) {
      const found = document === null ? undefined : filed.get(document)
      if (found) return { calculations: found.filed, balanceSheet: found.balanceSheet }
    }
  const [row] = rows
  if (!row || sheets.size === 0) return {}
  const balanceSheet = sheets.get(
    sheetOf({ ...row, report_date: dayText(row.report), filed_date: dayText(row.filed) }),
  )
  return balanceSheet ? { balanceSheet } : {}
}

export const noLinks: LinksOfFilings = { filed: new Map(), sheets: new Map() }
