/** A price that a period starts or ends with. */
export interface PricePoint {
  /** The end of a period that it stands for; its own day where each price ends a period. */
  readonly at: number
  readonly day: number
  readonly clean: number
  /** Modified duration; null without a yield. */
  readonly duration: number | null
  readonly source: string
  /** Of a bond in default: traded without accrued interest. */
  readonly isFlat: boolean
}
