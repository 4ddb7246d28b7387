import { daysBetween } from '../base/days.ts'
import { type Claim, isStale } from './claims.ts'
import type { Disclosure } from './maturity-schedule.ts'

/** What a company may still draw under committed facilities. */
export interface Undrawn {
  readonly amount: number | null
  readonly committed: number | null
  readonly source: 'filed' | 'instruments' | null
  readonly date: string | null
  readonly null_because: 'not_filed' | 'stale' | 'by_part' | null
  /** The figures or claims that it is read off. */
  readonly parts: readonly unknown[]
}

interface Wanted {
  readonly asOf: string
  readonly maxAge: number
  readonly currency: string
}

/** A tagged figure below this share of what the facilities known leave undrawn is of other lines, such as uncommitted ones. */
const LEAST_OF_FACILITIES = 0.1

/** The tagged figure of the newest balance date; else what the instruments known leave undrawn. */
export function undrawnOf(
  disclosures: readonly Disclosure[],
  claims: readonly Claim[],
  { asOf, maxAge, currency }: Wanted,
): Undrawn {
  const own = disclosures.filter(row => row.currency === currency && !isLetterOfCredit(row))
  // A commercial paper programme is an amount that may be issued; facilities back it.
  const all = claims.filter(
    claim => claim.commitment !== null && claim.instrument_type !== 'commercial_paper',
  )
  const facilities = all.filter(claim => !isStale(claim, asOf, maxAge) && !isOldLine(claim, asOf, maxAge))
  const known = facilities.filter(claim => claim.undrawn !== null && claim.currency === currency)
  const left = known.reduce((sum, { undrawn }) => sum + undrawn!, 0)
  const tagged = newestOf(own, 'undrawn')
  const isTagStale = tagged.length > 0 && daysBetween(tagged[0]!.period_end_date, asOf) > maxAge
  const filed = isTagStale || tagged.length === 0 ? null : totalOf(tagged)
  if (filed && filed.amount !== null && filed.amount >= LEAST_OF_FACILITIES * left) {
    const date = tagged[0]!.period_end_date
    const committed = totalOf(own.filter(row => row.item === 'committed' && row.period_end_date === date))
    return {
      amount: filed.amount,
      committed: committed.amount,
      source: 'filed',
      date,
      null_because: null,
      parts: filed.parts,
    }
  }
  if (facilities.length > 0 && known.length === facilities.length)
    return {
      amount: left,
      committed: known.reduce((sum, { commitment }) => sum + commitment!, 0),
      source: 'instruments',
      date: known.flatMap(claim => dayOf(claim) ?? []).sort()[0] ?? null,
      null_because: null,
      parts: known.map(({ id, name, commitment, undrawn, balance_date, source }) => ({
        id,
        name,
        commitment,
        undrawn,
        balance_date,
        source,
      })),
    }
  return {
    amount: null,
    committed: null,
    source: null,
    date: null,
    null_because: isTagStale || facilities.length < all.length ? 'stale' : filed ? 'by_part' : 'not_filed',
    parts: [],
  }
}

/** Whether a facility without a balance was stated so long ago that nobody knows whether it is still there. */
const isOldLine = ({ from, balance_date, known_from }: Claim, asOf: string, maxAge: number): boolean =>
  from === 'instruments' &&
  balance_date === null &&
  known_from !== null &&
  daysBetween(known_from, asOf) > maxAge

/** The day of what may be drawn: of its balance, else the day it was stated. */
const dayOf = ({ from, balance_date, known_from }: Claim): string | null =>
  balance_date ?? (from === 'instruments' ? known_from : null)

const newestOf = (disclosures: readonly Disclosure[], item: Disclosure['item']): Disclosure[] => {
  const all = disclosures.filter(row => row.item === item)
  return all.filter(row => row.period_end_date === all[0]!.period_end_date)
}

/** Axes along which facilities are listed. Figures along others are of a part of the company. */
const FACILITY_AXIS = /^us-gaap:(?:CreditFacility|DebtInstrument|LongtermDebtType|ShortTermDebtType)Axis$/

/** Axes in order; long-term and short-term debt are two names of one. */
const axesOf = (dimensions: string): string[] =>
  dimensions.split(';').map(pair => pair.slice(0, pair.indexOf('=')).replace('ShortTermDebt', 'LongtermDebt'))

/** What may be drawn as letters of credit is no cash. */
const isLetterOfCredit = ({ dimensions }: Disclosure): boolean =>
  /=[\w-]+:\w*Letters?OfCredit/i.test(dimensions ?? '')

/**
 * The figure of the whole company; else the sum of its facilities, if all are listed along the same axes and none is
 * the total of the others.
 */
function totalOf(rows: readonly Disclosure[]): { amount: number | null; parts: readonly Disclosure[] } {
  const whole = rows.find(({ dimensions }) => dimensions === null)
  if (whole) return { amount: whole.amount, parts: [whole] }
  const parts = rows.filter(
    ({ dimensions, concept }) =>
      concept === rows[0]!.concept && axesOf(dimensions!).every(axis => FACILITY_AXIS.test(axis)),
  )
  if (parts.length === 0 || new Set(parts.map(({ dimensions }) => axesOf(dimensions!).join())).size > 1)
    return { amount: null, parts }
  const sum = parts.reduce((all, { amount }) => all + amount, 0)
  const total = parts.length > 2 ? parts.find(({ amount }) => amount > 0 && amount * 2 === sum) : undefined
  return { amount: total?.amount ?? sum, parts: total ? [total] : parts }
}
