import { type Basis, BasisTest } from './price-basis.ts'
import { Refused } from './reader.ts'

/** The figures of a holding that its units are learnt from. */
export interface MeasuredHolding {
  readonly value: number | null
  readonly par: number | null
  readonly price: number | null
  readonly coupon: number | null
  readonly maturity: string | null
  readonly date: string | null
  readonly currency: string | null
  /** Its value is in the currency of its par. */
  readonly isOwnCurrency: boolean
}

/** Prices of corporate bonds of a whole fund have a median between these, in percent of par. */
const LEAST_MEDIAN = 25
const MOST_MEDIAN = 250
/** Fewer prices have no median to judge units by, unless values over par confirm it. */
const FEWEST = 5
/** Prices have two decimals, so market value over par less price may be this far below zero accrued. */
const PRICE_ROUNDING = 0.0051
const FEWEST_COUPONS = 10
/** No fund has only bonds with coupons below this many percent; as a fraction it is a coupon of 30 percent. */
const LARGEST_FRACTION = 0.3

/** Units of the prices of a whole file, and the factor to percent of par. */
const PRICE_UNITS: readonly (readonly [factor: number, says: string])[] = [
  [1, ''],
  [100, 'prices are fractions of par, read as percent'],
  [0.1, 'prices are per 1,000 of par, read as percent'],
]
const PAR_UNITS: readonly (readonly [factor: number, says: string])[] = [
  [1, ''],
  [0.001, 'par is in thousands'],
  [1000, 'market values are in thousands'],
]

/** The units of a file of holdings, decided from all of its corporate bonds. */
export class HoldingsUnits {
  readonly notes: string[] = []
  private readonly holdings: MeasuredHolding[] = []
  private readonly hasPrices: boolean
  private priceFactor = 1
  private ratioFactor = 1
  private couponFactor = 1
  private basis: Basis = 'clean'
  private currency: string | null = null
  areCouponsRounded = true

  constructor(hasPrices: boolean) {
    this.hasPrices = hasPrices
  }

  add(holding: MeasuredHolding): void {
    this.holdings.push(holding)
  }

  /** Decides the units; throws if the prices of the file are in none that is known. */
  decide(): void {
    this.currency = mostFrequent(this.holdings.map(each => each.currency))
    this.decideCoupons()
    const own = this.holdings.filter(each => each.isOwnCurrency && !this.isOtherCurrency(each.currency))
    const ratios = own.flatMap(({ value, par }) =>
      value && par && value > 0 && par > 0 ? [(100 * value) / par] : [],
    )
    const prices = this.holdings.flatMap(({ price }) => (price !== null && price > 0 ? [price] : []))
    if (this.hasPrices) {
      if (prices.length > 0) this.priceFactor = this.unitOf(prices, PRICE_UNITS, ratios)
      else this.notes.push('its column of prices is empty: bonds are taken without a price')
    } else {
      this.ratioFactor = this.unitOf(ratios, PAR_UNITS, [])
      this.decideBasis(own)
    }
  }

  private decideCoupons(): void {
    const coupons = this.holdings.flatMap(({ coupon }) => (coupon !== null && coupon > 0 ? [coupon] : []))
    const largest = coupons.reduce((most, coupon) => Math.max(most, coupon), 0)
    if (coupons.length >= FEWEST_COUPONS && largest < LARGEST_FRACTION) {
      this.couponFactor = 100
      this.notes.push(`coupons are fractions (${largest} at most), read as percent`)
    }
    this.areCouponsRounded = coupons.every(coupon => isRounded(coupon * this.couponFactor))
  }

  private unitOf(prices: readonly number[], units: typeof PRICE_UNITS, ratios: readonly number[]): number {
    if (prices.length === 0) return 1
    const median = medianOf(prices)
    const fits = (factor: number) => median * factor >= LEAST_MEDIAN && median * factor < MOST_MEDIAN
    const [factor, says] = units.find(([each]) => fits(each)) ?? [0, '']
    if (factor === 1) return 1
    const isConfirmed = ratios.length > 0 && fits(medianOf(ratios) / median)
    if (prices.length < FEWEST && !isConfirmed) return 1
    if (factor === 0)
      throw new Refused(
        `prices are neither in percent of par, nor fractions of it, nor per 1,000: half of them are below ${Number(median.toPrecision(4))}`,
      )
    this.notes.push(says)
    return factor
  }

  private decideBasis(holdings: readonly MeasuredHolding[]): void {
    const test = new BasisTest()
    for (const { value, par, coupon, maturity, date } of holdings)
      if (value && par && coupon && maturity !== null && date !== null)
        test.add({
          price: ((100 * value) / par) * this.ratioFactor,
          par,
          coupon: this.couponOf(coupon)!,
          maturity,
          date,
        })
    this.basis = test.decide()
    this.notes.push(
      `the file has no prices: they are market value over par; ${test.explain(this.basis, 'as funds report values')}`,
    )
  }

  couponOf(coupon: number | null): number | null {
    return coupon === null ? null : Math.round(coupon * this.couponFactor * 1e6) / 1e6
  }

  isOtherCurrency(currency: string | null): boolean {
    return currency !== null && this.currency !== null && currency !== this.currency
  }

  /** The price of a holding in percent of par; null if it has none. */
  priceOf(
    {
      value,
      par,
      price,
      coupon,
    }: { value: number | null; par: number | null; price: number | null; coupon: number | null },
    isOther: boolean,
  ): { price: number; basis: Basis; accrued: number | null } | 'other currency' | null {
    if (this.hasPrices) {
      if (price === null || price === 0) return null
      const own = rounded(price * this.priceFactor)
      return {
        price: own,
        basis: 'clean',
        accrued: isOther ? null : this.accruedIn(own, { value, par, coupon }),
      }
    }
    if (!value || !par) return null
    if (isOther) return 'other currency'
    return { price: rounded(((100 * value) / par) * this.ratioFactor), basis: this.basis, accrued: null }
  }

  /** Market value over par less price, in percent of par; null if that is not at most a year's interest. */
  private accruedIn(
    price: number,
    { value, par, coupon }: { value: number | null; par: number | null; coupon: number | null },
  ): number | null {
    const rate = this.couponOf(coupon)
    if (value === null || !par || rate === null) return null
    const accrued = (value / par) * 100 - price
    const isSane = accrued >= -PRICE_ROUNDING && accrued <= rate + 2 * PRICE_ROUNDING
    return isSane ? rounded(accrued) : null
  }
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6

const isRounded = (coupon: number): boolean => Math.abs(coupon * 100 - Math.round(coupon * 100)) < 1e-6

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

function mostFrequent(texts: readonly (string | null)[]): string | null {
  const counts = new Map<string, number>()
  for (const text of texts) if (text !== null) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}
