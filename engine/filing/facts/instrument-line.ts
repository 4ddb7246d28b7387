import type { RowOf } from '../../schema/column.ts'
import type { instruments } from '../../schema/datasets/instruments.ts'

/** A row of the dataset `instruments` as a document states it. */
export type InstrumentLine = Partial<RowOf<typeof instruments.columns>> & {
  /** The day from which it is so, where that is after the document, as of notes that are paid for days later. */
  readonly known_from?: string | null
}
