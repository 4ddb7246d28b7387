/** Trailing zeros of a whole figure: 6 for one stated in millions; 99 for zero, which fits any rounding. */
export function trailingZeros(value: number): number {
  if (value === 0) return 99
  let n = 0
  for (let v = Math.abs(value); v % 10 === 0 && n < 15; v /= 10) n++
  return n
}
