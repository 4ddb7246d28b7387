import type { Day } from '../../credit/calendar.ts'
import type { NamedPeriod } from './calendar.ts'
import type { Item } from './concepts.ts'

/** A row of a loaded statement table. Figures are in minor units of its currency. */
export interface LoadedRow extends NamedPeriod {
  readonly months: number
  readonly currency: string
  readonly form: string | null
  readonly filed: Day | null
  readonly known: Day | null
  readonly accession: string | null
  readonly source: string | null
  readonly figures: Readonly<Partial<Record<Item, number | null>>>
}
