import { type Table, tableFromIPC } from 'apache-arrow'
import { arrow } from './arrow.ts'
import type { EncodableRows, EncodeOptions } from './row-stream.ts'

/** Rows as an Arrow table in memory, with the types of the Arrow format. */
export const arrowTable = (rows: EncodableRows, options: EncodeOptions): Promise<Table> =>
  tableFromIPC(arrow(rows, options))
