import { firstOf } from '../../base/elements.ts'
import type { matchReasons } from '../../schema/vocabulary.ts'

/** What an instrument says of itself. */
export interface MatchableInstrument {
  readonly id: string
  readonly cusip: string | null
  readonly isin: string | null
  /** Percent. */
  readonly coupon: number | null
  readonly isFloating: boolean
  /** `2032-03-15`, `2032-03` or `2032`. */
  readonly maturity: string | null
  readonly denomination: string | null
  readonly isGroup: boolean
  /** It has no balance of its own: a total, a repeat, or what is no longer owed. */
  readonly isRepeat: boolean
  /** It is no note or bond: a loan, facility or commercial paper. */
  readonly isLoan: boolean
}

export interface MatchableBond {
  readonly id: string
  readonly cusip: string | null
  readonly isin: string | null
  readonly coupon: number | null
  readonly isFloating: boolean
  /** `2032-03-15`. */
  readonly maturity: string | null
  readonly currency: string | null
}

export type MatchReason = (typeof matchReasons)[number]

export interface Match {
  readonly bond: string | null
  readonly by: 'cusip' | 'isin' | 'coupon_and_maturity' | null
  readonly nullBecause: MatchReason | null
}

/**
 * The bond of each instrument of one company: by CUSIP or ISIN, else by coupon and maturity, if one bond alone has
 * them and one instrument alone.
 */
export function matchBonds(
  instruments: readonly MatchableInstrument[],
  bonds: readonly MatchableBond[],
): Map<string, Match> {
  const found = new Map<string, Match>()
  for (const each of instruments) found.set(each.id, candidates(each, bonds))
  const uses = new Map<string, number>()
  for (const { bond } of found.values()) if (bond !== null) uses.set(bond, (uses.get(bond) ?? 0) + 1)
  for (const [id, { bond, by }] of found)
    if (bond !== null && by === 'coupon_and_maturity' && uses.get(bond)! > 1)
      found.set(id, none('several_instruments_alike'))
  return found
}

const none = (nullBecause: MatchReason): Match => ({ bond: null, by: null, nullBecause })
const matched = (bond: MatchableBond, by: NonNullable<Match['by']>): Match => ({
  bond: bond.id,
  by,
  nullBecause: null,
})

function candidates(one: MatchableInstrument, bonds: readonly MatchableBond[]): Match {
  const byCusip = bonds.filter(({ cusip }) => cusip !== null && cusip === one.cusip)
  if (byCusip.length === 1) return matched(firstOf(byCusip), 'cusip')
  const byIsin = bonds.filter(({ isin }) => isin !== null && isin === one.isin)
  if (byIsin.length === 1) return matched(firstOf(byIsin), 'isin')
  if (one.isGroup) return none('several_instruments_in_one_line')
  if (one.isRepeat) return none('not_current')
  if (one.isLoan) return none('not_a_note')
  if (one.maturity === null || (one.coupon === null && !one.isFloating)) return none('no_coupon_and_maturity')
  if (bonds.length === 0) return none('no_bonds_of_the_company')
  const alike = bonds.filter(bond => isAlike(one, bond))
  if (alike.length === 0) return none('no_bond_alike')
  return alike.length > 1 ? none('several_bonds_alike') : matched(firstOf(alike), 'coupon_and_maturity')
}

/** Lists and some filings round coupons to two decimals. */
export const cents = (coupon: number): number => Math.round(coupon * 100 + 1e-7)

function isAlike(one: MatchableInstrument, bond: MatchableBond): boolean {
  if (bond.maturity === null || !bond.maturity.startsWith(one.maturity!)) return false
  if (one.denomination !== null && bond.currency !== null && one.denomination !== bond.currency) return false
  if (one.isFloating) return bond.isFloating
  return bond.coupon !== null && !bond.isFloating && cents(bond.coupon) === cents(one.coupon!)
}
