/** A number to so many digits; null for NaN. */
export const rounded = (value: number, digits: number): number | null =>
  Number.isNaN(value) ? null : Math.round(value * 10 ** digits) / 10 ** digits
