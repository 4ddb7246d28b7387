import { elementAt } from '../../base/elements.ts'
import type { Day } from '../../credit/calendar.ts'
import type { Item } from './concepts.ts'
import { type FactRow, filingId } from './filings.ts'
import { isFlow } from './item-kinds.ts'
import type { LoadedRow } from './loaded-row.ts'
import { ScaleCheck } from './slips.ts'

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

/** A figure of a loaded statement. */
interface Cell {
  readonly row: LoadedRow
  readonly item: Item
  readonly value: number
}

/** Positions of figures of loaded statements follow those of facts. */
const AFTER_FACTS = 2 ** 40
const ITEMS_AT_MOST = 1_000

/** Figures of one company that are wrong by a power of ten, judged by everything known about it so far. */
export class SlipsOfCompany {
  private readonly check = new ScaleCheck()
  private readonly facts: FactRow[] = []
  private readonly cells = new Map<number, Cell>()

  addFacts(facts: readonly FactRow[]): void {
    for (const fact of facts) {
      const { concept, unit, start, end, value, decimals } = fact
      const quarters = start === null ? 0 : Math.round((end - start + 1) / QUARTER)
      const filing = filingId(fact)
      this.check.add({ concept, unit, quarters, end, value, decimals, filing }, this.facts.length)
      this.facts.push(fact)
    }
  }

  /** @param index of the row among all of the company, known or not */
  addLoaded(row: LoadedRow, index: number): void {
    const items = Object.entries(row.figures) as [Item, number | null][]
    for (const [i, [item, amount]] of items.entries()) {
      const value = amount ?? 0
      const position = AFTER_FACTS + index * ITEMS_AT_MOST + i
      this.cells.set(position, { row, item, value })
      this.check.add(
        {
          concept: `statement:${item}`,
          unit: row.currency,
          quarters: isFlow(item) ? row.months / 3 : 0,
          end: row.end,
          value,
          decimals: null,
          filing: row.accession ?? `the row of ${row.fiscalYear}Q${row.fiscalQuarter} known ${row.known}`,
        },
        position,
      )
    }
  }

  read(): Quarantine {
    const badFacts = new Map<FactRow, string>()
    const badCells = new Map<LoadedRow, Map<Item, string>>()
    const figures = this.check.errors().map(({ position, reason }): Quarantined => {
      const cell = this.cells.get(position)
      if (!cell) {
        const fact = elementAt(this.facts, position)
        badFacts.set(fact, reason)
        const { concept, start, end, value, unit, accession, source, known } = fact
        return { dataset: 'facts', item: concept, start, end, value, unit, reason, accession, source, known }
      }
      const { row, item, value } = cell
      badCells.set(row, (badCells.get(row) ?? new Map<Item, string>()).set(item, reason))
      const { end, accession, source, known, currency } = row
      return {
        dataset: 'financials',
        item,
        start: null,
        end,
        value,
        unit: `${currency} minor units`,
        reason,
        accession,
        source,
        known,
      }
    })
    return { facts: badFacts, loaded: badCells, figures }
  }
}
