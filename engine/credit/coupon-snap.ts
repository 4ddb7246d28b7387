/**
 * The coupon (percent) that a file rounded half up to two decimals: 3.88 is 3.875 and 4.13 is 4.125, while 4.12 could
 * not come from an eighth and stays.
 */
export function snapToEighth(coupon: number): number {
  const eighth = Math.round(coupon * 8) / 8
  return Math.abs(Math.round(eighth * 100) / 100 - coupon) < 1e-9 ? eighth : coupon
}
