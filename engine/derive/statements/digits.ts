/** Zeros that a whole figure ends on: 6 for one told in millions; 99 for nothing at all, which every rounding allows. */
export function trailingZeros(value: number): number {
  if (value === 0) return 99
  let n = 0
  for (let v = Math.abs(value); v % 10 === 0 && n < 15; v /= 10) n++
  return n
}
