import { QueryError } from '../base/errors.ts'
import type { Lake } from '../lake/lake.ts'
import type { Column } from '../schema/column.ts'
import { corrections } from '../schema/datasets/corrections.ts'
import { writeRows } from './ingest.ts'

type Value<C> = C extends Column<infer T> ? T : never
type Columns = typeof corrections.columns

/** What to correct. */
export type NewCorrection = {
  readonly [K in 'corrects' | 'row_id' | 'action' | 'field' | 'value']: Value<Columns[K]>
}

export interface CorrectionOptions {
  /** Why. */
  readonly because: string
  /** Who makes them. */
  readonly by: string
  /** Day from which they hold. */
  readonly from: string
  readonly signal?: AbortSignal
  readonly now?: () => Date
  /** DuckDB's memory while the rows are written. */
  readonly memory?: string
}

/**
 * Keeps corrections in the lake; the next build applies them.
 * @returns how many were new
 * @throws INVALID_PARAMETER if one of them is refused; then none is kept
 */
export async function makeCorrections(
  lake: Lake,
  made: readonly NewCorrection[],
  { because, by, from, signal, memory, now = () => new Date() }: CorrectionOptions,
): Promise<number> {
  const made_at = now().toISOString()
  const rows = made.map(each => ({ ...each, reason: because, made_by: by, made_on: from, made_at }))
  const { accepted, reasons } = await writeRows(lake, corrections.name, rows, `correct ${made_at}`, {
    ...(signal && { signal }),
    ...(memory !== undefined && { memory }),
    strict: true,
  })
  const [reason] = Object.keys(reasons)
  if (reason !== undefined)
    throw new QueryError('INVALID_PARAMETER', `nothing is corrected: ${reason}`, { parameter: 'value' })
  return accepted
}
