/** Percent of par: the recovery value of bonds in default, or of issuers that may not pay. */
const HIGHEST_PRICE = 20
/** Percent: no performing issuer borrows at this. A zero-coupon bond may be as cheap with a lower yield. */
const LOWEST_YIELD = 20

/**
 * Whether a price (clean, per 100 par) is a recovery value rather than the value of promised payments: bonds in
 * default or under sanctions are quoted at a few points, and a yield to maturity computed from that is meaningless.
 */
export const isPricedForDefault = (price: number, ytm: number): boolean =>
  price <= HIGHEST_PRICE && ytm >= LOWEST_YIELD
