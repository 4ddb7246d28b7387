import { Refused } from './reader.ts'

/** Shortest tenor whose Treasury rate has never been near this little, in percent. */
const LONG_MONTHS = 120
const LEAST_LONG_RATE = 0.25

/** Finds out whether a file of Treasury yields has fractions (0.0416) instead of percent. */
export class RatesInPercent {
  private largest: { readonly label: string; readonly rate: number } | null = null

  add(months: number, rate: number | null, label: string): void {
    if (rate === null || Number.isNaN(rate) || months < LONG_MONTHS) return
    if (this.largest === null || rate > this.largest.rate) this.largest = { label, rate }
  }

  /** Refuses a file of fractions. */
  check(): void {
    if (!this.largest || this.largest.rate <= 0 || this.largest.rate >= LEAST_LONG_RATE) return
    const { label, rate } = this.largest
    throw new Refused(
      `rates are fractions (${label} is ${rate} at most), and yields are in percent: multiply them by 100`,
    )
  }
}
