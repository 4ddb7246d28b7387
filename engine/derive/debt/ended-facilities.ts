import { later } from '../../base/days.ts'
import { tellingWords } from '../../filing/facts/paid-in-full.ts'
import { isShared } from './debt-axes.ts'
import type { InstrumentRow } from './instrument-row.ts'
import { type LoadedInstrument, saidBy } from './loaded-instruments.ts'
import { agrees, isFacilityKind, isOtherKind, tenorOf } from './same-facility.ts'

/**
 * The rows of a company without the facilities that a text says have ended. An ending is that of the one facility with
 * its commitment, kind, tenor and maturity, as far as both state them, unless a text of the same day or later tells of it.
 */
export function withEndings(
  rows: readonly InstrumentRow[],
  endings: readonly LoadedInstrument[],
  told: ReadonlyMap<string, LoadedInstrument>,
): InstrumentRow[] {
  const found = [...rows]
  for (const ending of endings) {
    const isOne = ending.commitment === null ? isOfName : isOf
    const [row, ...others] = found.filter(each => isOne(each, ending, told.get(each.id)))
    if (row !== undefined && others.length === 0) found[found.indexOf(row)] = ended(row, ending)
  }
  return found
}

function isOf(row: InstrumentRow, ending: LoadedInstrument, text: LoadedInstrument | undefined): boolean {
  const mayStand = row.is_current || row.facility?.isDoubtful === true
  if (!mayStand || row.is_group || owesSomething(row)) return false
  if (row.commitment === null || row.commitment !== ending.commitment || isOtherThan(row, ending))
    return false
  if (row.currency !== null && ending.currency !== null && row.currency !== ending.currency) return false
  if (text !== undefined && (text.balance_date ?? '') >= (ending.balance_date ?? '')) return false
  const tagged = row.evidence['commitment'] as { date?: string } | undefined
  const agreed = tagged?.date ?? null
  if (agreed !== null && agreed > (ending.ended_on ?? ending.balance_date ?? '')) return false
  const [own, said] = [tenorOf(row.name), tenorOf(ending.name)]
  const isSameTenor = own !== null && own === said
  if (own !== null && said !== null && !isSameTenor) return false
  const isSameDay = agrees(row.maturity, ending.maturity)
  if (row.maturity !== null && ending.maturity !== null && !isSameDay) return false
  // What a facility of the balance date took the place of may have had its amount, and a loan is known by its balance.
  const isLoan = row.instrument_type !== 'revolver'
  if (ending.ended_because === 'terminated') return !isLoan || isFacilityKind(row)
  return !isLoan && (isSameTenor || isSameDay || agreed === null || agreed < (ending.balance_date ?? ''))
}

/**
 * Whether a loan of which nothing is owed is that of a lender or agreement that a text says was paid in full. Filers tag what was
 * agreed as of the balance date too, so that the day of a commitment tells nothing.
 */
function isOfName(row: InstrumentRow, ending: LoadedInstrument, text: LoadedInstrument | undefined): boolean {
  if (!row.is_current || row.is_group || owesSomething(row) || !isLent(row)) return false
  if (isOtherKind(row, ending)) return false
  if (text !== undefined && (text.balance_date ?? '') >= (ending.balance_date ?? '')) return false
  const tagged = row.evidence['commitment'] as { date?: string } | undefined
  if ((tagged?.date ?? '') > (ending.balance_date ?? '')) return false
  const own = new Set(row.name.toLowerCase().match(/[a-z]{3,30}/g))
  return tellingWords(ending.name.slice(0, ending.name.lastIndexOf(','))).every(word => own.has(word))
}

const isLent = (row: InstrumentRow): boolean => isFacilityKind(row) || row.instrument_type === 'loan'

/** A text that calls a facility neither revolving nor a loan may mean either. */
const isOtherThan = (row: InstrumentRow, ending: LoadedInstrument): boolean =>
  (ending.instrument_type !== 'revolver' || /revolv/i.test(ending.name)) && isOtherKind(row, ending)

const owesSomething = ({ carrying_amount, drawn }: InstrumentRow): boolean =>
  (carrying_amount ?? 0) > 0 || (drawn ?? 0) > 0

const ended = (row: InstrumentRow, ending: LoadedInstrument): InstrumentRow => ({
  ...row,
  is_current: false,
  ended_on: ending.ended_on,
  ended_because: ending.ended_because,
  evidence: { ...row.evidence, ended: saidBy(ending) },
  known_from: later(row.known_from, ending.known_from),
})

/** A total and the facilities in it differ by less. */
const ROUNDED = 0.01

/**
 * A line under names of the shared taxonomy alone is the total of the other facilities that are left, if their commitments
 * add up to its own: filers tag it as of the balance date, and the facilities as of the days on which they were agreed.
 */
export function withTotals(
  rows: readonly InstrumentRow[],
  told: ReadonlyMap<string, LoadedInstrument>,
): InstrumentRow[] {
  const lines = rows.filter(
    row => row.is_current && row.commitment !== null && row.instrument_type === 'revolver',
  )
  return rows.map(row => {
    if (!lines.includes(row) || told.has(row.id) || !isSharedLine(row)) return row
    const others = lines.filter(each => each !== row && !isSharedLine(each) && each.currency === row.currency)
    const sum = others.reduce((total, { commitment }) => total + (commitment ?? 0), 0)
    const isTotal = others.length > 1 && Math.abs(sum - (row.commitment ?? 0)) <= ROUNDED * sum
    return isTotal && !owesSomething(row) ? { ...row, is_current: false } : row
  })
}

/** What is committed to the whole company stands for its facilities where none of its own is known, nor one that ended. */
export function withCompanyLine(rows: readonly InstrumentRow[]): InstrumentRow[] {
  const isKnown = rows.some(
    row =>
      row.isOnlyIfNone !== true &&
      row.commitment !== null &&
      (row.is_current || row.facility?.isDoubtful === true || row.ended_because !== null),
  )
  return rows.map(row => (row.isOnlyIfNone === true && !isKnown ? { ...row, is_current: true } : row))
}

const isSharedLine = ({ member }: InstrumentRow): boolean => member?.split(' ').every(isShared) === true
