import type { corrections } from '../../engine/schema/datasets/corrections.ts'
import type { Row } from './tables.ts'

type Correction = Row<typeof corrections>

/** Rows that a reader of documents might correct. */
export interface Correctable {
  readonly covenants: readonly { readonly id?: string | null; readonly covenant_name?: string }[]
  readonly collateral: readonly { readonly id?: string | null }[]
  readonly instruments: readonly { readonly instrument_id?: string | null }[]
  readonly entities: readonly { readonly id?: string; readonly jurisdiction?: string | null }[]
}

/**
 * Corrections of what extraction had missed, one of each table, and one that was taken back. They change only fields
 * that nothing else in the sample depends on.
 */
export function correctionRows({ covenants, collateral, instruments, entities }: Correctable): Correction[] {
  const lien = covenants.find(({ covenant_name }) => covenant_name === 'Limitation on Liens')
  const listed = entities.find(({ jurisdiction }) => jurisdiction !== 'Delaware')
  const [first] = collateral
  const [instrument] = instruments
  const made = { made_by: 'analyst', made_on: '2025-06-02', made_at: '2025-06-02T09:30:00Z' } as const
  const set = (
    corrects: NonNullable<Correction['corrects']>,
    row_id: string,
    field: string,
    value: string,
    reason: string,
  ): Correction => ({ corrects, row_id, action: 'set', field, value, reason, ...made })
  const drop: Correction = {
    corrects: 'collateral',
    row_id: first!.id!,
    action: 'drop',
    reason: 'a heading, not an asset',
    ...made,
  }
  return [
    set('covenants', lien!.id!, 'cure_period_days', '60', 'Section 6.01(d) gives 60 days after notice'),
    set(
      'collateral',
      first!.id!,
      'valuation_source',
      'Appraisal of March 2025',
      'Schedule 3 names the appraisal',
    ),
    set(
      'instruments',
      instrument!.instrument_id!,
      'effective_rate',
      '6.1',
      'the footnote gives the effective rate',
    ),
    set('entities', listed!.id!, 'jurisdiction', 'Delaware', 'the list was read one line too low'),
    drop,
    { ...drop, action: 'remove', reason: 'Schedule 3 lists it', made_at: '2025-06-02T10:00:00Z' },
  ]
}
