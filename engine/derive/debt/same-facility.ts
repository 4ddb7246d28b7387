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

/** Terms of a facility that do not change with its balance. */
export const FACILITY_TERMS = [
  'instrument_type',
  'seniority',
  'security_type',
  'currency',
  'benchmark',
  'spread_bps',
  'floor_bps',
] as const

/** The rows that the facility of a text or agreement is: those with its commitment; of several, those of its tenor, maturity or kind. */
export function candidates(rows: readonly InstrumentRow[], one: LoadedInstrument): InstrumentRow[] {
  const alike = rows.filter(
    row => hasCommitment(row, one) && !isOtherKind(row, one) && !isOfSameText(row, one),
  )
  if (alike.length < 2) return alike
  const ofTenor = alike.filter(row => tenorOf(row.name) !== null && tenorOf(row.name) === tenorOf(one.name))
  if (ofTenor.length > 0) return ofTenor
  const due = alike.filter(row => agrees(row.maturity, one.maturity))
  if (due.length > 0) return due
  const ofKind = alike.filter(row => row.instrument_type === one.instrument_type)
  return ofKind.length > 0 ? ofKind : alike
}

/** Whether a row is another facility of the same text, with its own maturity or its own tranche. */
const isOfSameText = (row: InstrumentRow, one: LoadedInstrument): boolean =>
  row.member === null &&
  row.isDescribed === true &&
  row.accession === one.accession &&
  row.source === one.source &&
  (!agrees(row.maturity, one.maturity) || areOtherTranches(row.name, one.name))

/** `term A-2 facility` and `term A-4 facility`. */
function areOtherTranches(name: string, other: string): boolean {
  const [a, b] = [name, other].map(
    each => /\bterm (?:loan )?(?<tranche>[a-z](?:-\d)?)\b/i.exec(each)?.groups?.['tranche'],
  )
  return a !== undefined && b !== undefined && a.toLowerCase() !== b.toLowerCase()
}

/** A line before discounts and what is drawn differ by less. */
const ROUNDED = 0.03

/** Whether a balance may be what a text says is drawn; it may where none says what is. */
export const isOwed = (balance: number, { drawn }: LoadedInstrument): boolean =>
  drawn === null || Math.abs(drawn - balance) <= ROUNDED * balance

/** `North Revolving Credit Facility` and `North Revolving Credit Facility due 2029`. */
export const isCalled = (row: InstrumentRow, one: LoadedInstrument): boolean =>
  row.name.toLowerCase() === one.name.replace(/ due \d{4}(?:-\d\d){0,2}$/, '').toLowerCase()

/**
 * Another row that may be the facility of a text: of its kind, with its maturity or none, and no other commitment unless it has its
 * name, as what is tagged may be the most that its agreement allows.
 */
export const mayBe = (row: InstrumentRow, one: LoadedInstrument): boolean =>
  row.is_current &&
  isFacilityKind(row) &&
  !isOtherKind(row, one) &&
  !isBeside(row, one) &&
  !(row.accession === one.accession && areOtherTranches(row.name, one.name)) &&
  (agrees(row.maturity, one.maturity) ||
    ((row.maturity === null || one.maturity === null) &&
      (row.commitment === null ||
        row.commitment === one.commitment ||
        (row.member !== null && isCalled(row, one)))))

/** A facility and a line of one report whose commitments, or what is drawn, differ. */
const isBeside = (row: InstrumentRow, one: LoadedInstrument): boolean =>
  row.member === null &&
  (row.balance_date === null || row.balance_date === one.balance_date) &&
  row.accession === one.accession &&
  (row.carrying_amount !== null
    ? !isOwed(row.carrying_amount, one)
    : row.commitment !== null && one.commitment !== null
      ? row.commitment !== one.commitment
      : row.commitment === one.commitment && row.undrawn !== one.undrawn)
