import type { InstrumentRow } from './instrument-row.ts'
import type { LoadedInstrument } from './loaded-instruments.ts'
import { digitsForWords } from './spelled-numbers.ts'

/** `five-year` and `5 Year` as `5 year`; null where a name has none. */
export function tenorOf(name: string): string | null {
  const words = digitsForWords(name.toLowerCase().split(/[\s-]+/)).join(' ')
  return /\b\d{1,3} (?:day|month|year)\b/.exec(words)?.[0] ?? null
}

export function hasCommitment(row: InstrumentRow, one: LoadedInstrument): boolean {
  if (one.commitment === null || row.is_group) return false
  if (row.isDescribed && row.member === null) return row.commitment === one.commitment
  if (row.facility?.commitments.includes(one.commitment)) return true
  return row.principal === one.commitment && isFacilityKind(row) && agrees(row.maturity, one.maturity)
}

export const isFacilityKind = ({ instrument_type }: InstrumentRow): boolean =>
  instrument_type === 'revolver' || instrument_type?.startsWith('term_loan') === true

export const isOtherKind = (row: InstrumentRow, one: LoadedInstrument): boolean =>
  row.instrument_type !== null &&
  row.instrument_type !== 'loan' &&
  (row.instrument_type === 'revolver') !== (one.instrument_type === 'revolver')

export const agrees = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && (a.startsWith(b) || b.startsWith(a))
