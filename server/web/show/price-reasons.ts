/** Why a price has no yield or spread, in words; codes are those of the columns `…_null_because` of pricing. */
const sentences: Readonly<Record<string, string>> = {
  no_terms: 'its coupon or maturity is not known',
  no_price: 'there is no price',
  floating: 'it floats: the coupons to come are not known',
  matured: 'it had matured',
  no_time_left: 'nothing is left of its life at settlement',
  defaulted: 'it is in default',
  priced_for_default: 'it is priced at what default would pay, not at its coupons',
  no_convergence: 'no yield gives this price',
  far_from_issuer_curve: 'the yield lies far from those of the issuer’s other bonds',
  far_from_market_curve: 'the yield lies far from those of the market',
  below_treasury:
    'the yield lies far below that of Treasuries, as of a bond that floats or is called sooner than is known',
  no_yield: 'there is no yield',
  no_curve: 'there is no Treasury curve of that day',
  outside_curve: 'the curve of that day has no tenor near its maturity',
  not_usd: 'spreads are to the US Treasury, and it is not in dollars',
  fixed_to_float: 'it floats after its last fixed day',
}

export const priceReason = (code: string): string => sentences[code] ?? code.replaceAll('_', ' ')
