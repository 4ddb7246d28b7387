/** Percent of par: what is left of bonds in default, or of issuers that may not pay. */
const HIGHEST_PRICE = 20
/** Percent: no issuer that pays borrows at this. A bond without coupons may cost as little and yield less. */
const LOWEST_YIELD = 20

/**
 * Whether a price (clean, per 100 par) is that of a recovery and not of promised payments: a bond in default or under
 * sanctions is quoted at a few points, and the yield to maturity that would follow means nothing.
 */
export const isPricedForDefault = (price: number, ytm: number): boolean =>
  price <= HIGHEST_PRICE && ytm >= LOWEST_YIELD
