/** Why a price has no yield or spread; codes are those of the columns `…_null_because` of pricing. */
const sentences: Readonly<Record<string, string>> = {
  no_terms: 'its coupon or maturity is unknown',
  no_price: 'there is no price',
  floating: 'it floats: future coupons are unknown',
  matured: 'it had matured',
  no_time_left: 'it matures by settlement',
  defaulted: 'it is in default',
  priced_for_default: 'it is priced for default, at recovery value',
  no_convergence: 'no yield gives this price',
  far_from_issuer_curve: 'the yield is far from the issuer’s other bonds',
  far_from_market_curve: 'the yield is far from the market',
  below_treasury:
    'the yield is far below Treasuries, as for a bond that floats or is called earlier than known',
  no_yield: 'there is no yield',
  no_curve: 'there is no Treasury curve for that day',
  outside_curve: 'that day’s curve has no tenor near its maturity',
  not_usd: 'spreads are to US Treasuries, and it is not in dollars',
  unusable_sinking_schedule: 'its sinking schedule cannot be read, or does not fit its coupon days',
  fixed_to_float: 'it floats after its last fixed day',
}

export const priceReason = (code: string): string => sentences[code] ?? code.replaceAll('_', ' ')
