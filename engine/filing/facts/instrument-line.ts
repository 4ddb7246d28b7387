import type { RowOf } from '../../schema/column.ts'
import type { instruments } from '../../schema/datasets/instruments.ts'

/** A row of the dataset `instruments` as a document states it. */
export type InstrumentLine = Partial<RowOf<typeof instruments.columns>>
