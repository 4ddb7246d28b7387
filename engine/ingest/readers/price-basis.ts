import { accruedInterest, bond } from '../../credit/bond.ts'
import { parseDay } from '../../credit/calendar.ts'

export type Basis = 'clean' | 'dirty'

const ENOUGH_TESTED = 1000
const FEWEST_TESTED = 5

/** A fixed-rate bond of a fund: its value over par in percent, and what its price depends on. */
export interface ValuedBond {
  readonly price: number
  readonly par: number
  readonly coupon: number
  readonly maturity: string
  /** The day of the value. */
  readonly date: string
}

/**
 * Whether a fund values bonds with or without accrued interest. Vendors' clean prices have three decimals, which
 * appear in value over par if the value is clean, and after subtracting accrued interest if it is not.
 */
export class BasisTest {
  private tested = 0
  private clean = 0
  private dirty = 0

  get isEnough(): boolean {
    return this.tested >= ENOUGH_TESTED
  }

  add({ price, par, coupon, maturity, date }: ValuedBond): void {
    // Values are whole cents: their rounding must be far below a thousandth of a percent of par.
    const allowed = 0.51 / par
    if (allowed > 1e-4) return
    const at = parseDay(date)
    if (parseDay(maturity) <= at) return
    const accrued = accruedInterest(bond({ coupon, maturity: parseDay(maturity) }), at)
    this.tested++
    if (isOnGrid(price, allowed)) this.clean++
    // On a coupon date both readings agree, and nothing is learnt.
    if (accrued > 0 && isOnGrid(price - accrued, allowed)) this.dirty++
  }

  decide(): Basis {
    return this.tested >= FEWEST_TESTED && this.dirty > this.clean && this.dirty * 2 > this.tested
      ? 'dirty'
      : 'clean'
  }

  explain(basis: Basis, otherwise: string): string {
    const { tested } = this
    const fits = basis === 'clean' ? this.clean : this.dirty
    const found = `${fits} of ${tested} fixed bonds give three-decimal prices`
    if (basis === 'dirty') return `prices with accrued interest (dirty): ${found} after subtracting it`
    return tested >= FEWEST_TESTED && fits * 2 > tested
      ? `clean prices: ${found}`
      : `clean prices, ${otherwise} (${found}: inconclusive)`
  }
}

const isOnGrid = (price: number, allowed: number): boolean =>
  Math.abs(price - Math.round(price * 1000) / 1000) <= allowed + 1e-9
