import { elementAt } from '../../base/elements.ts'
import type { Day } from '../../credit/calendar.ts'
import type { Item } from './concepts.ts'
import { type FactRow, filingId } from './filings.ts'
import type { LoadedRow } from './loaded-row.ts'
import { isFlow } from './periods.ts'
import { findScaleErrors, type ReportedFigure } from './slips.ts'

/** A figure that is kept but not used. */
export interface Quarantined {
  readonly dataset: 'facts' | 'financials'
  /** Concept as tagged, or the item of a loaded statement. */
  readonly item: string
  readonly start: Day | null
  readonly end: Day
  /** As in the source, in `unit`. */
  readonly value: number
  readonly unit: string
  readonly reason: string
  readonly accession: string | null
  readonly source: string | null
  readonly known: Day | null
}

export interface Quarantine {
  readonly facts: ReadonlyMap<FactRow, string>
  readonly loaded: ReadonlyMap<LoadedRow, ReadonlyMap<Item, string>>
  readonly figures: readonly Quarantined[]
}

const QUARTER = 365.25 / 4

/** Figures of one company that are wrong by a power of ten, judged by everything known about it. */
export function quarantine(facts: readonly FactRow[], loaded: readonly LoadedRow[]): Quarantine {
  const reported: ReportedFigure[] = facts.map(fact => ({
    concept: fact.concept,
    unit: fact.unit,
    quarters: fact.start === null ? 0 : Math.round((fact.end - fact.start + 1) / QUARTER),
    end: fact.end,
    value: fact.value,
    decimals: fact.decimals,
    filing: filingId(fact),
  }))
  const cells = loaded.flatMap(row =>
    (Object.entries(row.figures) as [Item, number | null][]).map(([item, value]) => ({ row, item, value })),
  )
  for (const { row, item, value } of cells)
    reported.push({
      concept: `statement:${item}`,
      unit: row.currency,
      quarters: isFlow(item) ? row.months / 3 : 0,
      end: row.end,
      value: value ?? 0,
      decimals: null,
      filing: row.accession ?? `the row of ${row.fiscalYear}Q${row.fiscalQuarter} known ${row.known}`,
    })

  const badFacts = new Map<FactRow, string>()
  const badCells = new Map<LoadedRow, Map<Item, string>>()
  const figures = findScaleErrors(reported).map(({ position, reason }): Quarantined => {
    const fact = facts[position]
    if (fact) {
      badFacts.set(fact, reason)
      const { concept, start, end, value, unit, accession, source, known } = fact
      return { dataset: 'facts', item: concept, start, end, value, unit, reason, accession, source, known }
    }
    const { row, item, value } = elementAt(cells, position - facts.length)
    badCells.set(row, (badCells.get(row) ?? new Map<Item, string>()).set(item, reason))
    const { end, accession, source, known, currency } = row
    return {
      dataset: 'financials',
      item,
      start: null,
      end,
      value: value!,
      unit: `${currency} minor units`,
      reason,
      accession,
      source,
      known,
    }
  })
  return { facts: badFacts, loaded: badCells, figures }
}
