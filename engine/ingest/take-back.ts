import { QueryError } from '../base/errors.ts'
import type { CorrectedTable } from '../schema/datasets/corrections.ts'
import type { NewCorrection } from './make-corrections.ts'
import type { StoredCorrection } from './read-corrections.ts'

/** A row of a corrected table. */
export interface CorrectedRow {
  readonly corrects: CorrectedTable
  readonly row_id: string
}

/**
 * What takes the corrections of a row back, of the fields named or of all.
 * @throws NOT_FOUND if none of them is in force
 */
export function takenBack(
  stored: readonly StoredCorrection[],
  { corrects, row_id }: CorrectedRow,
  fields: readonly string[],
): readonly { readonly correction: StoredCorrection; readonly change: NewCorrection }[] {
  const taken = stored.filter(
    each =>
      each.standing === 'in_force' &&
      each.corrects === corrects &&
      each.row_id === row_id &&
      (fields.length === 0 || (each.field !== null && fields.includes(each.field))),
  )
  if (taken.length === 0)
    throw new QueryError(
      'NOT_FOUND',
      `no correction of ${corrects} ${row_id}${fields.length > 0 ? ` sets ${fields.join(', ')}` : ''}; "tranche correct list" lists them`,
    )
  return taken.map(correction => ({
    correction,
    change: { corrects, row_id, action: 'remove', field: correction.field, value: null },
  }))
}
